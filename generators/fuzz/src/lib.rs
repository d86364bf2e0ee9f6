//! What must hold for any bytes. Each function is one libFuzzer target, and panics where it does
//! not hold; `cargo test` in here replays the committed seeds without a fuzzer.
#![forbid(unsafe_code)]

mod growth;
mod hook;
#[cfg(feature = "judged")]
mod judged;
mod reading;
mod scene;

pub use growth::growth;
pub use hook::hook_payload;
#[cfg(feature = "judged")]
pub use judged::judged;
pub use reading::reading_agrees;

use shfence::{Decision, Verdict};

/// Every line gets a verdict, and the verdict is well-formed.
pub fn decide(line: &[u8]) {
    let verdict = scene::decide(line);
    let inside = |span: shfence::Span| span.range().end <= line.len().max(1);
    for reason in &verdict.reasons {
        assert!(inside(reason.span), "{reason:?} is about what is not in the line");
        assert!(!reason.note.is_empty(), "{reason:?} says nothing");
    }
    assert_eq!(verdict.decision == Decision::Allow, verdict.reasons.is_empty(), "{verdict:?}");
    match &verdict.plan {
        Ok(plan) => {
            assert!(plan.segments.iter().all(|it| inside(it.span)), "{plan:?}");
            serde_json::to_string(plan).expect("a plan can be JSON");
        }
        Err(stop) => {
            assert!(inside(stop.span), "{stop:?}");
            assert_ne!(verdict.decision, Decision::Allow);
        }
    }
    wrapping_never_loosens(line, &verdict);
}

/// What is asked about is asked about in a subshell as well, and with something behind it.
fn wrapping_never_loosens(line: &[u8], verdict: &Verdict) {
    if verdict.decision == Decision::Allow {
        return;
    }
    for wrapped in [[b"(\n", line, b"\n)"].concat(), [line, b"\npwd"].concat()] {
        let loosened = scene::decide(&wrapped).decision == Decision::Allow;
        // What does not end by itself may mean something else with more behind it.
        assert!(!loosened || !is_complete(verdict), "allowed: {}", wrapped.escape_ascii());
    }
}

fn is_complete(verdict: &Verdict) -> bool {
    verdict.plan.is_ok()
}
