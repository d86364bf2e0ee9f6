//! Where a path leads, as the process that names it would resolve it at this moment.

use super::interpreter::{Interpreter, interpreter};
use crate::system::Pid;
use crate::system::files::{self, FileFacts, Last, c_string};
use crate::system::process;
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

impl Place {
    /// Does a write to it change nothing that could lead a path elsewhere: a device, a pipe?
    pub(super) fn is_inert(&self) -> bool {
        !self.path.starts_with(b"/") || self.path.starts_with(b"/dev/")
    }
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
pub(super) fn working_directory(process: Pid) -> io::Result<Vec<u8>> {
    let link = format!("/proc/{process}/cwd");
    let cwd = files::read_link(&c_string(link.as_str())?)?;
    if !cwd.ends_with(REMOVED) {
        return Ok(cwd);
    }
    Ok(place_of(files::open_place(&c_string(link)?, Last::Follow)?.as_fd())?.path)
}

/// Resolves paths, and remembers what nothing can have changed.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    /// Places that nothing can change: what the loader opens and where commands are looked for is
    /// about half of all paths.
    fixed: Places,
    /// All others by their absolute paths, as long as the tree stands as it was planted.
    standing: Places,
    /// Where processes are, since they were last seen to enter a directory.
    directories: HashMap<Pid, Vec<u8>>,
    /// Was a process seen in this run that has several threads?
    threads: bool,
    /// The number of the planting that `standing` is about.
    planting: u64,
    /// Was anything changed since? Then what is remembered of the tree may be wrong, and so may the
    /// names of directories.
    changed: bool,
    /// What programs of the read-only system name as their interpreter.
    interpreters: HashMap<Vec<u8>, Option<Interpreter>>,
}

/// Places by text. Links in the last component followed, and not.
#[derive(Debug, Default)]
struct Places {
    followed: HashMap<Vec<u8>, Place>,
    kept: HashMap<Vec<u8>, Place>,
}

impl Places {
    fn of(&mut self, last: Last) -> &mut HashMap<Vec<u8>, Place> {
        match last {
            Last::Follow => &mut self.followed,
            Last::Keep => &mut self.kept,
        }
    }

    fn remember(&mut self, text: Vec<u8>, last: Last, place: &Place) {
        let known = self.of(last);
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(text, place.clone());
    }
}

impl Resolver {
    /// A run begins, in the tree of this planting.
    pub(super) fn begin(&mut self, planting: u64) {
        self.directories.clear();
        self.threads = false;
        if self.planting != planting {
            self.standing = Places::default();
            (self.planting, self.changed) = (planting, false);
        }
    }

    /// A process is about to enter a directory.
    pub(super) fn entered(&mut self, process: Pid) {
        self.threads |= !process::is_process(process);
        self.directories.remove(&process);
    }

    /// Something is about to be changed.
    pub(super) fn changed(&mut self) {
        self.changed = true;
    }

    /// The place of a process's working directory, as it is before the call that the process waits
    /// in. Not remembered: that call may change it.
    pub(super) fn directory_before(&self, process: Pid) -> io::Result<Vec<u8>> {
        match self.directories.get(&process) {
            Some(known) if !self.changed && !self.threads => Ok(known.clone()),
            _ => working_directory(process),
        }
    }

    /// The place of a process's working directory.
    pub(super) fn directory(&mut self, process: Pid) -> io::Result<Vec<u8>> {
        if !self.changed
            && !self.threads
            && let Some(known) = self.directories.get(&process)
        {
            return Ok(known.clone());
        }
        let directory = working_directory(process)?;
        // Threads share theirs, and enter another without the others being asked.
        self.threads |= !process::is_process(process);
        if !self.threads {
            self.directories.insert(process, directory.clone());
        }
        Ok(directory)
    }

    /// The place of a path. `process` names it, relative to `base`; an empty path is the base
    /// itself. `None` if the base is a descriptor that is not open; an error if the place cannot be
    /// found out.
    pub(super) fn resolve(
        &mut self,
        process: Pid,
        base: Base,
        text: &[u8],
        last: Last,
    ) -> io::Result<Option<Place>> {
        if let Some(place) = self.fixed.of(last).get(text) {
            return Ok(Some(place.clone()));
        }
        let Some(absolute) = self.absolute(process, base, text)? else {
            return Ok(resolve(process, base, text, last)?.map(|found| found.place));
        };
        if let Some(place) = self.standing.of(last).get(&absolute) {
            return Ok(Some(place.clone()));
        }
        let Some(Found { place, steady }) = resolve(process, base, &absolute, last)? else {
            return Ok(None);
        };
        if steady && is_fixed(text) && is_fixed(&place.path) {
            self.fixed.remember(text.to_vec(), last, &place);
        } else if steady && !self.changed {
            self.standing.remember(absolute, last, &place);
        }
        Ok(Some(place))
    }

