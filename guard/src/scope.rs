//! What the project owns.

use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::view::FsView;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The roots: directories within which everything is the project's. Never empty.
#[derive(Clone, Debug)]
pub struct Scope {
    roots: Vec<Physical>,
}

/// Why a scope cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeError {
    /// There is no root.
    Empty,
    /// This root is no absolute path.
    Relative(PathBuf),
    /// This root is the root of the file system: everything would be in scope.
    Everything(PathBuf),
    /// There is no directory at this root.
    NoDirectory(PathBuf),
    /// Where this root leads cannot be told.
    Unresolved(PathBuf, &'static str),
}

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScopeError::Empty => f.write_str("no root is given: name the project's directory"),
            ScopeError::Relative(root) => {
                write!(f, "the root '{}' is not absolute", root.display())
            }
            ScopeError::Everything(root) => write!(
                f,
                "the root '{}' is the whole file system: name the project's directory",
                root.display()
            ),
            ScopeError::NoDirectory(root) => {
                write!(f, "the root '{}' is no directory", root.display())
            }
            ScopeError::Unresolved(root, why) => write!(f, "the root '{}' {why}", root.display()),
        }
    }
}

impl std::error::Error for ScopeError {}

impl Scope {
    /// Resolves the roots once; a root that is a link stands for where it leads.
    pub fn new(roots: &[PathBuf], view: &dyn FsView) -> Result<Scope, ScopeError> {
        if roots.is_empty() {
            return Err(ScopeError::Empty);
        }
        let roots = roots.iter().map(|root| physical(root, view)).collect::<Result<_, _>>()?;
        Ok(Scope { roots })
    }

    /// The root that `path` is within, if there is one.
    pub fn root_of(&self, path: &Physical) -> Option<&Physical> {
        self.roots.iter().find(|root| path.is_within(root))
    }

    /// The roots, physical, in the order given.
    pub fn roots(&self) -> &[Physical] {
        &self.roots
    }
}

fn physical(root: &Path, view: &dyn FsView) -> Result<Physical, ScopeError> {
    if !root.is_absolute() {
        return Err(ScopeError::Relative(root.to_owned()));
    }
    let resolved = resolve(view, &Physical::root(), root.as_os_str().as_bytes(), Last::Follow)
        .map_err(|error| ScopeError::Unresolved(root.to_owned(), error.why()))?;
    if resolved.unchecked || !resolved.end.is_directory() {
        return Err(ScopeError::NoDirectory(root.to_owned()));
    }
    if resolved.path == Physical::root() {
        return Err(ScopeError::Everything(root.to_owned()));
    }
    Ok(resolved.path)
}
