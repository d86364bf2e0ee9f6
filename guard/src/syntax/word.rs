//! Words, and which of them may name a command.

use super::names::{is_opaque, is_reserved};
use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::Word;
use crate::span::Span;

impl Recogniser<'_> {
    /// One word: bare characters, quotes and escapes, up to a blank or an operator.
    pub(super) fn word(&mut self) -> Result<Word> {
        let start = self.at;
        let mut text = Vec::new();
        let mut quoted = false;
        loop {
            let byte = self.peek(0);
            match byte {
                // A `(` next to a word is refused where a blank would make it a group.
                b'(' => return self.refuse(Construct::Parenthesis),
                _ if Self::ends_word(byte) => break,
                b'\'' => self.single_quotes(&mut text)?,
                b'"' => self.double_quotes(&mut text)?,
                b'\\' => self.escape(&mut text)?,
                _ => {
                    self.bare(start, &mut text)?;
                    continue;
                }
            }
            quoted = true;
        }
        Ok(Word { span: Span::new(start, self.at), text, quoted })
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
                && self.peek(1) != b'=' =>
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

    fn single_quotes(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        while self.peek(0) != b'\'' {
            if self.peek(0) == 0 {
                return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 1));
            }
            self.at += 1;
        }
        text.extend_from_slice(self.slice(start, self.at));
        self.at += 1;
        // `'a''b'` is one quote inside quotes under RC_QUOTES; `'a'\''b'` is the common way round.
        if self.peek(0) == b'\'' {
            return self.refuse(Construct::AdjacentQuotes);
        }
        Ok(())
    }

    fn double_quotes(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                0 => {
                    return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 1));
                }
                b'"' => break,
                b'$' => return self.refuse(Construct::Expansion),
                b'`' => return self.refuse(Construct::Backquote),
                b'!' => return self.refuse(Construct::History),
                b'\\' => self.escape_in_quotes(text)?,
                byte => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        Ok(())
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
    fn escape(&mut self, text: &mut Vec<u8>) -> Result<()> {
        match self.peek(1) {
            b'\n' => self.refuse(Construct::LineContinuation),
            b'!' => self.refuse(Construct::History),
            escaped @ b' '..=b'~' => {
                text.push(escaped);
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
