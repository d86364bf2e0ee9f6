//! The hook adapters, compiled from the program's own source: they are no part of the library.

#[path = "../../../guard/src/cli/mod.rs"]
#[allow(dead_code, unexpected_cfgs, missing_docs, unused_imports)]
mod cli;

use serde_json::{Map, Value};

/// Any bytes on a hook's standard input get a well-formed answer or silence, whichever agent sent
/// them, and nothing but a request of the shell tool is ever allowed.
pub fn hook_payload(payload: &[u8]) {
    for agent in cli::hook::AGENTS {
        let reply = cli::hook::Hook::plain(agent).answer(payload).reply;
        assert!(reply.code <= 2, "{}: {reply:?}", agent.name);
        let Some(answer) = reply.stdout else { continue };
        let answer: Map<String, Value> = serde_json::from_str(&answer).expect("an object");
        if agent.name == "claude" {
            of_claude(payload, &answer);
        }
    }
}

fn of_claude(payload: &[u8], answer: &Map<String, Value>) {
    let output = &answer["hookSpecificOutput"];
    let decision = match output["hookEventName"].as_str() {
        Some("PreToolUse") => {
            assert!(output["permissionDecisionReason"].is_string(), "{answer:?}");
            output["permissionDecision"].as_str().unwrap_or_default()
        }
        Some("PermissionRequest") => output["decision"]["behavior"].as_str().unwrap_or_default(),
        _ => panic!("no event: {answer:?}"),
    };
    assert!(["allow", "ask", "deny"].contains(&decision), "{answer:?}");
    if decision == "allow" {
        let payload = payload.strip_prefix(b"\xef\xbb\xbf").unwrap_or(payload);
        let request: Value = serde_json::from_slice(payload).expect("allowed without a request");
        assert_eq!(request["tool_name"], "Bash", "{answer:?}");
        assert!(request["tool_input"]["command"].is_string(), "{answer:?}");
    }
}
