//! Past nights: what is worth remembering of each run, a line of `history.jsonl` each.
//!
//! A report of one run cannot say whether it is a good one. The history is a file of its own beside
//! all runs, small enough to be kept for years, and every line stands for itself.

use crate::layout::replace;
use crate::{Run, RunError, Split};
use serde::{Deserialize, Serialize};
use shfence_corpus::Signature;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// One run, remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Night {
    /// When it started, RFC 3339. With the seed it says which run it is.
    pub started: String,
    /// Its seed.
    pub seed: u64,
    /// The version of the linked guard.
    pub guard_version: String,
    /// The guards under test; none of a night that was remembered before this was.
    #[serde(default)]
    pub guards: Vec<String>,
    /// Which cases it ran, and how many: nights of another kind are no measure for it. Empty of a
    /// night that was remembered before this was.
    #[serde(default)]
    pub kind: String,
    /// What it came to, for people.
    pub verdict: String,
    /// What it came to, as an exit code.
    pub exit_code: u8,
    /// Cases that were run.
    pub cases: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What the first guard under test said.
    pub verdicts: Split,
    /// Its over-refusals.
    pub over_refusals: u64,
    /// The findings of the guards under test.
    pub findings: Vec<Signature>,
}

impl Night {
    /// What is remembered of a run.
    pub fn of(run: &Run) -> Night {
        let summary = run.summary.clone().unwrap_or_default();
        let first = run.manifest.guards.first().and_then(|name| summary.guards.get(name));
        let first = first.cloned().unwrap_or_default();
        let mut findings: Vec<Signature> =
            run.tested().map(|it| it.finding.signature.clone()).collect();
        findings.sort();
        findings.dedup();
        Night {
            started: run.manifest.started.clone(),
            seed: run.manifest.seed,
            guard_version: run.manifest.guard_version.clone(),
            guards: run.manifest.guards.clone(),
            kind: kind(run),
            verdict: run.verdict().to_string(),
            exit_code: run.verdict().exit_code().code(),
            cases: summary.cases_run,
            seconds: summary.seconds,
            verdicts: first.verdicts,
            over_refusals: first.over_refusals,
            findings,
        }
    }

    /// Had it the same guards under test? Who does not say, had.
    pub(crate) fn is_of_guards(&self, other: &Night) -> bool {
        let unsaid = self.guards.is_empty() || other.guards.is_empty();
        unsaid || self.guards == other.guards
    }

    /// Is its trend that of the other? Who does not say, is of the same kind.
    pub(crate) fn is_like(&self, other: &Night) -> bool {
        let unsaid = self.kind.is_empty() || other.kind.is_empty();
        self.is_of_guards(other) && (unsaid || self.kind == other.kind)
    }

    fn is_of(&self, other: &Night) -> bool {
        (&self.started, self.seed) == (&other.started, other.seed)
    }
}

/// Where the cases come from, in which lane they run, and how many: `drawn, 900 seconds`.
fn kind(run: &Run) -> String {
    let manifest = &run.manifest;
    // The generators' revision, and of a small scope what it is.
    let scope = manifest.generator.split_once(' ').map_or("drawn", |(_, scope)| scope);
    let lane = manifest.lane.as_ref().map_or_else(String::new, |lane| format!(", lane {lane}"));
    format!("{scope}{lane}, {}", manifest.limit)
}

/// All nights that are remembered, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    nights: Vec<Night>,
}

impl History {
    /// Reads a file of them; one that is not there is of no nights.
    pub fn read(path: &Path) -> Result<History, RunError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(History::default()),
            Err(error) => return Err(RunError::io(path, "read")(error)),
        };
        let lines = bytes.split(|byte| *byte == b'\n').enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty());
        let night = |(number, line): (usize, &[u8])| {
            serde_json::from_slice(line).map_err(|error| {
                RunError::new(path, format!("line {} is no night: {error}", number + 1))
            })
        };
        let mut history = History { nights: lines.map(night).collect::<Result<_, _>>()? };
        history.sort();
        Ok(history)
    }

    /// Remembers a run: once, however often it is said.
    pub fn remember(&mut self, run: &Run) {
        let night = Night::of(run);
        self.nights.retain(|it| !it.is_of(&night));
        self.nights.push(night);
        self.sort();
    }

    /// Replaces the file.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        let line = |it| serde_json::to_string(it).expect("every night can be JSON") + "\n";
        replace(path, &self.nights.iter().map(line).collect::<String>())
    }

    /// The nights up to a run, the run included, the oldest first.
    pub fn up_to(&self, run: &Run) -> Vec<Night> {
        let night = Night::of(run);
        let before = self.nights.iter().filter(|it| it.started <= night.started);
        before.filter(|it| !it.is_of(&night)).cloned().chain([night.clone()]).collect()
    }

    fn sort(&mut self) {
        self.nights
            .sort_by(|one, other| (&one.started, one.seed).cmp(&(&other.started, other.seed)));
    }
}
