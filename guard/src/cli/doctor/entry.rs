//! An entry in an agent's settings: does it call the hook for lines, and wait for its answer?

use super::super::hook::Agent;
use super::super::hook::setup::Entry;
use super::super::install::entries::{Found, json_of};
use super::report::Check;
use serde_json::Value;

/// The time that an answer may take, in seconds: what the agent gives it must be more.
const LIMIT: u64 = 2;

/// What the entry says otherwise than it would be written, and what stands beside it.
pub fn check(agent: &Agent, entry: &Entry, hook: &Found) -> Vec<Check> {
    let event = entry.at.last().copied().unwrap_or_default();
    let wanted = json_of(entry.item);
    let matcher = of_matcher(event, hook.item.get("matcher"), wanted.get("matcher"));
    let time = of_time(event, times(&hook.item).next(), times(&wanted).next());
    let others = (hook.others > 0).then(|| of_others(agent, event, hook.others));
    [matcher, time, others].into_iter().flatten().collect()
}

/// Which tools it is called for. What else a matcher may say is the agent's business; if the name
/// of the shell's tool is not in it, the hook is never asked about a line.
fn of_matcher(event: &str, is: Option<&Value>, wanted: Option<&Value>) -> Option<Check> {
    if is == wanted {
        return None;
    }
    let shown = |matcher: Option<&Value>| matcher.map_or("none".to_owned(), Value::to_string);
    let what = format!("the matcher of {event} is {}", shown(is));
    let written = shown(wanted);
    let text = is.and_then(Value::as_str).unwrap_or_default();
    let tools = wanted.and_then(Value::as_str).unwrap_or_default().trim_matches(['^', '$']);
    let names_it = ["", "*", ".*"].contains(&text) || tools.split('|').any(|it| text.contains(it));
    Some(match names_it || wanted.is_none() {
        true => Check::note(format!("{what}; install writes {written}")),
        false => Check::bad(
            format!("{what}: the hook is not called for lines"),
            format!("Write {written} there."),
        ),
    })
}

/// All times in an item, in whatever unit its agent has.
fn times(item: &Value) -> impl Iterator<Item = u64> {
    let inner = item.get("hooks").and_then(|hooks| hooks.get(0)).unwrap_or(item);
    ["timeout", "timeoutSec"].into_iter().filter_map(|name| inner.get(name)?.as_u64())
}

/// How long its answer is waited for.
fn of_time(event: &str, is: Option<u64>, wanted: Option<u64>) -> Option<Check> {
    let (is, wanted) = (is?, wanted?);
    let (limit, unit) = if wanted < 1000 { (LIMIT, "s") } else { (LIMIT * 1000, "ms") };
    (is <= limit).then(|| {
        let what = format!("the hook of {event} is given {is} {unit}, and may take {LIMIT} s");
        Check::bad(
            format!("{what}: then the agent goes on without an answer"),
            format!("Write {wanted} there."),
        )
    })
}

fn of_others(agent: &Agent, event: &str, count: usize) -> Check {
    let refused = "what they refuse is refused, whatever shfence answers";
    let approved = match agent.asks && event != "PermissionRequest" {
        true => "",
        false => "; what they approve is approved where shfence leaves it to a person",
    };
    Check::note(format!("other hooks of {event}: {count}; {refused}{approved}"))
}
