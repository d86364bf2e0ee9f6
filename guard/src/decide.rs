//! The decision: bytes → tree → steps → plan → verdict.

use crate::environment;
use crate::flow::{self, Followed, Room, Start, States, Step, Surroundings};
use crate::glance::Glance;
use crate::judging::Judge;
use crate::plan::Plan;
use crate::planning::Planner;
use crate::request::{Invocation, Request};
use crate::rules::{Opened, Ruling};
use crate::semantics::{Semantics, VerdictRule};
use crate::span::Span;
use crate::syntax::{self, Construct, NotUnderstood};
use crate::verdict::{Code, Decision, Reason, Verdict};
use crate::view::FsView;
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

fn decide_from(request: &Request<'_>, glance: &Glance<'_>, semantics: &Semantics) -> Verdict {
    glance.begin();
    let view = glance.view();
    let tree = match syntax::read(request.line, request.invocation, &request.limits) {
        Ok(tree) => tree,
        Err(stop) => return ruled_by_text(not_understood(stop, view), request),
    };
    let start = match Start::new(request.cwd, view) {
        Ok(start) => start,
        Err(note) => return ruled_by_text(bad_start(note, request, view), request),
    };
    let room = Room::new();
    let around = surroundings(request, glance, &start, &room);
    let entry = States::one(start.place.clone());
    let Followed { steps, objections } = flow::follow(&tree, entry, &around, semantics);

    let planner = Planner {
        glance,
        view,
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
    let mut judge = Judge::new(request, semantics.containment);
    let mut ruling = Ruling::by(&request.policy.rules);
    let mut opened = Opened::default();
    let mut segments = Vec::with_capacity(steps.len());
    let (mut one_allowed, mut first_allowed) = (false, None);
    let mut reasons = [environment_reason(request, view), objections].concat();
    for step in &steps {
        let planned = planner.plan(step);
        if let Some(span) = planned.opaque {
            ruling.opaque(&steps, request.line);
            return ruled(opaque(span, view), ruling, request);
        }
        ruling.segments(&planned.segments);
        let mut objections = planned.objections;
        opened.step(&planned.segments, planned.opened, planned.moves_names, &mut objections);
        for segment in &planned.segments {
            judge.segment(segment, &mut objections);
        }
        one_allowed |= objections.is_empty();
        first_allowed.get_or_insert(objections.is_empty());
        reasons.extend(objections);
        planned.segments.move_to(&mut segments);
    }
    reasons.extend(opened.in_a_loop(request.line));
    let allowed = match semantics.verdict {
        VerdictRule::EverySegment => reasons.is_empty(),
        VerdictRule::AnySegment => one_allowed,
        VerdictRule::FirstSegment => first_allowed.unwrap_or(reasons.is_empty()),
    };
    let verdict = Verdict {
        decision: if allowed { Decision::Allow } else { Decision::Ask },
        root: if allowed { judge.root() } else { None },
        lexical: !view.sees(),
        reasons: if allowed { Vec::new() } else { reasons },
        rules: if allowed { opened.rules } else { Vec::new() },
        plan: Ok(Plan { segments }),
    };
    ruled(verdict, ruling, request)
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
    let note = environment::objection(request.env, request.scope, view);
    let span = Span::new(0, request.line.len());
    note.map(|note| Reason { code: Code::Environment, span, note }).into_iter().collect()
}

/// `$HOME`: as it was seen in the environment, or else what the caller says.
fn home<'a>(request: &Request<'a>) -> Option<&'a [u8]> {
    let seen = request.env.get(&b"HOME"[..]).map(|home| &**home);
    seen.or(request.home.map(|home| home.as_os_str().as_bytes()))
}

/// The verdict about a line with a command of which it is not known what it runs.
fn opaque(span: Span, view: &dyn FsView) -> Verdict {
    not_understood(NotUnderstood { construct: Construct::OpaqueCommand, span }, view)
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
