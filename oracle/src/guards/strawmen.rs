//! Guards that are wrong on purpose, each in one place. The oracle must catch every one of them, or
//! its silence about the real one means nothing.
//!
//! A fault is a value: other beliefs, another view of the tree, or another question. So no wrong
//! guard needs a switch in the right one.

mod faults;
mod misreadings;
mod views;

use super::linked::{predict, view_of};
use super::{Crash, Guard};
use crate::prediction::Prediction;
use faults::{FAULTS, Fault, Wrong};
use shfence::Semantics;
use shfence_corpus::{Case, Decision, Shells};
use std::fmt;
use std::str::FromStr;

/// A deliberately wrong guard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strawman(usize);

impl Strawman {
    /// Allows every line.
    pub const ALLOW_EVERYTHING: Strawman = Strawman(0);

    /// All of them.
    pub fn all() -> impl Iterator<Item = Strawman> {
        (0..FAULTS.len()).map(Strawman)
    }

    fn fault(self) -> &'static Fault {
        &FAULTS[self.0]
    }

    /// Its name, without `strawman:`.
    pub fn short_name(self) -> &'static str {
        self.fault().name
    }

    /// What it believes, as a sentence.
    pub fn believes(self) -> &'static str {
        self.fault().believes
    }

    /// The shells in which that is wrong.
    pub fn wrong_in(self) -> Shells {
        self.fault().wrong_in
    }
}

impl fmt::Debug for Strawman {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short_name())
    }
}

impl FromStr for Strawman {
    type Err = String;
    fn from_str(name: &str) -> Result<Strawman, String> {
        Strawman::all().find(|strawman| strawman.short_name() == name).ok_or_else(|| {
            let known: Vec<&str> = Strawman::all().map(Strawman::short_name).collect();
            format!("unknown strawman '{name}': expected one of {}", known.join(", "))
        })
    }
}

impl Guard for Strawman {
    fn name(&self) -> String {
        format!("strawman:{}", self.short_name())
    }

    fn predict(&self, case: &Case) -> Result<Prediction, Crash> {
        match self.fault().wrong {
            Wrong::Allows => {
                Ok(Prediction { decision: Decision::Allow, plan: None, reasons: Vec::new() })
            }
            Wrong::Believes(semantics) => predict(case, &view_of(case), &semantics),
            Wrong::Sees(blind) => predict(case, &*blind(view_of(case)), &Semantics::MEASURED),
            Wrong::Asks(change) => {
                let mut other = case.clone();
                change(&mut other);
                predict(&other, &view_of(&other), &Semantics::MEASURED)
            }
        }
    }
}
