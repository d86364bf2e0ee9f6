//! A line as the tokens that the passes move about.
//!
//! This is no parser of shell: it knows just enough of quotes and operators that most of what it
//! cuts out is still a line. Where it misreads one, a candidate is wasted and nothing else, since
//! only the predicate decides. It shares no code with the guard, so that a line which the guard
//! misreads is not misread here for the same reason.

use shfence_corpus::Text;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word with its quotes; also `{`, `}`, `!` and keywords, which only their place makes more.
    Word,
    /// A redirection with its target, which starts at this byte of the text.
    Redirection {
        /// Where the target starts in the text.
        target: usize,
    },
    /// A control operator, a parenthesis or a newline.
    Operator,
    /// From `#` to the end of its line.
    Comment,
}

/// One token and the blanks before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// The blanks before it, as they were written.
    pub gap: Vec<u8>,
    /// Its bytes.
    pub text: Vec<u8>,
}

impl Token {
    /// A token after one blank.
    pub fn new(kind: Kind, text: &[u8]) -> Token {
        Token { kind, gap: b" ".to_vec(), text: text.to_vec() }
    }

    /// Is it this word or operator?
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Operator) && self.text == text.as_bytes()
    }

    /// Is it an operator between two commands?
    pub fn separates(&self) -> bool {
        self.kind == Kind::Operator && !self.is("(") && !self.is(")")
    }

    /// The word it is, or the target that it redirects to.
    pub fn word(&self) -> Option<&[u8]> {
        match self.kind {
            Kind::Word => Some(&self.text),
            Kind::Redirection { target } => Some(&self.text[target..]),
            Kind::Operator | Kind::Comment => None,
        }
    }

    /// The token with another word in the place of [`Token::word`].
    pub fn with_word(&self, word: &[u8]) -> Token {
        let keep = match self.kind {
            Kind::Redirection { target } => &self.text[..target],
            _ => b"",
        };
        Token { kind: self.kind, gap: self.gap.clone(), text: [keep, word].concat() }
    }
}

/// Cuts a line into tokens. Blanks at its end are dropped; nothing else is.
pub(super) fn tokens(line: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        let start = after_blanks(line, at);
        if start >= line.len() {
            return tokens;
        }
        let (kind, end) = token_at(line, start);
        let gap = line[at..start].to_vec();
        tokens.push(Token { kind, gap, text: line[start..end].to_vec() });
        at = end;
    }
}

/// Puts tokens together again. Blanks stay as they are; one is added where tokens that have become
/// neighbours would run into each other.
pub(super) fn render(tokens: &[Token]) -> Text {
    let mut line = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let gap = match i.checked_sub(1).map(|i| &tokens[i]) {
            Some(before) if token.gap.is_empty() && would_merge(before, token) => &b" "[..],
            _ => &token.gap,
        };
        line.extend_from_slice(gap);
        line.extend_from_slice(&token.text);
    }
    Text::from(line)
}

/// The tokens with blanks as a person sets them: `cd a; ( cat b >/dev/null )`.
pub(super) fn tidy(tokens: &[Token]) -> Vec<Token> {
    (0..tokens.len()).map(|i| tidy_token(tokens, i)).collect()
}

/// One token as [`tidy`] writes it.
pub(super) fn tidy_token(tokens: &[Token], i: usize) -> Token {
    let newline = |token: &Token| token.is("\n");
    let token = &tokens[i];
    let glued = i == 0 || token.is(";") || newline(token) || newline(&tokens[i - 1]);
    let gap = if glued { Vec::new() } else { b" ".to_vec() };
    match token.kind {
        Kind::Redirection { target } => {
            let before = &token.text[..target];
            let blank = before.iter().position(|byte| b" \t\\".contains(byte));
            let mut operator = before[..blank.unwrap_or(target)].to_vec();
            // `> >(cat)` without its blank would append.
            if blank.is_some()
                && token.text.get(target).is_some_and(|first| b"<>&|(-".contains(first))
            {
                operator.push(b' ');
            }
            let text = [&operator, &token.text[target..]].concat();
            Token { kind: Kind::Redirection { target: operator.len() }, gap, text }
        }
        kind => Token { kind, gap, text: token.text.clone() },
    }
}

