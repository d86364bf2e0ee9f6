//! Names that one command prints and another reads: what comes out of `find` and into `xargs`.

use super::Planner;
use super::words::lists;
use crate::flow::{Step, Word};
use crate::reach::are_files;
use crate::syntax::tree::{Redirection, Target, Text};
use crate::verbs::{FoundNames, Number, Output, Selected, output};

impl Planner<'_> {
    /// What the words are that `xargs` makes of what this step prints. `exact`: are names ended by
    /// NUL? Otherwise none may hold what `xargs` takes apart.
    pub(super) fn printed(&self, step: Option<usize>, exact: bool, number: Number) -> Word<'_> {
        let one = number == Number::One;
        let unknown = if one { Word::One(Text::default()) } else { Word::Many };
        let Some(step) = step.map(|step| &self.steps[step]) else { return unknown };
        let Some((found, bare)) = self.names(step, exact) else { return unknown };
        let places = step.states.places();
        match exact || self.glance.are_plain(places, &found, bare) {
            true => Word::Found { found: found.into(), number },
            false => unknown,
        }
    }

    /// The names that a step prints, and whether they do not begin with the paths at or below which
    /// they stand.
    fn names<'s>(
        &'s self,
        step: &'s Step<'_>,
        exact_wanted: bool,
    ) -> Option<(FoundNames<'s>, bool)> {
        let mixed = step.simple.redirections.iter().any(mixes_in);
        // Behind a prefix it may be no command at all.
        if mixed || step.states.is_anywhere() || step.simple.prefix.is_some() {
            return None;
        }
        let [reading] = &step.readings[..] else { return None };
        let [listed] = &lists(&reading.words)?[..] else { return None };
        match output(&listed.words) {
            Output::Names { found, bare, exact, tracked, globs } if exact == exact_wanted => {
                let places = step.states.places();
                let found = match tracked {
                    true => self.glance.tracked_names(places, found)?,
                    false => found,
                };
                let secret = self.glance.selects_secrets_below(places, &found.paths, &globs);
                (!secret).then_some((found, bare))
            }
            Output::Entries(of) if !exact_wanted => {
                let are_files = are_files(self.view, step.states.places(), &of);
                are_files.then(|| (FoundNames { paths: of.into(), which: Selected::SEEN }, false))
            }
            Output::Lines(which) if !exact_wanted => {
                let (found, bare) = self.names(&self.steps[step.input?], false)?;
                Some((FoundNames { which: found.which.and(which), ..found }, bare))
            }
            _ => None,
        }
    }
}

/// Does a redirection change what is read, or add messages to what is printed?
fn mixes_in(redirection: &Redirection<'_>) -> bool {
    match &redirection.target {
        Target::Write(file) => {
            redirection.descriptor != 2 || file.literal().is_none_or(|text| **text != *b"/dev/null")
        }
        Target::Duplicate(_)
        | Target::Close
        | Target::Read(_)
        | Target::Document(_)
        | Target::Text(_) => true,
    }
}
