//! Files that the commands for people write: what is trusted, and the configuration.

use super::configuration::Places;
use super::trusted::copy_of;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Trusts a file with this text.
pub fn trust(places: &Places, file: &Path, text: &str) -> io::Result<()> {
    let copy = copy_of(places, file).ok_or_else(no_place)?;
    write_for_owner(&copy, text)
}

/// Ends the trust in a file. Was it trusted, in whatever content?
pub fn revoke(places: &Places, file: &Path) -> io::Result<bool> {
    match std::fs::remove_file(copy_of(places, file).ok_or_else(no_place)?) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a file that only its owner can read, with the directories that it needs, at once: a
/// reader sees the old file or the new one.
pub fn write_for_owner(file: &Path, text: &str) -> io::Result<()> {
    let directory = file.parent().ok_or_else(no_place)?;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    replace(file, text, 0o600)
}

/// Replaces a file at once, by one with this mode. A link stays, and what it leads to is replaced.
pub fn replace(file: &Path, text: &str, mode: u32) -> io::Result<()> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let (directory, name) = (file.parent(), file.file_name());
    let (Some(directory), Some(name)) = (directory, name) else { return Err(no_place()) };
    let mut new = std::ffi::OsString::from(".");
    new.push(name);
    new.push(format!(".{}", std::process::id()));
    let new = directory.join(new);
    let mut options = std::fs::OpenOptions::new();
    let written = options
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(&new)
        .and_then(|mut out| out.write_all(text.as_bytes()).and_then(|()| out.sync_all()))
        .and_then(|()| std::fs::rename(&new, &file));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written
}

fn no_place() -> io::Error {
    io::Error::other("neither HOME nor XDG_STATE_HOME says where to keep what is trusted")
}
