//! What holds for every document and every agent's entries.

use super::super::hook::setup::{Entry, Holds};
use super::command::Command;
use super::edit::{append, cut};
use super::entries::{Wanted, plain};
use super::jsonc::{Node, Value as Kind, read};
use super::*;
use proptest::prelude::*;
use serde_json::Value;

/// Calls with what is wanted of every JSON file of every agent.
fn for_all(command: &Command, mut call: impl FnMut(&Wanted<'_>)) {
    for agent in AGENTS {
        for file in agent.setup.files {
            let Holds::Entries { version, entries } = file.holds else { continue };
            let (agent, file) = (agent.name, "/h/shfence-hook-amp");
            call(&Wanted { agent, entries, version, command, file });
        }
    }
}

fn value(text: &str) -> Value {
    plain(text, &read(text).unwrap_or_else(|fault| panic!("{fault}: {text}")))
}

/// Blanks and comments, some with what looks like JSON.
fn trivia() -> impl Strategy<Value = String> {
    let pieces = [
        "",
        "",
        " ",
        "\n",
        "\n  ",
        "\r\n\t",
        "/* c */",
        "/* , ] \n */",
        "// x [{,\n",
        "//\r\n",
        "\t\t",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..3)
        .prop_map(|some| some.concat())
}

fn key() -> impl Strategy<Value = String> {
    let keys = [
        "hooks",
        "hooks",
        "PreToolUse",
        "preToolUse",
        "version",
        "amp.permissions",
        "shfence",
        "a\\n\\\"",
        "é",
        "// no comment",
        "",
    ];
    prop::sample::select(keys.to_vec()).prop_map(|key| format!("\"{key}\""))
}

/// What stands between two brackets: items with blanks around, and perhaps a comma at the end.
fn between(items: Vec<(String, String, String)>, end: &(String, bool)) -> String {
    let count = items.len();
    let mut text = String::new();
    for (index, (before, item, after)) in items.into_iter().enumerate() {
        let comma = if index + 1 < count || end.1 { "," } else { "" };
        text += &[&before, &item, &after, comma].concat();
    }
    text + &end.0
}

fn object(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let member = (key(), trivia(), trivia(), inner)
        .prop_map(|(key, before, after, value)| [&key, &before, ":", &after, &value].concat());
    let items = prop::collection::vec((trivia(), member, trivia()), 0..4);
    (items, (trivia(), any::<bool>()))
        .prop_map(|(items, end)| format!("{{{}}}", between(items, &end)))
}

fn document() -> impl Strategy<Value = String> {
    let leaf =
        prop::sample::select(&["1", "-2.5e3", "null", "true", "\"x // y\"", "\"\\\\\"", "{}"][..]);
    let inner = leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let items = prop::collection::vec((trivia(), inner.clone(), trivia()), 0..4);
        let list = (items, (trivia(), any::<bool>()))
            .prop_map(|(items, end)| format!("[{}]", between(items, &end)));
        prop_oneof![list, object(inner)]
    });
    let mark = prop::sample::select(&["", "\u{feff}"][..]);
    (mark, trivia(), object(inner), trivia())
        .prop_map(|(mark, before, object, after)| [mark, &before, &object, &after].concat())
}

/// A document in which the lists that an agent's entries stand in may be there already.
fn with_lists() -> impl Strategy<Value = String> {
    let list = prop::sample::select(
        &["[]", "[ ]", "[\n]", "[{}]", "[\n    {\"a\": [\n]}, // b\n  ]", "{}"][..],
    );
    let event =
        prop::sample::select(&["PreToolUse", "preToolUse", "BeforeTool", "PermissionRequest"][..]);
    let events = prop::collection::vec((trivia(), (event, list), trivia()), 0..3);
    (events, (trivia(), any::<bool>()), trivia()).prop_map(|(events, end, around)| {
        let member = |(event, list): (&str, &str)| format!("\"{event}\": {list}");
        let events = events.into_iter().map(|(before, it, after)| (before, member(it), after));
        let around = around.replace('\r', "");
        format!("{{{around}\"hooks\":{around}{{{}}}}}\n", between(events.collect(), &end))
    })
}