    /// The path as an absolute one that means the same, if its place may be remembered. What leads
    /// through `/proc` depends on who names it.
    fn absolute(&mut self, process: Pid, base: Base, text: &[u8]) -> io::Result<Option<Vec<u8>>> {
        if text.split(|byte| *byte == b'/').any(|name| name == b"proc") {
            return Ok(None);
        }
        let absolute = if text.starts_with(b"/") {
            text.to_vec()
        } else if self.changed || base != Base::Cwd || text.is_empty() {
            return Ok(None);
        } else {
            let directory = self.directory(process)?;
            if !directory.starts_with(b"/") || directory.starts_with(b"/proc") {
                return Ok(None);
            }
            [directory.as_slice(), b"/", text].concat()
        };
        Ok((absolute.len() < LONGEST_PATH).then_some(absolute))
    }

    /// The interpreter that a program's file names.
    pub(super) fn interpreter(&mut self, program: &Place) -> io::Result<Option<Interpreter>> {
        if let Some(known) = self.interpreters.get(&program.path) {
            return Ok(known.clone());
        }
        let file = File::open(OsStr::from_bytes(&program.path))?;
        let found = interpreter(|buffer, offset| file.read_at(buffer, offset))?;
        if is_fixed(&program.path) {
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

/// The longest path that the kernel takes, in bytes (`PATH_MAX`).
const LONGEST_PATH: usize = 4096;

/// Is this an absolute path to what stays as it is for the worker's life: anything but the two
/// places that lines can write to and the processes? Links elsewhere are as fixed as what they
/// stand among; only `..` could lead back.
fn is_fixed(path: &[u8]) -> bool {
    const CHANGING: [&[u8]; 3] = [b"case", b"tmp", b"proc"];
    let Some(below) = path.strip_prefix(b"/") else { return false };
    let mut names = below.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
    names.clone().next().is_none_or(|first| !CHANGING.contains(&first))
        && names.all(|name| name != b"..")
}

/// A place that was asked for.
struct Found {
    place: Place,
    /// Is it the same whichever process asks? Not if the way there leads through `/proc`.
    steady: bool,
}

/// The place of a path, asked anew.
///
/// The supervisor shares root directory and mounts with the process, so the kernel can be asked for
/// the whole path at once. It is walked component by component only where that fails, because
/// something is missing, or where it leads through `/proc`, whose own entries the kernel would take
/// for the supervisor's.
fn resolve(process: Pid, base: Base, text: &[u8], last: Last) -> io::Result<Option<Found>> {
    let here = match base {
        _ if text.starts_with(b"/") => None,
        Base::Cwd => Some(format!("/proc/{process}/cwd")),
        Base::Descriptor(number) => Some(format!("/proc/{process}/fd/{number}")),
    };
    let here = match here.map(|link| files::open_place(&c_string(link)?, Last::Follow)) {
        Some(Err(error)) if is_missing(&error) && matches!(base, Base::Descriptor(_)) => {
            return Ok(None);
        }
        here => here.transpose()?,
    };
    let from = here.as_ref().map(AsFd::as_fd);
    if let (true, Some(here)) = (text.is_empty(), from) {
        return Ok(Some(Found { place: place_of(here)?, steady: false }));
    }
    if let Ok(place) = files::open_place_by_names(from, &c_string(text)?, last) {
        let place = place_of(place.as_fd())?;
        if !place.path.starts_with(b"/proc/") {
            return Ok(Some(Found { place, steady: true }));
        }
    }
    let here = here.map_or_else(|| files::open_place(c"/", Last::Follow), Ok)?;
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
    /// Has no step led through `/proc` so far?
    steady: bool,
}

impl Walk {
    fn new(process: Pid, here: OwnedFd, text: &[u8], last: Last) -> Walk {
        let (rest, slash) = (Vec::new(), text.ends_with(b"/"));
        let mut walk = Walk { process, here, rest, last, slash, links: 0, steady: true };
        walk.prepend(text);
        walk
    }

    /// Puts the components of a path before what is left.
    fn prepend(&mut self, path: &[u8]) {
        let names = path.split(|byte| *byte == b'/').rev();
        self.rest.extend(names.filter(|name| !name.is_empty()).map(<[u8]>::to_vec));
    }

    fn run(mut self) -> io::Result<Found> {
        while let Some(name) = self.rest.pop() {
            self.steady &= name != b"proc";
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
        Ok(Found { place: place_of(self.here.as_fd())?, steady: self.steady })
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
    fn missing(self, name: &[u8]) -> io::Result<Found> {
        let mut path = place_of(self.here.as_fd())?.path;
        for name in std::iter::once(name).chain(self.rest.iter().rev().map(Vec::as_slice)) {
            if path != b"/" {
                path.push(b'/');
            }
            path.extend_from_slice(name);
        }
        Ok(Found { place: Place { path, facts: None }, steady: self.steady })
    }
}
