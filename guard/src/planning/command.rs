//! What a command does with its words, as the catalogue has it.

use super::paths::Named;
use super::words::{Listed, lists};
use super::{Planned, Planner, lossy};
use crate::flow::{Reading, States, Word};
use crate::plan::{PlanWord, Role, Segment};
use crate::request::Profile;
use crate::span::Span;
use crate::syntax::tree::Simple;
use crate::syntax::{is_conditional, may_be_run};
use crate::verbs::{self, Class, Inner, Verb};
use crate::verdict::Code;

/// A command as one reading has it: all of its words, or those from one on that another command
/// runs.
pub(super) struct Run<'a> {
    words: &'a [Word],
    /// Which word of the reading is the first.
    first: usize,
    /// How many commands run it: 0 for what the shell runs.
    depth: usize,
    reading: &'a Reading,
    simple: &'a Simple,
}

impl<'a> Run<'a> {
    pub(super) fn of(reading: &'a Reading, simple: &'a Simple) -> Run<'a> {
        Run { words: &reading.words, first: 0, depth: 0, reading, simple }
    }

    pub(super) fn states(&self) -> &States {
        &self.reading.states
    }

    pub(super) fn span(&self, word: usize) -> Span {
        self.reading.span(self.first + word, self.simple)
    }
}

/// How many commands may run one another.
const DEPTH_MAX: usize = 8;

impl Planner<'_> {
    pub(super) fn command(&self, run: &Run<'_>, planned: &mut Planned) {
        let Some(Word::Is(name)) = run.words.first() else {
            let note = "which command this runs is not known before the line does".to_owned();
            return planned.object(Code::WordUnknown, run.span(0), note);
        };
        if name.contains(&b'/') {
            let (role, span) = (Role::Exec, run.span(0));
            let named = Named { text: name, role, under: false, may: false, span };
            self.path(&named, &run.reading.states, planned);
        }
        if run.depth > 0 && (!may_be_run(name) || run.depth > DEPTH_MAX) {
            planned.opaque = planned.opaque.or(Some(run.span(0)));
            return;
        }
        let objections = planned.objections.len();
        self.verb(name, run, planned);
        // What such a command runs is known only if all of its words are.
        if is_conditional(name) && planned.objections.len() > objections {
            planned.opaque = planned.opaque.or(Some(run.span(0)));
        }
    }

    fn verb(&self, name: &[u8], run: &Run<'_>, planned: &mut Planned) {
        let shown = lossy(name);
        let Some(verb) = verbs::find(name) else {
            let note = format!("'{shown}' is not among the declared verbs");
            return planned.object(Code::UndeclaredVerb, run.span(0), note);
        };
        if verb.entry.class == Class::Build {
            self.may_build(verb, run, planned);
        }
        if verb.takes_any_words() {
            return;
        }
        self.no_option(run, planned);
        let Some(lists) = lists(run.words) else {
            let at = run.words.iter().position(|word| *word == Word::Many).unwrap_or(0);
            let note = format!("what '{shown}' uses here is not known before the line runs");
            return planned.object(Code::WordUnknown, run.span(at), note);
        };
        for words in lists {
            self.uses(verb, &words, run, planned);
        }
    }

    /// Is building declared, and does nothing of the environment change what is built?
    fn may_build(&self, verb: &Verb, run: &Run<'_>, planned: &mut Planned) {
        let name = verb.name;
        if self.profile < Profile::ReadBuild {
            let note = format!("'{name}' builds, and only verbs that read are declared");
            planned.object(Code::UndeclaredVerb, run.span(0), note);
        }
        let mut governing = verb.entry.governed_by.iter();
        if let Some(variable) = governing.find(|it| self.env.contains_key(it.as_bytes())) {
            let note = format!("the inherited variable {variable} changes what '{name}' does");
            planned.object(Code::Environment, run.span(0), note);
        }
        self.builds(run, planned);
    }

    /// A name that a pattern matches must not be one that a tool takes for an option.
    fn no_option(&self, run: &Run<'_>, planned: &mut Planned) {
        for (index, word) in run.words.iter().enumerate() {
            match word {
                Word::Is(text) if text == b"--" => return,
                Word::Names(names) => {
                    let Some(name) = names.iter().find(|name| name.starts_with(b"-")) else {
                        continue;
                    };
                    let note = format!("the pattern matches '{}', which is an option", lossy(name));
                    planned.object(Code::PatternOption, run.span(index), note);
                }
                _ => {}
            }
        }
    }

    fn uses(&self, verb: &Verb, listed: &Listed<'_>, run: &Run<'_>, planned: &mut Planned) {
        let origin = |word: usize| listed.origins.get(word).copied().unwrap_or(0);
        let uses = match verbs::uses(verb, &listed.words) {
            Ok(uses) => uses,
            Err(objection) => {
                let (at, why) = (objection.word, objection.why);
                let unknown = why.is_unknown();
                let code = if unknown { Code::WordUnknown } else { Code::UndeclaredOption };
                let note = why.note(&lossy(listed.words[at].known()), verb.name);
                return planned.object(code, run.span(origin(at)), note);
            }
        };
        let states = &run.reading.states;
        for it in &uses.paths {
            let span = run.span(origin(it.word));
            if it.along {
                self.along(states, span, planned);
            }
            let (role, under, may) = (it.role, it.under, it.may);
            let named = Named { text: &it.text, role, under, may, span };
            self.path(&named, states, planned);
            if it.way {
                self.on_the_way(&named, states, planned);
            }
            if it.follow {
                self.below(&named, states, planned);
            }
        }
        self.upward(&uses, run, planned);
        self.bins(&uses, &listed.words, run, planned);
        for Inner { words, more } in &uses.runs {
            let from = origin(words.start);
            let to = words.end.checked_sub(1).map_or(from, |last| origin(last) + 1);
            self.inner(run, from..to.max(from), *more, planned);
        }
    }

    /// What the command runs: a segment of its own, judged like any other.
    fn inner(
        &self,
        run: &Run<'_>,
        words: std::ops::Range<usize>,
        more: bool,
        planned: &mut Planned,
    ) {
        let (from, mut words) = (words.start, run.words[words].to_vec());
        words.extend(more.then_some(Word::Many));
        planned.segments.push(Segment {
            span: run.simple.span,
            cwd: run.reading.states.cwds(),
            argv: words.iter().flat_map(Word::plan).collect::<Vec<PlanWord>>(),
            paths: Vec::new(),
            reading: None,
        });
        let first = run.first + from;
        let (reading, simple) = (run.reading, run.simple);
        let inner = Run { words: &words, first, depth: run.depth + 1, reading, simple };
        self.command(&inner, planned);
    }
}
