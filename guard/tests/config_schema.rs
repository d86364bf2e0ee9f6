//! The schema for editors against the reader: what an editor marks is what the reader refuses, in
//! keys, types and names. What only the reader can tell (patterns with text behind `$`, tests of a
//! rule) it refuses beyond that.

use proptest::prelude::*;
use serde_json::{Value, json};
use shfence::config::Layer;
use shfence::rules::Level;
use std::path::Path;

fn schema() -> Value {
    serde_json::from_str(include_str!("../config.schema.json")).expect("the schema is JSON")
}

/// Does a document fit a schema? The keywords that ours has, patterns by their meaning.
fn fits(schema: &Value, whole: &Value, document: &Value) -> bool {
    let keyword = |(name, wanted): (&String, &Value)| match (name.as_str(), document) {
        ("$ref", _) => {
            let path = wanted.as_str().and_then(|it| it.strip_prefix('#')).expect("it is local");
            fits(whole.pointer(path).expect("it is there"), whole, document)
        }
        ("type", _) => match wanted.as_str().expect("one type") {
            "object" => document.is_object(),
            "array" => document.is_array(),
            "string" => document.is_string(),
            "boolean" => document.is_boolean(),
            "integer" => document.is_i64(),
            other => panic!("no type {other}"),
        },
        ("const", _) => document == wanted,
        ("enum", _) => wanted.as_array().expect("a list").contains(document),
        ("anyOf", _) => {
            wanted.as_array().expect("a list").iter().any(|it| fits(it, whole, document))
        }
        ("items", Value::Array(items)) => items.iter().all(|it| fits(wanted, whole, it)),
        ("minItems", Value::Array(items)) => {
            items.len() as u64 >= wanted.as_u64().expect("a number")
        }
        ("minLength", Value::String(text)) => {
            text.len() as u64 >= wanted.as_u64().expect("a number")
        }
        ("pattern", Value::String(text)) => is_like(wanted.as_str().expect("a text"), text),
        ("required", Value::Object(object)) => wanted
            .as_array()
            .expect("a list")
            .iter()
            .all(|key| object.contains_key(key.as_str().expect("a name"))),
        ("properties", Value::Object(object)) => object
            .iter()
            .all(|(key, value)| wanted.get(key).is_none_or(|schema| fits(schema, whole, value))),
        ("additionalProperties", Value::Object(object)) => {
            object.keys().all(|key| schema["properties"].get(key).is_some())
        }
        ("items" | "minItems" | "minLength" | "pattern" | "required" | "properties", _) => true,
        ("additionalProperties" | "title" | "description" | "$defs" | "$schema", _) => true,
        (other, _) => panic!("the keyword {other} is not known here"),
    };
    schema.as_object().expect("a schema is an object").iter().all(keyword)
}

/// The patterns of the schema, said once more: a pattern that changes there must change here.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern {
        "[^/]" => text.contains(|c| c != '/'),
        "^(~/|/.*[^/])" => {
            text.starts_with("~/") || (text.starts_with('/') && text.contains(|c| c != '/'))
        }
        "^[^/]+$" => !text.is_empty() && !text.contains('/'),
        "^[^'\"`]*[^'\"`\\s$][^'\"`]*$" => {
            !text.contains(['\'', '"', '`'])
                && text.contains(|c: char| !c.is_whitespace() && c != '$')
        }
        "^[^\\n]*$" => !text.contains('\n'),
        "^\\d{4}-\\d{2}-\\d{2}$" => {
            let parts: Vec<&str> = text.split('-').collect();
            let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
            lengths == [4, 2, 2] && text.bytes().all(|it| it.is_ascii_digit() || it == b'-')
        }
        "^[A-Za-z0-9][A-Za-z0-9._+-]*$" => {
            let good = |it: char| it.is_ascii_alphanumeric() || "._+-".contains(it);
            text.starts_with(|it: char| it.is_ascii_alphanumeric()) && text.chars().all(good)
        }
        other => panic!("the pattern {other} is not known here"),
    }
}

