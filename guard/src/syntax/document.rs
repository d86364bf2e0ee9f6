//! Here-documents: `<<E`, `<<-E`.

use super::not_understood::Construct;
use super::recogniser::{Document, Recogniser, Result};
use super::tree::Target;
use crate::span::Span;

impl Recogniser<'_> {
    /// `<<` and a plain delimiter, quoted as a whole or not at all. The lines come later. Where
    /// they are in a command substitution, the shells do not agree on its end.
    pub(super) fn announce_document(&mut self, start: usize) -> Result<Target> {
        if self.substitutions > 0 {
            return self.refuse_at(Construct::Heredoc, Span::new(start, start + 2));
        }
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
        let delimiter = self.slice(from, self.at).to_vec();
        let closed = quote.is_none_or(|quote| self.peek(0) == quote);
        self.at += usize::from(quote.is_some());
        let ends = matches!(self.peek(0), b' ' | b'\n' | b';' | b'|' | b'&' | b')' | b'>' | b'<');
        if delimiter.is_empty() || !closed || !ends {
            return self.refuse_at(Construct::Heredoc, Span::new(start, self.at));
        }
        let span = Span::new(start, self.at);
        self.documents.push(Document { delimiter, quoted: quote.is_some(), tabs, span });
        Ok(Target::Document)
    }

    /// The lines of all documents that were announced before this newline. An unquoted body is
    /// taken if there is nothing in it to expand.
    pub(super) fn documents(&mut self) -> Result<()> {
        for document in std::mem::take(&mut self.documents) {
            loop {
                if self.peek(0) == 0 {
                    return self.refuse_at(Construct::Heredoc, document.span);
                }
                let start = self.at;
                while !matches!(self.peek(0), 0 | b'\n') {
                    if !document.quoted && matches!(self.peek(0), b'$' | b'`' | b'\\') {
                        return self.refuse(Construct::Expansion);
                    }
                    self.at += 1;
                }
                let mut line = self.slice(start, self.at);
                while document.tabs && line.first() == Some(&b'\t') {
                    line = &line[1..];
                }
                self.at += usize::from(self.peek(0) == b'\n');
                if line == document.delimiter {
                    break;
                }
            }
        }
        Ok(())
    }
}
