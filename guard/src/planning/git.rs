//! The repository that a command uses: found from every directory the command may start in.

use super::{Planned, Planner};
use crate::environment;
use crate::flow::States;
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::plan::{Bytes, PathUse, Role};
use crate::repository::toplevel;
use crate::semantics::Repository;
use crate::span::Span;
use crate::verbs::InRepository;
use crate::verdict::Code;
use crate::view::Change;

impl Planner<'_> {
    pub(super) fn repository(
        &self,
        used: &InRepository<'_>,
        states: &States,
        span: Span,
        planned: &mut Planned,
    ) {
        if let Some(note) = environment::changes_git(self.env) {
            planned.object(Code::Environment, span, note);
        }
        // What only a view can refute is taken as harmless.
        if !self.view.sees() || self.semantics.repository == Repository::Trusted {
            return;
        }
        for place in states.places() {
            let Ok(from) = resolve(self.view, &place.physical, &used.directory, Last::Follow)
            else {
                continue; // said where the path itself is resolved
            };
            match &*self.glance.repository(&from.path, used) {
                Ok(places) => planned.paths().extend(places.iter().map(|it| PathUse {
                    path: it.path.clone(),
                    role: it.role,
                    under: it.role != Role::Keep || used.writes,
                    may: true,
                    span,
                    text: Bytes::default(),
                    from: from.path.clone(),
                })),
                Err(note) => planned.object(Code::Repository, span, note.clone()),
            }
            if used.shuffles {
                self.shuffle(&from.path, span, planned);
            }
        }
    }

    /// Any file of the worktree may become another one, or a link.
    fn shuffle(&self, from: &Physical, span: Span, planned: &mut Planned) {
        let Some(top) = toplevel(self.view, from) else {
            let note = "which worktree this changes is not known".to_owned();
            return planned.object(Code::Repository, span, note);
        };
        planned.changes.add(&top, Change::Anything);
        let (text, from) = (Bytes::default(), from.clone());
        let (role, under, may) = (Role::Write, true, true);
        planned.paths().push(PathUse { path: top, role, under, may, span, text, from });
    }
}
