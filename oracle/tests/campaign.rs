//! Campaigns as they are run from a command line: what they count, how they end, what they leave.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/figures.rs"]
mod figures;
#[path = "common/program.rs"]
mod program;

use figures::Figures;
use program::{ends_with, oracle, run};
use shfence_corpus::FindingKind;
use shfence_reports::{Run, Verdict};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A strawman that is caught on few lines, so that a small campaign minimises little.
const STRAWMAN: &str = "strawman:cd-always-succeeds";

/// Runs a campaign of 60 cases against the guard and a strawman, and reads what it left.
fn campaign(out: &Path, more: &[&str]) -> Run {
    let out = out.to_str().unwrap();
    let fixed = ["campaign", "--cases", "60", "--seed", "3", "--guard", "linked", "--out", out];
    let ended = run(&mut oracle(&[&fixed[..], &["--guard", STRAWMAN], more].concat()));
    let run = Run::read(Path::new(out)).unwrap_or_else(|error| panic!("{error}: {ended:#?}"));
    assert_eq!(run.notes, [""; 0], "{ended:#?}");
    assert_eq!(ended.code, Some(run.verdict().exit_code().code().into()), "{ended:#?}");
    assert!(matches!(run.verdict(), Verdict::Clean | Verdict::NewFindings(_)), "{ended:#?}");
    let summary = run.summary.as_ref().unwrap();
    assert_eq!(summary.cases_asked, Some(summary.cases_run));
    run
}

#[test]
fn what_is_counted_depends_on_the_cases_alone() {
    let scratch = TempDir::new().unwrap();
    let whole = campaign(&scratch.path().join("one"), &["--jobs", "1"]);
    let figures = Figures::of(&whole);
    assert_eq!(whole.summary.as_ref().unwrap().cases_run, 60);
    let (counts, first) = figures.guards[STRAWMAN];
    assert_eq!(counts[..3].iter().sum::<u64>(), 60);
    assert!(first.is_some(), "60 cases do not catch {STRAWMAN}: {figures:#?}");
    // With more workers, and where there are two processors more than those.
    let many = campaign(&scratch.path().join("three"), &["--jobs", "3"]);
    assert_eq!(Figures::of(&many), figures);
}

#[test]
fn a_finding_is_shown_again_by_all_that_is_left_of_it() {
    let scratch = TempDir::new().unwrap();
    let dir = scratch.path().join("run");
    let out = dir.to_str().unwrap();
    let guard = "strawman:lexical-only";
    // With tools, since few cases are to show both kinds.
    let few = ["campaign", "--cases", "60", "--seed", "5", "--lane", "tools"];
    let arguments = [&few[..], &["--guard", guard, "--out", out]].concat();
    let ended = ends_with(1, &arguments);
    let run = Run::read(&dir).unwrap();
    let has = |kind| run.findings.iter().any(|it| it.finding.kind == kind);
    assert!(has(FindingKind::TreeEscape) && has(FindingKind::GroupEscape), "{ended:#?}");
    for recorded in &run.findings {
        let finding = &recorded.finding;
        assert!(ended.stdout.contains(&finding.repro), "{}", ended.stdout);
        let words: Vec<&str> = finding.repro.split(' ').collect();
        assert_eq!(words[0], "shfence-oracle");
        ends_with(1, &words[1..]);
        ends_with(1, &["repro", finding.signature.as_str(), "--run", out]);
    }
    let folder = dir.join("findings");
    let folder = folder.to_str().unwrap();
    let all = run.findings.len();
    let held = ends_with(0, &["replay", folder]);
    assert!(held.stdout.contains(&format!("{all} passed, 0 failed")), "{}", held.stdout);
    let failed = ends_with(1, &["replay", "--guard", guard, folder]);
    assert!(failed.stdout.contains(&format!("0 passed, {all} failed")), "{}", failed.stdout);
}

#[test]
fn a_directory_that_holds_a_run_is_left_alone() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().to_str().unwrap();
    ends_with(0, &["campaign", "--cases", "1", "--seed", "3", "--out", out]);
    let before = std::fs::read(scratch.path().join("manifest.json")).unwrap();
    let refused = ends_with(74, &["campaign", "--cases", "2", "--seed", "4", "--out", out]);
    assert!(refused.stderr.contains(out), "{}", refused.stderr);
    assert!(refused.stderr.contains("name another directory"), "{}", refused.stderr);
    assert_eq!(std::fs::read(scratch.path().join("manifest.json")).unwrap(), before);
    assert_eq!(Run::read(scratch.path()).unwrap().verdict(), Verdict::Clean);
}

#[test]
fn the_harness_is_faulty_if_strawmen_stay_uncaught() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().to_str().unwrap();
    let few = ["--compare", "2", "--cases", "1", "--seed", "1"];
    let ended = ends_with(70, &[&["selftest"], &few[..], &["--out", out]].concat());
    assert!(ended.stdout.contains("\n2 of 2 cases compared in "), "{}", ended.stdout);
    assert!(!ended.stdout.contains("does not agree"), "{}", ended.stdout);
    assert!(ended.stdout.contains("were not caught wherever they are wrong"), "{}", ended.stdout);
}

