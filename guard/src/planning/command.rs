//! What a command does with its words, as the catalogue has it.

use super::paths::Named;
use super::patterns::may_lead_up;
use super::piped::{is_of_pipe, misplaced_pipe};
use super::words::{Listed, lists};
use super::{Planned, Planner, argv, lossy};
use crate::environment;
use crate::flow::{Reading, States, Step, Word};
use crate::path::resolve::{Last, resolve};
use crate::plan::{Role, Segment};
use crate::reach::Links;
use crate::request::Profile;
use crate::secrets::Depth;
use crate::semantics::{Inner as RunByOthers, Walks};
use crate::span::Span;
use crate::syntax::tree::{Simple, Target};
use crate::syntax::{Construct, is_conditional, may_be_run};
use crate::verbs::{self, Class, Inner, Part, Selected, Use, Uses, Verb, Why};
use crate::verdict::Code;

/// A command as one reading has it: all of its words, or those from one on that another command
/// runs.
pub(super) struct Run<'a> {
    words: &'a [Word<'a>],
    /// How many commands run it: 0 for what the shell runs.
    depth: usize,
    reading: &'a Reading<'a>,
    simple: &'a Simple<'a>,
    /// The step whose output it reads.
    input: Option<usize>,
    /// See [`Step::fed`].
    fed: bool,
}

impl<'a> Run<'a> {
    pub(super) fn of(reading: &'a Reading<'a>, step: &'a Step<'a>) -> Run<'a> {
        let Step { simple, input, fed, .. } = *step;
        Run { words: &reading.words, depth: 0, reading, simple, input, fed }
    }

    pub(super) fn words(&self) -> &[Word<'_>] {
        self.words
    }

    pub(super) fn states(&self) -> &States {
        &self.reading.states
    }

    pub(super) fn span(&self, word: usize) -> Span {
        match self.depth {
            0 => self.reading.span(word, self.simple),
            _ => self.simple.span,
        }
    }
}

