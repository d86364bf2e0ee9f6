//! What a command that edits writes, and what that does to the rest of the line.

use super::{Planned, Planner, lossy};
use crate::flow::States;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Resolved, Unresolved, resolve, way};
use crate::plan::{PathUse, Role};
use crate::reach::Links;
use crate::span::Span;
use crate::trees::{guarded_below, secret_below};
use crate::verbs::{Leaves, Written};
use crate::verdict::Code;
use crate::view::{Change, Kind};

/// What comes to stand at a place that is written.
struct Coming {
    /// How that changes; not at all, if it is tried in vain.
    change: Option<Change>,
    /// May it be a whole tree?
    tree: bool,
    /// A tree that is copied over another one is written through the links in that, and names of
    /// both stand there then.
    over_a_tree: bool,
    /// Is it certainly no directory?
    no_directory: bool,
}

impl Planner<'_> {
    /// Resolves a place that is written, from every directory the command may start in.
    pub(super) fn writes(
        &self,
        written: &Written<'_>,
        states: &States,
        span: Span,
        planned: &mut Planned,
    ) {
        // What is put in a device's place is no device.
        if !written.keep && self.is_inert(&written.text) {
            return;
        }
        // Where it goes may be told from the root, and yet what goes there from here.
        let from_here = |path: &[u8]| !path.starts_with(b"/");
        let here = match &written.leaves {
            Leaves::Same(source) => from_here(&written.text) || from_here(source),
            _ => from_here(&written.text),
        };
        if !here {
            return self.write(written, &Physical::root(), span, planned);
        }
        for place in states.places() {
            let first = planned.paths().len();
            self.write(written, &place.physical, span, planned);
            self.entered(place, first, planned);
        }
    }

    fn write(&self, written: &Written<'_>, from: &Physical, span: Span, planned: &mut Planned) {
        let last = if written.keep { Last::Name } else { Last::Follow };
        let resolved = match resolve(self.view, from, &written.text, last) {
            Ok(resolved) => resolved,
            Err(error) => return self.no_way(written, error, span, planned),
        };
        if self.stays(written, &resolved.path) {
            return;
        }
        let coming = self.coming(written, &resolved, from, span, planned);
        self.changes(&resolved.path, &coming, planned);
        // A name of chance steers nothing.
        let role = if written.is_beside() { Role::Keep } else { Role::Write };
        let way = if resolved.linked { way(self.view, from, &written.text) } else { Vec::new() };
        let mut places = vec![(resolved.path, written.may)];
        if coming.over_a_tree {
            match &*self.glance.links_below(self.scope, &places[0].0, &Links::Below) {
                Ok(led_to) => places.extend(led_to.keys().map(|it| (it.clone(), true))),
                Err(error) => self.no_way(written, *error, span, planned),
            }
        }
        planned.paths().extend(places.into_iter().map(|(path, may)| {
            let (text, from) = ((&*written.text).into(), from.clone());
            let under = coming.tree;
            PathUse { path, role, under, may, span, text, from, way: way.clone() }
        }));
    }

    /// What comes to stand at the place that is written.
    fn coming(
        &self,
        written: &Written<'_>,
        place: &Resolved,
        from: &Physical,
        span: Span,
        planned: &mut Planned,
    ) -> Coming {
        let (change, tree) = match &written.leaves {
            Leaves::Plain => (Change::Plain, written.under),
            Leaves::Nothing => (Change::Gone, written.under),
            // A link, behind which any name may stand then.
            Leaves::Anything => (Change::Anything, true),
            Leaves::Same(source) => self.same(source, from, span, planned),
        };
        // `mv` tries to take its place all the same, in vain.
        let in_vain = written.instead && self.is_entered(from, written);
        let tree = tree && !in_vain;
        let is_same = matches!(written.leaves, Leaves::Same(_));
        let over_a_tree =
            tree && is_same && matches!(place.end, End::Found(Kind::Dir | Kind::Perhaps));
        let in_place_of_one = tree && is_same && self.is_tree(&place.path);
        let change = if over_a_tree || in_place_of_one { Change::Anything } else { change };
        let no_directory = match &written.leaves {
            Leaves::Nothing => true,
            Leaves::Same(_) => !tree,
            Leaves::Plain | Leaves::Anything => false,
        };
        Coming { change: (!in_vain).then_some(change), tree, over_a_tree, no_directory }
    }

    /// Is it a directory above the project, on the way to one that is made? That is there.
    fn stays(&self, written: &Written<'_>, place: &Physical) -> bool {
        let on_the_way = written.may && !written.under && written.leaves == Leaves::Plain;
        on_the_way && self.scope.roots().iter().any(|root| root != place && root.is_within(place))
    }

    /// Writes down what comes to stand there, if anything does.
    fn changes(&self, path: &Physical, coming: &Coming, planned: &mut Planned) {
        let change = match coming.change {
            None => return,
            Some(Change::Plain) if self.is(Kind::File, path) => Change::Rewritten,
            Some(Change::Plain) if self.is(Kind::Dir, path) => return,
            Some(change) => change,
        };
        match coming.no_directory {
            true => planned.changes.add(path, change),
            false => planned.changes.add_tree(path, change),
        }
    }

    /// Is there certainly a directory that what comes goes into? `ln -n` takes the place of a link.
    fn is_entered(&self, from: &Physical, written: &Written<'_>) -> bool {
        let moved = matches!(written.leaves, Leaves::Same(_));
        let last = if moved { Last::Follow } else { Last::Keep };
        let there = resolve(self.view, from, &written.text, last);
        there.is_ok_and(|it| it.end == End::Found(Kind::Dir) && !it.unsure)
    }

    fn no_way(&self, written: &Written<'_>, why: Unresolved, span: Span, planned: &mut Planned) {
        let note = format!("'{}' {}", lossy(&written.text), why.why());
        planned.object(Code::PathUnresolved, span, note);
    }

    /// May a directory stand there? `mv` puts another one in the place of an empty one.
    fn is_tree(&self, place: &Physical) -> bool {
        let may_be = self.is(Kind::Perhaps, place) && !self.view.is_no_tree(place.as_path());
        may_be || self.is(Kind::Dir, place)
    }

    fn is(&self, kind: Kind, place: &Physical) -> bool {
        self.view.kind(place.as_path()).is_ok_and(|it| it == kind)
    }

    /// What comes to stand where this is copied or moved to, and whether it may be a whole tree. Of
    /// a tree nothing is known there. What says what may run, or may hold a secret, does not go
    /// anywhere.
    fn same(
        &self,
        source: &[u8],
        from: &Physical,
        span: Span,
        planned: &mut Planned,
    ) -> (Change, bool) {
        let Ok(found) = resolve(self.view, from, source, Last::Keep) else {
            return (Change::Anything, true); // said where the source itself is resolved
        };
        match found.end {
            End::Missing | End::Found(Kind::File) => (Change::Plain, false),
            End::Found(Kind::Perhaps) if self.view.is_no_tree(found.path.as_path()) => {
                (Change::Plain, false)
            }
            // A file that the line makes, or takes away. Of a directory it would say what is in it.
            End::Found(Kind::Perhaps)
                if self.view.list(found.path.as_path(), 1).is_ok_and(|names| names.is_empty()) =>
            {
                (Change::Plain, true)
            }
            End::Found(Kind::Dir) => {
                if let Some(note) = self.goes_along(source, &found.path) {
                    planned.object(Code::Protected, span, note);
                }
                match &*self.glance.links_below(self.scope, &found.path, &Links::Below) {
                    Ok(links) if links.is_empty() => (Change::Plain, true),
                    _ => (Change::Anything, true),
                }
            }
            End::Found(_) => (Change::Anything, true),
        }
    }

    /// What stands against copying or moving a tree.
    fn goes_along(&self, source: &[u8], top: &Physical) -> Option<String> {
        let below = || format!("what stands below '{}'", lossy(source));
        match (guarded_below(self.view, top), self.secret_below(top)) {
            (Ok(None), Ok(false)) => None,
            (Ok(None), Ok(true)) => {
                Some(format!("what may hold a secret stands below '{}'", lossy(source)))
            }
            (Ok(Some(guarded)), _) => Some(format!("{guarded}, which steers, goes with it")),
            (Err(error), _) | (_, Err(error)) => Some(format!("{} {}", below(), error.why())),
        }
    }

    /// Does what may hold a secret stand below this, or what the person protects?
    pub(super) fn secret_below(&self, top: &Physical) -> Result<bool, Unresolved> {
        secret_below(self.view, top, &self.policy.protected_names)
    }
}
