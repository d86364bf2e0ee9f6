//! The repository that a command uses: found from every directory the command may start in.

use super::{Planned, Planner};
use crate::environment;
use crate::flow::States;
use crate::path::resolve::{Last, resolve};
use crate::plan::{PathUse, Role};
use crate::repository;
use crate::span::Span;
use crate::verbs::InRepository;
use crate::verdict::Code;

impl Planner<'_> {
    pub(super) fn repository(
        &self,
        used: &InRepository,
        states: &States,
        span: Span,
        planned: &mut Planned,
    ) {
        if let Some(note) = environment::changes_git(self.env) {
            planned.object(Code::Environment, span, note);
        }
        // What only a view can refute is taken as harmless.
        if !self.view.sees() {
            return;
        }
        for place in states.places() {
            let Ok(from) = resolve(self.view, &place.physical, &used.directory, Last::Follow)
            else {
                continue; // said where the path itself is resolved
            };
            match repository::used_from(self.view, &from.path, used) {
                Ok(places) => planned.paths().extend(places.into_iter().map(|it| PathUse {
                    path: it.path,
                    role: it.role,
                    under: it.role != Role::Keep,
                    may: true,
                    span,
                    text: Vec::new(),
                    from: from.path.clone(),
                })),
                Err(note) => planned.object(Code::Repository, span, note),
            }
        }
    }
}
