//! Claude Code, events PreToolUse and PermissionRequest (<https://code.claude.com/docs/en/hooks>).

use super::super::agent::{Agent, Asked, Moment, Reply, word};
use super::super::payload::Payload;
use serde_json::json;
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
};

fn read(payload: &Payload) -> Asked {
    let moment = match payload.text("hook_event_name") {
        None | Some("PreToolUse") => Moment::Use,
        Some("PermissionRequest") => Moment::Permission,
        Some(_) => return Asked::Nothing(Moment::Use),
    };
    // Other agents read Claude Code's settings, and would take this answer in their own way.
    let foreign = ["cursor_version", "hookEventName", "toolArgs", "clineVersion"];
    if foreign.iter().any(|field| payload.has(field)) || payload.text("tool_name") != Some("Bash") {
        return Asked::Nothing(moment);
    }
    payload.asks("tool_input", payload.directory("cwd"), moment)
}

fn reply(moment: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    match (moment, opinion) {
        (Moment::Use, Some(decision)) => before_use(decision, reason),
        (Moment::Permission, Some(Decision::Allow)) => permission(&json!({"behavior": "allow"})),
        (Moment::Permission, Some(Decision::Deny)) => {
            permission(&json!({"behavior": "deny", "message": reason}))
        }
        (Moment::Permission, Some(Decision::Ask)) | (_, None) => Reply::silence(),
    }
}

/// The form of PreToolUse, which several agents have taken over.
pub fn before_use(decision: Decision, reason: &str) -> Reply {
    Reply::json(&json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": word(decision),
        "permissionDecisionReason": reason,
    }}))
}

/// The form of PermissionRequest, likewise.
pub fn permission(decision: &serde_json::Value) -> Reply {
    Reply::json(&json!({"hookSpecificOutput": {
        "hookEventName": "PermissionRequest",
        "decision": decision,
    }}))
}
