//! Lists and pipelines, and the cursor that everything else moves.

use super::not_understood::{Construct, NotUnderstood};
use super::tree::{AndOr, Command, Connector, List, Pipeline, Redirection, Target};
use crate::few::Few;
use crate::request::{Dialects, Limits};
use crate::span::Span;
use std::ops::Range;

pub(super) type Result<T> = std::result::Result<T, NotUnderstood>;

/// The state of the one pass: the bytes, where it is, and how much it has seen.
pub(super) struct Recogniser<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) limits: Limits,
    /// The shells that may run the line.
    pub(super) shells: Dialects,
    depth: usize,
    pub(super) commands: usize,
    words: usize,
    /// How many command substitutions are open.
    pub(super) substitutions: usize,
    /// Here-documents whose lines follow the next newline.
    pub(super) documents: Option<Documents>,
}

/// Here-documents that were announced on this line.
#[derive(Clone, Copy)]
pub(super) struct Documents {
    /// Where the last one was announced.
    pub(super) span: Span,
    /// Where the lines of the last one end.
    pub(super) end: usize,
}

/// Where a list ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Text,
    Parenthesis,
    Brace,
    /// Before one of these reserved words.
    Word(&'static [&'static str]),
    /// Before the `;;` or `esac` of an arm of `case`.
    Arm,
}

