//! The program from outside: exit codes, what it prints, and the protocols on its standard input.

mod project;

use project::{Ended, Project};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// What these tests ask of the program.
trait Runs {
    fn run(&self, args: &[&str], input: &[u8]) -> Ended;
    fn check(&self, line: &str) -> Ended;
    fn batch(&self, input: &[u8]) -> Vec<Value>;
    fn batch_of(&self, questions: &[Value]) -> Vec<Value>;
    fn question(&self, command: &str) -> Value;
    fn hook(&self, input: &[u8]) -> Option<(String, String)>;
    fn payload(&self, command: &str) -> Value;
    fn hook_decides(&self, payload: &Value) -> Option<String>;
}

impl Runs for Project {
    fn run(&self, args: &[&str], input: &[u8]) -> Ended {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        self.run_in("", &[], &args, input)
    }

    fn check(&self, line: &str) -> Ended {
        self.run(&["check", "--", line], b"")
    }

    /// The answers to lines of input, each a JSON value.
    fn batch(&self, input: &[u8]) -> Vec<Value> {
        let ended = self.run(&["batch"], input);
        assert_eq!((ended.code, &*ended.stderr), (0, ""));
        let answers = ended.stdout.lines();
        answers.map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
    }

    fn batch_of(&self, questions: &[Value]) -> Vec<Value> {
        let lines: Vec<String> = questions.iter().map(Value::to_string).collect();
        self.batch(lines.join("\n").as_bytes())
    }

    fn question(&self, command: &str) -> Value {
        json!({"command": command, "cwd": self.root(), "pwd": self.root(), "root": self.root()})
    }

    /// What the hook says to these bytes: its decision, or `None` for silence.
    fn hook(&self, input: &[u8]) -> Option<(String, String)> {
        let ended = self.run(&["hook", "claude"], input);
        assert_eq!((ended.code, &*ended.stderr), (0, ""));
        if ended.stdout.is_empty() {
            return None;
        }
        assert_eq!(ended.stdout.matches('\n').count(), 1, "one line: {:?}", ended.stdout);
        let answer: Value = serde_json::from_str(&ended.stdout).expect("an answer is JSON");
        let output = &answer["hookSpecificOutput"];
        assert_eq!(output["hookEventName"], "PreToolUse");
        let text = |key: &str| output[key].as_str().expect("a string").to_owned();
        let (decision, reason) = (text("permissionDecision"), text("permissionDecisionReason"));
        assert!(["allow", "ask", "deny"].contains(&&*decision), "{decision}");
        assert!(reason.starts_with("shfence: "), "{reason}");
        Some((decision, reason))
    }

    fn payload(&self, command: &str) -> Value {
        json!({
            "session_id": "x", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command, "description": "d"}, "cwd": self.root(),
        })
    }

    fn hook_decides(&self, payload: &Value) -> Option<String> {
        self.hook(payload.to_string().as_bytes()).map(|(decision, _)| decision)
    }
}

#[test]
fn check_says_its_decision_by_its_exit_code() {
    let project = Project::plant();
    assert_eq!(project.check("cd src && cat main.rs").code, 0);
    assert_eq!(project.check("cat ../outside/x").code, 1);
    assert_eq!(project.check("if").code, 1);
    for usage in [
        &["check"][..],
        &["check", "ls"],
        &["check", "--root", "/", "--", "ls"],
        &["check", "--shells", "fish", "--", "ls"],
        &["check", "--invocation", "x", "--", "ls"],
        &["check", "--env", "=x", "--", "ls"],
        &["check", "--nosuch", "--", "ls"],
        &["nosuch"],
        &[],
        &["hook"],
        &["hook", "nosuch"],
    ] {
        let ended = project.run(usage, b"");
        assert_eq!((ended.code, &*ended.stdout), (64, ""), "{usage:?}");
        assert!(!ended.stderr.is_empty(), "{usage:?}");
    }
    for help in [&["--help"][..], &["--version"], &["check", "--help"], &["hook", "--help"]] {
        let ended = project.run(help, b"");
        assert_eq!((ended.code, &*ended.stderr), (0, ""), "{help:?}");
    }
}

