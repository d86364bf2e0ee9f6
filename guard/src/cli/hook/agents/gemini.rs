//! Gemini CLI, event BeforeTool (<https://geminicli.com/docs/hooks/reference/>).
//!
//! Its "allow" only means that the hook does not block: the confirmation is asked for all the same.
//! An "ask" of a hook goes before a refusal of its own policy (in its source), so none is given.

use super::super::agent::{Agent, Asked, Moment, Reply};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup, Switch};
use serde_json::json;
use shfence::{Decision, Dialects, Invocation};

pub const AGENT: Agent = Agent {
    name: "gemini",
    shells: Dialects { bash: true, sh: false, zsh: false },
    // Pasted between parentheses of a script of its own, for bash.
    invocations: &[Invocation::Parens],
    project: Some("GEMINI_PROJECT_DIR"),
    asks: false,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["gemini"],
    home: Folder::of_home(".gemini"),
    mark: None,
    files: &[File {
        user: "settings.json",
        project: Some(".gemini/settings.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "BeforeTool"],
                item: r#"{"matcher": "run_shell_command", "hooks": [{"name": "shfence", "type": "command", "command": "@COMMAND@", "timeout": 5000}]}"#,
            }],
        },
    }],
    switches: &[Switch { file: "settings.json", at: &["hooksConfig", "enabled"], off: false }],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hook_event_name": "BeforeTool", "cwd": "@", "tool_name": "run_shell_command", "tool_input": {"command": "@LINE@"}}"#,
    )],
    failing: "a missing hook refuses the line; if the hook hangs or is killed, Gemini CLI does as without it (seen with 0.61.0)",
    limits: Some(
        "A hook cannot approve: what shfence allows still has Gemini CLI's own question, unless its policy answers that.",
    ),
    then: "Restart Gemini CLI; it asks whether a hook of a project is trusted.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let event = payload.text("hook_event_name");
    match (event, payload.text("tool_name")) {
        (Some("BeforeTool"), Some("run_shell_command")) => {
            payload.asks("tool_input", payload.directory("cwd"), Moment::Use)
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

/// Never silence: what is on standard error would be taken for the answer.
fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match opinion {
        Some(Decision::Allow) => Reply::json(&json!({"decision": "allow"})),
        Some(Decision::Deny) => Reply::json(&json!({"decision": "deny", "reason": reason})),
        Some(Decision::Ask) | None => Reply::json(&json!({})),
    }
}
