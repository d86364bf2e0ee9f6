//! A case's tree, drawn as people draw trees.

use crate::visible::visible;
use shfence_corpus::{Case, Node, PROJ, RelPath, TOP};
use std::collections::BTreeMap;

/// How much of a file's text is shown, in characters.
const TEXT_SHOWN: usize = 48;

/// The planted tree, one entry a line, with the root and the cwd marked. Visible text throughout.
pub(crate) fn draw(case: &Case) -> String {
    let planted = case.tree.planted();
    let mut below: BTreeMap<Option<RelPath>, Vec<(&RelPath, &Node)>> = BTreeMap::new();
    for (path, node) in &planted {
        below.entry(path.parent()).or_default().push((path, node));
    }
    let mut lines = vec![TOP.to_owned()];
    draw_below(None, "", case, &below, &mut lines);
    lines.join("\n")
}

fn draw_below(
    directory: Option<&RelPath>,
    indent: &str,
    case: &Case,
    below: &BTreeMap<Option<RelPath>, Vec<(&RelPath, &Node)>>,
    lines: &mut Vec<String>,
) {
    let entries = below.get(&directory.cloned()).map_or(&[][..], Vec::as_slice);
    for (i, (path, node)) in entries.iter().enumerate() {
        let (branch, under) =
            if i + 1 < entries.len() { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        lines.push(format!("{indent}{branch}{}{}", describe(path, node), marks(path, case)));
        draw_below(Some(path), &format!("{indent}{under}"), case, below, lines);
    }
}

fn describe(path: &RelPath, node: &Node) -> String {
    let name = path.as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let name = visible(name);
    match node {
        Node::Dir => format!("{name}/"),
        Node::Link { to } => format!("{name} -> {}", visible(to)),
        Node::File { text, executable } => {
            let bits = if *executable { "*" } else { "" };
            format!("{name}{bits}{}", excerpt(text))
        }
    }
}

fn excerpt(text: &[u8]) -> String {
    let all = visible(text);
    match all.char_indices().nth(TEXT_SHOWN) {
        _ if all.is_empty() => String::new(),
        None => format!("  “{all}”"),
        Some((cut, _)) => format!("  “{}…”", &all[..cut]),
    }
}

fn marks(path: &RelPath, case: &Case) -> &'static str {
    match (path.as_bytes() == PROJ.as_bytes(), *path == case.cwd) {
        (true, true) => "  (root, cwd)",
        (true, false) => "  (root)",
        (false, true) => "  (cwd)",
        (false, false) => "",
    }
}
