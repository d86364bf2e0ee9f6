//! The figures of a run.

mod pairs;

use crate::Refused;
use serde::{Deserialize, Serialize};
use shfence_corpus::Text;
use std::collections::{BTreeMap, BTreeSet};

/// What a run has counted: the content of `progress.json` while it runs and of `summary.json` once
/// it has ended. Everything is a count or a time; what can be derived is not stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How the run ended; nothing while it runs.
    pub ended: Option<Ended>,
    /// Cases asked of this shard; nothing if the limit is a time.
    pub cases_asked: Option<u64>,
    /// Cases that were run to a judgement, inconclusive ones included.
    pub cases_run: u64,
    /// Wall-clock time of the campaign in seconds, without building and set-up.
    pub seconds: f64,
    /// Which cases these figures are of: what a campaign that goes on has still to run.
    #[serde(default)]
    pub reached: Reached,
    /// Runs without a judgement, by reason.
    pub inconclusive: BTreeMap<String, u64>,
    /// Cases of which at least one run has no judgement.
    #[serde(default)]
    pub inconclusive_cases: u64,
    /// Cases per lane: with probes in the place of verbs, with the tools, or with shells and tools
    /// executed anew. Only in the last two is seen what verbs touch.
    #[serde(default)]
    pub lanes: BTreeMap<String, u64>,
    /// Per guard, under test and strawmen alike.
    pub guards: BTreeMap<String, GuardSummary>,
    /// Touches that are no escape by rule.
    pub touches: TouchCounts,
    /// Cases per family of the generators.
    pub families: BTreeMap<String, u64>,
    /// Runs per installed shell.
    pub shell_runs: BTreeMap<String, u64>,
    /// Of these, those in which the shell could not parse the line, by its own word.
    #[serde(default)]
    pub unparsed: BTreeMap<String, u64>,
    /// Which constructs have occurred together, in which shells, and what the first guard under
    /// test said: `cd+pipe`, then the shell.
    #[serde(default, with = "pairs")]
    pub pairs: BTreeMap<String, BTreeMap<String, Together>>,
}

/// How far a shard has come. Its cases are numbered from 0 in the order of their indices: of shard
/// K of N, number M is the case of index M × N + K. Several run at once, so that those that have
/// been run are not simply the first ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// All numbers below this one were handed to workers, and no other.
    pub next: u64,
    /// Those of them whose cases are not in the figures: a stop came first.
    pub open: BTreeSet<u64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// It did what was asked.
    Complete,
    /// SIGINT.
    Interrupted,
    /// SIGTERM.
    Terminated,
    /// The harness failed, for this reason.
    Fault(String),
}

/// What one guard did over the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GuardSummary {
    /// Its verdicts.
    pub verdicts: Split,
    /// Different signatures among its findings: as many as `findings.jsonl` holds of it.
    pub findings: u64,
    /// Cases it did not allow although every shell stayed inside with declared verbs only.
    pub over_refusals: u64,
    /// The same, by the first reason that it gave.
    #[serde(default)]
    pub refused_for: BTreeMap<String, Refused>,
    /// How exactly it said what allowed lines would do.
    #[serde(default)]
    pub plans: PlanFigures,
    /// Places within the root that allowed lines touched and no plan named: those of the first
    /// cases.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unnamed: BTreeSet<Unnamed>,
    /// Cases until its first finding, that case included.
    pub cases_to_first_finding: Option<u64>,
    /// Seconds until then.
    pub seconds_to_first_finding: Option<f64>,
    /// When it first let a line escape the tree, by shell.
    #[serde(default)]
    pub escapes: BTreeMap<String, FirstSeen>,
}

/// As many places that no plan named are kept of a guard.
const UNNAMED_KEPT: usize = 10;

/// A place that an allowed line touched and its plan does not name. That is no finding: reading
/// within the root does no harm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unnamed {
    /// The index of the case.
    pub index: u64,
    /// The place, absolute.
    pub place: Text,
    /// The line.
    pub line: Text,
}

impl GuardSummary {
    /// Keeps a place that no plan named, if it is one of the first. In whichever order, it comes to
    /// the same.
    pub fn keep_unnamed(&mut self, unnamed: Unnamed) {
        self.unnamed.insert(unnamed);
        while self.unnamed.len() > UNNAMED_KEPT {
            self.unnamed.pop_last();
        }
    }
}

/// When something was first seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FirstSeen {
    /// Cases until then, that case included.
    pub cases: u64,
    /// Seconds until then.
    pub seconds: f64,
}

/// What the plans of allowed lines said, and what their runs touched: one plan per run with real
/// tools, since a probe touches nothing that its verb would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanFigures {
    /// Plans compared with a run.
    pub plans: u64,
    /// Plans that leave no word and no directory open.
    pub without_unknowns: u64,
    /// Different paths that the plans name.
    pub predicted: u64,
    /// Different places within the root that the runs touched.
    pub touched: u64,
    /// Of these, those that the plan names, or that lie on the way to or below what it names.
    pub named: u64,
}

impl std::ops::AddAssign for PlanFigures {
    fn add_assign(&mut self, other: PlanFigures) {
        self.plans += other.plans;
        self.without_unknowns += other.without_unknowns;
        self.predicted += other.predicted;
        self.touched += other.touched;
        self.named += other.named;
    }
}

/// Verdicts, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Allowed.
    pub allow: u64,
    /// Asked about.
    pub ask: u64,
    /// Denied.
    pub deny: u64,
}

/// How often two constructs stood in one case that a shell ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Together {
    /// In cases that were allowed.
    pub allowed: u64,
    /// In cases that were not.
    pub refused: u64,
}

/// Touches outside the scope that are not escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchCounts {
    /// By ambient class.
    pub ambient: BTreeMap<String, u64>,
    /// Neither below the top of the case's tree nor ambient.
    pub elsewhere: u64,
}

impl Summary {
    /// Cases per second; nothing before any time has passed.
    pub fn cases_per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.cases_run as f64 / self.seconds)
    }
}
