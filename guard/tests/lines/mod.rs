//! Random lines, written without regard to how the guard reads them.

use proptest::prelude::*;

/// A part of a line. Parts are separated by blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A word of letters, digits, and `_./-`.
    Word(String),
    /// A `;` that separates commands.
    Semicolon,
    /// Anything else, as it stands.
    Text(&'static str),
}

/// The line that the parts make.
pub fn render(parts: &[Part]) -> String {
    let texts = parts.iter().map(|part| match part {
        Part::Word(word) => word,
        Part::Semicolon => ";",
        Part::Text(text) => *text,
    });
    texts.collect::<Vec<_>>().join(" ")
}

type Parts = Vec<Part>;

fn words(from: &'static [&'static str]) -> impl Strategy<Value = Part> {
    prop::sample::select(from).prop_map(|word| Part::Word(word.to_owned()))
}

fn texts(from: &'static [&'static str]) -> impl Strategy<Value = Part> {
    prop::sample::select(from).prop_map(Part::Text)
}

const VERBS: &[&str] =
    &["cat", "ls", "head", "wc", "echo", "pwd", "true", "nosuch", "./x", "cd", "cd"];
const OPERANDS: &[&str] = &[
    "src",
    "main.rs",
    "a",
    "a/b",
    "b",
    "f",
    "link",
    "link/..",
    "out",
    "out/passwd",
    "loop",
    "..",
    "../..",
    ".",
    "-",
    "--",
    "-l",
    "-P",
    "/p",
    "/p/a",
    "/etc/passwd",
    "/p/../etc",
    "nosuch",
    "src/../a",
];
#[rustfmt::skip]
const NOT_PLAIN: &[&str] = &[
    "'a b'", "\"src\"", "\\ x", "''", "{}", "\"$x\"", "$x", "$(pwd)",
    "\"$(cd src; pwd)\"", "$((1+1))",
    "*", "src/*.rs", "../*", "[a-s]*/?", "{a,src}", "{.,..}/a",
];
const REDIRECTIONS: &[&str] =
    &[">f", "2>&1", "</dev/null", ">/dev/null", "<src/main.rs", "2>&-", ">>out/x"];
const NOISE: &[&str] = &[
    "$1", "[", "'", "\"", "\\", "&", "((", "(", ")", "}", "{", "é", "#", "~", "=x", "PATH=b", "!",
    "\r", "if", "then", "<<", ">", "|&", ";;",
];

/// A simple command.
fn simple() -> impl Strategy<Value = Parts> {
    let argument = prop_oneof![
        6 => words(OPERANDS),
        1 => texts(NOT_PLAIN),
        1 => texts(REDIRECTIONS),
    ];
    (words(VERBS), prop::collection::vec(argument, 0..3))
        .prop_map(|(verb, arguments)| [vec![verb], arguments].concat())
}

fn joined(command: impl Strategy<Value = Parts> + 'static) -> impl Strategy<Value = Parts> {
    let operator = prop_oneof![
        3 => Just(Part::Semicolon),
        2 => texts(&["&&"]),
        1 => texts(&["||", "|", "\n"]),
    ];
    let rest = prop::collection::vec((operator, command), 1..5);
    rest.prop_map(|rest| {
        rest.into_iter()
            .flat_map(|(operator, command)| [vec![operator], command].concat())
            .skip(1)
            .collect()
    })
}

/// A simple command or a group.
pub fn command() -> impl Strategy<Value = Parts> {
    simple().prop_recursive(3, 24, 4, |inner| {
        let list = joined(inner);
        let end = prop::option::of(texts(REDIRECTIONS));
        (list, any::<bool>(), end).prop_map(|(list, braces, end)| {
            // A group that opens one of the same kind would be `((`.
            let braces = braces || list[0] == Part::Text("(");
            let (open, close) = match braces {
                true => (Part::Text("{"), vec![Part::Semicolon, Part::Text("}")]),
                false => (Part::Text("("), vec![Part::Text(")")]),
            };
            [vec![open], list, close, end.into_iter().collect()].concat()
        })
    })
}

/// A line that every shell reads alike.
pub fn line() -> impl Strategy<Value = Parts> {
    joined(command())
}

/// The same with something in it that does not belong there, or not.
pub fn noisy() -> impl Strategy<Value = Parts> {
    let noise = prop::collection::vec((any::<prop::sample::Index>(), texts(NOISE)), 0..3);
    (line(), noise).prop_map(|(mut parts, noise)| {
        for (at, part) in noise {
            parts.insert(at.index(parts.len() + 1), part);
        }
        parts
    })
}

/// Lines whose paths are absolute and there, links aside: `cd` enters directories only.
pub fn of_paths_that_are_there() -> impl Strategy<Value = Parts> {
    let reading = (
        words(&["cat", "ls", "head", "wc"]),
        prop::collection::vec(
            words(&["/p/src/main.rs", "/p/a/b/f", "/p", "/q/f", "/p/a/../src"]),
            1..3,
        ),
    );
    let entering = words(&["/p", "/p/src", "/p/a/b", "/p/a/b/../..", "/q"]);
    joined(prop_oneof![
        3 => reading.prop_map(|(verb, files)| [vec![verb], files].concat()),
        2 => entering.prop_map(|directory| vec![Part::Word("cd".to_owned()), directory]),
        1 => Just(vec![Part::Word("pwd".to_owned())]),
    ])
}
