//! Goose, event PreToolUse (<https://github.com/block/goose>,
//! `documentation/docs/guides/context-engineering/hooks.md`).
//!
//! It can only be refused: its "allow" means that the hook does not block.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use serde_json::json;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "goose",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: false,
    read,
    reply,
};

fn read(payload: &Payload) -> Asked {
    match (payload.text("event"), payload.text("tool_name")) {
        (Some("PreToolUse"), Some("developer__shell")) => {
            payload.asks("tool_input", payload.directory("working_dir"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Deny) => Reply::json(&json!({"decision": "block", "reason": reason})),
        _ => Reply::silence(),
    }
}
