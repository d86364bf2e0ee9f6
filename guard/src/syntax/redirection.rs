//! Redirections: `<`, `>`, `>>`, `>|`, `<&`, `>&`.

use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{Argument, Piece, Redirection, Target};
use super::word::Holds;
use crate::span::Span;

impl<'a> Recogniser<'a> {
    /// A redirection, if one stands here. `after_blank`: may a digit here be a descriptor?
    pub(super) fn redirection(&mut self, after_blank: bool) -> Result<Option<Redirection<'a>>> {
        if matches!(self.peek(0), b'<' | b'>') && matches!(self.before(), b'0'..=b'9' | b'}' | b'&')
        {
            // `10>f`, `a2>f`, `{fd}>f`, `&>f`: a descriptor for some shells, a word for others.
            return self.refuse(Construct::DescriptorNumber);
        }
        self.redirection_of_group(after_blank)
    }

    /// The same directly after the end of a group, where a brace is no part of a word.
    pub(super) fn redirection_of_group(
        &mut self,
        after_blank: bool,
    ) -> Result<Option<Redirection<'a>>> {
        let start = self.at;
        let descriptor = match (self.peek(0), self.peek(1)) {
            (digit @ b'0'..=b'9', b'<' | b'>') if after_blank => {
                self.at += 1;
                digit - b'0'
            }
            (b'<', _) => 0,
            (b'>', _) => 1,
            _ => return Ok(None),
        };
        let target = self.target()?;
        Ok(Some(Redirection { span: Span::new(start, self.at), descriptor, target }))
    }

    fn target(&mut self) -> Result<Target<'a>> {
        let operator = (self.peek(0), self.peek(1));
        match operator {
            (b'<', b'<') if self.peek(2) == b'(' => self.refuse(Construct::Heredoc),
            (b'<', b'<') if self.peek(2) == b'<' => self.text(),
            (b'<', b'<') => self.document(self.at),
            (b'<' | b'>', b'(') => self.refuse(Construct::Parenthesis),
            (b'<', b'&') | (b'>', b'&') => self.descriptor(),
            (b'<', b'>') => self.refuse(Construct::RedirectionForm),
            (b'<', b'0'..=b'9' | b'-') if self.is_number_pattern() => self.refuse(Construct::Glob),
            (b'<', b' ' | b'\t') if self.steps_to_output() => self.output().map(Target::Document),
            (b'<', _) => self.file(1).map(Target::Read),
            (b'>', b'>') if matches!(self.peek(2), b'>' | b'|' | b'&' | b'!') => {
                self.refuse(Construct::RedirectionForm)
            }
            (b'>', b'>' | b'|') => self.file(2).map(Target::Write),
            (b'>', b'!' | b'<') => self.refuse(Construct::RedirectionForm),
            _ => self.file(1).map(Target::Write),
        }
    }

    /// `<<<WORD`. dash stops at it before it runs anything of this line.
    fn text(&mut self) -> Result<Target<'a>> {
        self.at += 3;
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        let text = self.argument(Holds::Value)?;
        match text.span.start == text.span.end {
            true => self.refuse(Construct::RedirectionTarget),
            false => Ok(Target::Text(text)),
        }
    }

    /// Does `<(` stand behind `<` and blanks? Then that is where it goes on.
    fn steps_to_output(&mut self) -> bool {
        let blanks = (1..).take_while(|ahead| matches!(self.peek(*ahead), b' ' | b'\t')).count();
        let found = (self.peek(1 + blanks), self.peek(2 + blanks)) == (b'<', b'(');
        self.at += if found { 1 + blanks } else { 0 };
        found
    }

    /// `<1->`: in zsh a pattern for numbers, wherever it stands in a word.
    fn is_number_pattern(&self) -> bool {
        let digits =
            |from: usize| (from..).find(|at| !self.peek(*at).is_ascii_digit()).unwrap_or(0);
        let dash = digits(1);
        self.peek(dash) == b'-' && self.peek(digits(dash + 1)) == b'>'
    }

    /// `>&1`, `>&-`: one digit or a dash, and nothing after it that could belong to it. zsh would
    /// write to a file named `2-` or `-q`.
    fn descriptor(&mut self) -> Result<Target<'a>> {
        let digit = self.peek(2);
        let target = match digit {
            b'0'..=b'9' => Target::Duplicate(digit - b'0'),
            b'-' => Target::Close,
            _ => return self.refuse(Construct::RedirectionForm),
        };
        if !matches!(self.peek(3), 0 | b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b')') {
            return self.refuse(Construct::RedirectionForm);
        }
        self.at += 3;
        Ok(target)
    }

    /// A file. Its name may hold variables between double quotes: without these, some shells split
    /// a value or take it as a pattern here, too.
    fn file(&mut self, operator: usize) -> Result<Argument<'a>> {
        self.at += operator;
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        match self.peek(0) {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'/' | b'\'' | b'"' => {
                let word = self.argument(Holds::Quoted)?;
                let is_plain =
                    |it: &Piece<'_>| matches!(it, Piece::Text(_) | Piece::Parameter { .. });
                if word.pieces.is_empty() || !word.pieces.iter().all(is_plain) {
                    return self.refuse_at(Construct::RedirectionTarget, word.span);
                }
                Ok(word)
            }
            _ => self.refuse(Construct::RedirectionTarget),
        }
    }
}
