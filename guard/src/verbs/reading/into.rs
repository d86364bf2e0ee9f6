//! Operands that go somewhere: where the last one says, or an option.

use super::{Places, Reading};
use crate::plan::Role;
use crate::verbs::grammar::{Effects, Meaning};
use crate::verbs::uses::{Objection, Use, Why, Word};
use crate::verbs::writing::{self, Named};

impl<'w> Reading<'_, 'w> {
    /// Operands that go where the last one says, or an option.
    pub(super) fn going_into(
        &mut self,
        operands: &mut Places,
        words: &[Word<'w>],
        paths: &mut Vec<Use<'w>>,
    ) -> Result<(), Objection> {
        let meaning = self.options.operands.rest.as_ref().unwrap_or(&Meaning::Write);
        let named = |word: usize| match words[word].whole() {
            Some(text) => Ok(Named { word, text, meaning }),
            None => Err(Objection { word, why: Why::UnknownPath }),
        };
        let target = match (self.target.take(), &operands[..]) {
            (Some(target), _) => target,
            (None, [.., last]) => named(*last)?,
            (None, []) => return Err(Objection { word: 0, why: Why::Missing }),
        };
        if !matches!(target.meaning, Meaning::Into) {
            operands.pop();
        }
        let sources = operands.iter().map(|word| named(*word)).collect::<Result<Vec<_>, _>>()?;
        // A copy goes through a device, and leaves it as it is.
        if target.text == b"/dev/null" && copies(meaning) && words.len() == 3 {
            return Ok(());
        }
        if self.effects.has(Effects::COMPARES) {
            let looked_at = |it: &Named<'_, 'w>| Use::of(it.word, it.text, Role::Test);
            paths.extend(sources.iter().map(looked_at).map(|it| Use { may: true, ..it }));
        }
        let relative = self.effects.has(Effects::RELATIVE);
        writing::into(&sources, &target, relative, &mut self.uses, paths)
            .map_err(|(word, why)| Objection { word, why })
    }
}

/// Is it what is read of what goes elsewhere?
fn copies(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Path { .. })
}
