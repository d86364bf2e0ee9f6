//! Steps → segments: what each simple command uses, and what of that cannot be told.

use crate::environment;
use crate::flow::{CdTargets, Look, Reading, Start, States, Step, Word};
use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve, way};
use crate::plan::{PathUse, Role, Segment};
use crate::protected::is_secret_file;
use crate::request::Dialects;
use crate::span::Span;
use crate::syntax::tree::{Piece, Redirection, Simple, Target};
use crate::verbs::{self, Undeclared, Verb};
use crate::verdict::{Code, Reason};
use crate::view::{FsView, Kind};

/// The segments of a step, and what stands against allowing it before its places are even looked
/// at.
pub(crate) struct Planned {
    /// One for each reading, at least one.
    pub(crate) segments: Vec<Segment>,
    pub(crate) objections: Vec<Reason>,
}

/// Plans with what this view shows.
pub(crate) struct Planner<'a> {
    pub(crate) view: &'a dyn FsView,
    /// Where the line starts.
    pub(crate) start: &'a Start,
    /// The shells that may run the line.
    pub(crate) shells: Dialects,
    /// Does any redirection of the line open a file? Then a descriptor may be that file.
    pub(crate) files_open: bool,
}

/// A path as a command names it, before it is resolved.
struct Named<'a> {
    text: &'a [u8],
    role: Role,
    under: bool,
    may: bool,
    span: Span,
}

/// Paths that are no files: reading or writing them touches nothing.
const INERT: [&[u8]; 2] = [b"/dev/null", b"/dev/tty"];

/// Paths that are what a descriptor is.
const DESCRIPTORS: [&[u8]; 3] = [b"/dev/stdin", b"/dev/stdout", b"/dev/stderr"];

