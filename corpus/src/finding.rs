//! What the oracle says when a shell contradicts a guard.

use crate::{Shells, Text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A verdict's one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The line may run without a question.
    Allow,
    /// A person decides.
    Ask,
    /// The line may not run.
    Deny,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        })
    }
}

/// The ways in which a trace contradicts a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// An allowed line touched something outside the scope.
    TreeEscape,
    /// An allowed line started a program in a directory outside the predicted set.
    GroupEscape,
    /// An allowed line started a program that the plan does not contain.
    PlanMismatch,
    /// The guard panicked, aborted or ran out of time.
    Crash,
}

impl FindingKind {
    /// All of them, the worst first.
    pub const ALL: [FindingKind; 4] = [
        FindingKind::TreeEscape,
        FindingKind::GroupEscape,
        FindingKind::PlanMismatch,
        FindingKind::Crash,
    ];

    /// `tree-escape`, `group-escape`, `plan-mismatch`, `crash`.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::TreeEscape => "tree-escape",
            FindingKind::GroupEscape => "group-escape",
            FindingKind::PlanMismatch => "plan-mismatch",
            FindingKind::Crash => "crash",
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FindingKind {
    type Err = String;
    fn from_str(name: &str) -> Result<FindingKind, String> {
        FindingKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| format!("unknown kind of finding '{name}'"))
    }
}

/// The normal form of a finding, for de-duplication: kind, effect, cause and construct, each of
/// `[a-z0-9-]`, joined by `/`. Two findings with one signature are one defect, seen twice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Signature(String);

impl Signature {
    /// Joins the parts. Parts hold only lower-case letters, digits and dashes.
    pub fn new(parts: &[&str]) -> Result<Signature, String> {
        let plain = |part: &&str| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        if parts.len() < 2 || !parts.iter().all(plain) {
            return Err(format!("no signature: {parts:?}"));
        }
        Ok(Signature(parts.join("/")))
    }

    /// The signature with one part more. A part is as in [`Signature::new`].
    pub fn with(&self, part: &str) -> Result<Signature, String> {
        let parts: Vec<&str> = self.0.split('/').chain([part]).collect();
        Signature::new(&parts)
    }

    /// Is it the other one, perhaps with more parts?
    pub fn begins_as(&self, other: &Signature) -> bool {
        let rest = self.0.strip_prefix(&other.0);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The text, as in `tree-escape/read/cd-failed/semicolon`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name for its directory: the parts joined by dots, since `/` would make directories.
    pub fn file_name(&self) -> String {
        self.0.replace('/', ".")
    }
}

impl TryFrom<String> for Signature {
    type Error = String;
    fn try_from(text: String) -> Result<Signature, String> {
        Signature::new(&text.split('/').collect::<Vec<_>>())
    }
}

impl From<Signature> for String {
    fn from(signature: Signature) -> String {
        signature.0
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs of old hold minimised findings only.
fn yes() -> bool {
    true
}

/// One defect of one guard, as a line of `findings.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its normal form.
    pub signature: Signature,
    /// What kind of contradiction it is.
    pub kind: FindingKind,
    /// The shells in which it was seen.
    pub shells: Shells,
    /// The guard that was contradicted: `linked`, `strawman:NAME`, `cmd:…`.
    pub guard: String,
    /// The line: minimised, if nothing is said against it.
    pub line: Text,
    /// Is there nothing left to be taken off it? Otherwise the case stands as it was found, or as
    /// far as it was made smaller.
    #[serde(default = "yes")]
    pub minimised: bool,
    /// The pieces of it that it comes from, as ranges of bytes, half open, in their order; none if
    /// that is not known.
    #[serde(default)]
    pub spans: Vec<[u32; 2]>,
    /// The campaign's seed.
    pub seed: u64,
    /// The case's index under that seed.
    pub index: u64,
    /// For an escape: what was touched, below the top; otherwise what ran.
    pub touched: Option<Text>,
    /// The id under which it is known, if it is.
    pub known: Option<String>,
    /// One command line that reproduces it.
    pub repro: String,
}
