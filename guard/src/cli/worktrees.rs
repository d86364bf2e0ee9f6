//! Linked worktrees of a project's repository (gitrepository-layout(5)).
//!
//! A worktree is one only if both sides say so: the repository names it, and its `.git` file names
//! the repository's directory for it. A name alone would let a project claim any directory.

use std::io::Read;
use std::path::{Path, PathBuf};

const POINTER_MAX: u64 = 8 << 10;
const WORKTREES_MAX: usize = 100;

/// The other worktrees of the repository that has `root` as one, physically.
pub fn linked(root: &Path) -> Vec<PathBuf> {
    let Some(Sides { shared, main }) = sides(root) else { return Vec::new() };
    let entries = std::fs::read_dir(shared.join("worktrees")).into_iter().flatten();
    let own = entries.take(WORKTREES_MAX).flatten().map(|entry| entry.path());
    let others = own.filter_map(|own| worktree_of(&own));
    let root = root.canonicalize().ok();
    let mut all: Vec<PathBuf> = main.into_iter().chain(others).collect();
    all.retain(|it| Some(it) != root.as_ref() && it != Path::new("/"));
    all.sort();
    all
}

/// Where a repository keeps what its worktrees share, and its main worktree.
struct Sides {
    shared: PathBuf,
    main: Option<PathBuf>,
}

/// The repository of which `root` is a worktree. What is reached by a link is not the root's own.
fn sides(root: &Path) -> Option<Sides> {
    let git = root.join(".git");
    if git.symlink_metadata().ok()?.is_dir() {
        return Some(Sides { shared: git.canonicalize().ok()?, main: None });
    }
    let own = root.join(pointer(&git)?.strip_prefix("gitdir: ")?).canonicalize().ok()?;
    if worktree_of(&own)? != root.canonicalize().ok()? {
        return None;
    }
    let shared = own.join(pointer(&own.join("commondir"))?).canonicalize().ok()?;
    // The worktree's directory must be one of this repository's, which names it by that.
    if own.parent()? != shared.join("worktrees") {
        return None;
    }
    let main = shared.parent().filter(|_| shared.file_name().is_some_and(|name| name == ".git"));
    let main = main.map(Path::to_owned);
    Some(Sides { shared, main })
}

/// The worktree that a repository's directory for one names, if that names the directory.
fn worktree_of(own: &Path) -> Option<PathBuf> {
    let own = own.canonicalize().ok()?;
    let git = own.join(pointer(&own.join("gitdir"))?);
    let worktree = git.parent()?.canonicalize().ok()?;
    let back = worktree.join(pointer(&worktree.join(".git"))?.strip_prefix("gitdir: ")?);
    let names_it = git.file_name()? == ".git" && back.canonicalize().ok()? == own;
    names_it.then_some(worktree)
}

/// The one line of a small file that is no link.
fn pointer(file: &Path) -> Option<String> {
    if !file.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    std::fs::File::open(file).ok()?.take(POINTER_MAX).read_to_string(&mut text).ok()?;
    Some(text.trim_end_matches('\n').to_owned())
}
