//! Where a `cd` may lead.
//!
//! POSIX describes `cd` in ten steps (XCU, cd); bash, dash and zsh follow them with differences,
//! all of which end in one of a few candidate directories. This computes the candidates and says
//! which of them the view rules out.

use super::states::{Place, Start};
use super::words::Room;
use crate::few::Few;
use crate::glance::Glance;
use crate::path::resolve::{Last, Resolved, Unresolved, resolve, way};
use crate::path::{Logical, LogicalWay, Physical};
use crate::request::{Dialects, Env};

/// What the file system, the environment and the start decide of a `cd`.
pub struct Surroundings<'a> {
    /// The glance at the file system.
    pub glance: &'a Glance<'a>,
    /// Where the line started.
    pub start: &'a Start,
    /// `$HOME`.
    pub home: Option<&'a [u8]>,
    /// `$CDPATH`, unless it is empty.
    pub cdpath: Option<&'a [u8]>,
    /// May the shell be bash or zsh, which try the operand as it is where its logical reading leads
    /// nowhere? (Seen: behind a link `l`, `cd ../y` goes to the `y` beside the link's target.)
    pub falls_back: bool,
    /// The shells that may run the line.
    pub shells: Dialects,
    /// Does `exit` certainly end the shell? An interactive one with jobs stays.
    pub exit_is_sure: bool,
    /// The room that expansions have.
    pub room: &'a Room,
    /// Does the view show what the line itself makes?
    pub sees_changes: bool,
    /// The variables that were seen set: assigning one of them reaches every program.
    pub inherited: &'a Env,
}

/// The outcome of a `cd` from one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CdTargets {
    /// Where the shell may be after it succeeded.
    pub reached: Few<Place>,
    /// Every directory that a shell looks at or tries to enter, whether it is there or not.
    pub tried: Few<Physical>,
    /// What else a shell looks at on the way: bash at every directory that the path names, bash and
    /// zsh at what stands before a `..`. As a rule they are ancestors of what is tried.
    pub looked_at: Vec<Physical>,
    /// May it fail, so that the shell stays where it is?
    pub may_fail: bool,
    /// Does it print where it went, so that it may also fail after it has moved?
    pub prints: bool,
    /// May it lead anywhere at all?
    pub unknown: bool,
    /// A path of it that cannot be resolved, and why.
    pub unresolved: Option<Unresolved>,
}

/// Logical (`-L`, the default) or physical (`-P`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Logical,
    Physical,
}

impl CdTargets {
    /// The outcome that nothing is known of.
    fn unknown() -> CdTargets {
        CdTargets { unknown: true, may_fail: true, ..CdTargets::default() }
    }

    /// Computes the outcome of `cd WORDS` from `place`. The words are those after `cd`.
    pub fn of(words: &[&[u8]], place: &Place, around: &Surroundings<'_>) -> CdTargets {
        let (mode, operands) = match words {
            [b"--", rest @ ..] | [b"-L", b"--", rest @ ..] => (Mode::Logical, rest),
            [b"-P", b"--", rest @ ..] => (Mode::Physical, rest),
            [b"-L", rest @ ..] => (Mode::Logical, rest),
            [b"-P", rest @ ..] => (Mode::Physical, rest),
            rest => (Mode::Logical, rest),
        };
        match operands {
            [] => match around.home {
                // POSIX leaves a relative $HOME open; zsh goes nowhere without one.
                Some(home) if home.starts_with(b"/") => Cd { place, around, mode }.to(home),
                _ => CdTargets::unknown(),
            },
            [b"-"] => Cd { place, around, mode }.back(),
            // Other options, and entries of the directory stack in zsh.
            [operand] if is_stack_or_option(operand) => CdTargets::unknown(),
            [b""] => Cd { place, around, mode }.stay(),
            [operand] => Cd { place, around, mode }.to(operand),
            // dash takes the first, zsh edits $PWD, bash refuses.
            _ => CdTargets::unknown(),
        }
    }
}

fn is_stack_or_option(operand: &[u8]) -> bool {
    matches!(operand, [b'-', _, ..] | [b'+', b'0'..=b'9', ..])
}

/// A `cd` with one operand.
struct Cd<'a> {
    place: &'a Place,
    around: &'a Surroundings<'a>,
    mode: Mode,
}

