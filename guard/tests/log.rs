//! The event log: what the hooks write, and what people are shown of it.
#![forbid(unsafe_code)]

mod project;

use project::{Ended, Project};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

/// A project whose hooks log into its scratch directory.
struct Logged {
    project: Project,
    state: PathBuf,
}

impl Logged {
    fn plant() -> Logged {
        let project = Project::plant();
        let state = project.root.with_file_name("state");
        Logged { project, state }
    }

    fn run(&self, args: &[&str], input: &str) -> Ended {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let state = self.state.to_str().expect("the scratch directory's name is text");
        self.project.run_in("", &[("XDG_STATE_HOME", state)], &args, input.as_bytes())
    }

    fn hook(&self, options: &[&str], line: &str) -> Ended {
        let payload = json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": line}, "cwd": self.project.root(),
        });
        self.run(&[&["hook", "claude"], options].concat(), &payload.to_string())
    }

    fn file(&self) -> PathBuf {
        self.state.join("shfence/events.jsonl")
    }

    fn events(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.file()).expect("there is a log");
        text.lines().map(|line| serde_json::from_str(line).expect("an event is JSON")).collect()
    }

    /// What is printed, without what differs from run to run.
    fn shows(&self, args: &[&str]) -> String {
        let ended = self.run(args, "");
        assert_eq!((ended.code, &*ended.stderr), (0, ""), "{args:?}");
        self.project.anonymous(&ended.stdout)
    }

    /// Writes events of a known time.
    fn write(&self, events: &[Value]) {
        let lines: Vec<String> = events.iter().map(in_order).collect();
        fs::create_dir_all(self.file().parent().expect("it has one")).expect("it can be written");
        fs::write(self.file(), lines.concat()).expect("it can be written");
    }
}

/// The event as a line that begins with its time.
fn in_order(event: &Value) -> String {
    let rest = event.to_string();
    let time = event["time"].as_str().expect("an event has a time");
    format!("{{\"time\":\"{time}\",{}\n", &rest[1..].replace(&format!(",\"time\":\"{time}\""), ""))
}

#[test]
fn a_hook_logs_what_it_was_asked_and_what_it_answered() {
    let logged = Logged::plant();
    logged.hook(&[], "cd src && cat main.rs");
    logged.hook(&[], "API_TOKEN=hunter2 npm install; cat out/hunter2");
    logged.hook(&["--shadow"], "pwd");
    logged.hook(&[], "echo `pwd`");
    let events = logged.events();
    let at = |event: usize, field: &str| events[event][field].clone();
    assert_eq!(events.len(), 4);
    assert_eq!(at(0, "decision"), "allow");
    assert_eq!(at(0, "segments"), json!(["cd", "cat"]));
    assert_eq!(at(0, "root"), logged.project.root());
    assert_eq!(at(0, "cwd"), logged.project.root());
    assert_eq!(at(0, "agent"), "claude");
    assert_eq!(at(0, "shells"), json!(["bash", "sh", "zsh"]));
    assert_eq!((at(0, "view"), at(0, "profile")), (json!("real"), json!("read-build")));
    assert!(at(0, "us").as_u64().is_some_and(|us| us > 0));
    assert!(humantime::parse_rfc3339(at(0, "time").as_str().expect("text")).is_ok());
    assert_eq!(
        at(1, "reasons"),
        json!([
            {"code": "assignment", "verb": "npm install"},
            {"code": "undeclared-option", "verb": "npm install"},
            {"code": "path-outside", "verb": "cat"},
        ])
    );
    assert_eq!((at(2, "shadow"), at(2, "decision")), (json!(true), json!("allow")));
    assert_eq!(at(3, "reasons")[0]["code"], "not-understood/backquote");
    let all = fs::read_to_string(logged.file()).expect("there is a log");
    assert!(!all.contains("hunter2") && !all.contains("main.rs"), "{all}");
    assert_eq!(at(0, "line").as_str().map(str::len), Some(16));
}

#[test]
fn hooks_that_run_at_once_do_not_mix_their_events() {
    let logged = Logged::plant();
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| (0..5).for_each(|_| drop(logged.hook(&[], "cd src && cat main.rs"))));
        }
    });
    assert_eq!(logged.events().len(), 40);
}

#[test]
fn nothing_but_a_hook_logs() {
    let logged = Logged::plant();
    logged.run(&["check", "--", "ls"], "");
    let question = json!({"command": "ls", "cwd": logged.project.root(), "root": "/tmp"});
    logged.run(&["batch"], &question.to_string());
    logged.run(&["hook", "claude"], "{}");
    assert!(!logged.state.exists());
}

#[test]
fn shadow_has_no_opinion() {
    let logged = Logged::plant();
    for line in ["pwd", "cat out/x", "if"] {
        let ended = logged.hook(&["--shadow"], line);
        assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (0, "", ""), "{line:?}");
    }
}

