//! OpenCode, through a plugin that hands over `{"command", "cwd", "root", "sessionID"}` and takes
//! `{"decision", "reason"}` (<https://opencode.ai/docs/plugins>).
//!
//! In version 1 a plugin can only refuse, by an error: what is asked is left to OpenCode's own
//! configuration. What becomes of "allow" and "ask" in version 2 is the plugin's business.

use super::super::agent::{Agent, Asked, Moment, Reply, word};
use super::super::payload::Payload;
use serde_json::json;
use shfence::{Decision, Dialects, Invocation};
use std::path::Path;

pub const AGENT: Agent = Agent {
    name: "opencode",
    shells: Dialects::ALL,
    // `eval "TEXT"`, quoted as JSON; older versions `sh -c TEXT`, which changes less.
    invocations: &[Invocation::JsonEval],
    project: None,
    asks: false,
    read,
    reply,
};

fn read(payload: &Payload) -> Asked {
    payload
        .asks_about("command", None, Moment::Use)
        .within(payload.directory("root").map(Path::to_owned))
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    Reply::json(&match opinion {
        Some(decision) => json!({"decision": word(decision), "reason": reason}),
        None => json!({"decision": "none"}),
    })
}
