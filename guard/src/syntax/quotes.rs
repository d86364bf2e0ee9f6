//! Quotes and backslashes.

use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::Piece;
use super::word::Pieces;
use crate::span::Span;

/// What begins the colours of a terminal.
const ESCAPE: u8 = 0x1b;

impl<'a> Recogniser<'a> {
    pub(super) fn single_quotes(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        let open = self.at;
        pieces.quoted = true;
        self.at += 1;
        let length = self.ahead(|byte| byte != b'\'');
        self.no_newline_before_document(length)?;
        self.take(length, pieces);
        if self.peek(0) == 0 {
            return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 1));
        }
        self.at += 1;
        // `'a''b'` is one quote inside quotes under RC_QUOTES; `'a'\''b'` is the common way round.
        if self.peek(0) == b'\'' {
            return self.refuse(Construct::AdjacentQuotes);
        }
        Ok(())
    }

    /// `$'…'`: a text with escapes, and in dash and yash a dollar and what stands between quotes.
    /// For these it must end at the first quote.
    pub(super) fn dollar_quotes(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        let open = self.at;
        pieces.quoted = true;
        self.at += 2;
        let from = self.at;
        let mut text = Vec::new();
        loop {
            match self.peek(0) {
                0 => {
                    return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 2));
                }
                b'\'' => break,
                b'\\' => text.push(self.escape_in_dollar_quotes()?),
                _ => {
                    let length = self.ahead(|byte| !b"'\\".contains(&byte));
                    self.no_newline_before_document(length)?;
                    text.extend_from_slice(self.slice(self.at, self.at + length));
                    self.at += length;
                }
            }
        }
        let literal = self.slice(from, self.at);
        self.at += 1;
        if self.peek(0) == b'\'' {
            return self.refuse(Construct::AdjacentQuotes);
        }
        if self.shells.sh {
            let literal = [b"$", literal].concat();
            pieces.push(Piece::Either(vec![text.into(), literal.into()]));
        } else {
            pieces.text.add_other(&text);
        }
        Ok(())
    }

    /// Gives what all shells that know escapes make of this one. Numbers have all digits that any
    /// shell takes, and name what can be seen: some bytes bash keeps for itself.
    fn escape_in_dollar_quotes(&mut self) -> Result<u8> {
        let number = |digits: std::ops::Range<usize>, radix| {
            let digits = self.bytes.get(self.at + digits.start..self.at + digits.end)?;
            let plain = digits.iter().all(u8::is_ascii_hexdigit);
            let text = std::str::from_utf8(digits).ok().filter(|_| plain)?;
            u8::from_str_radix(text, radix).ok()
        };
        let (byte, length) = match self.peek(1) {
            b'n' => (Some(b'\n'), 2),
            b't' => (Some(b'\t'), 2),
            b'r' => (Some(b'\r'), 2),
            byte @ (b'\\' | b'"') => (Some(byte), 2),
            b'\'' if !self.shells.sh => (Some(b'\''), 2),
            // To busybox that is no escape.
            b'e' | b'E' if !self.shells.sh => (Some(ESCAPE), 2),
            b'x' if !self.peek(4).is_ascii_hexdigit() => (number(2..4, 16), 4),
            b'0'..=b'7' if !self.peek(4).is_ascii_digit() => (number(1..4, 8), 4),
            _ => return self.refuse(Construct::Backslash),
        };
        match byte.filter(|it| matches!(it, b'\n' | b'\t' | b'\r' | &ESCAPE | b' '..=b'~')) {
            Some(byte) => {
                self.at += length;
                Ok(byte)
            }
            None => self.refuse(Construct::Backslash),
        }
    }

    pub(super) fn double_quotes(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        let open = self.at;
        pieces.quoted = true;
        self.at += 1;
        loop {
            match self.peek(0) {
                0 => {
                    return self.refuse_at(Construct::UnterminatedQuote, Span::new(open, open + 1));
                }
                b'"' => break,
                b'$' if stands_for_itself(self.peek(1)) => {
                    self.take(1, pieces);
                }
                b'$' if pieces.expands_quoted() => self.expansion(pieces, true)?,
                b'$' => return self.refuse(Construct::Expansion),
                b'`' => return self.refuse(Construct::Backquote),
                b'\\' => self.escape_in_quotes(pieces)?,
                _ => {
                    let length = self.ahead(|byte| !b"\"$`\\".contains(&byte));
                    self.no_newline_before_document(length)?;
                    self.take(length, pieces);
                }
            }
        }
        self.at += 1;
        Ok(())
    }

    /// The lines of a here-document begin after the next newline; the shells do not agree on one
    /// that is among so many quoted bytes.
    fn no_newline_before_document(&self, quoted: usize) -> Result<()> {
        match self.documents {
            Some(document) if self.slice(self.at, self.at + quoted).contains(&b'\n') => {
                self.refuse_at(Construct::Heredoc, document.span)
            }
            _ => Ok(()),
        }
    }

    /// Inside double quotes a backslash escapes four characters and stands for itself before the
    /// others (POSIX 2.2.3).
    pub(super) fn escape_in_quotes(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        match self.peek(1) {
            b'$' | b'`' | b'"' | b'\\' => self.at += 1,
            0 | b'\n' | b'!' => return self.refuse(Construct::Backslash),
            other if other < 0x80 => self.take(1, pieces),
            _ => return self.refuse(Construct::Backslash),
        }
        self.take(1, pieces);
        Ok(())
    }

    /// Outside quotes a backslash escapes any printable ASCII character.
    pub(super) fn escape(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        pieces.quoted = true;
        match self.peek(1) {
            b'\n' => self.refuse(Construct::LineContinuation),
            b'!' => self.refuse(Construct::History),
            b' '..=b'~' => {
                self.at += 1;
                self.take(1, pieces);
                Ok(())
            }
            _ => self.refuse(Construct::Backslash),
        }
    }
}

/// Is a `$` between double quotes nothing but that, in every shell, before this byte? Patterns of
/// `grep` end in one.
fn stands_for_itself(next: u8) -> bool {
    b" \"|)./,%;']}&<>\\".contains(&next)
}
