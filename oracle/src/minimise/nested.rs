//! Passes over what stands in something else: lists in loops, branches and substitutions, texts in
//! here-documents.

use super::line::{self, with_line};
use super::tokens::{Kind, Token, literal, tokens};
use shfence_corpus::{Case, Text};

/// Words that open a compound, with those that close it.
const COMPOUNDS: [(&str, &str); 5] =
    [("for", "done"), ("while", "done"), ("until", "done"), ("if", "fi"), ("case", "esac")];

/// Words of a compound before which a list ends or after which one begins.
const BORDERS: [&str; 10] =
    ["do", "done", "then", "elif", "else", "fi", "while", "until", "if", "esac"];

/// A loop or a branch as one of its lists.
pub(super) fn unwrap_compounds(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for (open, close) in compounds(&line) {
        for list in lists(&line[open..=close]) {
            let list = &line[open..=close][list];
            candidates.push(with_line(case, &[&line[..open], list, &line[close + 1..]].concat()));
        }
    }
    candidates
}

/// The compounds, each as the places of its first and its last word, outer first. What looks like
/// such a word and is none costs a candidate.
fn compounds(line: &[Token]) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut compounds = Vec::new();
    for (i, token) in line.iter().enumerate() {
        if let Some((_, closing)) = COMPOUNDS.iter().find(|(opening, _)| token.is(opening)) {
            open.push((i, closing));
        } else if let Some((start, _)) = open.pop_if(|(_, closing)| token.is(closing)) {
            compounds.push((start, i));
        }
    }
    compounds.sort_unstable();
    compounds
}

/// The lists of a compound, not those of compounds in it.
fn lists(compound: &[Token]) -> Vec<std::ops::Range<usize>> {
    let is_case = compound[0].is("case");
    let border = |token: &Token| {
        BORDERS.iter().any(|word| token.is(word))
            || is_case && (token.is(")") || token.is(";;") || token.is("esac"))
    };
    let (mut depth, mut borders) = (0, Vec::new());
    for (i, token) in compound.iter().enumerate() {
        depth += usize::from(COMPOUNDS.iter().any(|(opening, _)| token.is(opening)));
        if depth == 1 && border(token) {
            borders.push(i);
        }
        let closes = COMPOUNDS.iter().any(|(_, closing)| token.is(closing));
        depth -= usize::from(depth > 0 && closes);
    }
    let between = borders.windows(2).map(|pair| pair[0] + 1..pair[1]);
    let trimmed = between.map(|mut list| {
        while list.end > list.start && compound[list.end - 1].separates() {
            list.end -= 1;
        }
        while list.end > list.start && compound[list.start].is("\n") {
            list.start += 1;
        }
        list
    });
    trimmed.filter(|list| !list.is_empty()).collect()
}

/// Without one here-document, or with an empty one.
pub(super) fn delete_documents(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for (i, token) in line.iter().enumerate() {
        let Some((from, to)) = document(&line, i, token) else { continue };
        let before = [&line[..i], &line[i + 1..from]].concat();
        candidates.push(with_line(case, &[&before[..], &line[to + 1..]].concat()));
        candidates.push(with_line(case, &[&line[..from + 1], &line[to..]].concat()));
    }
    candidates
}

/// The newline before the text of the document that this token is the operator of, and the word
/// that ends it.
fn document(line: &[Token], i: usize, token: &Token) -> Option<(usize, usize)> {
    let Kind::Redirection { target } = token.kind else { return None };
    let operator = token.text[..target].trim_ascii();
    if operator.ends_with(b"<<<") || !operator.windows(2).any(|it| it == b"<<") {
        return None;
    }
    let delimiter = literal(&token.text[target..])?;
    let newline = |at: usize| line.get(at).is_none_or(|it| it.is("\n"));
    let from = (i..line.len()).find(|at| newline(*at))?;
    let ends = |at: &usize| newline(at - 1) && newline(at + 1) && line[*at].text == delimiter;
    Some((from, (from + 1..line.len()).find(ends)?))
}

/// What the passes over a line make of the list in a substitution.
pub(super) fn within_substitutions(case: &Case) -> Vec<Case> {
    let passes = [
        line::delete_runs,
        line::delete_commands,
        line::unwrap_groups,
        unwrap_compounds,
        delete_documents,
        line::replace_operators,
        line::replace_words,
        line::shorten_paths,
        line::drop_quotes,
    ];
    let all = tokens(&case.line);
    let mut candidates = Vec::new();
    for (i, token) in all.iter().enumerate() {
        let Some((before, list, after)) = substitution(token) else { continue };
        let inner = Case { line: Text::from(list), ..case.clone() };
        for smaller in passes.iter().flat_map(|pass| pass(&inner)) {
            let mut changed = all.clone();
            changed[i].text = [before, &smaller.line, after].concat();
            candidates.push(with_line(case, &changed));
        }
    }
    candidates
}

