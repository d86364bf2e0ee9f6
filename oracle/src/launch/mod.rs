//! Starting shells.
//!
//! Orders go to a **server**, a process under the filter and without capabilities, which starts
//! each shell and waits for it. The supervisor starts none itself: a filter is inherited, and it
//! must not be under one.

mod exec;
mod order;
mod server;

pub(crate) use exec::ExecLauncher;
pub(crate) use order::Order;

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
}

/// A way to run orders, one after the other.
pub(crate) trait Launcher {
    /// Runs one order to its end while `observer` records. Whatever the line did, the launcher is
    /// ready for the next afterwards; an error means that it is not, and will not be again.
    fn run(&mut self, order: &Order, observer: &mut dyn Observer) -> io::Result<Outcome>;
}
