//! Kiro CLI, hook preToolUse, or PreToolUse in version 3 (<https://kiro.dev/docs/cli/hooks>).
//!
//! It can only be refused, by exit code 2. Its hooks must not be cached (`cache_ttl_seconds` 0).

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use shfence::{Decision, Dialects};

pub const AGENT: Agent = Agent {
    name: "kiro",
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
    programs: &["kiro-cli", "kiro"],
    home: Folder::named_by("KIRO_HOME", ".kiro"),
    mark: None,
    files: &[File {
        user: "hooks/shfence.json",
        project: Some(".kiro/hooks/shfence.json"),
        holds: Holds::Entries {
            version: Some(r#""v1""#),
            entries: &[Entry {
                at: &["hooks"],
                item: r#"{"name": "shfence", "trigger": "PreToolUse", "matcher": "execute_bash|shell", "action": {"type": "command", "command": "@COMMAND@"}, "timeout": 10}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hook_event_name": "PreToolUse", "cwd": "@", "tool_name": "execute_bash", "tool_input": {"command": "@LINE@"}}"#,
    )],
    failing: "Kiro does as without it",
    limits: Some(
        "Kiro's hooks can only refuse: what shfence asks about is not stopped, unless the hook has --ask-denies; what it allows is left to Kiro.",
    ),
    then: "Restart Kiro. Before version 3 its hooks stand in the files of its agents: the page on hooks says what to write there.",
};

fn read(payload: &Payload<'_>) -> Asked {
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
