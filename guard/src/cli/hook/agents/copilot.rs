//! GitHub Copilot CLI and cloud agent, events preToolUse and permissionRequest
//! (<https://docs.github.com/en/copilot/reference/hooks-reference>).
//!
//! The case in which an event is configured selects the names of the fields. Any exit code but 0
//! refuses every tool. In the cloud, and without a person at the terminal, "ask" refuses.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use serde_json::json;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "copilot",
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
    programs: &["copilot"],
    home: Folder::named_by("COPILOT_HOME", ".copilot"),
    mark: None,
    files: &[File {
        user: "hooks/shfence.json",
        project: Some(".github/hooks/shfence.json"),
        holds: Holds::Entries {
            version: Some("1"),
            entries: &[Entry {
                at: &["hooks", "preToolUse"],
                item: r#"{"type": "command", "bash": "@COMMAND@", "timeoutSec": 10, "matcher": "bash"}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"cwd": "@", "toolName": "bash", "toolArgs": {"command": "@LINE@"}}"#,
    )],
    failing: "Copilot refuses the line; if the hook hangs, it asks",
    limits: None,
    then: "Restart Copilot. Without the program, Copilot refuses every command: uninstall the hook before it.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let cwd = payload.directory("cwd");
    let name = payload.text("toolName").or(payload.text("tool_name"));
    let is_shell = matches!(name, Some("bash" | "Bash"));
    let (input, moment) = if payload.has("toolArgs") {
        ("toolArgs", Moment::Use)
    } else if payload.has("toolInput") {
        ("toolInput", Moment::Permission)
    } else {
        match payload.text("hook_event_name") {
            Some("PermissionRequest") => ("tool_input", Moment::Permission),
            _ => ("tool_input", Moment::Use),
        }
    };
    match is_shell {
        true => payload.asks(input, cwd, moment),
        false => Asked::Nothing(moment),
    }
}

fn reply(moment: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match (moment, opinion) {
        (_, None) | (Moment::Permission, Some(Decision::Ask)) => Reply::silence(),
        (Moment::Use, Some(decision)) => Reply::json(&json!({
            "permissionDecision": decision.name(), "permissionDecisionReason": reason,
        })),
        (Moment::Permission, Some(Decision::Allow)) => Reply::json(&json!({"behavior": "allow"})),
        (Moment::Permission, Some(Decision::Deny)) => {
            Reply::json(&json!({"behavior": "deny", "message": reason}))
        }
    }
}
