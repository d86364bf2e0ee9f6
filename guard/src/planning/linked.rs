//! Links through which a tool-chain leaves the project: where it writes what it makes, and where it
//! takes what it was not given by name.

use super::building::used;
use super::command::Run;
use super::{Planned, Planner, lossy};
use crate::discovery::above;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Resolved, Unresolved, resolve};
use crate::plan::Role;
use crate::verbs::{Search, Uses, Word};
use crate::verdict::Code;
use crate::view::Kind;
use std::collections::{BTreeSet, VecDeque};
use std::os::unix::ffi::OsStrExt;

/// How many names are looked at below where a tool starts, the nearest first. What stands beyond is
/// not looked at: a large project would ask for ever, and its own code runs anyway.
const NAMES_MAX: usize = 5_000;

/// How many names are looked at behind a link that leaves.
const OUTSIDE_MAX: usize = 1_000;

/// Directories that no tool goes through which looks for the project's own files; nor do they go
/// through those whose names begin with a dot, or in which Python's packages are.
const PASSED: [&[u8]; 4] = [b"node_modules", b"__pycache__", b"site-packages", b"venv"];

impl Planner<'_> {
    /// What stands in these directories, and in those above within the project, counts where it is
    /// a link; one that leads nowhere is written through.
    pub(super) fn linked(
        &self,
        search: &Search,
        starts: &BTreeSet<Vec<u8>>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        let mut seen = BTreeSet::new();
        for start in starts {
            let mut directory = Some(&start[..]);
            while let Some(at) = directory.filter(|at| seen.insert(at.to_vec())) {
                let Some(here) = self.inside(at) else { break };
                for name in search.files {
                    let there = resolve(self.view, &here, name.as_bytes(), Last::Follow);
                    self.leads(there, name.as_bytes(), run, planned);
                }
                directory = above(at);
            }
        }
    }

    /// What a tool comes to that goes down through links, for files whose names end so.
    pub(super) fn walked(
        &self,
        search: &Search,
        tops: &BTreeSet<Physical>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        let mut entered = tops.clone();
        let mut waiting: VecDeque<Physical> = tops.iter().cloned().collect();
        let mut names = 0;
        while let Some(directory) = waiting.pop_front() {
            let list = self.view.list(directory.as_path(), NAMES_MAX - names);
            let Ok(list) = list else { continue };
            names += list.len();
            if list.iter().any(|name| name.as_bytes() == b"pyvenv.cfg") {
                continue;
            }
            for name in list.iter().map(|name| name.as_bytes()) {
                let is_named = search.files.iter().any(|file| file.as_bytes() == name);
                if PASSED.contains(&name) || (name.starts_with(b".") && !is_named) {
                    continue;
                }
                let Ok(mut found) = resolve(self.view, &directory, name, Last::Keep) else {
                    continue; // what cannot be looked at cannot be entered
                };
                if found.end == End::Found(Kind::Link) {
                    let there = resolve(self.view, &directory, name, Last::Follow);
                    let taken = match &there {
                        Ok(there) if there.end.may_be_directory() => {
                            self.scope.root_of(&there.path).is_some()
                                || self.takes_from(&there.path, search)
                        }
                        _ => takes(search, name),
                    };
                    if taken || there.is_err() {
                        self.leads(there.clone(), name, run, planned);
                    }
                    let Ok(there) = there else { continue };
                    found = there;
                }
                let is_directory = matches!(found.end, End::Found(Kind::Dir | Kind::Perhaps));
                if is_directory
                    && self.scope.root_of(&found.path).is_some()
                    && entered.insert(found.path.clone())
                {
                    waiting.push_back(found.path);
                }
            }
        }
    }

    /// Is there anything for the tool in or below a directory outside? What cannot be seen to the
    /// end may hold something. Where there is nothing, it sees names, and no more.
    fn takes_from(&self, top: &Physical, search: &Search) -> bool {
        let mut entered = BTreeSet::from([top.clone()]);
        let mut waiting = vec![top.clone()];
        let mut names = 0;
        while let Some(directory) = waiting.pop() {
            let list = self.view.list(directory.as_path(), OUTSIDE_MAX - names);
            let Ok(list) = list else { return true };
            names += list.len();
            for name in list.iter().map(|name| name.as_bytes()) {
                if takes(search, name) {
                    return true;
                }
                if let Ok(there) = resolve(self.view, &directory, name, Last::Follow)
                    && matches!(there.end, End::Found(Kind::Dir | Kind::Perhaps))
                    && entered.insert(there.path.clone())
                {
                    waiting.push(there.path);
                }
            }
        }
        false
    }

    /// The directories that a tool goes down from: those that its words name, and the one that it
    /// starts in, unless its first word names something else.
    pub(super) fn tops(
        &self,
        uses: &Uses<'_>,
        words: &[Word<'_>],
        run: &Run<'_>,
    ) -> BTreeSet<Physical> {
        let mut tops = BTreeSet::new();
        for place in run.states().places() {
            let mut is_given = false;
            for named in uses.paths.iter().filter(|it| it.word > 0) {
                let there = resolve(self.view, &place.physical, &named.text, Last::Follow);
                let Ok(there) = there else { continue }; // said where the path itself is resolved
                if there.end == End::Missing {
                    continue;
                }
                // Behind an option it may be a value of that.
                let option = |at: usize| words[at].known().starts_with(b"-");
                is_given |= !option(named.word) && !option(named.word - 1);
                if there.end.may_be_directory() && self.scope.root_of(&there.path).is_some() {
                    tops.insert(there.path);
                }
            }
            if !is_given && self.scope.root_of(&place.physical).is_some() {
                tops.insert(place.physical.clone());
            }
        }
        tops
    }

    /// The directory of this name, if it is one of the project's.
    fn inside(&self, directory: &[u8]) -> Option<Physical> {
        let here = resolve(self.view, &Physical::root(), directory, Last::Follow).ok()?;
        let is = here.end.may_be_directory() && self.scope.root_of(&here.path).is_some();
        is.then_some(here.path)
    }

    /// Where a name leads, if it is a link.
    fn leads(
        &self,
        there: Result<Resolved, Unresolved>,
        name: &[u8],
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        match there {
            Ok(there) if there.linked => {
                planned.paths().push(used(there.path, Role::Read, run.span(0)));
            }
            // Who cannot get there reads and writes nothing.
            Ok(_) | Err(Unresolved::Loop | Unresolved::TooLong | Unresolved::Unreadable) => {}
            Err(error) => {
                let note = format!("'{}' {}", lossy(name), error.why());
                planned.object(Code::PathUnresolved, run.span(0), note);
            }
        }
    }
}

/// Is it the name of a file that the tool takes?
fn takes(search: &Search, name: &[u8]) -> bool {
    search.files.iter().any(|end| name.ends_with(end.as_bytes()))
}
