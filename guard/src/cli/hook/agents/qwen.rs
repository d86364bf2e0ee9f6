//! Qwen Code, event PreToolUse (<https://github.com/QwenLM/qwen-code>,
//! `docs/users/features/hooks.md`).
//!
//! The form is Claude Code's. Without a person at the terminal "ask" refuses.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::claude::before_use;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "qwen",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: Some("QWEN_PROJECT_DIR"),
    asks: true,
    read,
    reply,
};

fn read(payload: &Payload) -> Asked {
    let event = payload.text("hook_event_name");
    match (event, payload.text("tool_name")) {
        (Some("PreToolUse"), Some("run_shell_command")) => {
            payload.asks("tool_input", payload.directory("cwd"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    opinion.map_or(Reply::silence(), |decision| before_use(decision, reason))
}
