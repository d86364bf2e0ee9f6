//! Everything in the box that is outside the tree, and that no line can change: a canary.
//!
//! It is walked before the first line, and again at intervals. This alarm shares nothing with the
//! observer: were a line ever to change something there, by whatever way, it would show here even
//! if no trace tells of it.

use shfence_corpus::TOP;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// What is walked, below the root directory.
#[derive(Debug)]
pub(crate) struct Outside {
    root: PathBuf,
    found: BTreeMap<PathBuf, Facts>,
}

/// What must stay as it is of one entry.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    mode: u32,
    owner: (u32, u32),
    device: u64,
    /// When it was last changed, in any way. Of what belongs to the host, as its devices do,
    /// others may change that.
    changed: Option<(i64, i64)>,
    content: Content,
}

#[derive(Debug, PartialEq, Eq)]
enum Content {
    File(Vec<u8>),
    Link(PathBuf),
    Other,
}

/// Not walked: the tree and the temporary files, which are the lines' own, and what the kernel
/// shows of processes.
const OTHERS: [&str; 3] = [TOP, crate::contain::SCRATCH, "/proc"];

impl Outside {
    /// How it is now.
    pub(crate) fn look() -> io::Result<Outside> {
        Outside::below(Path::new("/"))
    }

    fn below(root: &Path) -> io::Result<Outside> {
        let mut outside = Outside { root: root.to_owned(), found: BTreeMap::new() };
        let file_system = fs::symlink_metadata(root)?.dev();
        outside.walk(root, file_system)?;
        Ok(outside)
    }

    /// Directories of the host, the system's programs, are mounted read-only, large, and not ours:
    /// that they are there counts, not what they hold.
    fn walk(&mut self, directory: &Path, file_system: u64) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if OTHERS.iter().any(|other| path == Path::new(other)) {
                continue;
            }
            let facts = fs::symlink_metadata(&path)?;
            let ours = facts.dev() == file_system;
            if facts.is_dir() && ours {
                self.walk(&path, file_system)?;
            }
            let kind = facts.file_type();
            let content = if facts.is_file() && ours {
                Content::File(fs::read(&path)?)
            } else if facts.is_symlink() {
                Content::Link(fs::read_link(&path)?)
            } else {
                Content::Other
            };
            let device = kind.is_char_device() || kind.is_block_device();
            let facts = Facts {
                mode: facts.mode(),
                owner: (facts.uid(), facts.gid()),
                device: if device { facts.rdev() } else { 0 },
                changed: ours.then(|| (facts.ctime(), facts.ctime_nsec())),
                content,
            };
            self.found.insert(path, facts);
        }
        Ok(())
    }

    /// What is no longer as it was, in words; nothing if all is.
    pub(crate) fn differences(&self) -> io::Result<Vec<String>> {
        let now = Outside::below(&self.root)?.found;
        let changed = self.found.iter().filter_map(|(path, facts)| match now.get(path) {
            None => Some(format!("{} is gone", path.display())),
            Some(it) => (it != facts).then(|| format!("{} has changed", path.display())),
        });
        let new = now.keys().filter(|path| !self.found.contains_key(*path));
        Ok(changed.chain(new.map(|path| format!("{} is new", path.display()))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn every_change_is_found_and_no_change_is_none() {
        type Change = fn(&Path);
        let changes: [(&str, Change); 6] = [
            ("etc/hosts has changed", |root| fs::write(root.join("etc/hosts"), "b").unwrap()),
            ("etc/new is new", |root| fs::write(root.join("etc/new"), "").unwrap()),
            ("etc/hosts is gone", |root| fs::remove_file(root.join("etc/hosts")).unwrap()),
            ("home has changed", |root| {
                let open = fs::Permissions::from_mode(0o777);
                fs::set_permissions(root.join("home"), open).unwrap();
            }),
            ("bin has changed", |root| {
                fs::remove_file(root.join("bin")).unwrap();
                symlink("etc", root.join("bin")).unwrap();
            }),
            ("etc/hosts has changed", |root| {
                // The same text again.
                fs::write(root.join("etc/hosts"), "a").unwrap();
            }),
        ];
        for (expected, change) in changes {
            let root = tempfile::tempdir().unwrap();
            for directory in ["etc", "home"] {
                fs::create_dir(root.path().join(directory)).unwrap();
            }
            fs::write(root.path().join("etc/hosts"), "a").unwrap();
            symlink("usr/bin", root.path().join("bin")).unwrap();
            let outside = Outside::below(root.path()).unwrap();
            assert_eq!(outside.found.len(), 4);
            assert_eq!(outside.differences().unwrap(), [""; 0]);
            // Times have the grain of the kernel's clock.
            std::thread::sleep(std::time::Duration::from_millis(20));
            change(root.path());
            let found = outside.differences().unwrap();
            assert!(found.iter().any(|it| it.ends_with(expected)), "{expected}: {found:?}");
        }
    }
}
