//! Where a line runs, when nobody says so: what this process can see of it.

use std::path::{Path, PathBuf};

/// The directory that owns `cwd`: the nearest one at or above it that holds a `.git`, or else
/// `cwd` itself.
pub fn root_above(cwd: &Path) -> PathBuf {
    let holds_git = |directory: &&Path| directory.join(".git").symlink_metadata().is_ok();
    cwd.ancestors().find(holds_git).unwrap_or(cwd).to_owned()
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
    let governing = ["CDPATH", "HOME"];
    let seen = |name: &str| Some((name.as_bytes().to_vec(), std::env::var_os(name)?.into_vec()));
    governing.into_iter().filter_map(seen).collect()
}
