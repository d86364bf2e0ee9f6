//! What a shell does before it reads the line: its loader, its start-up files, finding out where it
//! is. None of that is the line's doing, and some of it touches places that the environment names.
//!
//! It is taken off a trace as an exact prefix: what the same shell does with the line `:` in the
//! same surroundings. Taken off as a set, it would hide a line that does the same things.
//!
//! A shell that lines are typed into also prompts for the next one and leaves: what it then does is
//! taken off the end in the same way.

use crate::engine::{Engine, RunError};
use crate::installations::Installation;
use crate::trace::{Touch, TouchKind, Trace};
use shfence_corpus::{BASE_DIRS, Case, Env, Invocation, Node, RelPath, TOP, Text, TreeSpec};
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

/// The shell's own process in a trace.
const SHELL_PID: u32 = 1;

/// How many surroundings are remembered before all are forgotten. Most cases share a few.
const REMEMBERED: usize = 1_024;

/// And how many starts in the same surroundings: they differ with the tree, in a few ways.
const REMEMBERED_OF_EACH: usize = 32;

/// What shells do at their start, by surroundings.
#[derive(Debug, Default)]
pub struct Startups {
    known: HashMap<Surroundings, Vec<Vec<Step>>>,
}

/// What a start depends on, but for the tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Surroundings {
    shell: String,
    cwd: RelPath,
    pwd: Option<Text>,
    env: Env,
    invocation: Invocation,
}

/// One thing that a shell did at its start, with what it found there.
///
/// A start depends on the tree only through what the shell finds in it. So a start that has found
/// the same things, step by step to its end, is the same start, in whichever tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    kind: TouchKind,
    text: Text,
    found: Found,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    /// In `/proc`, or its terminal: the shell's own, whose name is another in each run.
    Own,
    /// This, or nothing, and what kind of thing the tree has there.
    At(Text, bool, Option<Discriminant<Node>>),
}

impl Startups {
    /// The trace without what the shell did at its start.
    pub fn strip(
        &mut self,
        mut trace: Trace,
        case: &Case,
        shell: &Installation,
        engine: &mut Engine,
    ) -> Result<Trace, RunError> {
        let (start, end) = match case.invocation {
            Invocation::Typed => {
                around(&steps(&trace, &case.tree), &of_nothing(case, shell, engine)?)
            }
            _ => (self.length(&trace, case, shell, engine)?.unwrap_or_default(), 0),
        };
        let line = start..of_the_shell(&trace).count() - end;
        let mut step = 0;
        trace.touches.retain(|touch| {
            let of_the_shell = touch.pid == SHELL_PID;
            let kept = !of_the_shell || line.contains(&step);
            step += usize::from(of_the_shell);
            kept
        });
        Ok(trace)
    }

    /// How many of the shell's steps are the start; `None` if they do not begin as they should.
    fn length(
        &mut self,
        trace: &Trace,
        case: &Case,
        shell: &Installation,
        engine: &mut Engine,
    ) -> Result<Option<usize>, RunError> {
        let key = Surroundings {
            shell: shell.id.name.clone(),
            cwd: case.cwd.clone(),
            pwd: case.pwd.clone(),
            env: case.env.clone(),
            invocation: case.invocation,
        };
        let known = self.known.get(&key).map_or(&[][..], Vec::as_slice);
        if let Some(start) = known.iter().find(|start| begins(trace, start, &case.tree)) {
            return Ok(Some(start.len()));
        }
        let start = of_nothing(case, shell, engine)?;
        let length = begins(trace, &start, &case.tree).then_some(start.len());
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        let known = self.known.entry(key).or_default();
        if !known.contains(&start) {
            if known.len() == REMEMBERED_OF_EACH {
                known.clear();
            }
            known.push(start);
        }
        Ok(length)
    }
}

/// What a shell does with the line `:`.
fn of_nothing(
    case: &Case,
    shell: &Installation,
    engine: &mut Engine,
) -> Result<Vec<Step>, RunError> {
    let nothing = Case { line: Text::from(":"), ..case.clone() };
    Ok(steps(&engine.run(&nothing, shell)?, &case.tree))
}

/// How many steps at the start and at the end are those of a shell that did nothing between. Where
/// it stopped prompting for `:` cannot be told from where it went on to leave; so it is where the
/// two part, and the rest must be the end.
fn around(steps: &[Step], nothing: &[Step]) -> (usize, usize) {
    let start = steps.iter().zip(nothing).take_while(|(step, other)| step == other).count();
    let end = &nothing[start..];
    (start, if steps[start..].ends_with(end) { end.len() } else { 0 })
}

/// What the shell itself did in a trace.
fn of_the_shell(trace: &Trace) -> impl Iterator<Item = &Touch> {
    trace.touches.iter().filter(|touch| touch.pid == SHELL_PID)
}

fn steps(trace: &Trace, tree: &TreeSpec) -> Vec<Step> {
    of_the_shell(trace).map(|touch| Step::of(touch, tree)).collect()
}

/// Does what the shell did begin with these steps?
fn begins(trace: &Trace, start: &[Step], tree: &TreeSpec) -> bool {
    let mut touches = of_the_shell(trace);
    start.iter().all(|step| touches.next().is_some_and(|touch| step.is(touch, tree)))
}

impl Step {
    fn of(touch: &Touch, tree: &TreeSpec) -> Step {
        let text = Text::from(text_of(touch));
        let found = if is_own(touch) {
            Found::Own
        } else {
            Found::At(touch.resolved.clone(), touch.existed, kind_at(tree, &touch.resolved))
        };
        Step { kind: touch.kind, text, found }
    }

    /// Is it what [`Step::of`] would give of this? Asked of all that every shell does at its start.
    fn is(&self, touch: &Touch, tree: &TreeSpec) -> bool {
        let same_found = || match &self.found {
            Found::Own => is_own(touch),
            Found::At(place, existed, kind) => {
                !is_own(touch)
                    && *place == touch.resolved
                    && *existed == touch.existed
                    && *kind == kind_at(tree, place)
            }
        };
        self.kind == touch.kind && self.text.as_bytes() == text_of(touch) && same_found()
    }
}

fn text_of(touch: &Touch) -> &[u8] {
    if is_terminal(&touch.text) { TERMINALS.as_bytes() } else { &touch.text }
}

fn is_own(touch: &Touch) -> bool {
    touch.resolved.starts_with(b"/proc/") || is_terminal(&touch.resolved)
}

/// What kind of thing the tree has at a place.
fn kind_at(tree: &TreeSpec, place: &[u8]) -> Option<Discriminant<Node>> {
    let path = place.strip_prefix(TOP.as_bytes())?.strip_prefix(b"/")?;
    let given = tree.entries().find(|(at, _)| at.as_bytes() == path);
    let implied = || {
        let goes_on = |at: &[u8]| at.strip_prefix(path).is_some_and(|rest| rest.starts_with(b"/"));
        let base = BASE_DIRS.iter().any(|base| base.as_bytes() == path);
        base || tree.entries().any(|(at, _)| goes_on(at.as_bytes()))
    };
    match given {
        Some((_, node)) => Some(discriminant(node)),
        None => implied().then(|| discriminant(&Node::Dir)),
    }
}

/// Where terminals have their names, which are numbers (pts(4)).
const TERMINALS: &str = "/dev/pts/";

fn is_terminal(path: &[u8]) -> bool {
    path.strip_prefix(TERMINALS.as_bytes())
        .is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}
