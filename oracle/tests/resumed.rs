//! Campaigns that were stopped or killed and go on as if nothing had been.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/figures.rs"]
mod figures;
#[path = "common/program.rs"]
mod program;

use figures::Figures;
use program::{Ended, ends_with, oracle, run};
use shfence_reports::{Run, Verdict};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WHAT: [&str; 7] = ["campaign", "--cases", "150", "--seed", "3", "--guard", "linked"];
const MORE: [&str; 7] = ["campaign", "--cases", "300", "--seed", "3", "--guard", "linked"];

/// Starts it, and sends it a signal after a while. Says what it left.
fn stopped(arguments: &[&str], signal: &str, after: Duration, dir: &Path) -> Option<Run> {
    let mut command = oracle(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    let pid = child.id().to_string();
    // It may have ended already.
    let _ = Command::new("kill").args(["-s", signal, &pid]).stderr(Stdio::null()).status();
    child.wait().unwrap();
    Run::read(dir).ok()
}

#[test]
fn a_campaign_goes_on_as_if_it_had_not_been_stopped() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("whole");
    let started = Instant::now();
    ends_with(0, &[&MORE[..], &["--out", out.to_str().unwrap()]].concat());
    let whole = Run::read(&out).unwrap();
    // Where its cases are: it ends with them.
    let took = started.elapsed();

    let mut went_on = 0;
    for signal in ["INT", "TERM", "KILL"] {
        let dir = scratch.path().join(signal);
        let out = dir.to_str().unwrap();
        let first = [&MORE[..], &["--out", out]].concat();
        let again = ["campaign", "--resume", out];
        // Twice, if the first signal came while it was getting ready.
        let mut left = stopped(&first, signal, took.mul_f64(0.6), &dir);
        for share in [0.6, 0.5] {
            let done =
                left.as_ref().and_then(|it| it.summary.as_ref()).map_or(0, |it| it.cases_run);
            went_on += u64::from(done > 0 && done < 300);
            if left.is_some() && done < 300 {
                left = stopped(&again, signal, took.mul_f64(share), &dir);
            }
        }
        if left.is_none() {
            continue;
        }
        let ended: Ended = run(&mut oracle(&["campaign", "--resume", out]));
        let run = Run::read(&dir).unwrap();
        assert_eq!(run.verdict(), Verdict::Clean, "{signal}: {ended:#?}");
        assert_eq!(Figures::of(&run), Figures::of(&whole), "{signal}");
        let summary = run.summary.unwrap();
        assert_eq!((summary.cases_run, summary.reached.next), (300, 300), "{signal}");
        assert!(summary.reached.open.is_empty(), "{signal}: {:?}", summary.reached);
    }
    assert!(went_on > 0, "none had begun and not ended when it was stopped");
}

#[test]
fn what_is_complete_stays_as_it_is() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().to_str().unwrap();
    ends_with(0, &["campaign", "--cases", "2", "--seed", "3", "--out", out]);
    let before = std::fs::read(scratch.path().join("summary.json")).unwrap();
    ends_with(0, &["campaign", "--resume", out]);
    assert_eq!(std::fs::read(scratch.path().join("summary.json")).unwrap(), before);
}

#[test]
fn another_guard_or_other_shells_cannot_go_on_with_it() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().to_str().unwrap();
    ends_with(0, &["campaign", "--cases", "1", "--seed", "3", "--out", out]);
    let path = scratch.path().join("manifest.json");
    let manifest = std::fs::read_to_string(&path).unwrap();
    let changes = [
        ("\"name\": \"dash\"", "\"name\": \"another\"", "the set of shells was"),
        ("\"guard_version\": \"", "\"guard_version\": \"9", "the guard's version was 9"),
        ("\"generator\": \"", "\"generator\": \"9", "the generators' revision was 9"),
    ];
    for (from, to, said) in changes {
        std::fs::write(&path, manifest.replacen(from, to, 1)).unwrap();
        let refused = ends_with(64, &["campaign", "--resume", out]);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
    std::fs::remove_file(&path).unwrap();
    ends_with(74, &["campaign", "--resume", out]);
}

#[test]
fn what_is_started_again_in_its_place_goes_on() {
    let scratch = TempDir::new().unwrap();
    let (all, dir) = (scratch.path(), scratch.path().join("1-of-2"));
    let shard = ["--shard", "1/2", "--into", all.to_str().unwrap()];
    let again = [&WHAT[..], &shard].concat();
    let left = stopped(&again, "KILL", Duration::from_millis(700), &dir);
    ends_with(0, &again);
    let run = Run::read(&dir).unwrap();
    assert_eq!((run.verdict(), run.summary.unwrap().cases_run), (Verdict::Clean, 75), "{left:?}");
    let before = std::fs::read(dir.join("summary.json")).unwrap();
    ends_with(0, &again);
    assert_eq!(std::fs::read(dir.join("summary.json")).unwrap(), before);
    for (other, said) in [
        (["--lane", "tools"], "the lane was each case's own and is tools"),
        (["--guard", "strawman:any-segment"], "the list of guards was linked and is"),
    ] {
        let refused = ends_with(64, &[&again[..], &other].concat());
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

/// What starts campaigns may take one for dead that is not.
#[test]
fn two_processes_do_not_write_one_run() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("run");
    let endless = ["campaign", "--seconds", "600", "--seed", "3", "--out", out.to_str().unwrap()];
    let mut command = oracle(&endless);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while !out.join("findings.jsonl").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    let again = ["campaign", "--resume", out.to_str().unwrap()];
    let refused = run(&mut oracle(&again));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(refused.code, Some(74), "{refused:#?}");
    assert!(refused.stderr.contains("another process"), "{}", refused.stderr);
}

/// The processes that a campaign has started and watches.
fn workers(campaign: u32) -> Vec<String> {
    let threads = std::fs::read_dir(format!("/proc/{campaign}/task")).unwrap().flatten();
    let children = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")));
    let children: Vec<String> = children.map(Result::unwrap_or_default).collect();
    children.join(" ").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_worker_that_is_killed_loses_its_case_and_no_more() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("run");
    let dir = out.to_str().unwrap();
    let mut command = oracle(&[&WHAT[..], &["--out", dir]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !out.join("findings.jsonl").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let killed = workers(child.id());
    assert!(!killed.is_empty(), "it has no workers");
    // One of them may have ended already.
    let _ = Command::new("kill").arg("-KILL").args(&killed).stderr(Stdio::null()).status();
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, Some(70), "{ended:#?}");
    assert!(ended.stdout.contains("harness fault: "), "{}", ended.stdout);
    let run = Run::read(&out).unwrap();
    let summary = run.summary.unwrap();
    let (run_so_far, open) = (summary.cases_run, summary.reached.open.len() as u64);
    assert_eq!(run_so_far + open, summary.reached.next, "a case is lost from the books");
    assert!(open as usize <= run.manifest.jobs as usize, "{open} cases lost");
    ends_with(0, &["campaign", "--resume", dir]);
    let summary = Run::read(&out).unwrap().summary.unwrap();
    assert_eq!((summary.cases_run, summary.reached.open.len()), (150, 0));
}
