//! Steps → segments: what each simple command uses, and what of that cannot be told.

use crate::flow::{CdTargets, Start, States, Step};
use crate::path::Physical;
use crate::path::resolve::{Last, resolve, way};
use crate::plan::{PathUse, PlanWord, Role, Segment};
use crate::span::Span;
use crate::syntax::tree::{Redirection, Simple, Target};
use crate::verbs::{self, Undeclared};
use crate::verdict::{Code, Reason};
use crate::view::FsView;

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
                argv: simple.words.iter().map(|word| PlanWord::Is(word.text.clone())).collect(),
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
            None => self.command(simple, &step.states, &mut planned),
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
            Target::Duplicate(_) | Target::Close => return,
        };
        let span = redirection.span;
        let named = Named { text: &word.text, role, under: false, may: false, span };
        self.path(&named, states, planned);
    }

    fn command(&self, simple: &Simple, states: &States, planned: &mut Planned) {
        let words: Vec<&[u8]> = simple.words.iter().map(|word| &*word.text).collect();
        if words[0].contains(&b'/') {
            let span = simple.words[0].span;
            let named = Named { text: words[0], role: Role::Exec, under: false, may: false, span };
            self.path(&named, states, planned);
        }
        let shown = String::from_utf8_lossy(words[0]);
        let Some(verb) = verbs::find(words[0]) else {
            planned.object(
                Code::UndeclaredVerb,
                simple.words[0].span,
                format!("'{shown}' is not among the declared verbs"),
            );
            return;
        };
        match verbs::uses(verb, &words) {
            Ok(uses) => {
                for it in &uses {
                    let span = simple.words[it.word].span;
                    if it.along {
                        self.along(states, span, planned);
                    }
                    let (role, under, may) = (it.role, it.under, it.may);
                    let named = Named { text: &it.text, role, under, may, span };
                    self.path(&named, states, planned);
                }
            }
            Err(Undeclared { word }) => planned.object(
                Code::UndeclaredOption,
                simple.words[word].span,
                format!("'{}' is not declared for '{shown}'", lossy(words[word])),
            ),
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
            planned.segment.paths.extend(way(self.view, start, &text).into_iter().map(|path| {
                let (text, from) = (text.clone(), start.clone());
                PathUse { path, role: Role::Test, under: false, may: true, span, text, from }
            }));
        }
    }

    fn resolve(&self, named: &Named<'_>, from: &Physical, planned: &mut Planned) {
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
    let operand = simple.words.last().filter(|_| simple.words.len() > 1);
    let span = operand.map_or(simple.span, |word| word.span);
    let text = operand.map_or(&b""[..], |word| &word.text);
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

impl Planned {
    fn object(&mut self, code: Code, span: Span, note: String) {
        crate::verdict::object(&mut self.objections, Reason { code, span, note });
    }
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
