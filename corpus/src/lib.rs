//! The vocabulary that the oracle, the generators and the reports share: what a **case** is, what
//! tree it runs in, what a **fixture** promises, what a **finding** says.
//!
//! This package knows nothing of the guard and runs nothing. It is the leaf of the workspace.
#![forbid(unsafe_code)]

mod case;
mod decoys;
mod finding;
mod fixture;
mod invocation;
mod known;
mod shell;
mod text;
mod tree;

pub use case::{Case, Env};
pub use decoys::DECOYS;
pub use finding::{Decision, Finding, FindingKind, Signature};
pub use fixture::{Accepted, Fixture, FixtureError, Found};
pub use invocation::Invocation;
pub use known::{Date, Known, KnownFindings};
pub use shell::{Shell, Shells};
pub use text::Text;
pub use tree::{BASE_DIRS, Entry, Node, PROJ, RelPath, TOP, TreeError, TreeSpec};