/// What a word stands for, if only quotes and backslashes are to be removed from it: no expansion,
/// no pattern.
pub(super) fn literal(word: &[u8]) -> Option<Vec<u8>> {
    let mut value = Vec::new();
    let mut rest = word.iter().copied();
    if word.starts_with(b"~") || word.starts_with(b"=") {
        return None;
    }
    while let Some(byte) = rest.next() {
        match byte {
            b'\'' => loop {
                match rest.next()? {
                    b'\'' => break,
                    byte => value.push(byte),
                }
            },
            b'"' => loop {
                match rest.next()? {
                    b'"' => break,
                    b'$' | b'`' => return None,
                    b'\\' => match rest.next()? {
                        byte @ (b'$' | b'`' | b'"' | b'\\') => value.push(byte),
                        b'\n' => {}
                        byte => value.extend([b'\\', byte]),
                    },
                    byte => value.push(byte),
                }
            },
            b'\\' => match rest.next()? {
                b'\n' => {}
                byte => value.push(byte),
            },
            b'$' | b'`' | b'*' | b'?' | b'[' | b'<' | b'>' | b'(' => return None,
            b'{' if word.len() > 1 => return None,
            byte => value.push(byte),
        }
    }
    Some(value)
}

/// The plainest word that stands for `value`: bare, or in double quotes where nothing in it would
/// be special there, or in single quotes.
pub(super) fn quoted(value: &[u8]) -> Vec<u8> {
    let bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:@%+,=-".contains(byte);
    if !value.is_empty() && !value.starts_with(b"=") && value.iter().all(bare) {
        return value.to_vec();
    }
    if !value.iter().any(|byte| b"\"$`\\!".contains(byte)) {
        return [b"\"", value, b"\""].concat();
    }
    let parts: Vec<&[u8]> = value.split(|byte| *byte == b'\'').collect();
    [b"'", &parts.join(&b"'\\''"[..])[..], b"'"].concat()
}

fn would_merge(before: &Token, after: &Token) -> bool {
    match (before.kind, after.kind) {
        (Kind::Operator, Kind::Operator) => !before.is(")") && !before.is("\n") && !after.is("\n"),
        (Kind::Operator, Kind::Comment) => !before.is("\n"),
        (Kind::Operator, _) | (_, Kind::Operator) => false,
        _ => true,
    }
}

fn after_blanks(line: &[u8], mut at: usize) -> usize {
    loop {
        match line.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(b'\\') if line.get(at + 1) == Some(&b'\n') => at += 2,
            _ => return at,
        }
    }
}

/// The kind and the end of the token that starts at `at`.
fn token_at(line: &[u8], at: usize) -> (Kind, usize) {
    if line[at] == b'#' {
        let length = line[at..].iter().take_while(|byte| **byte != b'\n').count();
        return (Kind::Comment, at + length);
    }
    if let Some(operator_end) = redirection_operator(line, at) {
        let target = after_blanks(line, operator_end);
        return (Kind::Redirection { target: target - at }, word_end(line, target));
    }
    const OPERATORS: [&[u8]; 11] =
        [b"&&", b"||", b";;", b"|&", b";", b"&", b"|", b"(", b")", b"\n", b"\r\n"];
    match OPERATORS.iter().find(|operator| line[at..].starts_with(operator)) {
        Some(operator) => (Kind::Operator, at + operator.len()),
        // A byte that ends words but starts none of the above stands alone, so that we advance.
        None => (Kind::Word, word_end(line, at).max(at + 1)),
    }
}

/// The end of the redirection operator at `at`, with its file descriptor, if there is one.
fn redirection_operator(line: &[u8], at: usize) -> Option<usize> {
    let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let operator = &line[at + digits..];
    if operator.starts_with(b"<(") || operator.starts_with(b">(") {
        return None;
    }
    const OPERATORS: [&[u8]; 12] =
        [b"&>>", b"&>", b"<<<", b"<<-", b"<<", b"<&", b"<>", b"<", b">>", b">&", b">|", b">"];
    let found = OPERATORS.iter().find(|known| operator.starts_with(known))?;
    (digits == 0 || found[0] != b'&').then_some(at + digits + found.len())
}

/// The end of the word that starts at `at`. Quotes and substitutions hide blanks and operators;
/// one that is not closed reaches to the end of the line.
fn word_end(line: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(&byte) = line.get(at) {
        let next = line.get(at + 1);
        at = match byte {
            b'\\' | b'\'' | b'"' | b'`' => after_quote(line, at),
            b'$' if next == Some(&b'(') => after_parens(line, at + 1),
            b'$' if next == Some(&b'{') => after_byte(line, at + 2, b'}'),
            b'<' | b'>' if at == start && next == Some(&b'(') => after_parens(line, at + 1),
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => return at,
            _ => at + 1,
        };
    }
    line.len()
}

