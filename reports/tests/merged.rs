//! What is merged belongs together. That shards together are the whole is tested where they run.
#![forbid(unsafe_code)]

#[allow(dead_code, reason = "each test uses a part of it")]
mod support;

use shfence_reports::{Limit, Manifest, MergeError, Run, RunWriter, ShardOf, merge};
use std::path::Path;
use support::{manifest, summary};
use tempfile::TempDir;

/// A complete shard without findings.
fn shard(dir: &Path, index: u64, change: impl FnOnce(&mut Manifest)) -> Run {
    let mut manifest = Manifest { shard: ShardOf { index, count: 2 }, ..manifest() };
    change(&mut manifest);
    let name = format!("{index}-{}", dir.read_dir().expect("a directory").count());
    let writer = RunWriter::create(&dir.join(name), &manifest).expect("a new directory");
    writer.finish(&summary(0)).expect("finished")
}

/// A change of a manifest.
type Change = fn(&mut Manifest);

#[test]
fn parts_of_different_campaigns_are_refused() {
    let changes: [(&str, Change); 9] = [
        ("seed", |it| it.seed += 1),
        ("generators' revision", |it| it.generator.push('x')),
        ("number of shards", |it| it.shard.count = 3),
        ("limit", |it| it.limit = Limit::Seconds(9)),
        ("list of guards", |it| it.guards = vec!["other".to_owned()]),
        ("list of strawmen", |it| it.strawmen.clear()),
        ("guard's version", |it| it.guard_version.push_str("+other")),
        ("lane", |it| it.lane = Some("tools".to_owned())),
        ("set of shells", |it| it.shells[0].version.push('x')),
    ];
    for (what, change) in changes {
        let scratch = TempDir::new().expect("a directory");
        let runs = vec![shard(scratch.path(), 0, |_| ()), shard(scratch.path(), 1, change)];
        let out = scratch.path().join("merged");
        let told = match merge(runs, &out, Vec::new(), &mut |_, _| None) {
            Err(MergeError::NotTogether(told)) => told,
            other => panic!("{what}: {other:?}"),
        };
        assert!(told.contains(&format!("they differ in {what}: ")), "{told}");
        assert!(!out.exists(), "{what}: a refused merge leaves a directory");
    }
}

#[test]
fn where_and_when_a_shard_ran_is_no_difference() {
    let scratch = TempDir::new().expect("a directory");
    let elsewhere = |it: &mut Manifest| {
        it.jobs = 64;
        it.kernel = "another".to_owned();
        it.containment = "another".to_owned();
        it.started = "2026-11-30T09:00:00Z".to_owned();
        it.command.clear();
    };
    let runs = vec![shard(scratch.path(), 0, |_| ()), shard(scratch.path(), 1, elsewhere)];
    let run =
        merge(runs, &scratch.path().join("merged"), Vec::new(), &mut |_, _| None).expect("merged");
    assert_eq!((run.manifest.jobs, run.manifest.parts.len()), (66, 2));
    assert_eq!(run.manifest.started, "2026-11-30T09:00:00Z");
}

#[test]
fn nothing_is_no_campaign() {
    let scratch = TempDir::new().expect("a directory");
    let merged = merge(Vec::new(), &scratch.path().join("merged"), Vec::new(), &mut |_, _| None);
    assert!(matches!(merged, Err(MergeError::Nothing)), "{merged:?}");
}
