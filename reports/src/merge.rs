//! The shards of one campaign as one run.
//!
//! Nothing has to coordinate shards: which cases a shard runs is said by its number, and what came
//! of them stands in its directory. So a campaign that ran in parts is put together afterwards, by
//! whoever has the directories, and must say the same as if it had run in one.

use crate::{
    Ended, Evidence, GuardSummary, Limit, Manifest, Part, Reached, Recorded, Run, RunError,
    RunWriter, ShardOf, Summary,
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

/// What makes a finding smaller that is not minimised: asked with what all shards have in common,
/// it gives the finding as it is then, and its evidence; nothing, if it stays as it is.
pub type Minimise<'a> = &'a mut dyn FnMut(&Manifest, &Recorded) -> Option<(Finding, Evidence)>;

/// Where the evidence of a finding of the whole stands.
enum Kept<'r> {
    Recorded(&'r Recorded),
    Anew(Box<Evidence>),
}

/// Puts the shards of one campaign together as a run in `out`. Of a shard that was run more than
/// once, the run that came furthest counts. A shard that stopped early, or is missing, leaves the
/// whole unfinished; how far each came stands in the manifest. `command` is the caller's command
/// line. What shards have not minimised, `minimise` may; what then has the same signature is one
/// finding.
pub fn merge(
    runs: Vec<Run>,
    out: &Path,
    command: Vec<Text>,
    minimise: Minimise<'_>,
) -> Result<Run, MergeError> {
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
    let manifest = merged_manifest(&shards, command);
    let findings = minimised(merged_findings(&shards), &manifest, minimise);
    let summary = merged_summary(&shards, &findings);
    let mut writer = RunWriter::create(out, &manifest)?;
    for (finding, kept) in &findings {
        match kept {
            Kept::Recorded(recorded) => writer.adopt(finding, recorded)?,
            Kept::Anew(evidence) => drop(writer.record(finding, evidence)?),
        }
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
        minimises: shards.iter().all(|run| run.manifest.minimises),
        jobs: shards.iter().map(|run| run.manifest.jobs).sum(),
        started: started.cloned().unwrap_or_default(),
        command,
        parts: shards.iter().map(part).collect(),
        ..first.clone()
    }
}

/// Each finding once, as the case of the lowest index shows it, in the shells of all.
fn merged_findings(shards: &[Run]) -> Vec<(Finding, Kept<'_>)> {
    let all = shards.iter().flat_map(|run| &run.findings);
    once_each(all.map(|it| (it.finding.clone(), Kept::Recorded(it))))
}

/// The same, smaller where it can be.
fn minimised<'r>(
    findings: Vec<(Finding, Kept<'r>)>,
    manifest: &Manifest,
    minimise: Minimise<'_>,
) -> Vec<(Finding, Kept<'r>)> {
    let mut smaller = |(finding, kept): (Finding, Kept<'r>)| {
        let Kept::Recorded(recorded) = &kept else { return (finding, kept) };
        let smaller = if finding.minimised { None } else { minimise(manifest, recorded) };
        smaller.map_or((finding, kept), |(finding, evidence)| {
            (finding, Kept::Anew(Box::new(evidence)))
        })
    };
    let findings: Vec<_> = findings.into_iter().map(&mut smaller).collect();
    once_each(findings.into_iter())
}

fn once_each<'r>(findings: impl Iterator<Item = (Finding, Kept<'r>)>) -> Vec<(Finding, Kept<'r>)> {
    let mut all: BTreeMap<(String, Signature), (Finding, Kept<'r>)> = BTreeMap::new();
    for (finding, kept) in findings {
        let key = (finding.guard.clone(), finding.signature.clone());
        let Some((seen, evidence)) = all.get_mut(&key) else {
            all.insert(key, (finding, kept));
            continue;
        };
        let shells = seen.shells.iter().chain(finding.shells.iter()).collect();
        // A smaller one says more, whichever case came first.
        if (!finding.minimised, finding.index) < (!seen.minimised, seen.index) {
            (*seen, *evidence) = (finding, kept);
        }
        seen.shells = shells;
    }
    let mut findings: Vec<_> = all.into_values().collect();
    findings.sort_by(|(one, _), (other, _)| {
        (one.index, &one.guard, &one.signature).cmp(&(other.index, &other.guard, &other.signature))
    });
    findings
}

fn merged_summary(shards: &[Run], findings: &[(Finding, Kept<'_>)]) -> Summary {
    let mut all = Summary { ended: merged_end(shards), ..Summary::default() };
    shards.iter().filter_map(|run| run.summary.as_ref()).for_each(|it| all.add(it));
    all.cases_asked = asked(shards);
    for guard in all.guards.values_mut() {
        guard.findings = 0;
    }
    for (finding, _) in findings {
        all.guards.entry(finding.guard.clone()).or_default().findings += 1;
    }
    all
}

/// What the whole campaign asked, shards that are missing or left no figures included; nothing if
/// its limit is a time.
fn asked(shards: &[Run]) -> Option<u64> {
    let Limit::Cases(all) = shards[0].manifest.limit else { return None };
    let share = |run: &Run| {
        let ShardOf { index, count } = run.manifest.shard;
        all / count.max(1) + u64::from(index < all % count.max(1))
    };
    // What a shard says itself counts: it may have seen enough before its end.
    let asked = |run: &Run| run.summary.as_ref().and_then(|it| it.cases_asked);
    let of_those: u64 = shards.iter().map(|run| asked(run).unwrap_or(share(run))).sum();
    let of_missing = all.saturating_sub(shards.iter().map(share).sum());
    Some(of_those + of_missing)
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
        other.unnamed.iter().for_each(|it| self.keep_unnamed(it.clone()));
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
