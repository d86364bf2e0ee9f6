//! Windsurf Cascade, hook pre_run_command (<https://docs.windsurf.com/windsurf/cascade/hooks>).
//!
//! It can only be refused, by exit code 2.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "windsurf",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: false,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["windsurf"],
    home: Folder::of_home(".codeium/windsurf"),
    mark: None,
    files: &[File {
        user: "hooks.json",
        project: Some(".windsurf/hooks.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "pre_run_command"],
                item: r#"{"command": "@COMMAND@", "show_output": true}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"agent_action_name": "pre_run_command", "tool_info": {"command_line": "@LINE@", "cwd": "@"}}"#,
    )],
    failing: "what Windsurf does is not documented",
    limits: Some(
        "Windsurf's hooks can only refuse: what shfence asks about is not stopped, unless the hook has --ask-denies; what it allows is left to Windsurf.",
    ),
    then: "Restart Windsurf.",
};

fn read(payload: &Payload<'_>) -> Asked {
    if payload.text("agent_action_name") != Some("pre_run_command") {
        return Asked::Nothing(Moment::Use);
    }
    match payload.object("tool_info") {
        Some(info) => info.asks_about("command_line", None, Moment::Use),
        None => Asked::Unclear(Moment::Use, "the request holds no input of the tool"),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Deny) => Reply::refusal(reason),
        _ => Reply::silence(),
    }
}
