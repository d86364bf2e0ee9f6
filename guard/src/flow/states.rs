//! Sets of places in which a shell may be.

use super::words::{Value, Variables};
use crate::few::Few;
use crate::path::resolve::{Last, resolve};
use crate::path::{Logical, Physical};
use crate::plan::Cwds;
use crate::view::FsView;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

/// How many places a set holds before it is given up as unknown. Real lines reach three or four.
const PLACES_MAX: usize = 16;

/// Where a shell is: physically, by the name it uses, and where it was before its last `cd`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The directory.
    pub physical: Physical,
    /// What the shell calls it.
    pub logical: Logical,
    /// `$OLDPWD`, if a `cd` of this line has set it. What it was before, a shell may have inherited
    /// or, as zsh does, made up.
    pub previous: Option<Logical>,
}

/// The directory the line starts in.
#[derive(Clone, Debug)]
pub struct Start {
    /// The first place; the root of all, if it is not known.
    pub place: Place,
    is_known: bool,
}

impl Start {
    /// Resolves the start directory. A `$PWD` that does not lead there is ignored, as shells do
    /// (POSIX 2.5.3). The error is a sentence.
    pub fn new(cwd: crate::request::Cwd<'_>, view: &dyn FsView) -> Result<Start, String> {
        let shown = cwd.dir.display();
        if cwd.dir.as_os_str().is_empty() {
            let (physical, logical) = (Physical::root(), Logical::start());
            let place = Place { physical, logical, previous: None };
            return Ok(Start { place, is_known: false });
        }
        if !cwd.dir.is_absolute() {
            return Err(format!("the start directory '{shown}' is not absolute"));
        }
        let at = |text: &[u8]| resolve(view, &Physical::root(), text, Last::Follow);
        let dir = cwd.dir.as_os_str().as_bytes();
        let resolved =
            at(dir).map_err(|error| format!("the start directory '{shown}' {}", error.why()))?;
        let there = resolved.end.is_directory();
        if resolved.unchecked || !there {
            return Err(format!("the start directory '{shown}' is no directory"));
        }
        let leads_there =
            |text: &[u8]| text == dir || at(text).is_ok_and(|there| there.path == resolved.path);
        let pwd = cwd.pwd.filter(|pwd| pwd.is_absolute()).map(|pwd| pwd.as_os_str().as_bytes());
        let logical = match pwd.filter(|text| leads_there(text)) {
            Some(text) => named(text, leads_there)?,
            None => Logical::start(),
        };
        let place = Place { physical: resolved.path, logical, previous: None };
        Ok(Start { place, is_known: true })
    }

    /// Where the first command starts.
    pub fn states(&self) -> States {
        match self.is_known {
            true => States::one(self.place.clone()),
            false => {
                let mut states = States::none();
                states.give_up();
                states
            }
        }
    }
}

/// What shells call the directory that `text`, their `$PWD`, leads to. With `.`, `..` or empty
/// names in it they differ: dash goes by the text, bash tidies it first, zsh does not take it.
/// Where the tidy text leads elsewhere, bash is mistaken about its own directory.
fn named(text: &[u8], leads_there: impl Fn(&[u8]) -> bool) -> Result<Logical, String> {
    let logical = Logical::absolute(text);
    match logical.text() {
        (_, tidy) if text == tidy => Ok(logical),
        (_, tidy) if leads_there(tidy) => Ok(Logical::start()),
        _ => Err(format!(
            "the start directory's $PWD '{}' does not mean the same to every shell",
            String::from_utf8_lossy(text)
        )),
    }
}

/// A set of places, whether the shell may also be anywhere else, and what is known of its variables
/// in all of them.
///
/// Cheap to copy: most commands leave the shell as it was, and then all that is said of it is
/// shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct States {
    /// Nothing for what is never reached.
    set: Option<Rc<Set>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Set {
    places: Few<Place>,
    anywhere: bool,
    variables: Variables,
}

/// What is known of variables where no command can be reached.
static NO_VARIABLES: Variables = Variables::new();

