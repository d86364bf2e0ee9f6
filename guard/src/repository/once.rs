//! What was a directory once, and is a link now.
//!
//! Which directories old commits have is not looked up: any link of the worktree may stand where
//! one was, unless what stands below it would be ignored, and so was hardly ever tracked.

use super::{DIRECTORIES_MAX, Place, Search};
use crate::ignored::is_ignored;
use crate::path::Physical;
use crate::path::resolve::{End, Last, listed, resolve};
use crate::plan::Role;
use crate::view::Kind;
use std::collections::VecDeque;
use std::os::unix::ffi::OsStrExt;

/// How many names of the worktree are looked at, the nearest to its top first.
const WORKTREE_MAX: usize = 100_000;

/// Directories that are not looked through.
const PASSED: [&[u8]; 2] = [b".git", b"node_modules"];

impl Search<'_> {
    /// Directories outside to which links of the worktree lead. What lies beyond the bound, or
    /// cannot be listed, counts as not there: git reads attributes there, and shows none.
    pub(super) fn links_to_directories(&mut self, worktree: &Physical) {
        let mut waiting = VecDeque::from([worktree.clone()]);
        let (mut names, mut directories) = (0, 0);
        while let Some(directory) = waiting.pop_front() {
            directories += 1;
            if directories > DIRECTORIES_MAX {
                return;
            }
            let list = self.view.entries(directory.as_path(), WORKTREE_MAX - names);
            let Ok(list) = list else { continue };
            names += list.len();
            for (name, kind) in list {
                let name = name.as_bytes();
                match self.kind_of(&directory, name, kind) {
                    Some(Kind::Dir) if !PASSED.contains(&name) => {
                        waiting.push_back(listed(&directory, name));
                    }
                    Some(Kind::Link) => self.link_to_directory(worktree, &directory, name),
                    _ => {}
                }
            }
        }
    }

    fn kind_of(&self, directory: &Physical, name: &[u8], kind: Option<Kind>) -> Option<Kind> {
        match (kind, resolve(self.view, directory, name, Last::Keep)) {
            (Some(kind), _) => Some(kind),
            (None, Ok(found)) => match found.end {
                End::Found(kind) => Some(kind),
                End::Missing => None,
            },
            (None, Err(_)) => None,
        }
    }

    fn link_to_directory(&mut self, worktree: &Physical, directory: &Physical, name: &[u8]) {
        // What cannot be resolved is no directory.
        let Ok(led_to) = resolve(self.view, directory, name, Last::Follow) else { return };
        if !led_to.end.may_be_directory() || led_to.path.is_within(worktree) {
            return;
        }
        let above = directory.as_bytes().strip_prefix(worktree.as_bytes()).unwrap_or_default();
        let below = [above, b"/", name, b"/x"].concat();
        if !is_ignored(self.view, worktree, &below) {
            self.places.push(Place { path: led_to.path, role: Role::Read });
        }
    }
}