/// The value without the items that installing added, if it was made from `before`.
fn without_ours(mut value: Value, before: &Value, entries: &[Entry]) -> Value {
    for entry in entries.iter().rev() {
        let pointer: String = entry.at.iter().map(|key| format!("/{key}")).collect();
        value.pointer_mut(&pointer).and_then(Value::as_array_mut).expect("the list").pop();
        for depth in (1..=entry.at.len()).rev() {
            let (key, above) = entry.at[..depth].split_last().expect("a key");
            let pointer =
                |keys: &[&str]| keys.iter().map(|key| format!("/{key}")).collect::<String>();
            let is_empty =
                |it: &Value| *it == serde_json::json!([]) || *it == serde_json::json!({});
            let there = before.pointer(&pointer(&entry.at[..depth])).is_some();
            let above = value.pointer_mut(&pointer(above)).and_then(Value::as_object_mut);
            let above = above.expect("an object");
            if !there && above.get(*key).is_some_and(is_empty) {
                above.remove(*key);
            }
        }
    }
    value
}

fn installs_and_uninstalls(document: &str) {
    let before = value(document);
    let command = Command::new("/opt/my programs/shfence", "AGENT", &["--shadow"]);
    for_all(&command, |wanted| {
        let command = Command::new("/opt/my programs/shfence", wanted.agent, &["--shadow"]);
        let wanted = Wanted { command: &command, ..*wanted };
        let Ok(installed) = wanted.installed(Some(document)) else { return };
        let about = || format!("{} in {document:?}: {installed:?}", wanted.agent);
        let found = wanted.found(&installed).expect("it can be read");
        assert_eq!(found.len(), wanted.entries.len(), "{}", about());
        assert_eq!(without_ours(value(&installed), &before, wanted.entries), before, "{}", about());
        assert_eq!(wanted.installed(Some(&installed)), Ok(installed.clone()), "{}", about());
        assert_eq!(wanted.uninstalled(&installed), Ok(Some(document.to_owned())), "{}", about());
        assert_eq!(wanted.uninstalled(document), Ok(Some(document.to_owned())), "{}", about());
    });
}

proptest! {
    #[test]
    fn uninstalling_gives_back_what_there_was(document in document()) {
        installs_and_uninstalls(&document);
    }

    #[test]
    fn so_it_does_where_there_are_other_hooks(document in with_lists()) {
        installs_and_uninstalls(&document);
    }

    #[test]
    fn what_is_cut_is_one_item_and_what_held_only_that(
        document in document(),
        steps in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
    ) {
        let root = read(&document).expect("a document");
        let (mut way, mut node) = (Vec::new(), &root);
        for step in steps {
            if node.items().is_empty() {
                break;
            }
            way.push(step.index(node.items().len()));
            node = &node.items()[way[way.len() - 1]].node;
        }
        let after = value(&cut(&document, &root, &way));
        let shorter = |length: usize| {
            let mut root = read(&document).expect("a document");
            let mut node = &mut root;
            for step in &way[..length - 1] {
                node = &mut items(node)[*step].node;
            }
            items(node).remove(way[length - 1]);
            plain(&document, &root)
        };
        let possible: Vec<Value> = (1..=way.len()).map(shorter).collect();
        prop_assert!(way.is_empty() || possible.contains(&after), "{document:?} {way:?} {after}");
    }

    #[test]
    fn what_comes_behind_ours_stays(document in with_lists()) {
        let command = Command::new("/opt/shfence", "claude", &[]);
        for_all(&command, |wanted| {
            let command = Command::new("/opt/shfence", wanted.agent, &[]);
            let wanted = Wanted { command: &command, ..*wanted };
            let Ok(text) = wanted.installed(Some(&document)) else { return };
            let root = read(&text).expect("a document");
            let at = wanted.entries[0].at.iter();
            let list = at.fold(&root, |node, key| node.get(key).expect("the list"));
            let text = append(&text, list, "{\"later\": [1]}");
            let left = wanted.uninstalled(&text).expect("it can be read").expect("some is left");
            let left = value(&left);
            let at: String = wanted.entries[0].at.iter().map(|key| format!("/{key}")).collect();
            let list = left.pointer(&at).and_then(Value::as_array).expect("the list");
            assert_eq!(list.last(), Some(&serde_json::json!({"later": [1]})));
            assert!(!left.to_string().contains("/opt/shfence"), "{left}");
        });
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[{}\\[\\],:\"/*a1 \n\\\\]{0,40}") {
        if let Ok(root) = read(&text) {
            prop_assert!(root.span.end <= text.len());
        }
    }

    #[test]
    fn what_json_is_to_others_is_json(text in "[{}\\[\\],:\"a1 \n]{0,12}") {
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(plain(&text, &read(&text).expect("JSON")), value);
        }
    }
}

