//! One glance at the file system, for one decision or for several.

use crate::below::{self, Met};
use crate::flow;
use crate::path::Physical;
use crate::path::resolve::{Last, Unresolved, resolve};
use crate::protected::selects;
use crate::reach::{self, Links, Names};
use crate::repository::{self, Place, Tracked};
use crate::scope::{Scope, ScopeError};
use crate::secrets::{self, Depth};
use crate::syntax::tree::Text;
use crate::verbs::{Form, FoundNames, Search, Secret, Selected};
use crate::view::{FsView, Remembering};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a view has shown, each place once.
///
/// A decision needs one glance, and so do several that are asked for at once: nobody waits for the
/// first answer before asking for the second, so that nothing is meant to have changed in between.
/// Whoever keeps a glance longer decides about a tree that is no more.
pub struct Glance<'v> {
    view: Remembering<'v>,
    /// What git uses that starts in a directory, in a form that does these things.
    repositories: Found<(Physical, Form), Result<Vec<Place>, String>>,
    /// What git tracks that starts in a directory.
    tracked: Found<Physical, Option<Tracked>>,
    /// Are all names below a directory plain, by what of them is asked?
    plain: Found<(Physical, Names), bool>,
    /// Where links in a directory lead.
    links: Found<(Physical, Links, Vec<Physical>), Result<reach::LedTo, Unresolved>>,
    /// The secrets in or below a directory, with these names among them.
    secrets: Found<(Physical, Depth, Vec<String>), BTreeSet<Secret>>,
    /// What tools come to that go down from some directories, in a scope of these roots.
    met: Found<Descent, Met>,
}