/// The cursor: nothing but looking and stepping. Beyond the end there are NUL bytes, which the
/// checks of the whole text have ruled out before.
impl<'a> Recogniser<'a> {
    pub(super) fn new(bytes: &'a [u8], shells: Dialects, limits: Limits) -> Recogniser<'a> {
        Recogniser {
            bytes,
            at: 0,
            limits,
            shells,
            depth: 0,
            commands: 0,
            words: 0,
            documents: None,
            substitutions: 0,
        }
    }

    /// The byte `ahead` of the current one, 0 at the end.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The byte at this place, 0 beyond the end.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The byte before the current one, 0 at the start.
    pub(super) fn before(&self) -> u8 {
        self.at.checked_sub(1).map_or(0, |at| self.bytes[at])
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        &self.bytes[start..end]
    }

    pub(super) fn starts_with(&self, at: usize, text: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// Stops at the current character.
    pub(super) fn refuse<T>(&self, construct: Construct) -> Result<T> {
        let mut end = (self.at + 1).min(self.bytes.len());
        while self.bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
            end += 1;
        }
        self.refuse_at(construct, Span::new(self.at.min(end), end))
    }

    /// Stops at what these bytes say, as far as the line has them: what is missing stands nowhere.
    pub(super) fn refuse_at<T>(&self, construct: Construct, span: Span) -> Result<T> {
        let end = self.bytes.len();
        let Range { start, end } = span.range().start.min(end)..span.range().end.min(end);
        Err(NotUnderstood { construct, span: Span::new(start, end) })
    }

    /// Steps over blanks, and over `\`-newline with a blank before it: elsewhere it joins words in
    /// some shells and operators in others. Behind it may stand a blank, or what begins a word or
    /// an operator and is no comment.
    #[inline]
    pub(super) fn blanks(&mut self) -> Result<()> {
        match self.peek(0) {
            b' ' | b'\t' | b'\\' => self.over_blanks(),
            _ => Ok(()),
        }
    }

    fn over_blanks(&mut self) -> Result<()> {
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => {
                    let blank = |byte| byte == b' ' || byte == b'\t';
                    let next = self.peek(2);
                    let begins = next.is_ascii_alphanumeric() || b" \t-._/\"'$&|;>".contains(&next);
                    if !blank(self.before()) || !begins || self.documents.is_some() {
                        return self.refuse(Construct::LineContinuation);
                    }
                    self.at += 2;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Goes a level down.
    pub(super) fn enter(&mut self) -> Result<()> {
        match self.depth == self.limits.depth {
            true => self.refuse(Construct::TooDeep),
            false => {
                self.depth += 1;
                Ok(())
            }
        }
    }

    /// And up again.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts a word, or an expansion in one.
    pub(super) fn count_word(&mut self) -> Result<()> {
        self.words += 1;
        match self.words > self.limits.words {
            true => self.refuse(Construct::TooManyWords),
            false => Ok(()),
        }
    }

    /// Does a word end before this byte?
    pub(super) fn ends_word(byte: u8) -> bool {
        matches!(byte, 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
    }
}

impl<'a> Recogniser<'a> {
    /// The whole line.
    pub(super) fn line(mut self) -> Result<List<'a>> {
        self.newlines()?;
        if self.peek(0) == 0 {
            return self.refuse_at(Construct::Empty, Span::new(0, self.bytes.len()));
        }
        let list = self.list(End::Text)?;
        if self.peek(0) != 0 {
            return self.refuse(Construct::Unexpected);
        }
        match self.documents {
            Some(document) => self.refuse_at(Construct::Heredoc, document.span),
            None => Ok(list),
        }
    }

    /// Steps over newlines, blank lines, and lines that hold only a comment.
    pub(super) fn newlines(&mut self) -> Result<()> {
        loop {
            self.blanks()?;
            match self.peek(0) {
                b'\n' => {
                    self.at = self.documents.take().map_or(self.at + 1, |it| it.end);
                }
                b'#' => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// A comment on a line of its own, or after a blank behind a command. A backslash at its end is
    /// refused because people read it as a continuation.
    fn comment(&mut self) -> Result<()> {
        if !matches!(self.before(), 0 | b' ' | b'\t' | b'\n') {
            return self.refuse(Construct::Hash);
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        if rest[..length].ends_with(b"\\") {
            self.at += length - 1;
            return self.refuse(Construct::LineContinuation);
        }
        self.at += length;
        Ok(())
    }

    /// And-or lists up to the end of this list, at least one.
    pub(super) fn list(&mut self, end: End) -> Result<List<'a>> {
        self.enter()?;
        let mut items = Vec::with_capacity(1);
        loop {
            let mut item = self.and_or()?;
            item.background = self.ampersand()?;
            let background = item.background;
            items.push(item);
            let separated = match end {
                End::Arm if self.at_end_of_arm() => false,
                _ => self.separator(background)?,
            } || background;
            if self.at_end(end) {
                // Before `}` and reserved words only zsh does without the separator.
                match end {
                    End::Brace if !separated => return self.refuse(Construct::BracePosition),
                    End::Word(_) if !separated => return self.refuse(Construct::ReservedWord),
                    End::Arm if !separated && self.peek(0) != b';' => {
                        return self.refuse(Construct::ReservedWord);
                    }
                    _ => {}
                }
                self.leave();
                return Ok(List { items });
            }
            if !separated {
                return self.refuse_here();
            }
        }
    }

    /// Steps over the `&` of a background job. What follows it must not make another operator of
    /// it: zsh has `&!` and `&|`.
    fn ampersand(&mut self) -> Result<bool> {
        self.blanks()?;
        if self.peek(0) != b'&' {
            return Ok(false);
        }
        let ends = matches!(self.peek(1), 0 | b' ' | b'\t' | b'\n' | b')');
        let word = self.peek(1).is_ascii_alphanumeric() || b"_./'\"".contains(&self.peek(1));
        if !ends && !word {
            return self.refuse(Construct::Background);
        }
        self.at += 1;
        self.blanks()?;
        match self.peek(0) {
            b';' | b'&' | b'|' | b'!' => self.refuse(Construct::OperatorRun),
            _ => Ok(true),
        }
    }

    /// Does the `;;` of an arm stand here?
    fn at_end_of_arm(&self) -> bool {
        (self.peek(0), self.peek(1)) == (b';', b';')
    }

    /// Steps over `;` or newlines after a command. Says whether there was one. After `&` there is
    /// no `;`.
    fn separator(&mut self, background: bool) -> Result<bool> {
        self.blanks()?;
        let semicolon = self.peek(0) == b';' && !background;
        if semicolon {
            self.at += 1;
            self.blanks()?;
            if matches!(self.peek(0), b';' | b'&' | b'|') {
                return self.refuse(Construct::OperatorRun);
            }
        }
        if self.peek(0) == b'#' {
            self.comment()?;
        }
        let start = self.at;
        if self.peek(0) == b'\n' {
            self.newlines()?;
        }
        Ok(semicolon || self.at > start)
    }

    fn at_end(&self, end: End) -> bool {
        match end {
            End::Text => self.peek(0) == 0,
            End::Parenthesis => self.peek(0) == b')',
            End::Brace => self.peek(0) == b'}' && Self::ends_word(self.peek(1)),
            End::Word(words) => words.contains(&self.keyword()),
            End::Arm => self.at_end_of_arm() || self.keyword() == "esac",
        }
    }

    /// The bare word of letters that stands here, if one does: what may be a reserved word.
    pub(super) fn keyword(&self) -> &'a str {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| !b.is_ascii_lowercase()).unwrap_or(rest.len());
        match Self::ends_word(self.peek(length)) {
            true => std::str::from_utf8(&rest[..length]).unwrap_or_default(),
            false => "",
        }
    }

    /// What is wrong with a byte that stands where a command has ended.
    fn refuse_here<T>(&self) -> Result<T> {
        self.refuse(match self.peek(0) {
            0 => Construct::Unclosed,
            b'&' => Construct::Background,
            b'#' => Construct::Hash,
            b'(' => Construct::Parenthesis,
            _ => Construct::Unexpected,
        })
    }

    fn and_or(&mut self) -> Result<AndOr<'a>> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks()?;
            let connector = match (self.peek(0), self.peek(1)) {
                (b'&', b'&') => Connector::And,
                (b'|', b'|') => Connector::Or,
                _ => return Ok(AndOr { first, rest, background: false }),
            };
            self.at += 2;
            self.operand()?;
            rest.push((connector, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline<'a>> {
        let negated = self.negation()?;
        let mut stages = Few::one(self.command()?);
        loop {
            self.blanks()?;
            let silenced = match (self.peek(0), self.peek(1)) {
                (b'|', b'&') => {
                    self.errors_too(&mut stages)?;
                    self.operand()?;
                    stages.push(self.command()?);
                    continue;
                }
                (b'|', b'|') => false,
                (b'|', _) => {
                    self.at += 1;
                    self.operand()?;
                    stages.push(self.command()?);
                    continue;
                }
                (b'&', b'>') => self.silenced()?,
                _ => false,
            };
            return Ok(Pipeline { negated, stages, silenced });
        }
    }

    /// `|&`: after all other redirections of the stage before it, `2>&1`.
    fn errors_too(&mut self, stages: &mut [Command<'a>]) -> Result<()> {
        let span = Span::new(self.at, self.at + 2);
        let redirections = match stages.last_mut() {
            Some(Command::Simple(simple)) if !self.shells.sh => &mut simple.redirections,
            Some(Command::Compound(compound)) if !self.shells.sh => &mut compound.redirections,
            _ => return self.refuse(Construct::PipeBoth),
        };
        redirections.push(Redirection { span, descriptor: 2, target: Target::Duplicate(1) });
        self.at += 2;
        Ok(())
    }

    /// `&>/dev/null` at the end of a pipeline. Any other file would be written in one order by one
    /// shell and in another by the next.
    fn silenced(&mut self) -> Result<bool> {
        let start = self.at;
        if !matches!(self.before(), b' ' | b'\t') {
            return self.refuse(Construct::Background);
        }
        self.at += 2 + usize::from(self.peek(2) == b'>');
        self.blanks()?;
        const NULL: &[u8] = b"/dev/null";
        let named = self.bytes[self.at..].starts_with(NULL);
        let refused = Span::new(start, self.at);
        if !named || !Self::ends_word(self.peek(NULL.len())) {
            return self.refuse_at(Construct::Background, refused);
        }
        self.at += NULL.len();
        self.blanks()?;
        match (self.peek(0), self.peek(1)) {
            (0 | b';' | b'\n' | b')' | b'#', _) | (b'&', b'&') | (b'|', b'|') => Ok(true),
            (b'&', after) if after != b'>' => Ok(true),
            _ => self.refuse_at(Construct::Background, refused),
        }
    }

    /// `!` before a command. Twice, or before `(`, it means something else to some shell.
    fn negation(&mut self) -> Result<bool> {
        self.blanks()?;
        if self.peek(0) != b'!' || !matches!(self.peek(1), b' ' | b'\t') {
            return Ok(false);
        }
        self.at += 1;
        self.blanks()?;
        match self.peek(0) {
            b'!' | b'(' => self.refuse(Construct::ReservedWord),
            _ => Ok(true),
        }
    }

    /// Steps over blanks and newlines after an operator; a command must follow.
    fn operand(&mut self) -> Result<()> {
        if matches!(self.peek(0), b'&' | b'|' | b';' | b'!') {
            return self.refuse(Construct::OperatorRun);
        }
        self.blanks()?;
        if self.peek(0) == b'#' {
            return self.refuse(Construct::Hash);
        }
        self.newlines()?;
        match self.peek(0) {
            0 | b')' => self.refuse(Construct::MissingCommand),
            b'&' | b'|' | b';' => self.refuse(Construct::OperatorRun),
            _ => Ok(()),
        }
    }
}
