//! The observer by seccomp user notification.

use super::look::{Seen, Started, look};
use super::record::Record;
use super::resolve::Resolver;
use super::{Command, News, Observer, Pause};
use crate::launch::Probes;
use crate::system::notify::{Answer, Arrival, Listener, Notification};
use crate::system::process::WaitStatus;
use crate::system::syscalls::{MARKER, PathCall, path_call};
use crate::system::{Pid, alarm};
use crate::trace::{Exec, Touch};
use shfence_corpus::Text;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;

/// Sees every trapped call of every process under the server.
#[derive(Debug)]
pub(crate) struct Notified {
    /// Events after which a record is full.
    most: usize,
    attached: Option<Attached>,
    resolver: Rc<RefCell<Resolver>>,
    record: Record,
    probes: Probes,
    /// What probes that are being executed will be told when they ask.
    answers: HashMap<Pid, i64>,
}

#[derive(Debug)]
struct Attached {
    server: Pid,
    listener: Listener,
    state: State,
}

/// What the server is doing.
#[derive(Debug)]
enum State {
    /// On its way to its first or next marker call, with no shell to record.
    Busy,
    /// Waiting for the answer to this marker call.
    Idle(Notification),
    /// Starting a shell: what its child does before `execve` is the server's own doing.
    Starting,
    /// A shell, or something it left, is running.
    Running,
}

impl Notified {
    /// An observer of no server yet, whose records are full after `most` events. What it finds out
    /// about paths it shares with the other observers of the same tree.
    pub(crate) fn new(most: usize, resolver: Rc<RefCell<Resolver>>) -> Notified {
        let (record, probes) = (Record::default(), Probes::default());
        Notified { most, attached: None, resolver, record, probes, answers: HashMap::new() }
    }

    fn attached(&mut self) -> io::Result<&mut Attached> {
        self.attached.as_mut().ok_or_else(|| io::Error::other("there is no server"))
    }

    /// Handles one call; the news, if it is the server's marker.
    fn handle(&mut self, call: &Notification) -> io::Result<Option<News>> {
        let attached = self.attached()?;
        if call.number == MARKER {
            if call.thread == attached.server {
                attached.state = State::Idle(*call);
                return Ok(Some(decode_news(call)));
            }
            // While a shell is being started no line runs: this is the child of a warm shell, which
            // becomes the shell without executing it.
            let answer = match attached.state {
                State::Running if call.arguments[0] == ASKS => {
                    Answer::Value(self.answers.remove(&call.thread).unwrap_or(0))
                }
                State::Starting => {
                    attached.state = State::Running;
                    self.record.number(call.thread);
                    Answer::Value(0)
                }
                _ => Answer::Error(libc::EPERM),
            };
            self.attached()?.listener.answer(call, answer)?;
            return Ok(None);
        }
        match attached.state {
            State::Running => return self.observe(call).map(|()| None),
            // The child that is to become the shell changes its directory first.
            State::Starting if path_call(call.number).is_some_and(PathCall::executes) => {
                attached.state = State::Running;
                self.record.number(call.thread);
            }
            State::Starting | State::Busy | State::Idle(_) => {}
        }
        self.attached()?.listener.answer(call, Answer::Continue)?;
        Ok(None)
    }

    /// Records what a call does and lets it go on. If its caller is gone by then, what was read may
    /// have been the memory of a later process with the same id, and counts for nothing.
    fn observe(&mut self, call: &Notification) -> io::Result<()> {
        let seen = match path_call(call.number) {
            Some(entry) => look(call, entry, &mut self.resolver.borrow_mut()),
            None => Vec::new(),
        };
        // Whom a call belongs to can only be found out while its caller waits.
        let pid = if seen.is_empty() { 0 } else { self.record.number(call.thread) };
        let answer = self.answer(call, &seen);
        if !self.attached()?.listener.answer(call, answer)? {
            return Ok(());
        }
        for Seen { kind, text, place, started } in seen {
            let existed = place.as_ref().is_some_and(|place| place.facts.is_some());
            let resolved = place.map(|place| Text::from(place.path)).unwrap_or_default();
            if let Some(Started { argv, cwd }) = started {
                self.record.execs.push(Exec { pid, argv, cwd, path: resolved.clone() });
            }
            self.record.touches.push(Touch { pid, kind, text, resolved, existed });
        }
        Ok(())
    }
}

impl Notified {
    /// Lets a call pass; but where a probe is about to be executed by who can do what it would do,
    /// that is the answer.
    fn answer(&mut self, call: &Notification, seen: &[Seen]) -> Answer {
        let is_probe =
            |seen: &&Seen| seen.place.as_ref().is_some_and(|it| it.path.starts_with(PROBES));
        let started = seen.iter().filter(is_probe).find_map(|seen| seen.started.as_ref());
        let Some(Started { argv, .. }) = started else { return Answer::Continue };
        let answer = self.probes.answer(argv);
        if call.arguments[3] == MAY_ACT {
            return Answer::Value(answer);
        }
        self.answers.insert(call.thread, answer);
        Answer::Continue
    }
}

/// The directory of the probes.
const PROBES: &[u8] = b"/oracle/probes/";

/// What a probe says in the marker call; as in `system/warm/probe.rs`.
const ASKS: u64 = 5;

/// The fourth argument of an `execve` whose caller can do what a probe would; as in
/// `system/warm/preload.rs`.
const MAY_ACT: u64 = 0x7072_6f62;

impl Observer for Notified {
    fn attach(&mut self, server: Pid, listener: OwnedFd) {
        let listener = Listener::new(listener);
        self.attached = Some(Attached { server, listener, state: State::Busy });
    }

    fn serve(&mut self) -> io::Result<Pause> {
        loop {
            if alarm::expired() {
                return Ok(Pause::Expired);
            }
            if self.record.len() >= self.most {
                return Ok(Pause::Full);
            }
            if let Arrival::Call(call) = self.attached()?.listener.receive()?
                && let Some(news) = self.handle(&call)?
            {
                return Ok(Pause::Idle(news));
            }
        }
    }

    fn begin(&mut self, planting: u64, probes: Probes) {
        self.resolver.borrow_mut().begin(planting);
        self.answers.clear();
        self.probes = probes;
    }

    fn tell(&mut self, command: Command) -> io::Result<()> {
        let attached = self.attached()?;
        let next = match command {
            Command::Start => State::Starting,
            Command::AwaitStragglers => State::Running,
        };
        match std::mem::replace(&mut attached.state, next) {
            State::Idle(call) => {
                attached.listener.answer(&call, Answer::Value(command as i64)).map(drop)
            }
            state => Err(io::Error::other(format!("the server is not idle but {state:?}"))),
        }
    }

    fn take(&mut self) -> Record {
        std::mem::take(&mut self.record)
    }
}

/// The marker's arguments: which news, and its two values. The server's side is in
/// [`crate::launch`].
fn decode_news(call: &Notification) -> News {
    let [what, first, second, ..] = call.arguments;
    match what {
        1 => News::Ended { status: WaitStatus(first as i32), stragglers: second != 0 },
        2 => News::NotStarted(first as i32),
        3 => News::Alone,
        _ => News::Ready,
    }
}
