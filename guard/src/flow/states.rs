//! Sets of places in which a shell may be.

use super::words::Variables;
use crate::path::resolve::{Last, resolve};
use crate::path::{Logical, Physical};
use crate::plan::Cwds;
use crate::view::FsView;
use std::os::unix::ffi::OsStrExt;

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
    /// The first place.
    pub place: Place,
}

impl Start {
    /// Resolves the start directory. A `$PWD` that does not lead there is ignored, as shells do
    /// (POSIX 2.5.3). The error is a sentence.
    pub fn new(cwd: crate::request::Cwd<'_>, view: &dyn FsView) -> Result<Start, String> {
        let shown = cwd.dir.display();
        if !cwd.dir.is_absolute() {
            return Err(format!("the start directory '{shown}' is not absolute"));
        }
        let at = |text: &[u8]| resolve(view, &Physical::root(), text, Last::Follow);
        let resolved = at(cwd.dir.as_os_str().as_bytes())
            .map_err(|error| format!("the start directory '{shown}' {}", error.why()))?;
        let there = resolved.end.is_directory();
        if resolved.unchecked || !there {
            return Err(format!("the start directory '{shown}' is no directory"));
        }
        let leads_there = |text: &[u8]| at(text).is_ok_and(|there| there.path == resolved.path);
        let pwd = cwd.pwd.filter(|pwd| pwd.is_absolute()).map(|pwd| pwd.as_os_str().as_bytes());
        let logical = match pwd.filter(|text| leads_there(text)) {
            Some(text) => named(text, leads_there)?,
            None => Logical::start(),
        };
        Ok(Start { place: Place { physical: resolved.path, logical, previous: None } })
    }
}

/// What shells call the directory that `text`, their `$PWD`, leads to. With `.`, `..` or empty
/// names in it they differ: dash goes by the text, bash tidies it first, zsh does not take it.
/// Where the tidy text leads elsewhere, bash is mistaken about its own directory.
fn named(text: &[u8], leads_there: impl Fn(&[u8]) -> bool) -> Result<Logical, String> {
    let logical = Logical::absolute(text);
    let (_, tidy) = logical.text();
    match text {
        text if text == tidy => Ok(logical),
        _ if leads_there(&tidy) => Ok(Logical::start()),
        _ => Err(format!(
            "the start directory's $PWD '{}' does not mean the same to every shell",
            String::from_utf8_lossy(text)
        )),
    }
}

/// A set of places, whether the shell may also be anywhere else, and what is known of its variables
/// in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct States {
    places: Vec<Place>,
    anywhere: bool,
    variables: Variables,
}

impl States {
    /// No place: a command that starts in none of them is never reached.
    pub fn none() -> States {
        States::default()
    }

    /// Exactly this place, with no variable known.
    pub fn one(place: Place) -> States {
        States { places: vec![place], ..States::default() }
    }

    /// The same, but only this place.
    pub(super) fn only(&self, place: &Place) -> States {
        let variables = self.variables.clone();
        States { places: vec![place.clone()], anywhere: false, variables }
    }

    /// No place, but with these variables: for what a `cd` reaches.
    pub(super) fn nowhere(&self) -> States {
        States { variables: self.variables.clone(), ..States::default() }
    }

    /// May the shell also be where no known place is?
    pub fn is_anywhere(&self) -> bool {
        self.anywhere
    }

    /// Can this not be reached at all?
    pub(super) fn is_none(&self) -> bool {
        self.places.is_empty() && !self.anywhere
    }

    /// The known places.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// What is known of variables.
    pub(super) fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The same, for what sets one.
    pub(super) fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }

    /// Adds a place; a set that grows too large becomes unknown.
    pub fn add(&mut self, place: Place) {
        if let Err(at) = self.places.binary_search(&place) {
            if self.places.len() == PLACES_MAX {
                self.give_up();
            } else if !self.anywhere {
                self.places.insert(at, place);
            }
        }
    }

    /// Adds all places of `other`. What is known of a variable is what holds in both.
    pub fn join(&mut self, other: States) {
        if other.is_none() {
            return;
        }
        if self.is_none() {
            *self = other;
            return;
        }
        self.variables.join(&other.variables);
        if other.anywhere {
            self.give_up();
        }
        other.places.into_iter().for_each(|place| self.add(place));
    }

    /// The shell may be anywhere from here on.
    pub fn give_up(&mut self) {
        self.places.clear();
        self.anywhere = true;
    }

    /// The shell may be anywhere, and its variables anything.
    pub(super) fn forget(&mut self) {
        self.give_up();
        self.variables = Variables::default();
    }

    /// The physical directories, for a plan.
    pub fn cwds(&self) -> Cwds {
        if self.anywhere {
            return Cwds::Unknown;
        }
        let mut list: Vec<Physical> = self.places.iter().map(|p| p.physical.clone()).collect();
        list.dedup();
        Cwds::Known(list)
    }
}
