//! What is merged belongs together. That shards together are the whole is tested where they run.
#![forbid(unsafe_code)]

#[allow(dead_code, reason = "each test uses a part of it")]
mod support;

use shfence_reports::{
    History, Limit, Manifest, MergeError, Run, RunWriter, ShardOf, html, markdown, merge,
};
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
fn what_is_missing_is_counted_and_named() {
    let scratch = TempDir::new().expect("a directory");
    let shard = |index| {
        let count = 3;
        shard(scratch.path(), index, |it| it.shard = ShardOf { index, count })
    };
    let merged = |name: &str, runs| {
        let out = scratch.path().join(name);
        merge(runs, &out, Vec::new(), &mut |_, _| None).expect("merged")
    };
    let run = merged("one", vec![shard(2)]);
    // The campaign asked 1,000 cases: what the missing ones asked, of which nothing is known, is
    // their share of it.
    let asked = run.summary.as_ref().and_then(|it| it.cases_asked);
    assert_eq!(asked, Some(334 + 333 + 1_000), "a shard says itself what it asked");
    assert_eq!(run.notes, ["Shards 0, 1 of 3 are missing."]);
    let page = html(&run, &History::default());
    for text in [markdown(&run), page.clone()] {
        assert!(text.contains("of 1,667 asked"), "{text}");
        assert!(text.contains("Shards 0, 1 of 3 are missing."), "{text}");
        for (index, ended) in [(0, "missing"), (1, "missing"), (2, "complete")] {
            let row = text.lines().find(|line| line.contains(&format!("{index}/3")));
            assert!(row.is_some_and(|row| row.contains(ended)), "{index}: {text}");
        }
    }
    let whole = merged("all", vec![shard(0), shard(1), shard(2)]);
    assert_eq!(whole.notes, [""; 0]);
    assert!(!markdown(&whole).contains("missing"));
}

#[test]
fn nothing_is_no_campaign() {
    let scratch = TempDir::new().expect("a directory");
    let merged = merge(Vec::new(), &scratch.path().join("merged"), Vec::new(), &mut |_, _| None);
    assert!(matches!(merged, Err(MergeError::Nothing)), "{merged:?}");
}
