//! What counts as a bug: prediction and trace in, judgement out. Nothing else decides it.
//!
//! **Tree escapes.** Every touch that does not resolve within the root is an escape, wherever it
//! resolves to, with one exception: looking *at* an ancestor of the root (`stat`), which every
//! shell does to find out where it is. Entering, listing or reading an ancestor is an escape like
//! any other. What a shell did before it read the line is no longer in the trace.
//!
//! **Ambient touches** are no escapes either: what shells and programs touch of their own accord.
//! They are the classes of the table in [`ambient`](self::ambient), each bound to who does it, in
//! which way, and where; and one more, `climb`: for `pwd -P` zsh finds the name of its directory
//! by listing and entering `..` up to `/`, and returns to where it was. All are counted.
//!
//! **What a build makes** is the project's own doing: `build-made`, counted beside the ambient
//! classes ([`built`](self::built)). A build verb is judged as any program; what it starts, and
//! what leads through places that it made, is not.
//!
//! **Group escapes and plan mismatches** exist only for guards that give a plan. A program that was
//! started is covered if one segment admits its arguments *and* the directory it started in. If a
//! segment admits the arguments but none of those that do the directory, it has escaped its cd
//! group. If no segment admits the arguments, the plan is not what happened. A built-in `cd` leaves
//! no program: each directory that a shell really entered must be one that the plan enters. Nor may
//! a program that was named without a directory come from the tree, or a file within the root be
//! written that the plan does not write.
//!
//! **Inconclusive** is a run of which something is not known: a path could not be resolved, or the
//! run reached the time limit, or background jobs were killed that outlived the shell.
//!
//! Only an allowed line can be wrong. A line that was refused may do what it likes.

mod ambient;
mod built;

use crate::prediction::{PathUse, Plan, Prediction, Segment};
use crate::trace::{Exec, Status, Touch, TouchKind, Trace};
use built::Built;
use shfence_corpus::{Case, Decision, FindingKind, Shell, TOP, Text};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub use built::BUILDERS;

/// The class of what a build did.
const BUILD_MADE: &str = "build-made";

/// What comparing a prediction with a trace says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing contradicts the guard.
    Agree,
    /// The guard allowed the line, and it did this.
    Contradicted(Vec<Contradiction>),
    /// The run cannot be compared: why.
    Inconclusive(&'static str),
}

/// One thing that a line did and should not have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What kind of contradiction it is.
    pub kind: FindingKind,
    /// What was done to what was touched; for a program, [`TouchKind::Exec`].
    pub effect: TouchKind,
    /// What was touched, or what ran.
    pub what: Text,
    /// The path as the program gave it, for a tree escape.
    pub text: Text,
    /// Was it there?
    pub existed: bool,
    /// The process that did it, by its number in the trace.
    pub pid: u32,
}

/// Compares what a guard said of a case with what a shell did. The scope of every case is the same.
pub fn judge(prediction: &Prediction, trace: &Trace) -> Judgement {
    if prediction.decision != Decision::Allow {
        return Judgement::Agree;
    }
    let ambient = ambient_touches(trace);
    let mut found: Vec<Contradiction> = escapes(trace, &ambient).map(tree_escape).collect();
    if let Some(plan) = &prediction.plan {
        found.extend(uncovered(plan, trace));
    }
    match trace.status {
        _ if !found.is_empty() => Judgement::Contradicted(found),
        Status::TimedOut => Judgement::Inconclusive("time limit"),
        _ if trace.cut => Judgement::Inconclusive("background jobs were killed"),
        _ if trace.unresolved() > 0 => Judgement::Inconclusive("a path could not be resolved"),
        Status::Exited(_) | Status::Signalled(_) => Judgement::Agree,
    }
}

/// What a run did that the plan does not cover, whatever the verdict was: programs, directories
/// that a shell entered, files that were written within the root.
pub fn uncovered(plan: &Plan, trace: &Trace) -> Vec<Contradiction> {
    let shells = of_shells(trace);
    let climbs = climbs(trace, &shells);
    let built = Built::of(trace);
    let is_built = |index: usize| built.touched(index, &trace.touches[index]);
    let moves = shells.values().flatten();
    let moves = moves.filter(|index| !climbs.contains(index) && !is_built(**index));
    let execs = trace.execs.iter().filter(|exec| !built.ran(exec));
    let execs = execs.filter_map(|exec| uncovered_exec(plan, exec));
    let moves = moves.filter_map(|index| uncovered_move(plan, &trace.touches[*index]));
    let writes = trace.touches.iter().enumerate().filter(|(index, _)| !is_built(*index));
    let writes = writes.filter_map(|(_, touch)| uncovered_write(plan, touch));
    execs.chain(moves).chain(writes).collect()
}

