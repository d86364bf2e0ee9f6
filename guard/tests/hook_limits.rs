//! What a hook answers when time or memory is short: the same as to any other failure, and before
//! its agent has given up waiting.
#![forbid(unsafe_code)]

#[allow(dead_code)] // other tests need the rest of it
mod project;

use project::Project;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_shfence");

/// Starts a program in the project, with the environment of a hook.
fn start(project: &Project, program: &str, arguments: &[&str]) -> Child {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&project.root).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", project.root.join("../outside"));
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().unwrap_or_else(|error| panic!("{program}: {error}"))
}

fn request(project: &Project, line: &str) -> String {
    json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": project.root,
        "tool_input": {"command": line},
    })
    .to_string()
}

/// What was answered, and how long that took. The process may be held up on its way out.
fn answer(mut child: Child, request: &str) -> (String, String, Duration) {
    let begun = Instant::now();
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    stdin.write_all(request.as_bytes()).expect("it reads");
    drop(stdin);
    let mut text = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    stdout.read_line(&mut text).expect("text");
    let took = begun.elapsed();
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text:?}"));
    let said = |field: &str| {
        let said = answer["hookSpecificOutput"][field].as_str();
        said.unwrap_or_else(|| panic!("no {field}: {text}")).to_owned()
    };
    (said("permissionDecision"), said("permissionDecisionReason"), took)
}

/// Every agent gets its form of "ask", or of "deny", though the request never ends.
#[test]
fn a_request_that_does_not_end_is_answered() {
    let project = Project::plant();
    let agents = Command::new(PROGRAM).args(["hook", "--help"]).output().expect("it starts");
    let agents = String::from_utf8(agents.stdout).expect("text");
    let agents = agents.lines().last().and_then(|it| it.split_once(": ")).expect("a list").1;
    assert!(agents.split(", ").count() > 10);
    for agent in agents.split(", ") {
        let ended = |options: &[&str], input: &str| {
            let arguments = [&["hook", agent], options].concat();
            let mut child = start(&project, PROGRAM, &arguments);
            let mut stdin = child.stdin.take().expect("its input is a pipe");
            // Where much else runs, it may have answered by then.
            let _ = stdin.write_all(input.as_bytes());
            // Open until the process has ended: `wait_with_output` would close it before.
            let output = std::thread::spawn(move || child.wait_with_output()).join();
            drop(stdin);
            let output = output.expect("no panic").expect("it ends");
            (output.status.code(), String::from_utf8(output.stdout).expect("text"))
        };
        let (code, said) = ended(&["--time-limit", "20"], "{\"tool");
        assert!(code.is_some_and(|it| it < 2) && !said.contains("allow"), "{agent}: {said}");
        let denial = ended(&["--time-limit", "20", "--fail-closed"], "{\"tool");
        assert_ne!(denial, (code, said), "{agent}");
        assert!(denial.0 == Some(2) || !denial.1.is_empty(), "{agent}");
    }
}

/// strace holds up a system call, as a file system does that does not answer.
#[test]
fn a_look_that_hangs_is_answered_in_time() {
    let project = Project::plant();
    let held_up = |delay: &str, options: &[&str], line: &str| {
        let inject = format!("inject=lstat,newfstatat,statx:delay_enter={delay}");
        let strace = ["-f", "-o", "/dev/null", "-e", &inject, PROGRAM, "hook", "claude"];
        let child = start(&project, "strace", &[&strace[..], options].concat());
        answer(child, &request(&project, line))
    };
    let limit = ["--time-limit", "500"];
    // One look that takes for ever, away from the project.
    let path = ["-P", "/nosuch-far-away"];
    let strace = ["-f", "-o", "/dev/null", "-e", "inject=lstat,newfstatat,statx:delay_enter=20s"];
    let hook = [PROGRAM, "hook", "claude", "--time-limit", "500"];
    for (more, word) in [(&[][..], "ask"), (&["--fail-closed"], "deny")] {
        let child = start(&project, "strace", &[&strace[..], &path, &hook, more].concat());
        let (said, why, took) = answer(child, &request(&project, "cat /nosuch-far-away/x"));
        assert_eq!(said, word, "{why}");
        assert!(why.contains("longer than 500 ms"), "{why}");
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
    // Many that take a while.
    let words: String = (0..100).map(|number| format!(" src/{number}")).collect();
    let (said, why, took) = held_up("30ms", &limit, &format!("cat{words}"));
    assert_eq!(said, "ask");
    assert!(why.contains("longer than 500 ms"), "{why}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    // The same line, where nothing is held up.
    let child = start(&project, PROGRAM, &["hook", "claude"]);
    assert_eq!(answer(child, &request(&project, &format!("cat{words}"))).0, "allow");
}

/// Opening a pipe waits for whoever writes to it: nobody does.
#[test]
fn pipes_in_the_place_of_files_are_not_waited_for() {
    let user = "../outside/.config/shfence/config.toml";
    for place in [".shfence.toml", user, ".git/config", ".git/HEAD", ".git/index"] {
        let project = Project::plant();
        let made = Command::new("git").args(["init", "-q"]).arg(&project.root).status();
        assert!(made.expect("git is installed").success());
        let path = project.root.join(place);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        let _ = fs::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo is installed");
        assert!(made.success());
        let child = start(&project, PROGRAM, &["hook", "claude"]);
        let (said, why, took) = answer(child, &request(&project, "git status"));
        assert_eq!(said, "ask", "{place}: {why}");
        assert!(took < Duration::from_millis(1500), "{place}: {took:?}");
    }
}

/// A process that gets no more memory ends at once: what a line may need is tried before.
#[test]
fn where_memory_is_limited_the_line_is_asked_about() {
    let project = Project::plant();
    let limited = |kib: &str, options: &str| {
        let script = format!("ulimit -v {kib}; exec \"$0\" hook claude {options}");
        let child = start(&project, "/bin/sh", &["-c", &script, PROGRAM]);
        answer(child, &request(&project, "cat src/main.rs"))
    };
    let (said, why, _) = limited("60000", "");
    assert_eq!(said, "ask");
    assert!(why.contains("memory"), "{why}");
    assert_eq!(limited("60000", "--fail-closed").0, "deny");
    assert_eq!(limited("1000000", "").0, "allow");
}

/// However little memory there is, and whatever takes most of it, the process answers: a request
/// that is large as JSON, or a line that is long.
#[test]
fn no_limit_of_memory_ends_the_process() {
    let project = Project::plant();
    let with = |more: &str, line: &str| {
        let request = request(&project, line);
        let (start, end) = request.split_at(1);
        format!("{start}\"x\":[{more}0],{end}")
    };
    let requests = [
        with(&"{\"\":1},".repeat(600_000), "ls"),
        with(&"1,".repeat(2_000_000), "ls"),
        with("", &"a ".repeat(2_500_000)),
        with("", &"$(ls) ".repeat(10_000)),
    ];
    for kind in ["-v", "-d"] {
        for mib in [70, 100, 150, 250, 400, 600, 1000] {
            let script = format!("ulimit {kind} {}; exec \"$0\" hook claude", mib << 10);
            for request in &requests {
                let child = start(&project, "/bin/sh", &["-c", &script, PROGRAM]);
                assert_ne!(answer(child, request).0, "deny");
            }
        }
    }
}
