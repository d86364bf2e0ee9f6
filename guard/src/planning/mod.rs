//! Steps → segments: what each simple command uses, and what of that cannot be told.

mod building;
mod command;
mod found;
mod git;
mod linked;
mod mentioned;
mod names;
mod opened;
mod own;
mod paths;
mod patterns;
mod piped;
mod rewriting;
mod scripts;
mod words;
mod writing;

use crate::environment;
use crate::few::Few;
use crate::flow::{CdTargets, Look, Reading, Start, States, Step, argv};
use crate::glance::Glance;
use crate::path::Physical;
use crate::plan::{PathUse, Role, Segment};
use crate::protected::is_secret_variable;
use crate::request::{Dialects, Env, Policy};
use crate::rules::Rule;
use crate::scope::Scope;
use crate::semantics::{Prefixes, Semantics, Targets};
use crate::span::Span;
use crate::syntax::tree::{Argument, Piece, Redirection, Simple, Target};
use crate::syntax::{Construct, NotUnderstood};
use crate::verbs::{Leaves, Written};
use crate::verdict::{Code, Reason};
use crate::view::{Changes, FsView};
use command::Run;
use found::FoundFrom;
use paths::Named;
use std::borrow::Cow;

/// The segments of a step, and what stands against allowing it before its places are even looked
/// at.
pub(crate) struct Planned {
    /// One for each reading, at least one, and those of the commands that it runs.
    pub(crate) segments: Few<Segment>,
    pub(crate) objections: Vec<Reason>,
    /// A command of which it is not known what it runs, or a file of which it is not known which it
    /// is: then there is no plan.
    pub(crate) opaque: Option<NotUnderstood>,
    /// The rules that open commands of it.
    pub(crate) opened: Vec<Rule>,
    /// Does one of those put links or other files where the rest of the line may look?
    pub(crate) moves_names: bool,
    /// What it changes, in the profile `edit`: before it begins, as redirections of a group do, or
    /// when its words are known.
    pub(crate) before: Changes,
    pub(crate) changes: Changes,
    /// Does it go on to look after it has changed something: for the next of several operands, or
    /// as often as it runs another command?
    pub(crate) repeats: bool,
    /// The names that it rewrites without naming them, and how many files these are.
    found: Vec<(FoundFrom, usize)>,
}

/// Plans with what this view shows.
pub(crate) struct Planner<'a> {
    pub(crate) glance: &'a Glance<'a>,
    /// What that shows.
    pub(crate) view: &'a dyn FsView,
    /// Where the line starts.
    pub(crate) start: &'a Start,
    /// The shells that may run the line.
    pub(crate) shells: Dialects,
    /// The variables that were seen set.
    pub(crate) env: &'a Env,
    /// Does any redirection of the line open a file? Then a descriptor may be that file.
    pub(crate) files_open: bool,
    /// All steps of the line, for those that read what others print.
    pub(crate) steps: &'a [Step<'a>],
    /// The directories the project owns.
    pub(crate) scope: &'a Scope,
    /// `$HOME`, if it is known.
    pub(crate) home: Option<&'a [u8]>,
    /// How much is declared, and by whom.
    pub(crate) policy: &'a Policy,
    /// What is believed of shells and trees.
    pub(crate) semantics: &'a Semantics,
}

impl Planned {
    /// There is no plan: the first reason for that stays.
    fn stop(&mut self, construct: Construct, span: Span) {
        self.opaque.get_or_insert(NotUnderstood { construct, span });
    }
}

