//! What a batch remembers between its questions.

use shfence::{FsView, Glance, NoView, RealView, Scope, ScopeError};
use std::path::{Path, PathBuf};

/// Which view a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The file system as it is.
    Real,
    /// Nothing.
    None,
}

/// The glances that questions are answered from, and the scope of the last one: nearly all
/// questions of a batch are about one project.
pub struct Session {
    real: Glance<'static>,
    none: Glance<'static>,
    scope: Option<(Sight, Vec<PathBuf>, Scope)>,
}

impl Session {
    /// Nothing is remembered.
    pub fn new() -> Session {
        Session { real: Glance::at(&RealView), none: Glance::at(&NoView), scope: None }
    }

    /// Forgets what the file system was like: whoever asks next may have changed it.
    pub fn look_again(&mut self) {
        self.real = Glance::at(&RealView);
        self.scope.take_if(|(sight, ..)| *sight == Sight::Real);
    }

    /// The scope of these roots, and the glance to decide from.
    pub fn scope<'p>(
        &mut self,
        roots: impl Iterator<Item = &'p Path> + Clone,
        sight: Sight,
    ) -> Result<(&Scope, &Glance<'static>), ScopeError> {
        let glance = match sight {
            Sight::Real => &self.real,
            Sight::None => &self.none,
        };
        self.scope.take_if(|known| {
            known.0 != sight || !known.1.iter().map(PathBuf::as_path).eq(roots.clone())
        });
        let known = match self.scope.take() {
            Some(known) => known,
            None => {
                let view: &dyn FsView = match sight {
                    Sight::Real => &RealView,
                    Sight::None => &NoView,
                };
                let roots: Vec<PathBuf> = roots.map(Path::to_owned).collect();
                let scope = Scope::new(&roots, view)?;
                (sight, roots, scope)
            }
        };
        Ok((&self.scope.insert(known).2, glance))
    }
}
