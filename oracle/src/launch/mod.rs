//! Starting shells.
//!
//! Orders go to a **server**, a process under the filter and without capabilities, which starts
//! each shell and waits for it. The supervisor starts none itself: a filter is inherited, and it
//! must not be under one.
//!
//! There are two kinds of server that matter. One executes whatever shell it is told to. The other
//! is a **warm shell**: a real shell that has been loaded and then held before its `main`, and
//! forks there for each order. That leaves out the execution, the loader and the page faults of
//! both, which is half the time of a short line, and nothing that the shell itself does. A third
//! executes shells that nobody looks at, for measuring.

mod kind;
mod lane;
mod order;
mod probes;
mod served;
mod server;

pub(crate) use kind::Kind;
pub use lane::{Lane, Start};
pub(crate) use order::Order;
pub use probes::Probes;
pub(crate) use served::{Belongings, ServedLauncher};

use crate::observe::{Observer, Record};
use crate::trace::Status;
use std::io;

/// What came of an order.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The shell ran, and everything that it started is gone.
    Ran(Run),
    /// The shell was not started: why.
    NotStarted(io::Error),
}

/// A run that is over.
#[derive(Debug)]
pub(crate) struct Run {
    /// How the shell ended.
    pub(crate) status: Status,
    /// Were processes killed that outlived it?
    pub(crate) cut: bool,
    /// What was recorded.
    pub(crate) record: Record,
    /// What was written to standard output and error, cut.
    pub(crate) output: Vec<u8>,
    /// Could the run only be ended by killing everything? Then every server is gone, this
    /// launcher's and any other's, and none of the launchers is to be used again.
    pub(crate) all_killed: bool,
}

/// A way to run orders, one after the other.
pub(crate) trait Launcher {
    /// Runs one order to its end while `observer` records. Unless the run says that everything was
    /// killed, the launcher is ready for the next afterwards, whatever the line did; an error means
    /// that nothing can be run here any more.
    fn run(&mut self, order: &Order, observer: &mut dyn Observer) -> io::Result<Outcome>;
}
