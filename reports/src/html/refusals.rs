//! The over-refusals of the guards under test, by their reasons.

use crate::visible::{number, visible};
use crate::{Refused, Run};
use std::cmp::Reverse;

/// As many reasons as a person reads of a guard.
const SHOWN: usize = 25;

/// The reasons of one guard, the most frequent first.
pub(super) struct Refusals {
    pub(super) guard: String,
    pub(super) reasons: Vec<Reason>,
    pub(super) left_out: usize,
}

pub(super) struct Reason {
    pub(super) text: String,
    pub(super) cases: String,
    /// The shortest line, and all that are kept.
    pub(super) shortest: String,
    pub(super) lines: String,
}

/// Of the guards that have refused anything so.
pub(super) fn refusals(run: &Run) -> Vec<Refusals> {
    let of = |name: &String| {
        let counts = run.summary.as_ref()?.guards.get(name)?;
        let mut reasons: Vec<(&String, &Refused)> = counts.refused_for.iter().collect();
        reasons.sort_by_key(|(_, refused)| Reverse(refused.count));
        let left_out = reasons.len().saturating_sub(SHOWN);
        reasons.truncate(SHOWN);
        let reasons: Vec<Reason> = reasons.into_iter().map(reason).collect();
        let guard = visible(name.as_bytes());
        (!reasons.is_empty()).then_some(Refusals { guard, reasons, left_out })
    };
    run.manifest.guards.iter().filter_map(of).collect()
}

fn reason((text, refused): (&String, &Refused)) -> Reason {
    let lines: Vec<String> = refused.shortest.iter().map(|it| visible(&it.line)).collect();
    Reason {
        text: visible(text.as_bytes()),
        cases: number(refused.count),
        shortest: lines.first().cloned().unwrap_or_default(),
        lines: lines.join("\n"),
    }
}
