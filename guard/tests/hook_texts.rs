//! What an agent is told: which part of the line, why, where it leads, and what to do instead.
#![forbid(unsafe_code)]

#[allow(dead_code)] // other tests need the rest of it
mod project;

use project::Project;
use serde_json::{Value, json};
use std::ffi::OsStr;

/// The answer of Claude Code's hook: its word, and its reason.
fn told(project: &Project, options: &[&str], line: &str) -> (String, String) {
    let payload = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": project.root,
        "tool_input": {"command": line},
    });
    let arguments = [&["hook", "claude"], options].concat();
    let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    let ended = project.run_in("", &[], &arguments, payload.to_string().as_bytes());
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let text = |field: &str| {
        let text = answer["hookSpecificOutput"][field].as_str().expect("text");
        project.anonymous(text)
    };
    (text("permissionDecision"), text("permissionDecisionReason"))
}

#[test]
fn a_question_says_what_and_where_and_what_instead() {
    let project = Project::plant();
    for (line, reason) in [
        ("cat out/x", "'out/x' leads to @/outside/x, outside the project"),
        ("cat src/main.rs > /tmp/x", "'/tmp/x' is outside the project"),
        (
            "ls; sudo ls",
            "'sudo': this command runs or changes what its arguments or the rest of the line mean",
        ),
        (
            "ls && export FOO=1",
            "'export': a reserved word starts a construct that is not understood",
        ),
        (
            "cat \"$FILE\"",
            "'\"$FILE\"': a word that is not known may be an option of 'cat'; write the value out",
        ),
        (
            "cd \"$DIR\" && ls",
            "'cd \"$DIR\"': it cannot be told where this cd leads in every shell; write the \
             directory out, so that it can be followed",
        ),
        (
            "echo `ls -l`",
            "'`ls': a command substitution in backquotes runs what is in it; write $(…) instead",
        ),
        ("PATH=/x ls", "'PATH=/x': assigning this changes what a shell itself does"),
        ("cat $(ls out)", "'out' leads to @/outside, outside the project"),
        ("cat .env", "this reads @/p/.env, which may hold a secret"),
        ("npm install x", "'install' is not declared for 'npm'"),
        ("ls > n", "'> n': this writes @/p/n"),
    ] {
        let expected = ("ask".to_owned(), format!("shfence: {reason}"));
        assert_eq!(told(&project, &[], line), expected, "{line}");
    }
}

/// What is denied is told to a model: how the line can be written, if it is only that, and
/// otherwise that it is not to be written in another way.
#[test]
fn a_refusal_says_what_to_do() {
    let project = Project::plant();
    let rule = "schema = 1\n[[deny]]\ncommand = \"cat denied\"\nreason = \"use the bin\"\n";
    std::fs::write(project.root.join(".shfence.toml"), rule).expect("it can be written");
    let (word, reason) = told(&project, &[], "cat denied; ls");
    assert_eq!(word, "deny");
    assert_eq!(
        reason,
        "shfence: use the bin: the rule deny 'cat denied' (project, @/p/.shfence.toml:3). Do not \
         write it in another way; ask the person you work for."
    );
    let project = Project::plant();
    let codex = |line: &str| {
        let payload = json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": project.root,
            "turn_id": "t", "tool_input": {"command": line},
        });
        let arguments = ["hook", "codex", "--ask-denies"].map(OsStr::new);
        let ended = project.run_in("", &[], &arguments, payload.to_string().as_bytes());
        project.anonymous(&ended.stdout)
    };
    let form = codex("cat \"$FILE\"");
    let instead = "Write the value out, or ask the person you work for.";
    assert!(form.contains(instead) && !form.contains("in another way"), "{form}");
    let place = codex("cat out/x");
    assert!(place.contains("Do not write it in another way"), "{place}");
}

/// Whatever stands in the line, the text is short, and nothing that a terminal obeys is in it.
#[test]
fn texts_are_short_and_plain() {
    let project = Project::plant();
    for line in [
        "cat '\u{1b}[2J../x'",
        "ls > 'a\u{9b}31m'",
        "sudo\u{202e} x",
        "cat ../'\r'x",
        &format!("cat ../{}", "é/".repeat(5_000)),
        &format!("sudo{} ls", "é".repeat(5_000)),
        &format!("echo `{}`", "é".repeat(5_000)),
    ] {
        let (word, reason) = told(&project, &[], line);
        assert_eq!(word, "ask", "{reason}");
        assert!(reason.len() < 1_000, "{reason}");
        let is_plain = |c: char| !c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c);
        assert!(reason.chars().all(is_plain), "{reason:?}");
    }
}
