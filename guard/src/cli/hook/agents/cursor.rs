//! Cursor, event beforeShellExecution (<https://cursor.com/docs/hooks>).
//!
//! Its command-line agent honours a refusal and was seen to ignore an "allow" (2026.07). With
//! `failClosed` silence blocks, which is the careful direction.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use serde_json::json;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "cursor",
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
    programs: &["cursor", "cursor-agent"],
    home: Folder::of_home(".cursor"),
    mark: None,
    files: &[File {
        user: "hooks.json",
        project: Some(".cursor/hooks.json"),
        holds: Holds::Entries {
            version: Some("1"),
            entries: &[Entry {
                at: &["hooks", "beforeShellExecution"],
                item: r#"{"command": "@COMMAND@", "timeout": 10, "failClosed": true}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hook_event_name": "beforeShellExecution", "command": "@LINE@", "cwd": "@", "workspace_roots": ["@"]}"#,
    )],
    failing: "Cursor refuses the line, because of failClosed",
    limits: Some("Cursor's command-line agent was seen to ignore what a hook allows (2026.07)."),
    then: "Restart Cursor.",
};

fn read(payload: &Payload<'_>) -> Asked {
    match payload.text("hook_event_name") {
        Some("beforeShellExecution") => {
            let asked = payload.asks_about("command", None, Moment::Use);
            asked.within(payload.directories("workspace_roots"))
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Allow) => Reply::json(&json!({"permission": "allow"})),
        Some(decision) => Reply::json(&json!({
            "permission": decision.name(), "user_message": reason, "agent_message": reason,
        })),
        None => Reply::silence(),
    }
}
