//! The file system of this machine, as it is now.

use super::{FsView, Kind};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Looks at the real file system. It opens only what it is asked to read or list.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealView;

impl FsView for RealView {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(kind(fs::symlink_metadata(path)?.file_type()))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        Ok(self.entries(path, budget)?.into_iter().map(|(name, _)| name).collect())
    }

    /// A directory holds the types of its entries, on nearly every file system (`readdir(3)`).
    fn entries(&self, path: &Path, budget: usize) -> io::Result<Vec<(OsString, Option<Kind>)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(path)? {
            if entries.len() == budget {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            let entry = entry?;
            entries.push((entry.file_name(), entry.file_type().ok().map(kind)));
        }
        Ok(entries)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        // Opening a pipe waits for a writer, and a device may have no end.
        match fs::metadata(path)? {
            there if there.is_file() => {}
            there if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(max as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// `stat(2)` of `path/.` needs what `chdir(2)` needs: search permission on the directory.
    fn enterable(&self, path: &Path) -> bool {
        fs::metadata(path.join(".")).is_ok_and(|it| it.is_dir())
    }
}

fn kind(of: fs::FileType) -> Kind {
    if of.is_dir() {
        Kind::Dir
    } else if of.is_symlink() {
        Kind::Link
    } else if of.is_file() {
        Kind::File
    } else {
        Kind::Other
    }
}
