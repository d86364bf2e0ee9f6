//! Where a path leads, as the process that names it would resolve it at this moment.

use crate::system::Pid;
use crate::system::files::{self, FileFacts, Last, c_string};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

/// Links followed in one path before it counts as a loop, as the kernel counts (path_resolution(7)).
const MOST_LINKS: usize = 40;

/// Where a path leads.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The path without links. Where the target is missing: where it would be made. Of what has no
    /// path, the kind alone: `pipe:`, `socket:`, `anon_inode:`, `memfd:`.
    pub(crate) path: Vec<u8>,
    /// What is there, if anything is.
    pub(crate) facts: Option<FileFacts>,
}

/// Where a relative path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// In the working directory.
    Cwd,
    /// At an open descriptor.
    Descriptor(i32),
}

/// The place of a process's working directory.
pub(crate) fn working_directory(process: Pid) -> io::Result<Vec<u8>> {
    let link = format!("/proc/{process}/cwd");
    let cwd = files::read_link(&c_string(link.as_str())?)?;
    if !cwd.ends_with(REMOVED) {
        return Ok(cwd);
    }
    Ok(place_of(files::open_place(&c_string(link)?, Last::Follow)?.as_fd())?.path)
}

/// The place of a path. `process` names it, relative to `base`; an empty path is the base itself.
///
/// The supervisor shares root directory and mounts with the process, so the kernel can be asked:
/// one open of the whole path. Only where that fails, because something is missing, or where the
/// path leads through the process's own entries in `/proc`, which would be the supervisor's here, is
/// it walked component by component.
pub(crate) fn resolve(process: Pid, base: Base, text: &[u8], last: Last) -> io::Result<Place> {
    let start = match base {
        _ if text.starts_with(b"/") => String::new(),
        Base::Cwd => format!("/proc/{process}/cwd/"),
        Base::Descriptor(number) => format!("/proc/{process}/fd/{number}/"),
    };
    if text.is_empty() {
        let whole = c_string(start.trim_end_matches('/'))?;
        return place_of(files::open_place(&whole, Last::Follow)?.as_fd());
    }
    if !text.starts_with(b"/proc") && !text.starts_with(b"/dev") {
        let whole = c_string([start.as_bytes(), text].concat())?;
        if let Ok(place) = files::open_place(&whole, last) {
            return place_of(place.as_fd());
        }
    }
    let start = if start.is_empty() { "/" } else { start.as_str() };
    let here =
        files::open_place(&c_string(start.trim_end_matches('/').to_owned() + "/.")?, Last::Follow)
            .or_else(|_| {
                files::open_place(&c_string(start.trim_end_matches('/'))?, Last::Follow)
            })?;
    Walk::new(process, here, text, last).run()
}

const REMOVED: &[u8] = b" (deleted)";

/// The place that a descriptor opened with `O_PATH` refers to.
fn place_of(file: BorrowedFd<'_>) -> io::Result<Place> {
    let facts = files::facts(file)?;
    let mut path = path_of(file)?;
    if path.starts_with(b"/") {
        if facts.is_removed() && path.ends_with(REMOVED) {
            path.truncate(path.len() - REMOVED.len());
        }
        if path.starts_with(b"/memfd:") {
            path = b"memfd:".to_vec();
        }
    } else if let Some(colon) = path.iter().position(|byte| *byte == b':') {
        // `pipe:[4026]`: the number differs from run to run.
        path.truncate(colon + 1);
    }
    Ok(Place { path, facts: Some(facts) })
}

/// The path of a descriptor as the kernel shows it.
fn path_of(file: BorrowedFd<'_>) -> io::Result<Vec<u8>> {
    files::read_link(&c_string(format!("/proc/self/fd/{}", file.as_raw_fd()))?)
}

/// A path being walked.
struct Walk {
    process: Pid,
    /// The directory reached so far.
    here: OwnedFd,
    /// The names still to go, the next one last.
    rest: Vec<Vec<u8>>,
    last: Last,
    /// Does the path end in a slash? Then a link at its end is followed whatever `last` says.
    slash: bool,
    links: usize,
}

impl Walk {
    fn new(process: Pid, here: OwnedFd, text: &[u8], last: Last) -> Walk {
        let mut walk =
            Walk { process, here, rest: Vec::new(), last, slash: text.ends_with(b"/"), links: 0 };
        walk.prepend(text);
        walk
    }

    /// Puts the components of a path before what is left.
    fn prepend(&mut self, path: &[u8]) {
        let names = path.split(|byte| *byte == b'/').rev();
        self.rest.extend(names.filter(|name| !name.is_empty()).map(<[u8]>::to_vec));
    }

    fn run(mut self) -> io::Result<Place> {
        while let Some(name) = self.rest.pop() {
            let name = self.substitute(name)?;
            let c_name = c_string(name.clone())?;
            let Ok(next) = files::open_place_in(self.here.as_fd(), &c_name, Last::Keep) else {
                return self.missing(&name);
            };
            let facts = files::facts(next.as_fd())?;
            let at_end = self.rest.is_empty() && !self.slash;
            if !facts.is_link() || (at_end && self.last == Last::Keep) {
                self.here = next;
                continue;
            }
            self.links += 1;
            if self.links > MOST_LINKS {
                return self.missing(&name);
            }
            self.follow(&c_name, next.as_fd())?;
        }
        place_of(self.here.as_fd())
    }

    /// `/proc/self` and `/proc/thread-self` are the caller's own: here, those of the process.
    fn substitute(&mut self, name: Vec<u8>) -> io::Result<Vec<u8>> {
        let own = [&b"self"[..], b"thread-self"].contains(&name.as_slice());
        if !own || path_of(self.here.as_fd())? != b"/proc" {
            return Ok(name);
        }
        let process = self.process.to_string().into_bytes();
        if name == b"thread-self" {
            self.rest.push(process.clone());
            self.rest.push(b"task".to_vec());
        }
        Ok(process)
    }

    /// Steps through a link. Those in `/proc` lead to an object, whatever their text says.
    fn follow(&mut self, name: &std::ffi::CStr, link: BorrowedFd<'_>) -> io::Result<()> {
        if path_of(self.here.as_fd())?.starts_with(b"/proc/") {
            self.here = files::open_place_in(self.here.as_fd(), name, Last::Follow)?;
            return Ok(());
        }
        let target = files::read_link_in(link, c"")?;
        if target.starts_with(b"/") {
            self.here = files::open_place(c"/", Last::Follow)?;
        }
        self.prepend(&target);
        Ok(())
    }

    /// Nothing is at `name`: it, and what was to come after it, would stand here.
    fn missing(self, name: &[u8]) -> io::Result<Place> {
        let mut path = place_of(self.here.as_fd())?.path;
        for name in std::iter::once(name).chain(self.rest.iter().rev().map(Vec::as_slice)) {
            if path != b"/" {
                path.push(b'/');
            }
            path.extend_from_slice(name);
        }
        Ok(Place { path, facts: None })
    }
}
