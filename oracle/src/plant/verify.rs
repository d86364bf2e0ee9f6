//! Comparing what stands below the top with what should.

use crate::contain::SCRATCH;
use shfence_corpus::{Node, RelPath, TOP, Text, TreeSpec};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What differs, in words; nothing if all is as it should be.
pub(super) fn differences(tree: &TreeSpec) -> io::Result<Vec<String>> {
    let wanted = tree.planted();
    let mut found = BTreeSet::new();
    collect(Path::new(TOP), &mut found)?;
    let mut differences: Vec<String> = wanted
        .iter()
        .filter_map(|(path, node)| match difference(path, node) {
            Ok(true) => Some(format!("{path} differs")),
            Ok(false) => None,
            Err(error) => Some(format!("{path}: {error}")),
        })
        .collect();
    let known: BTreeSet<&[u8]> = wanted.keys().map(RelPath::as_bytes).collect();
    let strange = found.iter().filter(|path| !known.contains(path.as_bytes()));
    differences.extend(strange.map(|path| format!("{path:?} should not be there")));
    for entry in fs::read_dir(SCRATCH)? {
        differences.push(format!("{} should not be there", entry?.path().display()));
    }
    Ok(differences)
}

fn difference(path: &RelPath, node: &Node) -> io::Result<bool> {
    let at = super::place(path.as_bytes());
    let facts = fs::symlink_metadata(&at)?;
    let mode = facts.permissions().mode() & 0o7777;
    Ok(match node {
        Node::Dir => !facts.is_dir() || mode != 0o755,
        Node::Link { to } => {
            !facts.is_symlink() || fs::read_link(&at)?.as_os_str().as_bytes() != to.as_bytes()
        }
        Node::File { text, executable } => {
            let wanted = if *executable { 0o755 } else { 0o644 };
            !facts.is_file() || mode != wanted || fs::read(&at)? != text.as_bytes()
        }
    })
}

fn collect(directory: &Path, found: &mut BTreeSet<Text>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if let Ok(below) = path.strip_prefix(TOP) {
            found.insert(Text::from(below.as_os_str().as_bytes()));
        }
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        }
    }
    Ok(())
}
