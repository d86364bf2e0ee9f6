//! A run as one Markdown page: the verdict first, then what led to it.

mod page;

use crate::carets::with_carets;
use crate::described::{
    LEGEND, ShardRow, circumstances, command_line, counts, headline, shards, touched,
};
use crate::difference::{Difference, Step, differences};
use crate::drawing;
use crate::visible::{number, percent};
use crate::{GuardSummary, Manifest, Recorded, Run, Summary};
use page::{Page, code, plain};
use shfence_corpus::{FindingKind, Shell};

/// As many findings are written out as a person reads; the rest stands in `findings.jsonl`.
const WRITTEN_OUT: usize = 40;

/// The page for people, complete whatever the run's state. The text of lines, paths and guards may
/// be anything: it cannot change the page's structure.
pub fn markdown(run: &Run) -> String {
    let mut page = Page::default();
    page.heading(1, &plain(&capitalised(&run.verdict().to_string())));
    page.block(&plain(&headline(run)));
    if !run.notes.is_empty() {
        let notes: Vec<String> = run.notes.iter().map(|note| plain(note)).collect();
        page.list(&notes);
    }
    findings(&mut page, run);
    if let Some(summary) = &run.summary {
        guards(&mut page, run, summary);
        plans(&mut page, run, summary);
        refused(&mut page, run, summary);
    }
    strawmen(&mut page, run);
    if let Some(summary) = &run.summary {
        counted(&mut page, summary);
    }
    parts(&mut page, &run.manifest);
    place(&mut page, &run.manifest);
    page.heading(2, "Words");
    page.list(&LEGEND.map(|(word, meaning)| format!("{word}: {meaning}")));
    page.into_text()
}

fn findings(page: &mut Page, run: &Run) {
    let tested: Vec<&Recorded> = run.tested().collect();
    if tested.is_empty() {
        return;
    }
    page.heading(2, "Findings");
    page.table("kind | bash | sh | zsh | new | known", &by_kind_and_shell(&tested));
    for seen in tested.iter().take(WRITTEN_OUT) {
        finding(page, seen);
    }
    not_written_out(page, tested.len());
}

fn by_kind_and_shell(tested: &[&Recorded]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for kind in FindingKind::ALL {
        let of_kind = || tested.iter().map(|seen| &seen.finding).filter(|f| f.kind == kind);
        if of_kind().next().is_none() {
            continue;
        }
        let mut row = vec![kind.to_string()];
        for shell in Shell::ALL {
            row.push(of_kind().filter(|f| f.shells.contains(shell)).count().to_string());
        }
        row.push(of_kind().filter(|f| f.known.is_none()).count().to_string());
        row.push(of_kind().filter(|f| f.known.is_some()).count().to_string());
        rows.push(row);
    }
    rows
}

fn finding(page: &mut Page, seen: &Recorded) {
    let finding = &seen.finding;
    page.heading(3, finding.signature.as_str());
    page.fence_of_lines(&with_carets(&finding.line, &finding.spans));
    let state = match &finding.known {
        None => "new".to_owned(),
        Some(id) => format!("known as {}", code(id.as_bytes())),
    };
    let mut items = vec![
        format!("in {} · {state}", finding.shells),
        format!("guard {}", code(finding.guard.as_bytes())),
        format!("case {}:{}", finding.seed, finding.index),
    ];
    if !finding.minimised {
        items.push("as it was found, not minimised".to_owned());
    }
    items.extend(touched(finding).map(|(verb, what)| format!("{verb} {}", code(&what))));
    if let Some(fixture) = &seen.fixture {
        items.extend(
            circumstances(&fixture.case).iter().map(|(what, of)| format!("{what} {}", code(of))),
        );
    }
    page.list(&items);
    if let Some(fixture) = &seen.fixture {
        page.fence_of_lines(&drawing::draw(&fixture.case));
    }
    for it in differences(seen) {
        difference(page, &it);
    }
    page.block("Again:");
    page.fence(finding.repro.as_bytes());
}

/// What one shell, or several alike, did of what was planned.
fn difference(page: &mut Page, it: &Difference) {
    let shells: Vec<String> = it.shells.iter().map(|shell| plain(shell)).collect();
    page.block(&format!("What was planned and what {} did:", shells.join(", ")));
    let mut lines: Vec<String> = it.steps.iter().map(Step::text).collect();
    if it.left_out > 0 {
        lines.push(format!("  and {} more", it.left_out));
    }
    page.fence_of("diff", &lines.join("\n"));
}

fn not_written_out(page: &mut Page, count: usize) {
    if count > WRITTEN_OUT {
        page.block(&format!("{} more stand in `findings.jsonl`.", count - WRITTEN_OUT));
    }
}

