//! Cursor, event beforeShellExecution (<https://cursor.com/docs/hooks>).
//!
//! Its command-line agent honours a refusal and was seen to ignore an "allow" (2026.07). With
//! `failClosed` silence blocks, which is the careful direction.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY, word};
use super::super::payload::Payload;
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
};

fn read(payload: &Payload) -> Asked {
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
            "permission": word(decision), "user_message": reason, "agent_message": reason,
        })),
        None => Reply::silence(),
    }
}