/// The place after the quote or backslash at `at` and what it quotes.
fn after_quote(line: &[u8], at: usize) -> usize {
    match line[at] {
        b'\\' => (at + 2).min(line.len()),
        b'\'' => after_byte(line, at + 1, b'\''),
        quote => {
            let mut at = at + 1;
            while let Some(&byte) = line.get(at) {
                match byte {
                    b'\\' => at += 2,
                    byte if byte == quote => return at + 1,
                    b'$' if line.get(at + 1) == Some(&b'(') => at = after_parens(line, at + 1),
                    _ => at += 1,
                }
            }
            line.len()
        }
    }
}

/// The place after the parenthesis that closes the one at `at`.
fn after_parens(line: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(&byte) = line.get(at) {
        match byte {
            b'\\' | b'\'' | b'"' | b'`' => {
                at = after_quote(line, at);
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    line.len()
}

fn after_byte(line: &[u8], at: usize, byte: u8) -> usize {
    let rest = line.get(at..).unwrap_or_default();
    rest.iter().position(|b| *b == byte).map_or(line.len(), |found| at + found + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<String> {
        tokens(line.as_bytes())
            .iter()
            .map(|token| String::from_utf8_lossy(&token.text).into_owned())
            .collect()
    }

    #[test]
    fn quotes_and_substitutions_hide_blanks_and_operators() {
        assert_eq!(
            texts("cd 'a b';cat \"c;\\\" d\"|wc>x $(ls (a) ; b) e\\ f # rest\n2>&1"),
            ["cd", "'a b'", ";", "cat", "\"c;\\\" d\"", "|", "wc", ">x", "$(ls (a) ; b)"]
                .into_iter()
                .chain(["e\\ f", "# rest", "\n", "2>&1"])
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_substitution_in_quotes_has_quotes_of_its_own() {
        assert_eq!(texts("a \"b$(c \"d e\" ')') f\" g"), ["a", "\"b$(c \"d e\" ')') f\"", "g"]);
    }

    #[test]
    fn tidying_sets_blanks_as_a_person_does() {
        let tidied = |line: &str| render(&tidy(&tokens(line.as_bytes()))).to_string();
        assert_eq!(tidied("  cd   a;cat b"), "cd a; cat b");
        assert_eq!(tidied("(cd a)&&cat<b"), "( cd a ) && cat <b");
        assert_eq!(tidied("cd a \n  cat b >  /dev/null  "), "cd a\ncat b >/dev/null");
    }

    #[test]
    fn tokens_that_become_neighbours_do_not_merge() {
        let mut list = tokens(b"a;b;(c)");
        list.remove(2);
        assert_eq!(render(&list).to_string(), "a; ; (c)");
        let mut list = tokens(b"a;b");
        list.remove(1);
        assert_eq!(render(&list).to_string(), "a b");
    }

    #[test]
    fn a_word_of_quotes_alone_has_a_value() {
        assert_eq!(literal(br#"'a b'"c"\d"#).unwrap(), b"a bcd");
        for word in ["$x", "\"$x\"", "a*", "~", "'open", "`x`", "{a,b}"] {
            assert_eq!(literal(word.as_bytes()), None, "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_cut_and_put_together_again(line: Vec<u8>) {
            let end = after_blanks_at_end(&line);
            let back = tokens(&line).iter().flat_map(|t| [&t.gap[..], &t.text].concat())
                .collect::<Vec<u8>>();
            prop_assert!(back.len() >= end && line.starts_with(&back));
        }

        #[test]
        fn shell_text_is_cut_and_put_together_again(line in "[a-z '\"$(){}<>&|;\\\\#\n`]{0,40}") {
            let back = tokens(line.as_bytes()).iter()
                .flat_map(|t| [&t.gap[..], &t.text].concat()).collect::<Vec<u8>>();
            prop_assert!(line.as_bytes().starts_with(&back));
            let rendered = render(&tidy(&tokens(line.as_bytes())));
            let count = |line: &[u8]| tokens(line).len();
            prop_assert!(count(&rendered) <= count(line.as_bytes()));
        }

        #[test]
        fn a_quoted_value_is_read_back(value: Vec<u8>) {
            let word = quoted(&value);
            prop_assert_eq!(literal(&word), Some(value));
        }
    }

    /// Where the blanks begin that end the line.
    fn after_blanks_at_end(line: &[u8]) -> usize {
        line.iter().rposition(|b| !b" \t\n\\".contains(b)).map_or(0, |last| last + 1)
    }
}
