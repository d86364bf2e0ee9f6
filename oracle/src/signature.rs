//! The normal form of a finding: kind, effect, cause, construct.
//!
//! It is taken from the minimised case, in which everything that does not matter is gone, so that
//! what is still there is the cause.

use crate::judge::Contradiction;
use crate::trace::{TouchKind, Trace};
use shfence_corpus::{Case, FindingKind, Signature, TOP};

/// The signature of a contradiction that this trace of a minimised case shows.
pub fn signature(case: &Case, contradiction: &Contradiction, trace: &Trace) -> Signature {
    let parts = [
        contradiction.kind.name(),
        contradiction.effect.name(),
        cause(case, contradiction, trace),
        &construct(&case.line),
    ];
    Signature::new(&parts).expect("all parts are names of this file")
}

/// Why it went where it went: the first of these that the case still holds.
fn cause(case: &Case, contradiction: &Contradiction, trace: &Trace) -> &'static str {
    let resolved = &contradiction.what;
    let entered = |existed: bool| {
        trace.touches.iter().any(|it| it.kind == TouchKind::Enter && it.existed == existed)
    };
    let has_link =
        case.tree.entries().any(|(_, node)| matches!(node, shfence_corpus::Node::Link { .. }));
    if case.env.get("CDPATH").is_some_and(Option::is_some) {
        "cdpath"
    } else if !case.env.is_empty() || case.pwd.is_some() {
        "environment"
    } else if has_link {
        "link"
    } else if entered(false) {
        "cd-failed"
    } else if below(resolved, "proj-evil") {
        "look-alike"
    } else if entered(true) {
        "cd"
    } else if contradiction.kind != FindingKind::TreeEscape {
        "reading"
    } else if contradiction.text.starts_with(b"/") {
        "absolute"
    } else {
        "dot-dot"
    }
}

fn below(path: &[u8], directory: &str) -> bool {
    path.starts_with(format!("{TOP}/{directory}").as_bytes())
}

/// The operators of the line, outside quotes, each once, in the order of this list.
fn construct(line: &[u8]) -> String {
    let bare = without_quotes(line);
    let two = |operator: &[u8]| bare.windows(2).any(|pair| pair == operator);
    let single_pipe = {
        let pipes = bare.iter().filter(|byte| **byte == b'|').count();
        pipes > 2 * bare.windows(2).filter(|pair| *pair == b"||").count()
    };
    let found = [
        ("pipe", single_pipe),
        ("subshell", bare.contains(&b'(')),
        ("braces", bare.contains(&b'{')),
        ("redirection", bare.contains(&b'<') || bare.contains(&b'>')),
        ("comment", bare.contains(&b'#')),
        ("or", two(b"||")),
        ("and", two(b"&&")),
        ("newline", bare.contains(&b'\n')),
        ("semicolon", bare.contains(&b';')),
    ];
    let names: Vec<&str> =
        found.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    if names.is_empty() { "plain".to_owned() } else { names.join("-") }
}

/// The line with what is quoted left out. Rough: it is only to find operators.
fn without_quotes(line: &[u8]) -> Vec<u8> {
    let mut bare = Vec::new();
    let mut quote = None;
    let mut bytes = line.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None | Some(b'"'), b'\\') => drop(bytes.next()),
            (None, _) => bare.push(byte),
            (Some(_), _) => {}
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructs_are_the_operators_outside_quotes() {
        let table = [
            ("cat a", "plain"),
            ("cd a; cat b", "semicolon"),
            ("cd a && cat 'b;c' || ls \"|\"", "or-and"),
            ("true | (cd a)", "pipe-subshell"),
            ("ls || ls", "or"),
            ("ls || ls | ls", "pipe-or"),
            ("{ cd a; } <b\ncat \\;", "braces-redirection-newline-semicolon"),
        ];
        for (line, expected) in table {
            assert_eq!(construct(line.as_bytes()), expected, "{line}");
        }
    }
}
