//! Words, and which of them may name a command.

use super::names::{is_opaque, is_reserved};
use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{Argument, Piece, Text, Word};
use crate::few::Few;
use crate::span::Span;

/// What a word may hold besides text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing: its value is in the line.
    Text,
    /// Expansions between double quotes: what is neither split nor taken as a pattern anywhere.
    Quoted,
    /// Expansions that make one value: what is assigned, compared or given as a here-string is
    /// neither split nor taken as a pattern.
    Value,
    /// The same, of an assignment: a star stands for itself, unless zsh has `GLOB_ASSIGN`.
    Assigned,
    /// Whatever may make any number of words.
    Words,
}

/// What a word has given so far.
pub(super) struct Pieces<'a> {
    pub(super) done: Few<Piece<'a>>,
    pub(super) text: Taking<'a>,
    pub(super) quoted: bool,
    pub(super) holds: Holds,
}

/// A text that is being taken from the line: a part of it, as long as what is taken stands there
/// without anything in between.
pub(super) enum Taking<'a> {
    /// From here to there.
    Part(&'a [u8], usize),
    /// Several parts.
    Parts(Vec<u8>),
}

impl Default for Taking<'_> {
    fn default() -> Self {
        Taking::Part(b"", 0)
    }
}

impl<'a> Taking<'a> {
    fn is_empty(&self) -> bool {
        matches!(self, Taking::Part([], _))
    }

    /// Adds these bytes of the line.
    pub(super) fn add(&mut self, line: &'a [u8], from: usize, to: usize) {
        match self {
            Taking::Part([], _) => *self = Taking::Part(&line[from..to], to),
            Taking::Part(part, end) if *end == from => {
                *self = Taking::Part(&line[from - part.len()..to], to);
            }
            _ if from == to => {}
            Taking::Part(part, _) => *self = Taking::Parts([*part, &line[from..to]].concat()),
            Taking::Parts(text) => text.extend_from_slice(&line[from..to]),
        }
    }

    /// Adds bytes that do not stand in the line.
    pub(super) fn add_other(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            let before = std::mem::take(self).text();
            *self = Taking::Parts([&before[..], bytes].concat());
        }
    }

    fn text(self) -> Text<'a> {
        match self {
            Taking::Part(part, _) => part.into(),
            Taking::Parts(text) => text.into(),
        }
    }
}

impl<'a> Pieces<'a> {
    pub(super) fn new(holds: Holds) -> Pieces<'a> {
        Pieces { done: Few::new(), text: Taking::default(), quoted: false, holds }
    }

    pub(super) fn push(&mut self, piece: Piece<'a>) {
        self.flush();
        self.done.push(piece);
    }

    pub(super) fn flush(&mut self) {
        if !self.text.is_empty() {
            self.done.push(Piece::Text(std::mem::take(&mut self.text).text()));
        }
    }

    /// The piece directly before this place.
    pub(super) fn last(&self) -> Option<&Piece<'a>> {
        if self.text.is_empty() { self.done.last() } else { None }
    }

    /// Are there expansions that stand between double quotes?
    pub(super) fn expands_quoted(&self) -> bool {
        self.holds != Holds::Text
    }

    /// And others?
    pub(super) fn expands(&self) -> bool {
        !matches!(self.holds, Holds::Text | Holds::Quoted)
    }
}

impl<'a> Recogniser<'a> {
    /// How many of the bytes that follow are such.
    pub(super) fn ahead(&self, such: impl Fn(u8) -> bool) -> usize {
        let rest = &self.bytes[self.at..];
        rest.iter().position(|byte| !such(*byte)).unwrap_or(rest.len())
    }

    /// Takes so many bytes as they are.
    pub(super) fn take(&mut self, bytes: usize, pieces: &mut Pieces<'a>) {
        pieces.text.add(self.bytes, self.at, self.at + bytes);
        self.at += bytes;
    }

