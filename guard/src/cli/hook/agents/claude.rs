//! Claude Code, events PreToolUse and PermissionRequest (<https://code.claude.com/docs/en/hooks>).

use super::super::agent::{Agent, Asked, Moment, Reply};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup, Switch};
use serde::Serialize;
use shfence::{Decision, Dialects, Invocation};

pub const AGENT: Agent = Agent {
    name: "claude",
    shells: Dialects::ALL,
    // The text is single-quoted into an `eval` (seen in its process list).
    invocations: &[Invocation::Eval],
    project: Some("CLAUDE_PROJECT_DIR"),
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const ITEM: &str =
    r#"{"matcher": "Bash", "hooks": [{"type": "command", "command": "@COMMAND@", "timeout": 10}]}"#;

// tidy: table
const SETUP: Setup = Setup {
    programs: &["claude"],
    home: Folder::named_by("CLAUDE_CONFIG_DIR", ".claude"),
    mark: None,
    files: &[File {
        user: "settings.json",
        project: Some(".claude/settings.local.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[
                Entry { at: &["hooks", "PreToolUse"], item: ITEM },
                Entry { at: &["hooks", "PermissionRequest"], item: ITEM },
            ],
        },
    }],
    switches: &[
        Switch { file: "settings.json", at: &["disableAllHooks"], off: true },
        Switch {
            file: "/etc/claude-code/managed-settings.json",
            at: &["allowManagedHooksOnly"],
            off: true,
        },
    ],
    trust: None,
    runs: Runs::Sh,
    canaries: &[
        (
            Moment::Use,
            r#"{"hook_event_name": "PreToolUse", "cwd": "@", "tool_name": "Bash", "tool_input": {"command": "@LINE@"}}"#,
        ),
        (
            Moment::Permission,
            r#"{"hook_event_name": "PermissionRequest", "cwd": "@", "tool_name": "Bash", "tool_input": {"command": "@LINE@"}}"#,
        ),
    ],
    failing: "Claude Code asks by itself where it would have asked, and runs the rest",
    limits: None,
    then: "Sessions that are running keep their hooks: start them anew, and look at /hooks.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let moment = match payload.text("hook_event_name") {
        None | Some("PreToolUse") => Moment::Use,
        Some("PermissionRequest") => Moment::Permission,
        Some(_) => return Asked::Nothing(Moment::Use),
    };
    // Other agents read Claude Code's settings or plugins, and would take this answer in their own
    // way, or run the line elsewhere than their request says: Codex is known by its turns.
    let foreign = ["cursor_version", "hookEventName", "toolArgs", "clineVersion", "turn_id"];
    if foreign.iter().any(|field| payload.has(field)) || payload.text("tool_name") != Some("Bash") {
        return Asked::Nothing(moment);
    }
    payload.asks("tool_input", payload.directory("cwd"), moment)
}

fn reply(moment: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match (moment, opinion) {
        (Moment::Use, Some(decision)) => before_use(decision, reason),
        (Moment::Permission, Some(Decision::Allow)) => permission("allow", None),
        (Moment::Permission, Some(Decision::Deny)) => permission("deny", Some(reason)),
        (Moment::Permission, Some(Decision::Ask)) | (_, None) => Reply::silence(),
    }
}

/// The form of PreToolUse, which several agents have taken over.
pub fn before_use(decision: Decision, reason: &str) -> Reply {
    Reply::json(&Answer {
        hook_specific_output: Output::PreToolUse {
            permission_decision: decision.name(),
            permission_decision_reason: reason,
        },
    })
}

/// The form of PermissionRequest, likewise.
pub fn permission(behavior: &str, message: Option<&str>) -> Reply {
    let decision = Permission { behavior, message };
    Reply::json(&Answer { hook_specific_output: Output::PermissionRequest { decision } })
}

/// What is printed. Written as it is, since nearly every answer to a hook is one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    hook_specific_output: Output<'a>,
}

#[derive(Serialize)]
#[serde(tag = "hookEventName", rename_all_fields = "camelCase")]
enum Output<'a> {
    PreToolUse { permission_decision: &'static str, permission_decision_reason: &'a str },
    PermissionRequest { decision: Permission<'a> },
}

#[derive(Serialize)]
struct Permission<'a> {
    behavior: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}
