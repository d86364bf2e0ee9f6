//! The repository that a command uses: found from every directory the command may start in.

use super::{Planned, Planner};
use crate::environment;
use crate::flow::States;
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::plan::{Bytes, PathUse, Role};
use crate::protected::is_secret_path;
use crate::repository::{toplevel, tracks};
use crate::semantics::Repository;
use crate::span::Span;
use crate::trees::is_named;
use crate::verbs::{Adds, InRepository};
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
            match &*self.glance.repository(&from.path, used.form) {
                Ok(places) => {
                    planned.paths().extend(places.iter().map(|it| PathUse {
                        path: it.path.clone(),
                        role: it.role,
                        under: it.role != Role::Keep || used.form.writes,
                        may: true,
                        span,
                        text: Bytes::default(),
                        from: from.path.clone(),
                    }));
                    // What git then takes for a repository is another question.
                    let kept = places.iter().filter(|it| used.form.writes && it.role == Role::Keep);
                    kept.for_each(|it| planned.changes.add(&it.path, Change::Rewritten));
                }
                Err(note) => planned.object(Code::Repository, span, note.clone()),
            }
            match used.form.adds {
                Adds::Nothing => {}
                Adds::Tracked => self.adds_tracked(&from.path, span, planned),
                Adds::Anything => self.adds(&from.path, span, planned),
            }
        }
    }

    /// The same, of what git tracks already.
    fn adds_tracked(&self, from: &Physical, span: Span, planned: &mut Planned) {
        let names = &self.policy.protected_names;
        let secret = |path: &[u8]| is_secret_path(path) || is_named(names, path);
        let note = match tracks(self.view, from, &secret) {
            Some(false) => return,
            Some(true) => "what may hold a secret is tracked",
            None => "what is tracked here is not known",
        };
        planned.object(Code::Protected, span, note.to_owned());
    }

    /// What is added is kept, and shown to whoever gets the repository.
    fn adds(&self, from: &Physical, span: Span, planned: &mut Planned) {
        match toplevel(self.view, from).map(|top| self.secret_below(&top)) {
            Some(Ok(false)) => {}
            Some(Ok(true)) => {
                let note = "what may hold a secret stands in the worktree".to_owned();
                planned.object(Code::Protected, span, note);
            }
            Some(Err(error)) => {
                let note = format!("what stands in the worktree {}", error.why());
                planned.object(Code::Protected, span, note);
            }
            None => {
                let note = "which worktree this adds to is not known".to_owned();
                planned.object(Code::Repository, span, note);
            }
        }
    }
}
