//! Emptying a directory, whatever a line has made of it.

use crate::system::files::{c_string, rename_to_free};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Empties `top` and gives it `mode` again.
///
/// A line may have made directories thousands of levels deep, far beyond the longest path and the
/// number of descriptors, and without any permission. So nothing is walked in depth: a directory
/// that is not empty is moved up to the top, where its turn comes, and no path here is ever longer
/// than two names. Permissions do not matter: the supervisor has the capability to ignore them.
pub(super) fn clear(top: &Path, mode: u32) -> io::Result<()> {
    let mut free_name = 0;
    loop {
        let mut empty = true;
        for entry in fs::read_dir(top)? {
            empty = false;
            let entry = entry?;
            remove(&entry, top, &mut free_name)?;
        }
        if empty {
            return fs::set_permissions(top, fs::Permissions::from_mode(mode));
        }
    }
}

/// Removes an entry of the top; of a directory, what it holds, with its own non-empty directories
/// moved up.
fn remove(entry: &fs::DirEntry, top: &Path, free_name: &mut u64) -> io::Result<()> {
    let path = entry.path();
    if !entry.file_type()?.is_dir() {
        return fs::remove_file(&path);
    }
    for inner in fs::read_dir(&path)? {
        let inner = inner?;
        let inner_path = inner.path();
        if !inner.file_type()?.is_dir() {
            fs::remove_file(&inner_path)?;
        } else if fs::remove_dir(&inner_path).is_err() {
            move_up(&inner_path, top, free_name)?;
        }
    }
    fs::remove_dir(&path)
}

fn move_up(path: &Path, top: &Path, free_name: &mut u64) -> io::Result<()> {
    let from = c_string(path.as_os_str().as_bytes())?;
    loop {
        let to = top.join(format!("cleared-{free_name}"));
        *free_name += 1;
        match rename_to_free(&from, &c_string(to.as_os_str().as_bytes())?) {
            // A line took the name. The entries of the top are finite, and names are not.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_deeper_than_any_path_is_cleared() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().join("top");
        fs::create_dir(&top).unwrap();
        // Built from the inside out, since no path reaches the bottom.
        let inner = scratch.path().join("inner");
        fs::create_dir(&inner).unwrap();
        for _ in 0..1500 {
            let outer = scratch.path().join("outer");
            fs::create_dir(&outer).unwrap();
            fs::write(outer.join("a\nfile"), "").unwrap();
            fs::rename(&inner, outer.join("deep")).unwrap();
            fs::rename(&outer, &inner).unwrap();
        }
        fs::rename(&inner, top.join("cleared-0")).unwrap();
        fs::write(top.join("cleared-1"), "").unwrap();
        clear(&top, 0o700).unwrap();
        assert_eq!(fs::read_dir(&top).unwrap().count(), 0);
        assert_eq!(fs::metadata(&top).unwrap().permissions().mode() & 0o7777, 0o700);
    }
}
