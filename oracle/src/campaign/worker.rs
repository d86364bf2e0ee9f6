//! One thread of a campaign: case after case in one engine.

use super::lanes::{CaseLane, Labs, lane_of};
use super::ledger::Seen;
use super::{OnceCaught, Shared};
use crate::confirm::{Origin, Sort, Suspicion};
use crate::engine::{Probes, RunError};
use crate::guards::{Guard, GuardName, declares};
use crate::installations::Installation;
use crate::judge::{Contradiction, Judgement, ambient, elsewhere, judge, was_harmless};
use crate::lab::LabError;
use crate::minimise::{Limits, MinimiseError};
use crate::precision::precision;
use crate::prediction::Prediction;
use crate::processors;
use crate::recording::Recorder;
use crate::trace::{Status, Trace};
use shfence_corpus::{Case, Decision};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Opens the labs of each job, each on a processor of its own as long as there are enough.
pub(super) fn labs(jobs: usize, shells: &[Installation]) -> Result<Vec<Placed>, LabError> {
    let mut processors = processors::usable().into_iter().map(Some).cycle();
    let placed = |_| {
        let cpu = processors.next().flatten();
        Ok(Placed { cpu, labs: Labs::open(shells, cpu)?, recorder: None })
    };
    (0..jobs.max(1)).map(placed).collect()
}

/// The labs of a worker, and the processor they are on.
pub(super) struct Placed {
    cpu: Option<usize>,
    pub(super) labs: Labs,
    /// Where what they see is kept.
    pub(super) recorder: Option<Recorder>,
}

/// Runs cases until there are no more.
pub(super) fn work(shared: &Shared<'_>, Placed { cpu, mut labs, mut recorder }: Placed) {
    processors::stay_on(cpu);
    run_cases(shared, &mut labs, recorder.as_mut());
    if let Some(Err(error)) = recorder.map(Recorder::finish) {
        shared.not_recorded(error);
    }
}