fn guards(page: &mut Page, run: &Run, summary: &Summary) {
    page.heading(2, "Guards");
    let nothing = GuardSummary::default();
    let names = run.manifest.guards.iter().chain(&run.manifest.strawmen);
    let rows: Vec<Vec<String>> = names
        .map(|name| {
            let counts = summary.guards.get(name).unwrap_or(&nothing);
            let verdicts = counts.verdicts;
            vec![
                plain(name),
                number(verdicts.allow),
                number(verdicts.ask),
                number(verdicts.deny),
                number(counts.over_refusals),
                number(counts.findings),
                counts.cases_to_first_finding.map_or_else(String::new, number),
                counts.seconds_to_first_finding.map_or_else(String::new, |s| format!("{s:.1}")),
            ]
        })
        .collect();
    let head =
        "guard | allow | ask | deny | over-refusals | findings | cases to first | s to first";
    page.table(head, &rows);
}

/// How exactly the guards under test said what allowed lines would do.
fn plans(page: &mut Page, run: &Run, summary: &Summary) {
    let figures = run.manifest.guards.iter().filter_map(|name| {
        let plans = summary.guards.get(name)?.plans;
        (plans.plans > 0).then_some((name, plans))
    });
    let rows: Vec<Vec<String>> = figures
        .map(|(name, it)| {
            let share =
                |part: u64, whole: u64| format!("{} ({} %)", number(part), percent(part, whole));
            vec![
                plain(name),
                number(it.plans),
                share(it.without_unknowns, it.plans),
                number(it.predicted),
                number(it.touched),
                share(it.named, it.touched),
            ]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    page.heading(2, "Plans of allowed lines");
    let head = "guard | plans | nothing unknown | paths named | paths touched | of these named";
    page.table(head, &rows);
    let unnamed: Vec<String> = run
        .manifest
        .guards
        .iter()
        .filter_map(|name| Some((plain(name), summary.guards.get(name)?)))
        .flat_map(|(name, counts)| counts.unnamed.iter().map(move |it| (name.clone(), it)))
        .map(|(name, it)| {
            let (place, line) = (code(&it.place), code(&it.line));
            let case = format!("{}:{}", run.manifest.seed, it.index);
            format!("{name} did not name {place}, in case {case}: {line}")
        })
        .collect();
    if !unnamed.is_empty() {
        page.list(&unnamed);
    }
}

/// The over-refusals of the guards under test, by their reasons, the most frequent first.
fn refused(page: &mut Page, run: &Run, summary: &Summary) {
    for name in &run.manifest.guards {
        let Some(counts) = summary.guards.get(name).filter(|it| !it.refused_for.is_empty()) else {
            continue;
        };
        page.heading(2, &format!("Over-refusals of {}", plain(name)));
        let mut reasons: Vec<_> = counts.refused_for.iter().collect();
        reasons.sort_by_key(|(_, refused)| std::cmp::Reverse(refused.count));
        let rows: Vec<Vec<String>> = reasons
            .into_iter()
            .map(|(reason, refused)| {
                let example = refused.shortest.first().map(|it| code(&it.line));
                vec![plain(reason), number(refused.count), example.unwrap_or_default()]
            })
            .collect();
        page.table("reason | cases | the shortest", &rows);
    }
}

/// What the harness caught that it had to catch: each with its line only.
fn strawmen(page: &mut Page, run: &Run) {
    let caught: Vec<&Recorded> =
        run.manifest.strawmen.iter().flat_map(|name| run.of_guard(name)).collect();
    if caught.is_empty() {
        return;
    }
    page.heading(2, "Caught strawmen");
    for seen in caught.iter().take(WRITTEN_OUT) {
        let finding = &seen.finding;
        page.block(&format!(
            "{}: {} in {}",
            code(finding.guard.as_bytes()),
            finding.signature,
            finding.shells
        ));
        page.fence_of_lines(&with_carets(&finding.line, &finding.spans));
    }
    not_written_out(page, caught.len());
}

fn counted(page: &mut Page, summary: &Summary) {
    page.heading(2, "Counts");
    let row = |(what, count): (String, u64)| vec![plain(&what), number(count)];
    let rows: Vec<Vec<String>> = counts(summary).into_iter().map(row).collect();
    page.table("what | count", &rows);
}

/// How far each shard came, of a run that was put together.
fn parts(page: &mut Page, manifest: &Manifest) {
    let row = |shard: ShardRow| {
        let started = shard.started.map(|it| format!(", started {}", plain(&it)));
        let name = format!("{}{}", shard.name, started.unwrap_or_default());
        vec![name, shard.cases, plain(&shard.ended)]
    };
    let rows: Vec<Vec<String>> = shards(manifest).into_iter().map(row).collect();
    if rows.is_empty() {
        return;
    }
    page.heading(2, "Shards");
    page.table("shard | cases | ended", &rows);
}

fn place(page: &mut Page, manifest: &Manifest) {
    page.heading(2, "Where and what");
    let mut items: Vec<String> = manifest
        .shells
        .iter()
        .map(|it| format!("{}: {} {}", it.shell, plain(&it.name), plain(&it.version)))
        .collect();
    items.push(format!("guard version {}", plain(&manifest.guard_version)));
    items.push(format!("generators {}", plain(&manifest.generator)));
    items.push(format!("kernel {}", plain(&manifest.kernel)));
    items.push(format!("containment {}", plain(&manifest.containment)));
    items.push(format!("started {}", plain(&manifest.started)));
    page.list(&items);
    page.fence(&command_line(&manifest.command));
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
