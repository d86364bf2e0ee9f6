//! The observer by seccomp user notification.

use super::record::Record;
use super::resolve::{Base, Place, Resolver, working_directory};
use super::{Command, News, Observer, Pause};
use crate::system::files::{FileFacts, Last};
use crate::system::memory::Memory;
use crate::system::notify::{Answer, Arrival, Listener, Notification};
use crate::system::process::WaitStatus;
use crate::system::syscalls::{Effect, MARKER, Operand, PathCall, path_call};
use crate::system::{Pid, alarm};
use crate::trace::{Exec, Touch, TouchKind};
use shfence_corpus::Text;
use std::io;
use std::os::fd::OwnedFd;

/// The longest path that the kernel takes, in bytes (`PATH_MAX`).
const LONGEST_PATH: usize = 4096;

/// More than an argument list can be under the stack limit that the lines run with.
const LONGEST_ARGUMENTS: usize = 4 << 20;

/// Sees every trapped call of every process under the server.
#[derive(Debug)]
pub(crate) struct Notified {
    /// Events after which a record is full.
    most: usize,
    attached: Option<Attached>,
    resolver: Resolver,
    record: Record,
}

#[derive(Debug)]
struct Attached {
    server: Pid,
    listener: Listener,
    state: State,
}

/// What the server is doing.
#[derive(Debug)]
enum State {
    /// On its way to its first or next marker call, with no shell to record.
    Busy,
    /// Waiting for the answer to this marker call.
    Idle(Notification),
    /// Starting a shell: what its child does before `execve` is the server's own doing.
    Starting,
    /// A shell, or something it left, is running.
    Running,
}

impl Notified {
    /// An observer of no server yet, whose records are full after `most` events.
    pub(crate) fn new(most: usize) -> Notified {
        let (resolver, record) = (Resolver::default(), Record::default());
        Notified { most, attached: None, resolver, record }
    }

    fn attached(&mut self) -> io::Result<&mut Attached> {
        self.attached.as_mut().ok_or_else(|| io::Error::other("there is no server"))
    }

    /// Handles one call; the news, if it is the server's marker.
    fn handle(&mut self, call: &Notification) -> io::Result<Option<News>> {
        let attached = self.attached()?;
        if call.number == MARKER {
            if call.thread != attached.server {
                attached.listener.answer(call, Answer::Error(libc::EPERM))?;
                return Ok(None);
            }
            attached.state = State::Idle(*call);
            return Ok(Some(decode_news(call)));
        }
        match attached.state {
            State::Running => self.observe(call),
            // The child that is to become the shell changes its directory first.
            State::Starting if path_call(call.number).is_some_and(PathCall::executes) => {
                attached.state = State::Running;
                self.record.number(call.thread);
            }
            State::Starting | State::Busy | State::Idle(_) => {}
        }
        self.attached()?.listener.answer(call, Answer::Continue)?;
        Ok(None)
    }

    /// Records what a call does. Where its arguments cannot be read, the kernel cannot read them
    /// either, or the caller is gone: nothing happens to any path, and nothing is recorded.
    fn observe(&mut self, call: &Notification) {
        let Some(entry) = path_call(call.number) else { return };
        let seen: Vec<Seen> = entry
            .operands
            .iter()
            .filter_map(|operand| look(entry, operand, call, &mut self.resolver))
            .collect();
        let valid = self.attached.as_ref().is_some_and(|a| a.listener.still_waits(call));
        if !valid || seen.is_empty() {
            return;
        }
        let pid = self.record.number(call.thread);
        for Seen { kind, text, place, started } in seen {
            let resolved = Text::from(place.path);
            if let Some(Started { argv, cwd }) = started {
                self.record.execs.push(Exec { pid, argv, cwd, path: resolved.clone() });
            }
            let existed = place.facts.is_some();
            self.record.touches.push(Touch { pid, kind, text, resolved, existed });
        }
    }
}

