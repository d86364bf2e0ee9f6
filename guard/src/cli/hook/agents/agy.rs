//! Antigravity CLI, event PreToolUse (<https://antigravity.google/docs/hooks>).
//!
//! "allow" leaves the decision to it; what grants is "auto_approve". An answer without a decision
//! makes it ask.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use serde_json::json;
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "agy",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["agy"],
    home: Folder::of_home(".gemini/config"),
    mark: None,
    files: &[File {
        user: "hooks.json",
        project: Some(".agents/hooks.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["shfence", "PreToolUse"],
                item: r#"{"matcher": "run_command", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 10}]}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"toolCall": {"name": "run_command", "args": {"CommandLine": "@LINE@", "Cwd": "@"}}, "workspacePaths": ["@"]}"#,
    )],
    failing: "Antigravity asks",
    limits: None,
    then: "Restart Antigravity.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let Some(call) = payload.object("toolCall") else { return Asked::Nothing(Moment::Use) };
    if call.text("name") != Some("run_command") {
        return Asked::Nothing(Moment::Use);
    }
    let Some(arguments) = call.object("args") else {
        return Asked::Unclear(Moment::Use, "the request holds no input of the tool");
    };
    // The directory is that of the call; there is no other in the request.
    let asked = arguments.asks_about("CommandLine", None, Moment::Use);
    asked.within(payload.directories("workspacePaths"))
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    let word = match opinion {
        Some(Decision::Allow) => "auto_approve",
        Some(Decision::Ask) => "ask",
        Some(Decision::Deny) => "deny",
        None => return Reply::json(&json!({"decision": "allow"})),
    };
    Reply::json(&json!({"decision": word, "reason": reason}))
}
