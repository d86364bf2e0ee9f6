//! `<( … )` as a word of a command: the name of a pipe, which is no file of any directory.

use super::words::{Listed, PIPE};
use super::{Planned, Planner};
use crate::flow::{States, Word};
use crate::path::resolve::{Last, resolve};
use crate::plan::Role;
use crate::span::Span;
use crate::verbs::{self, Class, Use, Uses, Verb, Why};
use crate::verdict::Code;

/// The word that names a pipe where the verb does something else with it than to read it, if it
/// does not take any text there.
pub(super) fn misplaced_pipe(
    verb: &Verb<'_>,
    listed: &Listed<'_>,
    uses: &Uses<'_>,
    words: &[Word<'_>],
) -> Option<usize> {
    let is_pipe = |at: &usize| matches!(words[listed.origin(*at)], Word::Pipe);
    let mut pipes = (0..listed.words.len()).filter(is_pipe);
    let first = pipes.next()?;
    // A tool that builds may run what it reads.
    if verb.entry.class == Class::Build || !uses.written.is_empty() || uses.repository.is_some() {
        return Some(first);
    }
    std::iter::once(first).chain(pipes).find(|at| {
        let mut named = uses.paths.iter().filter(|it| it.word == *at);
        let reads = |it: &Use<'_>| {
            it.text.starts_with(PIPE) && matches!(it.role, Role::Read | Role::List | Role::Test)
        };
        match verbs::uses(verb, &listed.unknown_at(*at)) {
            Ok(_) => false,
            Err(it) => it.word != *at || it.why != Why::UnknownPath || !named.all(reads),
        }
    })
}

/// Is it the pipe that this word names, or what would stand in it if it were a directory?
pub(super) fn is_of_pipe(used: &Use<'_>, word: &Word<'_>) -> bool {
    matches!(word, Word::Pipe) && used.text.starts_with(PIPE)
}

impl Planner<'_> {
    /// What a pipe is called is not known, so that nothing in a directory may be called like it.
    pub(super) fn no_entry_named_by_pipe(
        &self,
        used: &Use<'_>,
        words: &[Word<'_>],
        states: &States,
        span: Span,
        planned: &mut Planned,
    ) {
        let Some(directory) = used.text.strip_suffix(b"/63").filter(|_| used.may) else { return };
        if !self.view.sees() || !words.iter().any(|word| matches!(word, Word::Pipe)) {
            return;
        }
        let is_none = |from| {
            let there = resolve(self.view, from, directory, Last::Follow);
            there.is_ok_and(|it| !it.end.may_be_directory())
        };
        if !states.places().iter().all(|place| is_none(&place.physical)) {
            let note = "which entry of this directory is read is not known".to_owned();
            planned.object(Code::WordUnknown, span, note);
        }
    }
}
