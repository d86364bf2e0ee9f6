//! Crush, event PreToolUse (<https://github.com/charmbracelet/crush>, `docs/hooks/README.md`).
//!
//! "allow" skips its question; there is no "ask", and no decision leaves the question to it.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY, word};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use serde_json::{Value, json};
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "crush",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: Some("CRUSH_PROJECT_DIR"),
    asks: false,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["crush"],
    home: Folder::of_config("crush"),
    mark: None,
    files: &[File {
        user: "crush.json",
        project: Some("crush.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "PreToolUse"],
                item: r#"{"matcher": "^bash$", "command": "@COMMAND@", "timeout": 10}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"event": "PreToolUse", "cwd": "@", "tool_name": "bash", "tool_input": {"command": "@LINE@"}}"#,
    )],
    failing: "Crush does as without it",
    limits: None,
    then: "Restart Crush.",
};

fn read(payload: &Payload) -> Asked {
    match (payload.text("event"), payload.text("tool_name")) {
        (Some("PreToolUse"), Some("bash")) => {
            payload.asks("tool_input", payload.directory("cwd"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    Reply::json(&match opinion {
        Some(decision @ (Decision::Allow | Decision::Deny)) => {
            json!({"version": 1, "decision": word(decision), "reason": reason})
        }
        Some(Decision::Ask) | None => json!({"version": 1, "decision": Value::Null}),
    })
}
