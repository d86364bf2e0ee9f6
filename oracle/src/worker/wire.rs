//! What engine and worker say to each other: each message after its length in four bytes,
//! little-endian. All is JSON but what was observed of a run, of which there is so much that JSON
//! would cost more than some of the observing ([`packed`]).

mod packed;

use crate::contain::{Limits, Refusal, Tier};
use crate::launch::{Lane, Probes, Start};
use crate::observe::Backend;
use crate::trace::{Exec, Process, Status, Touch};
use packed::{Packed, unpack};
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
    /// To [`Run`]: this happened. Never JSON.
    #[serde(skip)]
    Ran(Observed),
    /// To [`Run`]: the shell could not be started.
    NotStarted(String),
    /// To [`Run`]: the tree could not be planted.
    NotPlanted(String),
    /// To [`Run`]: the worker is of no use any more, and ends.
    Failed(String),
}

/// A [`crate::trace::Trace`] without the shell's name, which the worker does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
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
pub(crate) fn send(over: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; HEAD];
    serde_json::to_writer(&mut frame, message)?;
    send_frame(over, frame)
}

/// Sends a worker's answer.
pub(crate) fn send_reply(over: &UnixStream, reply: &Reply) -> io::Result<()> {
    let mut frame = vec![0; HEAD];
    match reply {
        Reply::Ran(observed) => {
            frame.push(PACKED);
            observed.pack(&mut frame);
        }
        reply => {
            frame.push(JSON);
            serde_json::to_writer(&mut frame, reply)?;
        }
    }
    send_frame(over, frame)
}

/// Waits for a message. The error's kind is `UnexpectedEof` if the other side is gone.
pub(crate) fn receive<T: DeserializeOwned>(over: &UnixStream) -> io::Result<T> {
    Ok(serde_json::from_slice(&receive_frame(over)?)?)
}

/// Waits for a worker's answer. The error's kind is `UnexpectedEof` if the worker is gone.
pub(crate) fn receive_reply(over: &UnixStream) -> io::Result<Reply> {
    match receive_frame(over)?.split_first() {
        Some((&PACKED, packed)) => unpack(packed).map(Reply::Ran),
        Some((&JSON, json)) => Ok(serde_json::from_slice(json)?),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Bytes of a frame's length.
const HEAD: usize = 4;

/// What an answer is written in, as its first byte.
const JSON: u8 = 0;
const PACKED: u8 = 1;

/// Sends a frame, of which the length is still to be filled in.
fn send_frame(mut over: &UnixStream, mut frame: Vec<u8>) -> io::Result<()> {
    let length = u32::try_from(frame.len() - HEAD).map_err(io::Error::other)?;
    frame[..HEAD].copy_from_slice(&length.to_le_bytes());
    over.write_all(&frame)
}

fn receive_frame(mut over: &UnixStream) -> io::Result<Vec<u8>> {
    let mut length = [0; HEAD];
    over.read_exact(&mut length)?;
    let mut frame = vec![0; u32::from_le_bytes(length) as usize];
    over.read_exact(&mut frame)?;
    Ok(frame)
}
