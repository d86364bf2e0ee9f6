//! Amp, a rule with the action `delegate` (<https://ampcode.com/manual/appendix#permissions>).
//!
//! The parameters of the tool are on standard input, and the exit code is the answer: 0 allows, 1
//! asks, 2 refuses. There is no way to have no opinion: asking comes nearest.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "amp",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["amp"],
    home: Folder::of_config("amp"),
    mark: None,
    files: &[
        File {
            user: "shfence-hook-amp",
            project: None,
            holds: Holds::Text { executable: true, text: SCRIPT },
        },
        File {
            user: "settings.json",
            project: None,
            holds: Holds::Entries {
                version: None,
                entries: &[Entry {
                    at: &["amp.permissions"],
                    item: r#"{"tool": "Bash", "matches": {"cmd": "*"}, "action": "delegate", "to": "@FILE@"}"#,
                }],
            },
        },
    ],
    switches: &[],
    trust: None,
    runs: Runs::Program,
    canaries: &[(Moment::Use, r#"{"cmd": "@LINE@", "cwd": "@"}"#)],
    failing: "Amp asks, or refuses the line",
    limits: None,
    then: "Rules that stand before it in amp.permissions go first.",
};

/// Amp calls a program without arguments.
const SCRIPT: &str = "#!/bin/sh
# Written by 'shfence install amp'; 'shfence uninstall amp' removes it.
exec @COMMAND@
";

fn read(payload: &Payload<'_>) -> Asked {
    payload.asks_about("cmd", None, Moment::Use)
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Allow) => Reply::silence(),
        Some(Decision::Ask) | None => Reply { code: 1, ..Reply::silence() },
        Some(Decision::Deny) => Reply::refusal(reason),
    }
}
