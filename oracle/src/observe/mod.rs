//! Seeing what a shell and its children do to paths.
//!
//! **Why seccomp user notification.** Every path call of every process of a case stops in the
//! kernel before it happens; the supervisor reads the arguments from the caller's memory, resolves
//! the path as the caller would, notes it, and lets the call continue. Nothing in the shell or its
//! environment is changed, so nothing in a line can notice or evade it: static binaries, `vfork`,
//! daemons and builtins are seen alike. `ptrace` sees the same at about twice the price per call,
//! and must also be told of every signal and exit; `LD_PRELOAD` misses static programs; fanotify
//! and eBPF miss `stat` or need privileges.
//!
//! **One filter for a worker's life.** It is installed in the server, and inherited by every shell,
//! so that a run costs no set-up at all.
//!
//! **The marker call.** The server speaks to the supervisor in the same channel: when it is idle it
//! makes a call that nobody else may make and that the filter traps (`acct`), with its news as the
//! arguments; the answer to that call is the next order. So the supervisor blocks in exactly one
//! place, and what a case did and that it is over arrive in one order, with no pipe to poll beside.
//!
//! What is recorded is the attempt. Whether the call then succeeds is not observed; whether its
//! target existed is. A second thread of the caller could change an argument between our look and
//! the kernel's; shells have none, and a line that wrote such a program is beyond what is observed.

mod arguments;
mod interpreter;
mod look;
mod notified;
mod record;
mod resolve;
mod witness;

pub(crate) use notified::Notified;
pub(crate) use record::Record;
pub(crate) use resolve::Resolver;
pub(crate) use witness::Witness;

use crate::launch::Probes;
use crate::system::Pid;
use crate::system::process::WaitStatus;
use std::io;
use std::os::fd::OwnedFd;

/// What a server says when it is idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// It is ready for its first order.
    Ready,
    /// The shell has ended like this; `stragglers` says whether any process it started is left.
    Ended { status: WaitStatus, stragglers: bool },
    /// The shell could not be started; the errno.
    NotStarted(i32),
    /// No process is left but the server itself.
    Alone,
}

/// What the supervisor tells an idle server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Start the shell that the shared memory describes, and wait for its end.
    Start = 0,
    /// Wait for the end of every process that is left.
    AwaitStragglers = 1,
}

/// How serving a run paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The server is idle, and waits for a command.
    Idle(News),
    /// The clock that was armed has expired.
    Expired,
    /// The record is full.
    Full,
}

/// Follows all processes under a server and records what they do.
pub(crate) trait Observer {
    /// Takes charge of a new server: `listener` is the one of its filter.
    fn attach(&mut self, server: Pid, listener: OwnedFd);

    /// Lets the processes run, recording, until the server is idle or the clock expires.
    fn serve(&mut self) -> io::Result<Pause>;

    /// A run begins, in the tree that was planted as the one with this number: as long as that
    /// stays the same and nothing is changed, paths lead where they led. Its probes do this.
    fn begin(&mut self, planting: u64, probes: Probes);

    /// Tells the server, which must be idle, what to do.
    fn tell(&mut self, command: Command) -> io::Result<()>;

    /// What was recorded since the last time.
    fn take(&mut self) -> Record;
}
