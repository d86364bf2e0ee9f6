//! Grok CLI, event pre_tool_use, as seen in version 1.0.62.
//!
//! Its "allow" only declines to refuse. A refusal is an object and exit code 2.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use serde_json::json;
use shfence::{Decision, Dialects};
use std::path::Path;

pub const AGENT: Agent = Agent {
    name: "grok",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: Some("GROK_WORKSPACE_ROOT"),
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["grok"],
    home: Folder::of_home(".grok"),
    mark: None,
    files: &[File {
        user: "hooks/shfence.json",
        project: None,
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "PreToolUse"],
                item: r#"{"matcher": "Bash", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 4}]}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hookEventName": "pre_tool_use", "cwd": "@", "workspaceRoot": "@", "toolName": "run_terminal_command", "toolInput": {"command": "@LINE@"}}"#,
    )],
    failing: "Grok CLI does as without it",
    limits: Some("A hook cannot approve: what shfence allows is left to Grok CLI."),
    then: "Restart Grok CLI.",
};

fn read(payload: &Payload<'_>) -> Asked {
    match (payload.text("hookEventName"), payload.text("toolName")) {
        (Some("pre_tool_use"), Some("run_terminal_command")) => {
            let asked = payload.asks("toolInput", payload.directory("cwd"), Moment::Use);
            asked.within(payload.directory("workspaceRoot").map(Path::to_owned))
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Ask) => Reply::json(&json!({"hookSpecificOutput": {
            "permissionDecision": "ask", "permissionDecisionReason": reason,
        }})),
        Some(Decision::Deny) => {
            Reply { code: 2, ..Reply::json(&json!({"decision": "deny", "reason": reason})) }
        }
        Some(Decision::Allow) | None => Reply::silence(),
    }
}
