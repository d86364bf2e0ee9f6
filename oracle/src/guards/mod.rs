//! The guards that are put to the test.

mod linked;
mod strawmen;

pub use linked::{Linked, declares, view_of};
pub use strawmen::Strawman;

use crate::prediction::Prediction;
use shfence_corpus::{Case, Shells};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Something that decides about lines.
pub trait Guard: Send + Sync {
    /// Its name, as on a command line: `linked`, `strawman:NAME`.
    fn name(&self) -> String;
    /// What it says of a case. It sees the tree as it is planted before the line runs.
    fn predict(&self, case: &Case) -> Result<Prediction, Crash>;
}

/// A guard did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash(pub String);

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the guard crashed: {}", self.0)
    }
}

/// A guard by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardName {
    /// The guard that this program was built with.
    Linked,
    /// A deliberately wrong one.
    Strawman(Strawman),
}

impl GuardName {
    /// The guard itself.
    pub fn guard(self) -> Arc<dyn Guard> {
        match self {
            GuardName::Linked => Arc::new(Linked),
            GuardName::Strawman(strawman) => Arc::new(strawman),
        }
    }

    /// Is it wrong on purpose?
    pub fn is_strawman(self) -> bool {
        matches!(self, GuardName::Strawman(_))
    }

    /// The shells in which it is wrong on purpose.
    pub fn wrong_in(self) -> Shells {
        match self {
            GuardName::Linked => Shells::NONE,
            GuardName::Strawman(strawman) => strawman.wrong_in(),
        }
    }
}

impl FromStr for GuardName {
    type Err = String;
    fn from_str(name: &str) -> Result<GuardName, String> {
        match name.strip_prefix("strawman:") {
            Some(strawman) => strawman.parse().map(GuardName::Strawman),
            None if name == "linked" => Ok(GuardName::Linked),
            None => Err(format!("unknown guard '{name}': expected linked or strawman:NAME")),
        }
    }
}
