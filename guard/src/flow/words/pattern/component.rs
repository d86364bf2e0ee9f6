//! One name against one component of a pattern (POSIX 2.13.1, 2.13.2).

use crate::syntax::tree::Pattern;

/// A part of a component.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    /// This byte.
    Byte(u8),
    /// `*`.
    Star,
    /// `**` as a whole component.
    Deep,
    /// `?`.
    Question,
    /// `[…]`: whether it is negated, and its ranges.
    Class(bool, &'a [(u8, u8)]),
}

impl<'a> Token<'a> {
    pub(super) fn of(pattern: &'a Pattern<'_>) -> Token<'a> {
        match pattern {
            Pattern::Star => Token::Star,
            Pattern::Deep => Token::Deep,
            Pattern::Question => Token::Question,
            Pattern::Class(class) => Token::Class(class.negated, &class.ranges),
        }
    }
}

/// The text of a component without a pattern in it.
pub(super) fn literal(component: &[Token<'_>]) -> Option<Vec<u8>> {
    let byte = |token: &Token<'_>| match token {
        Token::Byte(byte) => Some(*byte),
        _ => None,
    };
    component.iter().map(byte).collect()
}

/// Does a name match?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// In every locale.
    Yes,
    /// In none.
    No,
    /// That depends: letters of another case or beyond ASCII in ranges, characters of several
    /// bytes.
    Unsure,
}

/// Holds a name against a component.
pub(super) fn compare(component: &[Token<'_>], name: &[u8]) -> Match {
    // What one character is depends on the locale.
    let counts_characters =
        component.iter().any(|token| matches!(token, Token::Question | Token::Class(..)));
    if counts_characters && !name.is_ascii() {
        return Match::Unsure;
    }
    match (matches(component, name, Match::Yes), matches(component, name, Match::Unsure)) {
        // yash matches no name that is no text in its locale.
        (true, true) if !name.is_ascii() => Match::Unsure,
        (true, true) => Match::Yes,
        (false, false) => Match::No,
        _ => Match::Unsure,
    }
}

/// Does it match if single characters count that match at least so surely? Goes back to the last
/// star only, so that it takes at most length times length steps.
fn matches(component: &[Token<'_>], name: &[u8], sure: Match) -> bool {
    let (mut token, mut at) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match component.get(token) {
            Some(Token::Star | Token::Deep) => {
                star = Some((token, at));
                token += 1;
                continue;
            }
            Some(it) if counts(single(*it, &name[at..]), sure) => {
                token += 1;
                at += 1;
                continue;
            }
            _ => {}
        }
        let Some((back, from)) = star else { return false };
        star = Some((back, from + 1));
        (token, at) = (back + 1, from + 1);
    }
    component[token..].iter().all(|it| matches!(it, Token::Star | Token::Deep))
}

fn counts(found: Match, sure: Match) -> bool {
    found == Match::Yes || (sure == Match::Unsure && found == Match::Unsure)
}

/// Does the first byte of this text match?
fn single(token: Token<'_>, text: &[u8]) -> Match {
    let byte = text[0];
    match token {
        Token::Byte(wanted) if wanted == byte => Match::Yes,
        Token::Byte(_) | Token::Star | Token::Deep => Match::No,
        Token::Question => Match::Yes,
        Token::Class(negated, ranges) => {
            let within = |byte: u8| ranges.iter().any(|(low, high)| (*low..=*high).contains(&byte));
            let other_case = byte ^ 0x20;
            let letters = |(low, high): &(u8, u8)| low != high && low.is_ascii_alphabetic();
            // In some locales a range of letters holds those of the other case.
            let unsure = byte.is_ascii_alphabetic()
                && ranges.iter().any(letters)
                && within(byte) != within(other_case);
            match (within(byte) != negated, unsure && !within(byte)) {
                (_, true) => Match::Unsure,
                (true, false) => Match::Yes,
                (false, false) => Match::No,
            }
        }
    }
}
