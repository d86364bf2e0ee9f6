//! Paths as the kernel resolves them, and anonymous files.

use super::check;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Is a link in the last component of a path followed?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// Yes: the target is what the link leads to.
    Follow,
    /// No: the target is the link itself.
    Keep,
}

/// The kind, permission bits and link count of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileFacts {
    mode: libc::mode_t,
    links: libc::nlink_t,
}

impl FileFacts {
    /// Is it a directory?
    pub(crate) fn is_dir(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }

    /// Is it a symbolic link?
    pub(crate) fn is_link(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFLNK
    }

    /// Is it a regular file with an executable bit?
    pub(crate) fn is_program(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFREG && self.mode & 0o111 != 0
    }

    /// Has its last name been removed?
    pub(crate) fn is_removed(self) -> bool {
        self.links == 0
    }
}

/// Opens the place that a path names, without opening the file (`O_PATH`): no permission on the
/// file itself is needed, and a FIFO or a device does not block or react.
pub(crate) fn open_place(path: &CStr, last: Last) -> io::Result<OwnedFd> {
    open_place_at(libc::AT_FDCWD, path, last)
}

/// The same, relative to an open directory.
pub(crate) fn open_place_in(
    directory: BorrowedFd<'_>,
    name: &CStr,
    last: Last,
) -> io::Result<OwnedFd> {
    open_place_at(directory.as_raw_fd(), name, last)
}

fn open_place_at(directory: libc::c_int, path: &CStr, last: Last) -> io::Result<OwnedFd> {
    let keep = if last == Last::Keep { libc::O_NOFOLLOW } else { 0 };
    let flags = libc::O_PATH | libc::O_CLOEXEC | keep;
    // SAFETY: the path is a C string; the descriptor returned is new and owned by nobody else.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::openat(directory, path.as_ptr(), flags))?)) }
}

/// The same, relative to an open directory if there is one; but an error where the path leads
/// through a link that is no path: those in `/proc/PID/fd` and its like jump to an object, whatever
/// their text says.
pub(crate) fn open_place_by_names(
    directory: Option<BorrowedFd<'_>>,
    path: &CStr,
    last: Last,
) -> io::Result<OwnedFd> {
    let keep = if last == Last::Keep { libc::O_NOFOLLOW } else { 0 };
    // SAFETY: an all-zero open_how asks for nothing, and is valid.
    let mut how: libc::open_how = unsafe { std::mem::zeroed() };
    how.flags = u64::from((libc::O_PATH | libc::O_CLOEXEC | keep).cast_unsigned());
    how.resolve = libc::RESOLVE_NO_MAGICLINKS;
    // SAFETY: the path is a C string, the structure has the size that is given; the descriptor
    // returned is new and owned by nobody else.
    unsafe {
        let file = check(libc::syscall(
            libc::SYS_openat2,
            directory.map_or(libc::AT_FDCWD, |it| it.as_raw_fd()),
            path.as_ptr(),
            &how,
            size_of::<libc::open_how>(),
        ))?;
        Ok(OwnedFd::from_raw_fd(file as i32))
    }
}

/// What a descriptor refers to.
pub(crate) fn facts(file: BorrowedFd<'_>) -> io::Result<FileFacts> {
    // SAFETY: an all-zero stat is a valid value, and the pointer is valid for the call.
    let stat = unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check(libc::fstat(file.as_raw_fd(), &mut stat))?;
        stat
    };
    Ok(FileFacts { mode: stat.st_mode, links: stat.st_nlink })
}

/// The text of a symbolic link. An empty name means the descriptor itself, opened as a link.
pub(crate) fn read_link_in(directory: BorrowedFd<'_>, name: &CStr) -> io::Result<Vec<u8>> {
    read_link_at(directory.as_raw_fd(), name)
}

/// The text of a symbolic link.
pub(crate) fn read_link(path: &CStr) -> io::Result<Vec<u8>> {
    read_link_at(libc::AT_FDCWD, path)
}

fn read_link_at(directory: libc::c_int, name: &CStr) -> io::Result<Vec<u8>> {
    // Most are short, and a text that fills the room may have been cut: then again with more.
    let mut text = vec![0_u8; 256];
    loop {
        let (room, start) = (text.len(), text.as_mut_ptr());
        // SAFETY: the buffer is valid for its whole length, the name is a C string.
        let length = unsafe {
            check(libc::readlinkat(directory, name.as_ptr(), start.cast(), room))? as usize
        };
        if length < room {
            text.truncate(length);
            return Ok(text);
        }
        text.resize(room * 4, 0);
    }
}

/// An anonymous file in memory that is only ever appended to, whoever writes it.
pub(crate) fn memory_file(name: &CStr) -> io::Result<File> {
    // SAFETY: the name is a C string; the descriptor returned is new and owned by nobody else.
    let file =
        unsafe { File::from_raw_fd(check(libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC))?) };
    set_append(&file)?;
    Ok(file)
}

/// Sets the file's status flags to exactly "append": the description is shared with every process
/// that inherited it, and any of them may have changed them.
pub(crate) fn set_append(file: &File) -> io::Result<()> {
    // SAFETY: fcntl with F_SETFL takes a plain number.
    unsafe { check(libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND))? };
    Ok(())
}

/// Makes `files` the standard input, output and error, in this order, and closes everything else
/// but `kept`, which move to the descriptors 3 and 4. Returns those in their new places, where a
/// program that is executed inherits them.
pub(crate) fn become_standard(
    files: [BorrowedFd<'_>; 3],
    kept: [BorrowedFd<'_>; 2],
) -> io::Result<[OwnedFd; 2]> {
    // SAFETY: all five are open. Copies far above the targets are made first, so that no target is
    // closed while it is still a source. Everything from 5 on is closed: the caller is a fresh
    // process that uses nothing but what it gets here, and never drops what it inherited.
    unsafe {
        let mut copies = [0; 5];
        for (copy, file) in copies.iter_mut().zip(files.into_iter().chain(kept)) {
            *copy = check(libc::fcntl(file.as_raw_fd(), libc::F_DUPFD, 64))?;
        }
        for (target, copy) in (0..).zip(copies) {
            check(libc::dup2(copy, target))?;
        }
        check(libc::close_range(5, libc::c_uint::MAX, 0))?;
        Ok([OwnedFd::from_raw_fd(3), OwnedFd::from_raw_fd(4)])
    }
}

/// Makes `/dev/null` the standard input.
pub(crate) fn forget_input() -> io::Result<()> {
    let nothing = File::open("/dev/null")?;
    // SAFETY: both descriptors are open; the standard input is owned by nobody.
    unsafe { check(libc::dup2(nothing.as_raw_fd(), 0))? };
    Ok(())
}

/// Moves a file, but never onto something that is there.
pub(crate) fn rename_to_free(from: &CStr, to: &CStr) -> io::Result<()> {
    let here = libc::AT_FDCWD;
    let no_replace = libc::RENAME_NOREPLACE;
    // SAFETY: both paths are C strings.
    unsafe { check(libc::renameat2(here, from.as_ptr(), here, to.as_ptr(), no_replace))? };
    Ok(())
}

/// A C string, or an error that says that it has a NUL byte.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> io::Result<CString> {
    CString::new(text).map_err(io::Error::from)
}

/// Takes an open file for this process alone, as flock(2) does: until it is closed here. Says
/// whether nobody else has it. Over NFS the file must be open for writing.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    // SAFETY: the descriptor is open, and nothing but it is read.
    match check(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}
