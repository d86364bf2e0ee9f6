//! Paths that a command names: where they lead, and what is looked at on the way.

use super::{Planned, Planner, lossy};
use crate::flow::{DESCRIPTORS, INERT, Place, States};
use crate::path::resolve::{End, Last, resolve, way};
use crate::path::{Logical, Physical};
use crate::plan::{PathUse, Role};
use crate::reach::{Links, files_above};
use crate::semantics::Operands;
use crate::span::Span;
use crate::verbs::Verb;
use crate::verdict::Code;
use crate::view::Kind;

/// A path as a command names it, before it is resolved.
pub(super) struct Named<'a> {
    pub(super) text: &'a [u8],
    pub(super) role: Role,
    pub(super) under: bool,
    pub(super) may: bool,
    pub(super) span: Span,
}

impl Planner<'_> {
    /// Resolves a path from every directory the command may start in.
    pub(super) fn path(&self, named: &Named<'_>, states: &States, planned: &mut Planned) {
        if self.is_inert(named.text) {
            return;
        }
        if named.text.starts_with(b"/") {
            return self.resolve(named, &Physical::root(), planned);
        }
        for place in states.places() {
            let first = planned.paths().len();
            match self.semantics.operands {
                Operands::Physical => self.resolve(named, &place.physical, planned),
                Operands::Logical => self.resolve_by_text(named, place, planned),
            }
            self.entered(place, first, planned);
        }
    }

    /// Adds to the paths from the `first` on what is on the way to the place that they are taken
    /// from, if a `cd` has entered that through links.
    pub(super) fn entered(&self, place: &Place, first: usize, planned: &mut Planned) {
        let start = &self.start.place.physical;
        let (_, text) = place.logical.text();
        let is_spelled_out = match text {
            b"" => place.physical == *start,
            [b'/', ..] => place.physical.as_bytes() == text,
            _ => place.physical.as_bytes().strip_suffix(text).is_some_and(|above| {
                above.strip_suffix(b"/").is_some_and(|above| above == start.as_bytes())
            }),
        };
        if is_spelled_out
            || !resolve(self.view, start, text, Last::Follow).is_ok_and(|it| it.linked)
        {
            return;
        }
        let way = way(self.view, start, text);
        planned.paths()[first..].iter_mut().for_each(|it| it.way.extend_from_slice(&way));
    }

    /// Is it a device that leads nowhere, or a descriptor that does not?
    pub(super) fn is_inert(&self, text: &[u8]) -> bool {
        INERT.contains(&text) || (DESCRIPTORS.contains(&text) && !self.files_open)
    }

    /// Where a path leads for a tool that takes `..` for the removal of a name, before the system
    /// sees the path, as node, go, cargo and Python's own tools do; from the directory's own name,
    /// or from the one that the shell has for it.
    pub(super) fn path_by_text(&self, named: &Named<'_>, states: &States, planned: &mut Planned) {
        if !named.text.split(|byte| *byte == b'/').any(|name| name == b"..") {
            return;
        }
        let named = Named { may: true, ..*named };
        for place in states.places() {
            self.resolve_by_text(&named, place, planned);
            let own = Logical::absolute(place.physical.as_bytes());
            if let Some(way) = own.walk(named.text) {
                let root = Physical::root();
                self.resolve(&Named { text: way.text(), ..named }, &root, planned);
            }
        }
    }

    /// Resolves a path for somebody who believes that `..` takes a name away.
    fn resolve_by_text(&self, named: &Named<'_>, place: &Place, planned: &mut Planned) {
        let start = &self.start.place.physical;
        match place.logical.walk(named.text) {
            Some(way) => self.resolve(&Named { text: way.text(), ..*named }, start, planned),
            None => self.resolve(named, &place.physical, planned),
        }
    }

    /// Looks at every place on the way to a path.
    pub(super) fn on_the_way(&self, named: &Named<'_>, states: &States, planned: &mut Planned) {
        for place in states.places() {
            let from = &place.physical;
            let places = way(self.view, from, named.text).into_iter();
            planned.paths().extend(places.map(|path| {
                let (text, from) = (named.text.into(), from.clone());
                let (role, span) = (Role::Test, named.span);
                PathUse { path, role, under: false, may: true, span, text, from, way: Vec::new() }
            }));
        }
    }

    /// What a command reaches that follows links in or below a directory.
    pub(super) fn below(
        &self,
        named: &Named<'_>,
        links: &Links,
        states: &States,
        planned: &mut Planned,
    ) {
        let deep = *links != Links::In;
        for place in states.places() {
            let Ok(top) = resolve(self.view, &place.physical, named.text, Last::Follow) else {
                continue; // said where the path itself is resolved
            };
            if !matches!(top.end, End::Found(Kind::Dir | Kind::Perhaps)) {
                continue;
            }
            match &*self.glance.links_below(self.scope, &top.path, links) {
                Ok(led_to) => planned.paths().extend(led_to.iter().map(|(path, link)| {
                    let (path, from) = (path.clone(), place.physical.clone());
                    // What is said of it names the link.
                    let text = (&below_named(named.text, link)[..]).into();
                    let role = if deep { named.role } else { Role::Test };
                    let (under, span, way) = (deep, named.span, Vec::new());
                    PathUse { path, role, under, may: true, span, text, from, way }
                })),
                Err(error) => {
                    let note = format!("a link below '{}' {}", lossy(named.text), error.why());
                    planned.object(Code::PathUnresolved, named.span, note);
                }
            }
        }
    }

    /// The files that a verb reads above where it starts and above what it is given.
    pub(super) fn above(
        &self,
        verb: &Verb<'_>,
        states: &States,
        span: Span,
        planned: &mut Planned,
    ) {
        let starts = states.places().iter().map(|place| &place.physical);
        let given = planned.segments.first().into_iter().flat_map(|it| &it.paths);
        let starts = starts.chain(given.map(|used| &used.path));
        let found = files_above(self.view, starts, &verb.entry.upward);
        planned.paths().extend(found.into_iter().map(|path| {
            let (text, from) = (path.as_bytes().into(), Physical::root());
            let (role, way) = (Role::Read, Vec::new());
            PathUse { path, role, under: false, may: true, span, text, from, way }
        }));
    }

    /// A file in the home directory that says what a verb does, if there is one.
    pub(super) fn own_files(&self, verb: &Verb<'_>, span: Span, planned: &mut Planned) {
        let Some(home) = self.home else { return };
        for name in verb.entry.own_files.iter() {
            let path = [home, b"/", name.as_bytes()].concat();
            let found = resolve(self.view, &Physical::root(), &path, Last::Keep);
            let missing =
                found.is_ok_and(|it| matches!(it.end, End::Missing | End::Found(Kind::Unseen)));
            if !missing || !home.starts_with(b"/") {
                let note = format!("'{}' changes what '{}' does", lossy(&path), verb.name);
                planned.object(Code::Environment, span, note);
            }
        }
    }

    /// Looks along the name that the shell has for its directory.
    pub(super) fn along(&self, states: &States, span: Span, planned: &mut Planned) {
        let start = &self.start.place.physical;
        for place in states.places() {
            let (_, text) = place.logical.text();
            planned.paths().extend(way(self.view, start, text).into_iter().map(|path| {
                let (text, from) = (text.into(), start.clone());
                let (role, way) = (Role::Test, Vec::new());
                PathUse { path, role, under: false, may: true, span, text, from, way }
            }));
        }
    }

    pub(super) fn resolve(&self, named: &Named<'_>, from: &Physical, planned: &mut Planned) {
        // Who lists looks at the link itself as well, which stands where it stands.
        if named.role == Role::List
            && self.view.sees()
            && let Ok(link) = resolve(self.view, from, named.text, Last::Keep)
            && link.end == End::Found(Kind::Link)
        {
            let (text, from) = (named.text.into(), from.clone());
            let (path, role, span) = (link.path, Role::Test, named.span);
            let way = Vec::new();
            let used = PathUse { path, role, under: false, may: named.may, span, text, from, way };
            planned.paths().push(used);
        }
        match resolve(self.view, from, named.text, Last::Follow) {
            Ok(resolved) => {
                let way =
                    if resolved.linked { way(self.view, from, named.text) } else { Vec::new() };
                planned.paths().push(PathUse {
                    path: resolved.path,
                    role: named.role,
                    under: named.under,
                    may: named.may,
                    span: named.span,
                    text: named.text.into(),
                    from: from.clone(),
                    way,
                });
            }
            Err(error) => planned.object(
                Code::PathUnresolved,
                named.span,
                format!("'{}' {}", lossy(named.text), error.why()),
            ),
        }
    }
}

/// What stands below a directory, as a person would write it who named the directory so.
fn below_named(directory: &[u8], name: &[u8]) -> Vec<u8> {
    match directory.strip_suffix(b"/").unwrap_or(directory) {
        b"" if directory.is_empty() => name.to_vec(),
        b"." => name.to_vec(),
        bare => [bare, b"/", name].concat(),
    }
}
