//! What of a run and of a case is said in words, in whatever form.

use crate::visible::{count_of, number};
use crate::{Ended, Limit, Manifest, Part, Run, Summary};
use shfence_corpus::{Case, Finding, FindingKind, Invocation, PROJ, TOP, Text};
use std::collections::BTreeMap;

/// When what was run, how much of it, and in what, in one line that has not been made visible.
pub(crate) fn headline(run: &Run) -> String {
    let manifest = &run.manifest;
    let mut parts = vec![
        day(&manifest.started).to_owned(),
        format!("guard {}", manifest.guard_version),
        format!("seed {}", manifest.seed),
    ];
    if let Some(summary) = &run.summary {
        let asked = match (summary.cases_asked, manifest.limit) {
            (Some(asked), _) => format!(" of {} asked", number(asked)),
            (None, Limit::Cases(_)) => String::new(),
            (None, Limit::Seconds(seconds)) => format!(" in the {seconds} s asked"),
        };
        parts.push(format!("{}{asked}", count_of(summary.cases_run, "case")));
        parts.push(format!("{:.1} s", summary.seconds));
        parts.extend(summary.cases_per_second().map(|rate| format!("{rate:.1} cases/s")));
    }
    parts.push(count_of(manifest.jobs.into(), "worker"));
    if manifest.shard.count > 1 {
        parts.push(format!("shard {}/{}", manifest.shard.index, manifest.shard.count));
    }
    parts.push(manifest.containment.clone());
    parts.join(" · ")
}

/// `2026-11-30` of a time in RFC 3339.
pub(crate) fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or_default()
}

/// What the words of a page mean that are not those of every day.
pub(crate) const LEGEND: [(&str, &str); 8] = [
    ("tree-escape", "an allowed line touched a place outside of the project"),
    ("group-escape", "an allowed line ran something in, or entered, a directory not foreseen"),
    ("plan-mismatch", "an allowed line ran, or wrote, what the plan does not contain"),
    (
        "over-refusal",
        "a line was not allowed, and every shell stayed inside with declared verbs only",
    ),
    ("nothing unknown", "plans in which every word and every directory is known, or one of a few"),
    ("named, touched", "paths that plans name; places in the project that the runs touched"),
    (
        "touches: elsewhere",
        "touches of the system that would be escapes if a guard allowed the line",
    ),
    ("ambient touches", "what shells and tools touch of their own accord, which is no escape"),
];

/// What a finding is about, as a verb of the past and its object: places are absolute.
pub(crate) fn touched(finding: &Finding) -> Option<(&'static str, Vec<u8>)> {
    let what = finding.touched.as_ref()?;
    let effect = finding.signature.as_str().split('/').nth(1).unwrap_or_default();
    let verb = match (finding.kind, effect) {
        (FindingKind::Crash, _) => return Some(("said", what.to_vec())),
        (FindingKind::PlanMismatch, "exec") => return Some(("ran", what.to_vec())),
        (FindingKind::GroupEscape, "exec") => "ran in",
        (_, "enter") => "entered",
        (_, "list") => "listed",
        (_, "read") => "read",
        (_, "write") => "wrote",
        (_, "test") => "looked at",
        (_, "exec") => "executed",
        (_, _) => "touched",
    };
    let place = match what.starts_with(b"/") {
        true => what.to_vec(),
        false => [TOP.as_bytes(), b"/", what].concat(),
    };
    Some((verb, place))
}

/// As many missing shards as are named one by one.
const MISSING_NAMED: usize = 100;

/// How far a shard came, of a run that was put together. No text of it has been made visible.
pub(crate) struct ShardRow {
    /// `1/3`
    pub(crate) name: String,
    /// RFC 3339; nothing if the shard is missing.
    pub(crate) started: Option<String>,
    pub(crate) cases: String,
    pub(crate) ended: String,
}