impl States {
    /// No place: a command that starts in none of them is never reached.
    pub fn none() -> States {
        States::default()
    }

    /// Exactly this place, with no variable known.
    pub fn one(place: Place) -> States {
        Set { places: Few::one(place), ..Set::default() }.into()
    }

    fn set_mut(&mut self) -> &mut Set {
        Rc::make_mut(self.set.get_or_insert_default())
    }

    /// The same, but only this place.
    pub(super) fn only(&self, place: &Place) -> States {
        if self.places() == std::slice::from_ref(place) {
            return self.clone();
        }
        let variables = self.variables().clone();
        Set { places: Few::one(place.clone()), anywhere: false, variables }.into()
    }

    /// No place, but with these variables: for what a `cd` reaches.
    pub(super) fn nowhere(&self) -> States {
        match self.variables().is_empty() {
            true => States::none(),
            false => Set { variables: self.variables().clone(), ..Set::default() }.into(),
        }
    }

    /// May the shell also be where no known place is?
    pub fn is_anywhere(&self) -> bool {
        self.set.as_ref().is_some_and(|set| set.anywhere)
    }

    /// Can this not be reached at all?
    pub(super) fn is_none(&self) -> bool {
        self.places().is_empty() && !self.is_anywhere()
    }

    /// The known places.
    pub fn places(&self) -> &[Place] {
        self.set.as_ref().map_or(&[], |set| &set.places)
    }

    /// What is known of variables.
    pub(super) fn variables(&self) -> &Variables {
        self.set.as_ref().map_or(&NO_VARIABLES, |set| &set.variables)
    }

    /// From here on the variable has this value; `None` for any.
    pub(super) fn assign(&mut self, name: &[u8], value: Option<Value>) {
        // Of most variables nothing is known, before and after.
        if value.is_some() || self.variables().value(name).is_some() {
            self.set_mut().variables.set(name, value);
        }
    }

    /// Adds a place; a set that grows too large becomes unknown.
    pub fn add(&mut self, place: Place) {
        if let Err(at) = self.places().binary_search(&place) {
            if self.places().len() == PLACES_MAX {
                self.give_up();
            } else if !self.is_anywhere() {
                self.set_mut().places.insert(at, place);
            }
        }
    }

    /// Adds all places of `other`. What is known of a variable is what holds in both.
    pub fn join(&mut self, other: States) {
        let shared = match (&self.set, &other.set) {
            (Some(own), Some(others)) => Rc::ptr_eq(own, others),
            _ => false,
        };
        if shared || other.is_none() {
            return;
        }
        if self.is_none() {
            *self = other;
            return;
        }
        if self.variables() != other.variables() {
            self.set_mut().variables.join(other.variables());
        }
        if other.is_anywhere() {
            self.give_up();
        }
        other.places().iter().for_each(|place| self.add(place.clone()));
    }

    /// The shell may be anywhere from here on.
    pub fn give_up(&mut self) {
        if !self.is_anywhere() {
            let set = self.set_mut();
            set.places.clear();
            set.anywhere = true;
        }
    }

    /// The shell may be anywhere, and its variables anything.
    pub(super) fn forget(&mut self) {
        self.give_up();
        if !self.variables().is_empty() {
            self.set_mut().variables = Variables::new();
        }
    }

    /// Of numbers that have changed since `before`, takes it that they may be any. Has anything
    /// changed?
    pub(super) fn widen(&mut self, before: &States) -> bool {
        self.variables() != before.variables() && self.set_mut().variables.widen(before.variables())
    }

    /// The physical directories, for a plan.
    pub fn cwds(&self) -> Cwds {
        if self.is_anywhere() {
            return Cwds::Unknown;
        }
        // Places are sorted, so that those in one directory follow one another.
        let mut list: Few<Physical> = Few::new();
        for Place { physical, .. } in self.places() {
            if list.last() != Some(physical) {
                list.push(physical.clone());
            }
        }
        Cwds::Known(list)
    }
}

impl From<Set> for States {
    fn from(set: Set) -> States {
        States { set: Some(Rc::new(set)) }
    }
}
