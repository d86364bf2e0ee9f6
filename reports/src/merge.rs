//! The shards of one campaign as one run.
//!
//! Nothing has to coordinate shards: which cases a shard runs is said by its number, and what came
//! of them stands in its directory. So a campaign that ran in parts is put together afterwards, by
//! whoever has the directories, and must say the same as if it had run in one.

use crate::{
    Ended, GuardSummary, Manifest, Part, Reached, Recorded, Run, RunError, RunWriter, ShardOf,
    Summary,
};
use shfence_corpus::{Finding, Signature, Text};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Why runs were not merged.
#[derive(Debug)]
pub enum MergeError {
    /// There is nothing to merge.
    Nothing,
    /// Two runs are not parts of one campaign: which, and in what they differ.
    NotTogether(String),
    /// A directory cannot be written.
    Directory(RunError),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Nothing => f.write_str("there is no run to merge"),
            MergeError::NotTogether(what) => f.write_str(what),
            MergeError::Directory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MergeError {}

impl From<RunError> for MergeError {
    fn from(error: RunError) -> MergeError {
        MergeError::Directory(error)
    }
}

/// Puts the shards of one campaign together as a run in `out`. Of a shard that was run more than
/// once, the run that came furthest counts. A shard that stopped early, or is missing, leaves the
/// whole unfinished; how far each came stands in the manifest. `command` is the caller's command
/// line.
pub fn merge(runs: Vec<Run>, out: &Path, command: Vec<Text>) -> Result<Run, MergeError> {
    let first = runs.first().ok_or(MergeError::Nothing)?;
    for run in &runs[1..] {
        if let Some((what, of_one, of_other)) = first.manifest.differs_from(&run.manifest) {
            let (one, other) = (first.dir.display(), run.dir.display());
            let what = format!(
                "{one} and {other} are no parts of one campaign: they differ in {what}: {of_one} \
                 and {of_other}"
            );
            return Err(MergeError::NotTogether(what));
        }
    }
    let shards = furthest(runs);
    let findings = merged_findings(&shards);
    let summary = merged_summary(&shards, &findings);
    let mut writer = RunWriter::create(out, &merged_manifest(&shards, command))?;
    for (finding, recorded) in &findings {
        writer.adopt(finding, recorded)?;
    }
    Ok(writer.finish(&summary)?)
}

/// One run of each shard, by its number.
fn furthest(runs: Vec<Run>) -> Vec<Run> {
    let mut shards: BTreeMap<u64, Run> = BTreeMap::new();
    for run in runs {
        let number = run.manifest.shard.index;
        let better =
            |known: &Run| (is_complete(&run), cases(&run)) > (is_complete(known), cases(known));
        if shards.get(&number).is_none_or(better) {
            shards.insert(number, run);
        }
    }
    shards.into_values().collect()
}

fn is_complete(run: &Run) -> bool {
    ended(run) == Some(&Ended::Complete)
}

fn ended(run: &Run) -> Option<&Ended> {
    run.summary.as_ref()?.ended.as_ref()
}

fn cases(run: &Run) -> u64 {
    run.summary.as_ref().map_or(0, |it| it.cases_run)
}

fn merged_manifest(shards: &[Run], command: Vec<Text>) -> Manifest {
    let first = &shards[0].manifest;
    let part = |run: &Run| Part {
        shard: run.manifest.shard,
        ended: ended(run).cloned(),
        cases_run: cases(run),
        started: run.manifest.started.clone(),
    };
    let started = shards.iter().map(|run| &run.manifest.started).min();
    Manifest {
        shard: ShardOf { index: 0, count: 1 },
        jobs: shards.iter().map(|run| run.manifest.jobs).sum(),
        started: started.cloned().unwrap_or_default(),
        command,
        parts: shards.iter().map(part).collect(),
        ..first.clone()
    }
}

/// Each finding once, as the case of the lowest index shows it, in the shells of all.
fn merged_findings(shards: &[Run]) -> Vec<(Finding, &Recorded)> {
    let mut all: BTreeMap<(&str, &Signature), (Finding, &Recorded)> = BTreeMap::new();
    for recorded in shards.iter().flat_map(|run| &run.findings) {
        let finding = &recorded.finding;
        let (seen, evidence) = all
            .entry((&finding.guard, &finding.signature))
            .or_insert_with(|| (finding.clone(), recorded));
        let shells = seen.shells.iter().chain(finding.shells.iter()).collect();
        if finding.index < seen.index {
            (*seen, *evidence) = (finding.clone(), recorded);
        }
        seen.shells = shells;
    }
    let mut findings: Vec<_> = all.into_values().collect();
    findings.sort_by(|(one, _), (other, _)| {
        (one.index, &one.guard, &one.signature).cmp(&(other.index, &other.guard, &other.signature))
    });
    findings
}

fn merged_summary(shards: &[Run], findings: &[(Finding, &Recorded)]) -> Summary {
    let mut all = Summary { ended: merged_end(shards), ..Summary::default() };
    let mut asked = Some(0);
    for summary in shards.iter().filter_map(|run| run.summary.as_ref()) {
        asked = asked.zip(summary.cases_asked).map(|(asked, more)| asked + more);
        all.add(summary);
    }
    all.cases_asked = asked;
    for guard in all.guards.values_mut() {
        guard.findings = 0;
    }
    for (finding, _) in findings {
        all.guards.entry(finding.guard.clone()).or_default().findings += 1;
    }
    all
}

/// Complete, if every shard is there and is; a fault, if one has one.
fn merged_end(shards: &[Run]) -> Option<Ended> {
    let faults = shards.iter().filter_map(|run| match ended(run) {
        Some(Ended::Fault(what)) => {
            let ShardOf { index, count } = run.manifest.shard;
            Some(Ended::Fault(format!("shard {index}/{count}: {what}")))
        }
        _ => None,
    });
    let whole = shards.len() as u64 == shards[0].manifest.shard.count;
    let complete = whole && shards.iter().all(is_complete);
    faults.into_iter().next().or(complete.then_some(Ended::Complete))
}

impl Summary {
    /// Adds the figures of another shard. Shards run beside each other: their time is that of the
    /// one that took longest.
    fn add(&mut self, other: &Summary) {
        self.cases_run += other.cases_run;
        self.seconds = self.seconds.max(other.seconds);
        self.inconclusive_cases += other.inconclusive_cases;
        self.touches.elsewhere += other.touches.elsewhere;
        self.reached = Reached::default();
        let counts = [
            (&mut self.inconclusive, &other.inconclusive),
            (&mut self.lanes, &other.lanes),
            (&mut self.families, &other.families),
            (&mut self.shell_runs, &other.shell_runs),
            (&mut self.unparsed, &other.unparsed),
            (&mut self.touches.ambient, &other.touches.ambient),
        ];
        for (all, more) in counts {
            for (name, count) in more {
                *all.entry(name.clone()).or_default() += count;
            }
        }
        for (pair, shells) in &other.pairs {
            for (shell, more) in shells {
                let all = self.pairs.entry(pair.clone()).or_default();
                let all = all.entry(shell.clone()).or_default();
                all.allowed += more.allowed;
                all.refused += more.refused;
            }
        }
        for (name, more) in &other.guards {
            self.guards.entry(name.clone()).or_default().add(more);
        }
    }
}

impl GuardSummary {
    fn add(&mut self, other: &GuardSummary) {
        self.verdicts.allow += other.verdicts.allow;
        self.verdicts.ask += other.verdicts.ask;
        self.verdicts.deny += other.verdicts.deny;
        self.over_refusals += other.over_refusals;
        for (reason, more) in &other.refused_for {
            self.refused_for.entry(reason.clone()).or_default().merge(more);
        }
        self.plans += other.plans;
        let is_earlier = |first| self.cases_to_first_finding.is_none_or(|known| first < known);
        if other.cases_to_first_finding.is_some_and(is_earlier) {
            self.cases_to_first_finding = other.cases_to_first_finding;
            self.seconds_to_first_finding = other.seconds_to_first_finding;
        }
        for (shell, first) in &other.escapes {
            let known = self.escapes.entry(shell.clone()).or_insert(*first);
            if first.cases < known.cases {
                *known = *first;
            }
        }
    }
}
