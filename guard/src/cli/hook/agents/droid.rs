//! Factory Droid, event PreToolUse (<https://docs.factory.com/reference/hooks-reference.md>).
//!
//! The form is Claude Code's; the tool is called Execute.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use super::claude::before_use;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "droid",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: Some("FACTORY_PROJECT_DIR"),
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["droid"],
    home: Folder::of_home(".factory"),
    mark: None,
    files: &[File {
        user: "settings.json",
        project: Some(".factory/settings.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "PreToolUse"],
                item: r#"{"matcher": "Execute", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 10}]}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hook_event_name": "PreToolUse", "cwd": "@", "tool_name": "Execute", "tool_input": {"command": "@LINE@"}}"#,
    )],
    failing: "Droid does as without it",
    limits: None,
    then: "Restart Droid: it reads its hooks when it starts.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let event = payload.text("hook_event_name");
    match (event, payload.text("tool_name")) {
        (Some("PreToolUse"), Some("Execute")) => {
            payload.asks("tool_input", payload.directory("cwd"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    opinion.map_or(Reply::silence(), |decision| before_use(decision, reason))
}