fn items(node: &mut Node) -> &mut Vec<jsonc::Item> {
    match &mut node.value {
        Kind::Object(items) | Kind::List(items) => items,
        _ => panic!("it has no items"),
    }
}

#[test]
fn a_file_that_installing_made_is_gone_after_uninstalling() {
    for_all(&Command::new("/opt/shfence", "x", &[]), |wanted| {
        let command = Command::new("/opt/shfence", wanted.agent, &[]);
        let wanted = Wanted { command: &command, ..*wanted };
        let made = wanted.installed(None).expect("it can be made");
        assert_eq!(wanted.found(&made).expect("it can be read").len(), wanted.entries.len());
        assert_eq!(wanted.uninstalled(&made), Ok(None), "{made}");
        // With another command line, too: it may be of an older version.
        let command = Command::new("/usr/bin/shfence", wanted.agent, &["--fail-closed"]);
        let newer = Wanted { command: &command, ..wanted };
        assert_eq!(newer.uninstalled(&made), Ok(None), "{made}");
        // Then only the command line changes.
        let updated = newer.installed(Some(&made)).expect("it can be read");
        assert!(wanted.agent == "amp" || updated != made);
        assert_eq!(updated.lines().count(), made.lines().count());
        assert_eq!(newer.uninstalled(&updated), Ok(None), "{updated}");
    });
}

#[test]
fn a_hook_within_somebody_elses_group_is_cut_alone() {
    let command = Command::new("/opt/shfence", "claude", &[]);
    let agent = agent_named("claude").expect("there is one");
    let Holds::Entries { version, entries } = agent.setup.files[0].holds else { panic!("entries") };
    let wanted = Wanted { agent: "claude", entries, version, command: &command, file: "" };
    let before = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
        {"command": "other"}, // theirs
        {"command": "/opt/shfence hook claude"}
    ]}]}}"#;
    let after = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
        {"command": "other"} // theirs
    ]}]}}"#;
    assert_eq!(wanted.uninstalled(before), Ok(Some(after.to_owned())));
}

#[test]
fn what_cannot_be_changed_is_said() {
    let command = Command::new("/opt/shfence", "claude", &[]);
    let agent = agent_named("claude").expect("there is one");
    let Holds::Entries { version, entries } = agent.setup.files[0].holds else { panic!("entries") };
    let wanted = Wanted { agent: "claude", entries, version, command: &command, file: "" };
    for (document, said) in [
        ("", "it is empty: remove it, or write {} into it"),
        ("{\n  \"a\" 1}", "it is no JSON: a colon is missing (line 2, column 7)"),
        ("{", "it is no JSON: the document ends too early (line 1, column 2)"),
        ("{} x", "it is no JSON: something stands behind the end (line 1, column 4)"),
        ("{/*", "it is no JSON: a comment has no end (line 1, column 2)"),
        ("[]", "it is no object"),
        ("{\"hooks\": []}", "its 'hooks' is no object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "its 'PreToolUse' of 'hooks' is no list"),
    ] {
        assert_eq!(wanted.installed(Some(document)), Err(said.to_owned()), "{document}");
    }
    let deep = "[".repeat(100_000);
    assert!(wanted.installed(Some(&deep)).is_err_and(|what| what.contains("too deep")));
}
