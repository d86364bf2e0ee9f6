//! Guards that are programs: what they are asked, what they see, and what becomes of them.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::case;
use shfence_corpus::{Case, Decision, Entry, Node, RelPath, TreeSpec};
use shfence_oracle::guards::{Guard, GuardName};
use shfence_oracle::prediction::Prediction;
use std::fs;
use tempfile::TempDir;

/// A guard that is this script of `sh`, and the directory that it stands in.
fn guard(protocol: &str, script: &str) -> (std::sync::Arc<dyn Guard>, TempDir) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("guard.sh");
    fs::write(&path, script).unwrap();
    let name: GuardName = format!("{protocol}:sh {}", path.display()).parse().unwrap();
    (name.guard(), scratch)
}

fn ask(protocol: &str, script: &str, case: &Case) -> Result<Prediction, String> {
    let (guard, _scratch) = guard(protocol, script);
    guard.predict(case).map_err(|crash| crash.0)
}

/// Allows if this condition of `sh` holds.
fn allows_if(condition: &str) -> String {
    format!("cat >/dev/null; {condition} && echo '{{\"decision\": \"approve\"}}' || :")
}

#[test]
fn a_hook_sees_question_tree_directory_and_environment_of_the_case() {
    let file = Node::File { text: "text".into(), executable: true };
    let link = Node::Link { to: "../outside".into() };
    let entries = [("proj/src/run", file), ("proj/out", link)];
    let entries = entries.map(|(path, node)| Entry { path: RelPath::new(path).unwrap(), node });
    let mut case = Case::new("cat 'a\"b'", TreeSpec::new(entries).unwrap());
    case.cwd = RelPath::new("proj/src").unwrap();
    case.env.insert("CDPATH".into(), Some("/case/outside".into()));
    for condition in [
        "[ \"$(pwd -P)\" = /case/proj/src ]",
        "[ -x run ] && [ \"$(cat run)\" = text ]",
        "[ \"$(readlink ../out)\" = ../outside ] && [ -d /case/outside ]",
        "[ \"$HOME $CDPATH\" = '/case/home /case/outside' ]",
        // Neither a network, nor a system to change.
        "[ $(grep -c : /proc/net/dev) = 1 ]",
        "! touch /usr/shfence-was-here 2>/dev/null",
    ] {
        let said = ask("cmd", &allows_if(condition), &case).unwrap();
        assert_eq!(said.decision, Decision::Allow, "{condition}");
    }
    let question = r#"grep -qF '"command":"cat '"'a"'\"b'"'"' && echo '{"decision":"block"}'"#;
    let said = ask("cmd", question, &case).unwrap();
    assert_eq!(said.decision, Decision::Deny);
}

#[test]
fn another_case_has_another_tree() {
    let (guard, _scratch) = guard("cmd", &allows_if("[ -e only ]"));
    let file = Node::File { text: "text".into(), executable: false };
    let entry = Entry { path: RelPath::new("proj/only").unwrap(), node: file };
    let with = Case::new("ls", TreeSpec::new([entry]).unwrap());
    for (case, decision) in
        [(&with, Decision::Allow), (&case("ls"), Decision::Ask), (&with, Decision::Allow)]
    {
        assert_eq!(guard.predict(case).unwrap().decision, decision);
    }
}

#[test]
fn a_batch_is_one_process_for_all_questions() {
    let script = "n=0; while read -r line; do n=$((n + 1)); \
        printf '{\"decision\":\"deny\",\"reasons\":[{\"code\":\"%s\"}]}\\n' $n; done";
    let (guard, _scratch) = guard("batch", script);
    for number in 1..4 {
        let said = guard.predict(&case("ls")).unwrap();
        assert_eq!(said.decision, Decision::Deny);
        assert_eq!(said.reasons[0].code, number.to_string());
    }
}

#[test]
fn a_guard_that_fails_has_not_allowed() {
    for (protocol, script, why) in [
        ("cmd", "echo '{\"decision\":\"approve\"}'; exit 1", "exit code 1"),
        ("cmd", "echo yes", "no JSON"),
        ("batch", "exit 3", "it"),
        ("batch", "read -r line; echo yes", "none of a batch"),
    ] {
        let error = ask(protocol, script, &case("ls")).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    let gone: GuardName = "cmd:/nosuch/guard".parse().unwrap();
    assert!(gone.answers().unwrap_err().0.contains("not found"));
}

#[test]
fn a_batch_that_ended_is_started_again() {
    let script = "read -r line; echo '{\"decision\":\"ask\"}'";
    let (guard, _scratch) = guard("batch", script);
    assert!(guard.predict(&case("ls")).is_ok());
    assert!(guard.predict(&case("ls")).is_err());
    assert!(guard.predict(&case("ls")).is_ok());
}
