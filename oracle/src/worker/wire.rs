//! What engine and worker say to each other: JSON, each message after its length in four bytes,
//! little-endian.

use crate::contain::{Limits, Refusal, Tier};
use crate::launch::{Lane, Probes, Start};
use crate::observe::Backend;
use crate::trace::{Exec, Process, Status, Touch};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shfence_corpus::{Text, TreeSpec};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

/// The first message to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// How to be contained.
    pub(crate) tier: Tier,
    /// What runs may use.
    pub(crate) limits: Limits,
    /// What stands behind the names of verbs.
    pub(crate) lane: Lane,
    /// How shells come to run.
    pub(crate) start: Start,
    /// What stops the calls.
    pub(crate) backend: Backend,
    /// The processor to run on, with everything that is started.
    pub(crate) cpu: Option<usize>,
    /// How many doors to a control group are handed over next.
    pub(crate) doors: usize,
    /// Compare the tree with its description after each run that is said to have changed nothing?
    pub(crate) verify: bool,
}

/// Every further message to a worker: run this.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The tree, if it is another than that of the last run.
    pub(crate) tree: Option<TreeSpec>,
    /// The shell's file.
    pub(crate) program: Text,
    /// The directory it starts in.
    pub(crate) cwd: Text,
    /// Its arguments, its own name first.
    pub(crate) argv: Vec<Text>,
    /// Its environment, as `NAME=VALUE`.
    pub(crate) env: Vec<Text>,
    /// What its probes do.
    pub(crate) probes: Probes,
    /// Is its input a terminal, which is handed over next?
    pub(crate) typed: bool,
}

/// What a worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// To [`Setup`]: it is contained and ready.
    Ready,
    /// To [`Setup`]: it cannot be contained so.
    Refused(Refusal),
    /// To [`Run`]: this happened.
    Ran(Observed),
    /// To [`Run`]: the shell could not be started.
    NotStarted(String),
    /// To [`Run`]: the tree could not be planted.
    NotPlanted(String),
    /// To [`Run`]: the worker is of no use any more, and ends.
    Failed(String),
}

/// A [`crate::trace::Trace`] without the shell's name, which the worker does not know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Observed {
    pub(crate) processes: Vec<Process>,
    pub(crate) execs: Vec<Exec>,
    pub(crate) touches: Vec<Touch>,
    pub(crate) status: Status,
    pub(crate) cut: bool,
    pub(crate) output: Text,
    pub(crate) doubts: Vec<String>,
    /// Why the shell was executed though it should have started warm.
    pub(crate) cold: Option<String>,
}

/// Sends a message.
pub(crate) fn send(mut over: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    over.write_all(&frame)
}

/// Waits for a message. The error's kind is `UnexpectedEof` if the other side is gone.
pub(crate) fn receive<T: DeserializeOwned>(mut over: &UnixStream) -> io::Result<T> {
    let mut length = [0; 4];
    over.read_exact(&mut length)?;
    let mut frame = vec![0; u32::from_le_bytes(length) as usize];
    over.read_exact(&mut frame)?;
    Ok(serde_json::from_slice(&frame)?)
}
