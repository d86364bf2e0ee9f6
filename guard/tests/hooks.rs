//! The hooks of all agents, as programs: requests as their documentation has them, and the answers
//! that it asks for. `hooks/AGENT.json` holds them; in there `@` is the scratch directory and
//! `@LINE@` the line; `allowed` is the line to allow where that must say itself where it runs.
#![forbid(unsafe_code)]

mod project;

use project::{Ended, Project};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

const ALLOWED: &str = "cat src/main.rs";
const ASKED: &str = "cat out/x";

/// An agent's name, and what is recorded of it.
fn recorded() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the recorded requests") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_stem().and_then(OsStr::to_str).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        all.push((name, serde_json::from_str(&text).expect("JSON")));
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// The line that is allowed if this request asks about it.
fn allowed(request: &Value) -> &str {
    request["allowed"].as_str().unwrap_or(ALLOWED)
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().unwrap_or_else(|| panic!("no list {field}"))
}

struct Agent {
    project: Project,
    name: String,
}

impl Agent {
    /// The payload as text, with the project's place in it.
    fn payload(&self, payload: &Value, line: &str) -> String {
        let top = self.project.root().strip_suffix("/p").expect("the root is p");
        payload.to_string().replace("@LINE@", line).replace('@', top)
    }

    fn hook(&self, options: &[&str], payload: &str) -> Ended {
        let args = [&["hook", &self.name], options].concat();
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        self.project.run_in("", &[], &args, payload.as_bytes())
    }

    /// Is the answer this one? A part that is not there is nothing, and exit code 0.
    fn expect(&self, what: &str, ended: &Ended, expected: &Value) {
        let about = format!("{}: {what}", self.name);
        let stdout = self.project.anonymous(&ended.stdout);
        match expected.get("stdout") {
            Some(object) => {
                assert_eq!(stdout.matches('\n').count(), 1, "{about}: one line: {stdout:?}");
                let answer: Map<String, Value> = serde_json::from_str(&stdout).expect("an object");
                assert_eq!(Value::Object(answer), *object, "{about}");
            }
            None => assert_eq!(stdout, "", "{about}"),
        }
        let stderr = expected["stderr"].as_str().map_or(String::new(), |it| format!("{it}\n"));
        assert_eq!(self.project.anonymous(&ended.stderr), stderr, "{about}");
        assert_eq!(i64::from(ended.code), expected["code"].as_i64().unwrap_or(0), "{about}");
    }
}

#[test]
fn every_agent_is_answered_in_its_own_form() {
    for (name, recorded) in recorded() {
        let agent = Agent { project: Project::plant(), name };
        for request in list(&recorded, "requests") {
            let payload = &request["payload"];
            let expect = |what: &str, options: &[&str], line: &str| {
                let ended = agent.hook(options, &agent.payload(payload, line));
                agent.expect(what, &ended, &request[what]);
            };
            expect("allow", &[], allowed(request));
            expect("ask", &[], ASKED);
            expect("none", &[], "");
            expect("none", &[], "  ");
            expect("none", &["--shadow"], allowed(request));
            expect("none", &["--shadow"], ASKED);
            // The command is missing: a failure of the agent's or of the guard's.
            let field = request["field"].as_str().expect("a name");
            let without = agent.payload(payload, ASKED);
            // Some have it in an object that is written as text.
            let without = without.replace(&format!("\"{field}\""), "\"nothing\"");
            let without = without.replace(&format!("\"{field}\\\""), "\"nothing\\\"");
            let ended = agent.hook(&["--fail-closed"], &without);
            agent.expect("deny", &ended, &request["deny"]);
            // With a mark of the order of bytes, other ends of lines, fields that nobody knows.
            let text = agent.payload(payload, allowed(request));
            let odd = ["\u{feff}{\r\n\"unknown\": [null], ", &text[1..], "\r\n\r\n"].concat();
            agent.expect("allow", &agent.hook(&[], &odd), &request["allow"]);
        }
        for payload in list(&recorded, "nothing") {
            let ended = agent.hook(&[], &agent.payload(payload, ASKED));
            agent.expect("none", &ended, &list(&recorded, "requests")[0]["none"]);
        }
    }
}

