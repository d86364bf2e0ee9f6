//! What a build does: `build-made`. A build verb runs the project's own code, and what that does is
//! outside of what a guard can promise. It is no finding, and it is counted.
//!
//! The build verb itself is judged as any program is. Of the build are the processes that it
//! started, and whatever leads through a place that was not there before the build made it. What
//! stood there before the line is nobody's but the guard's, however often a build writes it.
//!
//! A process counts as started by the build if it first touches something when the one that made it
//! is one. A shell that becomes the build verb has children of its own only if they run in the
//! background; one that had touched nothing yet would be taken for the build's.

use super::ambient::{PROGRAMS, is_like_one, is_loader};
use super::is_within;
use crate::trace::{Exec, Touch, TouchKind, Trace};
use shfence_corpus::{Case, Text};
use std::collections::{HashMap, HashSet};

/// The build verbs, by their names: those of POLICY and of the catalogue, which
/// `tests/built.rs` compares.
// tidy: table
pub const BUILDERS: &[&str] = &[
    "biome",
    "black",
    "bun",
    "bundle",
    "bunx",
    "cabal",
    "cargo",
    "clang-format",
    "cmake",
    "composer",
    "ctest",
    "dart",
    "dotnet",
    "eslint",
    "flake8",
    "flutter",
    "go",
    "gofmt",
    "goimports",
    "golangci-lint",
    "gradle",
    "hadolint",
    "isort",
    "jest",
    "make",
    "meson",
    "mix",
    "mocha",
    "mvn",
    "mypy",
    "next",
    "ninja",
    "node",
    "npm",
    "npx",
    "nx",
    "php",
    "php-cs-fixer",
    "phpunit",
    "pint",
    "playwright",
    "pnpm",
    "poetry",
    "prettier",
    "pyright",
    "pytest",
    "python",
    "python3",
    "rake",
    "rspec",
    "rubocop",
    "ruff",
    "shellcheck",
    "shfmt",
    "stack",
    "swift",
    "terraform",
    "tsc",
    "turbo",
    "uv",
    "vite",
    "vitest",
    "yarn",
    "zig",
];

/// What of a run is a build's.
#[derive(Default)]
pub(super) struct Built<'t> {
    /// The processes that build verbs started.
    started: HashSet<u32>,
    /// The touches, by index, that lead through what was made.
    through: HashSet<usize>,
    /// The directories that were entered so.
    places: HashSet<&'t Text>,
}

impl<'t> Built<'t> {
    pub(super) fn of(trace: &'t Trace) -> Built<'t> {
        if !trace.execs.iter().any(is_called_so) {
            return Built::default();
        }
        let mut walk = Walk { execs: trace.execs.iter().collect(), ..Walk::default() };
        for (index, touch) in trace.touches.iter().enumerate() {
            walk.meet(trace, touch);
            walk.take(index, touch);
        }
        walk.built
    }

    /// Is this touch the build's?
    pub(super) fn touched(&self, index: usize, touch: &Touch) -> bool {
        self.started.contains(&touch.pid) || self.through.contains(&index)
    }

    /// Is this program the build's, or started in a place of the build's?
    pub(super) fn ran(&self, exec: &Exec) -> bool {
        self.started.contains(&exec.pid) || self.is_place(&exec.cwd)
    }

    fn is_place(&self, directory: &[u8]) -> bool {
        self.places.iter().any(|place| is_within(directory, place))
    }
}

/// Is it called as a build verb is?
fn is_called_so(exec: &Exec) -> bool {
    let name = exec.argv.first().and_then(|it| it.rsplit(|byte| *byte == b'/').next());
    name.is_some_and(|name| BUILDERS.iter().any(|it| it.as_bytes() == name))
}

/// What is known on the way through a trace.
#[derive(Default)]
struct Walk<'t> {
    built: Built<'t>,
    /// Programs that are still to be met among the touches.
    execs: Vec<&'t Exec>,
    /// The directory that each process is in.
    cwds: HashMap<u32, &'t Text>,
    /// The processes that are build verbs.
    builders: HashSet<u32>,
    /// What was there when it was first touched.
    old: HashSet<&'t Text>,
    made: HashSet<&'t [u8]>,
}

impl<'t> Walk<'t> {
    /// A process is seen for the first time.
    fn meet(&mut self, trace: &'t Trace, touch: &Touch) {
        let Some(process) =
            (touch.pid as usize).checked_sub(1).and_then(|at| trace.processes.get(at))
        else {
            return;
        };
        if self.cwds.contains_key(&touch.pid) {
            return;
        }
        self.cwds.insert(touch.pid, &process.cwd);
        let of_build = |pid: &u32| self.builders.contains(pid) || self.built.started.contains(pid);
        if process.parent.as_ref().is_some_and(of_build) {
            self.built.started.insert(touch.pid);
        }
    }

    fn take(&mut self, index: usize, touch: &'t Touch) {
        let pid = touch.pid;
        self.executes(touch);
        if self.builders.contains(&pid) || self.built.started.contains(&pid) {
            let makes = touch.kind == TouchKind::Write && !touch.existed;
            let new =
                is_within(&touch.resolved, &Case::root()) && !self.old.contains(&touch.resolved);
            if makes && new {
                self.made.insert(&touch.resolved);
            }
        } else if self.leads_through(touch) {
            self.built.through.insert(index);
            if touch.kind == TouchKind::Enter && touch.existed {
                self.built.places.insert(&touch.resolved);
            }
        }
        if touch.existed && !self.made.contains(touch.resolved.as_bytes()) {
            self.old.insert(&touch.resolved);
        }
        if touch.kind == TouchKind::Enter && touch.existed {
            self.cwds.insert(pid, &touch.resolved);
        }
    }

    /// Does the process become a build verb? One of the system's: a program of the tree that is
    /// called like it is another one.
    fn executes(&mut self, touch: &Touch) {
        if touch.kind != TouchKind::Exec || !touch.existed || is_loader(&touch.resolved) {
            return;
        }
        let is_it = |it: &&Exec| it.pid == touch.pid && it.path == touch.resolved;
        let Some(at) = self.execs.iter().position(is_it) else { return };
        let exec = self.execs.remove(at);
        if is_like_one(&touch.text, PROGRAMS) && is_called_so(exec) {
            self.builders.insert(touch.pid);
        }
    }

    /// Does the way, as it was given, pass through what was made?
    fn leads_through(&self, touch: &Touch) -> bool {
        if self.made.is_empty() {
            return false;
        }
        let mut way: Vec<u8> = Vec::new();
        if !touch.text.starts_with(b"/") {
            let Some(cwd) = self.cwds.get(&touch.pid) else { return false };
            if self.built.is_place(cwd) {
                return true;
            }
            way.extend_from_slice(cwd);
        }
        touch.text.split(|byte| *byte == b'/').any(|name| {
            match name {
                b"" | b"." => return false,
                b".." => way.truncate(way.iter().rposition(|it| *it == b'/').unwrap_or(0)),
                name => way.extend([b"/", name].concat()),
            }
            self.made.contains(&way[..])
        })
    }
}
