//! The decision: bytes → tree → steps → plan → verdict.

use crate::environment;
use crate::flow::{self, Followed, Room, Start, Step, Surroundings};
use crate::glance::Glance;
use crate::judging::Judge;
use crate::plan::{Cwds, Plan, Segment};
use crate::planning::{Planned, Planner};
use crate::request::{Invocation, Profile, Request};
use crate::rules::{Opened, Ruling};
use crate::semantics::{Semantics, VerdictRule};
use crate::span::Span;
use crate::syntax::{self, Construct, NotUnderstood};
use crate::units::Units;
use crate::verdict::{Code, Decision, Reason, Verdict};
use crate::view::{Changes, FsView, Overlay};
use std::os::unix::ffi::OsStrExt;

/// Decides about one line. Total: every request gets a verdict, and whatever is not understood,
/// not known or not declared is `ask`.
pub fn decide(request: &Request<'_>, view: &dyn FsView) -> Verdict {
    decide_with(request, view, &Semantics::MEASURED)
}

/// Decides from a glance that may have served other decisions: its answers are as old as it is.
pub fn decide_on(request: &Request<'_>, glance: &Glance<'_>) -> Verdict {
    decide_from(request, glance, &Semantics::MEASURED)
}

/// Decides with other beliefs than the measured ones. For the oracle, which must be able to tell a
/// wrong guard from the right one; no program calls it with anything else.
pub fn decide_with(request: &Request<'_>, view: &dyn FsView, semantics: &Semantics) -> Verdict {
    decide_from(request, &Glance::at(view), semantics)
}

/// How often a line is followed that changes what it looks at.
const PASSES_MAX: usize = 32;

fn decide_from(request: &Request<'_>, glance: &Glance<'_>, semantics: &Semantics) -> Verdict {
    glance.begin();
    let view = glance.view();
    let tree =
        match syntax::read(request.line, request.invocation, request.dialects, &request.limits) {
            Ok(tree) => tree,
            Err(stop) => return ruled_by_text(not_understood(stop, view), request),
        };
    let start = match Start::new(request.cwd, view) {
        Ok(start) => start,
        Err(note) => return ruled_by_text(bad_start(note, request, view), request),
    };
    let units = match request.policy.profile {
        Profile::Edit => Units::of(&tree),
        Profile::Read | Profile::ReadBuild => Units::default(),
    };
    let mut found = Found::new(request, view, semantics);
    let (mut known, mut from) = (Changes::default(), 0_u32);
    for _ in 0..PASSES_MAX {
        // What the line has changed by then, it finds changed.
        let overlay = Overlay::over(view, &known);
        let overlaid = (!known.is_empty()).then(|| Glance::at(&overlay));
        let glance = overlaid.as_ref().unwrap_or(glance);
        let room = Room::new();
        let around = surroundings(request, glance, &start, &room);
        let entry = start.states();
        let Followed { steps, mut objections, stop } =
            flow::follow(&tree, entry, &around, semantics);
        if let Some(stop) = stop {
            found.ruling.opaque(&steps, request.line);
            return ruled(not_understood(stop, view), found.ruling, request);
        }
        // What stands before is said already, by a pass that knew less to have changed.
        objections.retain(|it| it.span.start >= from);
        let planner = Planner {
            glance,
            view: glance.view(),
            start: &start,
            shells: request.dialects,
            env: request.env,
            home: home(request),
            files_open: steps.iter().any(Step::opens_a_file),
            steps: &steps,
            scope: request.scope,
            policy: request.policy,
            semantics,
        };
        match found.add(&planner, &units, &known, from) {
            Next::Done => return found.verdict(objections, request, view),
            Next::Opaque(stop) => {
                found.ruling.opaque(&steps, request.line);
                return ruled(not_understood(stop, view), found.ruling, request);
            }
            Next::Again { place, changes } => {
                found.reasons.extend(objections.into_iter().filter(|it| it.span.start < place));
                from = place;
                known.join(&changes);
            }
        }
    }
    let span = Span::new(from as usize, request.line.len());
    let note = "the line changes too much of what it then looks at".to_owned();
    let too_much = Reason { code: Code::PathUnresolved, span, note };
    found.verdict(vec![too_much], request, view)
}

/// What was found out about the commands of a line so far.
struct Found<'a> {
    judge: Judge<'a>,
    ruling: Ruling<'a>,
    opened: Opened,
    segments: Vec<Segment>,
    reasons: Vec<Reason>,
    one_allowed: bool,
    /// Is the first segment that was found?
    first_allowed: Option<bool>,
    rule: VerdictRule,
}

/// How to go on.
enum Next {
    /// All commands are planned.
    Done,
    /// It is not known what this one runs, or opens.
    Opaque(NotUnderstood),
    /// Those before this place are planned. They, or those that run together with the next one,
    /// make changes in which the rest has to be looked at again.
    Again { place: u32, changes: Changes },
}

