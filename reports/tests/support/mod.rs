//! A small run, made up, for the tests of writing, reading and rendering.

use shfence_corpus::{
    Case, Decision, Entry, Finding, FindingKind, Fixture, Node, RelPath, Shell, Shells, Signature,
    Text, TreeSpec,
};
use shfence_reports::{
    Ended, Evidence, GuardSummary, Limit, Manifest, PlanFigures, Reached, Run, RunWriter, ShardOf,
    ShellVersion, Split, Steps, Summary, TouchCounts, Unnamed,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub const STRAWMAN: &str = "strawman:cd-always-succeeds";

pub fn manifest() -> Manifest {
    let shell = |shell, name: &str, version: &str| ShellVersion {
        shell,
        name: name.to_owned(),
        version: version.to_owned(),
    };
    Manifest {
        seed: 20_261_130,
        generator: "1".to_owned(),
        limit: Limit::Cases(1_000),
        shard: ShardOf { index: 0, count: 1 },
        jobs: 2,
        lane: None,
        minimises: true,
        guards: vec!["linked".to_owned()],
        strawmen: vec![STRAWMAN.to_owned()],
        known: Vec::new(),
        guard_version: "0.1.0".to_owned(),
        shells: vec![
            shell(Shell::Bash, "bash", "5.2.15"),
            shell(Shell::Sh, "dash", "0.5.12"),
            shell(Shell::Zsh, "zsh", "5.9"),
        ],
        kernel: "6.1.0".to_owned(),
        containment: "namespaces and seccomp".to_owned(),
        started: "2026-11-30T10:00:00Z".to_owned(),
        parts: Vec::new(),
        command: ["shfence-oracle", "campaign", "--cases", "1000"].map(Text::from).to_vec(),
    }
}

pub fn finding(guard: &str, line: &[u8]) -> Finding {
    Finding {
        signature: Signature::new(&["tree-escape", "read", "cd-failed", "semicolon"])
            .expect("plain parts"),
        kind: FindingKind::TreeEscape,
        shells: Shells::only(Shell::Bash).with(Shell::Zsh),
        guard: guard.to_owned(),
        line: Text::from(line),
        minimised: true,
        // Of the line that most tests have, its second command.
        spans: vec![[line.len().saturating_sub(21) as u32, line.len() as u32]],
        seed: 20_261_130,
        index: 48_213,
        touched: Some(Text::from("outside/secret")),
        known: None,
        repro: "shfence-oracle repro 20261130:48213".to_owned(),
    }
}

pub fn fixture(line: &[u8]) -> Fixture {
    let entry = |path: &str, node| Entry { path: RelPath::new(path).expect("a path"), node };
    let tree = TreeSpec::new([
        entry("outside/secret", Node::File { text: Text::from("marker:1"), executable: false }),
        entry("proj/sub/up", Node::Link { to: Text::from("../..") }),
    ])
    .expect("a tree");
    Fixture {
        name: "fixture".to_owned(),
        title: "a cd that fails leaves the next command where it was".to_owned(),
        case: Case::new(line, tree),
        expect: vec![Decision::Ask, Decision::Deny],
        escapes: Shells::only(Shell::Bash).with(Shell::Zsh),
        accepted: Vec::new(),
        found: None,
    }
}

/// A plan of one command, which may start in two places.
const PLAN: &str = r#"{"segments": [{"span": [11, 32], "cwd": ["/case/proj/nosuch", "/case/home"],
    "argv": [{"is": "cat"}, {"oneof": ["<a>", "b"]}, {"many": true}], "paths": []}]}"#;

pub fn traces() -> BTreeMap<String, String> {
    BTreeMap::from([("bash".to_owned(), "{}\n".to_owned()), ("zsh".to_owned(), "{}\n".to_owned())])
}

fn steps() -> BTreeMap<String, Steps> {
    let texts = |all: &[&str]| all.iter().map(|it| Text::from(*it)).collect();
    let steps = Steps {
        planned: texts(&["enter /case/proj/nosuch", "run cat <a>   in /case/proj/nosuch"]),
        done: texts(&["run cat <a>   in /case/proj", "read /case/outside/secret"]),
    };
    ["bash", "zsh"].map(|shell| (shell.to_owned(), steps.clone())).into()
}

/// What is kept of a finding of this line.
pub fn evidence(line: &[u8]) -> Evidence {
    Evidence {
        fixture: fixture(line),
        plan: Some(PLAN.to_owned()),
        traces: traces(),
        steps: steps(),
    }
}

/// Figures of a complete run in which each of the two guards has `findings` signatures.
pub fn summary(findings: u64) -> Summary {
    let counts = |names: &[(&str, u64)]| {
        names.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect::<BTreeMap<_, _>>()
    };
    let guard = GuardSummary {
        verdicts: Split { allow: 400, ask: 590, deny: 10 },
        findings,
        over_refusals: 12,
        plans: PlanFigures {
            plans: 210,
            without_unknowns: 200,
            predicted: 630,
            touched: 420,
            named: 419,
        },
        cases_to_first_finding: (findings > 0).then_some(73),
        seconds_to_first_finding: (findings > 0).then_some(0.5),
        escapes: BTreeMap::new(),
        refused_for: BTreeMap::new(),
        unnamed: BTreeSet::from([Unnamed {
            index: 31,
            place: Text::from("/case/proj/a"),
            line: Text::from("cat <a>"),
        }]),
    };
    Summary {
        ended: Some(Ended::Complete),
        cases_asked: Some(1_000),
        cases_run: 1_000,
        seconds: 12.5,
        reached: Reached { next: 1_000, open: BTreeSet::new() },
        inconclusive: counts(&[("timed-out", 2)]),
        inconclusive_cases: 2,
        lanes: counts(&[("probe", 700), ("tools", 300)]),
        guards: BTreeMap::from([
            ("linked".to_owned(), guard.clone()),
            (STRAWMAN.to_owned(), guard),
        ]),
        touches: TouchCounts { ambient: counts(&[("loader", 9_000)]), elsewhere: 31 },
        families: counts(&[("cd-group", 600), ("links", 400)]),
        shell_runs: counts(&[("bash", 1_000), ("dash", 1_000), ("zsh", 1_000)]),
        unparsed: BTreeMap::new(),
        pairs: BTreeMap::new(),
    }
}

/// A complete run in `dir`, in which the linked guard and the strawman let `line` pass.
pub fn write_run(dir: &Path, line: &[u8]) -> Run {
    let mut writer = RunWriter::create(dir, &manifest()).expect("a new directory");
    for guard in ["linked", STRAWMAN] {
        writer.record(&finding(guard, line), &evidence(line)).expect("recorded");
    }
    writer.finish(&summary(1)).expect("finished")
}
