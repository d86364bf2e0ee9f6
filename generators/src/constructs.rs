//! Which constructs stand in a case, and which of them have occurred together.
//!
//! A rough reading, by marks outside quotes: it says what was covered, and decides nothing.

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
    /// This holds of the line outside quotes.
    Bare(fn(&[u8]) -> bool),
    /// In the tree, or in what is handed over.
    Case(fn(&Case) -> bool),
}

// tidy: table
const CONSTRUCTS: &[Construct] = &[
    marks("and", &["&&"]),
    marks("or", &["||"]),
    marks("semicolon", &[";"]),
    marks("newline", &["\n"]),
    Construct { name: "pipe", seen: Seen::Bare(|bare| has_alone(bare, b'|')) },
    Construct { name: "background", seen: Seen::Bare(is_in_background) },
    Construct { name: "subshell", seen: Seen::Bare(has_subshell) },
    marks("group", &["{ "]),
    marks("comment", &["#"]),
    marks("input", &["<"]),
    marks("output", &[">"]),
    marks("document", &["<<"]),
    marks("pattern", &["*", "?", "[m]", "[s]", "[o]"]),
    Construct { name: "braces", seen: Seen::Bare(has_braces) },
    Construct { name: "tilde", seen: Seen::Bare(has_tilde) },
    marks("dot-dot", &[".."]),
    marks("absolute", &["/case/"]),
    marks("negation", &["! "]),
    Construct { name: "quotes", seen: Seen::Anywhere(&["'", "\"", "\\"]) },
    Construct { name: "dollar-quotes", seen: Seen::Anywhere(&["$'"]) },
    Construct { name: "parameter", seen: Seen::Case(|case| has_parameter(&case.line)) },
    Construct { name: "substitution", seen: Seen::Case(|case| has_substitution(&case.line)) },
    Construct { name: "arithmetic", seen: Seen::Anywhere(&["$(("]) },
    Construct { name: "assignment", seen: Seen::Bare(assigns) },
    marks("function", &["() "]),
    words("cd", &["cd"]),
    words("loop", &["for", "while", "until"]),
    words("branch", &["if", "case"]),
    words("test", &["[", "test", "[["]),
    words("exit", &["exit", "break"]),
    words("wrapper", &["env", "timeout", "nice", "nohup", "command"]),
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

/// What ends a word, or stands before one.
fn ends_a_word(byte: u8) -> bool {
    b" \t\n;&|(){}".contains(&byte)
}

/// The byte, without the same one beside it.
fn has_alone(bare: &[u8], wanted: u8) -> bool {
    let at = |place: usize| bare.get(place) == Some(&wanted);
    (0..bare.len()).any(|here| at(here) && !at(here + 1) && (here == 0 || !at(here - 1)))
}

/// An `&` that is neither half of `&&` nor part of a redirection.
fn is_in_background(bare: &[u8]) -> bool {
    let byte = |place: Option<usize>| place.and_then(|it| bare.get(it)).copied().unwrap_or(b' ');
    (0..bare.len()).any(|here| {
        let (before, after) = (byte(here.checked_sub(1)), byte(Some(here + 1)));
        bare[here] == b'&' && !b"&<>|".contains(&before) && !b"&>".contains(&after)
    })
}

/// An opening parenthesis of no function, substitution or arithmetic.
fn has_subshell(bare: &[u8]) -> bool {
    (0..bare.len()).any(|here| {
        let (before, after) = (&bare[..here], &bare[here + 1..]);
        let expands = before.ends_with(b"$") || before.ends_with(b"$(");
        bare[here] == b'(' && !after.starts_with(b")") && !expands
    })
}

/// `{a,b}` and `{1..3}`.
fn has_braces(bare: &[u8]) -> bool {
    let starts = (0..bare.len()).filter(|here| bare[*here] == b'{');
    starts.map(|here| &bare[here + 1..]).any(|rest| {
        let inner = rest.split(|byte| *byte == b'}' || ends_a_word(*byte)).next();
        let inner = inner.unwrap_or_default();
        rest.get(inner.len()) == Some(&b'}')
            && (inner.contains(&b',') || inner.windows(2).any(|it| it == b".."))
    })
}

fn has_tilde(bare: &[u8]) -> bool {
    let begins = |here: usize| {
        here.checked_sub(1).is_none_or(|it| ends_a_word(bare[it]) || b":=<>".contains(&bare[it]))
    };
    (0..bare.len()).any(|here| bare[here] == b'~' && begins(here))
}

/// Outside of single quotes a `$` before one of these.
fn has_dollar(line: &[u8], of: fn(&[u8]) -> bool) -> bool {
    let text = without_single_quotes(line);
    (0..text.len()).any(|here| text[here] == b'$' && of(&text[here + 1..]))
}

fn has_parameter(line: &[u8]) -> bool {
    has_dollar(line, |rest| {
        rest.first().is_some_and(|it| it.is_ascii_alphabetic() || b"_{?#@*".contains(it))
    })
}

fn has_substitution(line: &[u8]) -> bool {
    let is = |rest: &[u8]| rest.first() == Some(&b'(') && rest.get(1) != Some(&b'(');
    has_dollar(line, is) || without_single_quotes(line).contains(&b'`')
}

/// `NAME=` where a word begins.
fn assigns(bare: &[u8]) -> bool {
    bare.split(|byte| ends_a_word(*byte)).any(|word| {
        let name = word.split(|byte| *byte == b'=').next().unwrap_or_default();
        name.len() < word.len()
            && name.first().is_some_and(|it| it.is_ascii_alphabetic() || *it == b'_')
            && name.iter().all(|it| it.is_ascii_alphanumeric() || *it == b'_')
    })
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
    let is_word =
        |wanted: &&str| bare.split(|byte| ends_a_word(*byte)).any(|word| word == wanted.as_bytes());
    let stands = |construct: &&Construct| match &construct.seen {
        Seen::Marks(marks) => marks.iter().any(|mark| has(&bare, mark)),
        Seen::Words(words) => words.iter().any(is_word),
        Seen::Anywhere(marks) => marks.iter().any(|mark| has(&case.line, mark)),
        Seen::Bare(holds) => holds(&bare),
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

/// What text is quoted in, while it is walked through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Nothing; so many parentheses are open.
    Code(usize),
    Single,
    Double,
}

/// The line with what is quoted left out, and of a comment all but its `#`: names and operators of
/// the language are what is left. Rough. A substitution between double quotes is not quoted.
pub fn without_quotes(line: &[u8]) -> Vec<u8> {
    let mut bare = Vec::new();
    let mut within = vec![Within::Code(0)];
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        let here = within.last().copied().unwrap_or(Within::Code(0));
        at += 1;
        match (here, byte) {
            (Within::Code(_), b'\'') => within.push(Within::Single),
            (Within::Code(_), b'"') => within.push(Within::Double),
            (Within::Single, b'\'') | (Within::Double, b'"') => drop(within.pop()),
            (Within::Code(_) | Within::Double, b'\\') => at += 1,
            (Within::Code(_), b'#') if bare.last().is_none_or(|it| ends_a_word(*it)) => {
                bare.push(byte);
                at += line[at..].iter().take_while(|it| **it != b'\n').count();
            }
            (Within::Code(_), b'#') => {}
            (Within::Double, b'$') if line.get(at) == Some(&b'(') => {
                bare.extend(b"$(");
                within.push(Within::Code(1));
                at += 1;
            }
            (Within::Code(open), b'(' | b')') => {
                bare.push(byte);
                let open = if byte == b'(' { open + 1 } else { open.saturating_sub(1) };
                within.pop();
                if open > 0 || within.is_empty() {
                    within.push(Within::Code(open));
                }
            }
            (Within::Code(_), _) => bare.push(byte),
            (Within::Single | Within::Double, _) => {}
        }
    }
    bare
}

/// The line without what stands between single quotes.
fn without_single_quotes(line: &[u8]) -> Vec<u8> {
    let mut rest = Vec::new();
    let (mut single, mut double) = (false, false);
    let mut bytes = line.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\'' if !double => single = !single,
            b'"' if !single => double = !double,
            b'\\' if !single => drop(bytes.next()),
            _ if !single => rest.push(byte),
            _ => {}
        }
    }
    rest
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
        assert_eq!(of("a & b || c"), ["or", "background"]);
        assert_eq!(of("a 2>&1 && b &>c"), ["and", "output"]);
        assert_eq!(of("echo \"$(cd a; ls)\""), ["semicolon", "quotes", "substitution", "cd"]);
        assert_eq!(of("echo $((1+2)) '$V $(x)'"), ["quotes", "arithmetic"]);
        assert_eq!(
            of("V=a f() { ls {a,b}; }"),
            ["semicolon", "group", "braces", "assignment", "function"]
        );
        assert_eq!(of("ls ~ \"$V\" --a=b HEAD~1"), ["tilde", "quotes", "parameter"]);
        assert_eq!(of("# it's; a\nls && ls # (b)"), ["and", "newline", "comment", "quotes"]);
        assert_eq!(of("ls HEAD~1 {} {a}"), [""; 0]);
        assert_eq!(pairs(&Case::new("cd a; ls *", TreeSpec::default())).len(), 3);
    }

    #[test]
    fn what_is_quoted_is_left_out() {
        let bare = |line: &str| String::from_utf8(without_quotes(line.as_bytes())).unwrap();
        assert_eq!(bare("a 'b;c' \"d|\\\"e\" \\; f"), "a    f");
        assert_eq!(bare("\"a $(b \"c)\" (d)) e\" f"), "$(b  (d)) f");
        assert_eq!(bare("(a) b) 'c"), "(a) b) ");
        assert_eq!(bare("a#b # it's\n# \"\nc"), "ab #\n#\nc");
    }
}