/// From where, for what, and how far.
type Descent = (BTreeSet<Physical>, &'static Search, Vec<Physical>);

impl<'v> Glance<'v> {
    /// Through this view, from now on.
    pub fn at(view: &'v dyn FsView) -> Glance<'v> {
        Glance {
            view: Remembering::new(view),
            repositories: Found::default(),
            tracked: Found::default(),
            plain: Found::default(),
            links: Found::default(),
            secrets: Found::default(),
            met: Found::default(),
        }
    }

    /// The scope of these roots, as it shows them.
    pub fn scope(&self, roots: &[PathBuf]) -> Result<Scope, ScopeError> {
        Scope::new(roots, &self.view)
    }

    /// Where the directory at an absolute path really is. `None`: there is none.
    pub fn directory(&self, path: &Path) -> Option<PathBuf> {
        let text = path.is_absolute().then_some(path.as_os_str().as_bytes())?;
        let there = resolve(&self.view, &Physical::root(), text, Last::Follow).ok()?;
        let is_directory = there.end.is_directory() && !there.unchecked;
        is_directory.then(|| there.path.as_path().to_owned())
    }

    /// What it shows.
    pub(crate) fn view(&self) -> &(dyn FsView + 'v) {
        &self.view
    }

    /// The next decision begins.
    pub(crate) fn begin(&self) {
        self.view.begin();
    }

    /// What git uses that starts in this directory, or what stands against running it there.
    pub(crate) fn repository(&self, from: &Physical, form: Form) -> Rc<Result<Vec<Place>, String>> {
        let key = (from.clone(), form);
        self.repositories.get(&self.view, key, || repository::used_from(&self.view, from, form))
    }

    /// See [`repository::tracked`].
    fn tracked(&self, from: &Physical) -> Option<Tracked> {
        *self.tracked.get(&self.view, from.clone(), || repository::tracked(&self.view, from))
    }

    /// These names, which git tracks. Nothing comes back if that cannot be told, or if one of them
    /// means more.
    pub(crate) fn tracked_names<'a>(
        &self,
        places: &[flow::Place],
        mut found: FoundNames<'a>,
    ) -> Option<FoundNames<'a>> {
        let mut secrets = !self.view.sees();
        for place in places {
            let tracked = self.tracked(&place.physical)?;
            found.which.follow |= tracked.behind_links;
            secrets |= tracked.secrets;
        }
        found.which = found.which.and(Selected::TRACKED);
        if !secrets {
            found.which = found.which.and(Selected::NO_SECRETS);
        }
        Some(found)
    }

    /// See [`reach::all_plain_below`].
    pub(crate) fn all_plain_below(&self, top: &Physical, names: Names) -> bool {
        let key = (top.clone(), names);
        *self.plain.get(&self.view, key, || reach::all_plain_below(&self.view, top, names))
    }

    /// From every one of these places: is every name plain that stands where these are found, as
    /// [`reach::all_plain_below`] has it?
    pub(crate) fn are_plain(
        &self,
        places: &[flow::Place],
        found: &FoundNames<'_>,
        bare: bool,
    ) -> bool {
        let names = Names { bare, follow: found.which.follow };
        places.iter().all(|place| {
            found.paths.iter().all(|path| {
                let top = resolve(&self.view, &place.physical, path, Last::Follow);
                reach::is_plain(path) && top.is_ok_and(|top| self.all_plain_below(&top.path, names))
            })
        })
    }

    /// See [`secrets::secrets`].
    pub(crate) fn secrets(
        &self,
        top: &Physical,
        depth: Depth,
        names: &[String],
    ) -> Rc<BTreeSet<Secret>> {
        let key = (top.clone(), depth, names.to_vec());
        self.secrets.get(&self.view, key, || secrets::secrets(&self.view, top, depth, names))
    }

    /// From one of these places: is there a secret at or below these paths, and a glob that selects
    /// it?
    pub(crate) fn selects_secrets_below(
        &self,
        places: &[flow::Place],
        paths: &[Text<'_>],
        globs: &[Vec<u8>],
    ) -> bool {
        let is_selected = |secret: &Secret| globs.iter().any(|glob| selects(glob, &secret.name));
        let selects_below =
            |top: &Physical| self.secrets(top, Depth::Below, &[]).iter().any(is_selected);
        !globs.is_empty()
            && self.view.sees()
            && places.iter().any(|place| {
                paths.iter().any(|path| {
                    let top = resolve(&self.view, &place.physical, path, Last::Keep);
                    top.is_ok_and(|top| selects_below(&top.path))
                })
            })
    }

    /// See [`below::met`].
    pub(crate) fn met(
        &self,
        scope: &Scope,
        search: &'static Search,
        tops: &BTreeSet<Physical>,
    ) -> Rc<Met> {
        let key = (tops.clone(), search, scope.roots().to_vec());
        self.met.get(&self.view, key, || below::met(&self.view, scope, search, tops))
    }

    /// See [`reach::links_below`].
    pub(crate) fn links_below(
        &self,
        scope: &Scope,
        top: &Physical,
        which: &Links,
    ) -> Rc<Result<reach::LedTo, Unresolved>> {
        let key = (top.clone(), which.clone(), scope.roots().to_vec());
        self.links.get(&self.view, key, || reach::links_below(&self.view, scope, top, which))
    }
}

/// What was found out with many looks.
struct Found<K, V>(RefCell<Vec<Finding<K, V>>>);

struct Finding<K, V> {
    about: K,
    found: Rc<V>,
    /// How many looks that took, and the decision that has paid for them.
    looks: usize,
    paid: u32,
}

impl<K, V> Default for Found<K, V> {
    fn default() -> Found<K, V> {
        Found(RefCell::default())
    }
}

impl<K: PartialEq, V> Found<K, V> {
    fn get(&self, view: &Remembering<'_>, about: K, find: impl FnOnce() -> V) -> Rc<V> {
        if let Some(known) = self.0.borrow_mut().iter_mut().find(|known| known.about == about)
            && view.pay(known.looks, &mut known.paid).is_ok()
        {
            return Rc::clone(&known.found);
        }
        let before = view.looks();
        let found = Rc::new(find());
        // What one decision had no budget left for, another may have.
        if !view.is_spent() {
            let (looks, paid) = (view.looks() - before, view.decision());
            let found = Rc::clone(&found);
            self.0.borrow_mut().push(Finding { about, found, looks, paid });
        }
        found
    }
}
