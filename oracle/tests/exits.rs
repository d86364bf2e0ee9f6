//! How commands end: the same for the same reason, whichever command it is.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/program.rs"]
mod program;

use program::{Ended, ends_with, oracle, run};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const ANYTHING: &str = "strawman:allow-everything";

/// A fixture whose line reads outside, in a folder of its own.
fn fixture() -> (TempDir, String) {
    let scratch = TempDir::new().unwrap();
    let path = scratch.path().join("path.of.exits.toml");
    let text = "schema = 1\ntitle = 'a test'\nshells = ['bash']\nline = 'cat ../outside/b'\n\
                expect = ['ask']\n[[tree]]\nfile = 'outside/b'\ntext = 'b'\n";
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (scratch, path)
}

/// A small campaign that has been run.
fn campaign(out: &Path, more: &[&str]) -> Ended {
    let fixed = ["campaign", "--cases", "2", "--seed", "3", "--jobs", "1", "--out"];
    run(&mut oracle(&[&fixed[..], &[out.to_str().unwrap()], more].concat()))
}

#[test]
fn what_cannot_be_printed_is_io() {
    let (scratch, fixture) = fixture();
    let at = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    campaign(&scratch.path().join("run"), &[]);
    let (run_dir, other, merged) = (at("run"), at("other"), at("merged"));
    let known = at("known.toml");
    std::fs::write(&known, "").unwrap();
    let table: [&[&str]; 13] = [
        &["--help"],
        &["try", "--help"],
        &["doctor"],
        &["doctor", "--json"],
        &["try", "--shells", "bash", "--", "ls"],
        &["repro", "3:0"],
        &["known", &known],
        &["replay", &fixture],
        &["minimize", &fixture, "--guard", ANYTHING],
        &["report", &run_dir],
        &["merge", &run_dir, "--out", &merged],
        &["compare", "--guard", "linked", "--cases", "1", "--fixtures", &fixture, "--jobs", "1"],
        &["bench", "--lines", "1", "--naive-every", "1", "--jobs", "1"],
    ];
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in table {
        let ended = oracle(arguments).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let ended = Ended::from(ended);
        assert_eq!(ended.code, Some(74), "{arguments:?}: {ended:#?}");
        assert!(ended.stderr.contains("standard output: "), "{arguments:?}: {ended:#?}");
    }
    let mut all = oracle(&["campaign", "--cases", "1", "--jobs", "1", "--out", &other]);
    let ended = Ended::from(all.stdout(full()).stderr(Stdio::piped()).output().unwrap());
    assert_eq!(ended.code, Some(74), "{ended:#?}");
}

#[test]
fn what_cannot_be_judged_is_not_clean() {
    let tried = |code, guard: &str, more: &[&str], line: &str| {
        let what = ["try", "--shells", "bash", "--guard", guard];
        ends_with(code, &[&what[..], more, &["--", line]].concat())
    };
    let ended = tried(70, ANYTHING, &[], "sleep 20");
    assert!(ended.stdout.contains("** inconclusive: time limit"), "{}", ended.stdout);
    let json = tried(70, ANYTHING, &["--json"], "sleep 20").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["shells"][0]["inconclusive"], "time limit", "{json}");
    // What was seen before the limit stands.
    let ended = tried(1, ANYTHING, &[], "cat ../outside/secret; sleep 20");
    assert!(ended.stdout.contains("** tree-escape"), "{}", ended.stdout);
    // Who has not allowed it cannot be wrong, however it goes on.
    let refused = tried(0, "linked", &[], "sleep 20; cat ../outside/secret");
    let told = &refused.stdout;
    assert!(told.contains("(time limit)") && !told.contains("inconclusive"), "{told}");
}

