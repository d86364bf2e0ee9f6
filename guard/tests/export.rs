//! Rules in an agent's own words: what closes is in them, what opens is not, and each is a file of
//! the form that the agent reads.
#![forbid(unsafe_code)]

use serde_json::Value;
use std::fs;
use std::process::Command;

const CONFIG: &str = r#"
[[deny]]
command = "sudo"
reason = 'it is "not" for\agents'

[[ask]]
command = "git push"

[[deny]]
command = "git clean $"

[[allow]]
command = "npm install"

[[ask]]
command = "whoami"
"#;

/// What is exported, and what is said about it.
fn exported(agent: &str) -> (String, String) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let folder = scratch.path().join("shfence");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("config.toml"), CONFIG).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_shfence"))
        .args(["export", agent, "--root"])
        .arg(scratch.path())
        .env("XDG_CONFIG_HOME", scratch.path())
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (said, about) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{about}");
    assert!(about.contains("left out: allow npm install"), "{about}");
    assert!(about.contains("left out: deny git clean $"), "{about}");
    assert!(!said.contains("npm") && !said.contains("clean"), "{said}");
    (said, about)
}

#[test]
fn gemini_reads_toml() {
    let (said, _) = exported("gemini");
    let rules: toml::Table = toml::from_str(&said).expect("TOML");
    let rules = rules["rule"].as_array().expect("rules");
    let of = |prefix: &str| {
        let found = rules.iter().find(|rule| rule["commandPrefix"].as_str() == Some(prefix));
        found.map(|rule| {
            let word = rule["decision"].as_str().expect("a word").to_owned();
            (word, rule["priority"].as_integer().expect("a number"))
        })
    };
    assert_eq!(of("sudo"), Some(("deny".to_owned(), 300)));
    assert_eq!(of("git push"), Some(("ask_user".to_owned(), 200)));
    assert_eq!(of("pwd"), Some(("allow".to_owned(), 100)));
    assert_eq!(of("whoami"), Some(("ask_user".to_owned(), 200)));
    assert_eq!(rules.len(), 6);
}

#[test]
fn the_last_rule_that_opencode_finds_is_the_strictest() {
    let (said, _) = exported("opencode");
    let whole: Value = serde_json::from_str(&said).expect("JSON");
    let rules = &whole["permission"]["bash"];
    assert_eq!((&rules["*"], &rules["pwd"]), (&"ask".into(), &"allow".into()));
    assert_eq!((&rules["sudo"], &rules["sudo *"]), (&"deny".into(), &"deny".into()));
    assert_eq!((&rules["git push *"], &rules["pwd *"]), (&"ask".into(), &Value::Null));
    let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(at("\"*\"") < at("\"pwd\"") && at("\"pwd\"") < at("\"git push\""), "{said}");
    assert!(at("\"git push\"") < at("\"sudo\""), "{said}");
}

#[test]
fn cursor_has_no_form_for_more_than_a_program() {
    let (said, about) = exported("cursor");
    let whole: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(whole["permissions"]["deny"], serde_json::json!(["Shell(sudo)"]));
    assert!(!said.contains("whoami"), "what asks is not allowed: {said}");
    assert!(about.contains("left out: ask git push"), "{about}");
}

#[test]
fn codex_gets_calls() {
    let (said, _) = exported("codex");
    assert!(said.contains("prefix_rule(pattern=[\"git\", \"push\"], decision=\"prompt\")\n"));
    let denial = "prefix_rule(pattern=[\"sudo\"], decision=\"forbidden\", \
                  justification=\"it is  not  for agents\")\n";
    assert!(said.contains(denial), "{said}");
    assert!(said.contains("decision=\"allow\""), "{said}");
}
