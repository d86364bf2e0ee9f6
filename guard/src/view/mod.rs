//! The guard's window on the file system.

mod memory;
mod none;
mod overlay;
mod real;
mod remembering;

pub use memory::MemoryView;
pub use none::NoView;
pub(crate) use overlay::{Change, Changes, Overlay};
pub use real::RealView;
pub(crate) use remembering::Remembering;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What the guard can see of the file system. All it ever learns comes through here, so that a
/// verdict can be computed for a tree that does not exist.
///
/// Errors are those of the system call: `NotFound` and `NotADirectory` are answers, everything else
/// means that the view cannot tell.
pub trait FsView {
    /// What stands at `path`, as `lstat(2)` sees it: a link is not followed. Everything but the
    /// last component has been resolved before.
    fn kind(&self, path: &Path) -> io::Result<Kind>;
    /// The text of the link at `path`, as `readlink(2)` gives it.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;
    /// The names in the directory at `path`, at most `budget` of them; more is an error.
    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>>;
    /// The same names, each with what stands there, as far as listing has told that anyway.
    fn entries(&self, path: &Path, budget: usize) -> io::Result<Vec<(OsString, Option<Kind>)>> {
        let names = self.list(path, budget)?;
        Ok(names.into_iter().map(|name| (name, None)).collect())
    }
    /// The first `max` bytes of the file at `path`.
    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>>;
    /// May a shell make the directory at `path` its own (search permission)?
    fn enterable(&self, path: &Path) -> bool;
    /// Are the names in the directory at `path` the same whenever the line looks?
    fn is_steady(&self, path: &Path) -> bool {
        let _ = path;
        true
    }
    /// Is it certain that no directory stands at `path`, whenever the line looks?
    fn is_no_tree(&self, path: &Path) -> bool {
        match self.kind(path) {
            Ok(kind) => kind == Kind::File,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }
    /// May this file hold more by now than the view shows, all of which was looked at when it came
    /// in? So it is with the index, once git has added to it.
    fn has_more(&self, path: &Path) -> bool {
        let _ = path;
        false
    }
    /// Does the view see anything at all? If not, verdicts are lexical, and say so.
    fn sees(&self) -> bool {
        true
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Dir,
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A device, a pipe, a socket.
    Other,
    /// Nothing, or anything but a link: the line itself may make it, or take it away.
    Perhaps,
    /// The view cannot see: what only a view can refute is taken as harmless.
    Unseen,
}