impl Cd<'_> {
    fn to(&self, operand: &[u8]) -> CdTargets {
        let mut targets = CdTargets { may_fail: true, ..CdTargets::default() };
        let Some(cdpath) = self.around.cdpath.filter(|_| is_searched(operand)) else {
            targets.may_fail = !self.candidate(operand, &mut targets);
            return targets;
        };
        // Shells differ in whether they try the cwd first, and dash gives up on a candidate that it
        // has seen and cannot enter by its logical name: any of these may be taken, or none.
        for directory in cdpath.split(|byte| *byte == b':') {
            // bash expands it, the others take it as a name.
            targets.unknown |= directory.starts_with(b"~");
            let mut path = directory.to_vec();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(operand);
            self.candidate(&path, &mut targets);
        }
        self.candidate(operand, &mut targets);
        targets.prints = true;
        targets
    }

    /// Adds where `operand` leads from the place. Is it certain that every shell gets there?
    fn candidate(&self, operand: &[u8], targets: &mut CdTargets) -> bool {
        let physical = self.resolve(&self.place.physical, operand);
        if self.mode == Mode::Physical {
            let whole = match operand.starts_with(b"/") {
                true => operand.to_vec(),
                false => [self.place.logical.text().1, b"/", operand].concat(),
            };
            targets.looked_at.extend(self.way(&whole));
            return match physical {
                Ok(resolved) => self.reach_physical(&resolved, targets),
                Err(error) => give_up(error, targets),
            };
        }
        let Some((logical, checked)) = self.logical(operand, targets) else {
            targets.unknown = true;
            return false;
        };
        let resolved = match self.resolve_logical(logical.text()) {
            Ok(resolved) => resolved,
            Err(error) => return give_up(error, targets),
        };
        targets.tried.push(resolved.path.clone());
        let logical = logical.end();
        self.look_along(&logical, &resolved.path, targets);
        let there = resolved.end.may_be_directory();
        if there {
            targets.reached.push(self.arrive(resolved.path.clone(), logical));
        }
        if there && checked && self.can_be_entered(&resolved) {
            return true;
        }
        if self.around.falls_back {
            // Behind a link, `..` then leads elsewhere.
            match physical {
                Ok(physical) => {
                    self.reach_physical(&physical, targets);
                }
                Err(error) => return give_up(error, targets),
            }
        }
        false
    }

    fn reach_physical(&self, resolved: &Resolved, targets: &mut CdTargets) -> bool {
        targets.tried.push(resolved.path.clone());
        if !resolved.end.may_be_directory() || resolved.unchecked {
            return false;
        }
        let logical = Logical::absolute(resolved.path.as_bytes());
        targets.reached.push(self.arrive(resolved.path.clone(), logical));
        self.can_be_entered(resolved)
    }

    /// Certainly, and under every name that a shell may have for it.
    fn can_be_entered(&self, resolved: &Resolved) -> bool {
        !resolved.unsure && self.around.glance.view().enterable(resolved.path.as_path())
    }

    /// `cd ''`. It succeeds and stays in every shell measured; POSIX of 2024 makes it an error.
    /// Some set `$OLDPWD` all the same, some search `$CDPATH` for it, and `-P` may change the name.
    fn stay(&self) -> CdTargets {
        if self.mode == Mode::Physical || self.around.cdpath.is_some() {
            return CdTargets::unknown();
        }
        let Place { physical, logical, .. } = self.place;
        let mut targets = CdTargets {
            reached: vec![self.place.clone(), self.arrive(physical.clone(), logical.clone())]
                .into(),
            tried: Few::one(physical.clone()),
            may_fail: true,
            ..CdTargets::default()
        };
        // bash looks at the whole of its name for the directory.
        self.look_along(logical, physical, &mut targets);
        targets
    }

    /// `cd -`.
    fn back(&self) -> CdTargets {
        let Some(previous) = &self.place.previous else { return CdTargets::unknown() };
        let mut targets = CdTargets { may_fail: true, prints: true, ..CdTargets::default() };
        match self.resolve_logical(previous.text().1) {
            Ok(resolved) => {
                targets.tried.push(resolved.path.clone());
                self.look_along(previous, &resolved.path, &mut targets);
                if resolved.end.may_be_directory() {
                    let logical = match self.mode {
                        Mode::Logical => previous.clone(),
                        Mode::Physical => Logical::absolute(resolved.path.as_bytes()),
                    };
                    targets.reached.push(self.arrive(resolved.path.clone(), logical));
                    targets.may_fail = !self.can_be_entered(&resolved);
                }
            }
            Err(error) => {
                give_up(error, &mut targets);
            }
        }
        targets
    }

    /// The logical path that the operand makes of the shell's own, and whether every name that a
    /// `..` removed is a directory: bash and zsh look, dash does not. `None`: it leads above a
    /// start whose name is not known.
    fn logical(&self, operand: &[u8], targets: &mut CdTargets) -> Option<(LogicalWay, bool)> {
        let mut path = match operand.starts_with(b"/") {
            true => LogicalWay::from_root(),
            false => LogicalWay::from(&self.place.logical),
        };
        let mut checked = true;
        // yash looks at it as the system has it, before it removes any name.
        if operand.windows(3).any(|part| part == b"/..") {
            let whole = self.resolve(&self.place.physical, operand);
            targets.looked_at.extend(whole.ok().map(|it| it.path));
        }
        for name in operand.split(|byte| *byte == b'/') {
            if name == b".." {
                let before = self.resolve_logical(path.text());
                checked &= before.as_ref().is_ok_and(|before| before.end.is_directory());
                targets.looked_at.extend(before.ok().map(|before| before.path));
            }
            path.step(name)?;
        }
        Some((path, checked))
    }

    /// bash looks at each directory of the path that it is about to enter. Without a link in it
    /// they are ancestors of where it leads, and say nothing new.
    fn look_along(&self, logical: &Logical, physical: &Physical, targets: &mut CdTargets) {
        let start = self.around.start.place.physical.as_bytes();
        let without_links = match logical.text() {
            (true, text) => text == physical.as_bytes(),
            (false, text) => {
                let below = physical.as_bytes().strip_prefix(start).unwrap_or_default();
                text == below.strip_prefix(b"/").unwrap_or(below)
            }
        };
        if without_links {
            return;
        }
        targets.looked_at.extend(self.way(logical.text().1));
    }

    /// The places on the way along this text, which is absolute or relative to the start.
    fn way(&self, text: &[u8]) -> Vec<Physical> {
        way(self.around.glance.view(), &self.around.start.place.physical, text)
    }

    /// Where a logical path leads, given as its text.
    fn resolve_logical(&self, text: &[u8]) -> Result<Resolved, Unresolved> {
        self.resolve(&self.around.start.place.physical, text)
    }

    fn resolve(&self, from: &Physical, text: &[u8]) -> Result<Resolved, Unresolved> {
        resolve(self.around.glance.view(), from, text, Last::Follow)
    }

    fn arrive(&self, physical: Physical, logical: Logical) -> Place {
        Place { physical, logical, previous: Some(self.place.logical.clone()) }
    }
}

