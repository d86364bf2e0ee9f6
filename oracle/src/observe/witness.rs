//! The file system's own witness: what it says was opened, read, written, made and removed.
//!
//! It shares nothing with the observer: no filter, no table of calls, no reading of memory, no
//! resolving. The kernel tells (inotify(7)) what happened to the entries of the planted
//! directories, by whatever call, and each of these events must have a touch of the same place in
//! the record. It says less than the observer: nothing of what only looks (`stat`), enters or
//! fails, nothing outside the tree, nothing of directories that the run itself has made.

use super::Record;
use crate::system::files::c_string;
use crate::system::watch::{Event, Watch, Watcher};
use crate::trace::TouchKind;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Watches the directories that stand below a place.
#[derive(Debug)]
pub(crate) struct Witness {
    watcher: Watcher,
    directories: HashMap<Watch, Vec<u8>>,
}

impl Witness {
    /// Watches from now on.
    pub(crate) fn watch(top: &Path) -> io::Result<Witness> {
        let mut witness = Witness { watcher: Watcher::new()?, directories: HashMap::new() };
        let mut left = vec![top.to_owned()];
        while let Some(directory) = left.pop() {
            let path = directory.as_os_str().as_bytes().to_vec();
            witness.directories.insert(witness.watcher.watch(&c_string(path.clone())?)?, path);
            for entry in fs::read_dir(&directory)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    left.push(entry.path());
                }
            }
        }
        // What the walk itself did.
        witness.watcher.events()?;
        Ok(witness)
    }

    /// The places of which something happened that the record does not tell.
    pub(crate) fn unseen(mut self, record: &Record) -> io::Result<BTreeSet<String>> {
        let events = self.watcher.events()?;
        // What happens in a directory that was renamed is told with its old name.
        let moves = events.iter().filter(|event| event.moves_directory());
        let moved: Vec<Vec<u8>> = moves.filter_map(|event| self.path(event)).collect();
        let told = Told::of(record);
        let mut unseen = BTreeSet::new();
        for event in &events {
            let Some(path) = self.path(event) else { continue };
            let renamed = moved.iter().any(|directory| is_below(&path, directory));
            if !told.tells(&path, event, renamed) {
                let what = if event.changes() { "changed" } else { "opened or read" };
                unseen.insert(format!("{} was {what}", path.escape_ascii()));
            }
        }
        Ok(unseen)
    }

    /// The place of an event; `None` for those of a directory itself, of which its parent tells as
    /// well.
    fn path(&self, event: &Event) -> Option<Vec<u8>> {
        let directory = self.directories.get(&event.watch)?;
        let named = !event.name.is_empty();
        named.then(|| [directory.as_slice(), b"/", event.name.as_slice()].concat())
    }
}

/// The places that a record tells of.
struct Told<'a> {
    written: HashSet<&'a [u8]>,
    opened: HashSet<&'a [u8]>,
    /// Is there a touch of which the place is not known?
    anywhere: bool,
}

impl<'a> Told<'a> {
    fn of(record: &'a Record) -> Told<'a> {
        let places = |kinds: &[TouchKind]| {
            let touches = record.touches.iter().filter(|touch| kinds.contains(&touch.kind));
            touches.map(|touch| touch.resolved.as_bytes()).collect()
        };
        use TouchKind::{Exec, List, Read, Write};
        Told {
            written: places(&[Write]),
            opened: places(&[List, Read, Write, Exec]),
            anywhere: record.touches.iter().any(|touch| !touch.is_resolved()),
        }
    }

    fn tells(&self, path: &[u8], event: &Event, renamed: bool) -> bool {
        let places = if event.changes() { &self.written } else { &self.opened };
        if self.anywhere || places.contains(path) {
            return true;
        }
        let (directory, name) = path.split_at(path.len() - event.name.len() - 1);
        // A file without a name (open(2), O_TMPFILE) shows as `#` and a number.
        (event.name.starts_with(b"#") && self.written.contains(directory))
            || (renamed && places.iter().any(|place| place.ends_with(name)))
    }
}

fn is_below(path: &[u8], directory: &[u8]) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Touch;
    use std::process::Command;

    fn touch(kind: TouchKind, path: &Path) -> Touch {
        let path = path.as_os_str().as_bytes();
        Touch { pid: 1, kind, text: path.into(), resolved: path.into(), existed: true }
    }

    fn told(touches: Vec<Touch>) -> Record {
        let mut record = Record::default();
        record.touches = touches;
        record
    }

    /// Each access is missed if nothing tells of it, and not if something does.
    #[test]
    fn what_nobody_tells_is_unseen() {
        use TouchKind::{Exec, List, Read, Test, Write};
        type Access = fn(&Path);
        let accesses: [(&str, TouchKind, Access); 7] = [
            ("file", Read, |file| drop(fs::read(file).unwrap())),
            ("file", Write, |file| fs::write(file, "new").unwrap()),
            ("file", Write, |file| fs::remove_file(file).unwrap()),
            ("new", Write, |file| fs::create_dir(file).unwrap()),
            ("sub", List, |directory| assert_eq!(fs::read_dir(directory).unwrap().count(), 1)),
            ("sub/deep", Read, |file| drop(fs::read(file).unwrap())),
            ("tool", Exec, |file| assert!(Command::new(file).status().unwrap().success())),
        ];
        for (name, kind, access) in accesses {
            let top = tempfile::tempdir().unwrap();
            fs::create_dir(top.path().join("sub")).unwrap();
            for file in ["file", "sub/deep"] {
                fs::write(top.path().join(file), "text").unwrap();
            }
            fs::copy("/bin/true", top.path().join("tool")).unwrap();
            let place = top.path().join(name);
            let witness = Witness::watch(top.path()).unwrap();
            access(&place);
            // Having looked at it is not enough.
            let unseen = witness.unseen(&told(vec![touch(Test, &place)])).unwrap();
            assert!(!unseen.is_empty(), "{kind:?} of {name}");
            assert!(unseen.iter().all(|it| it.contains(name)), "{unseen:?}");
        }
    }

    #[test]
    fn what_the_record_tells_is_not_unseen() {
        use TouchKind::{Read, Write};
        let top = tempfile::tempdir().unwrap();
        let place = |name: &str| top.path().join(name);
        fs::create_dir(place("sub")).unwrap();
        fs::write(place("sub/file"), "text").unwrap();
        let witness = Witness::watch(top.path()).unwrap();
        fs::rename(place("sub"), place("moved")).unwrap();
        drop(fs::read(place("moved/file")).unwrap());
        let record = told(vec![
            touch(Write, &place("sub")),
            touch(Write, &place("moved")),
            touch(Read, &place("moved/file")),
        ]);
        assert_eq!(witness.unseen(&record).unwrap(), BTreeSet::new());
    }
}
