//! Fixtures against the guard and the shells, as they are now.

use crate::engine::RunError;
use crate::guards::{Guard, Strawman};
use crate::judge::{Judgement, judge};
use crate::lab::Lab;
use crate::prediction::Prediction;
use crate::trace::Trace;
use shfence_corpus::{FindingKind, Fixture, Shell, Shells};
use std::collections::BTreeSet;

/// What is wrong with one fixture, as sentences. None: it holds.
pub type Complaints = Vec<String>;

/// Replays a fixture: the guard's verdict must be one that the fixture expects, what the shells do
/// must contradict the guard exactly where the fixture accepts it, and where the fixture says in
/// which shells the line escapes, it must do so in those and no others.
///
/// Extra shells run what is for their language. The guard must not be contradicted there either,
/// where nothing is accepted; but whether a line escapes there, or what is accepted happens, is
/// nothing that a fixture promises.
pub fn replay(fixture: &Fixture, guard: &dyn Guard, lab: &mut Lab) -> Result<Complaints, RunError> {
    let prediction = match guard.predict(&fixture.case) {
        Ok(prediction) => prediction,
        Err(crash) => return Ok(vec![crash.to_string()]),
    };
    let traces = lab.run(&fixture.case)?;
    let mut complaints = Complaints::new();
    if !fixture.expect.contains(&prediction.decision) {
        let expected: Vec<String> = fixture.expect.iter().map(ToString::to_string).collect();
        complaints.push(format!(
            "the guard says {}, expected {}{}",
            prediction.decision,
            expected.join(" or "),
            prediction.reasons.iter().map(|reason| format!("\n    {reason}")).collect::<String>()
        ));
    }
    contradictions(fixture, &prediction, &traces, &mut complaints);
    escapes(fixture, &traces, &mut complaints)?;
    Ok(complaints)
}

/// Contradictions must be exactly the accepted ones: one more is a defect, one less means that the
/// reason for accepting it is gone.
fn contradictions(
    fixture: &Fixture,
    prediction: &Prediction,
    traces: &[Trace],
    complaints: &mut Complaints,
) {
    let mut seen: BTreeSet<(FindingKind, Shell)> = BTreeSet::new();
    for trace in traces {
        let shell = &trace.shell;
        match judge(prediction, trace) {
            Judgement::Agree => {}
            Judgement::Inconclusive(why) => {
                complaints.push(format!("{}: cannot be compared: {why}", shell.name));
            }
            Judgement::Contradicted(found) => {
                for one in found {
                    if !accepts(fixture, one.kind, shell.shell) {
                        complaints.push(format!(
                            "{}: {}: {} {}",
                            shell.name,
                            one.kind,
                            one.effect.name(),
                            one.what
                        ));
                    }
                    if !shell.is_extra() {
                        seen.insert((one.kind, shell.shell));
                    }
                }
            }
        }
    }
    for accepted in &fixture.accepted {
        for shell in accepted.shells.iter().filter(|shell| ran(traces, *shell)) {
            if !seen.contains(&(accepted.kind, shell)) {
                complaints.push(format!(
                    "{shell}: the accepted {} no longer happens: remove it from the fixture",
                    accepted.kind
                ));
            }
        }
    }
}

fn accepts(fixture: &Fixture, kind: FindingKind, shell: Shell) -> bool {
    fixture.accepted.iter().any(|it| it.kind == kind && it.shells.contains(shell))
}

/// A language escapes if one of its installations does: `sh` is several programs. Extra ones do not
/// count.
fn escapes(
    fixture: &Fixture,
    traces: &[Trace],
    complaints: &mut Complaints,
) -> Result<(), RunError> {
    if fixture.escapes.is_empty() {
        return Ok(());
    }
    let anything = Strawman::ALLOW_EVERYTHING.predict(&fixture.case).expect("it never crashes");
    let escaping: Shells = traces
        .iter()
        .filter(|trace| !trace.shell.is_extra())
        .filter(|trace| matches!(judge(&anything, trace), Judgement::Contradicted(_)))
        .map(|trace| trace.shell.shell)
        .collect();
    for shell in Shell::ALL.into_iter().filter(|shell| ran(traces, *shell)) {
        match (fixture.escapes.contains(shell), escaping.contains(shell)) {
            (true, false) => complaints.push(format!("{shell}: the line does not escape here")),
            (false, true) => {
                complaints.push(format!("{shell}: the line escapes here, which is not expected"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn ran(traces: &[Trace], shell: Shell) -> bool {
    traces.iter().any(|trace| trace.shell.shell == shell && !trace.shell.is_extra())
}