/// A path that cannot be resolved leads nowhere that is known.
fn give_up(error: Unresolved, targets: &mut CdTargets) -> bool {
    targets.unknown = true;
    targets.unresolved = Some(error);
    false
}

/// Is `CDPATH` searched for this operand (POSIX cd, steps 4 and 5)?
fn is_searched(operand: &[u8]) -> bool {
    let first = operand.split(|byte| *byte == b'/').next().unwrap_or_default();
    !operand.starts_with(b"/") && first != b"." && first != b".."
}

impl CdTargets {
    /// A `cd` for somebody who believes that it moves nothing: a strawman's belief.
    pub(super) fn of_no_move(place: &Place) -> CdTargets {
        CdTargets { reached: Few::one(place.clone()), ..CdTargets::default() }
    }

    /// The same `cd` for somebody who believes that it cannot fail: a strawman's belief.
    pub(super) fn assume_success(
        mut self,
        words: &[&[u8]],
        place: &Place,
        around: &Surroundings<'_>,
    ) -> CdTargets {
        self.may_fail = false;
        if let (true, [operand]) = (self.reached.is_empty(), words) {
            let cd = Cd { place, around, mode: Mode::Logical };
            let logical = cd.logical(operand, &mut self).map(|(logical, _)| logical);
            let there =
                logical.and_then(|it| Some((cd.resolve_logical(it.text()).ok()?.path, it.end())));
            self.reached.extend(there.map(|(physical, logical)| cd.arrive(physical, logical)));
        }
        self
    }
}
