//! The files of the log: `events.jsonl`, and those put aside, `events-TIME-PROCESS-N.jsonl`.
//!
//! A hook writes one event by one `write(2)` to a file opened with O_APPEND, which the kernel does
//! not mix with another's. It takes no lock and waits for no disk. A file that has grown too large
//! is renamed to a name that no other process uses; whoever had it open writes to it under its new
//! name, so that nothing is lost. Two processes that rename at once may put aside a small file.

use super::{Event, LogSettings};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many files this process has put aside.
static PUT_ASIDE: AtomicU32 = AtomicU32::new(0);

/// The file that is written to.
const CURRENT: &str = "events.jsonl";

/// Most events are not longer, in bytes.
const USUAL: usize = 512;

/// Appends one event. An error means that it is not in the log, and nothing else.
pub fn append(directory: &Path, event: &Event, settings: &LogSettings) -> io::Result<()> {
    if !settings.enabled {
        return Ok(());
    }
    let mut line = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut line, event)?;
    line.push(b'\n');
    let path = directory.join(CURRENT);
    match path.symlink_metadata() {
        // Opening a pipe waits for a reader, and a link is somebody else's file.
        Ok(there) if !there.is_file() => return Err(io::ErrorKind::InvalidInput.into()),
        Ok(there) => {
            close_to_others(&path, &there)?;
            if there.len() >= settings.file_bytes {
                put_aside(directory, &path, &there, &event.time, settings)?;
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut file = open(&path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
            open(&path)
        }
        _ => Err(error),
    })?;
    // Not `write_all`: the rest of a line that did not fit would stand behind another's.
    match file.write(&line)? {
        written if written == line.len() => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// Takes from a file what others may do with it. An owner may have copied it without its mode.
fn close_to_others(path: &Path, there: &Metadata) -> io::Result<()> {
    match there.mode() & 0o077 {
        0 => Ok(()),
        _ => fs::set_permissions(path, fs::Permissions::from_mode(0o600)),
    }
}

/// Renames the file, unless it is another one by now, and removes the oldest ones.
fn put_aside(
    directory: &Path,
    path: &Path,
    there: &Metadata,
    time: &str,
    settings: &LogSettings,
) -> io::Result<()> {
    let is_still_there = |now: &Metadata| (now.dev(), now.ino()) == (there.dev(), there.ino());
    if path.symlink_metadata().is_ok_and(|now| is_still_there(&now)) {
        // Two that rename at once have found the same file, perhaps at the same time.
        let number = PUT_ASIDE.fetch_add(1, Ordering::Relaxed);
        let aside = format!("events-{time}-{}-{number}.jsonl", std::process::id());
        match fs::rename(path, directory.join(aside)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let aside = files_aside(directory)?;
    for old in &aside[..aside.len().saturating_sub(settings.files)] {
        let _ = fs::remove_file(old);
    }
    Ok(())
}

/// The files put aside, oldest first: their names begin with the time.
fn files_aside(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.starts_with("events-") && name.ends_with(".jsonl"));
        if is_ours && entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// All files of the log, oldest first.
#[cfg(feature = "cli")]
pub fn files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = match files_aside(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let current = directory.join(CURRENT);
    if current.is_file() {
        files.push(current);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn event(agent: &str) -> Event {
        Event { agent: agent.to_owned().into(), ..Event::new(SystemTime::now()) }
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().expect("it is there").mode() & 0o777
    }

    #[test]
    fn only_the_owner_reads_the_log() {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let directory = scratch.path().join("state/shfence");
        append(&directory, &event("a"), &LogSettings::default()).expect("it can be written");
        let path = directory.join(CURRENT);
        assert_eq!((mode(&directory), mode(&path)), (0o700, 0o600));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
        append(&directory, &event("b"), &LogSettings::default()).expect("it can be written");
        assert_eq!(mode(&path), 0o600);
        assert_eq!(fs::read_to_string(&path).expect("it can be read").lines().count(), 2);
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let (elsewhere, path) = (scratch.path().join("f"), scratch.path().join(CURRENT));
        std::os::unix::fs::symlink(&elsewhere, &path).expect("it can be written");
        assert!(append(scratch.path(), &event("a"), &LogSettings::default()).is_err());
        assert!(!elsewhere.exists());
        fs::remove_file(&path).expect("it is ours");
        fs::create_dir(&path).expect("it can be written");
        assert!(append(scratch.path(), &event("a"), &LogSettings::default()).is_err());
    }

    #[test]
    fn nothing_is_written_if_it_is_switched_off() {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let off = LogSettings { enabled: false, ..LogSettings::default() };
        append(scratch.path(), &event("a"), &off).expect("nothing went wrong");
        assert_eq!(fs::read_dir(scratch.path()).expect("it is there").count(), 0);
    }

    /// Many writers, and files so small that nearly every event puts one aside.
    #[test]
    fn writers_neither_mix_nor_lose_events_and_files_stay_bounded() {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let keep_all = LogSettings { file_bytes: 2_000, files: 10_000, ..LogSettings::default() };
        let directory = scratch.path();
        std::thread::scope(|threads| {
            for writer in 0..8 {
                let settings = &keep_all;
                threads.spawn(move || {
                    for number in 0..100 {
                        let agent = format!("{writer}-{number}");
                        append(directory, &event(&agent), settings).expect("it can be written");
                    }
                });
            }
        });
        let mut seen = std::collections::BTreeSet::new();
        let mut names: Vec<PathBuf> = files_aside(directory).expect("it can be listed");
        assert!(names.len() > 10, "{names:?}");
        names.push(directory.join(CURRENT));
        for file in names {
            for line in fs::read_to_string(&file).expect("it can be read").lines() {
                let event: Event = serde_json::from_str(line).expect("a whole event");
                assert!(seen.insert(event.agent), "twice: {line}");
            }
        }
        assert_eq!(seen.len(), 800);
        let few = LogSettings { file_bytes: 1, files: 3, ..LogSettings::default() };
        append(directory, &event("last"), &few).expect("it can be written");
        assert_eq!(files_aside(directory).expect("it can be listed").len(), 3);
    }
}
