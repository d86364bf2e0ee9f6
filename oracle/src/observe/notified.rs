//! The observer by seccomp user notification.

use super::record::{Kin, Record};
use super::session::{Call, Reaction, Session};
use super::{Command, News, Observer, Pause};
use crate::launch::Probes;
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
    pub(super) fn new(most: usize, session: Session) -> Notified {
        Notified { most, listener: None, waiting: None, session }
    }

    fn listener(&self) -> io::Result<&Listener> {
        self.listener.as_ref().ok_or_else(|| io::Error::other("there is no server"))
    }

    /// Handles one call; the news, if it is the server's marker.
    fn handle(&mut self, notification: Notification) -> io::Result<Option<News>> {
        let Notification { thread, number, arguments, .. } = notification;
        let call = Call { thread, number, arguments };
        let answer = match self.session.react(&call, &Kin::Asked) {
            Reaction::Idle(news) => {
                self.waiting = Some(notification);
                return Ok(Some(news));
            }
            Reaction::Return(value) => Answer::Value(value),
            Reaction::Refuse => Answer::Error(libc::EPERM),
            Reaction::Pass => Answer::Continue,
            Reaction::Look => return self.observe(&call, &notification).map(|()| None),
        };
        self.listener()?.answer(&notification, answer)?;
        Ok(None)
    }

    /// Records what a call does and lets it go on; but where a probe is about to be executed by who
    /// can do what it would do, that is the answer. If its caller is gone by then, what was read
    /// may have been the memory of a later process with the same id, and counts for nothing.
    fn observe(&mut self, call: &Call, notification: &Notification) -> io::Result<()> {
        let seen = self.session.look(call);
        if seen.is_empty() {
            self.listener()?.answer(notification, Answer::Continue)?;
            return Ok(());
        }
        let known = self.session.record.processes();
        let pid = self.session.number(call, &Kin::Asked);
        let answer = match self.session.answer_probe(call, &seen, true) {
            Some(value) => Answer::Value(value),
            None => Answer::Continue,
        };
        match self.listener()?.answer(notification, answer)? {
            true => self.session.note(pid, seen),
            false => self.session.record.forget_after(known),
        }
        Ok(())
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
            if let Arrival::Call(notification) = self.listener()?.receive()?
                && let Some(news) = self.handle(notification)?
            {
                return Ok(Pause::Idle(news));
            }
        }
    }

    fn begin(&mut self, planting: u64, probes: Probes) {
        self.session.begin_run(planting, probes);
    }

    fn tell(&mut self, command: Command) -> io::Result<()> {
        self.session.commanded(command)?;
        match self.waiting.take() {
            Some(call) => self.listener()?.answer(&call, Answer::Value(command as i64)).map(drop),
            None => Err(io::Error::other("the server waits for nothing")),
        }
    }

    fn take(&mut self) -> Record {
        std::mem::take(&mut self.session.record)
    }
}
