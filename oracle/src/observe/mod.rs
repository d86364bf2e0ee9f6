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
mod claims;
mod followed;
mod interpreter;
mod look;
mod notified;
mod record;
mod resolve;
mod session;
mod witness;

use followed::Followed;
use notified::Notified;
pub(crate) use record::Record;
pub(crate) use resolve::Resolver;
pub(crate) use witness::Witness;

use crate::launch::Probes;
use crate::system::Pid;
use crate::system::process::WaitStatus;
use crate::system::seccomp::Trap;
use serde::{Deserialize, Serialize};
use session::Session;
use std::cell::RefCell;
use std::fmt::Debug;
use std::io;
use std::os::unix::net::UnixStream;
use std::rc::Rc;

/// What stops the calls of a run, so that they can be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The system-call filter stops the path calls (seccomp user notification).
    #[default]
    Notify,
    /// The supervisor follows every process from call to call (ptrace), which is some times slower
    /// and also sees how a call ended: a second witness.
    Ptrace,
}

impl Backend {
    /// `notify`, `ptrace`.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Notify => "notify",
            Backend::Ptrace => "ptrace",
        }
    }

    /// An observer of no server yet, whose records are full after `most` events. What it finds out
    /// about paths it shares with the other observers of the same tree.
    pub(crate) fn observer(
        self,
        most: usize,
        resolver: Rc<RefCell<Resolver>>,
    ) -> Box<dyn Observer> {
        let session = Session::new(resolver);
        match self {
            Backend::Notify => Box::new(Notified::new(most, session)),
            Backend::Ptrace => Box::new(Followed::new(most, session)),
        }
    }
}

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
pub(crate) trait Observer: Debug {
    /// What the server's filter is to do for it.
    fn trap(&self) -> Trap;

    /// Takes charge of a new server, with what the two say to each other over this socket about
    /// the trap. Nothing that the server does before that is missed.
    fn attach(&mut self, server: Pid, over: &UnixStream) -> io::Result<()>;

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
