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
use shfence_corpus::{Case, Env, Invocation, Node, RelPath, TOP, Text, TreeSpec};
use std::cell::LazyCell;
use std::collections::HashMap;

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
    At(Text, bool, Option<std::mem::Discriminant<Node>>),
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
        let steps = steps(&trace, &case.tree);
        let (start, end) = match case.invocation {
            Invocation::Typed => around(&steps, &of_nothing(case, shell, engine)?),
            _ => (self.length(&steps, case, shell, engine)?.unwrap_or_default(), 0),
        };
        let line = start..steps.len() - end;
        let mut step = 0;
        trace.touches.retain(|touch| {
            let of_the_shell = touch.pid == SHELL_PID;
            let kept = !of_the_shell || line.contains(&step);
            step += usize::from(of_the_shell);
            kept
        });
        Ok(trace)
    }

    /// How many of these steps are the start; `None` if they do not begin as they should.
    fn length(
        &mut self,
        steps: &[Step],
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
        if let Some(start) = known.iter().find(|start| steps.starts_with(start)) {
            return Ok(Some(start.len()));
        }
        let start = of_nothing(case, shell, engine)?;
        let length = steps.starts_with(&start).then_some(start.len());
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
fn steps(trace: &Trace, tree: &TreeSpec) -> Vec<Step> {
    let planted = LazyCell::new(|| tree.planted());
    let found = |touch: &Touch| {
        if touch.resolved.starts_with(b"/proc/") || is_terminal(&touch.resolved) {
            return Found::Own;
        }
        let below = touch.resolved.strip_prefix(TOP.as_bytes());
        let path = below.and_then(|below| below.strip_prefix(b"/"));
        let path = path.and_then(|path| RelPath::new(path).ok());
        let node = path.and_then(|path| planted.get(&path).map(std::mem::discriminant));
        Found::At(touch.resolved.clone(), touch.existed, node)
    };
    let of_the_shell = trace.touches.iter().filter(|touch| touch.pid == SHELL_PID);
    let text = |touch: &Touch| match is_terminal(&touch.text) {
        true => Text::from(TERMINALS),
        false => touch.text.clone(),
    };
    of_the_shell.map(|it| Step { kind: it.kind, text: text(it), found: found(it) }).collect()
}

/// Where terminals have their names, which are numbers (pts(4)).
const TERMINALS: &str = "/dev/pts/";

fn is_terminal(path: &[u8]) -> bool {
    path.strip_prefix(TERMINALS.as_bytes())
        .is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}
