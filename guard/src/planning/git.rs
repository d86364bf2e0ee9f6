//! The repository that a command uses: found from every directory the command may start in.

use super::{Planned, Planner};
use crate::environment;
use crate::flow::{Place, States};
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::plan::{Bytes, PathUse, Role};
use crate::protected::{is_guarded_path, is_secret_path};
use crate::repository::{toplevel, tracks};
use crate::semantics::Repository;
use crate::span::Span;
use crate::trees::{guarded_unignored_below, is_named, repository_below, secret_added_below};
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
                        way: Vec::new(),
                    }));
                    // What git then takes for a repository is another question.
                    let kept = places.iter().filter(|it| used.form.writes && it.role == Role::Keep);
                    let change = match used.form.extends && self.adds_no_repository(used, place) {
                        true => Change::Extended,
                        false => Change::Rewritten,
                    };
                    kept.for_each(|it| planned.changes.add(&it.path, change));
                }
                Err(note) => planned.object(Code::Repository, span, note.clone()),
            }
            if used.form.restores {
                self.restores(used, &from.path, span, planned);
            }
            match used.form.adds {
                Adds::Nothing => {}
                Adds::Tracked => self.adds_tracked(&from.path, span, planned),
                Adds::Anything => self.adds(used, place, span, planned),
            }
        }
    }

    /// What was tracked once takes the place of what is there now. What that is cannot be seen.
    fn restores(
        &self,
        used: &InRepository<'_>,
        from: &Physical,
        span: Span,
        planned: &mut Planned,
    ) {
        let Some(top) = toplevel(self.view, from) else {
            let note = "which worktree this changes is not known".to_owned();
            return planned.object(Code::Repository, span, note);
        };
        let guarded = |path: &[u8]| is_guarded_path(&[b"/", path].concat());
        let note = match tracks(self.view, from, &guarded) {
            Some(false) => None,
            Some(true) => Some("what steers is tracked, and may be changed"),
            None => Some("what is tracked here is not known"),
        };
        // What is not tracked is taken away as well then.
        let untracked = used.form.adds == Adds::Anything;
        let taken = untracked && guarded_unignored_below(self.view, &top) != Ok(false);
        let note = note.or(taken.then_some("what steers may be taken away"));
        if let Some(note) = note {
            planned.object(Code::Protected, span, note.to_owned());
        }
        planned.changes.add(&top, Change::Anything);
        planned.paths().push(PathUse {
            path: top,
            role: Role::Write,
            under: true,
            may: true,
            span,
            text: Bytes::default(),
            from: from.clone(),
            way: Vec::new(),
        });
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
    fn adds(&self, used: &InRepository<'_>, place: &Place, span: Span, planned: &mut Planned) {
        let Some((top, taken)) = self.taken(used, place) else {
            let note = "which worktree this adds to is not known".to_owned();
            return planned.object(Code::Repository, span, note);
        };
        let names = &self.policy.protected_names;
        for below in &taken {
            let note = match secret_added_below(self.view, &top, below, names) {
                Ok(false) => continue,
                Ok(true) => "what may hold a secret stands in what is added".to_owned(),
                Err(error) => format!("what stands in what is added {}", error.why()),
            };
            planned.object(Code::Protected, span, note);
        }
        // What is tracked is added even if it is ignored.
        let secret = |path: &[u8]| is_secret_path(path) || is_named(names, path);
        if tracks(self.view, &place.physical, &secret) != Some(false) {
            let note = "what may hold a secret is tracked, or that is not known".to_owned();
            planned.object(Code::Protected, span, note);
        }
    }

    /// Does it take in no other repository, in which git would go on? What it tracks already was
    /// looked at.
    fn adds_no_repository(&self, used: &InRepository<'_>, place: &Place) -> bool {
        // Where a tracked file stood, one may stand now.
        if used.form.adds == Adds::Nothing {
            return true;
        }
        self.taken(used, place).is_some_and(|(top, taken)| {
            taken.iter().all(|below| repository_below(self.view, &top, below) == Ok(false))
        })
    }

    /// The top of the worktree, and the places in it below which files are taken in.
    fn taken(&self, used: &InRepository<'_>, place: &Place) -> Option<(Physical, Vec<Physical>)> {
        let at = |text: &[u8]| {
            resolve(self.view, &place.physical, text, Last::Keep).ok().map(|it| it.path)
        };
        let top = toplevel(self.view, &at(&used.directory)?)?;
        let taken: Vec<Physical> = match &used.takes[..] {
            [] => vec![top.clone()],
            all => all.iter().map(|text| at(text)).collect::<Option<_>>()?,
        };
        Some((top, taken))
    }
}
