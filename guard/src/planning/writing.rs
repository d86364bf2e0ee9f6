//! What a command that edits writes, and what that does to the rest of the line.

use super::{Planned, Planner, lossy};
use crate::flow::States;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Unresolved, resolve};
use crate::plan::{PathUse, Role};
use crate::reach::guarded_below;
use crate::span::Span;
use crate::verbs::{Leaves, Written};
use crate::verdict::Code;
use crate::view::{Change, Kind};

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
        if written.text.starts_with(b"/") {
            return self.write(written, &Physical::root(), span, planned);
        }
        for place in states.places() {
            self.write(written, &place.physical, span, planned);
        }
    }

    fn write(&self, written: &Written<'_>, from: &Physical, span: Span, planned: &mut Planned) {
        let last = if written.keep { Last::Name } else { Last::Follow };
        match resolve(self.view, from, &written.text, last) {
            Ok(resolved) => {
                let change = match &written.leaves {
                    Leaves::Plain => Change::Plain,
                    Leaves::Nothing => Change::Gone,
                    Leaves::Anything => Change::Anything,
                    Leaves::Same(source) => self.same(source, from, span, planned),
                };
                if change != Change::Plain || !self.stays_plain(&resolved.path) {
                    planned.changes.add(&resolved.path, change);
                }
                // A tree that is copied over another one is written through the links in that.
                let merged = resolved.end == End::Found(Kind::Dir)
                    && matches!(written.leaves, Leaves::Same(_));
                let mut places = vec![(resolved.path, written.may)];
                if merged {
                    match &*self.glance.links_below(&places[0].0, true) {
                        Ok(links) => places.extend(links.iter().map(|it| (it.clone(), true))),
                        Err(error) => self.no_way(written, *error, span, planned),
                    }
                }
                planned.paths().extend(places.into_iter().map(|(path, may)| {
                    let (text, from) = ((&*written.text).into(), from.clone());
                    let (role, under) = (Role::Write, written.under);
                    PathUse { path, role, under, may, span, text, from }
                }));
            }
            Err(error) => self.no_way(written, error, span, planned),
        }
    }

    fn no_way(&self, written: &Written<'_>, why: Unresolved, span: Span, planned: &mut Planned) {
        let note = format!("'{}' {}", lossy(&written.text), why.why());
        planned.object(Code::PathUnresolved, span, note);
    }

    /// Is there a file or a directory, which stays one when it is written?
    fn stays_plain(&self, place: &Physical) -> bool {
        matches!(self.view.kind(place.as_path()), Ok(Kind::File | Kind::Dir))
    }

    /// What comes to stand where this is copied or moved to. What says what may run does not go
    /// anywhere.
    fn same(&self, source: &[u8], from: &Physical, span: Span, planned: &mut Planned) -> Change {
        let Ok(found) = resolve(self.view, from, source, Last::Keep) else {
            return Change::Anything; // said where the source itself is resolved
        };
        match found.end {
            End::Found(Kind::Link | Kind::Other) => Change::Anything,
            End::Missing | End::Found(Kind::File | Kind::Unseen) => Change::Plain,
            End::Found(Kind::Dir) => {
                match guarded_below(self.view, &found.path) {
                    Ok(None) => {}
                    Ok(Some(guarded)) => {
                        let note = format!("{guarded}, which says what may run, goes with it");
                        planned.object(Code::Protected, span, note);
                    }
                    Err(error) => {
                        let note = format!("what stands below '{}' {}", lossy(source), error.why());
                        planned.object(Code::PathUnresolved, span, note);
                    }
                }
                let links = self.glance.links_below(&found.path, true);
                match &*links {
                    Ok(links) if links.is_empty() => Change::Plain,
                    _ => Change::Anything,
                }
            }
        }
    }
}