#[test]
fn check_shows_where_and_why() {
    let project = Project::plant();
    let shows = |line: &str, expected: &str| {
        assert_eq!(project.anonymous(&project.check(line).stdout), expected, "{line:?}");
    };
    shows("cd src && cat main.rs", "allow: within @/p\n");
    shows(
        "cd src; cat ../out/x",
        "ask\n  cd src; cat ../out/x\n              ^^^^^^^^\n  \
         path-outside: '../out/x' leads to @/outside/x, outside the project\n",
    );
    shows(
        "echo 'é' `ls`",
        "ask\n  echo 'é' `ls`\n           ^\n  not-understood/backquote: a command substitution in \
         backquotes runs what is in it\n",
    );
    shows(
        "pwd\n\trm\x1b",
        "ask\n   rm?\n     ^\n  not-understood/control-character: control characters other than \
         newline and tab are not read alike by shells and terminals\n",
    );
    shows(
        "pwd\nfoo x | ls --nosuch >f",
        "ask\n  foo x | ls --nosuch >f\n  ^^^\n  undeclared-verb: 'foo' is not among the declared \
         verbs\n  foo x | ls --nosuch >f\n             ^^^^^^^^\n  undeclared-option: '--nosuch' \
         is not declared for 'ls'\n  foo x | ls --nosuch >f\n                      ^^\n  writes: \
         this writes @/p/f\n",
    );
    shows("", "ask\n  \n  ^\n  not-understood/empty: there is no command in the line\n");
}

/// A line much longer than a terminal is wide is shown around the place that matters.
#[test]
fn check_cuts_long_lines() {
    let project = Project::plant();
    let line = format!("echo {}é {}", "a".repeat(300), "b".repeat(300));
    let shown = project.check(&line).stdout;
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() < 250), "{shown}");
    let column = lines[2].find('^').expect("there is a caret");
    assert_eq!(lines[1].chars().nth(column), Some('é'), "{shown}");
    assert!(lines[1].starts_with("  …") && lines[1].ends_with('…'), "{shown}");
}

#[test]
fn check_knows_where_it_is() {
    let project = Project::plant();
    let code = |dir: &str, args: &[&str]| {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        project.run_in(dir, &[], &args, b"").code
    };
    // The root is where .git is, not where the line starts.
    assert_eq!(code("src/bin", &["check", "--", "cat ../../src/main.rs"]), 0);
    assert_eq!(code("src/bin", &["check", "--root", ".", "--", "cat ../main.rs"]), 1);
    assert_eq!(code("", &["check", "--cwd", "src", "--", "cat main.rs"]), 0);
    // A line that starts outside is a question, even if it touches nothing.
    assert_eq!(code("", &["check", "--root", "src", "--", "pwd"]), 1);
    // The name of another directory is not known: `..` from it may lead anywhere.
    assert_eq!(code("", &["check", "--cwd", "src", "--", "cd .."]), 1);
    let pwd = format!("{}/src", project.root());
    assert_eq!(code("", &["check", "--cwd", "src", "--pwd", &pwd, "--", "cd .."]), 0);
    assert_eq!(code("", &["check", "--home", project.root(), "--", "cd"]), 0);
    assert_eq!(code("", &["check", "--", "cd"]), 1);
    assert_eq!(code("", &["check", "--env", "CDPATH=/", "--", "cd src"]), 1);
    assert_eq!(code("", &["check", "--invocation", "typed", "--", "ls\nls"]), 1);
    // Without a view a link is a name like others.
    assert_eq!(code("", &["check", "--", "cat out/x"]), 1);
    assert_eq!(code("", &["check", "--view", "none", "--", "cat out/x"]), 0);
    // A line may stand in several words, and need not be text.
    assert_eq!(code("", &["check", "--", "cat", "src/main.rs"]), 0);
    let bytes = [OsStr::new("check"), OsStr::new("--"), OsStr::from_bytes(b"echo '\xff'")];
    assert_eq!(project.run_in("", &[], &bytes, b"").code, 1);
}

