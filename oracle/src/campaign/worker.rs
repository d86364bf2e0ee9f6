//! One thread of a campaign: case after case in one engine.

use super::Shared;
use super::ledger::Seen;
use crate::confirm::{Origin, Sort, Suspicion};
use crate::engine::RunError;
use crate::guards::{Guard, declares};
use crate::installations::Installation;
use crate::judge::{Contradiction, Judgement, ambient, elsewhere, judge, was_harmless};
use crate::lab::{Lab, LabError};
use crate::minimise::{Limits, MinimiseError};
use crate::prediction::Prediction;
use crate::trace::Trace;
use shfence_corpus::{Case, Decision};
use shfence_generators::{Settings, generate};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Opens one lab per job, each on a processor of its own as long as there are enough.
pub(super) fn labs(jobs: usize, shells: &[Installation]) -> Result<Vec<Lab>, LabError> {
    let mut processors = usable_processors().into_iter().map(Some).cycle();
    let lab = |_| Lab::with(shells.to_vec(), processors.next().flatten());
    (0..jobs.max(1)).map(lab).collect()
}

/// The numbers of the processors that this process may run on, from the line
/// `Cpus_allowed_list: 0-3,8` of its status (proc(5)). In a container they need not start at 0.
/// None if the system does not say: then the scheduler decides.
pub(crate) fn usable_processors() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    };
    list.unwrap_or_default().trim().split(',').filter_map(range).flatten().collect()
}

/// Runs cases until there are no more.
pub(super) fn work(shared: &Shared<'_>, mut lab: Lab) {
    let campaign = shared.campaign;
    let guards: Vec<Arc<dyn Guard>> =
        campaign.guards.iter().chain(&campaign.strawmen).map(|name| name.guard()).collect();
    let settings = Settings::default();
    while let Some(index) = shared.next_index() {
        let generated = generate(campaign.seed, index, &settings);
        let mut run = CaseRun {
            shared,
            guards: &guards,
            lab: &mut lab,
            case: &generated.case,
            origin: Origin { seed: campaign.seed, index },
            seen: Seen::new(generated.family.name()),
        };
        match run.all_shells() {
            Ok(()) => {
                let seen = run.seen;
                if shared.ledger().add(seen) {
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

/// One case on its way through the shells and the guards.
struct CaseRun<'a> {
    shared: &'a Shared<'a>,
    guards: &'a [Arc<dyn Guard>],
    lab: &'a mut Lab,
    case: &'a Case,
    origin: Origin,
    seen: Seen,
}

impl CaseRun<'_> {
    fn all_shells(&mut self) -> Result<(), RunError> {
        let predictions = self.predictions();
        let mut harmless = true;
        for shell in &self.lab.shells_in_turn(self.case, self.origin.index) {
            let trace = match self.lab.run_in(self.case, shell) {
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
            for (guard, prediction) in self.guards.iter().zip(&predictions) {
                if let Some(prediction) = prediction {
                    self.compare(&**guard, prediction, shell, &trace)?;
                }
            }
        }
        for (guard, prediction) in self.guards.iter().zip(&predictions) {
            let refused = prediction.as_ref().is_some_and(|it| it.decision != Decision::Allow);
            if refused && harmless {
                self.seen.over_refused(&guard.name());
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

    fn compare(
        &mut self,
        guard: &dyn Guard,
        prediction: &Prediction,
        shell: &Installation,
        trace: &Trace,
    ) -> Result<(), RunError> {
        let contradictions = match judge(prediction, trace) {
            Judgement::Agree => return Ok(()),
            Judgement::Inconclusive(why) => {
                self.seen.inconclusive(&shell.id.name, why);
                return Ok(());
            }
            Judgement::Contradicted(contradictions) => contradictions,
        };
        let name = guard.name();
        let sorts: BTreeSet<Sort> = contradictions.iter().map(Contradiction::sort).collect();
        for sort in sorts {
            if !self.shared.ledger().claims(&name, sort, &shell.id.name, self.origin.index) {
                continue;
            }
            let suspicion = Suspicion { guard, case: self.case, shell, sort, origin: self.origin };
            match suspicion.confirm(self.lab, Limits::default()) {
                Ok(confirmed) => self.shared.ledger().record(&confirmed),
                Err(MinimiseError::Predicate(error)) => return Err(error),
                // It was seen once and not again: no finding, but not nothing.
                Err(_) => self.seen.inconclusive(&shell.id.name, "not reproducible"),
            }
        }
        Ok(())
    }
}