impl Planner<'_> {
    pub(crate) fn plan(&self, step: &Step<'_>) -> Planned {
        let simple = step.simple;
        let segments = step.readings.iter().map(|reading| self.segment(reading, simple)).collect();
        let mut planned = Planned {
            segments,
            objections: Vec::new(),
            opaque: None,
            opened: Vec::new(),
            moves_names: false,
            before: Changes::default(),
            changes: Changes::default(),
            repeats: false,
            found: Vec::new(),
        };
        for (redirection, states) in &step.of_groups {
            self.redirection(redirection, step, states, &mut planned);
        }
        planned.before = std::mem::take(&mut planned.changes);
        for redirection in &simple.redirections {
            self.redirection(redirection, step, &step.states, &mut planned);
        }
        for look in &step.looks {
            let Look { text, from, role, span } = look;
            let named = Named { text, role: *role, under: false, may: true, span: *span };
            self.resolve(&named, from, &mut planned);
        }
        for assignment in &simple.assignments {
            no_secrets(&assignment.value, &mut planned);
            if self.semantics.prefixes == Prefixes::Matter
                && let Some(note) = environment::may_not_be_set(assignment)
            {
                planned.object(Code::Assignment, assignment.span, note);
            }
        }
        simple.arguments.iter().for_each(|argument| no_secrets(argument, &mut planned));
        if step.background {
            let note = "it runs in the background while the rest goes on".to_owned();
            planned.object(Code::Background, simple.span, note);
        }
        match &step.cd {
            Some(targets) => cd(simple, targets, &step.states, &mut planned),
            None => {
                for reading in &step.readings {
                    self.command(&Run::of(reading, step), &mut planned);
                }
            }
        }
        planned
    }

    fn segment(&self, reading: &Reading<'_>, simple: &Simple<'_>) -> Segment {
        // To the others it is a reserved word, and the command behind it all that runs.
        let timed = *simple.name.text == *b"time" && !simple.name.quoted;
        let shells = match timed {
            true => Dialects { bash: false, zsh: false, ..reading.shells },
            false => reading.shells,
        };
        Segment {
            span: simple.span,
            cwd: reading.states.cwds(),
            argv: argv(&reading.words),
            paths: Vec::new(),
            reading: (shells != self.shells).then_some(shells),
        }
    }

    fn redirection(
        &self,
        redirection: &Redirection<'_>,
        step: &Step<'_>,
        states: &States,
        planned: &mut Planned,
    ) {
        let span = redirection.span;
        let file = match &redirection.target {
            _ if self.semantics.targets == Targets::Harmless => return,
            Target::Read(file) | Target::Write(file) => file,
            Target::Duplicate(number @ 3..) => {
                let note = format!("descriptor {number} is not one that the line opens");
                return planned.object(Code::ForeignDescriptor, span, note);
            }
            Target::Document(text) | Target::Text(text) => return no_secrets(text, planned),
            Target::Duplicate(_) | Target::Close => return,
        };
        let opened = step.opened.iter().find(|(it, _)| std::ptr::eq(*it, redirection));
        let texts = match (file.literal(), opened) {
            (Some(text), _) => Some(std::slice::from_ref(text)),
            (None, Some((_, word))) => word.texts(),
            (None, None) => None,
        };
        let Some(texts) = texts else {
            planned.stop(Construct::UnknownFile, span);
            return;
        };
        let may = texts.len() > 1;
        // Without a name nothing is opened.
        for text in texts.iter().filter(|text| !text.is_empty()) {
            let is_relative = !text.starts_with(b"/") && !self.is_inert(text);
            if is_relative && states.is_anywhere() {
                let note = format!("it cannot be told which directory '{}' is in", lossy(text));
                planned.object(Code::CwdUnknown, span, note);
            }
            if matches!(redirection.target, Target::Read(_)) {
                let named = Named { text, role: Role::Read, under: false, may, span };
                self.path(&named, states, planned);
                continue;
            }
            let text = Cow::Borrowed(&text[..]);
            let (keep, under, leaves) = (false, false, Leaves::Plain);
            let written = Written { word: 0, text, keep, under, may, instead: false, leaves };
            self.writes(&written, states, span, planned);
        }
    }
}

/// A `cd` uses every directory that a shell looks at while it looks for the one to enter.
fn cd(simple: &Simple<'_>, targets: &CdTargets, states: &States, planned: &mut Planned) {
    let operand = simple.arguments.last();
    let span = operand.map_or(simple.span, |argument| argument.span);
    let text = match operand.map(|argument| &argument.pieces[..]) {
        Some([Piece::Text(text)]) => &text[..],
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
            text: text.into(),
            from: from.clone(),
            way: Vec::new(),
        });
    }
}

/// What a line prints or hands on must not be what only a person should see.
fn no_secrets(argument: &Argument<'_>, planned: &mut Planned) {
    for piece in &argument.pieces {
        let (Piece::Parameter { name, .. } | Piece::Computed { name, .. }) = piece else {
            continue;
        };
        if is_secret_variable(name) {
            let note = format!("'{}' looks like the name of a secret", lossy(name));
            planned.object(Code::Secret, argument.span, note);
        }
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

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
