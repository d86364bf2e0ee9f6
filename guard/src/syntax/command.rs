//! Commands: groups, and simple commands.

use super::names::{may_be_prefixed, may_be_run};
use super::not_understood::{Construct, NotUnderstood};
use super::recogniser::{End, Recogniser, Result};
use super::tree::{Argument, Command, Compound, Form, Piece, Redirection, Simple, Word};
use super::word::Holds;
use crate::span::Span;

impl<'a> Recogniser<'a> {
    pub(super) fn command(&mut self) -> Result<Command<'a>> {
        self.blanks()?;
        match self.peek(0) {
            b'(' => self.subshell().map(Command::Compound),
            b'{' if Self::ends_word(self.peek(1)) => self.braces().map(Command::Compound),
            b'[' if self.opens_tests() => self.conditional().map(Command::Compound),
            0 | b')' | b';' | b'\n' | b'&' | b'|' => self.refuse(Construct::MissingCommand),
            b'#' => self.refuse(Construct::Hash),
            _ => match self.control()? {
                Some(compound) => Ok(Command::Compound(compound)),
                None => self.simple(),
            },
        }
    }

    fn subshell(&mut self) -> Result<Compound<'a>> {
        let open = self.at;
        self.at += 1;
        if self.peek(0) == b'(' {
            return self.refuse_at(Construct::Arithmetic, Span::new(open, self.at + 1));
        }
        self.newlines()?;
        self.no_empty_group(b')')?;
        let body = self.list(End::Parenthesis).map_err(|error| blame_open(error, open))?;
        self.at += 1;
        let redirections = self.after_group()?;
        Ok(Compound { form: Form::Subshell(body), redirections })
    }

    fn braces(&mut self) -> Result<Compound<'a>> {
        let open = self.at;
        self.at += 1;
        if !matches!(self.peek(0), b' ' | b'\t' | b'\n') {
            return self.refuse_at(Construct::BracePosition, Span::new(open, open + 1));
        }
        self.newlines()?;
        self.no_empty_group(b'}')?;
        let body = self.list(End::Brace).map_err(|error| blame_open(error, open))?;
        self.at += 1;
        let redirections = self.after_group()?;
        Ok(Compound { form: Form::Braces(body), redirections })
    }

    fn no_empty_group(&self, close: u8) -> Result<()> {
        if self.peek(0) == close { self.refuse(Construct::MissingCommand) } else { Ok(()) }
    }

    /// The redirections of a group. A word after it is an error in most shells, not in all.
    pub(super) fn after_group(&mut self) -> Result<Vec<Redirection<'a>>> {
        let mut redirections = Vec::new();
        let end = self.at;
        loop {
            let start = self.at;
            self.blanks()?;
            let found = match self.at == end {
                true => self.redirection_of_group(false)?,
                false => self.redirection(self.at > start)?,
            };
            if let Some(redirection) = found {
                redirections.push(redirection);
                continue;
            }
            return match self.peek(0) {
                0 | b';' | b'&' | b'|' | b'\n' | b')' => Ok(redirections),
                b'}' if self.at > start => self.refuse(Construct::BracePosition),
                _ => self.refuse(Construct::Unexpected),
            };
        }
    }

    fn simple(&mut self) -> Result<Command<'a>> {
        if self.commands == self.limits.commands {
            return self.refuse(Construct::TooManyCommands);
        }
        self.commands += 1;
        let start = self.at;
        let assignments = self.assignments()?;
        let mut end = self.at;
        let mut name = None;
        let mut arguments = Vec::new();
        let mut redirections = Vec::new();
        loop {
            let here = self.at;
            self.blanks()?;
            let after_blank = self.at > here || self.at == start;
            if after_blank && name.is_some() && (self.peek(0), self.peek(1)) == (b'<', b'(') {
                arguments.push(self.output()?);
                end = self.at;
                continue;
            }
            let may_redirect = matches!(self.peek(0), b'<' | b'>' | b'0'..=b'9');
            let redirection = if may_redirect { self.redirection(after_blank)? } else { None };
            if let Some(redirection) = redirection {
                redirections.push(redirection);
            } else if matches!(self.peek(0), 0 | b';' | b'\n' | b'&' | b'|' | b')')
                || (self.peek(0) == b'#' && self.at > here)
            {
                break;
            } else if name.is_none() {
                name = Some(self.command_word()?);
            } else {
                if arguments.is_empty() {
                    // As many as most commands have.
                    arguments = Vec::with_capacity(8);
                }
                arguments.push(self.argument(Holds::Words)?);
            }
            end = self.at;
        }
        let span = Span::new(start, end);
        let reads = name.as_ref().is_some_and(|name| *name.text == *b"read");
        self.no_special(&assignments, name.is_some(), reads)?;
        self.timed(name.as_ref(), &arguments)?;
        match name {
            Some(word) => {
                let (prefix, name) = self.prefixed(word, &mut arguments)?;
                let simple = Simple { span, assignments, prefix, name, arguments, redirections };
                if !simple.leaves_in_one_way() || !simple.reads_plainly() {
                    return self.refuse_at(Construct::OpaqueCommand, span);
                }
                Ok(Command::Simple(simple))
            }
            None if redirections.is_empty() && !assignments.is_empty() => {
                Ok(Command::Assignments(assignments))
            }
            None => self.refuse_at(Construct::RedirectionAlone, span),
        }
    }
}

impl<'a> Recogniser<'a> {
    /// Takes `command` or `builtin` off a name that means the same behind it.
    fn prefixed(
        &self,
        word: Word<'a>,
        arguments: &mut Vec<Argument<'a>>,
    ) -> Result<(Option<Word<'a>>, Word<'a>)> {
        if !matches!(&word.text[..], b"command" | b"builtin") {
            return Ok((None, word));
        }
        let name = match arguments.first() {
            Some(Argument { span, pieces }) => match &pieces[..] {
                [Piece::Text(text)] if may_be_prefixed(&word.text, text) => {
                    Some(Word { span: *span, text: text.clone(), quoted: true })
                }
                _ => None,
            },
            None => None,
        };
        match name {
            Some(name) => {
                arguments.remove(0);
                Ok((Some(word), name))
            }
            None if *word.text == *b"command" => Ok((None, word)),
            None => self.refuse_at(Construct::OpaqueCommand, word.span),
        }
    }

    /// `time` is a reserved word to bash, zsh and mksh, which then read a command, and a program to
    /// dash. It is understood before a plain word that names one to all of them.
    fn timed(&self, name: Option<&Word<'_>>, arguments: &[Argument<'_>]) -> Result<()> {
        let Some(name) = name.filter(|name| *name.text == *b"time" && !name.quoted) else {
            return Ok(());
        };
        let plain = match arguments.first().map(|argument| &argument.pieces[..]) {
            Some([Piece::Text(text)]) => {
                may_be_run(text) && !text.contains(&b'=') && !b"-!".contains(&text[0])
            }
            _ => false,
        };
        if plain { Ok(()) } else { self.refuse_at(Construct::ReservedWord, name.span) }
    }
}

/// A list that runs into the end of the text is the fault of the group that was opened.
fn blame_open(error: NotUnderstood, open: usize) -> NotUnderstood {
    match error.construct {
        Construct::Unclosed => NotUnderstood { span: Span::new(open, open + 1), ..error },
        _ => error,
    }
}
