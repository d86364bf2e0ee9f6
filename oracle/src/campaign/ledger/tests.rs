//! The books of campaigns that were never run.

use super::*;
use crate::guards::{GuardName, Strawman};
use crate::signature::Way;
use crate::trace::{ShellId, TouchKind};
use shfence_corpus::{Shell, Shells, TreeSpec};
use shfence_reports::{Limit, Run, ShardOf, Together, Verdict};
use tempfile::TempDir;

fn strawmen() -> [Strawman; 2] {
    ["cd-allowed", "lexical-only"].map(|name| name.parse().expect("a strawman"))
}

const SORT: Sort = Sort {
    kind: FindingKind::TreeEscape,
    effect: TouchKind::Read,
    way: Way::Direct,
    existed: true,
};

/// The ledger of a campaign of three cases in two shells, and where it stands.
fn ledger(once_caught: OnceCaught) -> (Ledger, TempDir) {
    let scratch = TempDir::new().expect("a scratch directory");
    let campaign = Campaign {
        source: crate::campaign::Source::Drawn { seed: 7 },
        limit: Limit::Cases(3),
        shard: ShardOf { index: 0, count: 1 },
        jobs: 1,
        guards: vec![GuardName::Linked],
        strawmen: strawmen().map(GuardName::Strawman).to_vec(),
        lane: None,
        known: Vec::new(),
        once_caught,
        minimises: true,
        out: scratch.path().join("run"),
        record: None,
        command: Vec::new(),
    };
    let shell = |shell, name: &str| Installation {
        id: ShellId { shell, name: name.to_owned(), version: "1".to_owned() },
        program: "/bin/sh".into(),
        args: Vec::new(),
        typed: Vec::new(),
    };
    let shells = [shell(Shell::Bash, "bash"), shell(Shell::Sh, "dash")];
    let manifest = campaign.manifest(&shells, "none".to_owned());
    let writer = RunWriter::create(&campaign.out, &manifest).expect("a new directory");
    (Ledger::new(writer, &campaign, &shells, None), scratch)
}

fn case() -> Seen {
    Seen::new("a-family", CaseLane::Probe, &Case::new("ls", TreeSpec::default()), 0)
}

fn add_three(ledger: &mut Ledger) {
    for _ in 0..3 {
        ledger.add(0, case());
    }
}

fn closed(ledger: Ledger, ended: Ended) -> Run {
    ledger.finish(ended).expect("the directory can be written").run
}

fn found(guard: &str, signature: &[&str]) -> Confirmed {
    let case = Case::new("cat ../outside/a", TreeSpec::default());
    let signature = Signature::new(signature).expect("plain names");
    let repro = format!("shfence-oracle repro 7:0 --guard {guard}");
    Confirmed {
        finding: Finding {
            signature,
            kind: FindingKind::TreeEscape,
            shells: Shells::ALL,
            guard: guard.to_owned(),
            line: case.line.clone(),
            minimised: true,
            spans: Vec::new(),
            seed: 7,
            index: 0,
            touched: None,
            known: None,
            repro,
        },
        fixture: Fixture {
            name: "found.tree-escape.7-0".to_owned(),
            title: "a test".to_owned(),
            case,
            expect: vec![Decision::Ask],
            escapes: Shells::NONE,
            accepted: Vec::new(),
            found: None,
        },
        plan: None,
        traces: BTreeMap::new(),
        steps: BTreeMap::new(),
    }
}

#[test]
fn a_strawman_is_minimised_once_for_each_kind_and_the_guard_often_for_each_sort_and_shell() {
    let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
    let mut claims = |guard: &str, sort, shell: &str| {
        (0..100).filter(|index| ledger.claims(guard, sort, shell, *index)).count()
    };
    let [strawman, other] = strawmen().map(|it| GuardName::Strawman(it).guard().name());
    let by_link = Sort { way: Way::Link, ..SORT };
    let group = Sort { kind: FindingKind::GroupEscape, ..SORT };
    for strawman in [&strawman, &other] {
        assert_eq!(claims(strawman, SORT, "bash"), MINIMISED_OF_STRAWMAN);
        assert_eq!(claims(strawman, SORT, "dash"), 0);
        assert_eq!(claims(strawman, by_link, "bash"), 0);
        assert_eq!(claims(strawman, group, "dash"), MINIMISED_OF_STRAWMAN);
    }
    for (sort, shell) in [(SORT, "bash"), (SORT, "dash"), (by_link, "bash")] {
        assert_eq!(claims("linked", sort, shell), MINIMISED_OF_GUARD);
        assert_eq!(claims("linked", sort, shell), 0);
    }
}

#[test]
fn the_first_finding_is_that_of_the_lowest_index_whoever_comes_first() {
    let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
    for index in [8, 3, 5] {
        ledger.claims("linked", SORT, "bash", index);
    }
    ledger.claims("linked", SORT, "dash", 4);
    let seen = ledger.caught.shells("linked", FindingKind::TreeEscape);
    let indices: Vec<(&str, u64)> = seen.iter().map(|(shell, (at, _))| (*shell, *at)).collect();
    assert_eq!(indices, [("bash", 3), ("dash", 4)]);
    assert!(ledger.caught.shells("linked", FindingKind::GroupEscape).is_empty());
    let run = closed(ledger, Ended::Complete);
    let summary = run.summary.expect("a closed ledger has figures");
    assert_eq!(summary.guards["linked"].cases_to_first_finding, Some(4));
    assert_eq!(summary.guards["strawman:cd-allowed"].cases_to_first_finding, None);
}

