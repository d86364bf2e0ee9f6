//! Why something cannot be had here.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;

/// Why a tier, or a part of one, cannot be had here: the step that failed, and what the system
/// said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What was being done; completes "cannot …".
    pub step: String,
    /// The system's error in words.
    pub error: String,
    /// Its number (errno(3)), if it was the kernel's.
    pub errno: Option<i32>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.step, self.error)
    }
}

/// What a step can fail with.
pub(crate) trait Reason: fmt::Display {
    /// The kernel's number for it, if it has one.
    fn errno(&self) -> Option<i32> {
        None
    }
}

impl Reason for io::Error {
    fn errno(&self) -> Option<i32> {
        self.raw_os_error()
    }
}

impl Reason for &str {}

impl Reason for String {}

/// Names the step in which an error happened.
pub(crate) trait Step<T> {
    /// `step` completes "cannot …".
    fn step(self, step: &str) -> Result<T, Refusal>;
}

impl<T, E: Reason> Step<T> for Result<T, E> {
    fn step(self, step: &str) -> Result<T, Refusal> {
        self.map_err(|error| Refusal {
            step: step.to_owned(),
            error: error.to_string(),
            errno: error.errno(),
        })
    }
}