/// What cannot be read at all is asked about, as far as the agent has a form for that; and denied
/// if the person wants that.
#[test]
fn what_cannot_be_read_is_never_allowed() {
    for (name, recorded) in recorded() {
        let agent = Agent { project: Project::plant(), name };
        let request = &list(&recorded, "requests")[0];
        let whole = agent.payload(&request["payload"], allowed(request));
        let kind = |ended: &Ended| {
            let keys: Option<Value> = serde_json::from_str(&ended.stdout).ok();
            (ended.code, keys.map(|it| it.to_string().replace(char::is_whitespace, "")))
        };
        for garbage in ["", "{", "null", "[]", "\u{0}", &whole[..whole.len() - 2]] {
            let (code, answer) = kind(&agent.hook(&[], garbage));
            let answer = answer.unwrap_or_default();
            assert!(!answer.contains("allow") && !answer.contains("approve"), "{}", agent.name);
            assert_eq!(i64::from(code), request["ask"]["code"].as_i64().unwrap_or(0));
            assert_eq!(answer.is_empty(), request["ask"].get("stdout").is_none(), "{}", agent.name);
            let (code, answer) = kind(&agent.hook(&["--fail-closed"], garbage));
            let denies = code == 2
                || answer.is_some_and(|it| {
                    ["\"deny\"", "\"block\"", "\"cancel\":true"]
                        .iter()
                        .any(|word| it.contains(word))
                });
            assert!(denies, "{}", agent.name);
        }
    }
}

/// Where an agent has no form of "ask", the person may have it deny.
#[test]
fn asking_can_be_made_to_deny() {
    for (name, recorded) in recorded() {
        let agent = Agent { project: Project::plant(), name };
        let request = &list(&recorded, "requests")[0];
        let payload = agent.payload(&request["payload"], ASKED);
        let ended = agent.hook(&["--ask-denies"], &payload);
        let asks = ["amp", "agy", "claude", "copilot", "cursor", "droid", "grok", "qwen", "vscode"];
        if asks.contains(&&*agent.name) {
            agent.expect("ask", &ended, &request["ask"]);
            continue;
        }
        let denial = request["deny"].to_string();
        let said = denial.replace(
            "the request holds no command",
            "'out/x' leads to @/outside/x, outside the project",
        );
        agent.expect("deny", &ended, &serde_json::from_str(&said).expect("JSON"));
    }
}

#[test]
fn roots_are_those_that_are_named_first() {
    let agent = Agent { project: Project::plant(), name: "cursor".to_owned() };
    let (_, recorded) = recorded().into_iter().find(|(name, _)| name == "cursor").expect("one");
    let request = &list(&recorded, "requests")[0];
    let payload = agent.payload(&request["payload"], "cat out/x");
    let outside = agent.project.root.with_file_name("outside");
    let outside = outside.to_str().expect("text");
    let roots = ["--root", agent.project.root(), "--root", outside];
    agent.expect("allow", &agent.hook(&roots, &payload), &request["allow"]);
    // An agent takes a hook that only ends for one that has no objection.
    for wrong in [&["--root"][..], &["--root", "relative"], &["--nosuch"], &["more"]] {
        let ended = agent.hook(wrong, &payload);
        assert!(ended.stdout.contains("\"ask\""), "{wrong:?}: {}", ended.stdout);
    }
}

/// Without a project nothing is allowed, and what a person denies is denied.
#[test]
fn rules_that_deny_need_no_project() {
    let agent = Agent { project: Project::plant(), name: "windsurf".to_owned() };
    std::fs::remove_dir(agent.project.root.join(".git")).expect("it was empty");
    let home = agent.project.root.with_file_name("home");
    std::fs::create_dir_all(home.join(".config/shfence")).expect("it can be made");
    let rule = "schema = 1\n[[deny]]\ncommand = \"cat denied\"\n";
    std::fs::write(home.join(".config/shfence/config.toml"), rule).expect("it can be written");
    let answers = |name: &str, payload: Value| {
        let args: Vec<&OsStr> = ["hook", name].map(OsStr::new).to_vec();
        let env = [("HOME", home.to_str().expect("text"))];
        agent.project.run_in("", &env, &args, payload.to_string().as_bytes())
    };
    let windsurf = |line: &str| {
        let info = serde_json::json!({"command_line": line, "cwd": agent.project.root()});
        let payload =
            serde_json::json!({"agent_action_name": "pre_run_command", "tool_info": info});
        answers("windsurf", payload).code
    };
    assert_eq!((windsurf("cat denied"), windsurf(ALLOWED)), (2, 0));
    let amp = |line: &str| {
        answers("amp", serde_json::json!({"cmd": line, "cwd": agent.project.root()})).code
    };
    assert_eq!((amp("cat denied"), amp(ALLOWED)), (2, 1));
}

