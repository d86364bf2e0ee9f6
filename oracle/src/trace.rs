//! What a shell really did with a line. A trace does not depend on any guard.

use crate::system::process::WaitStatus;
use serde::{Deserialize, Serialize};
use shfence_corpus::{Shell, Text};

/// What one shell did with one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The installation that ran it.
    pub shell: ShellId,
    /// The processes, each as many as its number: the shell is 1, and each is followed by its
    /// children, in the order in which it made them, and all of theirs. Only those that touched
    /// something, or have a descendant that did.
    #[serde(default)]
    pub processes: Vec<Process>,
    /// Every program that was started after the shell itself, in the order seen.
    pub execs: Vec<Exec>,
    /// Every path operation after the shell's own `execve`, in the order seen.
    pub touches: Vec<Touch>,
    /// How the shell ended.
    pub status: Status,
    /// Were background jobs killed that outlived the shell? Then the trace is a prefix.
    #[serde(default)]
    pub cut: bool,
    /// What it and its children wrote to standard output and standard error, together, cut at
    /// [`OUTPUT_MAX`] bytes.
    pub output: Text,
    /// What a second witness holds against this, in words ([`Backend::Ptrace`]). Where processes
    /// raced that may be nothing.
    ///
    /// [`Backend::Ptrace`]: crate::engine::Backend::Ptrace
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

impl Trace {
    /// The process of this number, if there is one: a trace comes from a file as well.
    pub fn process(&self, pid: u32) -> Option<&Process> {
        (pid as usize).checked_sub(1).and_then(|place| self.processes.get(place))
    }

    /// The directories that a process was in, in this order, physically: where it began, and where
    /// it went with a call that is expected to succeed, since there was something. A built-in that
    /// touches nothing, such as `echo`, ran in one of these.
    pub fn directories(&self, pid: u32) -> Vec<&Text> {
        let entered = self
            .touches
            .iter()
            .filter(|touch| touch.pid == pid && touch.kind == TouchKind::Enter && touch.existed);
        self.process(pid)
            .map(|it| &it.cwd)
            .into_iter()
            .chain(entered.map(|it| &it.resolved))
            .collect()
    }

    /// How many places are not known: touches that could not be resolved, and programs whose
    /// directory could not be found out. A path may be too long to be shown, or the caller's memory
    /// closed to the observer.
    pub fn unresolved(&self) -> usize {
        let touches = self.touches.iter().filter(|touch| !touch.is_resolved()).count();
        touches + self.execs.iter().filter(|exec| exec.cwd.is_empty()).count()
    }
}

/// The names of the system calls that a trace is made of.
pub fn observed_calls() -> Vec<&'static str> {
    crate::system::syscalls::observed_names().collect()
}

/// How much output of a run is kept, in bytes.
pub const OUTPUT_MAX: usize = 64 * 1024;

/// An installed shell: which language it stands for, which program it is, which version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShellId {
    /// The language.
    pub shell: Shell,
    /// `bash`, `dash`, `busybox`, `bash-posix`, `zsh`; of the extra ones `mksh`, `yash`.
    pub name: String,
    /// The version it reports of itself, or the package's where it reports none.
    pub version: String,
}

/// A process of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// The number of the process that made it. `None` for the shell, and for a process whose parent
    /// had ended before it was first seen.
    pub parent: Option<u32>,
    /// The directory it began in, physically. Empty if that is not known.
    pub cwd: Text,
    /// How it ended, if that was seen: the filter does not stop an end, only [`Backend::Ptrace`]
    /// sees it.
    ///
    /// [`Backend::Ptrace`]: crate::engine::Backend::Ptrace
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Status>,
}

/// A program that was started: what was there when its `execve` was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exec {
    /// The process, by its number in [`Trace::processes`], from 1.
    pub pid: u32,
    /// Its arguments, the program's own name first, as its caller gave them. (To a script's
    /// interpreter the kernel gives others; that it runs is a touch of its own.)
    pub argv: Vec<Text>,
    /// The directory it starts in, physically, as the kernel shows it. Empty if that is not known.
    pub cwd: Text,
    /// The file that is executed, resolved.
    pub path: Text,
}

/// One path operation. What is recorded is the attempt: whether it succeeded is not observed, only
/// whether its target existed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// The process, as in [`Exec::pid`].
    pub pid: u32,
    /// What it did.
    pub kind: TouchKind,
    /// The path as the program gave it.
    pub text: Text,
    /// Where it leads, links resolved by the kernel; for what does not exist, where it would be
    /// made. Empty if that is not known.
    pub resolved: Text,
    /// Did the target exist?
    pub existed: bool,
}

impl Touch {
    /// Is it known where it leads?
    pub fn is_resolved(&self) -> bool {
        !self.resolved.is_empty()
    }
}

/// What a path operation does to its target, and in a plan what a path is for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum TouchKind {
    /// Looks whether and what it is: stat, access, readlink.
    #[default]
    Test,
    /// Opens a directory to read its entries.
    List,
    /// Opens a file to read it.
    Read,
    /// Opens a file to write it, or creates, changes, renames or removes it.
    Write,
    /// Executes it, or what executes a file: a script's interpreter, a program's loader.
    Exec,
    /// Makes it the working directory.
    Enter,
}

impl TouchKind {
    /// `test`, `list`, `read`, `write`, `exec`, `enter`.
    pub fn name(self) -> &'static str {
        match self {
            TouchKind::Test => "test",
            TouchKind::List => "list",
            TouchKind::Read => "read",
            TouchKind::Write => "write",
            TouchKind::Exec => "exec",
            TouchKind::Enter => "enter",
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The shell exited with this code.
    Exited(u8),
    /// The shell was killed by this signal.
    Signalled(u8),
    /// A limit of the whole run was reached, on time, memory or events, and everything was killed:
    /// the trace is a prefix.
    TimedOut,
}

/// How a process ended, from what waiting for it gave.
impl From<WaitStatus> for Status {
    fn from(status: WaitStatus) -> Status {
        match (status.exit_code(), status.signal()) {
            (Some(code), _) => Status::Exited(code),
            (None, signal) => Status::Signalled(signal.unwrap_or(0)),
        }
    }
}
