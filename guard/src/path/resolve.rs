//! Text → physical path: link by link through the view, as the kernel does it.

use super::Physical;
use crate::short::Short;
use crate::view::{FsView, Kind};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How many links one resolution follows before it gives up, as Linux does (`path_resolution(7)`).
const LINK_BUDGET: usize = 40;

/// The longest path the kernel takes, in bytes (PATH_MAX, which counts the final NUL).
const LENGTH_MAX: usize = 4095;

/// How many names one resolution looks at. Links to long paths can multiply them.
const STEP_BUDGET: usize = 8 * LENGTH_MAX;

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
    /// May a shell not get there? It is near one of the kernel's limits, and a shell may have a
    /// longer name for it or come through more links; or a `..` followed what may be no directory.
    pub unsure: bool,
    /// Does it lead through a link?
    pub linked: bool,
}

/// What a path ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This.
    Found(Kind),
    /// Nothing.
    Missing,
}

impl End {
    /// Is it a directory, as far as the view can tell?
    pub fn is_directory(self) -> bool {
        matches!(self, End::Found(Kind::Dir | Kind::Unseen))
    }

    /// Is it one, or may it be when the line comes to it?
    pub fn may_be_directory(self) -> bool {
        self.is_directory() || self == End::Found(Kind::Perhaps)
    }
}

/// Why it cannot be told where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// Links lead in a circle, or through more links than the kernel follows.
    Loop,
    /// The path is longer than the kernel takes.
    TooLong,
    /// Following it takes more looks than are made for one path, or for one line.
    TooFar,
    /// It leads through `/proc`, where names mean something else in every process. (On Linux
    /// `/dev/fd` and `/dev/stdin` lead there.)
    Magic,
    /// The view could not look: no permission, an I/O error.
    Unreadable,
    /// The line itself puts something there of which it is not known where it leads.
    Changed,
}

impl Unresolved {
    /// Why, as the end of a sentence that begins with the path.
    pub fn why(self) -> &'static str {
        match self {
            Unresolved::Loop => "leads through too many links, or in a circle",
            Unresolved::TooLong => "is longer than a path can be",
            Unresolved::TooFar => "takes too many looks to follow",
            Unresolved::Magic => "means something else in every process",
            Unresolved::Unreadable => "cannot be looked at",
            Unresolved::Changed => "leads through what the line itself changes",
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
    /// It is not even looked at: for what puts something else in its place.
    Name,
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
    // Most commands that name a directory name their own.
    if text == b"." {
        let unsure = from.as_bytes().len() + text.len() > LENGTH_MAX / 2;
        let (path, end) = (from.clone(), End::Found(Kind::Dir));
        return Ok(Resolved { path, end, unchecked: false, unsure, linked: false });
    }
    let mut walk = Walk::new(view, from, text);
    walk.follow(text, last)?;
    let path = match *walk.at == *from.as_bytes() {
        true => from.clone(),
        false => Physical::from_resolved(&walk.at),
    };
    Ok(Resolved {
        path,
        end: walk.end,
        unchecked: walk.unchecked,
        linked: walk.links > 0,
        unsure: walk.perhaps
            || walk.links > LINK_BUDGET / 2
            || walk.at.len() + text.len() > LENGTH_MAX / 2,
    })
}

/// What stands under a name that a listing of this directory has shown, and is no link.
pub fn listed(directory: &Physical, name: &[u8]) -> Physical {
    let above = directory.as_bytes().strip_suffix(b"/").unwrap_or(directory.as_bytes());
    Physical::from_resolved(&[above, b"/", name].concat())
}

/// Every place that is looked at when `text` is resolved from `from` name by name: each link, and
/// each directory that a name leads to. As far as it can be resolved.
pub fn way(view: &dyn FsView, from: &Physical, text: &[u8]) -> Vec<Physical> {
    let mut walk = Walk::new(view, from, text);
    walk.way = Some(Vec::new());
    // What stops it is found again where the path itself is resolved.
    let _ = walk.follow(text, Last::Follow);
    walk.way.unwrap_or_default()
}

/// A walk from directory to directory.
struct Walk<'a> {
    view: &'a dyn FsView,
    sees: bool,
    /// Where it is: physical, absolute.
    at: Short<u8, 128>,
    /// What is there.
    end: End,
    links: usize,
    steps: usize,
    unchecked: bool,
    perhaps: bool,
    /// The places on the way, if somebody wants to know.
    way: Option<Vec<Physical>>,
}

