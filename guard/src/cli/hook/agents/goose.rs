//! Goose, event PreToolUse (<https://github.com/block/goose>,
//! `documentation/docs/guides/context-engineering/hooks.md`).
//!
//! It can only be refused: its "allow" means that the hook does not block.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
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
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["goose"],
    home: Folder::of_home(".agents/plugins/shfence"),
    mark: Some(".config/goose"),
    files: &[
        File {
            user: "hooks/hooks.json",
            project: Some(".agents/plugins/shfence/hooks/hooks.json"),
            holds: Holds::Entries {
                version: None,
                entries: &[Entry {
                    at: &["hooks", "PreToolUse"],
                    item: r#"{"matcher": "^developer__shell$", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 10, "on_failure": "block"}]}"#,
                }],
            },
        },
        File {
            user: "plugin.json",
            project: Some(".agents/plugins/shfence/plugin.json"),
            holds: Holds::Text { executable: false, text: MANIFEST },
        },
    ],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"event": "PreToolUse", "tool_name": "developer__shell", "tool_input": {"command": "@LINE@"}, "working_dir": "@"}"#,
    )],
    failing: "goose refuses the line, because of on_failure",
    limits: Some(
        "goose's hooks can only refuse: what shfence asks about is not stopped, unless the hook has --ask-denies; what it allows is left to goose.",
    ),
    then: "Restart goose (1.35 or later).",
};

const MANIFEST: &str = r#"{
  "name": "shfence",
  "version": "1.0.0",
  "description": "Written by 'shfence install goose'; 'shfence uninstall goose' removes it."
}
"#;

fn read(payload: &Payload<'_>) -> Asked {
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
