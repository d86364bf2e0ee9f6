//! Words, and which of them may name a command.

use super::names::{is_opaque, is_reserved};
use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{Argument, Piece, Word};
use crate::span::Span;

/// What a word may hold besides text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing: its value is in the line.
    Text,
    /// Expansions that make one value: what is assigned, compared or given as a here-string is
    /// neither split nor taken as a pattern.
    Value,
    /// The same, of an assignment: a star stands for itself, unless zsh has `GLOB_ASSIGN`.
    Assigned,
    /// Whatever may make any number of words.
    Words,
}

/// What a word has given so far.
pub(super) struct Pieces {
    pub(super) done: Vec<Piece>,
    pub(super) text: Vec<u8>,
    pub(super) quoted: bool,
    pub(super) holds: Holds,
}

impl Pieces {
    pub(super) fn new(holds: Holds) -> Pieces {
        Pieces { done: Vec::new(), text: Vec::new(), quoted: false, holds }
    }

    pub(super) fn push(&mut self, piece: Piece) {
        self.flush();
        self.done.push(piece);
    }

    pub(super) fn flush(&mut self) {
        if !self.text.is_empty() {
            self.done.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }

    /// The piece directly before this place.
    pub(super) fn last(&self) -> Option<&Piece> {
        if self.text.is_empty() { self.done.last() } else { None }
    }

    pub(super) fn expands(&self) -> bool {
        self.holds != Holds::Text
    }
}

impl Recogniser<'_> {
    /// A word without expansions: a command name, a redirection's target.
    pub(super) fn word(&mut self) -> Result<Word> {
        let start = self.at;
        let mut pieces = Pieces::new(Holds::Text);
        self.pieces(&mut pieces)?;
        let Pieces { text, quoted, .. } = pieces;
        Ok(Word { span: Span::new(start, self.at), text, quoted })
    }

    /// A word that may hold expansions.
    pub(super) fn argument(&mut self, holds: Holds) -> Result<Argument> {
        let start = self.at;
        let mut pieces = Pieces::new(holds);
        self.pieces(&mut pieces)?;
        pieces.flush();
        Ok(Argument { span: Span::new(start, self.at), pieces: pieces.done })
    }

    /// Bare characters, quotes, escapes and expansions, up to a blank or an operator.
    fn pieces(&mut self, pieces: &mut Pieces) -> Result<()> {
        let start = self.at;
        loop {
            let byte = self.peek(0);
            match byte {
                // A `(` next to a word is refused where a blank would make it a group.
                b'(' => return self.refuse(Construct::Parenthesis),
                _ if Self::ends_word(byte) => return Ok(()),
                b'\'' => self.single_quotes(pieces)?,
                b'"' => self.double_quotes(pieces)?,
                b'\\' => self.escape(pieces)?,
                b'$' if pieces.expands() && !self.bare_dollar() => self.expansion(pieces, false)?,
                b'~' if pieces.expands() && self.at == start => self.home(pieces)?,
                b'*' | b'?' | b'[' if pieces.holds == Holds::Words => {
                    self.pattern(start, pieces)?;
                }
                b'*' if pieces.holds == Holds::Assigned => {
                    pieces.text.push(byte);
                    self.at += 1;
                }
                b'{' if pieces.holds == Holds::Words && self.peek(1) != b'}' => {
                    self.braces_in_word(start, pieces)?;
                }
                _ => self.bare(start, &mut pieces.text)?,
            }
        }
    }

    /// Is the `$` that stands here nothing but that, in every shell?
    fn bare_dollar(&self) -> bool {
        let next = self.peek(1);
        (Self::ends_word(next) && next != b'(') || b".,/%".contains(&next)
    }

    /// Bare characters that stand for themselves. Every byte that is not on this list means
    /// something to some shell.
    fn bare(&mut self, start: usize, text: &mut Vec<u8>) -> Result<()> {
        let byte = self.peek(0);
        if let Some(length) = self.stands_for_itself(start) {
            text.extend_from_slice(self.slice(self.at, self.at + length));
            self.at += length;
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
            (b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9', _) => Some(1),
            (b'_' | b'.' | b'/' | b',' | b':' | b'@' | b'%' | b'+' | b'-', _) => Some(1),
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
    fn bracket(&mut self) -> Word {
        let span = Span::new(self.at, self.at + 1);
        self.at += 1;
        Word { span, text: b"[".to_vec(), quoted: false }
    }

    /// The first word of a simple command.
    pub(super) fn command_word(&mut self) -> Result<Word> {
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
            text if is_opaque(text) => Construct::OpaqueCommand,
            _ => return Ok(word),
        };
        self.refuse_at(construct, word.span)
    }
}

/// A character that zsh takes as itself before one that EXTENDED_GLOB would make an operator.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@' | b'}')
}
