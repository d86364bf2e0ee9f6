//! The tree that a case runs in: planted below the top as its [`TreeSpec`] says, and planted anew
//! only after a run that may have changed it. Most runs change nothing, so most cost nothing here.

mod clear;
mod outside;
mod verify;

pub(crate) use outside::Outside;

use crate::contain::{CaseUser, SCRATCH};
use crate::observe::Record;
use crate::trace::{Status, Touch, TouchKind};
use clear::clear;
use shfence_corpus::{Node, TOP, Text, TreeSpec};
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

/// What stands below the top, and whether it still is as it was planted.
#[derive(Debug)]
pub(crate) struct Planter {
    user: CaseUser,
    /// The tree that stands there unchanged; `None` if something else does.
    standing: Option<TreeSpec>,
    /// How often a tree was planted.
    plantings: u64,
}

impl Planter {
    /// Nothing is planted yet.
    pub(crate) fn new(user: CaseUser) -> Planter {
        Planter { user, standing: None, plantings: 0 }
    }

    /// Makes the place as if no case had ever run: exactly this tree below the top, no temporary
    /// files.
    pub(crate) fn plant(&mut self, tree: &TreeSpec) -> io::Result<()> {
        if self.standing.as_ref() == Some(tree) {
            return Ok(());
        }
        if let Some(standing) = self.standing.take() {
            fell(&standing);
        }
        self.plantings += 1;
        clear(Path::new(SCRATCH), 0o1777)?;
        clear(Path::new(TOP), 0o755)?;
        self.grow(tree)?;
        self.standing = Some(tree.clone());
        Ok(())
    }

    /// The number of the tree that stands there: another one, another number.
    pub(crate) fn planting(&self) -> u64 {
        self.plantings
    }

    /// Something else stands there now.
    pub(crate) fn forget(&mut self) {
        self.standing = None;
    }

    /// Makes a tree below the empty top.
    fn grow(&self, tree: &TreeSpec) -> io::Result<()> {
        for (path, node) in tree.planted() {
            let at = place(path.as_bytes());
            match node {
                Node::Dir => fs::create_dir(&at)?,
                Node::Link { to } => symlink(OsStr::from_bytes(&to), &at)?,
                Node::File { text, executable } => {
                    let mode = if executable { 0o755 } else { 0o644 };
                    let mut options = OpenOptions::new();
                    let mut file = options.write(true).create_new(true).mode(mode).open(&at)?;
                    file.write_all(&text)?;
                }
            }
            self.user.give(&at)?;
        }
        Ok(())
    }

    /// Notes what a run may have changed. A run that was stopped may have changed anything: its
    /// last calls were not seen to end.
    pub(crate) fn note(&mut self, record: &Record, status: Status) {
        let stopped = status == Status::TimedOut;
        let wrote = |touch: &Touch| touch.kind == TouchKind::Write && may_matter(&touch.resolved);
        if stopped || record.touches.iter().any(wrote) {
            self.standing = None;
        }
    }

    /// Says what differs from the tree that should stand there; nothing if none should.
    pub(crate) fn verify(&self) -> io::Result<Vec<String>> {
        match &self.standing {
            Some(tree) => verify::differences(tree),
            None => Ok(Vec::new()),
        }
    }
}

/// Removes a tree of which every entry is known, without looking for them. Whatever it leaves is
/// there to be found by who looks.
fn fell(tree: &TreeSpec) {
    for (path, node) in tree.planted().iter().rev() {
        let at = place(path.as_bytes());
        let _ = if *node == Node::Dir { fs::remove_dir(at) } else { fs::remove_file(at) };
    }
}

/// Can a write to this place have changed the tree or the temporary files? Both count as one: a
/// link among the temporary files that another process turns at the right moment leads into the
/// tree.
fn may_matter(place: &Text) -> bool {
    let below = |top: &str| {
        place.strip_prefix(top.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    };
    let unresolved = !place.starts_with(b"/") && !place.ends_with(b":");
    let missing_before_parent = place.windows(4).any(|part| part == b"/../");
    below(TOP) || below(SCRATCH) || unresolved || missing_before_parent
}

/// Where a path below the top stands.
fn place(path: &[u8]) -> PathBuf {
    Path::new(TOP).join(OsStr::from_bytes(path))
}