impl Observer for Notified {
    fn attach(&mut self, server: Pid, listener: OwnedFd) {
        let listener = Listener::new(listener);
        self.attached = Some(Attached { server, listener, state: State::Busy });
    }

    fn serve(&mut self) -> io::Result<Pause> {
        loop {
            if alarm::expired() {
                return Ok(Pause::Expired);
            }
            if self.record.len() >= self.most {
                return Ok(Pause::Full);
            }
            if let Arrival::Call(call) = self.attached()?.listener.receive()?
                && let Some(news) = self.handle(&call)?
            {
                return Ok(Pause::Idle(news));
            }
        }
    }

    fn tell(&mut self, command: Command) -> io::Result<()> {
        let attached = self.attached()?;
        let next = match command {
            Command::Start => State::Starting,
            Command::AwaitStragglers => State::Running,
        };
        match std::mem::replace(&mut attached.state, next) {
            State::Idle(call) => attached.listener.answer(&call, Answer::Value(command as i64)),
            state => Err(io::Error::other(format!("the server is not idle but {state:?}"))),
        }
    }

    fn take(&mut self) -> Record {
        std::mem::take(&mut self.record)
    }
}

/// The marker's arguments: which news, and its two values. The server's side is in
/// [`crate::launch`].
fn decode_news(call: &Notification) -> News {
    let [what, first, second, ..] = call.arguments;
    match what {
        1 => News::Ended { status: WaitStatus(first as i32), stragglers: second != 0 },
        2 => News::NotStarted(first as i32),
        3 => News::Alone,
        _ => News::Ready,
    }
}

/// What a call does to one of its operands.
struct Seen {
    kind: TouchKind,
    text: Text,
    place: Place,
    started: Option<Started>,
}

/// A program's start.
struct Started {
    argv: Vec<Text>,
    cwd: Text,
}

fn look(
    entry: &PathCall,
    operand: &Operand,
    call: &Notification,
    resolver: &mut Resolver,
) -> Option<Seen> {
    let arguments = Arguments { memory: Memory(call.thread), values: &call.arguments };
    let text = arguments.path(operand).ok()?;
    let names_descriptor = text.is_empty();
    if names_descriptor && !acts_on_descriptor(entry, operand, &arguments) {
        return None;
    }
    let (base, last) = (arguments.base(operand), arguments.last(operand));
    // What cannot be resolved, such as a descriptor that is not open, stands as it was given.
    let place = resolver
        .resolve(call.thread, base, &text, last)
        .unwrap_or_else(|_| Place { path: text.clone(), facts: None });
    let (kind, started) = match operand.effect {
        Effect::Test | Effect::Connect(_) => (TouchKind::Test, None),
        Effect::Write | Effect::Bind(_) => (TouchKind::Write, None),
        Effect::Enter => (TouchKind::Enter, None),
        Effect::Open(_) | Effect::OpenHow(_) => {
            (kind_of_open(arguments.open_flags(operand.effect).ok()?, &place), None)
        }
        Effect::Execute(list) if place.facts.is_some_and(FileFacts::is_program) => {
            // A directory whose path is too long to be shown is none that a plan could name.
            let cwd = Text::from(working_directory(call.thread).unwrap_or_default());
            let argv = arguments.list(list).unwrap_or_default();
            (TouchKind::Exec, Some(Started { argv, cwd }))
        }
        // A shell trying the directories of PATH one by one: nothing is executed.
        Effect::Execute(_) => (TouchKind::Test, None),
    };
    Some(Seen { kind, text: Text::from(text), place, started })
}

/// An empty path is an error to most calls (ENOENT), and to some the descriptor itself. Of those
/// only what changes it or enters or executes it counts: that it was opened was seen already, and C
/// libraries express every `fstat` so.
fn acts_on_descriptor(entry: &PathCall, operand: &Operand, arguments: &Arguments<'_>) -> bool {
    let by_descriptor = operand.path.is_none()
        || arguments.at_flags(operand) & libc::AT_EMPTY_PATH != 0
        || (["utimensat", "futimesat"].contains(&entry.name) && arguments.path_is_null(operand));
    by_descriptor && operand.effect != Effect::Test
}