#[test]
fn cases_are_counted_with_all_that_they_add() {
    let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
    for (family, decision) in
        [("one", Decision::Allow), ("one", Decision::Ask), ("two", Decision::Deny)]
    {
        let case = Case::new("cd src | ls", TreeSpec::default());
        let mut seen = Seen::new(family, CaseLane::Tools, &case, 3);
        seen.said("linked", decision);
        seen.ran("bash", 2, BTreeMap::from([("climb", 3)]));
        seen.ran("dash", 1, BTreeMap::new());
        seen.inconclusive("dash", "time limit");
        seen.over_refused("linked", &[Reason { code: "pipe".to_owned(), note: "a: b".to_owned() }]);
        seen.unparsed("dash");
        assert!(!ledger.add(0, seen), "it has no reason to end");
    }
    let run = closed(ledger, Ended::Complete);
    assert_eq!(run.verdict(), Verdict::Fault("3 of 3 cases are inconclusive".to_owned()));
    let summary = run.summary.expect("a closed ledger has figures");
    assert_eq!((summary.cases_run, summary.cases_asked), (3, Some(3)));
    assert_eq!(summary.families, BTreeMap::from([("one".into(), 2), ("two".into(), 1)]));
    assert_eq!(summary.shell_runs, BTreeMap::from([("bash".into(), 3), ("dash".into(), 3)]));
    assert_eq!(summary.touches.elsewhere, 9);
    assert_eq!(summary.touches.ambient, BTreeMap::from([("climb".into(), 9)]));
    assert_eq!(summary.inconclusive, BTreeMap::from([("time limit".into(), 3)]));
    assert_eq!((summary.inconclusive_cases, summary.cases_run), (3, 3));
    assert_eq!(summary.lanes, BTreeMap::from([("tools".into(), 3)]));
    let linked = &summary.guards["linked"];
    let verdicts = linked.verdicts;
    assert_eq!((verdicts.allow, verdicts.ask, verdicts.deny), (1, 1, 1));
    assert_eq!(linked.over_refusals, 3);
    assert_eq!(linked.refused_for["pipe"].count, 3);
    assert_eq!(linked.refused_for["pipe"].shortest.len(), 1);
    assert_eq!(summary.unparsed, BTreeMap::from([("dash".into(), 3)]));
    assert_eq!(summary.pairs["pipe+cd"]["bash"], Together { allowed: 1, refused: 2 });
}

#[test]
fn fewer_cases_than_were_asked_for_are_a_fault() {
    let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
    ledger.add(0, case());
    let verdict = closed(ledger, Ended::Complete).verdict();
    assert!(matches!(verdict, Verdict::Fault(_)), "{verdict}");
}

#[test]
fn it_is_over_once_every_strawman_has_escaped_the_tree_in_every_shell() {
    let (mut ledger, _scratch) = ledger(OnceCaught::End);
    let [one, two] = strawmen().map(|it| GuardName::Strawman(it).guard().name());
    let group = Sort { kind: FindingKind::GroupEscape, ..SORT };
    for (guard, sort, shell) in
        [(&one, SORT, "bash"), (&one, SORT, "dash"), (&two, SORT, "bash"), (&two, group, "dash")]
    {
        ledger.claims(guard, sort, shell, 0);
        assert!(!ledger.add(0, case()), "{guard} in {shell}");
    }
    ledger.claims(&two, SORT, "dash", 1);
    assert!(ledger.add(0, case()));
    // It has done what was asked, though it was to end after three.
    assert_eq!(closed(ledger, Ended::Complete).verdict(), Verdict::Clean);
}

#[test]
fn a_finding_is_entered_once_per_guard_and_signature() {
    let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
    let [one, two] = [["tree-escape", "read"], ["tree-escape", "list"]];
    for (guard, signature) in [
        ("linked", one),
        ("linked", one),
        ("linked", two),
        ("strawman:cd-allowed", one),
        ("strawman:cd-allowed", one),
    ] {
        ledger.record(&found(guard, &signature));
    }
    add_three(&mut ledger);
    let run = closed(ledger, Ended::Complete);
    assert_eq!(run.of_guard("linked").count(), 2);
    assert_eq!(run.of_guard("strawman:cd-allowed").count(), 1);
    assert_eq!(run.verdict(), Verdict::NewFindings(2));
    assert!(run.findings.iter().all(|it| it.fixture.is_some()), "{:?}", run.notes);
}

#[test]
fn a_crash_of_a_guard_is_a_finding() {
    let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
    let case_of = Case::new("ls", TreeSpec::default());
    for index in [2, 1] {
        ledger.crash("linked", &case_of, Origin::drawn(7, index), "it panicked");
    }
    add_three(&mut ledger);
    let run = closed(ledger, Ended::Complete);
    assert_eq!(run.verdict(), Verdict::NewFindings(1));
    let finding = &run.findings[0].finding;
    assert_eq!(finding.kind, FindingKind::Crash);
    assert_eq!(finding.touched, Some("it panicked".into()));
    let summary = run.summary.as_ref().expect("a closed ledger has figures");
    assert_eq!(summary.guards["linked"].cases_to_first_finding, Some(2));
}

#[test]
fn the_first_fault_is_told_unless_somebody_stopped_it() {
    let told = |ended| {
        let (mut ledger, _scratch) = ledger(OnceCaught::Leave);
        ledger.fault("first".to_owned());
        ledger.fault("second".to_owned());
        closed(ledger, ended).verdict()
    };
    assert_eq!(told(Ended::Complete), Verdict::Fault("first".to_owned()));
    assert_eq!(told(Ended::Interrupted), Verdict::Interrupted(0));
    assert_eq!(told(Ended::Terminated), Verdict::Terminated(0));
}