/// A campaign without end against a strawman, in a process group of its own.
struct Endless {
    child: Child,
    dir: PathBuf,
    _scratch: TempDir,
}

impl Endless {
    /// Starts it and waits until it has found something.
    fn new() -> Endless {
        let scratch = TempDir::new().unwrap();
        let dir = scratch.path().join("run");
        let limits = ["campaign", "--seconds", "600", "--seed", "3", "--jobs", "2"];
        let rest = ["--guard", STRAWMAN, "--out", dir.to_str().unwrap()];
        let child = oracle(&[&limits[..], &rest].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let endless = Endless { child, dir, _scratch: scratch };
        let findings = endless.dir.join("findings.jsonl");
        wait_until("it finds nothing", || {
            std::fs::metadata(&findings).is_ok_and(|file| file.len() > 0)
        });
        endless
    }

    /// Sends a signal to a process, or to its whole group as a terminal does. Returns the code that
    /// the campaign ends with, and what it left.
    fn end(&mut self, signal: &str, to: &str) -> (Option<i32>, Run) {
        let sent = Command::new("kill").args(["-s", signal, "--", to]).status().unwrap();
        assert!(sent.success(), "kill -s {signal} -- {to}");
        let mut status = None;
        wait_until("it does not end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        (status.unwrap().code(), Run::read(&self.dir).unwrap())
    }

    fn pid(&self) -> String {
        self.child.id().to_string()
    }

    /// The children of all its threads.
    fn workers(&self) -> Vec<String> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let children = tasks.map(|task| task.unwrap().path().join("children"));
        let pids = children.map(|file| std::fs::read_to_string(file).unwrap());
        pids.flat_map(|pids| pids.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn wait_until(complaint: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(60), "in a minute, {complaint}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupted_campaign_closes_its_books() {
    for (signal, group, code) in [("INT", "-", 130), ("TERM", "", 143)] {
        let mut campaign = Endless::new();
        let to = format!("{group}{}", campaign.pid());
        let (exit, run) = campaign.end(signal, &to);
        assert_eq!(exit, Some(code), "{signal}");
        let new = match run.verdict() {
            Verdict::Interrupted(new) if code == 130 => new,
            Verdict::Terminated(new) if code == 143 => new,
            verdict => panic!("{signal}: {verdict}"),
        };
        assert!(new > 0 && run.notes.is_empty(), "{signal}: {:?}", run.notes);
        assert!(run.findings.iter().all(|it| it.fixture.is_some()), "{signal}");
        assert!(run.dir.join("summary.md").exists(), "{signal}");
    }
}

#[test]
fn a_killed_campaign_can_be_read_and_leaves_no_worker() {
    let mut campaign = Endless::new();
    let workers = campaign.workers();
    assert_eq!(workers.len(), 6, "two jobs, three lanes");
    let (exit, run) = campaign.end("KILL", &campaign.pid());
    assert_eq!(exit, None);
    assert!(matches!(run.verdict(), Verdict::Unfinished(1..)), "{}", run.verdict());
    assert!(!run.notes.is_empty(), "nothing says that it was cut off");
    assert_eq!(run.verdict().exit_code().code(), 1);
    // Of a process that has ended and that nobody has waited for, the command line is empty.
    let ended = |pid: &String| {
        std::fs::read(format!("/proc/{pid}/cmdline")).map_or(true, |words| words.is_empty())
    };
    wait_until("its workers do not end", || workers.iter().all(ended));
}

#[test]
fn a_lost_worker_is_a_fault_and_no_result() {
    let mut campaign = Endless::new();
    let (exit, run) = campaign.end("KILL", &campaign.workers()[0]);
    assert_eq!(exit, Some(70));
    assert!(matches!(run.verdict(), Verdict::Fault(_)), "{}", run.verdict());
}

/// One case of sixty-one of all with four tokens; the shipped guard agrees with the shells about
/// them, and one that believes in every `cd` does not, as the named case shows again.
#[test]
fn a_small_scope_is_run_to_its_end() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("run");
    let fixed = ["campaign", "--small", "4", "--shard", "7/61", "--guard", "linked"];
    let more = ["--guard", STRAWMAN, "--out", out.to_str().unwrap()];
    let ended = run(&mut oracle(&[&fixed[..], &more].concat()));
    let run = Run::read(&out).unwrap_or_else(|error| panic!("{error}: {ended:#?}"));
    let summary = run.summary.as_ref().unwrap();
    assert_eq!(summary.cases_asked, Some(summary.cases_run), "{ended:#?}");
    assert!(summary.guards["linked"].verdicts.allow > 100, "{summary:#?}");
    assert_eq!(summary.guards["linked"].findings, 0, "{ended:#?}");
    let found = run.findings.first().map(|it| &it.finding).expect("the strawman is caught");
    assert_eq!(found.guard, STRAWMAN);
    assert!(found.repro.contains("repro small-4:"), "{}", found.repro);
    let words: Vec<&str> = found.repro.split(' ').skip(1).collect();
    ends_with(1, &words);
}