impl Planner<'_> {
    pub(crate) fn plan(&self, step: &Step<'_>) -> Planned {
        let simple = step.simple;
        let segment = |reading: &Reading| Segment {
            span: simple.span,
            cwd: reading.states.cwds(),
            argv: reading.words.iter().flat_map(Word::plan).collect(),
            paths: Vec::new(),
            reading: (reading.shells != self.shells).then_some(reading.shells),
        };
        let segments = step.readings.iter().map(segment).collect();
        let mut planned = Planned { segments, objections: Vec::new() };
        for (redirection, states) in &step.of_groups {
            self.redirection(redirection, states, &mut planned);
        }
        for redirection in &simple.redirections {
            self.redirection(redirection, &step.states, &mut planned);
        }
        for look in &step.looks {
            let Look { text, from, role, span } = look;
            let named = Named { text, role: *role, under: false, may: true, span: *span };
            self.resolve(&named, from, &mut planned);
        }
        for assignment in &simple.assignments {
            if let Some(note) = environment::may_not_be_set(assignment) {
                planned.object(Code::Assignment, assignment.span, note);
            }
        }
        if step.background {
            let note = "it runs in the background while the rest goes on".to_owned();
            planned.object(Code::Background, simple.span, note);
        }
        match &step.cd {
            Some(targets) => cd(simple, targets, &step.states, &mut planned),
            None => self.command(step, &mut planned),
        }
        planned
    }

    fn redirection(&self, redirection: &Redirection, states: &States, planned: &mut Planned) {
        let (word, role) = match &redirection.target {
            Target::Read(word) => (word, Role::Read),
            Target::Write(word) => (word, Role::Write),
            Target::Duplicate(number @ 3..) => {
                let note = format!("descriptor {number} is not one that the line opens");
                return planned.object(Code::ForeignDescriptor, redirection.span, note);
            }
            Target::Duplicate(_) | Target::Close | Target::Document(_) | Target::Text(_) => return,
        };
        let span = redirection.span;
        let named = Named { text: &word.text, role, under: false, may: false, span };
        self.path(&named, states, planned);
    }

    fn command(&self, step: &Step<'_>, planned: &mut Planned) {
        let name = &step.simple.name;
        if name.text.contains(&b'/') {
            let (text, role, span) = (&name.text[..], Role::Exec, name.span);
            let named = Named { text, role, under: false, may: false, span };
            self.path(&named, &step.states, planned);
        }
        let shown = lossy(&name.text);
        let Some(verb) = verbs::find(&name.text) else {
            let note = format!("'{shown}' is not among the declared verbs");
            return planned.object(Code::UndeclaredVerb, name.span, note);
        };
        no_secrets(step.simple, planned);
        if verb.takes_any_words() {
            return;
        }
        for reading in &step.readings {
            self.no_option(reading, step.simple, planned);
            let Some(lists) = alternatives(&reading.words) else {
                let unknown = |word: &Word| matches!(word, Word::One | Word::Many);
                let at = reading.words.iter().position(unknown).unwrap_or(0);
                let note = format!("what '{shown}' uses here is not known before the line runs");
                planned.object(Code::WordUnknown, reading.span(at, step.simple), note);
                continue;
            };
            for words in lists {
                self.uses(verb, &words, reading, step.simple, planned);
            }
        }
    }

    /// A name that a pattern matches must not be one that a tool takes for an option.
    fn no_option(&self, reading: &Reading, simple: &Simple, planned: &mut Planned) {
        for (index, word) in reading.words.iter().enumerate() {
            match word {
                Word::Is(text) if text == b"--" => return,
                Word::Names(names) => {
                    let Some(name) = names.iter().find(|name| name.starts_with(b"-")) else {
                        continue;
                    };
                    let note = format!("the pattern matches '{}', which is an option", lossy(name));
                    planned.object(Code::PatternOption, reading.span(index, simple), note);
                }
                _ => {}
            }
        }
    }

    fn uses(
        &self,
        verb: &Verb,
        words: &Listed<'_>,
        reading: &Reading,
        simple: &Simple,
        planned: &mut Planned,
    ) {
        let origin = |word: usize| words.origins.get(word).copied().unwrap_or(0);
        let span = |word: usize| reading.span(origin(word), simple);
        let uses = match verbs::uses(verb, &words.texts) {
            Ok(uses) => uses,
            Err(Undeclared { word }) => {
                let text = lossy(words.texts[word]);
                let note = format!("'{text}' is not declared for '{}'", verb.name);
                return planned.object(Code::UndeclaredOption, span(word), note);
            }
        };
        for it in &uses {
            let span = span(it.word);
            if it.along {
                self.along(&reading.states, span, planned);
            }
            let (role, under, may) = (it.role, it.under, it.may);
            let named = Named { text: &it.text, role, under, may, span };
            self.path(&named, &reading.states, planned);
        }
    }

    /// Resolves a path from every directory the command may start in.
    fn path(&self, named: &Named<'_>, states: &States, planned: &mut Planned) {
        let descriptor = DESCRIPTORS.contains(&named.text);
        if INERT.contains(&named.text) || (descriptor && !self.files_open) {
            return;
        }
        if named.text.starts_with(b"/") {
            self.resolve(named, &Physical::root(), planned);
        } else {
            for place in states.places() {
                self.resolve(named, &place.physical, planned);
            }
        }
    }

    /// Looks along the name that the shell has for its directory.
    fn along(&self, states: &States, span: Span, planned: &mut Planned) {
        let start = &self.start.place.physical;
        for place in states.places() {
            let (_, text) = place.logical.text();
            planned.paths().extend(way(self.view, start, &text).into_iter().map(|path| {
                let (text, from) = (text.clone(), start.clone());
                PathUse { path, role: Role::Test, under: false, may: true, span, text, from }
            }));
        }
    }

    fn resolve(&self, named: &Named<'_>, from: &Physical, planned: &mut Planned) {
        // Who lists looks at the link itself as well, which stands where it stands.
        if named.role == Role::List
            && let Ok(link) = resolve(self.view, from, named.text, Last::Keep)
            && link.end == End::Found(Kind::Link)
        {
            let (text, from) = (named.text.to_vec(), from.clone());
            let (path, role, span) = (link.path, Role::Test, named.span);
            let used = PathUse { path, role, under: false, may: named.may, span, text, from };
            planned.paths().push(used);
        }
        match resolve(self.view, from, named.text, Last::Follow) {
            Ok(resolved) => {
                if named.role == Role::Read && self.names_secret(named, from, resolved.linked) {
                    let note = format!("'{}' may hold a secret", lossy(named.text));
                    planned.object(Code::Protected, named.span, note);
                }
                planned.paths().push(PathUse {
                    path: resolved.path,
                    role: named.role,
                    under: named.under,
                    may: named.may,
                    span: named.span,
                    text: named.text.to_vec(),
                    from: from.clone(),
                });
            }
            Err(error) => planned.object(
                Code::PathUnresolved,
                named.span,
                format!("'{}' {}", lossy(named.text), error.why()),
            ),
        }
    }
}

