//! Verbs that a configuration declares.
//!
//! What such an entry says of its tool nobody has measured. So it says what the tool does, and
//! lifts nothing: every word that may be a path leads into the project, none is a secret, none
//! steers agents, git or shells if the tool may write, and what no rule opens stays closed.

use super::command::Run;
use super::words::Listed;
use super::{Planned, Planner};
use crate::flow::argv;
use crate::plan::Role;
use crate::rules::{ceiling, moves_names, runs_code};
use crate::verbs::{self, Class, Inner, Part, Uses, Verb, Word};
use crate::verdict::Code;

impl Planner<'_> {
    /// The verb of this name: a shipped one, or else one that the configuration declares.
    pub(super) fn declared_verb(&self, name: &[u8]) -> Option<Verb<'_>> {
        verbs::find(name).or_else(|| self.policy.verbs.find(name))
    }

    /// Holds the words of a verb that a configuration declares against the scope, and against the
    /// ceilings. Those of a command that it runs are judged as that command's.
    pub(super) fn own(
        &self,
        verb: &Verb<'_>,
        listed: &Listed<'_>,
        uses: &Uses<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        if verb.entry.declared_in.is_none() {
            return;
        }
        let words = argv(run.words());
        planned.moves_names |= moves_names(&words);
        let reason = ceiling(&words, &self.policy.protected_branches);
        let code = "a declared verb runs no code that stands in its words".to_owned();
        let reason = reason.or_else(|| runs_code(&words).then_some(code));
        if let Some(note) = reason {
            planned.object(Code::Ceiling, run.span(0), note);
        }
        let roles: &[Role] = match verb.entry.class {
            Class::Read => &[Role::Read],
            Class::Build | Class::Edit => &[Role::Read, Role::Build],
        };
        let of_inner = |at: &usize| {
            let mut parts = uses.runs.iter().flat_map(|Inner(parts)| parts);
            parts.any(|part| matches!(part, Part::Word(word) if word == at))
        };
        for at in (1..listed.words.len()).filter(|at| !of_inner(at)) {
            let origin = listed.origin(at);
            // Names that another command finds are followed only where they are paths.
            let found = run.words()[origin].found().is_some();
            let followed = !found || uses.paths.iter().any(|it| it.word == at);
            match listed.words[at] {
                Word::Is(text) if followed => self.word(text, (origin, false), roles, run, planned),
                Word::Is(_) | Word::Begins(_) | Word::Counts(_) | Word::Integer => {
                    let note = format!("what '{}' gets here is not known", verb.name);
                    planned.object(Code::WordUnknown, run.span(origin), note);
                }
            }
        }
    }
}
