//! Views that do not show all of a tree.

use shfence::{FsView, Kind, MemoryView};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Takes every link for what it leads to.
pub(super) fn without_links(view: MemoryView) -> Box<dyn FsView> {
    Box::new(LinkBlind(view))
}

/// Takes every link that leads to nothing for nothing.
pub(super) fn without_dangling_links(view: MemoryView) -> Box<dyn FsView> {
    Box::new(DanglingBlind(view))
}

/// How many links one path may lead through.
const LINK_BUDGET: usize = 40;

/// Where the path leads, so that what is behind a link is seen as if it were there.
fn behind(view: &MemoryView, path: &Path, budget: usize) -> io::Result<PathBuf> {
    let mut at = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => drop(at.pop()),
            Component::Normal(name) => at.push(name),
            _ => {}
        }
        if view.kind(&at)? == Kind::Link {
            let budget = budget.checked_sub(1).ok_or(io::ErrorKind::NotFound)?;
            let target = view.read_link(&at)?;
            at.pop();
            at = behind(view, &at.join(target), budget)?;
        }
    }
    Ok(at)
}

struct LinkBlind(MemoryView);

impl LinkBlind {
    fn behind(&self, path: &Path) -> io::Result<PathBuf> {
        behind(&self.0, path, LINK_BUDGET)
    }
}

impl FsView for LinkBlind {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.0.kind(&self.behind(path)?)
    }

    fn read_link(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::InvalidInput.into())
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        self.0.list(&self.behind(path)?, budget)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.0.read(&self.behind(path)?, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.kind(path).is_ok_and(|kind| kind == Kind::Dir)
    }
}

struct DanglingBlind(MemoryView);

impl FsView for DanglingBlind {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        match self.0.kind(path)? {
            // Where it leads in a circle, that is what is seen.
            Kind::Link => match behind(&self.0, path, LINK_BUDGET) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
                _ => Ok(Kind::Link),
            },
            kind => Ok(kind),
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.read_link(path)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        self.0.list(path, budget)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.0.read(path, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.0.enterable(path)
    }
}