/// Every shard that there should be, in their order.
pub(crate) fn shards(manifest: &Manifest) -> Vec<ShardRow> {
    let mut rows: Vec<(u64, ShardRow)> =
        manifest.parts.iter().map(|part| (part.shard.index, shard(part))).collect();
    let count = manifest.parts.first().map_or(0, |part| part.shard.count);
    rows.extend(manifest.missing().take(MISSING_NAMED).map(|index| {
        let name = format!("{index}/{count}");
        (index, ShardRow { name, started: None, cases: number(0), ended: "missing".to_owned() })
    }));
    rows.sort_by_key(|(index, _)| *index);
    let mut rows: Vec<ShardRow> = rows.into_iter().map(|(_, row)| row).collect();
    let missing = count.saturating_sub(manifest.parts.len() as u64);
    let more = missing.saturating_sub(MISSING_NAMED as u64);
    if more > 0 {
        let name = format!("{} more", number(more));
        rows.push(ShardRow { name, started: None, cases: number(0), ended: "missing".to_owned() });
    }
    rows
}

fn shard(part: &Part) -> ShardRow {
    let ended = match &part.ended {
        None => "killed, or still running".to_owned(),
        Some(Ended::Complete) => "complete".to_owned(),
        Some(Ended::Interrupted) => "interrupted".to_owned(),
        Some(Ended::Terminated) => "terminated".to_owned(),
        Some(Ended::Fault(what)) => format!("fault: {what}"),
    };
    ShardRow {
        name: format!("{}/{}", part.shard.index, part.shard.count),
        started: Some(part.started.clone()),
        cases: number(part.cases_run),
        ended,
    }
}

/// Everything that a run has counted, apart from what guards said, each with what it is.
pub(crate) fn counts(summary: &Summary) -> Vec<(String, u64)> {
    let elsewhere = BTreeMap::from([("elsewhere".to_owned(), summary.touches.elsewhere)]);
    let groups = [
        ("runs", &summary.shell_runs),
        ("lines that did not parse", &summary.unparsed),
        ("cases in lane", &summary.lanes),
        ("cases of family", &summary.families),
        ("inconclusive", &summary.inconclusive),
        ("ambient touches", &summary.touches.ambient),
        ("touches", &elsewhere),
    ];
    let of_group = |(what, counts): (&str, &BTreeMap<String, u64>)| {
        let count = |(name, count): (&String, &u64)| (format!("{what}: {name}"), *count);
        counts.iter().map(count).collect::<Vec<_>>()
    };
    groups.into_iter().flat_map(of_group).collect()
}

/// What of a case is neither line nor tree, where it is not the ordinary: a name and its bytes.
pub(crate) fn circumstances(case: &Case) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = Vec::new();
    if case.invocation != Invocation::C {
        all.push(("invocation", case.invocation.to_string().into_bytes()));
    }
    if case.cwd.as_bytes() != PROJ.as_bytes() {
        all.push(("cwd", case.cwd.absolute().to_vec()));
    }
    if let Some(pwd) = &case.pwd {
        all.push(("inherited PWD", pwd.to_vec()));
    }
    for (name, value) in &case.env {
        all.push(match value {
            Some(value) => ("environment", [name.as_bytes(), b"=", value].concat()),
            None => ("not set", name.as_bytes().to_vec()),
        });
    }
    all
}

/// The words as a shell would take them back.
pub(crate) fn command_line(words: &[Text]) -> Vec<u8> {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./:,=@%+".contains(b);
    let mut line = Vec::new();
    for word in words {
        if !line.is_empty() {
            line.push(b' ');
        }
        if !word.is_empty() && word.iter().all(plain) {
            line.extend_from_slice(word);
        } else {
            line.push(b'\'');
            for byte in word.iter() {
                match byte {
                    b'\'' => line.extend_from_slice(b"'\\''"),
                    byte => line.push(*byte),
                }
            }
            line.push(b'\'');
        }
    }
    line
}