#[test]
fn a_guard_that_is_not_there_has_one_code() {
    let (scratch, fixture) = fixture();
    let out = scratch.path().join("run").to_str().unwrap().to_owned();
    for guard in ["cmd:/nosuch", "batch:/nosuch --all"] {
        let table: [&[&str]; 6] = [
            &["try", "--guard", guard, "--", "ls"],
            &["repro", "3:0", "--guard", guard],
            &["replay", &fixture, "--guard", guard],
            &["minimize", &fixture, "--guard", guard],
            &["campaign", "--cases", "1", "--out", &out, "--guard", guard],
            &["compare", "--cases", "1", "--fixtures", &fixture, "--guard", guard],
        ];
        for arguments in table {
            let ended = ends_with(69, arguments);
            assert!(ended.stderr.contains("/nosuch"), "{arguments:?}: {ended:#?}");
            assert_eq!(ended.stdout, "", "{arguments:?}");
        }
    }
    assert!(!Path::new(&out).exists());
    // The others are compared all the same.
    let both = ["compare", "--cases", "1", "--jobs", "1", "--fixtures", &fixture];
    let ended =
        ends_with(69, &[&both[..], &["--guard", "linked", "--guard", "cmd:/nosuch"]].concat());
    assert!(ended.stdout.contains("1 case of seed 1 and 1 fixture\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("not here: cmd:/nosuch: "), "{}", ended.stdout);
}

#[test]
fn a_comparison_that_was_stopped_says_so() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let (_scratch, fixture) = fixture();
        let mut command = oracle(&["compare", "--guard", "linked", "--cases", "1000000"]);
        command.args(["--fixtures", &fixture, "--jobs", "1"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap();
        // From this line on it takes note of signals.
        let mut told = String::new();
        BufReader::new(running.stderr.take().unwrap()).read_line(&mut told).unwrap();
        assert!(told.contains("1,000,000 cases of seed 1 and 1 fixture, 1 worker"), "{told}");
        std::thread::sleep(std::time::Duration::from_secs(2));
        let id = running.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let ended = Ended::from(running.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(code), "{ended:#?}");
        assert!(ended.stdout.contains("Cut short: "), "{ended:#?}");
        assert!(
            ended.stdout.contains("of 1,000,000 cases of seed 1 and 0 of 1 fixture\n"),
            "{ended:#?}"
        );
    }
}

/// What is there of the project where it is looked for only if nothing else is named.
#[test]
fn outside_of_the_project_what_is_not_there_is_not_passed_over() {
    let scratch = TempDir::new().unwrap();
    let here = |arguments: &[&str]| run(oracle(arguments).current_dir(scratch.path()));
    let known = here(&["known"]);
    assert_eq!(known.code, Some(74), "{known:#?}");
    assert!(known.stderr.contains("corpus/known.toml"), "{known:#?}");
    let compared = here(&["compare", "--guard", "linked", "--cases", "1", "--jobs", "1"]);
    assert_eq!(compared.code, Some(0), "{compared:#?}");
    assert!(compared.stderr.contains("no fixtures are compared"), "{compared:#?}");
    let nothing = here(&["compare", "--guard", "linked", "--cases", "0"]);
    assert_eq!(nothing.code, Some(64), "{nothing:#?}");
    let named = here(&["campaign", "--cases", "1", "--known", "none.toml", "--out", "run"]);
    assert_eq!(named.code, Some(74), "{named:#?}");
    assert!(!scratch.path().join("run").exists(), "{named:#?}");
    std::fs::create_dir(scratch.path().join("corpus")).unwrap();
    std::fs::write(scratch.path().join("corpus/known.toml"), "").unwrap();
    let known = here(&["known"]);
    assert_eq!((known.code, &*known.stdout), (Some(0), "no finding is known\n"));
}

#[test]
fn the_scripts_around_it_say_what_they_want() {
    let ci = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ci");
    for (script, arguments) in
        [("merge", &[][..]), ("merge", &["oracle"]), ("issues", &[]), ("issues", &["oracle"])]
    {
        let ended = run(Command::new(ci.join(script)).args(arguments));
        assert_eq!(ended.code, Some(64), "{script}: {ended:#?}");
        let usage = format!("usage: ci/{script} ORACLE RUN");
        assert!(ended.stderr.contains(&usage), "{script}: {ended:#?}");
    }
    let ended = run(Command::new(ci.join("bench")).arg("nosuch"));
    assert_eq!(ended.code, Some(64), "{ended:#?}");
    assert!(ended.stderr.contains("there is no 'nosuch'"), "{ended:#?}");
}
