//! Qwen Code, event PreToolUse (<https://github.com/QwenLM/qwen-code>,
//! `docs/users/features/hooks.md`).
//!
//! The form is Claude Code's. Without a person at the terminal "ask" refuses.

use super::super::agent::{Agent, Asked, Moment, Reply};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup, Switch};
use super::claude::before_use;
use shfence::{Decision, Dialects, Invocation};

pub const AGENT: Agent = Agent {
    name: "qwen",
    shells: Dialects::ALL,
    // `bash -c` (0.24, `launchCommand`); what it was made from stands it between parentheses.
    invocations: &[Invocation::C, Invocation::Parens],
    project: Some("QWEN_PROJECT_DIR"),
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["qwen"],
    home: Folder::of_home(".qwen"),
    mark: None,
    files: &[File {
        user: "settings.json",
        project: Some(".qwen/settings.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "PreToolUse"],
                item: r#"{"matcher": "run_shell_command", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 10000}]}"#,
            }],
        },
    }],
    switches: &[Switch { file: "settings.json", at: &["disableAllHooks"], off: true }],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hook_event_name": "PreToolUse", "cwd": "@", "tool_name": "run_shell_command", "tool_input": {"command": "@LINE@"}}"#,
    )],
    failing: "Qwen Code does as without it",
    limits: Some(
        "A hook cannot approve (seen with 0.24): what shfence allows still has Qwen Code's own question.",
    ),
    then: "Restart Qwen Code.",
};

fn read(payload: &Payload<'_>) -> Asked {
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