/// What an open with these flags does to what is at the place.
fn kind_of_open(flags: i32, place: &Place) -> TouchKind {
    const CHANGES: i32 =
        libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    let is_dir = place.facts.is_some_and(FileFacts::is_dir);
    if flags & libc::O_PATH != 0 {
        TouchKind::Test
    } else if flags & CHANGES != 0 {
        TouchKind::Write
    } else if is_dir || flags & libc::O_DIRECTORY != 0 {
        TouchKind::List
    } else {
        TouchKind::Read
    }
}

/// A call's arguments, and the memory they point into.
struct Arguments<'a> {
    memory: Memory,
    values: &'a [u64; 6],
}

impl Arguments<'_> {
    fn value(&self, index: u8) -> u64 {
        self.values[usize::from(index)]
    }

    fn int(&self, index: u8) -> i32 {
        self.value(index) as i32
    }

    fn path_is_null(&self, operand: &Operand) -> bool {
        operand.path.is_some_and(|index| self.value(index) == 0)
    }

    /// The operand's path; empty if it has none.
    fn path(&self, operand: &Operand) -> io::Result<Vec<u8>> {
        let Some(index) = operand.path else { return Ok(Vec::new()) };
        match operand.effect {
            Effect::Bind(length) | Effect::Connect(length) => {
                self.socket_path(self.value(index), self.int(length))
            }
            _ if self.value(index) == 0 => Ok(Vec::new()),
            _ => self.memory.string(self.value(index), LONGEST_PATH),
        }
    }

    /// The path in a socket address (unix(7)); empty for other families and for abstract names.
    fn socket_path(&self, address: u64, length: i32) -> io::Result<Vec<u8>> {
        let mut bytes = [0_u8; size_of::<libc::sockaddr_un>()];
        let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
        self.memory.read(address, &mut bytes[..length])?;
        let family = libc::sa_family_t::from_ne_bytes([bytes[0], bytes[1]]);
        if i32::from(family) != libc::AF_UNIX {
            return Ok(Vec::new());
        }
        let path = &bytes[size_of::<libc::sa_family_t>()..length.max(2)];
        let end = path.iter().position(|byte| *byte == 0).unwrap_or(path.len());
        Ok(path[..end].to_vec())
    }

    fn base(&self, operand: &Operand) -> Base {
        match operand.dirfd.map(|index| self.int(index)) {
            None | Some(libc::AT_FDCWD) => Base::Cwd,
            Some(number) => Base::Descriptor(number),
        }
    }

    fn at_flags(&self, operand: &Operand) -> i32 {
        operand.at_flags.map_or(0, |index| self.int(index))
    }

    fn last(&self, operand: &Operand) -> Last {
        let flags = self.at_flags(operand);
        if flags & libc::AT_SYMLINK_NOFOLLOW != 0 {
            return Last::Keep;
        }
        if flags & libc::AT_SYMLINK_FOLLOW != 0 {
            return Last::Follow;
        }
        // What must be new must not be a link either (open(2), O_EXCL).
        let new = libc::O_CREAT | libc::O_EXCL;
        match self.open_flags(operand.effect) {
            Ok(flags) if flags & libc::O_NOFOLLOW != 0 || flags & new == new => Last::Keep,
            _ => operand.last,
        }
    }

    /// The flags of an open; 0 for other calls.
    fn open_flags(&self, effect: Effect) -> io::Result<i32> {
        match effect {
            Effect::Open(index) => Ok(self.int(index)),
            Effect::OpenHow(index) => Ok(self.memory.word(self.value(index))? as i32),
            _ => Ok(0),
        }
    }

    fn list(&self, index: u8) -> io::Result<Vec<Text>> {
        let strings = self.memory.strings(self.value(index), LONGEST_ARGUMENTS)?;
        Ok(strings.into_iter().map(Text::from).collect())
    }
}
