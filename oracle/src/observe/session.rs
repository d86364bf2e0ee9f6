//! What both observers do with a call, however it was stopped: tell whether it is the server's, the
//! start of a shell, or a line's, and record the last kind.

use super::look::{Seen, Started, look};
use super::record::{Kin, Record};
use super::resolve::Resolver;
use super::{Command, News};
use crate::launch::Probes;
use crate::system::Pid;
use crate::system::process::WaitStatus;
use crate::system::syscalls::{MARKER, PathCall, path_call};
use crate::trace::{Exec, Touch};
use shfence_corpus::Text;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

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
    /// It is the marker of the child that becomes the shell, or of a probe that asks what to do,
    /// and returns this.
    Return(i64),
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
    pub(super) resolver: Rc<RefCell<Resolver>>,
    pub(super) record: Record,
    probes: Probes,
    /// What probes that are being executed will be told when they ask.
    answers: HashMap<Pid, i64>,
}

/// The directory of the probes.
const PROBES: &[u8] = b"/oracle/probes/";

/// What a probe says in the marker call; as in `system/warm/probe.rs`.
const ASKS: u64 = 5;

/// The fourth argument of an `execve` whose caller can do what a probe would; as in
/// `system/warm/preload.rs`.
const MAY_ACT: u64 = 0x7072_6f62;

impl Session {
    /// Of no server yet.
    pub(super) fn new(resolver: Rc<RefCell<Resolver>>) -> Session {
        let (record, probes) = (Record::default(), Probes::default());
        let (server, state, answers) = (0, State::Busy, HashMap::new());
        Session { server, state, resolver, record, probes, answers }
    }

    /// Takes charge of a new server.
    pub(super) fn begin(&mut self, server: Pid) {
        (self.server, self.state) = (server, State::Busy);
    }

    /// A run begins: see [`Observer::begin`](super::Observer::begin).
    pub(super) fn begin_run(&mut self, planting: u64, probes: Probes) {
        self.resolver.borrow_mut().begin(planting);
        self.answers.clear();
        self.probes = probes;
    }

    pub(super) fn react(&mut self, call: &Call, kin: &Kin) -> Reaction {
        if call.number == MARKER {
            if call.thread == self.server {
                self.state = State::Idle;
                return Reaction::Idle(decode_news(call));
            }
            return match self.state {
                State::Running if call.arguments[0] == ASKS => {
                    Reaction::Return(self.answers.remove(&call.thread).unwrap_or(0))
                }
                // While a shell is being started no line runs: this is the child of a warm shell,
                // which becomes the shell without executing it.
                State::Starting => {
                    self.start(call, kin);
                    Reaction::Return(0)
                }
                State::Running | State::Busy | State::Idle => Reaction::Refuse,
            };
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
        self.record.number(call.thread, self.server, kin, &self.resolver.borrow());
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
            Some(entry) => look(call, entry, &mut self.resolver.borrow_mut()),
            None => Vec::new(),
        }
    }

    /// What a probe is to do that this call is about to execute, if it is one. Where the caller
    /// `acts`, it can be told at once and need not execute the probe; otherwise the probe will ask.
    pub(super) fn answer_probe(&mut self, call: &Call, seen: &[Seen], acts: bool) -> Option<i64> {
        let is_probe =
            |seen: &&Seen| seen.place.as_ref().is_some_and(|it| it.path.starts_with(PROBES));
        let started = seen.iter().filter(is_probe).find_map(|seen| seen.started.as_ref());
        let answer = self.probes.answer(&started?.argv);
        if acts && call.arguments[3] == MAY_ACT {
            return Some(answer);
        }
        self.answers.insert(call.thread, answer);
        None
    }

    /// The number of the process that makes a call. It can only be found out while its caller
    /// waits.
    pub(super) fn number(&mut self, call: &Call, kin: &Kin) -> u32 {
        self.record.number(call.thread, self.server, kin, &self.resolver.borrow())
    }

    /// Records what a process with this number does.
    pub(super) fn note(&mut self, pid: u32, seen: Vec<Seen>) {
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