impl<'a> Found<'a> {
    fn new(request: &Request<'a>, view: &'a dyn FsView, semantics: &Semantics) -> Found<'a> {
        Found {
            judge: Judge::new(request, view, semantics.containment),
            ruling: Ruling::by(&request.policy.rules),
            opened: Opened::default(),
            segments: Vec::with_capacity(4),
            reasons: Vec::new(),
            one_allowed: false,
            first_allowed: None,
            rule: semantics.verdict,
        }
    }

    /// Plans the commands from a place on, as far as what is known to have changed holds for them.
    fn add(&mut self, planner: &Planner<'_>, units: &Units, known: &Changes, from: u32) -> Next {
        if planner.policy.profile < Profile::Edit {
            return self.all(planner, known);
        }
        let later = planner.steps.iter().filter(|step| step.simple.span.start >= from);
        let mut steps: Vec<&Step<'_>> = later.collect();
        steps.sort_by_key(|step| step.simple.span.start);
        let mut rest = &steps[..];
        while let [first, ..] = rest {
            let together = units.of_command(first.simple.span);
            let end = together.unwrap_or(first.simple.span).end;
            let count = rest.iter().take_while(|step| step.simple.span.start < end).count();
            let (unit, after) = rest.split_at(count);
            let planned: Vec<Planned> = match unit {
                [step] if together.is_none() => vec![settled(planner, step, known)],
                _ => unit.iter().map(|step| planner.plan(step)).collect(),
            };
            let (mut before, mut all) = (Changes::default(), Changes::default());
            for it in &planned {
                before.join(&it.before);
                all.join(&it.before);
                all.join(&it.changes);
            }
            let repeats = unit.len() > 1 && planned.iter().any(|it| it.repeats);
            let met = if together.is_some() || repeats { &all } else { &before };
            if !known.has(met) {
                let place = first.simple.span.start;
                return Next::Again { place, changes: met.clone() };
            }
            for it in planned {
                if let Some(stop) = it.opaque {
                    return Next::Opaque(stop);
                }
                self.step(it, known);
            }
            match after {
                [next, ..] if !known.has(&all) => {
                    return Next::Again { place: next.simple.span.start, changes: all };
                }
                _ => rest = after,
            }
        }
        Next::Done
    }

    /// Plans all commands: nothing changes.
    fn all(&mut self, planner: &Planner<'_>, known: &Changes) -> Next {
        for step in planner.steps {
            let planned = planner.plan(step);
            if let Some(stop) = planned.opaque {
                return Next::Opaque(stop);
            }
            self.step(planned, known);
        }
        Next::Done
    }

    fn step(&mut self, planned: Planned, known: &Changes) {
        self.ruling.segments(&planned.segments);
        let mut objections = planned.objections;
        let opened = &mut self.opened;
        opened.step(&planned.segments, planned.opened, planned.moves_names, &mut objections);
        for segment in &planned.segments {
            objections.extend(taken_away(segment, known));
            self.judge.segment(segment, &mut objections);
        }
        self.one_allowed |= objections.is_empty();
        self.first_allowed.get_or_insert(objections.is_empty());
        self.reasons = behind(std::mem::take(&mut self.reasons), objections);
        planned.segments.move_to(&mut self.segments);
    }

    /// The verdict. `objections`: what stands against the line as a whole.
    fn verdict(self, objections: Vec<Reason>, request: &Request<'_>, view: &dyn FsView) -> Verdict {
        let of_line = behind(environment_reason(request, view), objections);
        let mut reasons = behind(of_line, self.reasons);
        reasons.extend(self.opened.in_a_loop(request.line));
        let allowed = match self.rule {
            VerdictRule::EverySegment => reasons.is_empty(),
            VerdictRule::AnySegment => self.one_allowed,
            VerdictRule::FirstSegment => self.first_allowed.unwrap_or(reasons.is_empty()),
        };
        let verdict = Verdict {
            decision: if allowed { Decision::Allow } else { Decision::Ask },
            root: if allowed { self.judge.root() } else { None },
            lexical: !view.sees(),
            reasons: if allowed { Vec::new() } else { reasons },
            rules: if allowed { self.opened.rules } else { Vec::new() },
            plan: Ok(Plan { segments: self.segments }),
        };
        ruled(verdict, self.ruling, request)
    }
}

/// These reasons, and those behind them. Nearly always there is none of either.
fn behind(mut first: Vec<Reason>, second: Vec<Reason>) -> Vec<Reason> {
    if first.is_empty() {
        return second;
    }
    first.extend(second);
    first
}

