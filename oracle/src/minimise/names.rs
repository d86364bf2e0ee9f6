//! Passes that change a name wherever it stands: in the line, the tree, link targets, the
//! environment and the cwd. Changed in one of these places only, it would no longer name anything.

use super::line::with_line;
use super::tokens::{literal, quoted, tokens};
use super::tree::entries;
use shfence_corpus::{BASE_DIRS, Case, Entry, Node, RelPath, Text, TreeSpec};
use std::collections::BTreeSet;

/// Names of the tree as `secret`, `src` or `link`, by what they stand for, or as a letter.
pub(super) fn rename(case: &Case) -> Vec<Case> {
    let names = names(&case.tree);
    let mut candidates = Vec::new();
    for name in &names {
        let role = match node_named(&case.tree, name) {
            Some(Node::File { .. }) => "secret",
            Some(Node::Link { .. }) => "link",
            Some(Node::Dir) | None => "src",
        };
        let free = [role, "a", "b", "c"].into_iter().filter(|new| !names.contains(new.as_bytes()));
        candidates.extend(free.filter_map(|new| change(case, name, Some(new.as_bytes()))));
    }
    candidates
}

/// The tree with one directory less: what it holds stands where it stood.
pub(super) fn collapse_directories(case: &Case) -> Vec<Case> {
    names(&case.tree).iter().filter_map(|name| change(case, name, None)).collect()
}

/// Every name that the tree uses, but for those of the base directories.
fn names(tree: &TreeSpec) -> BTreeSet<Vec<u8>> {
    tree.entries()
        .flat_map(|(path, _)| path.as_bytes().split(|byte| *byte == b'/'))
        .filter(|name| !BASE_DIRS.iter().any(|base| base.as_bytes() == *name))
        .map(<[u8]>::to_vec)
        .collect()
}

/// An entry of that name.
fn node_named<'a>(tree: &'a TreeSpec, name: &[u8]) -> Option<&'a Node> {
    let last = |path: &RelPath| path.as_bytes().rsplit(|byte| *byte == b'/').next() == Some(name);
    tree.entries().find(|(path, _)| last(path)).map(|(_, node)| node)
}

/// The case with `new` for the name `old`, or without it; nothing if that makes no tree.
fn change(case: &Case, old: &[u8], new: Option<&[u8]>) -> Option<Case> {
    let swap = |path: &[u8]| Text::from(swapped(path, old, new));
    let swap_path = |path: &RelPath| RelPath::new(swap(path.as_bytes())).ok();
    let changed = entries(&case.tree).map(|Entry { path, node }| {
        let node = match node {
            Node::Link { to } => Node::Link { to: non_empty(swap(&to)).unwrap_or(Text::from(".")) },
            node => node,
        };
        Some(Entry { path: swap_path(&path)?, node })
    });
    let tree = TreeSpec::new(changed.collect::<Option<Vec<_>>>()?).ok()?;
    let cwd = swap_path(&case.cwd)?;
    let env = case.env.iter().map(|(k, v)| (k.clone(), v.as_ref().map(|v| swap(v)))).collect();
    let pwd = case.pwd.as_ref().map(|pwd| swap(pwd));
    let elsewhere = Case { tree, cwd, pwd, env, ..case.clone() };
    let there = elsewhere.tree.planted().get(&elsewhere.cwd) == Some(&Node::Dir);
    there.then(|| change_line(&elsewhere, old, new))
}

/// The same in the words of the line. A word of which nothing remains goes.
fn change_line(case: &Case, old: &[u8], new: Option<&[u8]>) -> Case {
    let line = tokens(&case.line).into_iter().filter_map(|token| {
        let Some(word) = token.word() else { return Some(token) };
        let changed = match literal(word) {
            Some(value) if swapped(&value, old, new) == value => return Some(token),
            Some(value) => non_empty(Text::from(swapped(&value, old, new))).map(|v| quoted(&v))?,
            None => non_empty(Text::from(swapped(word, old, new)))?.into_bytes(),
        };
        Some(token.with_word(&changed))
    });
    with_line(case, &line.collect::<Vec<_>>())
}

/// The path, or list of paths joined by colons, with `new` for the name `old`, or without it.
fn swapped(paths: &[u8], old: &[u8], new: Option<&[u8]>) -> Vec<u8> {
    let in_path = |path: &[u8]| {
        let names = path.split(|byte| *byte == b'/');
        let kept = names.filter_map(|name| if name == old { new } else { Some(name) });
        kept.collect::<Vec<_>>().join(&b'/')
    };
    paths.split(|byte| *byte == b':').map(in_path).collect::<Vec<_>>().join(&b':')
}

fn non_empty(text: Text) -> Option<Text> {
    (!text.is_empty()).then_some(text)
}
