//! Where a line runs, and in what, as requests say it or leave it out: a hook that does not know it
//! allows nothing that depends on it. For every agent, from the requests that are recorded of it.
#![forbid(unsafe_code)]

#[allow(dead_code)] // other tests need the rest of it
mod project;

use project::{Ended, Project};
use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::path::Path;

/// Fields in which a recorded input says where its line runs.
const PLACES: [&str; 3] = ["cwd", "Cwd", "dir_path"];

const RELATIVE: &str = "cat src/main.rs";
const PLACED: &str = "cd @/p && cat src/main.rs";

/// A recorded request of an agent, and what it is answered if its line is allowed.
struct Request {
    agent: String,
    payload: Value,
    /// The field that holds the line.
    field: String,
    /// Is the line's directory known to be that of the session?
    is_placed: bool,
    allow: Value,
}

/// All requests that are recorded, but for those whose agents have no form of "allow".
fn requests() -> Vec<Request> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the recorded requests") {
        let path = entry.expect("a readable folder").path();
        let agent = path.file_stem().and_then(OsStr::to_str).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let recorded: Value = serde_json::from_str(&text).expect("JSON");
        for request in recorded["requests"].as_array().expect("a list") {
            let (allow, none) = (&request["allow"], &request["none"]);
            if allow != none && allow != &request["ask"] {
                all.push(Request {
                    agent: agent.clone(),
                    payload: request["payload"].clone(),
                    field: request["field"].as_str().expect("a name").to_owned(),
                    is_placed: request.get("allowed").is_none(),
                    allow: allow.clone(),
                });
            }
        }
    }
    assert!(all.len() > 10, "{}", all.len());
    all
}

impl Request {
    /// Is this line allowed, by the request as `change` leaves it?
    fn allows(&self, project: &Project, line: &str, change: impl Fn(&mut Value)) -> bool {
        let mut payload = self.payload.clone();
        change(&mut payload);
        let top = project.root().strip_suffix("/p").expect("the root is p");
        let line = line.replace('@', top);
        let text = payload.to_string().replace("@LINE@", &line).replace('@', top);
        let ended =
            project.run_in("", &[], &["hook", &self.agent].map(OsStr::new), text.as_bytes());
        let allow = self.allow.get("stdout").map(|it| it.to_string().replace('@', top));
        let decided = |text: &str| {
            let mut whole: Map<String, Value> = serde_json::from_str(text).expect("an object");
            strip_reasons(&mut whole);
            whole
        };
        let Ended { code, stdout, .. } = ended;
        match allow {
            Some(allow) if !stdout.is_empty() => decided(&allow) == decided(&stdout),
            Some(_) => false,
            None => {
                i64::from(code) == self.allow["code"].as_i64().unwrap_or(0) && stdout.is_empty()
            }
        }
    }

    /// Calls with the object that holds the line, if it is one in this request.
    fn input(&self, payload: &mut Value, change: &dyn Fn(&mut Map<String, Value>)) -> bool {
        holder(payload, &self.field).map(change).is_some()
    }
}

fn strip_reasons(object: &mut Map<String, Value>) {
    object.retain(|key, _| !["reason", "permissionDecisionReason"].contains(&&**key));
    object.values_mut().filter_map(Value::as_object_mut).for_each(strip_reasons);
}

/// The object with this field.
fn holder<'v>(value: &'v mut Value, field: &str) -> Option<&'v mut Map<String, Value>> {
    let object = value.as_object_mut()?;
    if object.contains_key(field) {
        return Some(object);
    }
    object.values_mut().find_map(|it| holder(it, field))
}

/// Sets the directories of the line, wherever they stand; `None` removes them. The project's stay.
fn set_cwds(value: &mut Value, to: Option<&Value>) {
    let Value::Object(object) = value else { return };
    for name in ["cwd", "Cwd", "working_dir"] {
        match to {
            _ if !object.contains_key(name) => {}
            Some(to) => drop(object.insert(name.to_owned(), to.clone())),
            None => drop(object.remove(name)),
        }
    }
    object.values_mut().for_each(|value| set_cwds(value, to));
}

#[test]
fn a_directory_that_is_not_known_or_elsewhere_is_not_the_projects() {
    let project = Project::plant();
    for request in requests() {
        let about = format!("{}: {}", request.agent, request.payload);
        let unchanged = request.allows(&project, RELATIVE, |_| {});
        assert_eq!(unchanged, request.is_placed, "{about}");
        assert!(request.allows(&project, PLACED, |_| {}), "{about}");
        for wrong in [
            json!(""),
            json!("src"),
            json!("/"),
            json!("@/nosuch"),
            json!("@/outside"),
            json!(7),
            Value::Null,
        ] {
            let allows = request.allows(&project, RELATIVE, |it| set_cwds(it, Some(&wrong)));
            assert!(!allows, "{wrong}: {about}");
        }
        assert!(!request.allows(&project, RELATIVE, |it| set_cwds(it, None)), "{about}");
    }
}

