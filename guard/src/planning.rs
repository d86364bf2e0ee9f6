//! Steps → segments: what each simple command uses, and what of that cannot be told.

use crate::flow::{CdTargets, Start, States, Step};
use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve, way};
use crate::plan::{PathUse, PlanWord, Role, Segment};
use crate::reach::{files_above, links_below};
use crate::span::Span;
use crate::syntax::tree::{Piece, Redirection, Simple, Target};
use crate::verbs::{self, Verb, Word};
use crate::verdict::{Code, Reason};
use crate::view::{FsView, Kind};

/// A segment, and what stands against allowing it before its places are even looked at.
pub(crate) struct Planned {
    pub(crate) segment: Segment,
    pub(crate) objections: Vec<Reason>,
}

/// Plans with what this view shows.
pub(crate) struct Planner<'a> {
    pub(crate) view: &'a dyn FsView,
    /// Where the line starts.
    pub(crate) start: &'a Start,
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
        let mut planned = Planned {
            segment: Segment {
                span: simple.span,
                cwd: step.states.cwds(),
                argv: step.words.clone(),
                paths: Vec::new(),
            },
            objections: Vec::new(),
        };
        for (redirection, states) in &step.of_groups {
            self.redirection(redirection, states, &mut planned);
        }
        for redirection in &simple.redirections {
            self.redirection(redirection, &step.states, &mut planned);
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
            Target::Duplicate(_) | Target::Close | Target::Document => return,
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
        let Some(lists) = verbs::lists(&step.words) else {
            let at = step.words.iter().position(|word| *word == PlanWord::Many).unwrap_or(0);
            let note = format!("what '{shown}' uses here is not known before the line runs");
            return planned.object(Code::WordUnknown, step.simple.word_span(at), note);
        };
        for words in lists {
            self.uses(verb, &words, step, planned);
        }
    }

    fn uses(&self, verb: &Verb, words: &[Word<'_>], step: &Step<'_>, planned: &mut Planned) {
        let uses = match verbs::uses(verb, words) {
            Ok(uses) => uses,
            Err(objection) => {
                let (at, why) = (objection.word, objection.why);
                let unknown = why.is_unknown();
                let code = if unknown { Code::WordUnknown } else { Code::UndeclaredOption };
                let note = why.note(&lossy(words[at].known()), verb.name);
                return planned.object(code, step.simple.word_span(at), note);
            }
        };
        for it in &uses.paths {
            let span = step.simple.word_span(it.word);
            if it.along {
                self.along(&step.states, span, planned);
            }
            let (role, under, may) = (it.role, it.under, it.may);
            let named = Named { text: &it.text, role, under, may, span };
            self.path(&named, &step.states, planned);
            if it.way {
                self.on_the_way(&named, &step.states, planned);
            }
            if it.follow && self.view.sees() {
                self.below(&named, &step.states, planned);
            }
        }
        self.above(verb, step, planned);
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

    /// Looks at every place on the way to a path.
    fn on_the_way(&self, named: &Named<'_>, states: &States, planned: &mut Planned) {
        for place in states.places() {
            let from = &place.physical;
            let places = way(self.view, from, named.text).into_iter();
            planned.segment.paths.extend(places.map(|path| {
                let (text, from) = (named.text.to_vec(), from.clone());
                let (role, span) = (Role::Test, named.span);
                PathUse { path, role, under: false, may: true, span, text, from }
            }));
        }
    }

    /// What a command reaches that follows links below a directory.
    fn below(&self, named: &Named<'_>, states: &States, planned: &mut Planned) {
        for place in states.places() {
            let Ok(top) = resolve(self.view, &place.physical, named.text, Last::Follow) else {
                continue; // said where the path itself is resolved
            };
            if top.end != End::Found(Kind::Dir) {
                continue;
            }
            match links_below(self.view, &top.path) {
                Ok(led_to) => planned.segment.paths.extend(led_to.into_iter().map(|path| {
                    let (text, from) = (named.text.to_vec(), place.physical.clone());
                    let (role, span) = (named.role, named.span);
                    PathUse { path, role, under: true, may: true, span, text, from }
                })),
                Err(error) => {
                    let note = format!("a link below '{}' {}", lossy(named.text), error.why());
                    planned.object(Code::PathUnresolved, named.span, note);
                }
            }
        }
    }

    /// The files that a verb reads above where it starts and above what it is given.
    fn above(&self, verb: &Verb, step: &Step<'_>, planned: &mut Planned) {
        let starts = step.states.places().iter().map(|place| &place.physical);
        let given = planned.segment.paths.iter().map(|used| &used.path);
        let span = step.simple.name.span;
        match files_above(self.view, starts.chain(given), verb.entry.upward) {
            Ok(found) => planned.segment.paths.extend(found.into_iter().map(|path| {
                let (text, from) = (path.as_bytes().to_vec(), Physical::root());
                PathUse { path, role: Role::Read, under: false, may: true, span, text, from }
            })),
            Err(git) => {
                let note = format!("{git} names another place, which '{}' reads", verb.name);
                planned.object(Code::PathUnresolved, span, note);
            }
        }
    }

    /// Looks along the name that the shell has for its directory.
    fn along(&self, states: &States, span: Span, planned: &mut Planned) {
        let start = &self.start.place.physical;
        for place in states.places() {
            let (_, text) = place.logical.text();
            planned.segment.paths.extend(way(self.view, start, &text).into_iter().map(|path| {
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
            planned.segment.paths.push(used);
        }
        match resolve(self.view, from, named.text, Last::Follow) {
            Ok(resolved) => planned.segment.paths.push(PathUse {
                path: resolved.path,
                role: named.role,
                under: named.under,
                may: named.may,
                span: named.span,
                text: named.text.to_vec(),
                from: from.clone(),
            }),
            Err(error) => planned.object(
                Code::PathUnresolved,
                named.span,
                format!("'{}' {}", lossy(named.text), error.why()),
            ),
        }
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
        planned.segment.paths.push(PathUse {
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
            let Piece::Parameter { name, .. } = piece else { continue };
            let upper = lossy(name).to_ascii_uppercase();
            if SECRET.iter().any(|word| upper.contains(word)) {
                let note = format!("'{}' looks like the name of a secret", lossy(name));
                planned.object(Code::Secret, argument.span, note);
            }
        }
    }
}

impl Planned {
    fn object(&mut self, code: Code, span: Span, note: String) {
        crate::verdict::object(&mut self.objections, Reason { code, span, note });
    }
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
