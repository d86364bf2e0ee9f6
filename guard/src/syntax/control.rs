//! `if`, `while`, `until`, `for`, `case`.

use super::names::is_zsh_special;
use super::not_understood::Construct;
use super::recogniser::{End, Recogniser, Result};
use super::tree::{Compound, Form, List, Piece, Word};
use super::word::Holds;
use crate::span::Span;

impl<'a> Recogniser<'a> {
    /// A compound command that begins with a reserved word, if one stands here.
    pub(super) fn control(&mut self) -> Result<Option<Compound<'a>>> {
        let form = match self.keyword() {
            "if" => self.choice()?,
            "while" => self.conditional_loop(false)?,
            "until" => self.conditional_loop(true)?,
            "for" => self.for_loop()?,
            "case" => self.case()?,
            _ => return Ok(None),
        };
        Ok(Some(Compound { form, redirections: self.after_group()? }))
    }

    fn choice(&mut self) -> Result<Form<'a>> {
        let mut arms = Vec::new();
        loop {
            // `if` or `elif`.
            self.step_over_keyword();
            let condition = self.body(&["then"])?;
            self.step_over_keyword();
            arms.push((condition, self.body(&["elif", "else", "fi"])?));
            match self.keyword() {
                "elif" => {}
                "else" => {
                    self.step_over_keyword();
                    let otherwise = Some(self.body(&["fi"])?);
                    self.step_over_keyword();
                    return Ok(Form::If { arms, otherwise });
                }
                _ => {
                    self.step_over_keyword();
                    return Ok(Form::If { arms, otherwise: None });
                }
            }
        }
    }

    fn conditional_loop(&mut self, until: bool) -> Result<Form<'a>> {
        self.step_over_keyword();
        let condition = self.body(&["do"])?;
        let body = self.repeated()?;
        Ok(Form::Loop { until, condition, body })
    }

    fn for_loop(&mut self) -> Result<Form<'a>> {
        self.step_over_keyword();
        self.blanks()?;
        let name = self.loop_variable()?;
        self.blanks()?;
        if self.keyword() != "in" {
            return self.refuse(Construct::ReservedWord);
        }
        self.step_over_keyword();
        let mut words = Vec::new();
        loop {
            let here = self.at;
            self.blanks()?;
            if matches!(self.peek(0), b';' | b'\n') {
                break;
            }
            if self.at == here || Self::ends_word(self.peek(0)) {
                return self.refuse(Construct::Unexpected);
            }
            words.push(self.argument(Holds::Words)?);
        }
        if words.is_empty() {
            return self.refuse(Construct::MissingCommand);
        }
        if self.peek(0) == b';' {
            self.at += 1;
        }
        self.newlines()?;
        if self.keyword() != "do" {
            return self.refuse(Construct::ReservedWord);
        }
        let body = self.repeated()?;
        Ok(Form::For { name, words, body })
    }

    /// `case WORD in`, and its arms.
    fn case(&mut self) -> Result<Form<'a>> {
        self.step_over_keyword();
        self.blanks()?;
        let word = self.argument(Holds::Value)?;
        self.newlines()?;
        if self.keyword() != "in" {
            return self.refuse(Construct::ReservedWord);
        }
        self.step_over_keyword();
        let mut arms = Vec::new();
        loop {
            self.newlines()?;
            if self.keyword() == "esac" {
                self.step_over_keyword();
                return Ok(Form::Case { word, arms });
            }
            self.patterns_of_arm()?;
            self.newlines()?;
            // An empty arm would be read alike, but says nothing.
            arms.push(self.list(End::Arm)?);
            self.newlines()?;
            if self.peek(0) == b';' {
                // `;;&`, `;&` and `;|` go on to the next arm in one shell or the other.
                self.at += 2;
                if matches!(self.peek(0), b'&' | b';' | b'|') {
                    return self.refuse(Construct::OperatorRun);
                }
            }
        }
    }

    /// `a|b)`, `(a|b)`. They are not kept, so they must not run anything: no expansions. Within a
    /// command substitution old shells take a `)` without a `(` for its end.
    fn patterns_of_arm(&mut self) -> Result<()> {
        let open = self.peek(0) == b'(';
        if !open && self.substitutions > 0 {
            return self.refuse(Construct::Parenthesis);
        }
        self.at += usize::from(open);
        loop {
            self.blanks()?;
            let start = self.at;
            let pattern = self.argument(Holds::Words)?;
            let plain = pattern
                .pieces
                .iter()
                .all(|piece| matches!(piece, Piece::Text(_) | Piece::Pattern(_)));
            if self.at == start || !plain {
                let end = self.at.max(start + 1);
                return self.refuse_at(Construct::Expansion, Span::new(start, end));
            }
            self.blanks()?;
            match self.peek(0) {
                b'|' => self.at += 1,
                b')' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.refuse(Construct::Unexpected),
            }
        }
    }

    /// A name in lower case that is no special parameter of zsh: `for path in a` would change where
    /// it finds programs.
    fn loop_variable(&mut self) -> Result<Word<'a>> {
        let start = self.at;
        while matches!(self.peek(0), b'a'..=b'z' | b'0'..=b'9' | b'_') {
            self.at += 1;
        }
        let name = self.slice(start, self.at);
        let ends = matches!(self.peek(0), b' ' | b'\t');
        if !ends || !name.first().is_some_and(u8::is_ascii_lowercase) || is_zsh_special(name) {
            return self.refuse_at(Construct::Assignment, Span::new(start, self.at.max(start + 1)));
        }
        let span = Span::new(start, self.at);
        Ok(Word { span, text: name.into(), quoted: false })
    }

    /// `do …; done`, from the `do` on.
    fn repeated(&mut self) -> Result<List<'a>> {
        self.step_over_keyword();
        let body = self.body(&["done"])?;
        self.step_over_keyword();
        Ok(body)
    }

    /// The list after a reserved word, up to one of these.
    fn body(&mut self, ends: &'static [&'static str]) -> Result<List<'a>> {
        if !matches!(self.peek(0), b' ' | b'\t' | b'\n') {
            return self.refuse(Construct::ReservedWord);
        }
        self.newlines()?;
        self.list(End::Word(ends))
    }

    fn step_over_keyword(&mut self) {
        self.at += self.keyword().len();
    }
}
