//! What two runs of the same cases must have in common.

use shfence_reports::{Run, Summary};
use std::collections::BTreeMap;

/// The figures that depend on the cases alone, and not on who ran them when: verdicts,
/// over-refusals and the first finding per guard, cases per family, runs per shell.
#[derive(Debug, PartialEq)]
pub struct Figures {
    pub guards: BTreeMap<String, ([u64; 4], Option<u64>)>,
    families: BTreeMap<String, u64>,
    shell_runs: BTreeMap<String, u64>,
}

impl Figures {
    pub fn of(run: &Run) -> Figures {
        let summary: &Summary = run.summary.as_ref().unwrap();
        let guards = summary.guards.iter().map(|(name, it)| {
            let split = it.verdicts;
            let counts = [split.allow, split.ask, split.deny, it.over_refusals];
            (name.clone(), (counts, it.cases_to_first_finding))
        });
        Figures {
            guards: guards.collect(),
            families: summary.families.clone(),
            shell_runs: summary.shell_runs.clone(),
        }
    }
}
