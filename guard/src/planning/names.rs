//! Names that one command prints and another reads: what comes out of `find` and into `xargs`.

use super::Planner;
use super::words::lists;
use crate::flow::{Place, Step, Word};
use crate::reach::{are_files, are_plain, selects_secrets_below};
use crate::repository;
use crate::syntax::tree::{Redirection, Target, Text};
use crate::verbs::{Number, Output, output};

impl Planner<'_> {
    /// What the words are that `xargs` makes of what this step prints. `exact`: are names ended by
    /// NUL? Otherwise none may hold what `xargs` takes apart.
    pub(super) fn printed(&self, step: Option<usize>, exact: bool, number: Number) -> Word<'_> {
        let one = number == Number::One;
        let unknown = if one { Word::One(Text::default()) } else { Word::Many };
        let Some(step) = step.map(|step| &self.steps[step]) else { return unknown };
        let Some((paths, bare)) = self.names(step, exact) else { return unknown };
        let places = step.states.places();
        match exact || are_plain(self.glance, places, &paths, bare) {
            true => Word::Below { paths: paths.into(), number },
            false => unknown,
        }
    }

    /// The paths at or below which the names stand that a step prints, and whether they do not
    /// begin with them.
    fn names<'s>(
        &'s self,
        step: &'s Step<'_>,
        exact_wanted: bool,
    ) -> Option<(Vec<Text<'s>>, bool)> {
        let mixed = step.simple.redirections.iter().any(mixes_in);
        // Behind a prefix it may be no command at all.
        if mixed || step.states.is_anywhere() || step.simple.prefix.is_some() {
            return None;
        }
        let [reading] = &step.readings[..] else { return None };
        let [listed] = &lists(&reading.words)?[..] else { return None };
        match output(&listed.words) {
            Output::Names { below, bare, exact, tracked, globs } if exact == exact_wanted => {
                let plain =
                    |place: &Place| repository::tracks_plain_names(self.view, &place.physical);
                let shown = !tracked || step.states.places().iter().all(plain);
                let places = step.states.places();
                let secret = selects_secrets_below(self.view, places, &below, &globs);
                (shown && !secret).then_some((below, bare))
            }
            Output::Entries(of) if !exact_wanted => {
                are_files(self.view, step.states.places(), &of).then_some((of, false))
            }
            Output::Lines if !exact_wanted => self.names(&self.steps[step.input?], false),
            _ => None,
        }
    }
}

/// Does a redirection change what is read, or add messages to what is printed?
fn mixes_in(redirection: &Redirection<'_>) -> bool {
    match &redirection.target {
        Target::Write(word) => redirection.descriptor != 2 || *word.text != *b"/dev/null",
        Target::Duplicate(_)
        | Target::Close
        | Target::Read(_)
        | Target::Document(_)
        | Target::Text(_) => true,
    }
}
