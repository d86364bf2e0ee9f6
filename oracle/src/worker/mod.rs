//! The worker: a process that shuts itself in, and then runs one case after the other for the
//! engine that started it. It is this program again, with `worker` as its first argument, so that
//! it is a fresh process with one thread, and nothing of the engine's memory is inside the box.
//!
//! Its standard input is one end of a socket to the engine; it ends when the engine closes the
//! other. Its lines run in [`crate::contain`]'s box.

pub(crate) mod wire;

use crate::contain::{CaseUser, Place, Refusal, Step, enter};
use crate::launch::{ExecLauncher, Launcher, Order, Outcome};
use crate::observe::{Notified, Observer};
use crate::plant::Planter;
use crate::system::Pid;
use crate::system::files::{self, c_string};
use crate::system::process::{self, Waited};
use shfence_corpus::{Text, TreeSpec};
use std::ffi::CString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use wire::{Observed, Reply, Run, Start};

/// Runs the worker; the program's `main` calls this when its first argument is `worker`.
pub fn main() -> ExitCode {
    match connect().and_then(work) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shfence-oracle: worker: {error}");
            ExitCode::from(70)
        }
    }
}

fn connect() -> io::Result<UnixStream> {
    let engine = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    engine.peer_addr().map_err(|_| {
        io::Error::other("'worker' is how the oracle starts itself; it is no command of its own")
    })?;
    Ok(engine)
}

fn work(engine: UnixStream) -> io::Result<()> {
    let start: Start = wire::receive(&engine)?;
    let place = start
        .cpu
        .map_or(Ok(()), process::pin)
        .step("run on the given processor")
        .and_then(|()| enter(start.tier, &start.limits));
    match place {
        Ok(Place::Inside(user)) => supervise(&engine, start, user),
        Ok(Place::Outside(supervisor)) => await_supervisor(engine, supervisor),
        Err(refusal) => wire::send(&engine, &Reply::Refused(refusal)),
    }
}

/// What is left to do outside: being there as long as the supervisor is. Its end of the socket must
/// be the last, so that the engine notices when it is gone.
fn await_supervisor(engine: UnixStream, supervisor: Pid) -> io::Result<()> {
    drop(engine);
    files::forget_input()?;
    match process::wait(supervisor, true)? {
        Waited::Ended(status) if status.exit_code() == Some(0) => Ok(()),
        other => Err(io::Error::other(format!("the supervisor ended with {other:?}"))),
    }
}

/// Serves the engine from inside the box.
fn supervise(engine: &UnixStream, start: Start, user: CaseUser) -> io::Result<()> {
    let mut bench = match Bench::new(start, user) {
        Ok(bench) => bench,
        Err(refusal) => return wire::send(engine, &Reply::Refused(refusal)),
    };
    wire::send(engine, &Reply::Ready)?;
    loop {
        let run: Run = match wire::receive(engine) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            other => other?,
        };
        match bench.run(run) {
            Ok(reply) => wire::send(engine, &reply)?,
            Err(error) => {
                wire::send(engine, &Reply::Failed(error.to_string()))?;
                return Err(error);
            }
        }
    }
}

/// Everything a supervisor works with.
struct Bench {
    observer: Notified,
    launcher: ExecLauncher,
    planter: Planter,
    tree: TreeSpec,
    verify: bool,
}

impl Bench {
    fn new(start: Start, user: CaseUser) -> Result<Bench, Refusal> {
        let mut observer = Notified::new(start.limits.events);
        let launcher = ExecLauncher::new(user, start.limits, &mut observer)
            .step("start a server under the system-call filter")?;
        let (planter, tree) = (Planter::new(user), TreeSpec::default());
        Ok(Bench { observer, launcher, planter, tree, verify: start.verify })
    }

    /// Runs one order. An error means that the bench is of no use any more.
    fn run(&mut self, run: Run) -> io::Result<Reply> {
        if let Some(tree) = run.tree {
            self.tree = tree;
        }
        if let Err(error) = self.planter.plant(&self.tree) {
            return Ok(Reply::NotPlanted(error.to_string()));
        }
        let order = Order {
            program: c_string(run.program.into_bytes())?,
            cwd: c_string(run.cwd.into_bytes())?,
            argv: c_strings(run.argv)?,
            env: c_strings(run.env)?,
        };
        let observer: &mut dyn Observer = &mut self.observer;
        let ran = match self.launcher.run(&order, observer)? {
            Outcome::NotStarted(error) => return Ok(Reply::NotStarted(error.to_string())),
            Outcome::Ran(ran) => ran,
        };
        self.planter.note(&ran.record, ran.status);
        if self.verify {
            let differences = self.planter.verify()?;
            if !differences.is_empty() {
                let differences = differences.join(", ");
                return Err(io::Error::other(format!("an unseen change: {differences}")));
            }
        }
        Ok(Reply::Ran(Observed {
            execs: ran.record.execs,
            touches: ran.record.touches,
            status: ran.status,
            cut: ran.cut,
            output: Text::from(ran.output),
        }))
    }
}

fn c_strings(texts: Vec<Text>) -> io::Result<Vec<CString>> {
    texts.into_iter().map(|text| c_string(text.into_bytes())).collect()
}
