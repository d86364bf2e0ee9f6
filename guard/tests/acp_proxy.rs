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

/// Says the lines of a file once it has been asked for a session, and keeps the first three lines
/// that it is told.
const AGENT: &str = r#"read -r asked; cat said; read -r one; read -r two; read -r three
printf '%s\n' "$one" "$two" "$three" >told"#;

fn question(id: u32, session: &str, input: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "sessionId": session,
        "toolCall": {"toolCallId": "c", "kind": "execute", "title": "x", "rawInput": input},
        "options": [{"optionId": "yes", "name": "Allow", "kind": "allow_once"},
            {"optionId": "ever", "name": "Always", "kind": "allow_always"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"}],
    }})
}

/// What the client sees, and what the agent is told; `@` is the scratch directory.
fn exchange(said: &[Value]) -> (Vec<Value>, Vec<Value>) {
    let project = Project::plant();
    fs::write(project.root.join(".shfence.toml"), "[[deny]]\ncommand = \"sudo\"\n")
        .expect("written");
    let top = project.root().strip_suffix("/p").expect("the root is p");
    let lines: String = said.iter().map(|it| format!("{it}\n").replace('@', top)).collect();
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
    let seen = String::from_utf8(output.stdout).expect("text").replace(top, "@");
    (values(&seen), values(&told))
}

/// Messages as they come: before the session there are answers of others, and between the questions
/// the agent tells of what it does, asks for files, and asks before it edits.
#[test]
fn what_the_guard_decides_does_not_reach_the_client() {
    let session = json!({"jsonrpc": "2.0", "id": 7, "result": {"sessionId": "s"}});
    let update = json!({"jsonrpc": "2.0", "method": "session/update", "params": {
        "sessionId": "s", "update": {"sessionUpdate": "tool_call", "toolCallId": "c",
            "kind": "execute", "status": "pending", "rawInput": {"command": "cat src/main.rs"}},
    }});
    let file = json!({"jsonrpc": "2.0", "id": 11, "method": "fs/read_text_file", "params": {
        "sessionId": "s", "path": "/etc/passwd",
    }});
    let mut edit = question(12, "s", &json!({"command": "cd @/p && cat src/main.rs"}));
    edit["params"]["toolCall"]["kind"] = json!("edit");
    let of = |id, line: &str| question(id, "s", &json!({"command": line}));
    let before = [json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1}}), session];
    let left = [
        update,
        of(3, "cd @/p && cat out/x"),
        file,
        of(4, "  "),
        edit,
        // Where the agent's shell was left by the line before, nobody says.
        of(10, "cat src/main.rs"),
        question(5, "other", &json!({"command": "cd @/p && cat src/main.rs"})),
        question(6, "s", &json!({"command": "cat", "args": ["/etc/passwd"]})),
        question(8, "s", &json!({"command": "cat src/main.rs", "cwd": "/"})),
        question(9, "s", &Value::Null),
    ];
    let decided = [
        of(1, "cd @/p && cat src/main.rs"),
        question(13, "s", &json!({"command": "cat main.rs", "cwd": "@/p/src"})),
        of(2, "sudo ls"),
    ];
    let said = [&before[..], &left[..2], &decided, &left[2..]].concat();
    let (seen, told) = exchange(&said);
    assert_eq!(seen, [&before[..], &left].concat());
    let answer = |id: u32, option: &str| {
        let outcome = json!({"outcome": "selected", "optionId": option});
        json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}})
    };
    assert_eq!(told, [answer(1, "yes"), answer(13, "yes"), answer(2, "no")]);
}

#[test]
fn an_agent_that_is_not_there_is_said_to_be_missing() {
    let arguments = ["acp-proxy", "--", "/nosuch"].map(OsStr::new);
    let ended = Project::plant().run_in("", &[], &arguments, b"");
    assert_eq!(ended.code, 74);
    assert!(ended.stderr.contains("/nosuch"), "{}", ended.stderr);
}
