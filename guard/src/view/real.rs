//! The file system of this machine, as it is now.

use super::{FsView, Kind};
use rustix::fs::{FileType, lstat};
#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags, RawDir, open};
use rustix::io::retry_on_intr;
#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Looks at the real file system. It opens only what it is asked to read or list.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealView;

impl FsView for RealView {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let there = retry_on_intr(|| lstat(path))?;
        kind(FileType::from_raw_mode(there.st_mode)).ok_or_else(|| io::ErrorKind::Other.into())
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        Ok(self.entries(path, budget)?.into_iter().map(|(name, _)| name).collect())
    }

    /// A directory holds the types of its entries, on nearly every file system (`readdir(3)`).
    fn entries(&self, path: &Path, budget: usize) -> io::Result<Vec<(OsString, Option<Kind>)>> {
        listing(path, budget)
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

/// As `getdents64(2)` gives it: a walk lists directory after directory, each of a few names, and
/// for that `readdir(3)` asks the kernel once more and allocates a room of 32 KiB.
#[cfg(target_os = "linux")]
fn listing(path: &Path, budget: usize) -> io::Result<Vec<(OsString, Option<Kind>)>> {
    // Of nothing but a directory, which is not waited for.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let directory = retry_on_intr(|| open(path, flags, Mode::empty()))?;
    let mut room = [MaybeUninit::uninit(); ROOM];
    let mut names = RawDir::new(directory, &mut room);
    let mut entries = Vec::new();
    while let Some(entry) = names.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if matches!(name, b"." | b"..") {
            continue;
        }
        if entries.len() == budget {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        entries.push((OsStr::from_bytes(name).to_owned(), kind(entry.file_type())));
    }
    Ok(entries)
}

/// Bytes of entries that are asked for at a time: some 250 names of twelve letters.
#[cfg(target_os = "linux")]
const ROOM: usize = 8 * 1024;

#[cfg(not(target_os = "linux"))]
fn listing(path: &Path, budget: usize) -> io::Result<Vec<(OsString, Option<Kind>)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        if entries.len() == budget {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let entry = entry?;
        entries.push((entry.file_name(), RealView.kind(&entry.path()).ok()));
    }
    Ok(entries)
}

/// Of a type that the kernel has told.
fn kind(of: FileType) -> Option<Kind> {
    match of {
        FileType::Directory => Some(Kind::Dir),
        FileType::RegularFile => Some(Kind::File),
        FileType::Symlink => Some(Kind::Link),
        FileType::Unknown => None,
        _ => Some(Kind::Other),
    }
}
