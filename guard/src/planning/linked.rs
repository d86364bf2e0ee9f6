//! Links through which a tool-chain leaves the project: where it writes what it makes, and where it
//! takes what it was not given by name.

use super::building::read_for_itself;
use super::command::Run;
use super::{Planned, Planner, lossy};
use crate::discovery::above;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Resolved, Unresolved, resolve};
use crate::verbs::{Class, Search, SearchIn, Uses, Verb, Word};
use crate::verdict::Code;
use std::collections::BTreeSet;

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

    /// What a tool comes to that goes down, for files of these names.
    pub(super) fn walked(
        &self,
        verb: &Verb<'_>,
        search: &'static Search,
        tops: &BTreeSet<Physical>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        let met = self.glance.met(self.scope, search, tops);
        for (name, there) in &met.links {
            self.led(there.clone(), name, run, planned);
        }
        // What a search reads beside what it was asked for only says what it leaves out.
        if met.too_many && verb.entry.class == Class::Build {
            let note = format!("'{}' goes down to more than can be looked through", verb.name);
            planned.object(Code::PathUnresolved, run.span(0), note);
        }
    }

    /// The directories that a tool goes down from: those that its words name, and the one that it
    /// starts in, unless its first word names something else. What builds a project of several
    /// parts is told names of tests and tasks, and builds all that these need.
    pub(super) fn tops(
        &self,
        uses: &Uses<'_>,
        words: &[Word<'_>],
        run: &Run<'_>,
    ) -> BTreeSet<Physical> {
        let mut tops = BTreeSet::new();
        let has_parts = uses.seeks.iter().any(|it| it.reach == SearchIn::Parts);
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
            if (!is_given || has_parts) && self.scope.root_of(&place.physical).is_some() {
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
            Ok(there) if !there.linked => {}
            Ok(there) => self.led(Ok(there.path), name, run, planned),
            Err(error) => self.led(Err(error), name, run, planned),
        }
    }

    /// Where a link leads.
    fn led(
        &self,
        there: Result<Physical, Unresolved>,
        name: &[u8],
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        match there {
            Ok(path) => planned.paths().push(read_for_itself(path, run.span(0))),
            // Who cannot get there reads and writes nothing.
            Err(Unresolved::Loop | Unresolved::TooLong | Unresolved::Unreadable) => {}
            Err(error) => {
                let note = format!("'{}' {}", lossy(name), error.why());
                planned.object(Code::PathUnresolved, run.span(0), note);
            }
        }
    }
}
