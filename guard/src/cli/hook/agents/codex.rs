//! OpenAI Codex CLI, events PreToolUse and PermissionRequest
//! (<https://developers.openai.com/codex/hooks>).
//!
//! Before a use it takes nothing but a refusal: anything else is an error to it, and the line runs.
//! The directory of a request is that of the session, while a line may run elsewhere (`workdir` of
//! its tool is in no request): so a line is allowed before a permission only if it says itself
//! where it goes.

use super::super::agent::{Agent, Asked, Moment, Reply};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup, Switch, Trust};
use super::claude::{before_use, permission};
use shfence::{Decision, Dialects, Invocation};

pub const AGENT: Agent = Agent {
    name: "codex",
    shells: Dialects::ALL,
    // `$SHELL -lc TEXT` (core/src/shell.rs).
    invocations: &[Invocation::C],
    project: None,
    asks: false,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const ITEM: &str = r#"{"matcher": "^Bash$", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 10}]}"#;

// tidy: table
const SETUP: Setup = Setup {
    programs: &["codex"],
    home: Folder::named_by("CODEX_HOME", ".codex"),
    mark: None,
    files: &[File {
        user: "hooks.json",
        project: Some(".codex/hooks.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[
                Entry { at: &["hooks", "PreToolUse"], item: ITEM },
                Entry { at: &["hooks", "PermissionRequest"], item: ITEM },
            ],
        },
    }],
    switches: &[Switch { file: "config.toml", at: &["features", "hooks"], off: false }],
    trust: Some(Trust {
        file: "config.toml",
        at: &["hooks", "state"],
        help: "Start codex, and trust the hook in /hooks.",
    }),
    runs: Runs::LoginShell,
    canaries: &[
        (
            Moment::Use,
            r#"{"hook_event_name": "PreToolUse", "cwd": "@", "tool_name": "Bash", "tool_input": {"command": "@LINE@"}}"#,
        ),
        (
            Moment::Permission,
            r#"{"hook_event_name": "PermissionRequest", "cwd": "@", "tool_name": "Bash", "tool_input": {"command": "cd '@' && @LINE@"}}"#,
        ),
    ],
    failing: "the line runs, or Codex asks where it would have asked (seen with 0.171.0)",
    limits: Some(
        "Codex asks its hooks before a use only for refusals; what shfence allows is approved where Codex would ask, if the line itself says where it runs: its request does not (seen with 0.171.0).",
    ),
    then: "Trust the hook in /hooks: Codex skips it until then, and again whenever its command changes.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let session = payload.directory("cwd");
    let (moment, cwd) = match payload.text("hook_event_name") {
        Some("PreToolUse") => (Moment::Use, session),
        Some("PermissionRequest") => (Moment::Permission, None),
        _ => return Asked::Nothing(Moment::Use),
    };
    // Something is described where a line is to reach a host, or to run outside of the sandbox for
    // a reason that the model gives: that is more than whether it may run.
    let input = payload.object("tool_input");
    let about = input.as_ref().and_then(|input| input.text("description")).unwrap_or_default();
    match payload.text("tool_name") {
        Some("Bash") if about.starts_with("network-access") => {
            Asked::Unclear(moment, "the line is to have access to the network")
        }
        Some("Bash") if moment == Moment::Permission && !about.is_empty() => {
            Asked::Unclear(moment, "the line is to run without the agent's sandbox")
        }
        Some("Bash") => payload.asks("tool_input", cwd, moment).in_session(session),
        _ => Asked::Nothing(moment),
    }
}

fn reply(moment: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match (moment, opinion) {
        (Moment::Use, Some(Decision::Deny)) => before_use(Decision::Deny, reason),
        (Moment::Permission, Some(Decision::Allow)) => permission("allow", None),
        (Moment::Permission, Some(Decision::Deny)) => permission("deny", Some(reason)),
        _ => Reply::silence(),
    }
}
