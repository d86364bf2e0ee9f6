//! Kiro CLI, hook preToolUse, or PreToolUse in version 3 (<https://kiro.dev/docs/cli/hooks>).
//!
//! It can only be refused, by exit code 2. Its hooks must not be cached (`cache_ttl_seconds` 0).

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "kiro",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: false,
    read,
    reply,
};

fn read(payload: &Payload) -> Asked {
    let event = payload.text("hook_event_name");
    match (event, payload.text("tool_name")) {
        (Some("preToolUse" | "PreToolUse"), Some("execute_bash" | "shell")) => {
            payload.asks("tool_input", payload.directory("cwd"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Deny) => Reply::refusal(reason),
        _ => Reply::silence(),
    }
}
