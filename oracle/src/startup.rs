//! What a shell does before it reads the line: its loader, its start-up files, finding out where it
//! is. None of that is the line's doing, and some of it touches places that the environment names.
//!
//! It is taken off a trace as an exact prefix: what the same shell does with the line `:` in the
//! same surroundings. Taken off as a set, it would hide a line that does the same things.

use crate::engine::{Engine, RunError};
use crate::installations::Installation;
use crate::trace::{Touch, TouchKind, Trace};
use shfence_corpus::{Case, Env, RelPath, Text, TreeSpec};
use std::collections::HashMap;

/// The shell's own process in a trace.
const SHELL_PID: u32 = 1;

/// How many surroundings are remembered before all are forgotten. Most cases share a few.
const REMEMBERED: usize = 1_024;

/// What shells do at their start, by surroundings.
#[derive(Debug, Default)]
pub struct Startups {
    known: HashMap<Surroundings, Vec<(TouchKind, Text)>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Surroundings {
    shell: String,
    cwd: RelPath,
    pwd: Option<Text>,
    env: Env,
    /// Only where the environment is the case's own can it name places of the tree.
    tree: Option<TreeSpec>,
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
        let prefix = self.of(case, shell, engine)?;
        if begins_with(&trace.touches, prefix) {
            let mut left = prefix.len();
            trace.touches.retain(|touch| {
                let at_start = touch.pid == SHELL_PID && left > 0;
                left -= usize::from(at_start);
                !at_start
            });
        }
        Ok(trace)
    }

    fn of(
        &mut self,
        case: &Case,
        shell: &Installation,
        engine: &mut Engine,
    ) -> Result<&[(TouchKind, Text)], RunError> {
        let own = case.pwd.is_some() || !case.env.is_empty();
        let key = Surroundings {
            shell: shell.id.name.clone(),
            cwd: case.cwd.clone(),
            pwd: case.pwd.clone(),
            env: case.env.clone(),
            tree: own.then(|| case.tree.clone()),
        };
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        if !self.known.contains_key(&key) {
            let nothing = Case { line: Text::from(":"), ..case.clone() };
            let trace = engine.run(&nothing, shell)?;
            let prefix = of_the_shell(&trace.touches).map(|it| (it.kind, it.text.clone()));
            self.known.insert(key.clone(), prefix.collect());
        }
        Ok(&self.known[&key])
    }
}

fn of_the_shell(touches: &[Touch]) -> impl Iterator<Item = &Touch> {
    touches.iter().filter(|touch| touch.pid == SHELL_PID)
}

fn begins_with(touches: &[Touch], prefix: &[(TouchKind, Text)]) -> bool {
    let mut seen = of_the_shell(touches);
    prefix.iter().all(|(kind, text)| {
        seen.next().is_some_and(|touch| touch.kind == *kind && touch.text == *text)
    })
}
