//! What an adapter is: how an agent asks, and how it is answered.

use super::payload::Payload;
use super::setup::Setup;
use serde::Serialize;
use shfence::{Decision, Dialects, Invocation};
use std::path::PathBuf;

/// The protocol of one agent.
pub struct Agent {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The shells that may run its lines.
    pub shells: Dialects,
    /// The ways in which its lines may reach the shell. A line is allowed only if it is in all of
    /// them. At least one.
    pub invocations: &'static [Invocation],
    /// The variable that names the project's directory.
    pub project: Option<&'static str>,
    /// Can an answer make the agent ask a person? If not, "ask" leaves the decision to it.
    pub asks: bool,
    /// What a request asks.
    pub read: fn(&Payload<'_>) -> Asked,
    /// The form of an opinion with its reason. `None` is no opinion.
    pub reply: fn(Moment, Option<Decision>, &str) -> Reply,
    /// How it is told of its hook.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub setup: &'static Setup,
}

/// How the text reaches the shell where nobody has established it: the ways that change most.
pub const UNKNOWN_WAY: &[Invocation] = &[Invocation::JsonEval, Invocation::Typed];

/// When an agent asks. Some ask twice, in two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before a tool is used.
    Use,
    /// Before a person would be asked.
    Permission,
}

/// What a request asks.
pub enum Asked {
    /// Nothing that the guard has an opinion on: another tool, another event.
    Nothing(Moment),
    /// It is about a line, and cannot be judged: why, as the end of "shfence: …".
    Unclear(Moment, &'static str),
    /// May this line run?
    Line(Line),
}

/// A line that an agent wants to run.
pub struct Line {
    /// Its text.
    pub command: String,
    /// The directory it will run in, if that is known. Never a guess.
    pub cwd: Option<PathBuf>,
    /// The directory of the session: where the project is looked for if `cwd` is not known.
    pub session: Option<PathBuf>,
    /// The project's directories, as the request names them.
    pub roots: Vec<PathBuf>,
    /// When it was asked about.
    pub moment: Moment,
}

/// What the process prints, and how it ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// One line on standard output.
    pub stdout: Option<String>,
    /// One line on standard error.
    pub stderr: Option<String>,
    /// The exit code.
    pub code: u8,
}

impl Reply {
    /// Nothing at all, and success.
    pub fn silence() -> Reply {
        Reply::default()
    }

    /// A JSON object on standard output, and success.
    pub fn json(object: &impl Serialize) -> Reply {
        let text = serde_json::to_string(object);
        Reply { stdout: Some(text.expect("an answer holds only texts")), ..Reply::default() }
    }

    /// The reason on standard error, and exit code 2: how many agents know a refusal.
    pub fn refusal(reason: &str) -> Reply {
        Reply { stderr: Some(reason.to_owned()), code: 2, ..Reply::default() }
    }
}
