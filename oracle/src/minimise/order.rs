//! Which of two cases is the simpler one.

use super::tokens::{Kind, Token, tidy_token, tokens};
use shfence_corpus::{Case, Env, Invocation, Node, PROJ, RelPath, Shell, Text};
use std::cmp::Ordering;

/// Names that say something to a reader. Each is as cheap as a name can be, so that no result
/// trades `secret` for `a`, and odd names are traded for these.
const SPEAKING: [&str; 14] = [
    "",
    ".",
    "..",
    "cat",
    "cd",
    "home",
    "link",
    "ls",
    "nosuch",
    "outside",
    "proj",
    "proj-evil",
    "secret",
    "src",
];

/// A total order: fewer tokens first, then simpler words, blanks as a person sets them, fewer and
/// simpler entries, a setting nearer to the usual one, fewer shells; and where all that is equal,
/// the order of the bytes, so that two different cases are never equal.
///
/// The minimiser only ever steps down in this order, so it ends, and what it cannot tell apart by
/// size it still decides the same way every time.
pub fn compare(a: &Case, b: &Case) -> Ordering {
    Key::of(a).cmp(&Key::of(b))
}

/// Derived comparison takes the fields in the order in which they stand here.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    tokens: usize,
    words: usize,
    untidy: usize,
    entries: usize,
    tree: usize,
    setting: usize,
    shells: usize,
    bytes: Bytes,
}

type Bytes = (Text, Vec<(RelPath, Text)>, Env, Text, RelPath, usize, Vec<Shell>);

impl Key {
    fn of(case: &Case) -> Key {
        let line = tokens(&case.line);
        let odd = (0..line.len()).filter(|i| tidy_token(&line, *i) != line[*i]).count();
        let ends_in_blanks = case.line.ends_with(b" ") || case.line.ends_with(b"\t");
        let environment =
            case.env.values().map(|value| 4 + value.as_ref().map_or(0, |value| path_cost(value)));
        Key {
            tokens: line.iter().map(token_count).sum(),
            words: line.iter().map(token_cost).sum(),
            untidy: odd + usize::from(ends_in_blanks),
            entries: case.tree.len(),
            tree: case.tree.entries().map(|(path, node)| entry_cost(path, node)).sum(),
            setting: environment.sum::<usize>()
                + case.pwd.as_ref().map_or(0, |pwd| 4 + path_cost(pwd))
                + if case.cwd.as_bytes() == PROJ.as_bytes() {
                    0
                } else {
                    path_cost(case.cwd.as_bytes())
                }
                + invocation_rank(case.invocation),
            shells: case.shells.iter().count(),
            bytes: Key::bytes(case),
        }
    }

    fn bytes(case: &Case) -> Bytes {
        (
            case.line.clone(),
            case.tree.entries().map(|(path, node)| (path.clone(), node_bytes(node))).collect(),
            case.env.clone(),
            case.pwd.clone().map_or(Text::default(), |pwd| Text::from([b"=", &pwd[..]].concat())),
            case.cwd.clone(),
            invocation_rank(case.invocation),
            case.shells.iter().collect(),
        )
    }
}

/// One, and for a word with a substitution at least as many as the tokens that it hides: taking the
/// list out of it must make the line smaller.
fn token_count(token: &Token) -> usize {
    let substitutes = token.text.windows(2).any(|pair| pair == b"$(") || token.text.contains(&b'`');
    let borders = token.text.iter().filter(|byte| b" \t\n;|&()<>`".contains(byte));
    if substitutes { 1 + 2 * borders.count() } else { 1 }
}

fn token_cost(token: &Token) -> usize {
    match token.kind {
        Kind::Word if token.is("true") => 1,
        Kind::Word => path_cost(&token.text),
        Kind::Redirection { target } => target + path_cost(&token.text[target..]),
        Kind::Operator if token.is(";") || token.is("(") || token.is(")") => 1,
        Kind::Operator if token.is("&&") => 2,
        Kind::Operator => 3,
        Kind::Comment => token.text.len(),
    }
}

/// What the names of a path cost. A word that is no path is one name.
fn path_cost(path: &[u8]) -> usize {
    path.split(|byte| *byte == b'/').map(name_cost).sum()
}

fn name_cost(name: &[u8]) -> usize {
    let speaking = SPEAKING.iter().any(|known| known.as_bytes() == name);
    if speaking { 1 } else { 1 + name.len() }
}

fn entry_cost(path: &RelPath, node: &Node) -> usize {
    path_cost(path.as_bytes())
        + match node {
            Node::Dir => 0,
            Node::File { text, executable } => text.len() + usize::from(*executable),
            Node::Link { to } => path_cost(to),
        }
}

/// The node as bytes that differ for different nodes.
fn node_bytes(node: &Node) -> Text {
    match node {
        Node::Dir => Text::from("d"),
        Node::File { text, executable: false } => Text::from([b"f", &text[..]].concat()),
        Node::File { text, executable: true } => Text::from([b"x", &text[..]].concat()),
        Node::Link { to } => Text::from([b"l", &to[..]].concat()),
    }
}

fn invocation_rank(invocation: Invocation) -> usize {
    Invocation::ALL.iter().position(|other| *other == invocation).unwrap_or_default()
}
