//! Which constructs stand in a case, and which of them have occurred together.
//!
//! A rough reading, by marks outside quotes: it says what was covered, and decides nothing.

use crate::signature::without_quotes;
use shfence_corpus::{Case, Node};

/// A construct, and how it is seen.
struct Construct {
    name: &'static str,
    seen: Seen,
}

enum Seen {
    /// One of these in the line, outside quotes.
    Marks(&'static [&'static str]),
    /// One of these as a word of the line.
    Words(&'static [&'static str]),
    /// One of these anywhere in the line.
    Anywhere(&'static [&'static str]),
    /// In the tree, or in what is handed over.
    Case(fn(&Case) -> bool),
}

const CONSTRUCTS: &[Construct] = &[
    marks("and", &["&&"]),
    marks("or", &["||"]),
    marks("semicolon", &[";"]),
    marks("newline", &["\n"]),
    marks("pipe", &[" | "]),
    marks("subshell", &["("]),
    marks("group", &["{ "]),
    marks("comment", &[" #", "\n#"]),
    marks("input", &["<"]),
    marks("output", &[">"]),
    marks("document", &["<<"]),
    marks("pattern", &["*", "?"]),
    marks("braces", &["{../", "{main", ",main.txt}"]),
    marks("tilde", &["~"]),
    marks("dot-dot", &[".."]),
    marks("absolute", &["/case/"]),
    marks("negation", &["! "]),
    Construct { name: "quotes", seen: Seen::Anywhere(&["'", "\"", "\\"]) },
    Construct { name: "dollar-quotes", seen: Seen::Anywhere(&["$'"]) },
    Construct { name: "parameter", seen: Seen::Anywhere(&["$V", "$HOME", "$PWD", "\"$", "${"]) },
    Construct { name: "substitution", seen: Seen::Anywhere(&["$(", "`"]) },
    words("cd", &["cd"]),
    words("loop", &["for", "while", "until"]),
    words("branch", &["if", "case"]),
    words("test", &["[", "test", "[["]),
    words("exit", &["exit", "break"]),
    words("wrapper", &["env", "timeout", "nice"]),
    words("find", &["find"]),
    words("xargs", &["xargs"]),
    words("git", &["git"]),
    Construct { name: "links", seen: Seen::Case(has_links) },
    Construct { name: "environment", seen: Seen::Case(|case| !case.env.is_empty()) },
    Construct { name: "pwd", seen: Seen::Case(|case| case.pwd.is_some()) },
    Construct { name: "start-below", seen: Seen::Case(|case| case.cwd.as_bytes() != b"proj") },
];

const fn marks(name: &'static str, marks: &'static [&'static str]) -> Construct {
    Construct { name, seen: Seen::Marks(marks) }
}

const fn words(name: &'static str, words: &'static [&'static str]) -> Construct {
    Construct { name, seen: Seen::Words(words) }
}

fn has_links(case: &Case) -> bool {
    case.tree.entries().any(|(_, node)| matches!(node, Node::Link { .. }))
}

/// The names of all constructs.
pub fn names() -> impl Iterator<Item = &'static str> {
    CONSTRUCTS.iter().map(|construct| construct.name)
}

/// The constructs of a case, in the order of [`names`].
pub fn constructs(case: &Case) -> Vec<&'static str> {
    let bare = without_quotes(&case.line);
    let has = |text: &[u8], mark: &&str| text.windows(mark.len()).any(|it| it == mark.as_bytes());
    let is_word = |wanted: &&str| {
        let ends = |byte: &u8| b" \t\n;&|(){}".contains(byte);
        bare.split(ends).any(|word| word == wanted.as_bytes())
    };
    let stands = |construct: &&Construct| match &construct.seen {
        Seen::Marks(marks) => marks.iter().any(|mark| has(&bare, mark)),
        Seen::Words(words) => words.iter().any(is_word),
        Seen::Anywhere(marks) => marks.iter().any(|mark| has(&case.line, mark)),
        Seen::Case(holds) => holds(case),
    };
    CONSTRUCTS.iter().filter(stands).map(|construct| construct.name).collect()
}

/// The pairs of a case's constructs: `cd+pipe`.
pub fn pairs(case: &Case) -> Vec<String> {
    let all = constructs(case);
    let with = |at: usize| all[at + 1..].iter().map(move |it| (at, *it));
    (0..all.len()).flat_map(with).map(|(at, it)| format!("{}+{it}", all[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shfence_corpus::TreeSpec;

    #[test]
    fn constructs_stand_outside_quotes() {
        let of = |line: &str| constructs(&Case::new(line, TreeSpec::default()));
        assert_eq!(of("cat x"), [""; 0]);
        assert_eq!(of("cd a && cat ../x | wc"), ["and", "pipe", "dot-dot", "cd"]);
        assert_eq!(of("echo 'a && b; cd'"), ["quotes"]);
        assert_eq!(of("cat <<E\nE\nls"), ["newline", "input", "document"]);
        assert_eq!(pairs(&Case::new("cd a; ls *", TreeSpec::default())).len(), 3);
    }
}
