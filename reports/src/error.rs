//! Why a run directory could not be written or read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong with which file of a run directory, and what to do where that is not obvious.
#[derive(Debug)]
pub struct RunError {
    path: PathBuf,
    what: String,
}

impl RunError {
    pub(crate) fn new(path: &Path, what: impl Into<String>) -> RunError {
        RunError { path: path.to_owned(), what: what.into() }
    }

    /// For `map_err`: names the file and the attempt that failed.
    pub(crate) fn io(path: &Path, attempt: &str) -> impl FnOnce(io::Error) -> RunError {
        move |error| RunError::new(path, format!("cannot be {attempt}: {error}"))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for RunError {}
