//! What a shell does before it reads the line: its loader, its start-up files, finding out where it
//! is. None of that is the line's doing, and some of it touches places that the environment names.
//!
//! It is taken off a trace as an exact prefix: what the same shell does with the line `:` in the
//! same surroundings. Taken off as a set, it would hide a line that does the same things.

use crate::engine::{Engine, RunError};
use crate::installations::Installation;
use crate::trace::{Touch, TouchKind, Trace};
use shfence_corpus::{Case, Env, Node, RelPath, TOP, Text, TreeSpec};
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
    /// In `/proc`: the shell's own, whose name is another in each run.
    OfProcess,
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
        if let Some(mut left) = self.length(&steps, case, shell, engine)? {
            trace.touches.retain(|touch| {
                let at_start = touch.pid == SHELL_PID && left > 0;
                left -= usize::from(at_start);
                !at_start
            });
        }
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
        };
        let known = self.known.get(&key).map_or(&[][..], Vec::as_slice);
        if let Some(start) = known.iter().find(|start| steps.starts_with(start)) {
            return Ok(Some(start.len()));
        }
        let nothing = Case { line: Text::from(":"), ..case.clone() };
        let start = self::steps(&engine.run(&nothing, shell)?, &case.tree);
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

/// What the shell itself did in a trace.
fn steps(trace: &Trace, tree: &TreeSpec) -> Vec<Step> {
    let planted = LazyCell::new(|| tree.planted());
    let found = |touch: &Touch| {
        if touch.resolved.starts_with(b"/proc/") {
            return Found::OfProcess;
        }
        let below = touch.resolved.strip_prefix(TOP.as_bytes());
        let path = below.and_then(|below| below.strip_prefix(b"/"));
        let path = path.and_then(|path| RelPath::new(path).ok());
        let node = path.and_then(|path| planted.get(&path).map(std::mem::discriminant));
        Found::At(touch.resolved.clone(), touch.existed, node)
    };
    let of_the_shell = trace.touches.iter().filter(|touch| touch.pid == SHELL_PID);
    of_the_shell.map(|it| Step { kind: it.kind, text: it.text.clone(), found: found(it) }).collect()
}
