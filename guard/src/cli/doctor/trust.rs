//! Has the person told the agent to trust the hook? One that it was not told of, or that was
//! changed since, it skips, and says nothing to whoever installed it.
//!
//! Codex keeps a table in its settings: `hooks.state."FILE:EVENT:GROUP:HANDLER".trusted_hash`, with
//! the digest of the hook as JSON with sorted keys (seen with 0.171.0).

use super::super::configuration::{Whose, read};
use super::super::hook::setup::{Entry, Trust};
use super::super::install::entries::Found;
use super::digest::sha256;
use super::report::Check;
use serde_json::{Value, json};
use std::path::Path;

/// Is this hook, in this file, one that the agent runs? `settings` is the file that says so.
pub fn check(trust: &Trust, settings: &Path, file: &Path, entry: &Entry, hook: &Found) -> Check {
    let event = entry.at.last().copied().unwrap_or_default();
    let text = read(settings, Whose::Anybodys).ok().flatten().unwrap_or_default();
    let all: Value = toml::from_str(&text).unwrap_or_default();
    let states = trust.at.iter().fold(&all, |value, key| &value[*key]);
    let handlers = hook.item["hooks"].as_array();
    let is_it = |handler: &Value| handler["command"] == hook.line.as_str();
    let handler = handlers.and_then(|all| all.iter().position(is_it)).unwrap_or_default();
    let place = format!("{}:{}:{handler}", snake(event), hook.number);
    let named = |file: &Path| &states[format!("{}:{place}", file.display())];
    let state = match (named(file), file.canonicalize()) {
        (Value::Null, Ok(real)) => named(&real),
        (state, _) => state,
    };
    let help = trust.help;
    match (state["trusted_hash"].as_str(), digest(event, hook, handler)) {
        _ if state["enabled"] == false => {
            Check::bad(format!("the hook of {event} is switched off: it is skipped"), help)
        }
        (None, _) => {
            Check::bad(format!("nobody has trusted the hook of {event}: it is skipped"), help)
        }
        (Some(hash), Some(digest)) if hash != digest => Check::bad(
            format!("the hook of {event} has changed since it was trusted: it is skipped"),
            help,
        ),
        (Some(_), Some(_)) => Check::good(format!("the hook of {event} is trusted")),
        (Some(_), None) => Check::note(format!(
            "the hook of {event} was trusted once; whether it has changed cannot be seen from here"
        )),
    }
}

/// The digest that stands for a hook, if it holds nothing but what installing writes.
fn digest(event: &str, hook: &Found, handler: usize) -> Option<String> {
    let group = hook.item.as_object()?;
    let handler = hook.item["hooks"].get(handler)?.as_object()?;
    let only = |object: &serde_json::Map<String, Value>, keys: &[&str]| {
        object.keys().all(|key| keys.contains(&&**key))
    };
    if !only(group, &["matcher", "hooks"]) || !only(handler, &["type", "command", "timeout"]) {
        return None;
    }
    let [command, kind, timeout] = ["command", "type", "timeout"].map(|key| handler.get(key));
    let handler = format!(
        "{{\"async\":false,\"command\":{},\"timeout\":{},\"type\":{}}}",
        command?, timeout?, kind?
    );
    let (event, matcher) = (json!(snake(event)), group.get("matcher")?);
    let whole = format!("{{\"event_name\":{event},\"hooks\":[{handler}],\"matcher\":{matcher}}}");
    Some(format!("sha256:{}", sha256(whole.as_bytes())))
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut text = String::new();
    for (at, letter) in event.char_indices() {
        if letter.is_uppercase() && at > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
