//! How this run stands among those of past nights.

use super::tone_of;
use crate::visible::{number, percent, visible};
use crate::{History, Night, Run, described};
use shfence_corpus::Signature;

/// As many nights as are drawn: about two months.
const DRAWN: usize = 60;

/// Sizes in the units of the picture: of a night's column, and of the bars above the ground.
const COLUMN: f64 = 12.0;
const TALLEST: f64 = 56.0;
/// What stands for nothing is still seen.
const SHORTEST: f64 = 3.0;

/// The nights in a row, the last of them this one.
pub(super) struct Trend {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) charts: Vec<Chart>,
    pub(super) from: String,
    pub(super) to: String,
}

/// One figure of each night, as bars.
pub(super) struct Chart {
    pub(super) title: &'static str,
    /// The figure of the last night.
    pub(super) now: String,
    pub(super) bars: Vec<Bar>,
}

pub(super) struct Bar {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) tone: &'static str,
    pub(super) says: String,
}

/// A figure of a night as the height of a bar, and as it is written.
type Figure = (&'static str, fn(&Night) -> f64, fn(&Night) -> String);

const FIGURES: [Figure; 4] = [
    ("findings", |it| it.findings.len() as f64, |it| number(it.findings.len() as u64)),
    ("allowed", |it| share(allowed(it)), |it| in_percent(allowed(it))),
    ("over-refusals", |it| share(refused(it)), |it| in_percent(refused(it))),
    ("cases", |it| it.cases as f64, |it| number(it.cases)),
];

/// A part and its whole.
fn allowed(night: &Night) -> (u64, u64) {
    let it = night.verdicts;
    (it.allow, it.allow + it.ask + it.deny)
}

fn refused(night: &Night) -> (u64, u64) {
    (night.over_refusals, night.cases)
}

fn share((part, whole): (u64, u64)) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn in_percent((part, whole): (u64, u64)) -> String {
    format!("{} %", percent(part, whole))
}

/// Nothing, if no other night is known.
pub(super) fn trend(run: &Run, history: &History) -> Option<Trend> {
    let this = Night::of(run);
    let mut nights = history.up_to(run);
    nights.retain(|it| it.is_like(&this));
    nights.drain(..nights.len().saturating_sub(DRAWN));
    let [first, .., last] = &nights[..] else { return None };
    let (from, to) = (day(first), day(last));
    let chart = |(title, figure, written): &Figure| Chart {
        title,
        now: written(last),
        bars: bars(&nights, *figure, *written),
    };
    Some(Trend {
        width: COLUMN * nights.len() as f64,
        height: TALLEST,
        charts: FIGURES.iter().map(chart).collect(),
        from,
        to,
    })
}

fn bars(nights: &[Night], figure: fn(&Night) -> f64, written: fn(&Night) -> String) -> Vec<Bar> {
    let most = nights.iter().map(figure).fold(f64::EPSILON, f64::max);
    let bar = |(at, night): (usize, &Night)| {
        let height = (TALLEST * figure(night) / most).max(SHORTEST);
        let verdict = visible(night.verdict.as_bytes());
        Bar {
            x: COLUMN * at as f64 + 1.0,
            y: TALLEST - height,
            width: COLUMN - 2.0,
            height,
            tone: tone_of(night.exit_code),
            says: format!("{}: {} ({verdict})", day(night), written(night)),
        }
    };
    nights.iter().enumerate().map(bar).collect()
}

fn day(night: &Night) -> String {
    visible(described::day(&night.started).as_bytes())
}

/// Since when a finding is known, and in how many of the nights since it was seen.
pub(super) fn seen(signature: &Signature, run: &Run, history: &History) -> Option<String> {
    let this = Night::of(run);
    let mut nights = history.up_to(run);
    nights.retain(|it| it.is_of_guards(&this));
    if nights.len() < 2 {
        return None;
    }
    let first = nights.iter().position(|it| it.findings.contains(signature))?;
    let since = &nights[first..];
    if since.len() == 1 {
        return Some("in this run for the first time".to_owned());
    }
    let times = since.iter().filter(|it| it.findings.contains(signature)).count();
    let before = since[..since.len() - 1].iter().rev();
    let last = before.clone().find(|it| it.findings.contains(signature)).map(day);
    let last = last.map_or_else(String::new, |day| format!(", before this run on {day}"));
    Some(format!("first on {}, in {times} of {} runs since{last}", day(&since[0]), since.len()))
}
