//! What a tool-chain uses beside what its words name: the project, and what it looks for upward.

use super::command::Run;
use super::{Planned, Planner, lossy};
use crate::discovery::{self, above};
use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve};
use crate::plan::{Bytes, PathUse, Role};
use crate::protected::is_secret_file;
use crate::repository::tracks_below;
use crate::request::Profile;
use crate::span::Span;
use crate::verbs::{Class, Search, SearchIn, Uses, Verb, Word};
use crate::verdict::Code;
use crate::view::Kind;
use std::collections::BTreeSet;

/// From how many directories a search starts. Real lines name two or three.
const STARTS_MAX: usize = 64;

impl Planner<'_> {
    /// A build reads and writes below the root that it starts in.
    pub(super) fn builds(&self, run: &Run<'_>, planned: &mut Planned) {
        for place in run.states().places() {
            if let Some(root) = self.scope.root_of(&place.physical) {
                let under = PathUse { under: true, ..used(root.clone(), Role::Build, run.span(0)) };
                planned.paths().push(under);
            }
        }
    }

    /// Looks for what the tool looks for, from where it starts and from all that its words name.
    pub(super) fn upward(
        &self,
        verb: &Verb<'_>,
        uses: &Uses<'_>,
        words: &[Word<'_>],
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        if uses.seeks.is_empty() || !self.view.sees() {
            return;
        }
        let goes_down = |it: &&&Search| {
            matches!(it.reach, SearchIn::Below | SearchIn::Within | SearchIn::Parts)
        };
        let of_all = uses.seeks.iter().any(|it| it.reach == SearchIn::Mentioned);
        for search in uses.seeks.iter().filter(goes_down) {
            let mut tops = self.tops(uses, words, run);
            if search.reach == SearchIn::Parts || of_all {
                tops = tops.iter().filter_map(|top| self.scope.root_of(top).cloned()).collect();
            }
            self.walked(verb, search, &tops, run, planned);
        }
        if uses.seeks.iter().all(|it| goes_down(&it)) {
            return;
        }
        let starts = self.starts(uses, run);
        if starts.len() > STARTS_MAX {
            let note = "its files stand in too many directories to look above each".to_owned();
            return planned.object(Code::PathUnresolved, run.span(0), note);
        }
        let home = self.home.and_then(|home| {
            resolve(self.view, &Physical::root(), home, Last::Follow).ok().map(|home| home.path)
        });
        for search in &uses.seeks {
            match search.reach {
                SearchIn::Links => {
                    self.linked(search, &starts, run, planned);
                    continue;
                }
                SearchIn::Below | SearchIn::Within | SearchIn::Parts => continue,
                SearchIn::Mentioned => {
                    self.mentioned(search, run, planned);
                    continue;
                }
                SearchIn::Above | SearchIn::Here => {}
            }
            match discovery::found(self.view, search, &starts, home.as_ref()) {
                Ok(found) => planned
                    .paths()
                    .extend(found.into_iter().map(|path| read_for_itself(path, run.span(0)))),
                Err((text, error)) => {
                    let note = format!("'{}' {}", lossy(&text), error.why());
                    planned.object(Code::PathUnresolved, run.span(0), note);
                }
            }
        }
    }

    /// A tool writes what it makes where its words say, as a redirection would: not over what git
    /// tracks, unless editing is declared.
    pub(super) fn outputs(
        &self,
        verb: &Verb<'_>,
        uses: &Uses<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        if verb.entry.class != Class::Build || self.policy.profile >= Profile::Edit {
            return;
        }
        for it in uses.paths.iter().filter(|it| it.role == Role::Build) {
            for place in run.states().places() {
                let there = resolve(self.view, &place.physical, &it.text, Last::Follow);
                let Ok(there) = there else { continue }; // said where the path itself is resolved
                if there.end == End::Missing || self.scope.root_of(&there.path).is_none() {
                    continue;
                }
                let what = match tracks_below(self.view, &there.path) {
                    Some(false) => continue,
                    Some(true) => "may be written over, and git tracks it, or what stands in it",
                    None => "may be written over, and whether git tracks it is not known",
                };
                let note = format!("'{}' {what}", lossy(&it.text));
                planned.object(Code::Writes, run.span(0), note);
            }
        }
    }

    /// The directories in which a search starts, by every name that a tool may have for them.
    fn starts(&self, uses: &Uses<'_>, run: &Run<'_>) -> BTreeSet<Vec<u8>> {
        let mut starts = BTreeSet::new();
        for place in run.states().places() {
            starts.insert(place.physical.as_bytes().to_vec());
            let (absolute, logical) = place.logical.text();
            starts.extend(absolute.then(|| logical.to_vec()));
            for named in uses.paths.iter().filter(|it| it.word > 0) {
                let there = resolve(self.view, &place.physical, &named.text, Last::Follow);
                let Ok(there) = there else { continue }; // said where the path itself is resolved
                let path = there.path.as_bytes();
                if there.end.may_be_directory() {
                    starts.insert(path.to_vec());
                }
                let above = above(path).filter(|_| !there.end.is_directory());
                starts.extend(above.map(<[u8]>::to_vec));
            }
        }
        starts
    }

    /// A program that would be downloaded if it did not stand in a `node_modules/.bin` of the
    /// project.
    pub(super) fn bins(
        &self,
        bins: &[usize],
        words: &[Word<'_>],
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        for &word in bins {
            let Some(name) = words[word].whole() else { continue }; // said where it is run
            let span = run.span(0);
            if self.declared_verb(name).is_none_or(|verb| verb.entry.class != Class::Build) {
                let note = format!("'{}' is not among the declared tools", lossy(name));
                planned.object(Code::UndeclaredVerb, span, note);
                continue;
            }
            for place in run.states().places().iter().filter(|_| self.view.sees()) {
                match self.bin(name, &place.physical) {
                    Some(path) => planned.paths().push(used(path, Role::Exec, span)),
                    None => {
                        let shown = lossy(name);
                        let note = format!("'{shown}' is in no node_modules: it would be fetched");
                        planned.object(Code::Fetches, span, note);
                    }
                }
            }
        }
    }

    /// Where this program stands, in the nearest `node_modules/.bin` of the project.
    fn bin(&self, name: &[u8], from: &Physical) -> Option<Physical> {
        let root = self.scope.root_of(from)?;
        let text = [b"node_modules/.bin/", name].concat();
        let mut directory = from.clone();
        loop {
            let there = resolve(self.view, &directory, &text, Last::Follow).ok()?;
            // What the line makes or removes may not be there.
            let sure = |kind| !matches!(kind, Kind::Perhaps | Kind::Unseen);
            if matches!(there.end, End::Found(kind) if sure(kind)) {
                return Some(there.path);
            }
            if directory == *root {
                return None;
            }
            directory = resolve(self.view, &directory, b"..", Last::Follow).ok()?.path;
        }
    }
}

/// A file that a tool reads without showing it, even if it holds a secret.
pub(super) fn read_for_itself(path: Physical, span: Span) -> PathUse {
    let name = path.as_bytes().rsplit(|byte| *byte == b'/').next();
    let role = if name.is_some_and(is_secret_file) { Role::Test } else { Role::Read };
    used(path, role, span)
}

/// A place that no word names.
pub(super) fn used(path: Physical, role: Role, span: Span) -> PathUse {
    let from = path.clone();
    let (text, way) = (Bytes::default(), Vec::new());
    PathUse { path, role, under: false, may: true, span, text, from, way }
}
