//! Shards, merged, are the run that a single campaign would have been.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/figures.rs"]
mod figures;
#[path = "common/program.rs"]
mod program;

use figures::Figures;
use program::{ends_with, oracle, run};
use shfence_reports::{Ended, Run, ShardOf, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const STRAWMAN: &str = "strawman:cd-always-succeeds";

/// Runs a shard of a campaign of 28 cases.
fn shard(dir: &Path, shard: &str, more: &[&str]) -> PathBuf {
    let out = dir.join(shard.replace('/', "-of-") + &more.concat());
    let fixed = ["campaign", "--cases", "28", "--seed", "5", "--guard", "linked"];
    let rest = ["--guard", STRAWMAN, "--shard", shard, "--out", out.to_str().unwrap()];
    let ended = run(&mut oracle(&[&fixed[..], &rest, more].concat()));
    assert!(out.join("summary.json").exists(), "{ended:#?}");
    out
}

fn merge(code: i32, shards: &[PathBuf], out: &Path) -> program::Ended {
    let mut arguments = vec!["merge"];
    arguments.extend(shards.iter().map(|dir| dir.to_str().unwrap()));
    arguments.extend(["--out", out.to_str().unwrap()]);
    ends_with(code, &arguments)
}

/// The guards and signatures of the findings of a run: those that are minimised, and the others.
fn by_size(run: &Run) -> [BTreeSet<(String, String)>; 2] {
    [true, false].map(|minimised| {
        let of_it =
            run.findings.iter().map(|it| &it.finding).filter(|it| it.minimised == minimised);
        of_it.map(|it| (it.guard.clone(), it.signature.to_string())).collect()
    })
}

/// Makes of a finished shard one that was interrupted after no case.
fn interrupted(dir: &Path) {
    let path = dir.join("summary.json");
    let mut summary = Run::read(dir).unwrap().summary.unwrap();
    (summary.ended, summary.cases_run) = (Some(Ended::Interrupted), 0);
    std::fs::write(path, serde_json::to_string(&summary).unwrap()).unwrap();
}

#[test]
fn shards_together_are_the_whole() {
    let scratch = TempDir::new().unwrap();
    // One worker each: of two cases that show the same, the one that is minimised first is kept,
    // and workers beside each other do not tell which that is.
    let whole = Run::read(&shard(scratch.path(), "0/1", &["--jobs=1"])).unwrap();
    assert!(!whole.findings.is_empty(), "nothing is found that could be lost");
    let of_whole = whole.verdict().exit_code().code().into();
    for count in [1, 2, 3, 7] {
        let dir = scratch.path().join(count.to_string());
        let name = |index| format!("{index}/{count}");
        let mut shards: Vec<PathBuf> =
            (0..count).map(|index| shard(&dir, &name(index), &["--jobs=1"])).collect();
        // One was stopped and run again; which is named first plays no role.
        let stopped = shard(&dir, &name(0), &["--jobs=2"]);
        interrupted(&stopped);
        shards.insert(count / 2, stopped);
        shards.reverse();
        let out = dir.join("merged");
        merge(of_whole, &shards, &out);
        let merged = Run::read(&out).unwrap();
        assert_eq!(merged.notes, [""; 0]);
        assert_eq!(Figures::of(&merged), Figures::of(&whole), "{count} shards");
        assert_eq!(merged.manifest.parts.len(), count);
        assert!(merged.findings.iter().all(|it| it.fixture.is_some()));
        let first = |run: &Run| run.findings.iter().map(|it| it.finding.index).min();
        assert_eq!(first(&merged), first(&whole), "{count} shards");
    }
}

#[test]
fn what_shards_have_not_minimised_is_minimised_when_they_are_merged() {
    let scratch = TempDir::new().unwrap();
    let whole = Run::read(&shard(scratch.path(), "0/1", &["--jobs=1"])).unwrap();
    let shards = ["0/2", "1/2"].map(|it| shard(scratch.path(), it, &["--no-minimise", "--jobs=1"]));
    let code = whole.verdict().exit_code().code().into();
    let left = scratch.path().join("left");
    let mut arguments = vec!["merge", "--no-minimise", "--out", left.to_str().unwrap()];
    arguments.extend(shards.iter().map(|dir| dir.to_str().unwrap()));
    ends_with(code, &arguments);
    let [_, as_found] = by_size(&Run::read(&left).unwrap());
    assert!(!as_found.is_empty(), "these shards have nothing to minimise");
    let out = scratch.path().join("merged");
    let told = merge(code, &shards, &out);
    assert!(!told.stderr.contains("not minimised"), "{}", told.stderr);
    let merged = Run::read(&out).unwrap();
    assert_eq!(merged.notes, [""; 0]);
    assert!(!merged.manifest.minimises && whole.manifest.minimises);
    let ([small, as_found], [of_whole, _]) = (by_size(&merged), by_size(&whole));
    assert!(of_whole.is_subset(&small), "{of_whole:?} {small:?}");
    // Of a strawman, one of a kind is enough.
    let kind = |it: &(String, String)| it.1.split('/').next().map(str::to_owned);
    let kinds: BTreeSet<_> = small.iter().map(kind).collect();
    assert!(as_found.iter().all(|it| kinds.contains(&kind(it))), "{as_found:?} {small:?}");
    for it in merged.findings.iter().filter(|it| it.finding.minimised) {
        let fixture = it.fixture.as_ref().unwrap();
        assert_eq!(fixture.case.line, it.finding.line, "the evidence is that of another line");
        assert!(!it.steps.is_empty(), "{}", it.finding.signature);
    }
    merge(74, &shards, &out);
    // Where nothing can be run, it says so, and all stays as it was found.
    let elsewhere = scratch.path().join("elsewhere");
    let last = arguments.len() - 2;
    let arguments = [&["merge", "--out", elsewhere.to_str().unwrap()], &arguments[last..]].concat();
    let told = run(oracle(&arguments).env("ORACLE_TIER", "landlock"));
    assert_eq!(told.code, Some(code), "{told:#?}");
    assert!(told.stderr.contains("not minimised: "), "{}", told.stderr);
    let (left, elsewhere) = (Run::read(&left).unwrap(), Run::read(&elsewhere).unwrap());
    assert_eq!(by_size(&elsewhere), by_size(&left));
}

#[test]
fn what_is_missing_leaves_it_unfinished() {
    let scratch = TempDir::new().unwrap();
    let shards = [shard(scratch.path(), "0/3", &[]), shard(scratch.path(), "1/3", &[])];
    let out = scratch.path().join("merged");
    let code = match Run::read(&shards[0]).unwrap().findings.len() {
        0 => 70,
        _ => 1,
    };
    interrupted(&shards[1]);
    let told = merge(code, &shards, &out).stdout;
    let lines = ["shard 1/3: interrupted after 0 cases\n", "shard 2/3: is missing\n"];
    assert!(lines.iter().all(|it| told.contains(it)) && !told.contains("shard 0/3"), "{told}");
    let run = Run::read(&out).unwrap();
    assert!(matches!(run.verdict(), Verdict::Unfinished(_)), "{}", run.verdict());
    let page = std::fs::read_to_string(out.join("summary.md")).unwrap();
    assert!(page.contains("## Shards") && page.contains("1/3"), "{page}");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let scratch = TempDir::new().unwrap();
    let one = shard(scratch.path(), "0/2", &[]);
    let other = shard(scratch.path(), "1/2", &["--lane=tools"]);
    let out = scratch.path().join("merged");
    let refused = merge(64, &[one.clone(), other], &out);
    assert!(refused.stderr.contains("they differ in lane"), "{}", refused.stderr);
    let of_three = shard(scratch.path(), "1/3", &[]);
    let refused = merge(64, &[one, of_three], &out);
    assert!(refused.stderr.contains("they differ in number of shards"), "{}", refused.stderr);
    assert!(!out.exists(), "a refused merge leaves a directory");
    merge(74, &[scratch.path().join("none")], &out);
}

#[test]
fn an_engine_may_say_which_shard_it_is() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("run");
    let what = ["campaign", "--cases", "4", "--seed", "3", "--out", out.to_str().unwrap()];
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "6"),
        ("SLURM_ARRAY_TASK_MIN", "5"),
        ("SLURM_ARRAY_TASK_COUNT", "3"),
    ];
    let half = run(oracle(&what).env(slurm[0].0, slurm[0].1));
    assert_eq!(half.code, Some(64), "{half:#?}");
    assert!(half.stderr.contains("without SLURM_ARRAY_TASK_COUNT"), "{}", half.stderr);
    assert!(!out.exists());
    let told = run(oracle(&what).envs(slurm));
    assert!(told.stderr.contains("shard 1/3, as Slurm says"), "{}", told.stderr);
    assert_eq!(Run::read(&out).unwrap().manifest.shard, ShardOf { index: 1, count: 3 });
    // What is said on the command line holds, whatever the surroundings say.
    let other = scratch.path().join("other");
    let what = [&what[..6], &[other.to_str().unwrap(), "--shard", "0/4"]].concat();
    let bazel = [("TEST_SHARD_INDEX", "1"), ("TEST_TOTAL_SHARDS", "2")];
    run(oracle(&what).envs(bazel));
    assert_eq!(Run::read(&other).unwrap().manifest.shard, ShardOf { index: 0, count: 4 });
}
