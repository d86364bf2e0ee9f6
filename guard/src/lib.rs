//! shfence decides whether a coding agent may run a line of shell text without asking a person.
//!
//! [`decide`] is the whole of it: a line, a scope and a window on the file system go in, a
//! [`Verdict`] comes out. `allow` means that in every configured shell every simple command of the
//! line is a declared verb, starts in a directory of the project, and uses no path outside it.
//! Everything else is `ask`, with the reason and the place in the line.
//!
//! ```
//! use shfence::{Cwd, Decision, Dialects, Env, Invocation, Limits, MemoryView, Policy, Request};
//! use std::path::Path;
//!
//! let mut view = MemoryView::default();
//! view.file("/p/src/main.rs", "").link("/p/out", "/etc");
//! let scope = shfence::Scope::new(&["/p".into()], &view)?;
//! let decide = |line: &str| {
//!     let request = Request {
//!         line: line.as_bytes(),
//!         cwd: Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) },
//!         scope: &scope,
//!         home: None,
//!         env: &Env::new(),
//!         dialects: Dialects::ALL,
//!         invocation: Invocation::C,
//!         policy: &Policy::default(),
//!         limits: Limits::default(),
//!     };
//!     shfence::decide(&request, &view).decision
//! };
//! assert_eq!(decide("cd src && cat main.rs"), Decision::Allow);
//! assert_eq!(decide("cd src; cat ../out/passwd"), Decision::Ask);
//! # Ok::<(), shfence::ScopeError>(())
//! ```
#![forbid(unsafe_code)]

mod below;
pub mod config;
mod decide;
mod discovery;
mod environment;
mod few;
mod flow;
mod glance;
mod globs;
mod ignored;
mod index;
mod json;
mod judging;
mod options;
mod path;
mod plan;
mod planning;
mod protected;
mod reach;
mod redaction;
mod repository;
mod request;
pub mod rules;
mod scope;
mod secrets;
mod semantics;
mod short;
mod span;
mod syntax;
mod trees;
mod units;
pub mod verbs;
mod verdict;
mod view;

pub use decide::{decide, decide_on, decide_with};
pub use environment::is_governing;
pub use few::Few;
pub use glance::Glance;
pub use json::from_hex;
pub use options::{RULED_OUT, RuledOut};
pub use path::{Link, Physical, links_on_the_way};
pub use plan::{Bytes, Cwds, PathUse, Plan, PlanWord, Role, Segment};
pub use redaction::redact;
pub use request::{Cwd, Dialects, Env, Invocation, Limits, Policy, Profile, Request};
pub use scope::{Scope, ScopeError};
pub use semantics::{
    Cd, Containment, Inner, LastStage, Operands, Or, Prefixes, Redirections, Repository, Semantics,
    Subshells, Substitutions, Targets, VerdictRule, Walks,
};
pub use span::Span;
pub use syntax::{Construct, NotUnderstood};
pub use verbs::declares;
pub use verdict::{Code, Decision, Reason, Verdict};
pub use view::{FsView, Kind, MemoryView, NoView, RealView};