/// A command with a substitution, as the list of that.
pub(super) fn unwrap_substitutions(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for command in line::simple_commands(&line) {
        for i in command.clone() {
            let Some((_, list, _)) = substitution(&line[i]) else { continue };
            let mut list = tokens(list);
            if let Some(first) = list.first_mut() {
                first.gap.clone_from(&line[command.start].gap);
            }
            let (head, tail) = (&line[..command.start], &line[command.end..]);
            candidates.push(with_line(case, &[head, &list, tail].concat()));
        }
    }
    candidates
}

/// A substitution without its quotes. Late: what stands in it may need them until it is small.
pub(super) fn unquote_substitutions(case: &Case) -> Vec<Case> {
    let line = tokens(&case.line);
    let mut candidates = Vec::new();
    for (i, token) in line.iter().enumerate() {
        if let Some((b"\"$(", _, b")\"")) = substitution(token) {
            let mut bare = line.clone();
            bare[i].text.pop();
            bare[i].text.remove(0);
            candidates.push(with_line(case, &bare));
        }
    }
    candidates
}

/// The list of the first substitution of a word, and the text around it.
fn substitution(token: &Token) -> Option<(&[u8], &[u8], &[u8])> {
    let text = &token.text;
    let open = text.windows(2).position(|it| it == b"$(")? + 2;
    let close = text.iter().rposition(|byte| *byte == b')')?;
    let is_arithmetic = text.get(open) == Some(&b'(');
    let literal = text[..open].contains(&b'\'');
    (close > open && !is_arithmetic && !literal)
        .then(|| (&text[..open], &text[open..close], &text[close..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shfence_corpus::TreeSpec;

    fn made(pass: fn(&Case) -> Vec<Case>, line: &str) -> Vec<String> {
        let case = Case::new(line, TreeSpec::default());
        pass(&case).into_iter().map(|it| it.line.to_string()).collect()
    }

    #[test]
    fn compounds_become_their_lists() {
        let loops = made(unwrap_compounds, "for f in a; do cd b; ls; done; pwd");
        assert_eq!(loops, ["cd b; ls; pwd"]);
        let branch = made(unwrap_compounds, "if a; then b && c\nelse d; fi");
        assert_eq!(branch, ["a", "b && c", "d"]);
        let cases = made(unwrap_compounds, "case a in b) c;; *) d\n;; esac | e");
        assert_eq!(cases, ["c | e", "*", "d | e"].map(|it| it.replace("*", "* | e")));
        let nested = made(unwrap_compounds, "while a; do if b; then c; fi; done");
        assert!(nested.contains(&"if b; then c; fi".to_owned()), "{nested:?}");
        assert!(nested.contains(&"while a; do c; done".to_owned()), "{nested:?}");
    }

    #[test]
    fn documents_go_with_their_text() {
        let one = made(delete_documents, "cat <<E && ls\nfirst\nlast E\nE\npwd");
        assert_eq!(one, ["cat && ls\npwd", "cat <<E && ls\nE\npwd"]);
        assert_eq!(made(delete_documents, "cat <<'E'\na\nE"), ["cat", "cat <<'E'\nE"]);
        assert!(made(delete_documents, "cat <<<E\nE").is_empty());
        assert!(made(delete_documents, "cat <<E\na").is_empty());
    }

    #[test]
    fn lists_in_substitutions_shrink_where_they_are() {
        let within = made(within_substitutions, "true \"a$(cd b && cat c)\"");
        for shorter in ["true \"a$(cat c)\"", "true \"a$(cd b)\"", "true \"a$(cd b; cat c)\""] {
            assert!(within.contains(&shorter.to_owned()), "{shorter}: {within:?}");
        }
        assert!(made(within_substitutions, "echo $((1+2)) '$(a b)'").is_empty());
        let out = made(unwrap_substitutions, "pwd; echo \"$(cd b; ls)\" c && ls");
        assert_eq!(out, ["pwd; cd b; ls && ls"]);
        assert_eq!(made(unquote_substitutions, "a \"$(b)\" \"c$(d)\""), ["a $(b) \"c$(d)\""]);
    }
}