/// The document as TOML: all of its values have the same form there, in one line.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let fields =
                object.iter().map(|(key, value)| format!("{} = {}", json!(key), toml(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn is_read(document: &Value, level: Level) -> bool {
    let fields = document.as_object().expect("a document is an object").iter();
    let lines: Vec<String> =
        fields.map(|(key, value)| format!("{} = {}\n", json!(key), toml(value))).collect();
    Layer::read(level, Path::new("c.toml"), &lines.concat()).faults().is_empty()
}

fn whole() -> Value {
    json!({
        "$schema": "x", "schema": 1, "profile": "read", "shells": ["bash", "zsh"],
        "roots": ["/a", "~/b"], "scratch_roots": ["/tmp/x"], "worktrees": true,
        "protected_names": ["*.db"], "protected_branches": ["x/*"], "import": ["claude"],
        "deny": [{"command": "rm", "reason": "no", "match": ["rm x"], "not_match": ["ls"]}],
        "ask": [{"command": ["git", "push"], "expires": "2026-12-31"}],
        "allow": [{"command": "npm install $"}],
        "sets": {"common": {"flags": ["-v"]}},
        "verb": [{
            "names": ["mytool"], "class": "build", "sets": ["common"], "texts": ["-m"],
            "values": {"-c": "read"}, "operands": {"rest": "read", "min": 1},
            "sub": [{"names": ["check"], "operands": {"rest": "read"}}], "always": ["recursive"],
            "digits": false, "governed-by": ["MYTOOL_*"], "allow": ["mytool check a"],
            "ask": ["mytool -x"]
        }]
    })
}

#[test]
fn a_whole_document_fits_both() {
    let schema = schema();
    assert!(fits(&schema, &schema, &whole()));
    assert!(is_read(&whole(), Level::Project));
    let keys = schema["properties"].as_object().expect("it has keys").keys();
    let shown: Vec<&String> = keys.filter(|key| whole().get(key).is_none()).collect();
    assert!(shown.is_empty(), "no test has {shown:?}");
}

#[test]
fn the_example_of_the_manual_is_read() {
    let manual = include_str!("../README.md");
    let start = manual.find("schema = 1").expect("the manual has an example");
    let example = &manual[start..start + manual[start..].find("```").expect("it ends")];
    let layer = Layer::read(Level::Project, Path::new("README.md"), example);
    assert_eq!(layer.faults(), []);
    assert_eq!(layer.rules().len(), 4);
}

/// A value in place of another one.
fn other_value() -> impl Strategy<Value = Value> {
    const TEXTS: &[&str] =
        &["", "read", "rm", "a/b", "/", "~/x", "'", "$", "x\ny", "2026-12-31", "2026-1-1"];
    prop_oneof![
        prop::sample::select(TEXTS).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (0..3_i64).prop_map(Value::from),
        Just(json!([])),
        Just(json!(["bash"])),
        Just(json!(["x y", ""])),
        Just(json!([1])),
        Just(json!([{"command": "x"}])),
        Just(json!([{"command": "x", "more": 1}])),
        Just(json!([{"reason": "x"}])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_the_schema_refuses_the_reader_refuses(
        key in any::<prop::sample::Index>(), inner in any::<prop::sample::Index>(),
        value in other_value(), within in any::<bool>(), unknown in any::<bool>(),
    ) {
        let (schema, mut document) = (schema(), whole());
        let keys: Vec<String> = document.as_object().expect("an object").keys().cloned().collect();
        let key = &keys[key.index(keys.len())];
        match document[key].get_mut(0).and_then(Value::as_object_mut) {
            Some(rule) if within => {
                let names: Vec<String> = rule.keys().cloned().collect();
                let name = if unknown { "more" } else { &names[inner.index(names.len())] };
                rule.insert(name.to_owned(), value);
            }
            _ if unknown => document["more"] = value,
            _ => document[key] = value,
        }
        let marked = !fits(&schema, &schema, &document);
        let read = is_read(&document, Level::Project);
        prop_assert!(!marked || !read, "read, but marked: {document}");
        // The reader also runs a rule's tests, and reads days and patterns to their end.
        let only_reader = ["match", "not_match", "command", "expires"].iter().any(|name| {
            ["deny", "ask", "allow"].iter().any(|kind| document[kind][0].get(name).is_some())
        });
        // Names of shipped verbs, what keys say of each other, and a verb's examples.
        let only_reader = only_reader || ["verb", "sets"].contains(&key.as_str());
        prop_assert!(marked || read || only_reader, "refused, but not marked: {document}");
    }
}
