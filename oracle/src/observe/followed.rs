//! The observer by ptrace: the second witness of what calls are made.
//!
//! It shares with the other observer the table of calls and how a caller's arguments are read and
//! resolved. How it comes to see a call is its own: every call of every process stops, whatever the
//! filter says, and what is no path call is passed over here; every fork is told by the kernel.
//!
//! And it sees what the other cannot, how a call ended. So it holds the record against that
//! ([`claims`](super::claims)): a descriptor must lead where the opened path was said to lead, a
//! process must stand where it was said to go, and run what it was said to run.

use super::claims::Claim;
use super::record::{Kin, Record};
use super::session::{Call, Reaction, Session};
use super::{Command, Observer, Pause};
use crate::launch::Probes;
use crate::system::ptrace::{self, Event, Stop};
use crate::system::seccomp::Trap;
use crate::system::syscalls::ARCHITECTURE;
use crate::system::{Pid, alarm, process};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

/// Follows every process under the server from call to call.
#[derive(Debug)]
pub(crate) struct Followed {
    /// Events after which a record is full.
    most: usize,
    session: Session,
    kin: Kin,
    /// What threads that are in a call will return from it, instead of what it returns.
    results: HashMap<Pid, i64>,
    /// What must be true when the call is over that a thread is in.
    claims: HashMap<Pid, Claim>,
}

impl Followed {
    /// An observer of no server yet, whose records are full after `most` events.
    pub(super) fn new(most: usize, session: Session) -> Followed {
        Followed {
            most,
            session,
            kin: Kin::told(),
            results: HashMap::new(),
            claims: HashMap::new(),
        }
    }

    /// Handles a stop; gives the pause, if the thread is the server and now idle.
    fn stopped(&mut self, thread: Pid, stop: Stop) -> io::Result<Option<Pause>> {
        let mut signal = 0;
        match stop {
            Stop::Entered { architecture, number, arguments } if architecture == ARCHITECTURE => {
                let call = Call { thread, number, arguments };
                if let Some(pause) = self.entered(&call) {
                    return Ok(Some(pause));
                }
            }
            // Calls of another table are the filter's to kill.
            Stop::Entered { .. } => {}
            Stop::Left(result) => self.left(thread, result)?,
            Stop::Made(child) => self.kin.made(child, self.process_of(thread)),
            Stop::Executed => {
                if let Some(claim) = self.claims.remove(&thread) {
                    self.hold(claim.after_execution(thread));
                }
            }
            Stop::Begins => {}
            Stop::Signal(number) => signal = number,
            Stop::Halted => {
                ptrace::stay(thread)?;
                return Ok(None);
            }
        }
        ptrace::resume(thread, signal)?;
        Ok(None)
    }

    fn entered(&mut self, call: &Call) -> Option<Pause> {
        match self.session.react(call, &self.kin) {
            Reaction::Idle(news) => return Some(Pause::Idle(news)),
            Reaction::Return(value) => drop(self.results.insert(call.thread, value)),
            // The filter refuses it, too.
            Reaction::Refuse | Reaction::Pass => {}
            Reaction::Look => {
                let seen = self.session.look(call);
                if let Some(claim) = Claim::of(call, &seen) {
                    self.claims.insert(call.thread, claim);
                }
                self.session.answer_probe(call, &seen, false);
                if !seen.is_empty() {
                    let pid = self.session.number(call, &self.kin);
                    self.session.note(pid, seen);
                }
            }
        }
        None
    }

    fn left(&mut self, thread: Pid, result: i64) -> io::Result<()> {
        if let Some(claim) = self.claims.remove(&thread) {
            let doubt = claim.after(thread, result, &mut self.session.resolver.borrow_mut());
            self.hold(doubt);
        }
        match self.results.remove(&thread) {
            Some(value) => ptrace::set_result(thread, value),
            None => Ok(()),
        }
    }

    fn hold(&mut self, doubt: Option<String>) {
        self.session.record.doubts.extend(doubt);
    }

    fn process_of(&self, thread: Pid) -> Pid {
        if process::is_process(thread) { thread } else { super::record::process_of(thread) }
    }
}

impl Observer for Followed {
    fn trap(&self) -> Trap {
        Trap::Follower
    }

    fn attach(&mut self, server: Pid, mut over: &UnixStream) -> io::Result<()> {
        over.read_exact(&mut [0])?;
        ptrace::seize(server)?;
        self.session.begin(server);
        over.write_all(&[0])
    }

    fn serve(&mut self) -> io::Result<Pause> {
        loop {
            if alarm::expired() {
                return Ok(Pause::Expired);
            }
            if self.session.record.len() >= self.most {
                return Ok(Pause::Full);
            }
            match ptrace::next()? {
                Event::Stopped(thread, stop) => {
                    if let Some(pause) = self.stopped(thread, stop)? {
                        return Ok(pause);
                    }
                }
                Event::Ended(thread, _) if thread == self.session.server => {
                    return Err(io::Error::other("the server ended"));
                }
                Event::Ended(thread, status) => {
                    self.session.record.ended(thread, status);
                    self.results.remove(&thread);
                    self.claims.remove(&thread);
                }
                Event::Nothing => {}
                Event::Nobody => return Err(io::Error::other("there is no server")),
            }
        }
    }

    fn begin(&mut self, planting: u64, probes: Probes) {
        self.session.begin_run(planting, probes);
    }

    fn tell(&mut self, command: Command) -> io::Result<()> {
        self.session.commanded(command)?;
        let server = self.session.server;
        self.results.insert(server, command as i64);
        ptrace::resume(server, 0)
    }

    fn take(&mut self) -> Record {
        self.kin = Kin::told();
        std::mem::take(&mut self.session.record)
    }
}
