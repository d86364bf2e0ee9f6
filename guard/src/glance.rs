//! One glance at the file system, for one decision or for several.

use crate::path::Physical;
use crate::repository::{self, Place};
use crate::verbs::InRepository;
use crate::view::{FsView, Remembering};
use std::cell::RefCell;
use std::rc::Rc;

/// What a view has shown, each place once.
///
/// A decision needs one glance, and so do several that are asked for at once: nobody waits for the
/// first answer before asking for the second, so that nothing is meant to have changed in between.
/// Whoever keeps a glance longer decides about a tree that is no more.
pub struct Glance<'v> {
    view: Remembering<'v>,
    /// What git uses that starts in these directories, and does so much there.
    repositories: RefCell<Vec<Repository>>,
}

/// What is known of git in one directory.
struct Repository {
    from: Physical,
    form: Form,
    used: Rc<InUse>,
    /// How many looks that took, and the decision that has paid for them.
    looks: usize,
    paid: u32,
}

/// What a form of git does in a repository: looks at linked worktrees, refreshes the index.
type Form = (bool, bool);

/// The places that git uses, or what stands against running it.
type InUse = Result<Vec<Place>, String>;

impl<'v> Glance<'v> {
    /// Through this view, from now on.
    pub fn at(view: &'v dyn FsView) -> Glance<'v> {
        Glance { view: Remembering::new(view), repositories: RefCell::default() }
    }

    /// What it shows.
    pub(crate) fn view(&self) -> &(dyn FsView + 'v) {
        &self.view
    }

    /// The next decision begins.
    pub(crate) fn begin(&self) {
        self.view.begin();
    }

    /// What git uses that starts in this directory.
    pub(crate) fn repository(&self, from: &Physical, form: &InRepository<'_>) -> Rc<InUse> {
        let does = (form.worktrees, form.refreshes);
        let is = |known: &&mut Repository| known.from == *from && known.form == does;
        if let Some(known) = self.repositories.borrow_mut().iter_mut().find(is)
            && self.view.pay(known.looks, &mut known.paid).is_ok()
        {
            return Rc::clone(&known.used);
        }
        let before = self.view.looks();
        let used = Rc::new(repository::used_from(&self.view, from, form));
        // What one decision had no budget left for, another may have.
        if !self.view.is_spent() {
            let (looks, paid) = (self.view.looks() - before, self.view.decision());
            let (from, used) = (from.clone(), Rc::clone(&used));
            self.repositories.borrow_mut().push(Repository { from, form: does, used, looks, paid });
        }
        used
    }
}
