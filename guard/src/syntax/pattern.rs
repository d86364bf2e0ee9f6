//! `*`, `?`, `[…]` and `{…}` in words.

use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{Braces, Class, Pattern, Piece};
use super::word::Pieces;
use crate::span::Span;

/// The most words that one pair of braces makes.
const CHOICES_MAX: usize = 64;

impl<'a> Recogniser<'a> {
    /// An element of a pattern. More than two stars, and a `[` that is not closed, mean something
    /// else to zsh.
    pub(super) fn pattern(&mut self, start: usize, pieces: &mut Pieces<'a>) -> Result<()> {
        self.count_word()?;
        let pattern = match self.peek(0) {
            b'*' => {
                let stars = (0..).take_while(|ahead| self.peek(*ahead) == b'*').count();
                let after = self.peek(stars);
                let component = self.at == start || self.before() == b'/';
                // zsh: `*(…)` has qualifiers. The `(` itself is refused where it is reached.
                match (stars, component && after == b'/') {
                    (1, _) => self.step(1, Pattern::Star),
                    (2, true) => self.step(2, Pattern::Deep),
                    // Two of them, so that a word that matches nothing is what stands there.
                    (2, false) => {
                        pieces.push(Piece::Pattern(Pattern::Star));
                        self.step(2, Pattern::Star)
                    }
                    _ => return self.refuse(Construct::Glob),
                }
            }
            b'?' => self.step(1, Pattern::Question),
            _ => self.class()?,
        };
        pieces.push(Piece::Pattern(pattern));
        Ok(())
    }

    fn step(&mut self, bytes: usize, pattern: Pattern<'a>) -> Pattern<'a> {
        self.at += bytes;
        pattern
    }

    /// `[abc]`, `[a-z]`, `[!0-9]`. To dash, `^` is a character of the class.
    fn class(&mut self) -> Result<Pattern<'a>> {
        let open = self.at;
        self.at += 1;
        let negated = self.peek(0) == b'!';
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        while self.peek(0) != b']' {
            let low = self.peek(0);
            let (dash, high) = (self.peek(1), self.peek(2));
            let range = dash == b'-' && high != b']';
            let high = if range { high } else { low };
            let same_kind = |is: fn(&u8) -> bool| is(&low) && is(&high) && low <= high;
            let fits = same_kind(u8::is_ascii_digit)
                || same_kind(u8::is_ascii_lowercase)
                || same_kind(u8::is_ascii_uppercase)
                || (!range && matches!(low, b'_' | b'.' | b',' | b'@' | b'%' | b'+' | b'-'));
            if !fits {
                return self.refuse(Construct::Glob);
            }
            ranges.push((low, high));
            self.at += if range { 3 } else { 1 };
        }
        if ranges.is_empty() {
            return self.refuse(Construct::Glob);
        }
        self.at += 1;
        let text = self.slice(open, self.at);
        Ok(Pattern::Class(Box::new(Class { text, negated, ranges })))
    }

    /// `{a,b}`, `{1..3}`, and `@{name}`, which is itself unless zsh has BRACE_CCL set. Only bare
    /// characters, `*` and `?` may stand in it, and no other braces.
    pub(super) fn braces_in_word(&mut self, start: usize, pieces: &mut Pieces<'a>) -> Result<()> {
        self.count_word()?;
        let open = self.at;
        // To bash, `$x{a,b}` is `$xa $xb` and `~{a,b}` two people's homes.
        if let Some(Piece::Parameter { quoted: false, .. } | Piece::Home) = pieces.last()
            && self.before() != b'}'
        {
            return self.refuse(Construct::Brace);
        }
        let begins_word = open == start;
        let inside = (open + 1..).take_while(|at| is_inside_braces(self.byte(*at))).count();
        let close = open + 1 + inside;
        let text = self.slice(open + 1, close);
        if self.byte(close) != b'}' || text.is_empty() {
            return self.refuse(Construct::Brace);
        }
        let beside_star = self.before() == b'*' || self.byte(close + 1) == b'*';
        let refused = Span::new(open, close + 1);
        self.at = close + 1;
        let choices: Vec<Vec<Piece<'a>>> = if text.contains(&b',') {
            if text.windows(2).any(|two| two == b"**") || (beside_star && text.contains(&b'*')) {
                return self.refuse_at(Construct::Brace, refused);
            }
            text.split(|byte| *byte == b',').map(elements).collect()
        } else if let Some(words) = range(text) {
            words.into_iter().map(|word| vec![Piece::Text(word.into())]).collect()
        } else if begins_word
            || text.windows(2).any(|two| two == b"..")
            || text.iter().any(|byte| b"*?".contains(byte))
        {
            // `{a} >f` opens a descriptor in zsh.
            return self.refuse_at(Construct::Brace, refused);
        } else {
            pieces.text.add(self.bytes, open, self.at);
            return Ok(());
        };
        if choices.len() > CHOICES_MAX {
            return self.refuse_at(Construct::Brace, refused);
        }
        let literal = elements(self.slice(open, self.at));
        pieces.push(Piece::Braces(Box::new(Braces { choices, literal })));
        Ok(())
    }
}

fn is_inside_braces(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_./,:@%+-*?".contains(&byte)
}

/// Text with the patterns in it.
fn elements(text: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|byte| !b"*?".contains(byte)).count();
        let (piece, length) = match first {
            b'*' => (Piece::Pattern(Pattern::Star), 1),
            b'?' => (Piece::Pattern(Pattern::Question), 1),
            _ => (Piece::Text(rest[..length].into()), length),
        };
        pieces.push(piece);
        rest = &rest[length..];
    }
    pieces
}

/// The words of `1..3`, `3..1` and `a..e`. Numbers that begin with a zero are padded by some.
fn range(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let at = text.windows(2).position(|two| two == b"..")?;
    let (from, to) = (&text[..at], &text[at + 2..]);
    let letters = |text: &[u8]| matches!(text, [b'a'..=b'z']);
    if letters(from) && letters(to) {
        return Some(between(from[0].into(), to[0].into(), |letter| vec![letter as u8]));
    }
    let (from, to) = (number(from)?, number(to)?);
    let few = (from.abs_diff(to) as usize) < CHOICES_MAX;
    few.then(|| between(from, to, |number| number.to_string().into_bytes()))
}

/// From one end to the other, upwards or downwards.
fn between(from: u32, to: u32, word: fn(u32) -> Vec<u8>) -> Vec<Vec<u8>> {
    match from <= to {
        true => (from..=to).map(word).collect(),
        false => (to..=from).rev().map(word).collect(),
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    let plain = digits.iter().all(u8::is_ascii_digit) && !(digits.len() > 1 && digits[0] == b'0');
    if plain && digits.len() < 9 { std::str::from_utf8(digits).ok()?.parse().ok() } else { None }
}
