//! The proxy between a client and an agent: a scripted agent asks, and what reaches the client is
//! what the guard leaves to a person.
#![forbid(unsafe_code)]

#[allow(dead_code)] // other tests need the rest of it
mod project;

use project::Project;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Says the lines of a file once it has been asked for a session, and keeps the first two lines
/// that it is told.
const AGENT: &str = r#"read -r asked; cat said; read -r one; read -r two
printf '%s\n' "$one" "$two" >told"#;

fn question(id: u32, session: &str, input: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "sessionId": session,
        "toolCall": {"toolCallId": "c", "kind": "execute", "title": "x", "rawInput": input},
        "options": [{"optionId": "yes", "name": "Allow", "kind": "allow_once"},
            {"optionId": "ever", "name": "Always", "kind": "allow_always"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"}],
    }})
}

/// What the client sees, and what the agent is told.
fn exchange(said: &[Value]) -> (Vec<Value>, Vec<Value>) {
    let project = Project::plant();
    fs::write(project.root.join(".shfence.toml"), "[[deny]]\ncommand = \"sudo\"\n")
        .expect("written");
    let lines: String = said.iter().map(|it| format!("{it}\n")).collect();
    fs::write(project.root.join("said"), lines).expect("written");
    let asked = json!({"jsonrpc": "2.0", "id": 7, "method": "session/new", "params": {
        "cwd": project.root, "mcpServers": [],
    }});
    let mut proxy = Command::new(env!("CARGO_BIN_EXE_shfence"));
    proxy.args(["acp-proxy", "--", "/bin/sh", "-c", AGENT]).current_dir(&project.root);
    proxy.env_clear().env("PATH", "/usr/bin:/bin");
    let mut child = proxy.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    // Open until the agent has ended: a client goes on listening.
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    writeln!(stdin, "{asked}").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    assert!(output.status.success());
    let told = fs::read_to_string(project.root.join("told")).expect("the agent has written");
    let values = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    (values(&String::from_utf8(output.stdout).expect("text")), values(&told))
}

#[test]
fn what_the_guard_decides_does_not_reach_the_client() {
    let session = json!({"jsonrpc": "2.0", "id": 7, "result": {"sessionId": "s"}});
    let of = |id, line: &str| question(id, "s", &json!({"command": line}));
    let left = [
        of(3, "cat out/x"),
        of(4, "  "),
        question(5, "other", &json!({"command": "cat src/main.rs"})),
        question(6, "s", &json!({"command": "cat", "args": ["/etc/passwd"]})),
        question(8, "s", &json!({"command": "cat src/main.rs", "cwd": "/"})),
        question(9, "s", &Value::Null),
    ];
    let said = [&[session, of(1, "cat src/main.rs"), of(2, "sudo ls")][..], &left].concat();
    let (seen, told) = exchange(&said);
    assert_eq!(seen, [&said[..1], &left].concat());
    let answer = |id: u32, option: &str| {
        let outcome = json!({"outcome": "selected", "optionId": option});
        json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}})
    };
    assert_eq!(told, [answer(1, "yes"), answer(2, "no")]);
}

#[test]
fn an_agent_that_is_not_there_is_said_to_be_missing() {
    let arguments = ["acp-proxy", "--", "/nosuch"].map(OsStr::new);
    let ended = Project::plant().run_in("", &[], &arguments, b"");
    assert_eq!(ended.code, 74);
    assert!(ended.stderr.contains("/nosuch"), "{}", ended.stderr);
}
