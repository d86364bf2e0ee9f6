//! The worker: a process that shuts itself in, and then runs one case after the other for the
//! engine that started it. It is this program again, with `worker` as its first argument, so that
//! it is a fresh process with one thread, and nothing of the engine's memory is inside the box.
//!
//! Its standard input is one end of a socket to the engine; it ends when the engine closes the
//! other. Its lines run in [`crate::contain`]'s box.

mod bench;
mod straced;
pub(crate) mod wire;

use crate::contain::{CaseUser, Doors, Place, Step, enter};
use crate::system::Pid;
use crate::system::files;
use crate::system::handover;
use crate::system::process::{self, Waited};
use bench::Bench;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use wire::{Reply, Run, Setup};

/// Runs the worker; the program's `main` calls this when its first argument is `worker`.
pub fn main() -> ExitCode {
    // What a terminal sends to the engine's group is the engine's to obey.
    process::new_session();
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
    let setup: Setup = wire::receive(&engine)?;
    let doors = (0..setup.doors).map(|_| Ok(handover::receive(&engine)?.into()));
    let doors = Doors(doors.collect::<io::Result<_>>()?);
    let place = setup
        .cpu
        .map_or(Ok(()), process::pin)
        .step("run on the given processor")
        .and_then(|()| enter(setup.tier, &setup.limits, &setup.lane));
    match place {
        Ok(Place::Inside(user)) => supervise(&engine, setup, user, doors),
        Ok(Place::Outside(supervisor)) => await_supervisor(engine, supervisor),
        Err(refusal) => wire::send_reply(&engine, &Reply::Refused(refusal)),
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
fn supervise(engine: &UnixStream, setup: Setup, user: CaseUser, doors: Doors) -> io::Result<()> {
    let mut bench = match Bench::new(setup, user, doors) {
        Ok(bench) => bench,
        Err(refusal) => return wire::send_reply(engine, &Reply::Refused(refusal)),
    };
    wire::send_reply(engine, &Reply::Ready)?;
    loop {
        let run: Run = match wire::receive(engine) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            other => other?,
        };
        let terminal = run.typed.then(|| handover::receive(engine)).transpose()?;
        match bench.run(run, terminal) {
            Ok(reply) => wire::send_reply(engine, &reply)?,
            Err(error) => {
                wire::send_reply(engine, &Reply::Failed(error.to_string()))?;
                return Err(error);
            }
        }
    }
}
