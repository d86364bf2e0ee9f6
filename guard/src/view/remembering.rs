//! A view that looks at each place once, and not at too many.

use super::{FsView, Kind};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// How many places one decision looks at. A line of 64 KiB can name more, but no line that a person
/// would not want to look at does.
const LOOKS_MAX: usize = 20_000;

/// Remembers what another view has answered, for the time of one decision: a line that names the
/// same directory again and again costs one look, and all its segments see the same tree. Over the
/// budget every answer is [`io::ErrorKind::QuotaExceeded`].
pub struct Remembering<'a> {
    view: &'a dyn FsView,
    kinds: RefCell<HashMap<PathBuf, Result<Kind, io::ErrorKind>>>,
    links: RefCell<HashMap<PathBuf, PathBuf>>,
    lists: RefCell<HashMap<PathBuf, Vec<OsString>>>,
    looks: Cell<usize>,
}

impl<'a> Remembering<'a> {
    /// Remembers nothing yet.
    pub fn new(view: &'a dyn FsView) -> Remembering<'a> {
        Remembering {
            view,
            kinds: RefCell::default(),
            links: RefCell::default(),
            lists: RefCell::default(),
            looks: Cell::new(0),
        }
    }

    fn look(&self) -> io::Result<()> {
        self.looks.set(self.looks.get() + 1);
        match self.looks.get() > LOOKS_MAX {
            true => Err(io::ErrorKind::QuotaExceeded.into()),
            false => Ok(()),
        }
    }
}

impl FsView for Remembering<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        // A view that sees nothing has nothing to remember.
        if !self.view.sees() {
            return self.view.kind(path);
        }
        if let Some(known) = self.kinds.borrow().get(path) {
            return known.map_err(io::Error::from);
        }
        self.look()?;
        let kind = self.view.kind(path).map_err(|error| error.kind());
        self.kinds.borrow_mut().insert(path.to_owned(), kind);
        kind.map_err(io::Error::from)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        if let Some(known) = self.links.borrow().get(path) {
            return Ok(known.clone());
        }
        self.look()?;
        let target = self.view.read_link(path)?;
        self.links.borrow_mut().insert(path.to_owned(), target.clone());
        Ok(target)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        if let Some(known) = self.lists.borrow().get(path) {
            return match known.len() > budget {
                true => Err(io::ErrorKind::FileTooLarge.into()),
                false => Ok(known.clone()),
            };
        }
        self.look()?;
        let names = self.view.list(path, budget)?;
        self.lists.borrow_mut().insert(path.to_owned(), names.clone());
        Ok(names)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.look()?;
        self.view.read(path, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.look().is_ok() && self.view.enterable(path)
    }

    fn sees(&self) -> bool {
        self.view.sees()
    }
}
