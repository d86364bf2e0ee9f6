//! The server's own side: the process that starts the shells. A warm shell's is in
//! `system/warm/preload.rs`, and speaks the same protocol.

use super::{Belongings, Kind, Order};
use crate::contain::confine;
use crate::observe::{Command, News};
use crate::system::credentials::set_dumpable;
use crate::system::files::become_standard;
use crate::system::handover;
use crate::system::memory::SharedArea;
use crate::system::process::{Program, WaitStatus, Waited, fix_addresses, wait, wait_for_all};
use crate::system::seccomp::{Filter, Trap};
use crate::system::syscalls::call_marker;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// What a server needs, made before the fork.
#[derive(Debug)]
pub(super) struct Server<'a> {
    pub(super) kind: &'a Kind,
    pub(super) with: &'a Belongings,
    /// Where orders are read.
    pub(super) orders: &'a SharedArea,
    /// What shells write to.
    pub(super) output: &'a File,
    /// The way to the supervisor, for what the trap needs.
    pub(super) supervisor: &'a UnixStream,
    /// What the filter does with path calls.
    pub(super) trap: Trap,
}

impl Server<'_> {
    /// Serves until the supervisor is gone; then, or if anything fails, the process ends.
    pub(super) fn run(self) -> ! {
        // There is nobody to tell: the supervisor sees that the server is gone.
        let code = if self.serve().is_ok() { 0 } else { 70 };
        std::process::exit(code)
    }

    fn serve(self) -> io::Result<()> {
        let Belongings { user, limits, doors, input } = self.with;
        doors.enter()?;
        let input = match input {
            Some(terminal) => File::from(terminal.try_clone()?),
            None => File::open("/dev/null")?,
        };
        let output = self.output.as_fd();
        let kept = [self.supervisor.as_fd(), self.orders.file()];
        let [supervisor, orders] = become_standard([input.as_fd(), output, output], kept)?;
        // Its descriptor is closed already, and its number is not this process's to close.
        std::mem::forget(input);
        let supervisor = UnixStream::from(supervisor);
        let trap = match self.kind {
            Kind::Unseen | Kind::Naive => Trap::Server,
            Kind::Exec | Kind::Typed | Kind::Warm { .. } => self.trap,
        };
        if trap == Trap::Follower {
            await_follower(&supervisor)?;
        }
        // Stack and libraries that stand close together need fewer tables of pages, which each fork
        // and each execution makes anew. Where that is not allowed, all is the same but slower.
        if *self.kind != Kind::Naive {
            let _ = fix_addresses();
        }
        confine(*user, limits)?;
        let filter = Filter::for_children_of(std::process::id() as i32, trap);
        match trap {
            Trap::Listener | Trap::Server => come_under(filter, &supervisor)?,
            Trap::Follower => filter.install()?,
        }
        drop(supervisor);
        if let Some(Order { program, argv, env, cwd }) = self.kind.awakening()? {
            // Inherited, at the number where the library looks for it.
            std::mem::forget(orders);
            let shell = Program { path: &program, argv: &argv, env: &env, cwd: &cwd };
            return Err(shell.execute());
        }
        drop(orders);
        let mut news = News::Ready;
        loop {
            news = match report(news)? {
                Command::Start => start(&Order::decode(&self.orders.read())?)?,
                Command::AwaitStragglers => {
                    wait_for_all()?;
                    News::Alone
                }
            };
        }
    }
}

/// Waits until the supervisor follows this process. No line runs meanwhile, so that it may be as
/// open as a process must be to be followed; from then on it is shut like any server.
fn await_follower(mut supervisor: &UnixStream) -> io::Result<()> {
    set_dumpable(true)?;
    supervisor.write_all(&[0])?;
    supervisor.read_exact(&mut [0])
}

/// Puts this process under the filter and hands its listener over. The filter traps the very call
/// that hands over, and nobody listens yet: so a second thread does it, which was there before the
/// filter and is not under it.
fn come_under(filter: Filter, supervisor: &UnixStream) -> io::Result<()> {
    let (give, take) = std::sync::mpsc::channel::<OwnedFd>();
    std::thread::scope(move |scope| {
        let courier = scope.spawn(move || {
            let listener = take.recv().map_err(io::Error::other)?;
            handover::send(supervisor, listener.as_fd())
        });
        // Nothing between here and the end of the scope may make a call that is trapped.
        give.send(filter.install_with_listener()?).map_err(io::Error::other)?;
        courier.join().map_err(|_| io::Error::other("the listener was not handed over"))?
    })
}

/// Tells the supervisor the news, in the marker call; its answer is the command. The other side is
/// in [`crate::observe`].
fn report(news: News) -> io::Result<Command> {
    let answer = match news {
        News::Ready => call_marker(0, 0, 0),
        News::Ended { status, stragglers } => call_marker(1, status.0 as u64, stragglers.into()),
        News::NotStarted(errno) => call_marker(2, errno as u64, 0),
        News::Alone => call_marker(3, 0, 0),
    };
    match answer? {
        0 => Ok(Command::Start),
        1 => Ok(Command::AwaitStragglers),
        other => Err(io::Error::other(format!("no such command: {other}"))),
    }
}

/// Starts a shell and waits for its end.
fn start(order: &Order) -> io::Result<News> {
    let Order { program, cwd, argv, env } = order;
    let shell = match (Program { path: program, argv, env, cwd }).spawn() {
        Ok(shell) => shell,
        Err(error) => return Ok(News::NotStarted(error.raw_os_error().unwrap_or(0))),
    };
    let Waited::Ended(status) = wait(shell, true)? else {
        return Err(io::Error::other("the shell is gone without having ended"));
    };
    Ok(News::Ended { status, stragglers: stragglers()? })
}

/// Is any process left that the shell started? Orphans become the server's children at the moment
/// they are orphaned, so whoever is left is its child or has an ancestor that is.
fn stragglers() -> io::Result<bool> {
    loop {
        match wait(-1, false)? {
            Waited::Ended(WaitStatus(_)) => {}
            Waited::Running => return Ok(true),
            Waited::None => return Ok(false),
        }
    }
}
