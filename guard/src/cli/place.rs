//! Where a line runs, when nobody says so: what this process can see of it.

use std::path::{Path, PathBuf};

/// The nearest directory at or above `cwd` that holds a `.git`.
pub fn repository_above(cwd: &Path) -> Option<PathBuf> {
    let holds_git = |directory: &&Path| directory.join(".git").symlink_metadata().is_ok();
    cwd.ancestors().find(holds_git).map(Path::to_owned)
}

/// What a shell started by the same parent will call `cwd`: `$PWD` if it names that directory, and
/// otherwise the physical path (POSIX 2.5.3). `real` says where a directory really is.
pub fn pwd_of(cwd: &Path, real: impl Fn(&Path) -> Option<PathBuf>) -> Option<PathBuf> {
    let physical = real(cwd)?;
    let inherited = std::env::var_os("PWD").map(PathBuf::from);
    let names_it = |pwd: &PathBuf| {
        pwd.is_absolute() && (*pwd == physical || real(pwd).is_some_and(|there| there == physical))
    };
    inherited.filter(names_it).or(Some(physical))
}

/// The variables of this process that decide what a line does, under this policy.
pub fn seen_env(policy: &shfence::Policy) -> shfence::Env {
    use std::os::unix::ffi::OsStringExt;
    let all = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
    let decides = |name: &[u8]| shfence::is_governing(name) || policy.verbs.is_governed_by(name);
    all.filter(|(name, _)| decides(name)).collect()
}

/// Is a path this directory, or below it? Both as they are written.
pub fn is_within(path: &[u8], directory: &[u8]) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/' || directory == b"/")
}
