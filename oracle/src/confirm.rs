//! From a contradiction to a finding: shown again, minimised, named.

use crate::culprit::culprits;
use crate::engine::RunError;
use crate::guards::{Guard, as_word};
use crate::installations::Installation;
use crate::judge::{Contradiction, Judgement, judge};
use crate::lab::Lab;
use crate::minimise::{Limits, MinimiseError, minimise};
use crate::prediction::{Plan, Prediction};
use crate::signature::{Way, signature, way};
use crate::steps;
use crate::trace::{TouchKind, Trace};
use serde::{Deserialize, Serialize};
use shfence_corpus::{Case, Decision, Finding, FindingKind, Fixture, Found, Shells, Signature};
use shfence_reports::{Evidence, Steps};
use std::collections::BTreeMap;
use std::fmt;

/// A confirmed finding with its evidence.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The finding.
    pub finding: Finding,
    /// The case as a fixture that forbids what the guard did.
    pub fixture: Fixture,
    /// What the guard said it would do, if the guard says such things.
    pub plan: Option<Plan>,
    /// What each shell did with the minimised line.
    pub traces: BTreeMap<String, Trace>,
    /// What of it was planned, by shell.
    pub steps: BTreeMap<String, Steps>,
}

impl Confirmed {
    /// As a run directory holds it.
    pub fn evidence(&self) -> Evidence {
        let json = |trace: &Trace| serde_json::to_string_pretty(trace).expect("a trace is JSON");
        let plan = |plan: &Plan| serde_json::to_string_pretty(plan).expect("a plan is JSON");
        Evidence {
            fixture: self.fixture.clone(),
            plan: self.plan.as_ref().map(plan),
            traces: self.traces.iter().map(|(shell, it)| (shell.clone(), json(it))).collect(),
            steps: self.steps.clone(),
        }
    }
}

/// Where a contradiction was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The campaign's seed.
    pub seed: u64,
    /// The case's index under that seed.
    pub index: u64,
    /// The tokens of the small scope that it is a case of, if it was not drawn under a seed.
    pub small: Option<usize>,
}

impl Origin {
    /// A case that was drawn.
    pub fn drawn(seed: u64, index: u64) -> Origin {
        Origin { seed, index, small: None }
    }
}

/// As `shfence-oracle repro` takes it.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.small {
            Some(tokens) => write!(f, "small-{tokens}:{}", self.index),
            None => write!(f, "{}:{}", self.seed, self.index),
        }
    }
}

/// What makes two contradictions the same while a case is being minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sort {
    /// Its kind.
    pub kind: FindingKind,
    /// What was done.
    pub effect: TouchKind,
    /// How it came there.
    pub way: Way,
    /// Was it there? Reading a secret is not the same as looking for one.
    pub existed: bool,
}

impl Contradiction {
    /// The part that stays the same while the case shrinks.
    pub fn sort(&self) -> Sort {
        Sort { kind: self.kind, effect: self.effect, way: way(self), existed: self.existed }
    }
}

/// A contradiction as it was seen, waiting to be confirmed.
pub struct Suspicion<'a> {
    /// The guard that was contradicted.
    pub guard: &'a dyn Guard,
    /// The case.
    pub case: &'a Case,
    /// The shell that showed it.
    pub shell: &'a Installation,
    /// What it showed.
    pub sort: Sort,
    /// Where the case comes from.
    pub origin: Origin,
}

