//! The observer by seccomp user notification.

use super::record::{Kin, Record};
use super::session::{Call, Reaction, Session};
use super::{Command, Observer, Pause};
use crate::system::notify::{Answer, Arrival, Listener, Notification};
use crate::system::seccomp::Trap;
use crate::system::{Pid, alarm, handover};
use std::io;
use std::os::unix::net::UnixStream;

/// Sees every trapped call of every process under the server.
#[derive(Debug)]
pub(crate) struct Notified {
    /// Events after which a record is full.
    most: usize,
    listener: Option<Listener>,
    /// The server's marker, while it is idle.
    waiting: Option<Notification>,
    session: Session,
}

impl Notified {
    /// An observer of no server yet, whose records are full after `most` events.
    pub(crate) fn new(most: usize) -> Notified {
        Notified { most, listener: None, waiting: None, session: Session::new() }
    }

    fn listener(&self) -> io::Result<&Listener> {
        self.listener.as_ref().ok_or_else(|| io::Error::other("there is no server"))
    }
}

impl Observer for Notified {
    fn trap(&self) -> Trap {
        Trap::Listener
    }

    fn attach(&mut self, server: Pid, over: &UnixStream) -> io::Result<()> {
        let listener = handover::receive(over).map_err(|error| {
            io::Error::new(error.kind(), "the server ended before it was ready")
        })?;
        (self.listener, self.waiting) = (Some(Listener::new(listener)), None);
        self.session.begin(server);
        Ok(())
    }

    fn serve(&mut self) -> io::Result<Pause> {
        loop {
            if alarm::expired() {
                return Ok(Pause::Expired);
            }
            if self.session.record.len() >= self.most {
                return Ok(Pause::Full);
            }
            let Arrival::Call(notification) = self.listener()?.receive()? else { continue };
            let Notification { thread, number, arguments, .. } = notification;
            let call = Call { thread, number, arguments };
            let answer = match self.session.react(&call, &Kin::Asked) {
                Reaction::Idle(news) => {
                    self.waiting = Some(notification);
                    return Ok(Pause::Idle(news));
                }
                Reaction::Begin => Answer::Value(0),
                Reaction::Refuse => Answer::Error(libc::EPERM),
                Reaction::Pass => Answer::Continue,
                Reaction::Look => {
                    let seen = self.session.look(&call);
                    // What was read of a caller that is gone may have been another's.
                    if !seen.is_empty() && self.listener()?.still_waits(&notification) {
                        self.session.note(&call, seen, &Kin::Asked);
                    }
                    Answer::Continue
                }
            };
            self.listener()?.answer(&notification, answer)?;
        }
    }

    fn tell(&mut self, command: Command) -> io::Result<()> {
        self.session.commanded(command)?;
        match self.waiting.take() {
            Some(call) => self.listener()?.answer(&call, Answer::Value(command as i64)),
            None => Err(io::Error::other("the server waits for nothing")),
        }
    }

    fn take(&mut self) -> Record {
        std::mem::take(&mut self.session.record)
    }
}
