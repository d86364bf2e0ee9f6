//! What holds for every agent and every request.

use super::*;
use proptest::prelude::*;
use serde_json::{Map, Value};
use std::path::Path;

/// The recorded requests of an agent, about a line that is never allowed.
fn requests(agent: &Agent) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks");
    let path = folder.join(agent.name).with_extension("json");
    let text = std::fs::read_to_string(path).expect("the recorded requests");
    let recorded: Value =
        serde_json::from_str(&text.replace("@LINE@", "rm -rf /nosuch")).expect("JSON");
    let requests = recorded["requests"].as_array().expect("a list");
    requests.iter().map(|request| request["payload"].clone()).collect()
}

/// Panics unless the reply is one that the agent understands, and none that allows.
fn never_allows(agent: &'static Agent, payload: &[u8]) {
    let hook = Hook::plain(agent);
    let reply = hook.answer(payload).reply;
    let about = || format!("{}: {reply:?} to {}", agent.name, payload.escape_ascii());
    assert!(reply.code <= 2, "{}", about());
    assert!(reply.stderr.is_none() || reply.code == 2, "{}", about());
    let answer: Map<String, Value> = match &reply.stdout {
        None => Map::new(),
        Some(text) => {
            assert!(!text.contains('\n'), "{}", about());
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", about()))
        }
    };
    for moment in [Moment::Use, Moment::Permission] {
        let allows = (agent.reply)(moment, Some(Decision::Allow), "");
        let silent = (agent.reply)(moment, None, "");
        let asks = (agent.reply)(moment, Some(Decision::Ask), "");
        if allows != silent && allows != asks {
            assert!(!same_but_for_texts(&allows, &reply, &answer), "{}", about());
        }
    }
}

/// Are these the same answers, but for the reasons?
fn same_but_for_texts(allows: &Reply, reply: &Reply, answer: &Map<String, Value>) -> bool {
    let allows_text = allows.stdout.clone().unwrap_or_default();
    let allows_object: Map<String, Value> = serde_json::from_str(&allows_text).unwrap_or_default();
    let reason = ["reason", "permissionDecisionReason"];
    let bare = |object: &Map<String, Value>| {
        let mut object = object.clone();
        object.retain(|key, _| !reason.contains(&&**key));
        if let Some(Value::Object(inner)) = object.get_mut("hookSpecificOutput") {
            inner.retain(|key, _| !reason.contains(&&**key));
        }
        object
    };
    allows.code == reply.code && bare(&allows_object) == bare(answer)
}

/// Replaces one of the values in `at`, counted from the outside in.
fn replace(value: &mut Value, at: &mut usize, by: &Value) {
    if *at == 0 {
        *value = by.clone();
    }
    *at = at.wrapping_sub(1);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, at, by)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, at, by)),
        _ => {}
    }
}

fn values() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        Value::Null,
        Value::Bool(true),
        0.into(),
        "".into(),
        "/".into(),
        "rm -rf /".into(),
        "{\"command\":7}".into(),
        "\u{0}\n\u{202e}".into(),
        Value::Array(vec!["/".into(), 1.into()]),
        Value::Object(Map::new()),
        "PreToolUse".into(),
        "PermissionRequest".into(),
        "Bash".into(),
    ])
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer(
        agent in 0..AGENTS.len(),
        payload in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        never_allows(&AGENTS[agent], &payload);
    }

    #[test]
    fn damaged_requests_get_an_answer(
        agent in 0..AGENTS.len(),
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let requests = requests(&AGENTS[agent]);
        let mut payload = which.get(&requests).to_string().into_bytes();
        let at = at.index(payload.len());
        if cut { payload.truncate(at) } else { payload[at] = byte }
        never_allows(&AGENTS[agent], &payload);
    }

    #[test]
    fn requests_with_other_values_get_an_answer(
        agent in 0..AGENTS.len(),
        which in any::<prop::sample::Index>(),
        at in 0..30_usize,
        by in values(),
    ) {
        let mut request = which.get(&requests(&AGENTS[agent])).clone();
        replace(&mut request, &mut at.clone(), &by);
        never_allows(&AGENTS[agent], request.to_string().as_bytes());
    }
}

/// An agent whose requests the guard cannot survive.
const FATAL: Agent = Agent { read: |_| panic!("on purpose"), ..AGENTS[0] };

#[test]
fn a_panic_is_asked_about_or_denied() {
    let word = |hook: Hook| {
        let answer = hook.answer(b"{}").reply.stdout.expect("an answer");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(answer["reason"].as_str().is_some_and(|it| it.contains("itself failed")));
        answer["decision"].clone()
    };
    assert_eq!(AGENTS[0].name, "agy");
    assert_eq!(word(Hook::plain(&FATAL)), "ask");
    assert_eq!(word(Hook { fail_closed: true, ..Hook::plain(&FATAL) }), "deny");
}

#[test]
fn requests_too_deep_or_too_long_get_an_answer() {
    for agent in AGENTS {
        never_allows(agent, &b"[".repeat(100_000));
        never_allows(agent, &b"{\"a\":".repeat(100_000));
        for request in requests(agent) {
            let long = request.to_string().replace("/nosuch", &"x".repeat(1_000_000));
            never_allows(agent, long.as_bytes());
        }
    }
}