fn run_cases(shared: &Shared<'_>, labs: &mut Labs, mut recorder: Option<&mut Recorder>) {
    let campaign = shared.campaign;
    let mut guards: Vec<Arc<dyn Guard>> =
        campaign.guards.iter().chain(&campaign.strawmen).map(GuardName::guard).collect();
    while let Some((number, index)) = shared.next_case() {
        if campaign.once_caught != OnceCaught::AskOn {
            let ledger = shared.ledger();
            guards.retain(|guard| !ledger.has_caught(&guard.name()));
        }
        let (case, family) = campaign.source.case(index);
        let lane = campaign.lane.unwrap_or_else(|| lane_of(&case, index));
        let mut run = CaseRun {
            shared,
            guards: &guards,
            labs,
            recorder: recorder.as_deref_mut(),
            unconfirmed: Vec::new(),
            case: &case,
            origin: campaign.source.origin(index),
            lane,
            seen: Seen::new(family, lane, &case, index),
        };
        match run.all_shells() {
            Ok(()) => {
                let seen = run.seen;
                if let Some(Err(error)) = recorder.as_deref_mut().map(Recorder::end) {
                    shared.not_recorded(error);
                }
                if shared.ledger().add(number, seen) {
                    shared.stop.store(true, Ordering::Relaxed);
                }
            }
            // The engine was stopped, and the case with it: it counts as not run.
            Err(_) if crate::interrupt::pending().is_some() => return,
            Err(error) => {
                shared.ledger().fault(error.to_string());
                shared.stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// What one shell did with a case, while the guards are compared with it.
struct Comparison<'a> {
    shell: &'a Installation,
    trace: &'a Trace,
    /// What it did with shell and tools executed: made once, for all guards and sorts.
    executed: Option<Trace>,
    /// What the guards under test were seen to get wrong.
    shown: BTreeSet<Sort>,
}

/// One case on its way through the shells and the guards.
struct CaseRun<'a> {
    shared: &'a Shared<'a>,
    guards: &'a [Arc<dyn Guard>],
    labs: &'a mut Labs,
    recorder: Option<&'a mut Recorder>,
    /// What seemed to contradict the guards under test in one run, and did not show again.
    unconfirmed: Vec<Sort>,
    case: &'a Case,
    origin: Origin,
    lane: CaseLane,
    seen: Seen,
}

impl CaseRun<'_> {
    fn all_shells(&mut self) -> Result<(), RunError> {
        let predictions = self.predictions();
        let allows = |it: &Prediction| it.decision == Decision::Allow;
        // Where all cases are run, there are too many to count over-refusals.
        if self.origin.small.is_some() && !predictions.iter().flatten().any(allows) {
            return Ok(());
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.case(self.origin.index, self.case, self.lane.name());
            let tested = &self.shared.campaign.guards;
            for (guard, prediction) in tested.iter().zip(&predictions) {
                recorder.said(&guard.guard().name(), prediction.as_ref());
            }
        }
        // A probe does no harm, whatever the verb would have done.
        let mut harmless = self.lane != CaseLane::Probe;
        let Origin { seed, index, .. } = self.origin;
        let lab = &self.labs.executed;
        let shells = match self.origin.small {
            // All means all: a shard must not be one that meets the same `sh` again and again.
            Some(_) => lab.shells_of(self.case),
            None => lab.shells_in_turn(self.case, index),
        };
        for shell in &shells {
            let probes = Probes::of(seed, index);
            let trace = match self.labs.run_in(self.lane, probes, self.case, shell) {
                Ok(trace) => trace,
                Err(error @ RunError::Engine(_)) => return Err(error),
                Err(_) => {
                    self.seen.inconclusive(&shell.id.name, "cannot be started");
                    harmless = false;
                    continue;
                }
            };
            self.seen.ran(&shell.id.name, elsewhere(&trace), ambient(&trace));
            harmless &= was_harmless(&trace, &declares);
            if could_not_parse(&trace) {
                self.seen.unparsed(&shell.id.name);
            }
            let mut comparison =
                Comparison { shell, trace: &trace, executed: None, shown: BTreeSet::new() };
            for (guard, prediction) in self.guards.iter().zip(&predictions) {
                if let Some(prediction) = prediction {
                    self.measure(&**guard, prediction, &trace);
                    self.compare(&**guard, prediction, &mut comparison)?;
                }
            }
            let unconfirmed = std::mem::take(&mut self.unconfirmed);
            if let Some(recorder) = &mut self.recorder {
                recorder.ran(&trace, unconfirmed);
            }
        }
        for (guard, prediction) in self.guards.iter().zip(&predictions) {
            let Some(prediction) = prediction.as_ref().filter(|_| harmless) else { continue };
            if prediction.decision != Decision::Allow {
                self.seen.over_refused(&guard.name(), &prediction.reasons);
            }
        }
        Ok(())
    }

    /// What each guard says; a guard that crashes has said nothing, and has a finding.
    fn predictions(&mut self) -> Vec<Option<Prediction>> {
        let mut predictions = Vec::new();
        for guard in self.guards {
            match guard.predict(self.case) {
                Ok(prediction) => {
                    self.seen.said(&guard.name(), prediction.decision);
                    predictions.push(Some(prediction));
                }
                Err(crash) => {
                    let mut ledger = self.shared.ledger();
                    ledger.crash(&guard.name(), self.case, self.origin, &crash.to_string());
                    predictions.push(None);
                }
            }
        }
        predictions
    }

    /// How exactly an allowed line was predicted. A probe touches nothing that its verb would.
    fn measure(&mut self, guard: &dyn Guard, prediction: &Prediction, trace: &Trace) {
        let counts = self.lane != CaseLane::Probe && prediction.decision == Decision::Allow;
        if let (true, Some(plan)) = (counts, &prediction.plan) {
            self.seen.predicted(&guard.name(), precision(plan, trace));
        }
    }

    fn compare(
        &mut self,
        guard: &dyn Guard,
        prediction: &Prediction,
        comparison: &mut Comparison<'_>,
    ) -> Result<(), RunError> {
        let Comparison { shell, trace, executed, shown } = comparison;
        let contradictions = match judge(prediction, trace) {
            Judgement::Agree => return Ok(()),
            Judgement::Inconclusive(why) => {
                self.seen.inconclusive(&shell.id.name, why);
                return Ok(());
            }
            Judgement::Contradicted(contradictions) => contradictions,
        };
        let name = guard.name();
        let mut sorts: BTreeSet<Sort> = contradictions.iter().map(Contradiction::sort).collect();
        match self.is_tested(&name) {
            true => shown.extend(&sorts),
            // What the guard under test gets wrong as well is not the strawman's fault.
            false => sorts.retain(|sort| !shown.contains(sort)),
        }
        for sort in sorts {
            if self.lane == CaseLane::Probe
                && self.shared.ledger().wants(&name, sort, &shell.id.name, self.origin.index)
                && !self.shows_with_tools(prediction, sort, shell, executed)?
            {
                self.unconfirmed(guard, shell, sort, "seen with probes alone");
                continue;
            }
            if !self.shared.ledger().claims(&name, sort, &shell.id.name, self.origin.index) {
                continue;
            }
            let suspicion = Suspicion { guard, case: self.case, shell, sort, origin: self.origin };
            let minimises = self.shared.campaign.minimises;
            let limits = if minimises { Limits::default() } else { Limits::none() };
            match suspicion.confirm_or_leave(&mut self.labs.executed, limits) {
                Ok(confirmed) => self.shared.ledger().record(&confirmed),
                // The case is run again when the campaign goes on; if it never does, this stands.
                Err((MinimiseError::Predicate(error), left)) => {
                    left.iter().for_each(|it| self.shared.ledger().record(it));
                    return Err(error);
                }
                // It was seen once and not again: no finding, but not nothing.
                Err(_) => {
                    self.unconfirmed.push(sort);
                    self.seen.inconclusive(&shell.id.name, "not reproducible");
                }
            }
        }
        Ok(())
    }

    /// Does the same sort of contradiction show where shell and tools are executed? That trace is
    /// made once for all guards and sorts.
    fn shows_with_tools(
        &mut self,
        prediction: &Prediction,
        sort: Sort,
        shell: &Installation,
        executed: &mut Option<Trace>,
    ) -> Result<bool, RunError> {
        let trace = match executed.take() {
            Some(trace) => trace,
            None => self.labs.executed.run_in(self.case, shell)?,
        };
        let shows = match judge(prediction, &trace) {
            Judgement::Contradicted(seen) => seen.iter().any(|it| it.sort() == sort),
            Judgement::Agree | Judgement::Inconclusive(_) => false,
        };
        *executed = Some(trace);
        Ok(shows)
    }

    /// Of a guard under test that is not nothing. A strawman is wrong in so many ways that one more
    /// tells nothing.
    fn unconfirmed(
        &mut self,
        guard: &dyn Guard,
        shell: &Installation,
        sort: Sort,
        why: &'static str,
    ) {
        if self.is_tested(&guard.name()) {
            self.unconfirmed.push(sort);
            self.seen.inconclusive(&shell.id.name, why);
        }
    }

    fn is_tested(&self, guard: &str) -> bool {
        self.shared.campaign.guards.iter().any(|it| it.guard().name() == guard)
    }
}

/// Does the shell say that the line is none of its language?
fn could_not_parse(trace: &Trace) -> bool {
    const COMPLAINTS: [&[u8]; 3] = [b"syntax error", b"Syntax error", b"parse error"];
    let says = |text: &&[u8]| trace.output.windows(text.len()).any(|part| part == *text);
    trace.status != Status::Exited(0) && COMPLAINTS.iter().any(says)
}
