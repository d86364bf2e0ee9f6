//! From a contradiction to a finding, in real shells.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, engine, shells};
use shfence_corpus::{Case, Decision, Finding, FindingKind, Shells, Text};
use shfence_oracle::confirm::{Confirmed, Origin, Suspicion};
use shfence_oracle::engine::{RunError, Stopper};
use shfence_oracle::guards::{Crash, Guard, Linked, Strawman};
use shfence_oracle::judge::{Judgement, judge};
use shfence_oracle::lab::Lab;
use shfence_oracle::minimise::{Limits, MinimiseError};
use shfence_oracle::prediction::Prediction;
use shfence_oracle::replay::replay;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A strawman that stops allowing anything after so many questions.
struct Fickle {
    asked: AtomicUsize,
    until: usize,
}

impl Fickle {
    fn new(until: usize) -> Fickle {
        Fickle { asked: AtomicUsize::new(0), until }
    }
}

impl Guard for Fickle {
    fn name(&self) -> String {
        "strawman:fickle".to_owned()
    }

    fn predict(&self, _: &Case) -> Result<Prediction, Crash> {
        let allows = self.asked.fetch_add(1, Ordering::Relaxed) < self.until;
        let decision = if allows { Decision::Allow } else { Decision::Ask };
        Ok(Prediction { decision, plan: None, reasons: Vec::new() })
    }
}

fn lab() -> Lab {
    Lab::of(engine(), shells())
}

/// Confirms the first contradiction of this kind that the first shell shows.
fn confirm(
    guard: &dyn Guard,
    kind: FindingKind,
    line: &str,
    lab: &mut Lab,
) -> Result<Confirmed, MinimiseError<RunError>> {
    let case = case(line);
    let shell = lab.shells[0].clone();
    let trace = lab.run_in(&case, &shell).unwrap();
    let Judgement::Contradicted(found) = judge(&guard.predict(&case).unwrap(), &trace) else {
        panic!("{} is right about '{line}'", guard.name());
    };
    let sort = found.iter().find(|it| it.kind == kind).unwrap().sort();
    let origin = Origin::drawn(7, 11);
    let suspicion = Suspicion { guard, case: &case, shell: &shell, sort, origin };
    suspicion.confirm(lab, Limits::default())
}

fn shown(steps: &[Text]) -> Vec<String> {
    steps.iter().map(ToString::to_string).collect()
}

/// The pieces of the line that it comes from.
fn culprits(confirmed: &Confirmed) -> Vec<String> {
    let Finding { line, spans, .. } = &confirmed.finding;
    let piece = |[start, end]: &[u32; 2]| Text::from(&line[*start as usize..*end as usize]);
    spans.iter().map(|it| piece(it).to_string()).collect()
}

#[test]
fn a_finding_is_small_named_and_shown_by_every_shell() {
    let mut lab = lab();
    let line = "true && ls; cd nosuch; cat x ../outside/secret | cat";
    let guard: Strawman = "cd-always-succeeds".parse().unwrap();
    let confirmed = confirm(&guard, FindingKind::TreeEscape, line, &mut lab).unwrap();
    let finding = &confirmed.finding;
    assert_eq!(finding.signature.as_str(), "tree-escape/read/cd-failed/semicolon");
    assert_eq!(finding.line.iter().filter(|byte| **byte == b';').count(), 1, "{}", finding.line);
    assert_eq!(finding.shells, Shells::ALL);
    assert_eq!((finding.seed, finding.index), (7, 11));
    assert_eq!(finding.repro, "shfence-oracle repro 7:11 --guard strawman:cd-always-succeeds");
    assert_eq!(confirmed.traces.len(), 5);
    let steps = confirmed.steps["bash"].clone();
    let [planned, done] = [steps.planned, steps.done].map(|all| shown(&all));
    let cat = |place: &str| format!("run cat ../outside/secret   in /case/{place}");
    assert_eq!(culprits(&confirmed), ["../outside/secret"]);
    assert_eq!(done, [cat("proj").as_str(), "read /case/outside/secret"]);
    assert!(planned.contains(&cat("proj/nosuch")), "{planned:?}");
    assert!(!planned.contains(&done[1]), "{planned:?}");
    let fixture = &confirmed.fixture;
    assert_eq!(finding.line, fixture.case.line);
    assert_eq!(fixture.expect, [Decision::Ask, Decision::Deny]);
    assert_eq!(fixture.escapes, Shells::ALL);
    assert!(!replay(fixture, &guard, &mut lab).unwrap().is_empty());
    assert_eq!(replay(fixture, &Linked, &mut lab).unwrap(), [""; 0]);
}

