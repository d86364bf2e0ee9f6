//! The run directory of a campaign, written and read, and what is rendered from it.
//!
//! The directory is a documented interface (see the package's README): a campaign writes it through
//! [`RunWriter`], everybody else reads it through [`Run`], and nothing passes between the two but
//! files. This package knows neither the oracle nor any guard, and starts nothing.
#![forbid(unsafe_code)]

mod carets;
mod described;
mod difference;
mod drawing;
mod error;
mod evidence;
mod exit;
mod history;
mod html;
mod issues;
mod json;
mod junit;
mod layout;
mod manifest;
mod markdown;
mod merge;
mod refused;
mod run;
mod sarif;
mod summary;
mod verdict;
mod visible;
mod writer;

pub use error::RunError;
pub use evidence::{Evidence, Steps};
pub use exit::ExitCode;
pub use history::{History, Night};
pub use html::html;
pub use issues::issues;
pub use json::json;
pub use junit::junit;
pub use manifest::{Limit, Manifest, Part, ShardOf, ShellVersion};
pub use markdown::markdown;
pub use merge::{MergeError, Minimise, merge};
pub use refused::{Refused, RefusedLine};
pub use run::{Recorded, Run};
pub use sarif::sarif;
pub use summary::{
    Ended, FirstSeen, GuardSummary, PlanFigures, Reached, Split, Summary, Together, TouchCounts,
    Unnamed,
};
pub use verdict::Verdict;
pub use visible::count_of;
pub use writer::RunWriter;
