//! Where a path leads, as the process that names it would resolve it at this moment.

use super::interpreter::{Interpreter, interpreter};
use crate::system::Pid;
use crate::system::files::{self, FileFacts, Last, c_string};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;

/// Links followed in one path before it counts as a loop, as in the kernel (path_resolution(7)).
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

/// Resolves paths, and remembers those that nothing can change.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    /// Places in the read-only system, by text: what the loader opens and where commands are looked
    /// for is about half of all paths. Links in the last component followed, and not.
    followed: HashMap<Vec<u8>, Place>,
    kept: HashMap<Vec<u8>, Place>,
    /// What programs of the read-only system name as their interpreter.
    interpreters: HashMap<Vec<u8>, Option<Interpreter>>,
}

impl Resolver {
    /// The place of a path. `process` names it, relative to `base`; an empty path is the base
    /// itself. `None` if the base is a descriptor that is not open; an error if the place cannot be
    /// found out.
    pub(crate) fn resolve(
        &mut self,
        process: Pid,
        base: Base,
        text: &[u8],
        last: Last,
    ) -> io::Result<Option<Place>> {
        let known = match last {
            Last::Follow => &mut self.followed,
            Last::Keep => &mut self.kept,
        };
        if let Some(place) = known.get(text) {
            return Ok(Some(place.clone()));
        }
        let Some(place) = resolve(process, base, text, last)? else { return Ok(None) };
        if is_system(text) && is_system(&place.path) {
            if known.len() >= MOST_REMEMBERED {
                known.clear();
            }
            known.insert(text.to_vec(), place.clone());
        }
        Ok(Some(place))
    }

    /// The interpreter that a program's file names.
    pub(super) fn interpreter(&mut self, program: &Place) -> io::Result<Option<Interpreter>> {
        if let Some(known) = self.interpreters.get(&program.path) {
            return Ok(known.clone());
        }
        let file = File::open(OsStr::from_bytes(&program.path))?;
        let found = interpreter(|buffer, offset| file.read_at(buffer, offset))?;
        if is_system(&program.path) {
            if self.interpreters.len() >= MOST_REMEMBERED {
                self.interpreters.clear();
            }
            self.interpreters.insert(program.path.clone(), found.clone());
        }
        Ok(found)
    }
}

/// A line may name any number of paths; the usual ones are a few hundred.
const MOST_REMEMBERED: usize = 4096;

/// Does this absolute path certainly stay in the read-only directories of the system? Their own
/// links lead nowhere else; only `..` could.
fn is_system(path: &[u8]) -> bool {
    const TOPS: [&[u8]; 5] = [b"/usr/", b"/bin/", b"/lib/", b"/lib64/", b"/etc/"];
    TOPS.iter().any(|top| path.starts_with(top)) && !path.windows(3).any(|part| part == b"/..")
}

/// The place of a path, asked anew.
///
/// The supervisor shares root directory and mounts with the process, so the kernel can be asked for
/// the whole path at once. It is walked component by component only where that fails, because
/// something is missing, or where it leads through `/proc`, whose own entries the kernel would take
/// for the supervisor's.
fn resolve(process: Pid, base: Base, text: &[u8], last: Last) -> io::Result<Option<Place>> {
    let start = match base {
        _ if text.starts_with(b"/") => "/".to_owned(),
        Base::Cwd => format!("/proc/{process}/cwd"),
        Base::Descriptor(number) => format!("/proc/{process}/fd/{number}"),
    };
    let here = match files::open_place(&c_string(start)?, Last::Follow) {
        Err(error) if is_missing(&error) && matches!(base, Base::Descriptor(_)) => return Ok(None),
        here => here?,
    };
    if text.is_empty() {
        return place_of(here.as_fd()).map(Some);
    }
    if let Ok(place) = files::open_place_by_names(here.as_fd(), &c_string(text)?, last) {
        let place = place_of(place.as_fd())?;
        if !place.path.starts_with(b"/proc/") {
            return Ok(Some(place));
        }
    }
    Walk::new(process, here, text, last).run().map(Some)
}

/// Does this error say that nothing is there, and not that we cannot look?
fn is_missing(error: &io::Error) -> bool {
    const MISSING: [i32; 4] = [libc::ENOENT, libc::ENOTDIR, libc::ENAMETOOLONG, libc::ELOOP];
    error.raw_os_error().is_some_and(|errno| MISSING.contains(&errno))
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
            let next = match files::open_place_in(self.here.as_fd(), &c_name, Last::Keep) {
                Err(error) if is_missing(&error) => return self.missing(&name),
                next => next?,
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
