//! Passes over the tokens of the line.

use super::tokens::{Kind, Token, literal, quoted, render, tidy_token, tokens};
use shfence_corpus::{Case, PROJ, TOP};
use std::ops::Range;

/// Without runs of tokens: all, halves, quarters, …, single ones.
pub(super) fn delete_runs(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    runs(line.len()).into_iter().map(|run| without(case, &line, run)).collect()
}

/// The runs to try to leave out of `count` things, the longest first.
pub(super) fn runs(count: usize) -> Vec<Range<usize>> {
    std::iter::successors(Some(count), |length| (*length > 1).then(|| length.div_ceil(2)))
        .filter(|length| *length > 0)
        .flat_map(|length| {
            (0..count).step_by(length).map(move |start| start..(start + length).min(count))
        })
        .collect()
}

/// Without one simple command, or one group, and the operator that joins it to the next or to the
/// one before.
pub(super) fn delete_commands(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let groups = groups(&line).into_iter().map(|(open, close)| open..close + 1);
    let mut candidates = Vec::new();
    for part in groups.chain(simple_commands(&line)) {
        if line.get(part.end).is_some_and(Token::separates) {
            candidates.push(without(case, &line, part.start..part.end + 1));
        }
        if part.start > 0 && line[part.start - 1].separates() {
            candidates.push(without(case, &line, part.start - 1..part.end));
        }
    }
    candidates
}

/// `( list )`, `{ list; }` and `$( list )` as `list`.
pub(super) fn unwrap_groups(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for (open, close) in groups(&line) {
        let ends_itself = line[close].is("}") && line[close - 1].separates();
        let inside = &line[open + 1..if ends_itself { close - 1 } else { close }];
        candidates.push(with_line(case, &[&line[..open], inside, &line[close + 1..]].concat()));
    }
    for (i, token) in line.iter().enumerate() {
        let substituted = token.text.strip_prefix(b"$(").and_then(|text| text.strip_suffix(b")"));
        if let (Kind::Word, Some(list)) = (token.kind, substituted) {
            let inside = tokens(list);
            candidates.push(with_line(case, &inside));
            candidates.push(with_line(case, &[&line[..i], &inside, &line[i + 1..]].concat()));
        }
    }
    candidates
}

/// `;` for every other operator between commands.
pub(super) fn replace_operators(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let semicolon = Token { gap: Vec::new(), ..Token::new(Kind::Operator, b";") };
    places(&line, |token| token.separates() && !token.is(";"))
        .flat_map(|i| {
            // What stood behind a newline may have had no blank before it.
            let mut candidate = replaced(&line, i, semicolon.clone());
            if let Some(next) = candidate.get_mut(i + 1).filter(|next| next.gap.is_empty()) {
                next.gap = b" ".to_vec();
            }
            let and = Token::new(Kind::Operator, b"&&");
            [with_line(case, &candidate), with_line(case, &replaced(&line, i, and))]
        })
        .collect()
}

/// `true` or `cat` for a verb, `nosuch` for the operand of a cd, `a` for any other word.
pub(super) fn replace_words(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for command in simple_commands(&line) {
        let mut verb: Option<&[u8]> = None;
        for i in command.filter(|i| line[*i].word().is_some()) {
            let plain: &[&str] = match (line[i].kind, verb) {
                (Kind::Word, None) => &["true", "cat"],
                (Kind::Word, Some(b"cd")) => &["nosuch", "a"],
                _ => &["a"],
            };
            for word in plain {
                let token = line[i].with_word(word.as_bytes());
                candidates.push(with_line(case, &replaced(&line, i, token)));
            }
            if line[i].kind == Kind::Word {
                verb = verb.or(Some(&line[i].text));
            }
        }
    }
    candidates
}

/// Paths without one of their components, and absolute ones as seen from the cwd.
pub(super) fn shorten_paths(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for (i, token) in line.iter().enumerate() {
        let Some((path, is_literal)) = token.word().and_then(editable) else { continue };
        for shorter in relative(&path, case).into_iter().chain(shorter_paths(&path)) {
            let word = if is_literal { quoted(&shorter) } else { shorter };
            candidates.push(with_line(case, &replaced(&line, i, token.with_word(&word))));
        }
    }
    candidates
}