/// Some agents run a program without arguments.
#[test]
fn the_name_of_the_program_may_say_the_agent() {
    let agent = Agent { project: Project::plant(), name: "amp".to_owned() };
    let program = agent.project.root.join("shfence-hook-amp");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_shfence"), &program).expect("a link");
    let answers = |cmd: &str| {
        let payload = serde_json::json!({"cmd": cmd, "cwd": agent.project.root()});
        agent.project.run_as(&program, "", &[], &[], payload.to_string().as_bytes()).code
    };
    assert_eq!((answers(ALLOWED), answers(ASKED)), (0, 1));
}

/// The plugin for Claude Code: what its file says is run as Claude Code runs it.
#[test]
fn the_plugin_runs_the_hook() {
    let agent = Agent { project: Project::plant(), name: "claude".to_owned() };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin");
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(folder.join(name)).expect("a readable file");
        serde_json::from_str(&text).expect("JSON")
    };
    assert_eq!(read(".claude-plugin/plugin.json")["version"], env!("CARGO_PKG_VERSION"));
    let plugin = agent.project.root.with_file_name("plug in");
    std::fs::create_dir_all(plugin.join("bin")).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_shfence"), plugin.join("bin/shfence"))
        .expect("a link");
    let env = [("CLAUDE_PLUGIN_ROOT", plugin.to_str().expect("text")), ("PATH", "/usr/bin:/bin")];
    let (_, recorded) = recorded().into_iter().find(|(name, _)| name == "claude").expect("one");
    for request in list(&recorded, "requests") {
        let payload = agent.payload(&request["payload"], ASKED);
        let event = request["payload"]["hook_event_name"].as_str().unwrap_or("PreToolUse");
        let hooks = &read("hooks/hooks.json")["hooks"][event][0];
        assert_eq!(hooks["matcher"], "Bash", "{event}");
        let command = hooks["hooks"][0]["command"].as_str().expect("a command");
        let shell = [OsStr::new("-c"), OsStr::new(command)];
        let ended =
            agent.project.run_as(Path::new("/bin/sh"), "", &env, &shell, payload.as_bytes());
        agent.expect("the plugin", &ended, &request["ask"]);
    }
}

/// The page that says how to set up a hook has a section for each agent, with what to write.
#[test]
fn every_agent_has_a_snippet_that_runs_its_hook() {
    let page = include_str!("../docs/hooks.md");
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    let names = sections.iter().map(|it| it.lines().next().unwrap_or_default());
    let recorded = recorded();
    let all: BTreeSet<&str> = recorded.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), all);
    for section in sections {
        let name = section.lines().next().unwrap_or_default();
        let (language, rest) = section
            .split_once("```")
            .and_then(|(_, rest)| rest.split_once('\n'))
            .unwrap_or_else(|| panic!("{name} has no snippet"));
        let snippet = rest.split("```").next().unwrap_or_default();
        let runs = [
            format!("/opt/shfence hook {name}"),
            format!("/opt/shfence-hook-{name}"),
            format!("[\"/opt/shfence\", \"hook\", \"{name}\"]"),
        ];
        assert!(runs.iter().any(|it| snippet.contains(it)), "{name}: {snippet}");
        if language == "json" {
            let settings: Result<Value, _> = serde_json::from_str(snippet);
            assert!(settings.is_ok_and(|it| it.is_object()), "{name}: {snippet}");
        }
    }
}

#[test]
fn every_agent_has_recorded_requests() {
    let project = Project::plant();
    let help = project.run_in("", &[], &[OsStr::new("hook"), OsStr::new("--help")], b"");
    let names = help.stdout.lines().last().and_then(|line| line.strip_prefix("AGENT is one of: "));
    let named: BTreeSet<&str> = names.expect("the list of agents").split(", ").collect();
    let recorded = recorded();
    assert_eq!(named, recorded.iter().map(|(name, _)| &**name).collect());
}
