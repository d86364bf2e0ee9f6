//! What a campaign saw, kept so that it can be judged again without any shell.
//!
//! A trace does not depend on any guard: once recorded, it is evidence against every guard that is
//! asked about the same case. A recording is a directory with one file for each worker
//! (`worker-0.jsonl`, …) of JSON lines. The first one says which cases these are and in which
//! shells they ran; each other one is a case.
//!
//! A case is named by its index and a fingerprint, not written down: it is a function of both seed
//! and index, and if that function has changed, the fingerprint shows it. Of a trace there is what
//! the [judge](crate::judge) looks at; what was printed is left out. Texts and touches come again
//! and again (every program opens the C library), so each stands once in a file, where it comes
//! first, and is a number from there on.

mod reader;
mod writer;

pub use reader::{RecordedCase, RecordedRun, Recording};
pub(crate) use writer::Recorder;
pub use writer::Said;

use crate::confirm::Sort;
use crate::prediction::Prediction;
use crate::trace::{ShellId, Status, TouchKind};
use serde::{Deserialize, Serialize};
use shfence_corpus::{Case, Decision, Text};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The form of the files. Another form has another number.
const SCHEMA: u32 = 1;

/// Why a recording cannot be written or read.
#[derive(Debug)]
pub struct RecordingError {
    /// The file or directory.
    path: PathBuf,
    what: String,
    /// Is it the system's doing, and not what stands in the file?
    pub is_io: bool,
}

impl RecordingError {
    fn new(path: &Path, what: impl fmt::Display) -> RecordingError {
        RecordingError { path: path.to_owned(), what: what.to_string(), is_io: false }
    }

    fn io(path: &Path) -> impl Fn(io::Error) -> RecordingError {
        move |error| RecordingError { is_io: true, ..RecordingError::new(path, error) }
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for RecordingError {}

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    schema: u32,
    /// The source of the cases, by its label.
    source: String,
    /// The generators' revision.
    generator: String,
    /// The guard that the program was built with.
    guard: String,
    /// What the runs' numbers of shells stand for.
    shells: Vec<ShellId>,
}

/// Every other line.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// Texts that no line before has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<Text>,
    /// Touches that no line before has: what was done, the text, the place, whether it was there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    touches: Vec<(TouchKind, u32, u32, bool)>,
    index: u64,
    case: u64,
    lane: String,
    said: BTreeMap<String, SaidLine>,
    runs: Vec<RunLine>,
}

/// What a guard said: nothing if it crashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SaidLine(Option<Decision>, Option<u64>);

#[derive(Debug, Serialize, Deserialize)]
struct RunLine {
    shell: u32,
    status: Status,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    parents: Vec<Option<u32>>,
    /// Process, arguments, directory, file.
    execs: Vec<(u32, Vec<u32>, u32, u32)>,
    /// A process and what it touched before another one touched anything.
    touches: Vec<(u32, Vec<u32>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unconfirmed: Vec<Sort>,
}

/// A number for what a case is: another case has another one.
///
/// The numbers of a build with another compiler may be others. Then nothing can be compared, which
/// is seen at once.
pub fn fingerprint(case: &Case) -> u64 {
    let mut hasher = Fnv::default();
    case.hash(&mut hasher);
    hasher.finish()
}

/// A number for what the plan of a prediction says.
pub(crate) fn fingerprint_of_plan(prediction: &Prediction) -> Option<u64> {
    let plan = prediction.plan.as_ref()?;
    let mut hasher = Fnv::default();
    hasher.write(&serde_json::to_vec(plan).expect("a plan can be JSON"));
    Some(hasher.finish())
}

/// FNV-1a, 64 bits: the hasher of the standard library may change with it.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests;
