//! Guards that are wrong on purpose, each in one place. The oracle must catch every one of them, or
//! its silence about the real one means nothing.

use super::linked::{predict, view_of};
use super::{Crash, Guard};
use crate::prediction::Prediction;
use shfence::{Cd, Containment, FsView, Kind, MemoryView, Semantics, VerdictRule};
use shfence_corpus::{Case, Decision};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// A deliberately wrong guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strawman {
    /// Allows every line.
    AllowEverything,
    /// Allows a line of which one segment is allowed.
    AnySegment,
    /// Takes a path to be in scope if its text begins with the root's.
    StringPrefix,
    /// Never looks at links.
    LexicalOnly,
    /// Allows `cd` anywhere and ignores where it leads.
    CdAllowed,
    /// Believes that a `cd` cannot fail.
    CdAlwaysSucceeds,
}

impl Strawman {
    /// All of them.
    pub const ALL: [Strawman; 6] = [
        Strawman::AllowEverything,
        Strawman::AnySegment,
        Strawman::StringPrefix,
        Strawman::LexicalOnly,
        Strawman::CdAllowed,
        Strawman::CdAlwaysSucceeds,
    ];

    /// Its name, without `strawman:`.
    pub fn short_name(self) -> &'static str {
        match self {
            Strawman::AllowEverything => "allow-everything",
            Strawman::AnySegment => "any-segment",
            Strawman::StringPrefix => "string-prefix",
            Strawman::LexicalOnly => "lexical-only",
            Strawman::CdAllowed => "cd-allowed",
            Strawman::CdAlwaysSucceeds => "cd-always-succeeds",
        }
    }
}

impl FromStr for Strawman {
    type Err = String;
    fn from_str(name: &str) -> Result<Strawman, String> {
        Strawman::ALL.into_iter().find(|strawman| strawman.short_name() == name).ok_or_else(|| {
            let known = Strawman::ALL.map(Strawman::short_name).join(", ");
            format!("unknown strawman '{name}': expected one of {known}")
        })
    }
}

impl Guard for Strawman {
    fn name(&self) -> String {
        format!("strawman:{}", self.short_name())
    }

    fn predict(&self, case: &Case) -> Result<Prediction, Crash> {
        const REAL: Semantics = Semantics::MEASURED;
        let view = view_of(case);
        match self {
            Strawman::AllowEverything => {
                Ok(Prediction { decision: Decision::Allow, plan: None, reasons: Vec::new() })
            }
            Strawman::AnySegment => {
                predict(case, &view, &Semantics { verdict: VerdictRule::AnySegment, ..REAL })
            }
            Strawman::StringPrefix => {
                predict(case, &view, &Semantics { containment: Containment::TextPrefix, ..REAL })
            }
            Strawman::LexicalOnly => predict(case, &LinkBlind(view), &REAL),
            Strawman::CdAllowed => predict(case, &view, &Semantics { cd: Cd::NoEffect, ..REAL }),
            Strawman::CdAlwaysSucceeds => {
                predict(case, &view, &Semantics { cd: Cd::AlwaysSucceeds, ..REAL })
            }
        }
    }
}

/// A view that takes every link for what it leads to.
struct LinkBlind(MemoryView);

impl LinkBlind {
    /// Where the path leads, so that what is behind a link is seen as if it were there.
    fn behind(&self, path: &Path, budget: usize) -> io::Result<PathBuf> {
        let mut at = PathBuf::from("/");
        for component in path.components() {
            match component {
                Component::ParentDir => drop(at.pop()),
                Component::Normal(name) => at.push(name),
                _ => {}
            }
            if self.0.kind(&at)? == Kind::Link {
                let budget = budget.checked_sub(1).ok_or(io::ErrorKind::NotFound)?;
                let target = self.0.read_link(&at)?;
                at.pop();
                at = self.behind(&at.join(target), budget)?;
            }
        }
        Ok(at)
    }
}

impl FsView for LinkBlind {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.0.kind(&self.behind(path, 40)?)
    }

    fn read_link(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::InvalidInput.into())
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        self.0.list(&self.behind(path, 40)?, budget)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.0.read(&self.behind(path, 40)?, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.kind(path).is_ok_and(|kind| kind == Kind::Dir)
    }
}