/// A line that a guard with the right plan may allow must not be forbidden by a fixture.
#[test]
fn a_group_escape_forbids_the_plan_and_not_the_line() {
    let mut lab = lab();
    let line = "cd src; cat main.txt";
    let guard: Strawman = "cd-allowed".parse().unwrap();
    let confirmed = confirm(&guard, FindingKind::GroupEscape, line, &mut lab).unwrap();
    let fixture = &confirmed.fixture;
    assert!(fixture.expect.contains(&Decision::Allow), "{fixture:?}");
    assert_eq!(fixture.escapes, Shells::NONE);
    assert_eq!(culprits(&confirmed).len(), 1, "{:?}", confirmed.finding);
    assert!(confirmed.steps.values().all(|it| it.planned != it.done), "{:?}", confirmed.steps);
    assert_eq!(replay(fixture, &Linked, &mut lab).unwrap(), [""; 0]);
    let complaints = replay(fixture, &guard, &mut lab).unwrap();
    assert!(complaints.iter().all(|it| it.contains("escape")), "{complaints:?}");
    assert!(complaints.len() >= 5, "{complaints:?}");
}

/// Stops the engine when it has been asked so often.
struct Stopping {
    asked: AtomicUsize,
    stopper: Stopper,
}

impl Guard for Stopping {
    fn name(&self) -> String {
        "strawman:stopping".to_owned()
    }

    fn predict(&self, _: &Case) -> Result<Prediction, Crash> {
        if self.asked.fetch_add(1, Ordering::Relaxed) == 30 {
            self.stopper.stop();
        }
        Ok(Prediction { decision: Decision::Allow, plan: None, reasons: Vec::new() })
    }
}

#[test]
fn what_is_stopped_leaves_what_was_shown() {
    let mut lab = lab();
    let line = "true && ls; cat src/main.txt; cat x ../outside/secret | cat";
    let guard = Stopping { asked: AtomicUsize::new(0), stopper: lab.stopper().unwrap() };
    let (case, shell) = (case(line), lab.shells[0].clone());
    let trace = lab.run_in(&case, &shell).unwrap();
    let Judgement::Contradicted(found) = judge(&guard.predict(&case).unwrap(), &trace) else {
        panic!("nothing is wrong");
    };
    let (sort, origin) = (found[0].sort(), Origin::drawn(7, 11));
    let suspicion = Suspicion { guard: &guard, case: &case, shell: &shell, sort, origin };
    let (error, left) = suspicion.confirm_or_leave(&mut lab, Limits::default()).unwrap_err();
    assert!(matches!(error, MinimiseError::Predicate(_)), "{error}");
    let left = left.unwrap();
    assert!(!left.finding.minimised);
    assert_eq!(left.finding.shells, Shells::only(shell.id.shell));
    assert_eq!(left.traces.keys().collect::<Vec<_>>(), [&shell.id.name]);
    assert_eq!(left.finding.line, left.fixture.case.line);
    assert!(left.finding.line.len() <= line.len());
}

#[test]
fn what_is_not_seen_again_is_flaky_and_no_finding() {
    let mut lab = lab();
    let line = "cat ../outside/secret";
    let steady = Fickle::new(usize::MAX);
    let confirmed = confirm(&steady, FindingKind::TreeEscape, line, &mut lab).unwrap();
    assert_eq!(confirmed.finding.shells, Shells::ALL);
    // It is asked once more after the minimiser has done its part.
    let all = steady.asked.load(Ordering::Relaxed);
    let fickle = Fickle::new(all - 1);
    let flaky = confirm(&fickle, FindingKind::TreeEscape, line, &mut lab);
    let after_all = Limits::default().reruns + 1;
    assert!(
        matches!(flaky, Err(MinimiseError::Flaky { rerun, .. }) if rerun == after_all),
        "{flaky:?}"
    );
}