impl<'a> Walk<'a> {
    #[inline]
    fn new(view: &'a dyn FsView, from: &Physical, text: &[u8]) -> Walk<'a> {
        let from = if text.starts_with(b"/") { b"/" } else { from.as_bytes() };
        Walk {
            view,
            sees: view.sees(),
            at: from.into(),
            end: End::Found(Kind::Dir),
            links: 0,
            steps: 0,
            unchecked: false,
            perhaps: false,
            way: None,
        }
    }

    fn follow(&mut self, text: &[u8], last: Last) -> Result<(), Unresolved> {
        if text.len() > LENGTH_MAX {
            return Err(Unresolved::TooLong);
        }
        let mut rest = Some(text);
        while let Some(text) = rest {
            let slash = text.iter().position(|byte| *byte == b'/');
            let name = &text[..slash.unwrap_or(text.len())];
            rest = slash.map(|at| &text[at + 1..]);
            self.steps += 1;
            if self.steps > STEP_BUDGET {
                return Err(Unresolved::TooFar);
            }
            match name {
                b"" | b"." => {}
                b".." => self.parent(),
                name => {
                    // `x/` ends in an empty name: the link x is followed.
                    let last = if rest.is_none() { last } else { Last::Follow };
                    self.enter(name, last)?;
                }
            }
        }
        Ok(())
    }

    fn parent(&mut self) {
        self.unchecked |= !self.end.may_be_directory();
        self.perhaps |= self.end == End::Found(Kind::Perhaps);
        let cut = self.at.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        self.at.truncate(cut.max(1));
        self.end = End::Found(Kind::Dir);
    }

    fn enter(&mut self, name: &[u8], last: Last) -> Result<(), Unresolved> {
        if *self.at == *b"/" && name == b"proc" {
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
        if let Some(way) = &mut self.way {
            way.push(Physical::from_resolved(&self.at));
        }
        self.end = match parent_end {
            // Below what is no directory there is nothing, whatever the view might say.
            End::Missing | End::Found(Kind::File | Kind::Other | Kind::Link) => End::Missing,
            End::Found(Kind::Dir | Kind::Perhaps | Kind::Unseen)
                if self.sees && last != Last::Name =>
            {
                self.look()?
            }
            // What a view might say that sees nothing.
            End::Found(Kind::Dir | Kind::Perhaps | Kind::Unseen) => End::Found(Kind::Unseen),
        };
        if self.end == End::Found(Kind::Link) && last == Last::Follow {
            self.links += 1;
            if self.links > LINK_BUDGET {
                return Err(Unresolved::Loop);
            }
            let target =
                self.view.read_link(as_path(&self.at)).map_err(|error| unreadable(&error))?;
            self.at.truncate(parent);
            self.end = End::Found(Kind::Dir);
            let target = target.as_os_str().as_bytes();
            if target.starts_with(b"/") {
                self.at.truncate(1);
            }
            self.follow(target, Last::Follow)?;
            if let Some(way) = &mut self.way {
                way.push(Physical::from_resolved(&self.at));
            }
        }
        Ok(())
    }

    fn look(&self) -> Result<End, Unresolved> {
        match self.view.kind(as_path(&self.at)) {
            Ok(kind) => Ok(End::Found(kind)),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(End::Missing),
                _ => Err(unreadable(&error)),
            },
        }
    }
}

fn unreadable(error: &io::Error) -> Unresolved {
    match error.kind() {
        io::ErrorKind::QuotaExceeded => Unresolved::TooFar,
        io::ErrorKind::ResourceBusy => Unresolved::Changed,
        _ => Unresolved::Unreadable,
    }
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests;
