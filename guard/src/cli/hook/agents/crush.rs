//! Crush, event PreToolUse (<https://github.com/charmbracelet/crush>, `docs/hooks/README.md`).
//!
//! There is no "ask": no decision leaves the question to it. Its "allow" would skip that, but lines
//! run in an interpreter of its own (`internal/shell/shell.go`), which is none of the shells that
//! verdicts hold for; it tidies `link/..` away before it opens a file, for one.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
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
    limits: Some(
        "Crush runs lines in an interpreter of its own, which is none of the shells that shfence knows: what it allows has Crush's own question.",
    ),
    then: "Restart Crush.",
};

fn read(payload: &Payload<'_>) -> Asked {
    match (payload.text("event"), payload.text("tool_name")) {
        (Some("PreToolUse"), Some("bash")) => {
            payload.asks("tool_input", payload.directory("cwd"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    Reply::json(&match opinion {
        Some(Decision::Deny) => json!({"version": 1, "decision": "deny", "reason": reason}),
        Some(Decision::Allow | Decision::Ask) | None => {
            json!({"version": 1, "decision": Value::Null})
        }
    })
}