#[test]
fn check_answers_in_json() {
    let project = Project::plant();
    let answer = |line: &str| {
        let ended = project.run(&["check", "--json", "--", line], b"");
        serde_json::from_str::<Value>(&project.anonymous(&ended.stdout)).expect("JSON")
    };
    assert_eq!(
        answer("cd src; cat main.rs"),
        json!({
            "decision": "allow", "root": "@/p", "reasons": [],
            "plan": {"understood": true, "segments": [
                {"span": [0, 6], "cwd": ["@/p"], "argv": [{"is": "cd"}, {"is": "src"}],
                 "paths": [{"path": "@/p/src", "role": "enter", "span": [3, 6]}]},
                {"span": [8, 19], "cwd": ["@/p/src"], "argv": [{"is": "cat"}, {"is": "main.rs"}],
                 "paths": [{"path": "@/p/src/main.rs", "role": "read", "span": [12, 19]}]},
            ]},
        })
    );
    assert_eq!(
        answer("ls `"),
        json!({
            "decision": "ask",
            "reasons": [{
                "code": "not-understood/backquote", "span": [3, 4],
                "note": "a command substitution in backquotes runs what is in it",
            }],
            "plan": {"understood": false, "span": [3, 4], "construct": "backquote"},
        })
    );
    assert_eq!(answer("cd -; ls")["plan"]["segments"][1]["cwd"], Value::Null);
    let listed = &answer("ls -R src")["plan"]["segments"][0]["paths"];
    assert_eq!(
        *listed,
        json!([{"path": "@/p/src", "role": "list", "span": [6, 9], "under": true}])
    );
}

#[test]
fn batch_answers_in_order_and_echoes_ids() {
    let project = Project::plant();
    let ids = [json!(7), json!("a"), json!(null), json!([1, {"x": 1.50}])];
    let questions: Vec<Value> = (0..200)
        .map(|at| {
            let mut question = project.question(if at % 3 == 0 { "cat out/x" } else { "ls" });
            question["id"] = ids[at % ids.len()].clone();
            question
        })
        .collect();
    let answers = project.batch_of(&questions);
    assert_eq!(answers.len(), questions.len());
    for (at, answer) in answers.iter().enumerate() {
        assert_eq!(answer["decision"], if at % 3 == 0 { "ask" } else { "allow" });
        assert_eq!(answer["id"], ids[at % ids.len()]);
        assert!(answer.get("plan").is_none());
    }
}

#[test]
fn batch_takes_bytes_as_hex_and_gives_them_back() {
    let project = Project::plant();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut question = project.question("ls");
        change(&mut question);
        question
    };
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let answers = project.batch_of(&[
        with(&|it| {
            it["command_hex"] = hex("cat src").into();
            it.as_object_mut().expect("an object").remove("command");
            it["plan"] = true.into();
        }),
        with(&|it| it["cwd"] = json!({"hex": hex(project.root())})),
        with(&|it| {
            it["env"] = json!({"CDPATH": {"hex": "ff"}});
            it["command"] = "cd src".into();
            it["plan"] = true.into();
        }),
        with(&|it| it["cwd"] = json!({"hex": "f"})),
        with(&|it| it["command_hex"] = "6c73".into()),
    ]);
    assert_eq!(answers[0]["plan"]["segments"][0]["argv"][1], json!({"is": "src"}));
    assert_eq!(answers[1]["decision"], "allow");
    let tried = hex(project.root()) + "2fff2f" + &hex("src");
    assert_eq!(answers[2]["plan"]["segments"][0]["paths"][0]["path"], json!({"hex": tried}));
    assert!(answers[3]["error"].is_string() && answers[4]["error"].is_string());
}

#[test]
fn batch_asks_about_what_is_no_question() {
    let project = Project::plant();
    let good = project.question("ls").to_string();
    let mut extra = project.question("ls");
    extra["id"] = 5.into();
    extra["rooot"] = "/".into();
    let mut both = project.question("ls");
    both["roots"] = json!([project.root()]);
    let wrong = [
        extra.to_string().into_bytes(),
        both.to_string().into_bytes(),
        project.question("ls").to_string().replace("\"root\"", "\"home\"").into_bytes(),
        b"{".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"\xff\xfe".to_vec(),
        br#"{"command": "ls", "cwd": "/p", "root": "/p", "shells": "fish"}"#.to_vec(),
        br#"{"command": "ls", "cwd": "/p", "root": "p"}"#.to_vec(),
        br#"{"command": "ls", "cwd": "/p", "roots": []}"#.to_vec(),
        br#"{"command": "ls", "cwd": "/p", "root": "/", "id": "slash"}"#.to_vec(),
        br#"{"command": "ls", "command": "pwd", "cwd": "/p", "root": "/p"}"#.to_vec(),
    ];
    let mut input = Vec::new();
    for line in &wrong {
        input.extend_from_slice(line);
        input.extend_from_slice(b"\n\n");
        input.extend_from_slice(good.as_bytes());
        input.push(b'\n');
    }
    let answers = project.batch(&input);
    assert_eq!(answers.len(), 2 * wrong.len());
    for (at, pair) in answers.chunks(2).enumerate() {
        assert_eq!(pair[0]["decision"], "ask", "{}", pair[0]);
        assert_eq!(pair[0]["line"], 3 * at + 1, "{}", pair[0]);
        assert!(pair[0]["error"].as_str().is_some_and(|error| !error.is_empty()), "{}", pair[0]);
        assert!(pair[0].get("id").is_some(), "{}", pair[0]);
        assert_eq!(pair[1]["decision"], "allow", "after a wrong line: {}", pair[1]);
    }
    assert_eq!((&answers[0]["id"], &answers[20]["id"]), (&json!(5), &json!("slash")));
    assert!(project.batch(b"").is_empty());
    assert!(project.batch(b"\n \n").is_empty());
    assert_eq!(project.batch(good.as_bytes()).len(), 1, "the last newline may be missing");
}

