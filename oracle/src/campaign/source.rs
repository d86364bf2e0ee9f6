//! Where the cases of a campaign come from.

use crate::confirm::Origin;
use shfence_corpus::Case;
use shfence_generators::small::Small;
use shfence_generators::{REVISION, Settings, generate};
use shfence_reports::Manifest;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A source of cases, each of them a function of its index.
#[derive(Clone, Debug)]
pub enum Source {
    /// Drawn under a seed, without end.
    Drawn {
        /// The seed.
        seed: u64,
    },
    /// All cases of a small scope.
    Small(Arc<Small>),
}

impl Source {
    /// All lines of at most so many tokens, in all small trees.
    pub fn small(tokens: usize) -> Source {
        Source::Small(Arc::new(Small::new(tokens)))
    }

    /// How many cases there are, if they have an end.
    pub fn cases(&self) -> Option<u64> {
        match self {
            Source::Drawn { .. } => None,
            Source::Small(small) => Some(small.cases()),
        }
    }

    /// A case and its family.
    ///
    /// # Panics
    ///
    /// If there is no case of this index.
    pub fn case(&self, index: u64) -> (Case, &'static str) {
        match self {
            Source::Drawn { seed } => {
                let generated = generate(*seed, index, &Settings::default());
                (generated.case, generated.family.name())
            }
            Source::Small(small) => {
                (small.case(index).expect("an index below the number of cases"), "small-scope")
            }
        }
    }

    pub(crate) fn origin(&self, index: u64) -> Origin {
        match self {
            Source::Drawn { seed } => Origin::drawn(*seed, index),
            Source::Small(small) => Origin { seed: 0, index, small: Some(small.tokens()) },
        }
    }

    pub(super) fn seed(&self) -> u64 {
        match self {
            Source::Drawn { seed } => *seed,
            Source::Small(_) => 0,
        }
    }

    /// The source that a run says it was of.
    pub(crate) fn of_manifest(manifest: &Manifest) -> Result<Source, String> {
        let (_, scope) = manifest.generator.split_once(' ').unzip();
        scope.map_or(Ok(Source::Drawn { seed: manifest.seed }), str::parse)
    }

    /// What says, with seed and index, which case it is.
    pub(crate) fn revision(&self) -> String {
        match self {
            Source::Drawn { .. } => REVISION.to_string(),
            Source::Small(small) => format!("{REVISION} small-{}", small.tokens()),
        }
    }

    /// In names of directories, and before the index of a case: `20261130`, `small-5`.
    pub fn label(&self) -> String {
        match self {
            Source::Drawn { seed } => seed.to_string(),
            Source::Small(small) => format!("small-{}", small.tokens()),
        }
    }
}

/// For people.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Drawn { seed } => write!(f, "seed {seed}"),
            Source::Small(small) => {
                let (tokens, lines, trees) = (small.tokens(), small.lines(), small.trees());
                write!(f, "{lines} lines of up to {tokens} tokens, {trees} trees, ")?;
                write!(f, "{} cases", small.cases())
            }
        }
    }
}

/// As [`Source::label`] writes it.
impl FromStr for Source {
    type Err = String;
    fn from_str(label: &str) -> Result<Source, String> {
        let small = label.strip_prefix("small-").and_then(|tokens| tokens.parse().ok());
        match (small, label.parse()) {
            (Some(tokens @ 1..=6), _) => Ok(Source::small(tokens)),
            (_, Ok(seed)) => Ok(Source::Drawn { seed }),
            _ => Err(format!("'{label}' is neither a seed nor small-N, N from 1 to 6")),
        }
    }
}
