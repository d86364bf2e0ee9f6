//! When the guards that must be caught were.

use crate::visible::{number, visible};
use crate::{FirstSeen, GuardSummary, Run};
use std::collections::BTreeSet;

/// The length of the longest bar, in the width of a letter.
const LONGEST_BAR: f64 = 7.0;

/// All strawmen, with the shells in which any of them let a line escape.
#[derive(Default)]
pub(super) struct CaughtTable {
    pub(super) shells: Vec<String>,
    pub(super) rows: Vec<Caught>,
    /// How many were.
    pub(super) caught: usize,
}

pub(super) struct Caught {
    pub(super) name: String,
    pub(super) tone: &'static str,
    pub(super) cases: String,
    pub(super) seconds: String,
    /// Cases to the first escape in each shell.
    pub(super) by_shell: Vec<String>,
    pub(super) width: String,
}

pub(super) fn caught(run: &Run) -> CaughtTable {
    let Some(summary) = &run.summary else { return CaughtTable::default() };
    let of = |name: &String| Some((name.clone(), summary.guards.get(name)?));
    let mut all: Vec<(String, &GuardSummary)> =
        run.manifest.strawmen.iter().filter_map(of).collect();
    // Those that took longest stand at the end, and behind them those that were not caught at all.
    all.sort_by_key(|(_, it)| it.cases_to_first_finding.unwrap_or(u64::MAX));
    let shells: BTreeSet<&String> = all.iter().flat_map(|(_, it)| it.escapes.keys()).collect();
    let first = |it: &GuardSummary| it.cases_to_first_finding;
    let most = all.iter().filter_map(|(_, it)| first(it)).max().unwrap_or(1).max(1) as f64;
    let row = |(name, counts): &(String, &GuardSummary)| {
        let of_shell = |shell: &&String| counts.escapes.get(*shell);
        let cell =
            |it: Option<&FirstSeen>| it.map_or_else(|| "–".to_owned(), |it| number(it.cases));
        let seconds = counts.seconds_to_first_finding;
        Caught {
            name: visible(name.strip_prefix("strawman:").unwrap_or(name).as_bytes()),
            tone: if first(counts).is_some() { "good" } else { "warn" },
            cases: first(counts).map_or_else(|| "not caught".to_owned(), number),
            seconds: seconds.map_or_else(String::new, |it| format!("{it:.1}")),
            by_shell: shells.iter().map(|shell| cell(of_shell(shell))).collect(),
            width: format!("{:.1}", LONGEST_BAR * first(counts).unwrap_or(0) as f64 / most),
        }
    };
    CaughtTable {
        rows: all.iter().map(row).collect(),
        caught: all.iter().filter(|(_, it)| first(it).is_some()).count(),
        shells: shells.iter().map(|shell| visible(shell.as_bytes())).collect(),
    }
}
