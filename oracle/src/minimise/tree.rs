//! Passes over the tree.

use super::line::{runs, shorter_paths};
use shfence_corpus::{Case, Entry, Node, PROJ, RelPath, TOP, Text, TreeSpec};

/// Without runs of entries and what stands below them, and without an entry that others imply.
pub(super) fn delete_entries(case: &Case) -> Vec<Case> {
    let paths: Vec<&RelPath> = case.tree.entries().map(|(path, _)| path).collect();
    let with_below = runs(paths.len())
        .into_iter()
        .map(|run| paths[run].iter().fold(case.tree.clone(), |tree, path| tree.without(path)));
    let alone = paths.iter().filter_map(|path| {
        let others = entries(&case.tree).filter(|entry| entry.path != **path);
        TreeSpec::new(others).ok()
    });
    with_below.chain(alone).filter_map(|tree| with_tree(case, tree)).collect()
}

/// Each entry in a simpler form: a file without text or executable bits, a link with a shorter or
/// a relative target.
pub(super) fn simplify_nodes(case: &Case) -> Vec<Case> {
    let mut candidates = Vec::new();
    for (path, node) in case.tree.entries() {
        for simpler in simpler_nodes(path, node) {
            let changed = entries(&case.tree).map(|entry| {
                let here = entry.path == *path;
                if here { Entry { node: simpler.clone(), ..entry } } else { entry }
            });
            candidates.extend(TreeSpec::new(changed).ok().and_then(|tree| with_tree(case, tree)));
        }
    }
    candidates
}

fn simpler_nodes(path: &RelPath, node: &Node) -> Vec<Node> {
    match node {
        Node::Dir => Vec::new(),
        Node::File { text, executable } => vec![
            Node::File { text: Text::default(), executable: false },
            Node::File { text: Text::default(), executable: *executable },
            Node::File { text: text.clone(), executable: false },
        ],
        Node::Link { to } => relative_target(path, to)
            .into_iter()
            .chain(shorter_paths(to))
            .map(|to| Node::Link { to: Text::from(to) })
            .collect(),
    }
}

/// An absolute target below the top, as seen from the directory of the link.
fn relative_target(link: &RelPath, to: &[u8]) -> Option<Vec<u8>> {
    let below = to.strip_prefix(TOP.as_bytes())?.strip_prefix(b"/")?;
    Some([b"../".repeat(link.ancestors().len()).as_slice(), below].concat())
}

/// The case with another tree, unless its cwd would be gone.
pub(super) fn with_tree(case: &Case, tree: TreeSpec) -> Option<Case> {
    let cwd_is_there =
        case.cwd.as_bytes() == PROJ.as_bytes() || tree.planted().get(&case.cwd) == Some(&Node::Dir);
    cwd_is_there.then(|| Case { tree, ..case.clone() })
}

pub(super) fn entries(tree: &TreeSpec) -> impl Iterator<Item = Entry> {
    tree.entries().map(|(path, node)| Entry { path: path.clone(), node: node.clone() })
}
