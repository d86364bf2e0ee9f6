//! A view with what a line itself changes laid over it.

use super::{FsView, Kind};
use crate::path::Physical;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What a line does to a place, at some time. The worse of two is what counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// It adds to the file, which stays one: what was in it still is.
    Extended,
    /// It writes the file that is there, which stays one; what is in it is not known any more.
    Rewritten,
    /// It puts a file or a directory there, and no link.
    Plain,
    /// It takes away what is there.
    Gone,
    /// It puts there what may be, or hold, a link.
    Anything,
}

/// All that a line changes: nothing, by nearly every command, and then this costs nothing to make
/// and to put away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes(Option<Box<Changed>>);

/// What is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Changed {
    places: BTreeMap<PathBuf, Change>,
    /// Those of them at which a directory may come to stand.
    trees: BTreeSet<PathBuf>,
}

impl Changed {
    const NOTHING: &'static Changed = &Changed { places: BTreeMap::new(), trees: BTreeSet::new() };
}

impl Changes {
    fn all(&self) -> &Changed {
        self.0.as_deref().unwrap_or(Changed::NOTHING)
    }

    fn all_mut(&mut self) -> &mut Changed {
        self.0.get_or_insert_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn add(&mut self, place: &Physical, change: Change) {
        self.set(place.as_path(), change);
    }

    /// The same, of what may be a directory.
    pub(crate) fn add_tree(&mut self, place: &Physical, change: Change) {
        self.add(place, change);
        self.all_mut().trees.insert(place.as_path().to_owned());
    }

    fn set(&mut self, place: &Path, change: Change) {
        let known = self.all_mut().places.entry(place.to_owned()).or_insert(change);
        *known = change.max(*known);
    }

    /// Is all of that known?
    pub(crate) fn has(&self, others: &Changes) -> bool {
        let (own, others) = (self.all(), others.all());
        let known = |(place, change): (&PathBuf, &Change)| own.places.get(place) >= Some(change);
        others.places.iter().all(known) && others.trees.is_subset(&own.trees)
    }

    pub(crate) fn join(&mut self, others: &Changes) {
        let Some(others) = &others.0 else { return };
        others.places.iter().for_each(|(place, change)| self.set(place, *change));
        self.all_mut().trees.extend(others.trees.iter().cloned());
    }

    /// May this directory, or one that it stands in, be taken away or moved?
    pub(crate) fn take_away(&self, directory: &Physical) -> bool {
        let mut taken = self.all().places.iter().filter(|(_, change)| **change >= Change::Gone);
        taken.any(|(place, _)| directory.as_path().starts_with(place))
    }
}

/// What another view shows, as it may be at any time while the line runs: before what it changes,
/// or after. A place that may be there or not, and is no link if it is, is [`Kind::Perhaps`]; one
/// of which it is not known where it leads cannot be looked at.
pub(crate) struct Overlay<'a> {
    view: &'a dyn FsView,
    changes: &'a Changes,
}

impl<'a> Overlay<'a> {
    pub(crate) fn over(view: &'a dyn FsView, changes: &'a Changes) -> Overlay<'a> {
        Overlay { view, changes }
    }

    fn change(&self, path: &Path) -> Option<Change> {
        self.changes.all().places.get(path).copied()
    }

    /// Does it stand below something that the line makes?
    fn is_below_made(&self, path: &Path) -> bool {
        path.ancestors().skip(1).any(|above| self.change(above) > Some(Change::Rewritten))
    }

    fn children<'s>(&'s self, directory: &'s Path) -> impl Iterator<Item = &'s Path> {
        let named =
            self.changes.all().places.iter().filter(|(_, change)| **change > Change::Rewritten);
        let changed = named.map(|(place, _)| place.as_path());
        changed.filter(move |place| place.parent() == Some(directory))
    }
}