/// Was a line refused that did no harm in this run: nothing outside touched, nothing written,
/// nothing run but what `declared` accepts? For statistics.
pub fn was_harmless(trace: &Trace, declared: &dyn Fn(&[u8]) -> bool) -> bool {
    let ambient = ambient_touches(trace);
    let writes = |touch: &Touch| touch.kind == TouchKind::Write;
    let mut touches = trace.touches.iter().enumerate();
    trace.status != Status::TimedOut
        && !trace.cut
        && trace.unresolved() == 0
        && escapes(trace, &ambient).next().is_none()
        && ambient.values().all(|class| *class != BUILD_MADE)
        && touches.all(|(index, touch)| ambient.contains_key(&index) || !writes(touch))
        && trace.execs.iter().all(|exec| exec.argv.first().is_some_and(|name| declared(name)))
}

/// The places within the root that a run touched and found, or wrote, each once.
pub fn touched_within(trace: &Trace) -> BTreeSet<&Text> {
    let ambient = ambient_touches(trace);
    let touches = trace.touches.iter().enumerate();
    let counts = |(index, touch): &(usize, &Touch)| {
        let there = touch.existed || touch.kind == TouchKind::Write;
        there && !ambient.contains_key(index) && is_within(&touch.resolved, &Case::root())
    };
    touches.filter(counts).map(|(_, touch)| &touch.resolved).collect()
}

/// How many touches of a run are ambient, by class; of `build-made`, with the programs that the
/// build started.
pub fn ambient(trace: &Trace) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    let built = Built::of(trace);
    let programs = trace.execs.iter().filter(|exec| built.ran(exec)).map(|_| BUILD_MADE);
    for class in ambient_touches(trace).into_values().chain(programs) {
        *counts.entry(class).or_default() += 1;
    }
    counts
}

/// How many touches of a run are neither below the top of the tree nor ambient: escapes, if a guard
/// allowed the line.
pub fn elsewhere(trace: &Trace) -> u64 {
    let ambient = ambient_touches(trace);
    let below = |touch: &Touch| is_within(&touch.resolved, TOP.as_bytes());
    escapes(trace, &ambient).filter(|touch| !below(touch)).count() as u64
}

/// The classes of touches, by their indices.
fn ambient_touches(trace: &Trace) -> HashMap<usize, &'static str> {
    let mut classes = ambient::classes(trace, is_outside);
    let climbs = climbs(trace, &of_shells(trace));
    classes.extend(climbs.into_iter().map(|index| (index, "climb")));
    let built = Built::of(trace);
    for (index, touch) in trace.touches.iter().enumerate() {
        if is_outside(touch) && built.touched(index, touch) {
            classes.entry(index).or_insert(BUILD_MADE);
        }
    }
    classes
}

/// The touches outside that are not ambient.
fn escapes<'t>(
    trace: &'t Trace,
    ambient: &HashMap<usize, &'static str>,
) -> impl Iterator<Item = &'t Touch> {
    let touches = trace.touches.iter().enumerate();
    let escapes =
        touches.filter(|(index, touch)| is_outside(touch) && !ambient.contains_key(index));
    escapes.map(|(_, touch)| touch)
}

/// Does it lie outside? What is not known lies nowhere, and looking at an ancestor of the root is
/// no touch.
fn is_outside(touch: &Touch) -> bool {
    let looks_up = touch.kind == TouchKind::Test
        && (touch.resolved.as_bytes() == b"/" || touch.resolved.as_bytes() == TOP.as_bytes());
    touch.is_resolved() && !looks_up && !is_within(&touch.resolved, &Case::root())
}

/// By whole names: `/case/proj-evil` is not within `/case/proj`.
fn is_within(path: &[u8], root: &[u8]) -> bool {
    match path.strip_prefix(root) {
        Some(rest) => rest.is_empty() || rest[0] == b'/',
        None => false,
    }
}

fn tree_escape(touch: &Touch) -> Contradiction {
    Contradiction {
        kind: FindingKind::TreeEscape,
        effect: touch.kind,
        what: touch.resolved.clone(),
        text: touch.text.clone(),
        existed: touch.existed,
        pid: touch.pid,
    }
}

