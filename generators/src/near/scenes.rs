//! Where lines near the grammar run: a few trees, so that they need not be planted anew.

use crate::Choices;
use shfence_corpus::{Case, Entry, Node, RelPath, Text, TreeSpec};

/// Files; a name that ends with a slash is a directory, and `a -> b` a link.
type Names = &'static [&'static str];

/// Names that repeat at several levels, links inside and out, hidden entries.
const PLAIN: Names = &[
    "proj/a.txt",
    "proj/b.txt",
    "proj/src/main.txt",
    "proj/src/deep/a.txt",
    "proj/src/src/main.txt",
    "proj/lib/main.txt",
    "proj/lib/src/",
    "proj/.hid/src/main.txt",
    "proj/in -> src/deep",
    "proj/out -> ../outside",
    "outside/main.txt",
    "outside/src/main.txt",
    "home/src/a.txt",
    "src/main.txt",
];

/// Names that mean something else to somebody.
const ODD: Names = &[
    "proj/-n",
    "proj/a b",
    "proj/*",
    "proj/{a,b}",
    "proj/a{1..2}x",
    "proj/1",
    "proj/2",
    "proj/ab",
    "proj/Ab",
    "proj/~/src/",
    "proj/a#b",
    "proj/HEAD^",
    "proj/HEAD~1",
    "proj/src/\u{e4}.txt",
    "proj/src/s*/",
    "proj/loop -> loop",
    "proj/src/up -> ..",
    "proj/lib -> src",
    "proj/nosuch -> missing",
];

/// Nearly nothing, so that patterns match nothing, or one name.
const BARE: Names = &["proj/src/", "outside/src/"];

/// A case for this line.
pub(super) fn scene(choices: &mut Choices<'_>, line: Text) -> Case {
    let names = [PLAIN, ODD, BARE][choices.weighted(&[6, 2, 1])];
    let mut case = Case::new(line, tree(names));
    if names.len() == PLAIN.len() {
        match choices.weighted(&[24, 1, 1, 1]) {
            0 => {}
            1 => {
                case.cwd = path("proj/src/deep");
                case.pwd = Some(Text::from("/case/proj/in"));
            }
            2 => {
                case.env.insert("HOME".to_owned(), Some(Text::from("/case/proj/src")));
            }
            _ => {
                case.env.insert("CDPATH".to_owned(), Some(Text::from("src:")));
            }
        }
    }
    case
}

fn tree(names: Names) -> TreeSpec {
    let entry = |name: &&str| {
        let (name, node) = match (name.split_once(" -> "), name.strip_suffix('/')) {
            (Some((name, to)), _) => (name, Node::Link { to: to.into() }),
            (_, Some(name)) => (name, Node::Dir),
            _ => (*name, Node::File { text: "text\n".into(), executable: false }),
        };
        Entry { path: path(name), node }
    };
    TreeSpec::new(names.iter().map(entry)).expect("the lists are trees")
}

fn path(text: &str) -> RelPath {
    RelPath::new(text).expect("the lists hold paths")
}
