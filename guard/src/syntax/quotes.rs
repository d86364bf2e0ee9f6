//! Quotes and backslashes.

use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::word::Pieces;
use crate::span::Span;

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