#[test]
fn the_hook_answers_claude_code() {
    let project = Project::plant();
    let decides = |command: &str| project.hook_decides(&project.payload(command));
    assert_eq!(decides("cd src && cat main.rs").as_deref(), Some("allow"));
    assert_eq!(decides("cat out/x").as_deref(), Some("ask"));
    assert_eq!(decides("rm -rf /").as_deref(), Some("ask"));
    assert_eq!(decides("if \u{1b}[0m \0 \u{202e}").as_deref(), Some("ask"));
    for blank in ["", " \n\t"] {
        assert_eq!(decides(blank), None);
    }
    // Its project directory is the root, where it names one.
    let payload = project.payload("cat main.rs").to_string();
    let src = format!("{}/src", project.root());
    let args = [OsStr::new("hook"), OsStr::new("claude")];
    let with = |dir: &str, root: &str| {
        let payload = payload.replace(&format!("\"{}\"", project.root()), &json!(dir).to_string());
        let env = [("CLAUDE_PROJECT_DIR", root)];
        project.run_in("", &env, &args, payload.as_bytes()).stdout
    };
    assert!(with(&src, &src).contains("allow"));
    assert!(with(project.root(), &src).contains("ask"));
}

#[test]
fn the_hook_is_silent_about_what_is_not_its_business() {
    let project = Project::plant();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut payload = project.payload("cat out/x");
        change(&mut payload);
        project.hook_decides(&payload)
    };
    assert_eq!(changed(&|it| it["tool_name"] = "Read".into()), None);
    assert_eq!(changed(&|it| it["hook_event_name"] = "PostToolUse".into()), None);
    let ask = Some("ask");
    assert_eq!(changed(&|it| it["tool_input"] = json!({"file_path": "x"})).as_deref(), ask);
    assert_eq!(changed(&|it| it["tool_input"]["command"] = 7.into()).as_deref(), ask);
    assert_eq!(changed(&|it| it["more"] = json!({"deep": [1, 2]})).as_deref(), Some("ask"));
}

/// Whatever comes in, what goes out is an answer or silence, and never an allow.
#[test]
fn the_hook_never_allows_what_it_cannot_read() {
    let project = Project::plant();
    let good = project.payload("ls").to_string();
    assert_eq!(project.hook_decides(&project.payload("ls")).as_deref(), Some("allow"));
    let bom = ["\u{feff}", &good].concat();
    assert_eq!(project.hook(bom.as_bytes()).expect("an answer").0, "allow");
    let without_cwd = |cwd: Value| {
        let mut payload = project.payload("ls");
        payload["cwd"] = cwd;
        payload.to_string().into_bytes()
    };
    let garbage = [
        Vec::new(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"\xff\xfe\x00{".to_vec(),
        good.as_bytes()[..good.len() - 1].to_vec(),
        [good.as_bytes(), b"}"].concat(),
        b"[".repeat(100_000),
        without_cwd(Value::Null),
        without_cwd("".into()),
        without_cwd("relative".into()),
        without_cwd("/".into()),
        without_cwd("/proc/self/cwd".into()),
        without_cwd("/nosuch/dir".into()),
        without_cwd(format!("{}/src/main.rs", project.root()).into()),
    ];
    for input in garbage {
        let (decision, _) = project.hook(&input).unwrap_or_else(|| {
            panic!("no answer to {:?}", String::from_utf8_lossy(&input[..input.len().min(200)]))
        });
        assert_eq!(
            decision,
            "ask",
            "{:?}",
            String::from_utf8_lossy(&input[..input.len().min(200)])
        );
    }
}
