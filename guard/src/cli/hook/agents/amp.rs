//! Amp, a rule with the action `delegate` (<https://ampcode.com/manual/appendix#permissions>).
//!
//! The parameters of the tool are on standard input, and the exit code is the answer: 0 allows, 1
//! asks, 2 refuses. There is no way to have no opinion: asking comes nearest.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "amp",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: true,
    read,
    reply,
};

fn read(payload: &Payload) -> Asked {
    payload.asks_about("cmd", None, Moment::Use)
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Allow) => Reply::silence(),
        Some(Decision::Ask) | None => Reply { code: 1, ..Reply::silence() },
        Some(Decision::Deny) => Reply::refusal(reason),
    }
}
