//! Words that a tool hands on, to what it runs: they may be paths, or names of programs.

use super::Reading;
use crate::plan::Role;
use crate::verbs::free;
use crate::verbs::grammar::{Effects, Meaning};
use crate::verbs::uses::{Objection, Use, Why};

impl<'w> Reading<'_, 'w> {
    /// Adds what a word may name that is no path in every case. Tools expand `~` in some places.
    pub(super) fn free(&mut self, word: usize, text: &'w [u8]) -> Result<(), Objection> {
        if free::is_no_text(text) {
            return Err(Objection { word, why: Why::Undeclared });
        }
        for path in free::paths(text) {
            if path.starts_with(b"~") {
                return Err(Objection { word, why: Why::UnknownPath });
            }
            let named = self.named(word, path, Role::Read);
            self.uses.paths.push(Use { may: true, ..named });
        }
        Ok(())
    }

    /// A name that may be that of a program.
    pub(super) fn script(&mut self, word: usize, meaning: &Meaning) {
        let is_one = matches!(meaning, Meaning::Script(_)) && !self.effects.has(Effects::SELECTS);
        self.uses.scripts.extend(is_one.then_some(word));
    }
}