/// It is not known what a command does.
struct Unknown;

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
            planned.stop(Construct::OpaqueCommand, run.span(0));
            return;
        }
        if (!self.env.is_empty() || self.home.is_some_and(environment::is_relative))
            && let Some(verb) = self.declared_verb(name)
            && let Some(note) = environment::objection_to(&verb, self.env, self.home)
        {
            planned.object(Code::Environment, run.span(0), note);
        }
        let before = planned.objections.len();
        if let Err(Unknown) = self.verb(name, run, planned)
            && is_conditional(name)
        {
            planned.stop(Construct::OpaqueCommand, run.span(0));
        } else if let Some(rule) = self.opening(run) {
            self.open(rule, run, before, planned);
        }
    }

    /// What a verb uses. The error: it is not known what these words make it do.
    fn verb(&self, name: &[u8], run: &Run<'_>, planned: &mut Planned) -> Result<(), Unknown> {
        let form = if self.may_edit() { self.edit_form(name, run) } else { None };
        let verb = &match (form, self.declared_verb(name)) {
            (Some(form), _) => form,
            (None, Some(verb)) if verb.entry.class != Class::Edit || self.may_edit() => verb,
            (None, other) => {
                let what = match other {
                    Some(_) => "changes files, which only the profile 'edit' declares",
                    None => "is not among the declared verbs",
                };
                let note = format!("'{}' {what}", lossy(name));
                planned.object(Code::UndeclaredVerb, run.span(0), note);
                return Err(Unknown);
            }
        };
        if verb.entry.class == Class::Build {
            self.may_build(verb, run, planned);
        }
        if verb.entry.silent && !is_silenced(run.simple) {
            let note = format!("'{}' may write to a file that it makes", verb.name);
            planned.object(Code::UndeclaredOption, run.span(0), note);
        }
        if verb.takes_any_words() {
            self.leaves_lines_whole(name == b"tr", run, planned);
            return Ok(());
        }
        self.no_option(run, planned);
        let Some(lists) = lists(run.words) else {
            let many = |word: &Word<'_>| matches!(word, Word::Many);
            let at = run.words.iter().position(many).unwrap_or(0);
            let note = format!("what '{}' uses here is not known before the line runs", verb.name);
            planned.object(Code::WordUnknown, run.span(at), note);
            return Err(Unknown);
        };
        lists.iter().try_for_each(|words| self.uses(verb, words, run, planned))
    }

    fn may_edit(&self) -> bool {
        self.policy.profile >= Profile::Edit
    }

    /// The form of a verb in which it edits, if there is one that has these words.
    fn edit_form(&self, name: &[u8], run: &Run<'_>) -> Option<Verb<'static>> {
        let form = verbs::find_edit(name)?;
        let has = |listed: &Listed<'_>| verbs::uses(&form, &listed.words).is_ok();
        lists(run.words)?.iter().all(has).then_some(form)
    }

    /// Is building declared?
    fn may_build(&self, verb: &Verb<'_>, run: &Run<'_>, planned: &mut Planned) {
        let name = verb.name;
        if self.policy.profile < Profile::ReadBuild {
            let note = format!("'{name}' builds, and only verbs that read are declared");
            planned.object(Code::UndeclaredVerb, run.span(0), note);
        }
        self.builds(run, planned);
    }

    /// A name that a pattern matches must not be one that a tool takes for an option.
    pub(super) fn no_option(&self, run: &Run<'_>, planned: &mut Planned) {
        for (index, word) in run.words.iter().enumerate() {
            match word {
                Word::Is(text) if **text == *b"--" => return,
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

    /// What the words are to the verb, if all of them are declared.
    fn declared<'w>(
        &self,
        verb: &Verb<'_>,
        listed: &Listed<'w>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) -> Result<Uses<'w>, Unknown> {
        let uses = match verbs::uses(verb, &listed.words) {
            Ok(uses) => uses,
            Err(objection) => {
                let (at, why) = (objection.word, objection.why);
                let unknown = why.is_unknown();
                let code = if unknown { Code::WordUnknown } else { Code::UndeclaredOption };
                let note = why.note(&lossy(listed.words[at].known()), verb.name);
                planned.object(code, run.span(listed.origin(at)), note);
                return Err(Unknown);
            }
        };
        if uses.edits && !self.may_edit() {
            let name = verb.name;
            let note = format!("this '{name}' changes something: only in 'edit' is it declared");
            planned.object(Code::UndeclaredOption, run.span(0), note);
            return Err(Unknown);
        }
        let pipe = misplaced_pipe(verb, listed, &uses, run.words);
        if let Some(at) = misplaced(verb, listed, &uses, run).or(pipe) {
            let note = format!("which names '{}' gets here is not known", verb.name);
            planned.object(Code::WordUnknown, run.span(listed.origin(at)), note);
            return Err(Unknown);
        }
        Ok(uses)
    }

    fn uses(
        &self,
        verb: &Verb<'_>,
        listed: &Listed<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) -> Result<(), Unknown> {
        let origin = |word: usize| listed.origin(word);
        let uses = self.declared(verb, listed, run, planned)?;
        self.own(verb, listed, &uses, run, planned);
        if verb.entry.class == Class::Build || verb.entry.rewrites.is_some() {
            for it in &uses.paths {
                taken_otherwise(verb, it, run.span(origin(it.word)), planned);
            }
        }
        let states = &run.reading.states;
        for it in &uses.paths {
            let span = run.span(origin(it.word));
            if is_of_pipe(it, &run.words[origin(it.word)]) {
                continue;
            }
            self.no_entry_named_by_pipe(it, run.words, states, span, planned);
            if it.along {
                self.along(states, span, planned);
            }
            // Names that a command finds are any below where it looks, links among them.
            let found = run.words[origin(it.word)].found();
            let (role, under, may) = (it.role, it.under || found.is_some(), it.may);
            let named = Named { text: &it.text, role, under, may, span };
            self.path(&named, states, planned);
            if verb.entry.class == Class::Build {
                self.path_by_text(&named, states, planned);
            }
            if it.way {
                self.on_the_way(&named, states, planned);
            }
            if let Some(which) = read_by_name(verb, it, found, &uses) {
                self.found_secrets(it, &which, (run, span), planned);
            }
            if let Some(links) = followed(it, found).filter(|_| self.view.sees())
                && self.semantics.walks == Walks::MayFollow
            {
                self.below(&named, &links, states, planned);
            }
        }
        self.leaves_lines_whole(may_read(verb, &uses), run, planned);
        self.all_written(&uses, listed, run, planned);
        if let Some(used) = &uses.repository {
            self.repository(used, states, run.span(0), planned);
        }
        self.upward(verb, &uses, &listed.words, run, planned);
        self.rewrites(verb, &uses, run, planned);
        self.bins(&uses.bins, &listed.words, run, planned);
        self.scripts(&uses, listed, run, planned);
        self.selected(&uses, run, planned);
        for Inner(parts) in &uses.runs {
            let words = parts.iter().map(|part| self.part(part, listed, run));
            self.inner(run, &words.collect::<Vec<_>>(), planned);
        }
        self.above(verb, states, run.span(0), planned);
        self.own_files(verb, run.span(0), planned);
        Ok(())
    }

    /// Where a loop goes through lines that are known, nobody else may take a part of one.
    pub(super) fn leaves_lines_whole(&self, may_read: bool, run: &Run<'_>, planned: &mut Planned) {
        if run.fed && may_read {
            let note = "this may take a part of what the loop around it reads".to_owned();
            planned.object(Code::WordUnknown, run.span(0), note);
        }
    }

    /// A word of a command that is run.
    fn part<'r>(&'r self, part: &Part<'r>, listed: &Listed<'_>, run: &'r Run<'_>) -> Word<'r> {
        match part {
            Part::Word(word) => run.words[listed.origin(*word)].clone(),
            Part::Holding(begins) => Word::One(begins.clone()),
            Part::Found { found, number } => {
                Word::Found { found: found.clone().into(), number: *number }
            }
            Part::Input { number, exact } => self.printed(run.input, *exact, *number),
        }
    }

    /// What is found below a path, and read by its name, must not be a secret.
    fn found_secrets(
        &self,
        it: &Use<'_>,
        which: &Selected,
        (run, span): (&Run<'_>, Span),
        planned: &mut Planned,
    ) {
        let flat = which.flat && !(it.under || it.follow || it.entries);
        for place in run.states().places().iter().filter(|_| self.view.sees()) {
            let Ok(top) = resolve(self.view, &place.physical, &it.text, Last::Follow) else {
                continue; // said where the path itself is resolved
            };
            let depth = if flat { Depth::Here } else { Depth::Below };
            let secrets = self.glance.secrets(&top.path, depth, &self.policy.protected_names);
            if let Some(secret) = secrets.iter().find(|it| which.may_be_secret(it)) {
                let note =
                    format!("'{}' may be among what is found and read here", lossy(&secret.name));
                return planned.object(Code::Protected, span, note);
            }
        }
    }

    /// What is found, and handed to a command, must not have been selected for a secret's name.
    fn selected(&self, uses: &Uses<'_>, run: &Run<'_>, planned: &mut Planned) {
        if uses.runs.is_empty() {
            return;
        }
        let starts = uses.paths.iter().filter(|it| it.under);
        let below: Vec<_> = starts.map(|it| it.text.clone()).collect();
        let places = run.states().places();
        if self.glance.selects_secrets_below(places, &below, &uses.globs) {
            let note = "what is found here may hold a secret".to_owned();
            planned.object(Code::Protected, run.span(0), note);
        }
    }

    /// What the command runs: a segment of its own, judged like any other.
    pub(super) fn inner(&self, run: &Run<'_>, words: &[Word<'_>], planned: &mut Planned) {
        planned.segments.push(Segment {
            span: run.simple.span,
            cwd: run.reading.states.cwds(),
            argv: argv(words),
            paths: Vec::new(),
            reading: None,
        });
        if let (RunByOthers::HarmlessOf(harmless), Some(Word::Is(name))) =
            (self.semantics.inner, run.words.first())
            && **name == *harmless.as_bytes()
        {
            return;
        }
        let (reading, simple) = (run.reading, run.simple);
        let (depth, fed) = (run.depth + 1, run.fed);
        let inner = Run { words, depth, reading, simple, input: None, fed };
        self.command(&inner, planned);
    }
}

/// May it read what comes in? `rg` without a path looks into a pipe, and of what builds, or what a
/// configuration declares, nobody knows.
fn may_read(verb: &Verb<'_>, uses: &Uses<'_>) -> bool {
    let named = || uses.paths.iter().any(|it| it.word > 0);
    let is_input = |it: &Use<'_>| it.text.starts_with(b"/dev/");
    uses.stdin
        || uses.paths.iter().any(is_input)
        || verb.entry.class == Class::Build
        || verb.entry.declared_in.is_some()
        || (verb.name == "rg" && !named())
}

/// Which of the files that nobody has named does it read, and not only search?
fn read_by_name(
    verb: &Verb<'_>,
    used: &Use<'_>,
    found: Option<&Selected>,
    uses: &Uses<'_>,
) -> Option<Selected> {
    let reads = used.role == Role::Read && !verb.entry.searches;
    // git passes over them where it is not told their names; what builds knows its own.
    let all_below = used.under && uses.repository.is_none() && verb.entry.class == Class::Read;
    let which = found.cloned().or(all_below.then_some(Selected::ANY));
    which.filter(|_| reads)
}

/// The links that a command follows in or below a path: names that another command finds are those
/// of links as well.
fn followed(used: &Use<'_>, found: Option<&Selected>) -> Option<Links> {
    match found {
        _ if used.follow => Some(Links::Below),
        // Any directory below may be one that it looks into.
        Some(_) if used.entries => Some(Links::Below),
        Some(which) => Some(Links::found(which)),
        None => used.entries.then_some(Links::In),
    }
}

/// A tool that builds may run what comes in, and take a name for another one.
fn taken_otherwise(verb: &Verb<'_>, named: &Use<'_>, span: Span, planned: &mut Planned) {
    if *named.text == *b"/dev/stdin" {
        let note = format!("'{}' may run what comes in", verb.name);
        planned.object(Code::UndeclaredOption, span, note);
    }
    if may_be_expanded(&named.text) || may_lead_up(&named.text) {
        let note = format!("'{}' may mean something else to the tool", lossy(&named.text));
        planned.object(Code::PathUnresolved, span, note);
    }
}

/// Some tools take a home, variables and commands in what they are given for what a shell would.
fn may_be_expanded(text: &[u8]) -> bool {
    let names =
        |two: &[u8]| two[0] == b'$' && (two[1].is_ascii_alphabetic() || b"_{(".contains(&two[1]));
    // jest has a name of its own for its root, in angle brackets.
    let has_own = text.iter().any(|byte| b"`<".contains(byte));
    let web = text.starts_with(b"http://") || text.starts_with(b"https://");
    let address = !web && text.windows(3).any(|three| three == b"://");
    text.starts_with(b"~") || has_own || address || text.windows(2).any(names)
}

/// Does standard output go to a file, and the messages elsewhere than before? A copy of another
/// descriptor may be the terminal.
fn is_silenced(simple: &Simple<'_>) -> bool {
    let mut all = simple.redirections.iter();
    let written = |target: &Target<'_>| matches!(target, Target::Write(_));
    let output = all.clone().any(|it| it.descriptor == 1 && written(&it.target));
    let copied = |target: &Target<'_>| matches!(target, Target::Duplicate(_));
    output && all.any(|it| it.descriptor == 2 && (written(&it.target) || copied(&it.target)))
}

/// A name that another command finds is known only as a path: the word that stands where the verb
/// takes it for anything else, if it does not take any text there.
fn misplaced(
    verb: &Verb<'_>,
    listed: &Listed<'_>,
    uses: &Uses<'_>,
    run: &Run<'_>,
) -> Option<usize> {
    let found = |at: &usize| matches!(run.words[listed.origin(*at)], Word::Found { .. });
    (0..listed.words.len()).filter(found).find(|at| {
        let is_path = uses.paths.iter().any(|it| it.word == *at) || uses.rewritten.contains(at);
        match verbs::uses(verb, &listed.unknown_at(*at)) {
            Ok(_) => false,
            Err(it) => it.word != *at || it.why != Why::UnknownPath || !is_path,
        }
    })
}
