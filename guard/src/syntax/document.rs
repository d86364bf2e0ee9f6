//! Here-documents: `<<E`, `<<-E`.

use super::not_understood::Construct;
use super::recogniser::{Documents, Recogniser, Result};
use super::tree::{Argument, Target};
use super::word::{Holds, Pieces};
use crate::span::Span;

/// How a here-document is announced.
struct Announced<'a> {
    /// The line that ends it.
    delimiter: &'a [u8],
    /// Is the body taken by the letter?
    quoted: bool,
    /// Are tabs taken from the start of each line?
    tabs: bool,
    /// Where it was announced.
    span: Span,
}

/// May a shell be bash 3.2, which macOS has? That looks for the end of a command substitution by
/// its quotes and parentheses, also in here-documents. All later ones, dash, busybox, mksh, yash
/// and zsh read what stands in these as it is.
const OLD_BASH: bool = cfg!(target_os = "macos");

impl<'a> Recogniser<'a> {
    /// `<<` and a plain delimiter, quoted as a whole or not at all. Its lines are read at once; the
    /// rest of this line is read after them, and the next newline steps over them.
    pub(super) fn document(&mut self, start: usize) -> Result<Target<'a>> {
        self.at += 2;
        let tabs = self.peek(0) == b'-';
        self.at += usize::from(tabs);
        while self.peek(0) == b' ' {
            self.at += 1;
        }
        let quote = matches!(self.peek(0), b'\'' | b'"').then(|| self.peek(0));
        self.at += usize::from(quote.is_some());
        let from = self.at;
        while matches!(self.peek(0), b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_') {
            self.at += 1;
        }
        let delimiter = self.slice(from, self.at);
        let closed = quote.is_none_or(|quote| self.peek(0) == quote);
        self.at += usize::from(quote.is_some());
        let ends = matches!(self.peek(0), b' ' | b'\n' | b';' | b'|' | b'&' | b')' | b'>' | b'<');
        // In a command substitution its body must be taken by the letter.
        let taken = quote.is_some() || self.substitutions == 0;
        if delimiter.is_empty() || !closed || !ends || !taken {
            return self.refuse_at(Construct::Heredoc, Span::new(start, self.at));
        }
        let span = Span::new(start, self.at);
        self.lines(&Announced { delimiter, quoted: quote.is_some(), tabs, span })
    }

    /// Reads the body, and goes back to where the document was announced.
    fn lines(&mut self, announced: &Announced<'_>) -> Result<Target<'a>> {
        let back = self.at;
        self.at = match self.documents.take() {
            Some(before) => before.end,
            None => self.after_line(),
        };
        let from = self.at;
        let mut pieces = Pieces::new(Holds::Value);
        while !self.ends_document(announced)? {
            if announced.quoted {
                self.literal_line(announced)?;
            } else {
                self.expanding_line(&mut pieces)?;
            }
        }
        let text = pieces.into_argument(Span::new(from, self.at));
        self.documents = Some(Documents { span: announced.span, end: self.at });
        self.at = back;
        Ok(Target::Document(text))
    }

    /// The start of the next line.
    fn after_line(&self) -> usize {
        let newline = (self.at..).find(|at| matches!(self.byte(*at), 0 | b'\n'));
        newline.map_or(self.at, |at| at + usize::from(self.byte(at) == b'\n'))
    }

    /// Steps over the line that ends the document, if it stands here.
    fn ends_document(&mut self, announced: &Announced<'_>) -> Result<bool> {
        if self.peek(0) == 0 {
            return self.refuse_at(Construct::Heredoc, announced.span);
        }
        let mut start = self.at;
        while announced.tabs && self.byte(start) == b'\t' {
            start += 1;
        }
        let end = start + announced.delimiter.len();
        let begins = self.starts_with(start, announced.delimiter);
        let ends = begins && matches!(self.byte(end), 0 | b'\n');
        // In a substitution bash takes such a line for the end if a parenthesis follows.
        if begins && !ends && self.substitutions > 0 {
            return self.refuse_at(Construct::Heredoc, announced.span);
        }
        if ends {
            self.at = end + usize::from(self.byte(end) == b'\n');
        }
        Ok(ends)
    }

    fn literal_line(&mut self, announced: &Announced<'_>) -> Result<()> {
        let is_looked_through = OLD_BASH && self.substitutions > 0;
        while !matches!(self.peek(0), 0 | b'\n') {
            if is_looked_through && b"'\"()`$\\".contains(&self.peek(0)) {
                return self.refuse_at(Construct::Heredoc, announced.span);
            }
            self.at += 1;
        }
        self.at += usize::from(self.peek(0) == b'\n');
        Ok(())
    }

    /// A line that is expanded as between double quotes, except that a quote is none. What it runs
    /// must end on the line: some shells look for the end of the document first.
    fn expanding_line(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        loop {
            match self.peek(0) {
                0 => return Ok(()),
                b'\n' => {
                    self.at += 1;
                    return Ok(());
                }
                b'`' => return self.refuse(Construct::Backquote),
                b'\\' => self.escape_in_quotes(pieces)?,
                b'$' if matches!(self.peek(1), b' ' | b'\n' | b'.' | b',' | b'/' | b'%') => {
                    self.take(1, pieces);
                }
                b'$' => {
                    let start = self.at;
                    self.expansion(pieces, true)?;
                    if self.slice(start, self.at).contains(&b'\n') {
                        return self.refuse_at(Construct::Expansion, Span::new(start, self.at));
                    }
                }
                _ => {
                    let length = self.ahead(|byte| !b"\n`\\$".contains(&byte));
                    self.take(length, pieces);
                }
            }
        }
    }
}

impl<'a> Pieces<'a> {
    fn into_argument(mut self, span: Span) -> Argument<'a> {
        self.flush();
        Argument { span, pieces: self.done }
    }
}
