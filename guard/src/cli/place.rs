//! Where a line runs, when nobody says so: what this process can see of it.

use std::path::{Path, PathBuf};

/// The nearest directory at or above `cwd` that holds a `.git`.
pub fn repository_above(cwd: &Path) -> Option<PathBuf> {
    let holds_git = |directory: &&Path| directory.join(".git").symlink_metadata().is_ok();
    cwd.ancestors().find(holds_git).map(Path::to_owned)
}

/// What a shell started by the same parent will call `cwd`: `$PWD` if it names that directory, and
/// otherwise the physical path (POSIX 2.5.3).
pub fn pwd_of(cwd: &Path) -> Option<PathBuf> {
    let physical = cwd.canonicalize().ok()?;
    let inherited = std::env::var_os("PWD").map(PathBuf::from);
    let names_it = |pwd: &PathBuf| {
        pwd.is_absolute() && pwd.canonicalize().is_ok_and(|there| there == physical)
    };
    inherited.filter(names_it).or(Some(physical))
}

/// The variables of this process that decide what a line does.
pub fn seen_env() -> shfence::Env {
    use std::os::unix::ffi::OsStringExt;
    let all = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
    all.filter(|(name, _)| shfence::is_governing(name)).collect()
}