/// A command that goes on to look after it has changed something: planned in what it has changed.
/// Its words are those that it was given before.
fn settled(planner: &Planner<'_>, step: &Step<'_>, known: &Changes) -> Planned {
    let mut planned = planner.plan(step);
    let mut changed = known.clone();
    for _ in 0..PASSES_MAX {
        if !planned.repeats || changed.has(&planned.changes) {
            // What it has changed at first stays changed.
            planned.changes.join(&changed);
            return planned;
        }
        changed.join(&planned.changes);
        let overlay = Overlay::over(planner.view, &changed);
        let glance = Glance::at(&overlay);
        let Planner {
            start, shells, env, files_open, steps, scope, home, policy, semantics, ..
        } = *planner;
        let view = glance.view();
        let then = Planner {
            glance: &glance,
            view,
            start,
            shells,
            env,
            files_open,
            steps,
            scope,
            home,
            policy,
            semantics,
        };
        planned = then.plan(step);
    }
    let note = "it changes too much of what it then looks at".to_owned();
    planned.objections.push(Reason { code: Code::PathUnresolved, span: step.simple.span, note });
    planned
}

/// What stands against a command that may start in a directory which the line moves, or removes:
/// then `..` leads from where it is, not from where it was.
fn taken_away(segment: &Segment, changes: &Changes) -> Option<Reason> {
    let Cwds::Known(directories) = &segment.cwd else { return None };
    let gone = directories.iter().find(|cwd| changes.take_away(cwd))?;
    let note = format!("the line itself moves or removes {gone}, in which this may start");
    Some(Reason { code: Code::CwdUnknown, span: segment.span, note })
}

/// What the shell finds when it starts.
fn surroundings<'a>(
    request: &Request<'a>,
    glance: &'a Glance<'a>,
    start: &'a Start,
    room: &'a Room,
) -> Surroundings<'a> {
    Surroundings {
        glance,
        start,
        home: home(request),
        cdpath: request.env.get(&b"CDPATH"[..]).map(|it| &**it).filter(|it| !it.is_empty()),
        falls_back: request.dialects.bash || request.dialects.zsh,
        shells: request.dialects,
        exit_is_sure: request.invocation != Invocation::Typed,
        room,
        sees_changes: request.policy.profile >= Profile::Edit,
        inherited: request.env,
    }
}

/// The verdict about a line of which there is no plan.
fn ruled_by_text(verdict: Verdict, request: &Request<'_>) -> Verdict {
    let mut ruling = Ruling::by(&request.policy.rules);
    ruling.text(request.line);
    ruled(verdict, ruling, request)
}

/// The verdict, after the rules that close and the faults of the configuration: they only tighten.
fn ruled(mut verdict: Verdict, ruling: Ruling<'_>, request: &Request<'_>) -> Verdict {
    let span = Span::new(0, request.line.len());
    let faults = request.policy.faults.iter();
    let faults = faults.map(|note| Reason { code: Code::Configuration, span, note: note.clone() });
    let denies = ruling.denies();
    let (mut reasons, rules) = ruling.into_parts();
    reasons.extend(faults);
    if !reasons.is_empty() {
        verdict.decision = if denies { Decision::Deny } else { Decision::Ask };
        verdict.root = None;
        verdict.rules = rules;
        reasons.append(&mut verdict.reasons);
        verdict.reasons = reasons;
    }
    verdict
}

/// What stands against every segment: a variable that changes what verbs do.
fn environment_reason(request: &Request<'_>, view: &dyn FsView) -> Vec<Reason> {
    let note = environment::objection(request.env, request.home, request.scope, view);
    let span = Span::new(0, request.line.len());
    note.map(|note| Reason { code: Code::Environment, span, note }).into_iter().collect()
}

/// `$HOME`: as it was seen in the environment, or else what the caller says.
fn home<'a>(request: &Request<'a>) -> Option<&'a [u8]> {
    let seen = request.env.get(&b"HOME"[..]).map(|home| &**home);
    seen.or(request.home.map(|home| home.as_os_str().as_bytes()))
}

fn not_understood(stop: NotUnderstood, view: &dyn FsView) -> Verdict {
    let reason = Reason {
        code: Code::NotUnderstood(stop.construct),
        span: stop.span,
        note: stop.construct.why().to_owned(),
    };
    Verdict {
        decision: Decision::Ask,
        root: None,
        lexical: !view.sees(),
        reasons: vec![reason],
        rules: Vec::new(),
        plan: Err(stop),
    }
}

fn bad_start(note: String, request: &Request<'_>, view: &dyn FsView) -> Verdict {
    let span = Span::new(0, request.line.len());
    Verdict {
        decision: Decision::Ask,
        root: None,
        lexical: !view.sees(),
        reasons: vec![Reason { code: Code::BadStart, span, note }],
        rules: Vec::new(),
        plan: Err(NotUnderstood { construct: Construct::StartDirectory, span }),
    }
}