impl FsView for Overlay<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let before = self.view.kind(path);
        match (self.change(path), before) {
            (Some(Change::Extended | Change::Rewritten), before) => before,
            // A directory that may be gone may also be there still, with links in it.
            (Some(Change::Anything), _)
            | (Some(_), Ok(Kind::Link))
            | (Some(Change::Gone), Ok(Kind::Dir)) => Err(io::ErrorKind::ResourceBusy.into()),
            // What makes a directory that is there leaves it there.
            (Some(Change::Plain), Ok(Kind::Dir)) => Ok(Kind::Dir),
            (Some(_), _) => Ok(Kind::Perhaps),
            (None, Err(error)) if missing(&error) && self.is_below_made(path) => Ok(Kind::Perhaps),
            (None, before) => before,
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.view.read_link(path)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        let mut names = match self.view.list(path, budget) {
            // A directory that the line makes holds what it puts there.
            Err(error) if missing(&error) && self.kind(path)? == Kind::Perhaps => Vec::new(),
            names => names?,
        };
        for made in self.children(path).filter_map(Path::file_name) {
            if !names.iter().any(|name| name == made) {
                names.push(made.to_owned());
            }
        }
        if names.len() > budget { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(names) }
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        match self.change(path) {
            Some(Change::Extended) | None => self.view.read(path, max),
            Some(_) => Err(io::ErrorKind::ResourceBusy.into()),
        }
    }

    fn enterable(&self, path: &Path) -> bool {
        self.change(path) <= Some(Change::Rewritten) && self.view.enterable(path)
    }

    fn is_steady(&self, path: &Path) -> bool {
        self.change(path) <= Some(Change::Rewritten)
            && !self.is_below_made(path)
            && self.children(path).next().is_none()
            && self.view.is_steady(path)
    }

    fn is_no_tree(&self, path: &Path) -> bool {
        !self.changes.all().trees.contains(path)
            && !self.is_below_made(path)
            && self.view.is_no_tree(path)
    }

    fn has_more(&self, path: &Path) -> bool {
        self.change(path) == Some(Change::Extended) || self.view.has_more(path)
    }

    fn sees(&self) -> bool {
        self.view.sees()
    }
}

fn missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::resolve::{End, Last, Unresolved, resolve};
    use crate::view::MemoryView;

    #[test]
    fn what_is_changed_may_be_there_or_not() {
        let mut view = MemoryView::default();
        view.file("/p/f", "").dir("/p/d").link("/p/l", "d").file("/p/d/x", "");
        let at = |text: &[u8]| {
            resolve(&view, &Physical::root(), text, Last::Keep).expect("it is there").path
        };
        let mut changes = Changes::default();
        for (path, change) in [
            (&b"/p/new"[..], Change::Plain),
            (b"/p/f", Change::Gone),
            (b"/p/d", Change::Plain),
            (b"/p/l", Change::Gone),
            (b"/p/any", Change::Anything),
            (b"/p/d/x", Change::Rewritten),
        ] {
            changes.add(&at(path), change);
        }
        let overlay = Overlay::over(&view, &changes);
        let found = |text: &str| {
            resolve(&overlay, &Physical::root(), text.as_bytes(), Last::Follow).map(|it| it.end)
        };
        assert_eq!(found("/p/new/a"), Ok(End::Found(Kind::Perhaps)));
        assert_eq!(found("/p/f"), Ok(End::Found(Kind::Perhaps)));
        assert_eq!(found("/p/d"), Ok(End::Found(Kind::Dir)));
        assert_eq!(found("/p/d/x"), Ok(End::Found(Kind::File)));
        assert!(
            overlay.read(Path::new("/p/d/x"), 9).is_err()
                && view.read(Path::new("/p/d/x"), 9).is_ok()
        );
        assert_eq!(found("/p/d/y"), Ok(End::Found(Kind::Perhaps)));
        assert_eq!(found("/p/l/x"), Err(Unresolved::Changed));
        assert_eq!(found("/p/any/x"), Err(Unresolved::Changed));
        assert!(changes.take_away(&at(b"/p/any/below")) && !changes.take_away(&at(b"/p/new")));
        let names = overlay.list(Path::new("/p"), 9).expect("it is listed");
        assert_eq!(names.len(), 5, "{names:?}");
        assert!(!overlay.is_steady(Path::new("/p")));
    }
}
