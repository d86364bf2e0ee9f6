//! What both observers do with a call, however it was stopped: tell whether it is the server's, the
//! start of a shell, or a line's, and record the last kind.

use super::look::{Seen, Started, look};
use super::record::{Kin, Record};
use super::resolve::Resolver;
use super::{Command, News};
use crate::system::Pid;
use crate::system::process::WaitStatus;
use crate::system::syscalls::{MARKER, PathCall, path_call};
use crate::trace::{Exec, Touch};
use shfence_corpus::Text;
use std::io;

/// A stopped call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The thread that called.
    pub(super) thread: Pid,
    /// The call's number.
    pub(super) number: u32,
    /// Its six arguments, as they stand in the registers.
    pub(super) arguments: [u64; 6],
}

/// What is to become of a stopped call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// It is the server's marker, and waits for the next command.
    Idle(News),
    /// It is the marker of the child that becomes the shell, and returns 0.
    Begin,
    /// It is somebody else's marker, and fails with EPERM.
    Refuse,
    /// It happens, and is to be looked at before.
    Look,
    /// It happens.
    Pass,
}

/// What the server is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// On its way to its first or next marker call, with no shell to record.
    Busy,
    /// Waiting for the answer to its marker call.
    Idle,
    /// Starting a shell: what its child does before `execve` is the server's own doing.
    Starting,
    /// A shell, or something it left, is running.
    Running,
}

/// A server, and the record of what runs under it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) server: Pid,
    state: State,
    pub(super) resolver: Resolver,
    pub(super) record: Record,
}

impl Session {
    /// Of no server yet.
    pub(super) fn new() -> Session {
        let (resolver, record) = (Resolver::default(), Record::default());
        Session { server: 0, state: State::Busy, resolver, record }
    }

    /// Takes charge of a new server.
    pub(super) fn begin(&mut self, server: Pid) {
        (self.server, self.state) = (server, State::Busy);
    }

    pub(super) fn react(&mut self, call: &Call, kin: &Kin) -> Reaction {
        if call.number == MARKER {
            if call.thread == self.server {
                self.state = State::Idle;
                return Reaction::Idle(decode_news(call));
            }
            // While a shell is being started no line runs: this is the child of a warm shell, which
            // becomes the shell without executing it.
            if self.state != State::Starting {
                return Reaction::Refuse;
            }
            self.start(call, kin);
            return Reaction::Begin;
        }
        match self.state {
            State::Running => return Reaction::Look,
            // The child that is to become the shell changes its directory first.
            State::Starting if path_call(call.number).is_some_and(PathCall::executes) => {
                self.start(call, kin);
            }
            State::Starting | State::Busy | State::Idle => {}
        }
        Reaction::Pass
    }

    fn start(&mut self, call: &Call, kin: &Kin) {
        self.state = State::Running;
        self.record.number(call.thread, self.server, kin);
    }

    /// The command is on its way to the server, which must be idle.
    pub(super) fn commanded(&mut self, command: Command) -> io::Result<()> {
        if self.state != State::Idle {
            return Err(io::Error::other(format!("the server is not idle but {:?}", self.state)));
        }
        self.state = match command {
            Command::Start => State::Starting,
            Command::AwaitStragglers => State::Running,
        };
        Ok(())
    }

    /// What a call does.
    pub(super) fn look(&mut self, call: &Call) -> Vec<Seen> {
        match path_call(call.number) {
            Some(entry) => look(call, entry, &mut self.resolver),
            None => Vec::new(),
        }
    }

    /// Records it.
    pub(super) fn note(&mut self, call: &Call, seen: Vec<Seen>, kin: &Kin) {
        if seen.is_empty() {
            return;
        }
        let pid = self.record.number(call.thread, self.server, kin);
        for Seen { kind, text, place, started } in seen {
            let existed = place.as_ref().is_some_and(|place| place.facts.is_some());
            let resolved = place.map(|place| Text::from(place.path)).unwrap_or_default();
            if let Some(Started { argv, cwd }) = started {
                self.record.execs.push(Exec { pid, argv, cwd, path: resolved.clone() });
            }
            self.record.touches.push(Touch { pid, kind, text, resolved, existed });
        }
    }
}

/// The marker's arguments: which news, and its two values. The server's side is in
/// [`crate::launch`].
fn decode_news(call: &Call) -> News {
    let [what, first, second, ..] = call.arguments;
    match what {
        1 => News::Ended { status: WaitStatus(first as i32), stragglers: second != 0 },
        2 => News::NotStarted(first as i32),
        3 => News::Alone,
        _ => News::Ready,
    }
}
