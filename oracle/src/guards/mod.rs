//! The guards that are put to the test.

mod linked;
mod outside;
mod strawmen;

pub use linked::{Editing, Linked, declares, view_of};
pub use outside::Outside;
pub use strawmen::Strawman;

use crate::prediction::Prediction;
use shfence_corpus::{Case, Shells, TreeSpec};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Something that decides about lines.
pub trait Guard: Send + Sync {
    /// Its name, as on a command line: `linked`, `linked-edit`, `strawman:NAME`, `cmd:PROGRAM`.
    fn name(&self) -> String;
    /// What it says of a case. It sees the tree as it is planted before the line runs.
    fn predict(&self, case: &Case) -> Result<Prediction, Crash>;
}

/// The name of a guard as a word of a command line.
pub fn as_word(name: &str) -> String {
    match name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte)) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', r"'\''")),
    }
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardName {
    /// The guard that this program was built with.
    Linked,
    /// The same, in the profile `edit`.
    Editing,
    /// A deliberately wrong one.
    Strawman(Strawman),
    /// A program.
    Outside(Outside),
}

impl GuardName {
    /// The guard itself.
    pub fn guard(&self) -> Arc<dyn Guard> {
        match self {
            GuardName::Linked => Arc::new(Linked),
            GuardName::Editing => Arc::new(Editing),
            GuardName::Strawman(strawman) => Arc::new(*strawman),
            GuardName::Outside(outside) => Arc::new(outside.guard()),
        }
    }

    /// Is it wrong on purpose?
    pub fn is_strawman(&self) -> bool {
        matches!(self, GuardName::Strawman(_))
    }

    /// Does it answer at all? A guard that is a program may not be there.
    pub fn answers(&self) -> Result<(), Crash> {
        self.guard().predict(&Case::new("true", TreeSpec::default())).map(drop)
    }

    /// The shells in which it is wrong on purpose.
    pub fn wrong_in(&self) -> Shells {
        match self {
            GuardName::Linked | GuardName::Editing | GuardName::Outside(_) => Shells::NONE,
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
            None if name == "linked-edit" => Ok(GuardName::Editing),
            None => name.parse().map(GuardName::Outside).map_err(|why| {
                format!(
                    "unknown guard '{name}': {why}; expected linked, linked-edit, strawman:NAME, \
                     cmd:PROGRAM or batch:PROGRAM"
                )
            }),
        }
    }
}
