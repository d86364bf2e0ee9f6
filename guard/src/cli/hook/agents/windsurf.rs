//! Windsurf Cascade, hook pre_run_command (<https://docs.windsurf.com/windsurf/cascade/hooks>).
//!
//! It can only be refused, by exit code 2.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "windsurf",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: false,
    read,
    reply,
};

fn read(payload: &Payload) -> Asked {
    if payload.text("agent_action_name") != Some("pre_run_command") {
        return Asked::Nothing(Moment::Use);
    }
    match payload.object("tool_info") {
        Some(info) => info.asks_about("command_line", None, Moment::Use),
        None => Asked::Unclear(Moment::Use, "the request holds no input of the tool"),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Deny) => Reply::refusal(reason),
        _ => Reply::silence(),
    }
}
