//! `shfence explain`: what a developer with a refused line reads.
#![forbid(unsafe_code)]

mod project;

use project::Project;
use serde_json::Value;
use std::ffi::OsStr;
use std::fmt::Write as _;

fn explain(project: &Project, options: &[&str], line: &str) -> (i32, String) {
    let args = [&["explain"], options, &["--", line]].concat();
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    let ended = project.run_in("", &[], &args, b"");
    assert_eq!(ended.stderr, "", "{line:?}");
    (ended.code, project.anonymous(&ended.stdout))
}

#[rustfmt::skip]
const LINES: &[(&[&str], &str)] = &[
    (&[], "cd src && cat main.rs"),
    (&[], "cd src; cat ../out/x"),
    (&[], "cd nosuch; cat ../outside/secret"),
    (&[], "[ -d src ] && cd src; ls ..; cd - && cat out"),
    (&[], "cd \"$DIR\" && ls"),
    (&["--env", "BASH_ENV=x"], "pwd"),
    (&[], "npm install && git push origin main"),
    (&[], "cat \"$FILE\""),
    (&[], "echo `ls`"),
    (&[], "bash -c 'rm x'"),
    (&[], "find src -name '*.rs' | xargs grep -n main"),
    (&[], "cat src/{main,lib}.rs"),
    (&[], "for f in a b; do wc -l $f > n; done"),
    (&[], "(cd src && ls bin); cat .env"),
    (&[], "cd src\ncat main.rs\nrm -r bin 2>/dev/null &"),
    (&["--view", "none"], "cat out/x"),
    (&["--shells", "bash", "--root", "src"], "ls -R out"),
    (&[], "exit; ls"),
];

#[test]
fn lines_are_explained() {
    let project = Project::plant();
    let mut page = String::new();
    for (options, line) in LINES {
        let options_shown: String = options.iter().map(|option| format!("{option} ")).collect();
        let (code, shown) = explain(&project, options, line);
        let _ = writeln!(
            page,
            "$ shfence explain {options_shown}-- {line:?}    [exit {code}]\n{shown}"
        );
    }
    insta::assert_snapshot!(page);
}

/// The exit code is that of `check`, and so are the reasons.
#[test]
fn nothing_is_judged_a_second_time() {
    let project = Project::plant();
    for (options, line) in LINES {
        let (code, text) = explain(&project, &[options, &["--json"][..]].concat(), line);
        let explained: Value = serde_json::from_str(&text).expect("an explanation is JSON");
        let args = [&["check"], *options, &["--json", "--", line]].concat();
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let checked = project.run_in("", &[], &args, b"");
        let answer: Value =
            serde_json::from_str(&project.anonymous(&checked.stdout)).expect("JSON");
        assert_eq!(code, checked.code, "{line:?}");
        assert_eq!(explained["decision"], answer["decision"], "{line:?}");
        assert_eq!(explained["root"], answer["root"], "{line:?}");
        assert_eq!(explained["understood"], answer["plan"]["understood"], "{line:?}");
        let notes = |of: &Value| {
            let reasons = of["reasons"].as_array().expect("a list").clone();
            reasons
                .into_iter()
                .map(|it| (it["code"].clone(), it["span"].clone(), it["note"].clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(notes(&explained), notes(&answer), "{line:?}");
    }
}

#[test]
fn json_says_where_paths_lead_and_through_what() {
    let project = Project::plant();
    let (code, text) = explain(&project, &["--json"], "cat out/x");
    let explained: Value = serde_json::from_str(&text).expect("an explanation is JSON");
    assert_eq!((code, &explained["roots"]), (1, &serde_json::json!(["@/p"])));
    let used = &explained["groups"][0]["segments"][0]["paths"][0];
    assert_eq!(
        *used,
        serde_json::json!({"text": "out/x", "from": "@/p", "role": "read",
            "path": "@/outside/x", "inside": false,
            "links": [{"at": "@/p/out", "target": "../outside"}]})
    );
}

/// Hostile text cannot reach the terminal.
#[test]
fn nothing_that_a_terminal_obeys_is_shown() {
    let project = Project::plant();
    std::os::unix::fs::symlink("../outside/\u{1b}[31m", project.root.join("red")).expect("a link");
    for line in [
        "cat red",
        "cat red/x",
        "echo '\u{1b}[2J'",
        "cat '\u{9b}31m'",
        "cd 'a\rb' && ls",
        "ls \u{202e}x",
    ] {
        let (_, shown) = explain(&project, &[], line);
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    }
}
