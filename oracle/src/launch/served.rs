//! The launcher that has a server start the shells.

use super::server::Server;
use super::{Kind, Launcher, Order, Outcome, Run};
use crate::contain::{CaseUser, Doors, Limits, memory_in_use};
use crate::observe::{Command, News, Observer, Pause};
use crate::system::files::{memory_file, set_append};
use crate::system::memory::SharedArea;
use crate::system::process::{self, Forked, Waited};
use crate::system::{Pid, alarm};
use crate::trace::{OUTPUT_MAX, Status};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Room for an order: more than the kernel takes for arguments and environment (2 MiB with the
/// usual stack limit) is never needed.
const ORDER_ROOM: usize = 4 << 20;

/// How long a server may take to be ready, and stragglers to die once they are killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs after which a server is replaced: its own processor time counts against the limit that it
/// hands on to its shells.
const MOST_RUNS: usize = 2_000;

/// What a launcher's server is given.
#[derive(Debug)]
pub(crate) struct Belongings {
    /// Whom the lines run as.
    pub(crate) user: CaseUser,
    /// What they may use.
    pub(crate) limits: Limits,
    /// The control group that the server enters.
    pub(crate) doors: Rc<Doors>,
    /// The shells' input, if it is not `/dev/null`.
    pub(crate) input: Option<OwnedFd>,
}

/// Starts shells by a server, which lives until a run has to be stopped.
#[derive(Debug)]
pub(crate) struct ServedLauncher {
    kind: Kind,
    with: Belongings,
    orders: SharedArea,
    output: File,
    server: Pid,
    /// Orders that the server was given.
    runs: usize,
}

impl ServedLauncher {
    /// Starts the server and attaches the observer to it.
    pub(crate) fn new(
        kind: Kind,
        with: Belongings,
        observer: &mut dyn Observer,
    ) -> io::Result<ServedLauncher> {
        let (orders, output) = (SharedArea::new(ORDER_ROOM)?, memory_file(c"output")?);
        let mut launcher = ServedLauncher { kind, with, orders, output, server: 0, runs: 0 };
        launcher.start_server(observer)?;
        Ok(launcher)
    }

    fn start_server(&mut self, observer: &mut dyn Observer) -> io::Result<()> {
        let (ours, theirs) = UnixStream::pair()?;
        match process::fork()? {
            Forked::Child => Server {
                kind: &self.kind,
                with: &self.with,
                orders: &self.orders,
                output: &self.output,
                supervisor: &theirs,
                trap: observer.trap(),
            }
            .run(),
            Forked::Parent(server) => self.server = server,
        }
        drop(theirs);
        observer.attach(self.server, &ours)?;
        self.runs = 0;
        let ready = self.await_ready(observer);
        alarm::disarm()?;
        observer.take();
        if ready.is_err() {
            self.stop_server()?;
        }
        ready
    }

    /// Waits for the server's first news. It may end instead, and not every kernel tells that to
    /// who waits for its calls: so it is looked after at intervals.
    fn await_ready(&self, observer: &mut dyn Observer) -> io::Result<()> {
        let asked = Instant::now();
        loop {
            alarm::arm(ROUND)?;
            match observer.serve() {
                Ok(Pause::Idle(News::Ready)) => return Ok(()),
                Ok(Pause::Expired) if asked.elapsed() < PATIENCE => {}
                other => {
                    let what = format!("the server does not get ready: {other:?}");
                    return Err(io::Error::other(what));
                }
            }
            if process::wait(self.server, false)? != Waited::Running {
                return Err(io::Error::other("the server ended before it was ready"));
            }
        }
    }

    /// Ends the server, which runs no shell.
    pub(crate) fn stop_server(&self) -> io::Result<()> {
        if process::wait(self.server, false)? == Waited::Running {
            process::kill(self.server)?;
            process::wait(self.server, true)?;
        }
        Ok(())
    }

    /// Has a server that can take an order: a new one where the old has served long enough, or was
    /// killed by a line of another server, whose filter protects only that.
    fn refresh_server(&mut self, observer: &mut dyn Observer) -> io::Result<()> {
        self.runs += 1;
        if self.runs <= MOST_RUNS && process::wait(self.server, false)? == Waited::Running {
            return Ok(());
        }
        self.stop_server()?;
        self.start_server(observer)
    }

    /// Lets the processes run until the server is idle, or until they have had this time or more
    /// than their memory.
    fn serve_for(&self, time: Duration, observer: &mut dyn Observer) -> io::Result<Pause> {
        let started = Instant::now();
        loop {
            let left = time.saturating_sub(started.elapsed());
            alarm::arm(left.min(ROUND))?;
            match observer.serve()? {
                Pause::Expired
                    if started.elapsed() < time && memory_in_use() <= self.with.limits.memory => {}
                pause => return Ok(pause),
            }
        }
    }

    /// Kills everything, the server included, and every other server.
    fn kill_everything(&self) -> io::Result<()> {
        match process::wait(self.server, false)? {
            Waited::Running => {}
            // No line can kill its server: it was the kernel, for want of memory.
            Waited::Ended(status) if status.signal() == Some(libc::SIGKILL as u8) => {}
            _ => return Err(io::Error::other("the server that starts the shells died")),
        }
        process::kill_everything()?;
        process::wait_for_all()
    }

    /// Lets background jobs go on for the time of grace, then kills them.
    fn end_stragglers(&mut self, observer: &mut dyn Observer) -> io::Result<Stragglers> {
        observer.tell(Command::AwaitStragglers)?;
        let mut pause = self.serve_for(self.with.limits.grace, observer)?;
        if pause == Pause::Idle(News::Alone) {
            return Ok(Stragglers::Ended);
        }
        // Killing may take several rounds: the children of who is killed become the server's only
        // then, and others may still be forking.
        for _ in 0..MOST_ROUNDS {
            if pause == Pause::Idle(News::Alone) {
                return Ok(Stragglers::Killed);
            }
            for child in children(self.server) {
                process::kill(child)?;
            }
            alarm::arm(ROUND)?;
            pause = observer.serve()?;
        }
        Ok(match pause {
            Pause::Idle(News::Alone) => Stragglers::Killed,
            _ => Stragglers::Left,
        })
    }

    /// What was written, at most [`OUTPUT_MAX`] bytes; the file is empty and as new afterwards.
    fn take_output(&self) -> io::Result<Vec<u8>> {
        let length = self.output.metadata()?.len().min(OUTPUT_MAX as u64);
        let mut bytes = vec![0; length as usize];
        self.output.read_exact_at(&mut bytes, 0)?;
        if length > 0 {
            self.output.set_len(0)?;
        }
        set_append(&self.output)?;
        Ok(bytes)
    }
}

/// What came of the processes that outlived the shell.
enum Stragglers {
    /// They ended by themselves.
    Ended,
    /// They were killed.
    Killed,
    /// They cannot be killed one by one.
    Left,
}

/// Rounds of killing stragglers before everything is killed instead, and how long each lasts; also
/// how often a server that is not ready yet, and the memory of a run, are looked after.
const MOST_ROUNDS: usize = 20;
const ROUND: Duration = Duration::from_millis(10);

impl Launcher for ServedLauncher {
    fn run(&mut self, order: &Order, observer: &mut dyn Observer) -> io::Result<Outcome> {
        if !self.orders.write(&order.encode()) {
            return Ok(Outcome::NotStarted(io::Error::from_raw_os_error(libc::E2BIG)));
        }
        self.refresh_server(observer)?;
        observer.tell(Command::Start)?;
        let pause = self.serve_for(self.with.limits.wall, observer)?;
        let mut ended = match pause {
            Pause::Idle(News::Ended { status, .. }) => Some(Status::from(status)),
            _ => None,
        };
        let mut cut = false;
        if let Pause::Idle(News::Ended { stragglers: true, .. }) = pause {
            match self.end_stragglers(observer)? {
                Stragglers::Ended => {}
                Stragglers::Killed => cut = true,
                Stragglers::Left => ended = None,
            }
        }
        alarm::disarm()?;
        let record = observer.take();
        if let Pause::Idle(News::NotStarted(errno)) = pause {
            return Ok(Outcome::NotStarted(io::Error::from_raw_os_error(errno)));
        }
        let all_killed = ended.is_none();
        if all_killed {
            self.kill_everything()?;
        }
        let status = ended.unwrap_or(Status::TimedOut);
        Ok(Outcome::Ran(Run { status, cut, record, output: self.take_output()?, all_killed }))
    }
}

/// The children of a process with one thread.
fn children(parent: Pid) -> Vec<Pid> {
    let list = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    list.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}