/// The input of a tool may name another directory, or a shell that is where it was left.
#[test]
fn what_the_input_says_of_the_place_counts() {
    let project = Project::plant();
    for request in requests() {
        let about = format!("{}: {}", request.agent, request.payload);
        if !request.input(&mut request.payload.clone(), &|_| {}) {
            continue;
        }
        let with = |line: &str, field: &str, value: Value| {
            request.allows(&project, line, |payload| {
                let set = |input: &mut Map<String, Value>| {
                    input.retain(|name, _| !PLACES.contains(&&**name));
                    input.insert(field.to_owned(), value.clone());
                };
                assert!(request.input(payload, &set), "{about}");
            })
        };
        for field in ["workdir", "dir_path", "directory", "working_directory"] {
            for elsewhere in ["@/outside", "/", "../outside", "out"] {
                assert!(!with(RELATIVE, field, json!(elsewhere)), "{field} {elsewhere}: {about}");
            }
            assert!(with("cat main.rs", field, json!("@/p/src")), "{field}: {about}");
            assert!(!with("cat main.rs", field, json!(["@/p/src"])), "{field}: {about}");
        }
        for field in ["sessionId", "shellId", "terminal_id"] {
            assert!(!with(RELATIVE, field, json!("s")), "{field}: {about}");
        }
    }
}

#[test]
fn what_the_input_says_of_the_shell_counts() {
    let project = Project::plant();
    for request in requests() {
        let about = format!("{}: {}", request.agent, request.payload);
        for (field, value, allowed) in [
            ("shell", json!("fish"), false),
            ("shell", json!(["bash"]), false),
            ("shell", json!("/usr/bin/zsh"), true),
            ("shell", json!(""), true),
            ("env", json!({"BASH_ENV": "x"}), false),
            ("env", json!({}), true),
            ("environment", json!(["A=1"]), false),
            ("dangerouslyDisableSandbox", json!(true), false),
            ("dangerouslyDisableSandbox", json!(false), true),
        ] {
            let allows = request.allows(&project, PLACED, |payload| {
                request
                    .input(payload, &|input| drop(input.insert(field.to_owned(), value.clone())));
            });
            let is_text = !request.input(&mut request.payload.clone(), &|_| {});
            assert_eq!(allows, allowed || is_text, "{field} {value}: {about}");
        }
    }
}

/// In every mode the answer is the same: what a mode opens or closes is the agent's business.
#[test]
fn modes_change_no_answer() {
    let project = Project::plant();
    for request in requests() {
        for mode in
            ["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "yolo"]
        {
            let set = |payload: &mut Value| payload["permission_mode"] = json!(mode);
            assert!(request.allows(&project, PLACED, set), "{} {mode}", request.agent);
            assert!(!request.allows(&project, "cat out/x", set), "{} {mode}", request.agent);
        }
    }
}

/// Longer than any line that is read, and no reason to break off the agent's writing.
#[test]
fn five_megabytes_are_no_line_to_allow() {
    let project = Project::plant();
    let line = format!("echo {}", "x".repeat(5 << 20));
    for request in requests() {
        assert!(!request.allows(&project, &line, |_| {}), "{}", request.agent);
    }
}

/// Where nothing is said of the place, a line may begin with a `cd` to an absolute directory.
#[test]
fn a_line_may_say_itself_where_it_goes() {
    let project = Project::plant();
    let all = requests();
    let request = all.iter().find(|it| it.agent == "cursor").expect("it is recorded");
    for (line, allowed) in [
        (PLACED, true),
        ("cd @/p/src && cat main.rs && cd .. && ls", true),
        ("cd @/p && for f in src lib; do ls -l src/*; done", true),
        ("cd @/p && (cd src && ls) && git --version", true),
        ("ls", false),
        ("echo x", false),
        ("cd src && ls", false),
        ("cd -- src && ls", false),
        ("cd && ls", false),
        ("cd - && ls", false),
        ("cd @/p; ls", false),
        ("cd @/p || ls", false),
        ("(cd @/p) && ls", false),
        ("{ cd @/p; } | cat && ls", false),
        ("ls; cd @/p && ls", false),
        ("cat src/main.rs && cd @/p", false),
        ("cd src/main.rs && cd @/p && ls", false),
        ("cd @/outside && ls", false),
        ("cd @/p/.. && ls", false),
        ("cd @/p/nosuch && ls", true),
        ("cd @/p/out && ls", false),
        ("cd @/p && cat out/x", false),
        ("cd @/p && cd .. && ls", false),
        ("cd @/p && cd - && ls", false),
        ("cd \"$X\" && cd @/p && ls", false),
        ("cd @/p 2>/dev/null && ls", true),
        ("cd @/p < x && ls", false),
        ("{ cd @/p && ls; } < x", false),
        ("{ cd @/p && ls; } < @/p/src/main.rs", true),
        ("if cd @/p; then ls; fi < x", false),
        ("A=$(cat x) && cd @/p && ls", false),
        ("A=$(cat x) cd @/p && ls", false),
        ("cd @/p \"$(cat x)\" && ls", false),
        ("cd @/p <<E && ls\n$(cat x)\nE", false),
    ] {
        let unsaid = |payload: &mut Value| set_cwds(payload, Some(&json!("")));
        assert_eq!(request.allows(&project, line, unsaid), allowed, "{line}");
    }
}