/// The answer is the same with a log, without one, and with one that cannot be written.
#[test]
fn a_log_that_cannot_be_written_changes_nothing() {
    let answers = |logged: &Logged| {
        let answer = |line| {
            let ended = logged.hook(&[], line);
            assert_eq!((ended.code, &*ended.stderr), (0, ""));
            logged.project.anonymous(&ended.stdout)
        };
        [answer("pwd"), answer("cat out/x")]
    };
    let expected = answers(&Logged::plant());
    let blocked = |block: &dyn Fn(&Logged)| {
        let logged = Logged::plant();
        block(&logged);
        assert_eq!(answers(&logged), expected);
    };
    // Not by permissions: these tests may be run by root, whom they do not stop.
    blocked(&|logged| fs::write(&logged.state, "").expect("it can be written"));
    blocked(&|logged| fs::create_dir_all(logged.file()).expect("it can be written"));
    blocked(&|logged| {
        fs::create_dir_all(logged.state.join("shfence")).expect("it can be written");
        let full = std::path::Path::new("/dev/full");
        std::os::unix::fs::symlink(full, logged.file()).expect("it can be written");
    });
    // Root could make a directory that is not there, but none in `/proc`.
    for home in ["/proc/nosuch", "relative", "/dev/null"] {
        let logged = Logged::plant();
        let payload = json!({"tool_name": "Bash", "tool_input": {"command": "pwd"},
            "cwd": logged.project.root()});
        let args = [OsStr::new("hook"), OsStr::new("claude")];
        let env = [("HOME", home)];
        let ended = logged.project.run_in("", &env, &args, payload.to_string().as_bytes());
        assert_eq!((ended.code, &*ended.stderr), (0, ""), "{home}");
        assert!(ended.stdout.contains("\"allow\""), "{}", ended.stdout);
    }
}

fn event(time: &str, decision: &str, more: &Value) -> Value {
    let mut event = json!({"time": format!("{time}.000000Z"), "decision": decision,
        "agent": "claude", "line": "00000000000000ff", "us": 400});
    let fields = more.as_object().expect("an object").clone();
    event.as_object_mut().expect("an object").extend(fields);
    event
}

fn some_days() -> Vec<Value> {
    let undeclared = |verb: &str| json!({"code": "undeclared-verb", "verb": verb});
    let npm = json!({"segments": ["npm install"], "reasons": [undeclared("npm install")]});
    vec![
        event("2026-11-01T08:00:00", "allow", &json!({"segments": ["cd", "cat"], "root": "/p"})),
        event("2026-11-02T08:00:00", "ask", &npm),
        event("2026-11-02T08:00:01", "ask", &npm),
        event(
            "2026-11-02T08:00:02",
            "ask",
            &json!({"segments": ["npm install", "cat"], "agent": "opencode", "us": 9000,
                "reasons": [undeclared("npm install"), {"code": "path-outside", "verb": "cat"}]}),
        ),
        event(
            "2026-11-02T09:00:00",
            "ask",
            &json!({"reasons": [{"code": "not-understood/backquote"}]}),
        ),
        event(
            "2026-11-03T09:00:00",
            "deny",
            &json!({"text": "rm -rf x\n\u{1b}[0m", "segments": ["rm"],
            "reasons": [undeclared("rm")]}),
        ),
        event(
            "2026-11-03T10:00:00",
            "allow",
            &json!({"segments": ["pwd"], "root": "/q", "shadow": true}),
        ),
    ]
}

#[test]
fn people_are_shown_the_events() {
    let logged = Logged::plant();
    logged.write(&some_days());
    insta::assert_snapshot!(logged.shows(&["log"]));
    let lines = |args: &[&str]| logged.shows(&[&["log"], args].concat()).lines().count();
    assert_eq!(lines(&["-n", "2"]), 2);
    assert_eq!(lines(&["--decision", "ask"]), 4);
    assert_eq!(lines(&["--since", "2026-11-03"]), 2);
    assert_eq!(lines(&["--since", "1h"]), 0);
    let json = logged.shows(&["log", "--json", "-n", "1"]);
    let event: Value = serde_json::from_str(&json).expect("an event is JSON");
    assert_eq!(event["root"], "/q");
}

#[test]
fn people_are_shown_the_figures() {
    let logged = Logged::plant();
    logged.write(&some_days());
    insta::assert_snapshot!(logged.shows(&["stats"]));
    let json = logged.shows(&["stats", "--json", "--since", "2026-11-02T08:30:00Z"]);
    let figures: Value = serde_json::from_str(&json).expect("figures are JSON");
    assert_eq!((&figures["lines"], &figures["denied"]), (&json!(3), &json!(1)));
}

#[test]
fn a_damaged_log_is_shown_as_far_as_it_can_be_read() {
    let logged = Logged::plant();
    logged.write(&some_days());
    let mut bytes = fs::read(logged.file()).expect("there is a log");
    bytes.extend_from_slice(b"{\"time\":\"2026-11-0");
    fs::write(logged.file(), bytes).expect("it can be written");
    logged.hook(&[], "pwd");
    let ended = logged.run(&["log"], "");
    assert_eq!((ended.code, ended.stdout.lines().count()), (0, 8));
    assert_eq!(ended.stderr, "shfence: 1 line of the log could not be read\n");
    assert!(logged.shows(&["stats"]).ends_with("1 line of the log could not be read\n"));
}

#[test]
fn what_is_not_there_is_said() {
    let logged = Logged::plant();
    for command in ["log", "stats"] {
        let ended = logged.run(&[command], "");
        assert_eq!((ended.code, &*ended.stdout), (74, ""));
        assert!(ended.stderr.contains("nothing is logged yet"), "{}", ended.stderr);
        assert_eq!(logged.run(&[command, "--since", "yesterday"], "").code, 64);
        let nowhere = logged.project.run_in("", &[], &[OsStr::new(command)], b"");
        assert_eq!(nowhere.code, 74);
    }
}
