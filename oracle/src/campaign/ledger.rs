//! What a campaign has counted and found, and the run directory it stands in.

use super::{Campaign, CaseLane, OnceCaught, Outcome, Progress};
use crate::confirm::{Confirmed, Origin, Sort};
use crate::guards::as_word;
use crate::installations::Installation;
use crate::precision::Precision;
use crate::prediction::Reason;
use shfence_corpus::{
    Case, Decision, Finding, FindingKind, Fixture, Found, Known, Shell, Shells, Signature, Text,
};
use shfence_generators::constructs::pairs;
use shfence_reports::{
    Ended, Evidence, FirstSeen, Limit, Run, RunError, RunWriter, Summary, Unnamed,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// How often a contradiction of one sort in one shell is minimised: of the guard under test often
/// enough to tell several causes apart, of a strawman one of each kind.
const MINIMISED_OF_GUARD: usize = 12;
const MINIMISED_OF_STRAWMAN: usize = 1;

fn most_minimised(guard: &str) -> usize {
    if guard.starts_with("strawman:") { MINIMISED_OF_STRAWMAN } else { MINIMISED_OF_GUARD }
}

/// What is minimised only so often: guard and kind, and of a guard under test sort and shell.
type Claim = (String, FindingKind, Option<(Sort, String)>);

fn claim(guard: &str, sort: Sort, shell: &str) -> Claim {
    let closer = !guard.starts_with("strawman:");
    (guard.to_owned(), sort.kind, closer.then(|| (sort, shell.to_owned())))
}

/// What one case added.
pub(super) struct Seen {
    family: &'static str,
    lane: CaseLane,
    verdicts: Vec<(String, Decision)>,
    over_refused: Vec<(String, String)>,
    line: Text,
    index: u64,
    pairs: Vec<String>,
    unparsed: Vec<String>,
    plans: Vec<(String, Precision)>,
    /// Which runs cannot be compared, and why: once per run, however many guards are asked.
    inconclusive: BTreeSet<(String, &'static str)>,
    runs: Vec<String>,
    elsewhere: u64,
    ambient: Vec<(&'static str, u64)>,
}

impl Seen {
    pub(super) fn new(family: &'static str, lane: CaseLane, case: &Case, index: u64) -> Seen {
        Seen {
            line: case.line.clone(),
            index,
            pairs: pairs(case),
            unparsed: Vec::new(),
            family,
            lane,
            verdicts: Vec::new(),
            over_refused: Vec::new(),
            plans: Vec::new(),
            inconclusive: BTreeSet::new(),
            runs: Vec::new(),
            elsewhere: 0,
            ambient: Vec::new(),
        }
    }

    pub(super) fn said(&mut self, guard: &str, decision: Decision) {
        self.verdicts.push((guard.to_owned(), decision));
    }

    /// For the first of these reasons.
    pub(super) fn over_refused(&mut self, guard: &str, reasons: &[Reason]) {
        let reason = reasons.first().map_or("", Reason::name);
        self.over_refused.push((guard.to_owned(), reason.to_owned()));
    }

    /// The shell says that the line is none of its language.
    pub(super) fn unparsed(&mut self, shell: &str) {
        self.unparsed.push(shell.to_owned());
    }

    pub(super) fn predicted(&mut self, guard: &str, precision: Precision) {
        self.plans.push((guard.to_owned(), precision));
    }

    pub(super) fn inconclusive(&mut self, shell: &str, why: &'static str) {
        self.inconclusive.insert((shell.to_owned(), why));
    }

    pub(super) fn ran(
        &mut self,
        shell: &str,
        elsewhere: u64,
        ambient: BTreeMap<&'static str, u64>,
    ) {
        self.runs.push(shell.to_owned());
        self.elsewhere += elsewhere;
        self.ambient.extend(ambient);
    }
}

/// When a guard was first contradicted, by kind and shell.
#[derive(Clone, Debug, Default)]
pub struct Caught {
    /// (guard, kind, shell) → (index of the case, seconds).
    pub first: BTreeMap<(String, FindingKind, String), (u64, f64)>,
}

impl Caught {
    /// The shells that showed this guard to be wrong in this way, with the index of the first case
    /// and the seconds until then.
    pub fn shells(&self, guard: &str, kind: FindingKind) -> BTreeMap<&str, (u64, f64)> {
        let of = |(name, its_kind, _): &(String, FindingKind, String)| {
            name == guard && *its_kind == kind
        };
        self.first.iter().filter(|(key, _)| of(key)).map(|((_, _, s), at)| (&**s, *at)).collect()
    }
}

/// The books of a campaign.
pub(super) struct Ledger {
    writer: RunWriter,
    summary: Summary,
    /// Each with the shells in which it is wrong.
    strawmen: BTreeMap<String, Shells>,
    /// Those in which a strawman must be caught.
    shells: Vec<(Shell, String)>,
    known: Vec<Known>,
    once_caught: OnceCaught,
    /// Cases that an earlier part was handed and did not enter.
    left_open: BTreeSet<u64>,
    claimed: BTreeMap<Claim, usize>,
    caught: Caught,
    signatures: BTreeSet<(String, Signature)>,
    started: Instant,
    /// The seconds of the earlier part.
    seconds_before: f64,
    fault: Option<String>,
    /// What could not be written.
    unwritten: Option<RunError>,
}

impl Ledger {
    /// The books of a campaign, with what stands in them from an earlier part of it.
    pub(super) fn new(
        writer: RunWriter,
        campaign: &Campaign,
        shells: &[Installation],
        before: Option<&Run>,
    ) -> Ledger {
        let names = campaign.guards.iter().chain(&campaign.strawmen).map(|it| it.guard().name());
        let earlier = before.and_then(|run| run.summary.clone()).unwrap_or_default();
        let mut summary = Summary { cases_asked: campaign.cases_asked(), ended: None, ..earlier };
        for name in names {
            summary.guards.entry(name).or_default().findings = 0;
        }
        let mut signatures = BTreeSet::new();
        for recorded in before.iter().flat_map(|run| &run.findings) {
            let finding = &recorded.finding;
            // Findings are written when they are made, figures from time to time.
            summary.guards.entry(finding.guard.clone()).or_default().findings += 1;
            signatures.insert((finding.guard.clone(), finding.signature.clone()));
        }
        Ledger {
            seconds_before: summary.seconds,
            left_open: summary.reached.open.clone(),
            writer,
            summary,
            strawmen: campaign
                .strawmen
                .iter()
                .map(|it| (it.guard().name(), it.wrong_in()))
                .collect(),
            shells: shells
                .iter()
                .filter(|it| !it.id.is_extra())
                .map(|it| (it.id.shell, it.id.name.clone()))
                .collect(),
            known: campaign.known.clone(),
            once_caught: campaign.once_caught,
            claimed: BTreeMap::new(),
            caught: Caught::default(),
            signatures,
            started: Instant::now(),
            fault: None,
            unwritten: None,
        }
    }

    /// The number of the next case of this shard to be run, below the given one. What an earlier
    /// part has left open comes first.
    pub(super) fn hand_out(&mut self, end: Option<u64>) -> Option<u64> {
        if let Some(number) = self.left_open.pop_first() {
            return Some(number);
        }
        let reached = &mut self.summary.reached;
        if end.is_some_and(|end| reached.next >= end) {
            return None;
        }
        let number = reached.next;
        reached.next += 1;
        reached.open.insert(number);
        Some(number)
    }

    /// Enters a case that was run to its end. Is the campaign over with it?
    pub(super) fn add(&mut self, number: u64, seen: Seen) -> bool {
        let summary = &mut self.summary;
        summary.reached.open.remove(&number);
        summary.cases_run += 1;
        *summary.families.entry(seen.family.to_owned()).or_default() += 1;
        *summary.lanes.entry(seen.lane.to_string()).or_default() += 1;
        summary.inconclusive_cases += u64::from(!seen.inconclusive.is_empty());
        summary.touches.elsewhere += seen.elsewhere;
        for (class, count) in seen.ambient {
            *summary.touches.ambient.entry(class.to_owned()).or_default() += count;
        }
        for (_, why) in seen.inconclusive {
            *summary.inconclusive.entry(why.to_owned()).or_default() += 1;
        }
        let allowed = seen.verdicts.first().map(|(_, decision)| *decision == Decision::Allow);
        for pair in &seen.pairs {
            let shells = summary.pairs.entry(pair.clone()).or_default();
            for shell in &seen.runs {
                let together = shells.entry(shell.clone()).or_default();
                together.allowed += u64::from(allowed == Some(true));
                together.refused += u64::from(allowed == Some(false));
            }
        }
        for shell in seen.unparsed {
            *summary.unparsed.entry(shell).or_default() += 1;
        }
        for shell in seen.runs {
            *summary.shell_runs.entry(shell).or_default() += 1;
        }
        for (guard, decision) in seen.verdicts {
            let verdicts = &mut summary.guards.entry(guard).or_default().verdicts;
            *match decision {
                Decision::Allow => &mut verdicts.allow,
                Decision::Ask => &mut verdicts.ask,
                Decision::Deny => &mut verdicts.deny,
            } += 1;
        }
        for (guard, precision) in seen.plans {
            let guard = summary.guards.entry(guard).or_default();
            guard.plans += precision.figures;
            let (index, line) = (seen.index, &seen.line);
            for place in precision.unnamed {
                guard.keep_unnamed(Unnamed { index, place, line: line.clone() });
            }
        }
        for (guard, reason) in seen.over_refused {
            let guard = summary.guards.entry(guard).or_default();
            guard.over_refusals += 1;
            guard.refused_for.entry(reason).or_default().add(&seen.line, seen.index);
        }
        self.once_caught == OnceCaught::End && self.all_caught()
    }

    /// Since the campaign began, pauses left out.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds_before + self.started.elapsed().as_secs_f64()
    }

    fn all_caught(&self) -> bool {
        self.strawmen.keys().all(|strawman| self.has_caught(strawman))
    }

    /// Was this strawman seen to let a line escape in every language in which it is wrong?
    pub(super) fn has_caught(&self, guard: &str) -> bool {
        self.strawmen.get(guard).is_some_and(|wrong_in| {
            let seen = self.caught.shells(guard, FindingKind::TreeEscape);
            let of = |wanted| self.shells.iter().filter(move |(shell, _)| *shell == wanted);
            let shows = |shell| {
                let mut names = of(shell).peekable();
                names.peek().is_none() || names.any(|(_, name)| seen.contains_key(&**name))
            };
            wrong_in.iter().all(shows)
        })
    }

    /// Would it change anything to know that a guard was contradicted so: is it the first of its
    /// kind, or one to be minimised?
    pub(super) fn wants(&self, guard: &str, sort: Sort, shell: &str, index: u64) -> bool {
        let claimed = self.claimed.get(&claim(guard, sort, shell));
        let first = self.caught.first.get(&(guard.to_owned(), sort.kind, shell.to_owned()));
        claimed.is_none_or(|claimed| *claimed < most_minimised(guard))
            || first.is_none_or(|(first, _)| index < *first)
    }

    /// A guard was contradicted: is this one to be minimised?
    pub(super) fn claims(&mut self, guard: &str, sort: Sort, shell: &str, index: u64) -> bool {
        self.saw(guard, sort.kind, shell, index);
        let claimed = self.claimed.entry(claim(guard, sort, shell)).or_default();
        *claimed += 1;
        *claimed <= most_minimised(guard)
    }

    /// Keeps the first of each kind.
    fn saw(&mut self, guard: &str, kind: FindingKind, shell: &str, index: u64) {
        let key = (guard.to_owned(), kind, shell.to_owned());
        let seconds = self.seconds();
        let first = self.caught.first.entry(key).or_insert((index, seconds));
        if index < first.0 {
            *first = (index, seconds);
        }
        let summary = self.summary.guards.entry(guard.to_owned()).or_default();
        let cases = index + 1;
        if kind == FindingKind::TreeEscape {
            let (cases, seconds) = (first.0 + 1, first.1);
            summary.escapes.insert(shell.to_owned(), FirstSeen { cases, seconds });
        }
        if summary.cases_to_first_finding.is_none_or(|first| cases < first) {
            summary.cases_to_first_finding = Some(cases);
            summary.seconds_to_first_finding = Some(seconds);
        }
    }

    /// Enters a confirmed finding, once per guard and signature.
    pub(super) fn record(&mut self, confirmed: &Confirmed) {
        let known = self.known.iter().find(|known| known.is(&confirmed.finding));
        let known = known.map(|known| known.id.clone());
        let finding = &Finding { known, ..confirmed.finding.clone() };
        let key = (finding.guard.clone(), finding.signature.clone());
        if !self.signatures.insert(key) {
            return;
        }
        self.summary.guards.entry(finding.guard.clone()).or_default().findings += 1;
        self.write(|writer| writer.record(finding, &confirmed.evidence()).map(drop));
    }

    /// Enters that a guard crashed on a case.
    pub(super) fn crash(&mut self, guard: &str, case: &Case, origin: Origin, what: &str) {
        let Origin { seed, index, .. } = origin;
        self.saw(guard, FindingKind::Crash, "guard", index);
        let repro = format!("shfence-oracle repro {origin} --guard {}", as_word(guard));
        let signature = Signature::new(&["crash", "guard"]).expect("plain names");
        if !self.signatures.insert((guard.to_owned(), signature.clone())) {
            return;
        }
        let finding = Finding {
            signature,
            kind: FindingKind::Crash,
            shells: case.shells,
            guard: guard.to_owned(),
            line: case.line.clone(),
            minimised: false,
            spans: Vec::new(),
            seed,
            index,
            touched: Some(what.into()),
            known: None,
            repro: repro.clone(),
        };
        let fixture = Fixture {
            name: format!("found.crash.{seed}-{index}"),
            title: what.to_owned(),
            case: case.clone(),
            expect: vec![Decision::Allow, Decision::Ask, Decision::Deny],
            escapes: Shells::NONE,
            accepted: Vec::new(),
            found: Some(Found { seed, index, repro }),
        };
        self.summary.guards.entry(guard.to_owned()).or_default().findings += 1;
        self.write(|writer| writer.record(&finding, &Evidence::of(fixture)).map(drop));
    }

    /// The harness itself failed.
    pub(super) fn fault(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }

    /// Refreshes the figures in the run directory.
    pub(super) fn flush(&mut self) {
        self.summary.seconds = self.seconds();
        let summary = self.summary.clone();
        self.write(|writer| writer.progress(&summary));
    }

    /// How far it is, of a campaign with this limit.
    pub(super) fn progress(&self, limit: Limit) -> Progress {
        let Summary { cases_run, cases_asked, guards, .. } = &self.summary;
        let seconds = self.seconds();
        let cases_per_s = *cases_run as f64 / seconds.max(f64::EPSILON);
        let left_s = match (limit, cases_asked) {
            (Limit::Seconds(asked), _) => Some((asked as f64 - seconds).max(0.0)),
            (Limit::Cases(_), Some(asked)) if *cases_run > 0 => {
                Some(asked.saturating_sub(*cases_run) as f64 / cases_per_s)
            }
            (Limit::Cases(_), _) => None,
        };
        let (strawmen, tested): (Vec<_>, Vec<_>) =
            guards.iter().partition(|(name, _)| self.strawmen.contains_key(*name));
        Progress {
            seconds,
            cases: *cases_run,
            cases_asked: *cases_asked,
            cases_per_s,
            left_s,
            shell_runs: self.summary.shell_runs.values().sum(),
            verdicts: tested.first().map(|(_, it)| it.verdicts).unwrap_or_default(),
            findings: tested.iter().map(|(_, it)| it.findings).sum(),
            caught: (
                strawmen.iter().filter(|(_, it)| it.cases_to_first_finding.is_some()).count(),
                self.strawmen.len(),
            ),
            inconclusive: self.summary.inconclusive_cases,
        }
    }

    fn write(&mut self, act: impl FnOnce(&mut RunWriter) -> Result<(), RunError>) {
        if let Err(error) = act(&mut self.writer) {
            self.unwritten.get_or_insert(error);
        }
    }

    /// Has anything failed to be written?
    pub(super) fn cannot_be_written(&self) -> bool {
        self.unwritten.is_some()
    }

    /// Closes the books.
    pub(super) fn finish(mut self, ended: Ended) -> Result<Outcome, RunError> {
        self.summary.seconds = self.seconds();
        self.summary.ended = Some(match (ended, self.fault.take()) {
            (Ended::Complete, Some(fault)) => Ended::Fault(fault),
            (ended, _) => ended,
        });
        // A campaign that ends because everything was caught has done what was asked.
        if self.once_caught == OnceCaught::End && self.all_caught() {
            self.summary.cases_asked = Some(self.summary.cases_run);
        }
        if let Some(error) = self.unwritten.take() {
            return Err(error);
        }
        let run = self.writer.finish(&self.summary)?;
        Ok(Outcome { run, caught: self.caught })
    }
}

#[cfg(test)]
mod tests;
