//! The decision: bytes → tree → steps → plan → verdict.

use crate::environment;
use crate::flow::{self, Followed, Room, Start, States, Step, Surroundings};
use crate::glance::Glance;
use crate::judging::Judge;
use crate::plan::Plan;
use crate::planning::Planner;
use crate::request::{Invocation, Request};
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
        Err(stop) => return not_understood(stop, view),
    };
    let start = match Start::new(request.cwd, view) {
        Ok(start) => start,
        Err(note) => return bad_start(note, request, view),
    };
    let around = Surroundings {
        glance,
        start: &start,
        home: home(request),
        cdpath: request.env.get(&b"CDPATH"[..]).map(|it| &**it).filter(|it| !it.is_empty()),
        falls_back: request.dialects.bash || request.dialects.zsh,
        shells: request.dialects,
        exit_is_sure: request.invocation != Invocation::Typed,
        room: &Room::new(),
        inherited: request.env,
    };
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
        profile: request.policy.profile,
    };
    let mut judge = Judge::new(request.scope, semantics.containment);
    let mut segments = Vec::with_capacity(steps.len());
    let mut reasons = environment_reason(request, view);
    reasons.extend(objections);
    let mut one_allowed = false;
    for step in &steps {
        let planned = planner.plan(step);
        if let Some(span) = planned.opaque {
            return not_understood(
                NotUnderstood { construct: Construct::OpaqueCommand, span },
                view,
            );
        }
        let mut objections = planned.objections;
        for segment in &planned.segments {
            judge.segment(segment, &mut objections);
        }
        one_allowed |= objections.is_empty();
        reasons.extend(objections);
        planned.segments.move_to(&mut segments);
    }
    let allowed = match semantics.verdict {
        VerdictRule::EverySegment => reasons.is_empty(),
        VerdictRule::AnySegment => one_allowed,
    };
    Verdict {
        decision: if allowed { Decision::Allow } else { Decision::Ask },
        root: if allowed { judge.root() } else { None },
        lexical: !view.sees(),
        reasons: if allowed { Vec::new() } else { reasons },
        plan: Ok(Plan { segments }),
    }
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
        plan: Err(NotUnderstood { construct: Construct::StartDirectory, span }),
    }
}