impl Suspicion<'_> {
    /// Minimises the case as long as the same shell shows the same sort of contradiction, then asks
    /// every shell of the lab about the result.
    pub fn confirm(
        &self,
        lab: &mut Lab,
        limits: Limits,
    ) -> Result<Confirmed, MinimiseError<RunError>> {
        self.confirm_or_leave(lab, limits).map_err(|(error, _)| error)
    }

    /// The same. If it ends early, since the engine is stopped or lost, what was shown by then is
    /// left: the smallest case so far, in the one shell that showed it.
    pub fn confirm_or_leave(
        &self,
        lab: &mut Lab,
        limits: Limits,
    ) -> Result<Confirmed, (MinimiseError<RunError>, Option<Box<Confirmed>>)> {
        let mut shown = None;
        let ended = self.made_small(lab, limits, &mut shown);
        ended.map_err(|error| {
            let stopped = matches!(error, MinimiseError::Predicate(_));
            let left = shown.filter(|_| stopped).and_then(|(case, trace)| {
                let prediction = self.guard.predict(&case).ok()?;
                self.describe(&case, prediction, vec![(self.shell.clone(), trace)])
            });
            (error, left.map(Box::new))
        })
    }

    fn made_small(
        &self,
        lab: &mut Lab,
        limits: Limits,
        shown: &mut Option<(Case, Trace)>,
    ) -> Result<Confirmed, MinimiseError<RunError>> {
        // The guard is asked about all the shells that the case is for: with fewer it would be
        // another question. The set therefore stays as it is.
        let shells = self.case.shells;
        let small = minimise(
            self.case,
            limits,
            &mut |case| {
                if case.shells != shells {
                    return Ok(false);
                }
                let Some((seen, trace)) = look(self.guard, case, self.shell, lab)? else {
                    return Ok(false);
                };
                let shows = seen.iter().any(|it| it.sort() == self.sort);
                if shows {
                    *shown = Some((case.clone(), trace));
                }
                Ok(shows)
            },
            &mut |_| {},
        )?;
        match self.in_all_shells(&small.case, lab) {
            Ok(Some(mut confirmed)) => {
                confirmed.finding.minimised = small.exhausted;
                Ok(confirmed)
            }
            // This run was one more re-run.
            Ok(None) => {
                let rerun = limits.reruns + 1;
                Err(MinimiseError::Flaky { case: Box::new(small.case), rerun })
            }
            Err(error) => Err(MinimiseError::Predicate(error)),
        }
    }

    /// Nothing if no shell shows it this time.
    fn in_all_shells(&self, case: &Case, lab: &mut Lab) -> Result<Option<Confirmed>, RunError> {
        let Ok(prediction) = self.guard.predict(case) else { return Ok(None) };
        let mut runs = Vec::new();
        for shell in lab.shells_of(case) {
            let trace = lab.run_in(case, &shell)?;
            runs.push((shell, trace));
        }
        Ok(self.describe(case, prediction, runs))
    }

    /// What these runs show; nothing, if none does.
    fn describe(
        &self,
        case: &Case,
        prediction: Prediction,
        runs: Vec<(Installation, Trace)>,
    ) -> Option<Confirmed> {
        let (mut traces, mut steps) = (BTreeMap::new(), BTreeMap::new());
        let (mut shells, mut escapes) = (Shells::NONE, Shells::NONE);
        let mut asked = Shells::NONE;
        let mut named = None;
        let plan = prediction.plan.as_ref();
        for (shell, trace) in runs {
            let seen = contradictions(&prediction, &trace);
            asked = asked.with(shell.id.shell);
            if let Some(one) = seen.iter().find(|it| it.sort() == self.sort) {
                shells = shells.with(shell.id.shell);
                if !shell.id.is_extra() {
                    escapes = escapes.with(shell.id.shell);
                }
                named.get_or_insert_with(|| {
                    let spans = culprits(&case.line, plan, &trace, one);
                    (signature(case, one, &trace), one.clone(), spans)
                });
            }
            steps.insert(shell.id.name.clone(), steps::steps(plan, &trace, &seen));
            traces.insert(shell.id.name.clone(), trace);
        }
        let (signature, contradiction, spans) = named?;
        let signature = in_shells(signature, shells, asked);
        let Origin { seed, index, .. } = self.origin;
        let (origin, guard) = (self.origin, as_word(&self.guard.name()));
        let repro = format!("shfence-oracle repro {origin} --guard {guard}");
        let (expect, escapes) = match self.sort.kind {
            FindingKind::TreeEscape => (vec![Decision::Ask, Decision::Deny], escapes),
            // With a plan that tells what happens, the line may well be allowed.
            _ => (vec![Decision::Allow, Decision::Ask, Decision::Deny], Shells::NONE),
        };
        Some(Confirmed {
            fixture: Fixture {
                name: format!("found.{}.{seed}-{index}", self.sort.kind.name()),
                title: format!("A campaign found {signature}."),
                case: case.clone(),
                expect,
                escapes,
                accepted: Vec::new(),
                found: Some(Found { seed, index, repro: repro.clone() }),
            },
            finding: Finding {
                signature,
                kind: self.sort.kind,
                shells,
                guard: self.guard.name(),
                line: case.line.clone(),
                minimised: false,
                spans,
                seed,
                index,
                touched: Some(touched(&contradiction)),
                known: None,
                repro,
            },
            plan: prediction.plan,
            traces,
            steps,
        })
    }
}

/// What only some shells do is another thing than what all do, or what the others do.
fn in_shells(signature: Signature, shown: Shells, asked: Shells) -> Signature {
    if shown == asked {
        return signature;
    }
    let names: Vec<&str> = shown.iter().map(shfence_corpus::Shell::name).collect();
    signature.with(&names.join("-")).expect("names of shells are plain")
}

/// Runs a case in one shell and returns how that contradicts the guard, and what it did; nothing,
/// if nothing can.
fn look(
    guard: &dyn Guard,
    case: &Case,
    shell: &Installation,
    lab: &mut Lab,
) -> Result<Option<(Vec<Contradiction>, Trace)>, RunError> {
    // A guard that does not allow the line cannot be wrong about it: no need to run it.
    let prediction = match guard.predict(case) {
        Ok(prediction) if prediction.decision == Decision::Allow => prediction,
        _ => return Ok(None),
    };
    match lab.run_in(case, shell) {
        Ok(trace) => Ok(Some((contradictions(&prediction, &trace), trace))),
        Err(error @ RunError::Engine(_)) => Err(error),
        // A candidate that cannot be run shows nothing.
        Err(_) => Ok(None),
    }
}

fn contradictions(prediction: &Prediction, trace: &Trace) -> Vec<Contradiction> {
    match judge(prediction, trace) {
        Judgement::Contradicted(seen) => seen,
        Judgement::Agree | Judgement::Inconclusive(_) => Vec::new(),
    }
}

/// What a finding is about: a place, or what ran, which is none.
fn touched(contradiction: &Contradiction) -> shfence_corpus::Text {
    match (contradiction.kind, contradiction.effect) {
        (FindingKind::PlanMismatch, TouchKind::Exec) => contradiction.what.clone(),
        _ => below_top(&contradiction.what),
    }
}

/// A path without the top, which is the same for all.
fn below_top(path: &shfence_corpus::Text) -> shfence_corpus::Text {
    let prefix = format!("{}/", shfence_corpus::TOP);
    path.strip_prefix(prefix.as_bytes()).map_or_else(|| path.clone(), Into::into)
}
