//! Guards that are programs of their own: anybody's, asked as their agents ask them.
//!
//! Such a guard looks at the file system itself, so the tree of each case is planted where the
//! guard sees it, in a box of its own ([`Room`]).

mod answers;
mod room;

use super::{Crash, Guard};
use crate::prediction::Prediction;
use answers::{Question, of_batch, of_hook};
use room::{Room, Session};
use shfence_corpus::Case;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// A guard that is a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    protocol: Protocol,
    /// A command of `sh`.
    command: String,
}

/// How it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    /// The JSON of Claude Code's `PreToolUse` hooks on standard input, a process for each line.
    Hook,
    /// The JSON lines of `shfence batch`, one process for all.
    Batch,
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Protocol::Hook => "cmd",
            Protocol::Batch => "batch",
        }
    }
}

/// As on a command line.
impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.protocol.name(), self.command)
    }
}

impl FromStr for Outside {
    type Err = String;
    fn from_str(name: &str) -> Result<Outside, String> {
        let known = [Protocol::Hook, Protocol::Batch];
        let (protocol, command) = name.split_once(':').ok_or("it has no protocol")?;
        let protocol = known.into_iter().find(|it| it.name() == protocol);
        let protocol = protocol.ok_or("the protocol is neither cmd nor batch")?;
        match command.trim() {
            "" => Err("it names no program".to_owned()),
            command => Ok(Outside { protocol, command: command.to_owned() }),
        }
    }
}

impl Outside {
    /// The guard, which starts with the first question.
    pub fn guard(&self) -> Asked {
        Asked { outside: self.clone(), running: Mutex::default() }
    }
}

/// An outside guard with what it needs to be asked. Workers have one each.
#[derive(Debug)]
pub struct Asked {
    outside: Outside,
    running: Mutex<Running>,
}

/// What was started, and is used until it fails.
#[derive(Debug, Default)]
struct Running {
    room: Option<Room>,
    session: Option<Session>,
}

impl Guard for Asked {
    fn name(&self) -> String {
        self.outside.to_string()
    }

    fn predict(&self, case: &Case) -> Result<Prediction, Crash> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.ask(&self.outside, case).inspect_err(|_| *running = Running::default())
    }
}

impl Running {
    fn ask(&mut self, outside: &Outside, case: &Case) -> Result<Prediction, Crash> {
        let room = match &mut self.room {
            Some(room) => room,
            empty => empty.insert(Room::open().map_err(Crash)?),
        };
        room.plant(&case.tree).map_err(|error| Crash(format!("its tree: {error}")))?;
        let question = Question::of(case);
        match outside.protocol {
            Protocol::Hook => {
                let Some(input) = question.to_hook() else { return Ok(answers::not_text()) };
                let output = room.run(&outside.command, case, &input).map_err(Crash)?;
                of_hook(&output).map_err(Crash)
            }
            Protocol::Batch => {
                let session = match &mut self.session {
                    Some(session) => session,
                    none => none.insert(room.session(&outside.command).map_err(Crash)?),
                };
                of_batch(&session.ask(&question.to_batch()).map_err(Crash)?).map_err(Crash)
            }
        }
    }
}