impl Planner<'_> {
    /// Does the path, or a link that it leads through, have the name of a secret? What it leads to
    /// is judged with the root.
    fn names_secret(&self, named: &Named<'_>, from: &Physical, linked: bool) -> bool {
        let last = |path: &[u8]| {
            let mut names = path.rsplit(|byte| *byte == b'/').filter(|name| !name.is_empty());
            names.next().is_some_and(is_secret_file)
        };
        last(named.text)
            || (linked && way(self.view, from, named.text).iter().any(|path| last(path.as_bytes())))
    }
}

/// A `cd` uses every directory that a shell looks at while it looks for the one to enter.
fn cd(simple: &Simple, targets: &CdTargets, states: &States, planned: &mut Planned) {
    let operand = simple.arguments.last();
    let span = operand.map_or(simple.span, |argument| argument.span);
    let text = match operand.map(|argument| &argument.pieces[..]) {
        Some([Piece::Text(text)]) => text,
        _ => &b""[..],
    };
    if let Some(error) = targets.unresolved {
        planned.object(Code::PathUnresolved, span, format!("'{}' {}", lossy(text), error.why()));
    } else if targets.unknown {
        planned.object(
            Code::CwdUnknown,
            simple.span,
            "it cannot be told where this cd leads in every shell".to_owned(),
        );
    }
    let from = states.places().first().map_or(Physical::root(), |place| place.physical.clone());
    let tried = targets.tried.iter().map(|path| (path, Role::Enter, targets.tried.len() > 1));
    let looked_at = targets.looked_at.iter().map(|path| (path, Role::Test, true));
    for (path, role, may) in tried.chain(looked_at) {
        planned.paths().push(PathUse {
            path: path.clone(),
            role,
            under: false,
            may,
            span,
            text: text.to_vec(),
            from: from.clone(),
        });
    }
}

/// A verb that prints its words must not print what only a person should see.
fn no_secrets(simple: &Simple, planned: &mut Planned) {
    const SECRET: [&str; 5] = ["TOKEN", "SECRET", "KEY", "PASS", "AUTH"];
    for argument in &simple.arguments {
        for piece in &argument.pieces {
            let (Piece::Parameter { name, .. } | Piece::Computed { name, .. }) = piece else {
                continue;
            };
            let upper = lossy(name).to_ascii_uppercase();
            if SECRET.iter().any(|word| upper.contains(word)) {
                let note = format!("'{}' looks like the name of a secret", lossy(name));
                planned.object(Code::Secret, argument.span, note);
            }
        }
    }
}

/// Words of which every one is known, and which word of the command each comes from.
struct Listed<'a> {
    texts: Vec<&'a [u8]>,
    origins: Vec<usize>,
}

/// The word lists that these words may be, if they are known and few.
fn alternatives(words: &[Word]) -> Option<Vec<Listed<'_>>> {
    const MOST: usize = 256;
    let mut lists = vec![Listed { texts: Vec::new(), origins: Vec::new() }];
    for (index, word) in words.iter().enumerate() {
        // Each of these is a choice of some words.
        let choices: Vec<&[Vec<u8>]> = match word {
            Word::Is(text) | Word::Unseen(text) => vec![std::slice::from_ref(text)],
            Word::OneOf(texts) => texts.chunks(1).collect(),
            Word::Names(names) => vec![names],
            Word::One | Word::Many => return None,
        };
        if lists.len() * choices.len() > MOST {
            return None;
        }
        // Nearly every word has one choice: a line of thousands must not be copied for each.
        let (last, others) = choices.split_last()?;
        let more: Vec<Listed<'_>> = others
            .iter()
            .flat_map(|choice| lists.iter().map(|list| list.with(choice, index)))
            .collect();
        for list in &mut lists {
            list.texts.extend(last.iter().map(Vec::as_slice));
            list.origins.resize(list.texts.len(), index);
        }
        lists.extend(more);
    }
    Some(lists)
}

impl<'a> Listed<'a> {
    fn with(&self, words: &'a [Vec<u8>], origin: usize) -> Listed<'a> {
        let mut texts = self.texts.clone();
        let mut origins = self.origins.clone();
        texts.extend(words.iter().map(Vec::as_slice));
        origins.resize(texts.len(), origin);
        Listed { texts, origins }
    }
}

impl Planned {
    /// The paths of the first segment: which reading uses which does not matter to a verdict.
    fn paths(&mut self) -> &mut Vec<PathUse> {
        let first = self.segments.first_mut().expect("a step has a reading");
        &mut first.paths
    }

    fn object(&mut self, code: Code, span: Span, note: String) {
        crate::verdict::object(&mut self.objections, Reason { code, span, note });
    }
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