fn uncovered_exec(plan: &Plan, exec: &Exec) -> Option<Contradiction> {
    let mut kind = FindingKind::PlanMismatch;
    let by_name = exec.argv.first().is_some_and(|name| !name.contains(&b'/'));
    let impostor = by_name && is_within(&exec.path, TOP.as_bytes());
    let admits = |segment: &&Segment| !impostor && segment.admits(&exec.argv);
    for segment in plan.segments.iter().filter(admits) {
        // A directory that is not known makes the run inconclusive, and proves nothing else.
        if exec.cwd.is_empty() || segment.may_start_in(&exec.cwd) {
            return None;
        }
        kind = FindingKind::GroupEscape;
    }
    let argv: Vec<&[u8]> = exec.argv.iter().map(Text::as_bytes).collect();
    Some(Contradiction {
        kind,
        effect: TouchKind::Exec,
        what: match kind {
            FindingKind::GroupEscape => exec.cwd.clone(),
            _ => Text::from(argv.join(&b' ')),
        },
        text: Text::from(argv.join(&b' ')),
        existed: true,
        pid: exec.pid,
    })
}

/// A directory that a shell entered and the plan does not. Only shells are asked about: what a
/// program does with its own directory is its business.
fn uncovered_move(plan: &Plan, touch: &Touch) -> Option<Contradiction> {
    let mut uses = plan.segments.iter().flat_map(|segment| &segment.paths);
    let moved = touch.kind == TouchKind::Enter && touch.existed && touch.is_resolved();
    if !moved || uses.any(|it| it.role == TouchKind::Enter && it.path == touch.resolved) {
        return None;
    }
    Some(Contradiction { kind: FindingKind::GroupEscape, ..tree_escape(touch) })
}

/// A file within the root that was written, made or removed, and is not among those that the plan
/// writes.
fn uncovered_write(plan: &Plan, touch: &Touch) -> Option<Contradiction> {
    let mut uses = plan.segments.iter().flat_map(|segment| &segment.paths);
    let written = touch.kind == TouchKind::Write && is_within(&touch.resolved, &Case::root());
    let covers = |it: &PathUse| {
        let below = it.under && is_within(&touch.resolved, &it.path);
        it.role == TouchKind::Write && (below || it.path == touch.resolved)
    };
    if !written || uses.any(covers) {
        return None;
    }
    Some(Contradiction { kind: FindingKind::PlanMismatch, ..tree_escape(touch) })
}

/// The indices of the touches that shells made, by process: those before its first program. (A
/// shell may become its last command without a fork.) What a program makes is no shell, whatever it
/// does before it executes something.
fn of_shells(trace: &Trace) -> BTreeMap<u32, Vec<usize>> {
    let mut programs = HashSet::new();
    let mut by_pid: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, touch) in trace.touches.iter().enumerate() {
        let made_by = trace.process(touch.pid).and_then(|it| it.parent);
        if !by_pid.contains_key(&touch.pid) && made_by.is_some_and(|it| programs.contains(&it)) {
            programs.insert(touch.pid);
        }
        if touch.kind == TouchKind::Exec && touch.existed {
            programs.insert(touch.pid);
        } else if !programs.contains(&touch.pid) {
            by_pid.entry(touch.pid).or_default().push(index);
        }
    }
    by_pid
}

/// The indices of the touches that are part of a climb: the whole of it, from the look at `.` to
/// the return, or none.
fn climbs(trace: &Trace, shells: &BTreeMap<u32, Vec<usize>>) -> HashSet<usize> {
    let mut found = HashSet::new();
    if trace.shell.shell != Shell::Zsh {
        return found;
    }
    for indices in shells.values() {
        let touches: Vec<&Touch> = indices.iter().map(|index| &trace.touches[*index]).collect();
        for start in 0..touches.len() {
            if let Some(length) = climb(&touches[start..]) {
                found.extend(&indices[start..start + length]);
            }
        }
    }
    found
}

/// The length of the climb that begins here, if one does.
fn climb(touches: &[&Touch]) -> Option<usize> {
    use TouchKind::{Enter, List, Test};
    let is = |at: usize, kind, text: &str| {
        touches.get(at).is_some_and(|it| it.kind == kind && it.text.as_bytes() == text.as_bytes())
    };
    let is_name = |at: usize| {
        touches.get(at).is_some_and(|it| it.kind == Test && it.text.starts_with(b"../"))
    };
    if !is(0, Test, ".") {
        return None;
    }
    let mut at = 1;
    while is(at, Test, "..") && is(at + 1, List, "..") {
        at += 2;
        while is_name(at) {
            at += 1;
        }
        if !is(at, Enter, "..") {
            return None;
        }
        at += 1;
    }
    if at == 1 || !is(at, Test, "..") || !is(at + 1, Test, "/") {
        return None;
    }
    let [top, _, root, back] = touches.get(at - 1..at + 3)? else { return None };
    let returns = back.kind == Enter && back.resolved == touches[0].resolved;
    (top.resolved == root.resolved && returns).then_some(at + 3)
}

#[cfg(test)]
mod tests;
