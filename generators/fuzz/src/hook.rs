//! The hook adapter, compiled from the program's own source: it is no part of the library.

#[path = "../../../guard/src/cli/mod.rs"]
#[allow(dead_code, unexpected_cfgs, missing_docs, unused_imports)]
mod cli;

use serde_json::Value;

/// Any bytes on a hook's standard input get a well-formed answer or silence, and nothing but a
/// request of the shell tool is ever allowed.
pub fn hook_payload(payload: &[u8]) {
    let Some(answer) = cli::hook::answer_claude(payload) else { return };
    let answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
    let output = &answer["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse", "{answer}");
    assert!(output["permissionDecisionReason"].is_string(), "{answer}");
    let decision = output["permissionDecision"].as_str().unwrap_or_default();
    assert!(["allow", "ask", "deny"].contains(&decision), "{answer}");
    if decision == "allow" {
        let payload = payload.strip_prefix(b"\xef\xbb\xbf").unwrap_or(payload);
        let request: Value = serde_json::from_slice(payload).expect("allowed without a request");
        assert_eq!(request["tool_name"], "Bash", "{answer}");
        assert!(request["tool_input"]["command"].is_string(), "{answer}");
    }
}
