//! Grok CLI, event pre_tool_use, as seen in version 1.0.62.
//!
//! Its "allow" only declines to refuse. A refusal is an object and exit code 2.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
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
};

fn read(payload: &Payload) -> Asked {
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
