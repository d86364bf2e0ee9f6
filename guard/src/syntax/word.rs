//! Words, and which of them may name a command.

use super::names::{is_opaque, is_reserved};
use super::not_understood::Construct;
use super::recogniser::{End, Recogniser, Result};
use super::tree::{Argument, Piece, Word};
use crate::span::Span;

/// What a word has given so far.
struct Pieces {
    done: Vec<Piece>,
    text: Vec<u8>,
    quoted: bool,
    /// May it hold expansions?
    expands: bool,
}

impl Pieces {
    fn new(expands: bool) -> Pieces {
        Pieces { done: Vec::new(), text: Vec::new(), quoted: false, expands }
    }

    fn push(&mut self, piece: Piece) {
        self.flush();
        self.done.push(piece);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.done.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }
}

impl Recogniser<'_> {
    /// A word without expansions: a command name, a redirection's target.
    pub(super) fn word(&mut self) -> Result<Word> {
        let start = self.at;
        let mut pieces = Pieces::new(false);
        self.pieces(&mut pieces)?;
        let Pieces { text, quoted, .. } = pieces;
        Ok(Word { span: Span::new(start, self.at), text, quoted })
    }

    /// A word that may hold expansions.
    pub(super) fn argument(&mut self) -> Result<Argument> {
        let start = self.at;
        let mut pieces = Pieces::new(true);
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
                b'$' if pieces.expands => self.expansion(pieces, false)?,
                b'~' if pieces.expands && self.at == start => self.home(pieces)?,
                _ => self.bare(start, &mut pieces.text)?,
            }
        }
    }

    /// `~` alone, or before a slash.
    fn home(&mut self, pieces: &mut Pieces) -> Result<()> {
        if self.peek(1) != b'/' && !Self::ends_word(self.peek(1)) {
            return self.refuse(Construct::Tilde);
        }
        self.at += 1;
        pieces.push(Piece::Home);
        Ok(())
    }

    /// `$NAME`, `${NAME}`, `$( … )`, and `$?` between quotes. zsh takes more characters after a
    /// bare name: `$V[0]` is a subscript there and `$V:h` a modifier.
    fn expansion(&mut self, pieces: &mut Pieces, quoted: bool) -> Result<()> {
        match self.peek(1) {
            b'(' => return self.substitution(pieces, quoted),
            b'?' if quoted => {
                self.at += 2;
                pieces.push(Piece::Status);
                return Ok(());
            }
            b'\'' | b'"' if !quoted => return self.refuse(Construct::DollarQuote),
            _ => {}
        }
        let braced = self.peek(1) == b'{';
        let from = self.at + 1 + usize::from(braced);
        let mut to = from;
        while matches!(self.byte(to), b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_') {
            to += 1;
        }
        let after = self.byte(to);
        let ends = if braced { after == b'}' } else { !matches!(after, b'[' | b':') };
        if to == from || self.byte(from).is_ascii_digit() || !ends {
            return self.refuse(Construct::Expansion);
        }
        let name = self.slice(from, to).to_vec();
        self.at = to + usize::from(braced);
        pieces.push(Piece::Parameter { name, quoted });
        Ok(())
    }

    fn substitution(&mut self, pieces: &mut Pieces, quoted: bool) -> Result<()> {
        let open = self.at;
        if matches!(self.peek(2), b'(' | b'<') || !self.documents.is_empty() {
            return self.refuse(Construct::Expansion);
        }
        self.at += 2;
        self.newlines()?;
        if matches!(self.peek(0), b'(' | b')' | 0) {
            return self.refuse_at(Construct::Expansion, Span::new(open, self.at));
        }
        self.substitutions += 1;
        let list = self.list(End::Parenthesis)?;
        self.substitutions -= 1;
        self.at += 1;
        pieces.push(Piece::Substitution { list, quoted });
        Ok(())
    }

    /// A bare character, or the word `{}`. Every byte that is not on this list means something to
    /// some shell.
    fn bare(&mut self, start: usize, text: &mut Vec<u8>) -> Result<()> {
        let byte = self.peek(0);
        let construct = match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'_'
            | b'.'
            | b'/'
            | b','
            | b':'
            | b'@'
            | b'%'
            | b'+'
            | b'-' => {
                text.push(byte);
                self.at += 1;
                return Ok(());
            }
            // zsh: `=cmd` at the start of a word, also after empty quotes, and after a colon or
            // another `=`.
            b'=' if self.at > start
                && !matches!(self.before(), b'=' | b':' | b'\'' | b'"')
                && self.peek(1) != b'='
                && self.peek(1) != b'~' =>
            {
                text.push(byte);
                self.at += 1;
                return Ok(());
            }
            // Every shell leaves `{}` alone, and `find -exec` and `xargs -I` need it.
            b'{' if self.peek(1) == b'}' => {
                text.extend_from_slice(b"{}");
                self.at += 2;
                return Ok(());
            }
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
        };
        self.refuse(construct)
    }

    fn single_quotes(&mut self, pieces: &mut Pieces) -> Result<()> {
        let open = self.at;
        pieces.quoted = true;
        self.at += 1;
        let start = self.at;
        while self.peek(0) != b'\'' {
            if self.peek(0) == 0 {
                return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 1));
            }
            self.no_newline_before_document()?;
            self.at += 1;
        }
        pieces.text.extend_from_slice(self.slice(start, self.at));
        self.at += 1;
        // `'a''b'` is one quote inside quotes under RC_QUOTES; `'a'\''b'` is the common way round.
        if self.peek(0) == b'\'' {
            return self.refuse(Construct::AdjacentQuotes);
        }
        Ok(())
    }

    fn double_quotes(&mut self, pieces: &mut Pieces) -> Result<()> {
        let open = self.at;
        pieces.quoted = true;
        self.at += 1;
        loop {
            match self.peek(0) {
                0 => {
                    return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 1));
                }
                b'"' => break,
                b'$' if pieces.expands => self.expansion(pieces, true)?,
                b'$' => return self.refuse(Construct::Expansion),
                b'`' => return self.refuse(Construct::Backquote),
                b'!' => return self.refuse(Construct::History),
                b'\\' => self.escape_in_quotes(&mut pieces.text)?,
                byte => {
                    self.no_newline_before_document()?;
                    pieces.text.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        Ok(())
    }

    /// The lines of a here-document begin after the next newline; the shells do not agree on one
    /// that is quoted.
    fn no_newline_before_document(&self) -> Result<()> {
        match self.documents.first() {
            Some(document) if self.peek(0) == b'\n' => {
                self.refuse_at(Construct::Heredoc, document.span)
            }
            _ => Ok(()),
        }
    }

    /// Inside double quotes a backslash escapes four characters and stands for itself before the
    /// others (POSIX 2.2.3).
    fn escape_in_quotes(&mut self, text: &mut Vec<u8>) -> Result<()> {
        match self.peek(1) {
            escaped @ (b'$' | b'`' | b'"' | b'\\') => text.push(escaped),
            0 | b'\n' | b'!' => return self.refuse(Construct::Backslash),
            other if other < 0x80 => text.extend_from_slice(&[b'\\', other]),
            _ => return self.refuse(Construct::Backslash),
        }
        self.at += 2;
        Ok(())
    }

    /// Outside quotes a backslash escapes any printable ASCII character.
    fn escape(&mut self, pieces: &mut Pieces) -> Result<()> {
        pieces.quoted = true;
        match self.peek(1) {
            b'\n' => self.refuse(Construct::LineContinuation),
            b'!' => self.refuse(Construct::History),
            escaped @ b' '..=b'~' => {
                pieces.text.push(escaped);
                self.at += 2;
                Ok(())
            }
            _ => self.refuse(Construct::Backslash),
        }
    }

    /// The first word of a simple command.
    pub(super) fn command_word(&mut self) -> Result<Word> {
        if self.peek(0) == b'}' {
            return self.refuse(Construct::BracePosition);
        }
        let start = self.at;
        let word = self.word().map_err(|error| match error.construct {
            Construct::History if error.span.start as usize == start => {
                super::NotUnderstood { construct: Construct::ReservedWord, ..error }
            }
            _ => error,
        })?;
        let construct = match &word.text[..] {
            [] => Construct::CommandWord,
            text if !word.quoted && is_reserved(text) => Construct::ReservedWord,
            text if text.contains(&b'=') => Construct::Assignment,
            // `-` is a zsh modifier, `%1` a job, `+` and `{` differ; `.` alone sources a file.
            [b'-' | b'+' | b'%' | b'{', ..] => Construct::CommandWord,
            [b'.', rest @ ..] if !rest.starts_with(b"/") => Construct::CommandWord,
            text if is_opaque(text) => Construct::OpaqueCommand,
            _ => return Ok(word),
        };
        self.refuse_at(construct, word.span)
    }
}
