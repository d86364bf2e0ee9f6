//! A run as one HTML file, for a browser: it needs no network, no script and no other file.
//!
//! The template escapes whatever it is given, and everything it is given has been made visible
//! before: the text of a hostile line stays text, and cannot hide.

mod caught;
mod coverage;
mod happened;
mod planned;
mod refusals;
mod trend;

use crate::carets::{Row, rows};
use crate::described::{
    LEGEND, ShardRow, circumstances, command_line, counts, headline, shards, touched,
};
use crate::difference::{Difference, differences};
use crate::drawing;
use crate::visible::{number, percent, visible};
use crate::{ExitCode, GuardSummary, History, Recorded, Run, Split, Summary, Unnamed};
use askama::Template;
use caught::{CaughtTable, caught};
use coverage::{HeatMap, heat_map};
use happened::{Happened, happened};
use planned::planned;
use refusals::{Refusals, refusals};
use shfence_corpus::{Finding, FindingKind, Shell};
use trend::{Trend, seen, trend};

/// As many findings as a person reads on a page; the rest stands in `findings.jsonl`.
const WRITTEN_OUT: usize = 60;

#[derive(Template)]
#[template(path = "report.html")]
struct Report {
    verdict: String,
    /// The class that colours the banner.
    tone: &'static str,
    headline: String,
    notes: Vec<String>,
    tiles: Vec<Tile>,
    split: Vec<Share>,
    trend: Option<Trend>,
    matrix: Vec<MatrixRow>,
    findings: Vec<Article>,
    left_out: usize,
    tables: Vec<Table>,
    caught: CaughtTable,
    refusals: Vec<Refusals>,
    heat: Option<HeatMap>,
    legend: [(&'static str, &'static str); 8],
    counts: Vec<(String, String)>,
    settings: Vec<(&'static str, String)>,
}

struct Tile {
    figure: String,
    what: &'static str,
}

/// A part of what a guard said.
struct Share {
    name: &'static str,
    percent: String,
    width: String,
}

struct MatrixRow {
    name: &'static str,
    cells: Vec<usize>,
}

struct Table {
    title: &'static str,
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// What stands below it.
    notes: Vec<String>,
}

struct Article {
    id: String,
    signature: String,
    shells: Vec<&'static str>,
    is_new: bool,
    line: Vec<Row>,
    facts: Vec<(&'static str, String)>,
    tree: String,
    differences: Vec<Difference>,
    /// Where no difference is known.
    planned: String,
    happened: Vec<Happened>,
    repro: String,
}

/// The page, complete whatever the run's state, and beside which past nights the run stands.
pub fn html(run: &Run, history: &History) -> String {
    let verdict = run.verdict();
    let mut tested: Vec<&Recorded> = run.tested().collect();
    // The worst first; of a kind, as they were found.
    tested.sort_by_key(|it| FindingKind::ALL.iter().position(|kind| *kind == it.finding.kind));
    let written = tested.iter().take(WRITTEN_OUT).enumerate();
    let report = Report {
        tone: tone_of(verdict.exit_code().code()),
        verdict: visible(verdict.to_string().as_bytes()),
        headline: visible(headline(run).as_bytes()),
        notes: run.notes.iter().map(|note| visible(note.as_bytes())).collect(),
        tiles: run.summary.as_ref().map_or_else(Vec::new, |it| tiles(it, &tested)),
        split: split(run),
        trend: trend(run, history),
        matrix: matrix(&tested),
        findings: written.map(|(at, it)| article(at, it, seen_when(it, run, history))).collect(),
        left_out: tested.len().saturating_sub(WRITTEN_OUT),
        tables: tables(run),
        caught: caught(run),
        refusals: refusals(run),
        heat: run.summary.as_ref().and_then(heat_map),
        legend: LEGEND,
        counts: run.summary.as_ref().map_or_else(Vec::new, shown_counts),
        settings: settings(run),
    };
    report.render().expect("a template that compiles writes to memory") + "\n"
}

/// The class that colours what ended with an exit code. What is red is a finding.
fn tone_of(code: u8) -> &'static str {
    match ExitCode::ALL.into_iter().find(|exit| exit.code() == code) {
        Some(ExitCode::Clean) => "good",
        Some(ExitCode::NewFindings) => "bad",
        _ => "warn",
    }
}

fn seen_when(recorded: &Recorded, run: &Run, history: &History) -> Option<String> {
    seen(&recorded.finding.signature, run, history)
}

fn tiles(summary: &Summary, tested: &[&Recorded]) -> Vec<Tile> {
    let rate = summary.cases_per_second().map_or_else(|| "–".to_owned(), |it| format!("{it:.0}"));
    let runs: u64 = summary.shell_runs.values().sum();
    [
        (tested.len().to_string(), "findings"),
        (number(summary.cases_run), "cases"),
        (number(runs), "runs of shells"),
        (rate, "cases a second"),
        (number(summary.inconclusive_cases), "inconclusive"),
    ]
    .into_iter()
    .map(|(figure, what)| Tile { figure, what })
    .collect()
}

/// What the first guard under test said, in parts of all.
fn split(run: &Run) -> Vec<Share> {
    let first = run.manifest.guards.first();
    let counts = first.zip(run.summary.as_ref()).and_then(|(name, it)| it.guards.get(name));
    let Split { allow, ask, deny } = counts.map(|it| it.verdicts).unwrap_or_default();
    let all = allow + ask + deny;
    if all == 0 {
        return Vec::new();
    }
    let share = |(name, part): (&'static str, u64)| {
        let width = format!("{:.3}", 100.0 * part as f64 / all as f64);
        Share { name, percent: percent(part, all), width }
    };
    [("allow", allow), ("ask", ask), ("deny", deny)].into_iter().map(share).collect()
}

fn matrix(tested: &[&Recorded]) -> Vec<MatrixRow> {
    let row = |kind: FindingKind| {
        let of_kind: Vec<&Finding> =
            tested.iter().map(|it| &it.finding).filter(|it| it.kind == kind).collect();
        let count = |pick: &dyn Fn(&Finding) -> bool| of_kind.iter().filter(|it| pick(it)).count();
        let shells = Shell::ALL.map(|shell| count(&|it| it.shells.contains(shell)));
        let known = count(&|it| it.known.is_some());
        let rest = [of_kind.len() - known, known];
        MatrixRow { name: kind.name(), cells: shells.into_iter().chain(rest).collect() }
    };
    FindingKind::ALL.into_iter().map(row).collect()
}

fn article(at: usize, recorded: &Recorded, seen: Option<String>) -> Article {
    let finding = &recorded.finding;
    let mut facts = vec![
        ("guard", visible(finding.guard.as_bytes())),
        ("case", format!("{}:{}", finding.seed, finding.index)),
    ];
    if !finding.minimised {
        facts.push(("line", "as it was found, not minimised".to_owned()));
    }
    facts.extend(finding.known.iter().map(|id| ("known as", visible(id.as_bytes()))));
    facts.extend(seen.map(|when| ("seen", when)));
    facts.extend(touched(finding).map(|(verb, what)| (verb, visible(&what))));
    let differences = differences(recorded);
    let case = recorded.fixture.as_ref().map(|it| &it.case);
    facts.extend(case.into_iter().flat_map(circumstances).map(|(what, of)| (what, visible(&of))));
    Article {
        id: format!("finding-{}", at + 1),
        signature: finding.signature.to_string(),
        shells: finding.shells.iter().map(Shell::name).collect(),
        is_new: finding.known.is_none(),
        line: rows(&finding.line, &finding.spans),
        facts,
        tree: case.map_or_else(String::new, drawing::draw),
        planned: if differences.is_empty() { planned(&recorded.folder) } else { String::new() },
        differences,
        happened: happened(&recorded.folder),
        repro: visible(finding.repro.as_bytes()),
    }
}

fn tables(run: &Run) -> Vec<Table> {
    let Some(summary) = &run.summary else { return Vec::new() };
    let of = |name: &String| summary.guards.get(name).cloned().unwrap_or_default();
    let guards = run.manifest.guards.iter().map(|name| guard_row(name, &of(name), run));
    let plans = run.manifest.guards.iter().filter(|name| of(name).plans.plans > 0);
    let kinds = FindingKind::ALL.map(FindingKind::name);
    let tables = [
        Table {
            title: "Guards",
            head: [&["guard", "allow", "ask", "deny", "over-refusals"][..], &kinds].concat(),
            rows: guards.collect(),
            notes: Vec::new(),
        },
        Table {
            title: "Plans of allowed lines",
            head: vec!["guard", "plans", "nothing unknown", "named", "touched", "of these named"],
            rows: plans.map(|name| plan_row(name, &of(name))).collect(),
            notes: run
                .manifest
                .guards
                .iter()
                .flat_map(|name| unnamed(run, name, &of(name)))
                .collect(),
        },
        Table {
            title: "Shards",
            head: vec!["shard", "started", "cases", "ended"],
            rows: shards(&run.manifest).into_iter().map(shard_row).collect(),
            notes: Vec::new(),
        },
    ];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// One line to compare guards by: what each said, and what of it was wrong, by kind.
fn guard_row(name: &str, counts: &GuardSummary, run: &Run) -> Vec<String> {
    let Split { allow, ask, deny } = counts.verdicts;
    let share = |part: u64| format!("{}\u{a0}%", percent(part, allow + ask + deny));
    let of_kind = |kind| run.of_guard(name).filter(|it| it.finding.kind == kind).count() as u64;
    let said = [allow, ask, deny].map(share);
    let wrong = FindingKind::ALL.map(|kind| number(of_kind(kind)));
    let name = visible(name.as_bytes());
    let over_refused = number(counts.over_refusals);
    [name].into_iter().chain(said).chain([over_refused]).chain(wrong).collect()
}

fn plan_row(name: &str, counts: &GuardSummary) -> Vec<String> {
    let it = counts.plans;
    let share = |part, whole| format!("{}\u{a0}%", percent(part, whole));
    vec![
        visible(name.as_bytes()),
        number(it.plans),
        share(it.without_unknowns, it.plans),
        number(it.predicted),
        number(it.touched),
        share(it.named, it.touched),
    ]
}

/// The places that no plan of a guard named, the first of them.
fn unnamed(run: &Run, guard: &str, counts: &GuardSummary) -> Vec<String> {
    let one = |it: &Unnamed| {
        let [guard, place, line] = [guard.as_bytes(), &it.place, &it.line].map(visible);
        let case = format!("{}:{}", run.manifest.seed, it.index);
        format!("{guard} did not name {place}, in case {case}: {line}")
    };
    counts.unnamed.iter().map(one).collect()
}

fn shard_row(shard: ShardRow) -> Vec<String> {
    let started = shard.started.unwrap_or_default();
    vec![shard.name, visible(started.as_bytes()), shard.cases, visible(shard.ended.as_bytes())]
}

fn shown_counts(summary: &Summary) -> Vec<(String, String)> {
    let shown = |(what, count): (String, u64)| (visible(what.as_bytes()), number(count));
    counts(summary).into_iter().map(shown).collect()
}

fn settings(run: &Run) -> Vec<(&'static str, String)> {
    let manifest = &run.manifest;
    let shell = |it: &crate::ShellVersion| format!("{}: {} {}", it.shell, it.name, it.version);
    let shells: Vec<String> = manifest.shells.iter().map(shell).collect();
    let facts = [
        ("shells", shells.join(", ")),
        ("guard version", manifest.guard_version.clone()),
        ("generators", manifest.generator.clone()),
        ("kernel", manifest.kernel.clone()),
        ("containment", manifest.containment.clone()),
        ("started", manifest.started.clone()),
    ];
    let mut facts: Vec<_> =
        facts.into_iter().map(|(what, text)| (what, visible(text.as_bytes()))).collect();
    facts.push(("command", visible(&command_line(&manifest.command))));
    facts
}