    /// A word without expansions: a command name, a redirection's target.
    pub(super) fn word(&mut self) -> Result<Word<'a>> {
        let start = self.at;
        let mut pieces = Pieces::new(Holds::Text);
        self.pieces(&mut pieces)?;
        let Pieces { text, quoted, .. } = pieces;
        Ok(Word { span: Span::new(start, self.at), text: text.text(), quoted })
    }

    /// A word that may hold expansions.
    pub(super) fn argument(&mut self, holds: Holds) -> Result<Argument<'a>> {
        let start = self.at;
        self.count_word()?;
        let mut pieces = Pieces::new(holds);
        self.pieces(&mut pieces)?;
        pieces.flush();
        Ok(Argument { span: Span::new(start, self.at), pieces: pieces.done })
    }

    /// Bare characters, quotes, escapes and expansions, up to a blank or an operator.
    fn pieces(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        let start = self.at;
        loop {
            let plain = self.ahead(|byte| PLAIN[usize::from(byte)]);
            self.take(plain, pieces);
            let byte = self.peek(0);
            match byte {
                // A `(` next to a word is refused where a blank would make it a group.
                b'(' => return self.refuse(Construct::Parenthesis),
                _ if Self::ends_word(byte) => return Ok(()),
                b'\'' => self.single_quotes(pieces)?,
                b'"' => self.double_quotes(pieces)?,
                b'\\' => self.escape(pieces)?,
                b'$' if pieces.expands() && self.peek(1) == b'\'' => self.dollar_quotes(pieces)?,
                b'$' if pieces.expands() && !self.bare_dollar() => self.expansion(pieces, false)?,
                b'~' if pieces.expands() && self.at == start => self.home(pieces)?,
                b'*' | b'?' | b'[' if pieces.holds == Holds::Words => {
                    self.pattern(start, pieces)?;
                }
                b'*' if pieces.holds == Holds::Assigned => {
                    self.take(1, pieces);
                }
                b'{' if pieces.holds == Holds::Words && self.peek(1) != b'}' => {
                    self.braces_in_word(start, pieces)?;
                }
                _ => self.bare(start, pieces)?,
            }
        }
    }

    /// Is the `$` that stands here nothing but that, in every shell?
    pub(super) fn bare_dollar(&self) -> bool {
        let next = self.peek(1);
        (Self::ends_word(next) && next != b'(') || b".,/%".contains(&next)
    }

    /// Bare characters that stand for themselves. Every byte that is not on this list means
    /// something to some shell.
    fn bare(&mut self, start: usize, pieces: &mut Pieces<'a>) -> Result<()> {
        let byte = self.peek(0);
        if let Some(length) = self.stands_for_itself(start) {
            self.take(length, pieces);
            return Ok(());
        }
        self.refuse(match byte {
            b'=' => Construct::EqualsWord,
            b'$' if matches!(self.peek(1), b'\'' | b'"') => Construct::DollarQuote,
            b'$' => Construct::Expansion,
            b'`' => Construct::Backquote,
            b'*' | b'?' | b'[' | b']' => Construct::Glob,
            b'{' | b'}' => Construct::Brace,
            b'~' => Construct::Tilde,
            b'^' => Construct::Caret,
            b'#' => Construct::Hash,
            b'!' => Construct::History,
            0x80.. => Construct::UnquotedNonAscii,
            _ => Construct::Unexpected,
        })
    }

    /// How many of the bytes that stand here, in a word that begins at `start`, are nothing but
    /// themselves to every shell.
    fn stands_for_itself(&self, start: usize) -> Option<usize> {
        let inside = self.at > start;
        let alone = |length: usize| !inside && Self::ends_word(self.peek(length));
        match (self.peek(0), self.peek(1)) {
            // Words of their own: `[ a != b ]`, `[ -f x ]`, `find . ! -name x`.
            (b'=' | b'!' | b']', _) if alone(1) => Some(1),
            (b'!', b'=') if alone(2) => Some(2),
            // zsh: `=cmd` at the start of a word, also after empty quotes, and after a colon or
            // another `=`.
            (b'=', next) if inside && !b"=~".contains(&next) => {
                (!b"=:'\"".contains(&self.before())).then_some(1)
            }
            // Every shell leaves `{}` alone, and `find -exec` and `xargs -I` need it.
            (b'{', b'}') => Some(2),
            // Revisions: `HEAD~1`, `HEAD^`. Patterns to a zsh that has EXTENDED_GLOB set.
            (b'~', next) if inside && !b"~=".contains(&next) => is_name(self.before()).then_some(1),
            (b'^', _) if inside => (is_name(self.before()) || self.before() == b'^').then_some(1),
            (b'#', _) if inside => is_name(self.before()).then_some(1),
            (b'$', _) if self.bare_dollar() => Some(1),
            _ => None,
        }
    }

    /// `[`, the command.
    fn bracket(&mut self) -> Word<'a> {
        let span = Span::new(self.at, self.at + 1);
        self.at += 1;
        Word { span, text: b"["[..].into(), quoted: false }
    }

    /// The first word of a simple command.
    pub(super) fn command_word(&mut self) -> Result<Word<'a>> {
        if self.peek(0) == b'}' {
            return self.refuse(Construct::BracePosition);
        }
        let start = self.at;
        let test = self.peek(0) == b'[' && Self::ends_word(self.peek(1));
        let word =
            if test { Ok(self.bracket()) } else { self.word() }.map_err(|error| {
                match error.construct {
                    Construct::History if error.span.start as usize == start => {
                        super::NotUnderstood { construct: Construct::ReservedWord, ..error }
                    }
                    _ => error,
                }
            })?;
        let construct = match &word.text[..] {
            [] => Construct::CommandWord,
            text if !word.quoted && is_reserved(text) && text != b"time" => Construct::ReservedWord,
            text if text.contains(&b'=') => Construct::Assignment,
            [b'=' | b'!' | b']', ..] => Construct::CommandWord,
            // `-` is a zsh modifier, `%1` a job, `+` and `{` differ; `.` alone sources a file.
            [b'-' | b'+' | b'%' | b'{', ..] => Construct::CommandWord,
            [b'.', rest @ ..] if !rest.starts_with(b"/") => Construct::CommandWord,
            // What follows it decides.
            b"builtin" => return Ok(word),
            text if is_opaque(text) => Construct::OpaqueCommand,
            _ => return Ok(word),
        };
        self.refuse_at(construct, word.span)
    }
}

/// The bytes that are nothing but themselves to every shell wherever they stand in a word.
pub(super) static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] = (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'_' | b'.' | b'/' | b',' | b':' | b'@' | b'%' | b'+' | b'-');
        byte += 1;
    }
    plain
};

/// A character that zsh takes as itself before one that EXTENDED_GLOB would make an operator.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@' | b'}')
}
