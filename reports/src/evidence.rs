//! What is kept of a finding beside its line, as it goes into the run directory.

use serde::{Deserialize, Serialize};
use shfence_corpus::{Fixture, Text};
use std::collections::BTreeMap;

/// What stands in the folder of a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The minimised case.
    pub fixture: Fixture,
    /// What the guard said the line would do, as JSON text, if it says such things.
    pub plan: Option<String>,
    /// What each installed shell did, as JSON text.
    pub traces: BTreeMap<String, String>,
    /// What of it was planned, by shell.
    pub steps: BTreeMap<String, Steps>,
}

impl Evidence {
    /// A case alone.
    pub fn of(fixture: Fixture) -> Evidence {
        Evidence { fixture, plan: None, traces: BTreeMap::new(), steps: BTreeMap::new() }
    }
}

/// What was planned and what one shell did, a step a line, in words that are the same in both where
/// the two are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// What the guard said would be done.
    pub planned: Vec<Text>,
    /// What was done.
    pub done: Vec<Text>,
}
