//! Recordings: what was seen once is evidence against every guard that is asked later.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/program.rs"]
mod program;

use program::{Ended, ends_with};
use shfence_corpus::Fixture;
use shfence_oracle::guards::{Guard, Linked};
use shfence_oracle::recording::Recording;
use shfence_oracle::rejudge::{Rejudged, Until, rejudge};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A strawman that is caught on few lines.
const STRAWMAN: &str = "strawman:cd-always-succeeds";

/// Runs 60 cases with tools and keeps what was seen in `seen`.
fn record(scratch: &TempDir) -> PathBuf {
    let seen = scratch.path().join("seen");
    let out = scratch.path().join("run");
    let (to, out) = (seen.to_str().unwrap(), out.to_str().unwrap());
    let cases = ["campaign", "--cases", "60", "--seed", "3", "--lane", "tools", "--jobs", "2"];
    ends_with(0, &[&cases[..], &["--record", to, "--out", out]].concat());
    seen
}

fn judged(seen: &Path) -> Rejudged {
    rejudge(Recording::open_all(seen).unwrap(), &Linked, Until::End).unwrap()
}

fn told(code: i32, seen: &Path, more: &[&str]) -> Ended {
    ends_with(code, &[&["rejudge", seen.to_str().unwrap()], more].concat())
}

/// Another text in all files.
fn change(seen: &Path, from: &str, to: &str) {
    for file in std::fs::read_dir(seen).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace(from, to)).unwrap();
    }
}

/// The recording is that of `SHFENCE_RECORDING`, where it is set: then no shell is started here,
/// and a guard that was changed is held against what was seen before.
#[test]
fn the_guard_agrees_with_what_was_recorded() {
    let scratch = TempDir::new().unwrap();
    let seen = match std::env::var_os("SHFENCE_RECORDING") {
        Some(dir) => PathBuf::from(dir),
        None => record(&scratch),
    };
    let judged = rejudge(Recording::open_all(&seen).unwrap(), &Linked, Until::Contradicted);
    let judged = judged.unwrap();
    println!("{:#?}", judged.changes);
    assert!(judged.contradictions.is_empty(), "{:#?}", judged.contradictions);
    assert!(judged.incomparable.is_empty(), "{:?}", judged.incomparable);
    assert!(judged.allowed * 4 > judged.cases, "few lines are allowed: {judged:#?}");
    assert!(judged.runs >= 2 * judged.cases && judged.cases >= 60, "{judged:#?}");
}

/// What `replay` asks of the guard alone, without any shell.
#[test]
fn the_guard_says_of_every_fixture_what_is_expected() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/regressions");
    let fixtures = Fixture::load_all(&[corpus]).unwrap();
    assert!(!fixtures.is_empty());
    for Fixture { name, case, expect, .. } in &fixtures {
        let said = Linked.predict(case).unwrap().decision;
        assert!(expect.contains(&said), "{name}: {said}");
    }
}

#[test]
fn a_guard_that_was_not_there_is_caught_by_what_was_seen() {
    let scratch = TempDir::new().unwrap();
    let seen = record(&scratch);
    let clean = told(0, &seen, &[]);
    assert!(clean.stdout.starts_with("60 of 60 cases judged again"), "{}", clean.stdout);
    let caught = told(1, &seen, &["--guard", STRAWMAN]);
    let first = told(1, &seen, &["--guard", STRAWMAN, "--first"]);
    assert!(!first.stdout.contains("60 of 60 cases"), "{}", first.stdout);
    let repro = caught.stdout.lines().find_map(|it| it.trim().strip_prefix("shfence-oracle "));
    let words: Vec<&str> = repro.expect("it says how to run one again").split(' ').collect();
    ends_with(1, &words);
}

#[test]
fn what_the_guard_says_now_is_compared_with_what_it_said() {
    let scratch = TempDir::new().unwrap();
    let seen = record(&scratch);
    let allowed = judged(&seen).allowed;
    change(&seen, "\"linked\":[\"allow\"", "\"linked\":[\"ask\"");
    let more = told(0, &seen, &[]);
    let line = format!("ask before, allow now: {allowed} cases, such as 3:");
    assert!(more.stdout.contains(&line), "{}", more.stdout);
    change(&seen, "\"linked\":[\"ask\"", "\"linked\":[\"allow\"");
    let fewer = told(0, &seen, &[]);
    let line = format!("allow before, ask now: {} cases, such as 3:", 60 - allowed);
    assert!(fewer.stdout.contains(&line), "{}", fewer.stdout);
    change(&seen, "\"linked\":[\"allow\",", "\"linked\":[\"allow\",0],\"other\":[\"allow\",");
    let plans = told(0, &seen, &[]);
    assert!(plans.stdout.contains("the same verdict, another plan: "), "{}", plans.stdout);
}

#[test]
fn what_was_another_case_is_not_compared() {
    for (from, to, why) in [
        ("\"index\":", "\"index\":1", "60 cases cannot be compared: the case of this index"),
        ("\"generator\":\"", "\"generator\":\"0", "60 cases cannot be compared: the generators"),
    ] {
        let scratch = TempDir::new().unwrap();
        let seen = record(&scratch);
        change(&seen, from, to);
        let nothing = told(70, &seen, &[]);
        assert!(nothing.stdout.contains(why), "{nothing:#?}");
        assert!(nothing.stdout.contains("0 of 60 cases judged"), "{nothing:#?}");
    }
}

#[test]
fn a_recording_that_is_none_is_an_error() {
    let scratch = TempDir::new().unwrap();
    let none = scratch.path().join("nowhere");
    told(74, &none, &[]);
    told(64, scratch.path(), &[]);
    std::fs::write(scratch.path().join("worker-0.jsonl"), "{}\n").unwrap();
    let wrong = told(64, scratch.path(), &[]);
    assert!(wrong.stderr.contains("worker-0.jsonl: line 1"), "{}", wrong.stderr);
    let out = scratch.path().join("run");
    let to = scratch.path().to_str().unwrap();
    let over = ["--record", to, "--out", out.to_str().unwrap()];
    let over = ends_with(74, &[&["campaign", "--cases", "1", "--seed", "1"], &over[..]].concat());
    assert!(over.stderr.contains("name another directory"), "{}", over.stderr);
    assert!(!out.exists(), "nothing was run");
}
