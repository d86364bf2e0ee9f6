//! Being told what is opened, read, written, made and removed in directories (inotify(7)).

use super::check;
use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd};

/// An inotify instance.
#[derive(Debug)]
pub(crate) struct Watcher(File);

/// A watched directory, as the instance numbers it.
pub(crate) type Watch = i32;

/// Something that happened to an entry of a watched directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The directory.
    pub(crate) watch: Watch,
    /// What happened, in bits of `IN_…`.
    mask: u32,
    /// The entry's name; empty if it happened to the directory itself.
    pub(crate) name: Vec<u8>,
}

impl Event {
    /// Did this change the entry?
    pub(crate) fn changes(&self) -> bool {
        self.mask & CHANGES != 0
    }

    /// Was a directory renamed, or moved away?
    pub(crate) fn moves_directory(&self) -> bool {
        self.mask & libc::IN_MOVED_FROM != 0 && self.mask & libc::IN_ISDIR != 0
    }
}

const CHANGES: u32 = libc::IN_CREATE
    | libc::IN_DELETE
    | libc::IN_MOVED_FROM
    | libc::IN_MOVED_TO
    | libc::IN_MODIFY
    | libc::IN_ATTRIB;

const USES: u32 = libc::IN_OPEN | libc::IN_ACCESS;

/// The size of a `struct inotify_event` without the name that follows it.
const HEAD: usize = 16;

impl Watcher {
    pub(crate) fn new() -> io::Result<Watcher> {
        // SAFETY: plain flags; the descriptor returned is new and owned by nobody else.
        unsafe {
            let file = check(libc::inotify_init1(libc::IN_CLOEXEC | libc::IN_NONBLOCK))?;
            Ok(Watcher(File::from_raw_fd(file)))
        }
    }

    /// Watches a directory, and its entries but not theirs.
    pub(crate) fn watch(&self, directory: &CStr) -> io::Result<Watch> {
        let mask = CHANGES | USES | libc::IN_ONLYDIR | libc::IN_DONT_FOLLOW;
        // SAFETY: the path is a C string.
        unsafe { check(libc::inotify_add_watch(self.0.as_raw_fd(), directory.as_ptr(), mask)) }
    }

    /// What has happened since the last time. The kernel keeps a limited number of events; what
    /// came after is lost.
    pub(crate) fn events(&mut self) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let mut buffer = [0_u8; 4096];
        loop {
            let got = match self.0.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(events),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                got => got?,
            };
            let mut rest = &buffer[..got];
            while rest.len() >= HEAD {
                let word = |at: usize| [rest[at], rest[at + 1], rest[at + 2], rest[at + 3]];
                let end = (HEAD + u32::from_ne_bytes(word(12)) as usize).min(rest.len());
                let name = rest[HEAD..end].split(|byte| *byte == 0).next().unwrap_or_default();
                events.push(Event {
                    watch: i32::from_ne_bytes(word(0)),
                    mask: u32::from_ne_bytes(word(4)),
                    name: name.to_vec(),
                });
                rest = &rest[end..];
            }
        }
    }
}