/// The path without each of its components in turn, the last one last.
pub(super) fn shorter_paths(path: &[u8]) -> Vec<Vec<u8>> {
    let names: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    (0..names.len())
        .map(|left_out| [&names[..left_out], &names[left_out + 1..]].concat().join(&b'/'))
        .filter(|shorter| !shorter.is_empty())
        .collect()
}

/// Words in their plainest quoting.
pub(super) fn drop_quotes(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let plainest = |token: &Token| Some(token.with_word(&quoted(&literal(token.word()?)?)));
    (0..line.len())
        .filter_map(|i| Some(with_line(case, &replaced(&line, i, plainest(&line[i])?))))
        .collect()
}

/// Blanks as a person sets them: everywhere, and in one place.
pub(super) fn set_blanks(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let everywhere = super::tokens::tidy(&line);
    let in_one = (0..line.len()).map(|i| replaced(&line, i, tidy_token(&line, i)));
    // Lexing has dropped the blanks at the end of the line; the line itself is a candidate.
    [everywhere, line.clone()].into_iter().chain(in_one).map(|l| with_line(case, &l)).collect()
}

/// The value of a word that has no expansions, or the text of one that has no quotes, and whether
/// it is the former.
fn editable(word: &[u8]) -> Option<(Vec<u8>, bool)> {
    if let Some(value) = literal(word) {
        return Some((value, true));
    }
    let bare = !word.iter().any(|byte| b"'\"\\`(".contains(byte));
    bare.then(|| (word.to_vec(), false))
}

/// An absolute path below the top, as seen from the cwd of the case.
fn relative(path: &[u8], case: &Case) -> Option<Vec<u8>> {
    let below = path.strip_prefix(TOP.as_bytes())?.strip_prefix(b"/")?;
    let inside = below.strip_prefix(PROJ.as_bytes()).and_then(|rest| rest.strip_prefix(b"/"));
    match inside {
        Some(inside) if case.cwd.as_bytes() == PROJ.as_bytes() => Some(inside.to_vec()),
        _ => {
            let depth = case.cwd.ancestors().len() + 1;
            Some([b"../".repeat(depth).as_slice(), below].concat())
        }
    }
}

/// The groups of the line, each as the places of its opening and its closing token, outer first.
fn groups(line: &[Token]) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut groups = Vec::new();
    for (i, token) in line.iter().enumerate() {
        if token.is("(") || token.is("{") {
            open.push(i);
        } else if token.is(")") || token.is("}") {
            let partner = if token.is(")") { "(" } else { "{" };
            if let Some(start) = open.pop_if(|start| line[*start].is(partner)) {
                groups.push((start, i));
            }
        }
    }
    groups.sort_unstable();
    groups
}

/// The simple commands: what stands between operators and braces.
pub(super) fn simple_commands(line: &[Token]) -> Vec<Range<usize>> {
    let borders = places(line, |token| {
        token.kind == Kind::Operator || token.is("{") || token.is("}") || token.is("!")
    });
    let mut commands = Vec::new();
    let mut start = 0;
    for border in borders.chain([line.len()]) {
        if start < border {
            commands.push(start..border);
        }
        start = border + 1;
    }
    commands
}

fn places(line: &[Token], wanted: impl Fn(&Token) -> bool) -> impl Iterator<Item = usize> {
    (0..line.len()).filter(move |i| wanted(&line[*i]))
}

fn without(case: &Case, line: &[Token], run: Range<usize>) -> Case {
    with_line(case, &[&line[..run.start], &line[run.end..]].concat())
}

fn replaced(line: &[Token], i: usize, token: Token) -> Vec<Token> {
    let mut line = line.to_vec();
    line[i] = token;
    line
}

pub(super) fn with_line(case: &Case, line: &[Token]) -> Case {
    // The first token has nothing to be apart from.
    let mut line = line.to_vec();
    if let Some(first) = line.first_mut() {
        first.gap.clear();
    }
    Case { line: render(&line), ..case.clone() }
}
