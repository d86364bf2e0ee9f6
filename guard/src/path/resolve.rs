//! Text → physical path: link by link through the view, as the kernel does it.

use super::Physical;
use crate::view::{FsView, Kind};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How many links one resolution follows before it gives up, as Linux does (`path_resolution(7)`).
const LINK_BUDGET: usize = 40;

/// The longest path the kernel takes, in bytes (PATH_MAX).
const LENGTH_MAX: usize = 4096;

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The place. For what does not exist, the place where it would be made.
    pub path: Physical,
    /// What is there.
    pub end: End,
    /// Did a `..` follow a name that is no directory? The kernel refuses such a path; dash's `cd`
    /// does not look.
    pub unchecked: bool,
}

/// What a path ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This.
    Found(Kind),
    /// Nothing.
    Missing,
}

/// Why it cannot be told where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// Links lead in a circle, or through more links than the kernel follows.
    Loop,
    /// The path is longer than the kernel takes.
    TooLong,
    /// It leads through `/proc`, where names mean something else in every process. (On Linux
    /// `/dev/fd` and `/dev/stdin` lead there.)
    Magic,
    /// The view could not look: no permission, an I/O error.
    Unreadable,
}

impl Unresolved {
    /// Why, as the end of a sentence that begins with the path.
    pub fn why(self) -> &'static str {
        match self {
            Unresolved::Loop => "leads through too many links, or in a circle",
            Unresolved::TooLong => "is longer than a path can be",
            Unresolved::Magic => "means something else in every process",
            Unresolved::Unreadable => "cannot be looked at",
        }
    }
}

/// Is the last component followed if it is a link?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// Yes, as `open(2)` and `stat(2)` do.
    Follow,
    /// No, as `lstat(2)` does; but a trailing slash follows all the same.
    Keep,
}

/// Resolves `text` from the directory `from`. A name that does not exist, or is no directory, is
/// taken as an empty directory for what comes after it: `nosuch/../x` is `x`, which is where it
/// would be if something made `nosuch` in between.
pub fn resolve(
    view: &dyn FsView,
    from: &Physical,
    text: &[u8],
    last: Last,
) -> Result<Resolved, Unresolved> {
    if text.len() > LENGTH_MAX {
        return Err(Unresolved::TooLong);
    }
    let mut walk = Walk {
        view,
        at: if text.starts_with(b"/") { b"/".to_vec() } else { from.as_bytes().to_vec() },
        end: End::Found(Kind::Dir),
        links: 0,
        unchecked: false,
    };
    walk.follow(text, last)?;
    Ok(Resolved {
        path: Physical::from_resolved(&walk.at),
        end: walk.end,
        unchecked: walk.unchecked,
    })
}

/// A walk from directory to directory.
struct Walk<'a> {
    view: &'a dyn FsView,
    /// Where it is: physical, absolute.
    at: Vec<u8>,
    /// What is there.
    end: End,
    links: usize,
    unchecked: bool,
}

impl Walk<'_> {
    fn follow(&mut self, text: &[u8], last: Last) -> Result<(), Unresolved> {
        let mut names = text.split(|byte| *byte == b'/').peekable();
        while let Some(name) = names.next() {
            match name {
                b"" | b"." => {}
                b".." => self.parent(),
                name => {
                    // `x/` ends in an empty name: the link x is followed.
                    let keep = names.peek().is_none() && last == Last::Keep;
                    self.enter(name, keep)?;
                }
            }
        }
        Ok(())
    }

    fn parent(&mut self) {
        if !matches!(self.end, End::Found(Kind::Dir | Kind::Unseen)) {
            self.unchecked = true;
        }
        let cut = self.at.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        self.at.truncate(cut.max(1));
        self.end = End::Found(Kind::Dir);
    }

    fn enter(&mut self, name: &[u8], keep: bool) -> Result<(), Unresolved> {
        if self.at == b"/" && name == b"proc" {
            return Err(Unresolved::Magic);
        }
        let parent = self.at.len();
        let parent_end = self.end;
        if parent > 1 {
            self.at.push(b'/');
        }
        self.at.extend_from_slice(name);
        if self.at.len() > LENGTH_MAX {
            return Err(Unresolved::TooLong);
        }
        self.end = match parent_end {
            // Below what is no directory there is nothing, whatever the view might say.
            End::Missing | End::Found(Kind::File | Kind::Other | Kind::Link) => End::Missing,
            End::Found(Kind::Dir | Kind::Unseen) => self.look()?,
        };
        if self.end == End::Found(Kind::Link) && !keep {
            self.links += 1;
            if self.links > LINK_BUDGET {
                return Err(Unresolved::Loop);
            }
            let target = self.view.read_link(as_path(&self.at)).map_err(unreadable)?;
            self.at.truncate(parent);
            self.end = End::Found(Kind::Dir);
            let target = target.as_os_str().as_bytes();
            if target.starts_with(b"/") {
                self.at.truncate(1);
            }
            return self.follow(target, Last::Follow);
        }
        Ok(())
    }

    fn look(&self) -> Result<End, Unresolved> {
        match self.view.kind(as_path(&self.at)) {
            Ok(kind) => Ok(End::Found(kind)),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(End::Missing),
                _ => Err(unreadable(error)),
            },
        }
    }
}

fn unreadable(_: io::Error) -> Unresolved {
    Unresolved::Unreadable
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests;
