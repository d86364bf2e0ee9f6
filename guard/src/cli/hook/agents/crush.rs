//! Crush, event PreToolUse (<https://github.com/charmbracelet/crush>, `docs/hooks/README.md`).
//!
//! "allow" skips its question; there is no "ask", and no decision leaves the question to it.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY, word};
use super::super::payload::Payload;
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
