//! `[[ … ]]`, where no shell is a `sh`: dash takes it for a command of that name, and what follows
//! `||` in it for another one.

use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{
    AndOr, Argument, Command, Compound, Connector, Form, List, Piece, Pipeline, Simple, Text, Word,
};
use super::word::{Holds, PLAIN, Pieces};
use crate::few::Few;
use crate::span::Span;

/// Tests of one word. `-a` and `-o` join tests in `[`, `-v` and `-R` compute what they name.
const OF_ONE: &[&[u8]] = &[
    b"-L", b"-S", b"-b", b"-c", b"-d", b"-e", b"-f", b"-g", b"-h", b"-k", b"-n", b"-p", b"-r",
    b"-s", b"-t", b"-u", b"-w", b"-x", b"-z",
];

/// Tests of two words.
const OF_TWO: &[&[u8]] = &[
    b"!=", b"-ef", b"-eq", b"-ge", b"-gt", b"-le", b"-lt", b"-ne", b"-nt", b"-ot", b"<", b"=",
    b"==", b"=~", b">",
];

impl<'a> Recogniser<'a> {
    /// Does `[[` stand here?
    pub(super) fn opens_tests(&self) -> bool {
        self.peek(1) == b'[' && Self::ends_word(self.peek(2))
    }

    /// `[[ … ]]`: a group of its tests, each of them a command of that name. How `&&` and `||` bind
    /// in it makes no difference to which of them may run.
    pub(super) fn conditional(&mut self) -> Result<Compound<'a>> {
        let open = Span::new(self.at, self.at + 2);
        if self.shells.sh {
            return self.refuse_at(Construct::DoubleBracket, open);
        }
        self.at += 2;
        if !matches!(self.peek(0), b' ' | b'\t' | b'\n') {
            return self.refuse(Construct::Unexpected);
        }
        self.between_tests()?;
        let tests = self.tests()?;
        if !self.closes_tests() || !matches!(self.before(), b' ' | b'\t' | b'\n') {
            let construct =
                if self.peek(0) == 0 { Construct::Unclosed } else { Construct::Unexpected };
            return self.refuse_at(construct, open);
        }
        self.at += 2;
        Ok(Compound { form: Form::Braces(tests), redirections: self.after_group()? })
    }

    /// Does `]]` stand here?
    fn closes_tests(&self) -> bool {
        self.starts_with(self.at, b"]]")
            && Self::ends_word(self.peek(2))
            && !matches!(self.peek(2), b'<' | b'>' | b'(')
    }

    /// Steps over blanks and newlines. No here-document begins in between.
    fn between_tests(&mut self) -> Result<()> {
        loop {
            self.blanks()?;
            match (self.peek(0), self.documents) {
                (b'\n', None) => self.at += 1,
                (b'\n', Some(document)) => {
                    return self.refuse_at(Construct::Heredoc, document.span);
                }
                _ => return Ok(()),
            }
        }
    }

    fn tests(&mut self) -> Result<List<'a>> {
        self.enter()?;
        let first = self.test_or_group()?;
        let mut rest = Vec::new();
        loop {
            self.between_tests()?;
            let connector = match (self.peek(0), self.peek(1)) {
                (b'&', b'&') => Connector::And,
                (b'|', b'|') => Connector::Or,
                _ => break,
            };
            self.at += 2;
            self.between_tests()?;
            rest.push((connector, self.test_or_group()?));
        }
        self.leave();
        Ok(List { items: vec![AndOr { first, rest, background: false }] })
    }

    fn test_or_group(&mut self) -> Result<Pipeline<'a>> {
        let blank = |byte| byte == b' ' || byte == b'\t';
        let negated = self.peek(0) == b'!' && blank(self.peek(1));
        if negated {
            self.at += 1;
            self.blanks()?;
        }
        let command = match self.peek(0) {
            // Next to a word, a parenthesis may belong to it.
            b'(' if blank(self.peek(1)) => {
                self.at += 1;
                self.between_tests()?;
                let tests = self.tests()?;
                if self.peek(0) != b')' || !blank(self.before()) {
                    return self.refuse(Construct::Parenthesis);
                }
                self.at += 1;
                Command::Compound(Compound { form: Form::Braces(tests), redirections: Vec::new() })
            }
            _ => Command::Simple(self.test()?),
        };
        Ok(Pipeline { negated, stages: Few::one(command), silenced: false })
    }

    /// One test, as the command `[[ … ]]`.
    fn test(&mut self) -> Result<Simple<'a>> {
        if self.commands == self.limits.commands {
            return self.refuse(Construct::TooManyCommands);
        }
        self.commands += 1;
        let start = self.at;
        let mut arguments = vec![self.tested()?];
        let first = self.slice(start, self.at);
        let mut end = self.at;
        self.blanks()?;
        let is_text = !matches!(first, [b'-' | b'!', ..]);
        if OF_ONE.contains(&first) {
            arguments.push(self.tested()?);
            end = self.at;
        } else if !is_text {
            return self.refuse_at(Construct::Unexpected, Span::new(start, end));
        } else if !self.ends_test() {
            let operator = self.comparison()?;
            self.blanks()?;
            let right = match operator.literal().map(|it| &it[..]) {
                Some(b"=~") => self.compared(true)?,
                Some(b"=" | b"==" | b"!=") => self.compared(false)?,
                _ => self.tested()?,
            };
            arguments.extend([operator, right]);
            end = self.at;
        }
        self.blanks()?;
        if !self.ends_test() {
            return self.refuse(Construct::Unexpected);
        }
        // No shell splits, or takes for a pattern of names, what is expanded here.
        arguments.iter_mut().for_each(quote);
        let closed = Piece::Text(b"]]"[..].into());
        arguments.push(Argument { span: Span::new(end, end), pieces: Few::one(closed) });
        let span = Span::new(start, end);
        let name = Word { span, text: Text::Borrowed(b"[["), quoted: false };
        let (assignments, redirections) = (Vec::new(), Vec::new());
        Ok(Simple { span, assignments, prefix: None, name, arguments, redirections })
    }

    /// Is there no more of a test here?
    fn ends_test(&self) -> bool {
        match (self.peek(0), self.peek(1)) {
            (b'\n' | b')', _) | (b'&', b'&') | (b'|', b'|') => true,
            _ => self.closes_tests(),
        }
    }

    /// A word that is taken as it is.
    fn tested(&mut self) -> Result<Argument<'a>> {
        let word = self.argument(Holds::Value)?;
        match self.slice(word.span.start as usize, word.span.end as usize) {
            b"" | b"]]" => self.refuse(Construct::Unexpected),
            _ => Ok(word),
        }
    }

    fn comparison(&mut self) -> Result<Argument<'a>> {
        let start = self.at;
        let end = start + self.ahead(|byte| !b" \t\n".contains(&byte));
        let text = self.slice(start, end);
        if !OF_TWO.contains(&text) {
            return self.refuse(Construct::Unexpected);
        }
        self.count_word()?;
        self.at = end;
        let pieces = Few::one(Piece::Text(text.into()));
        Ok(Argument { span: Span::new(start, end), pieces })
    }

    /// What a text is compared with: a pattern, or a regular expression. Which texts match it makes
    /// no difference; that all shells end it at the same place, and run the same in it, does.
    fn compared(&mut self, regex: bool) -> Result<Argument<'a>> {
        let start = self.at;
        self.count_word()?;
        let mut pieces = Pieces::new(Holds::Value);
        let mut open = 0_usize;
        loop {
            let byte = self.peek(0);
            match byte {
                b'(' if regex => {
                    open += 1;
                    self.take(1, &mut pieces);
                }
                b')' if open > 0 => {
                    open -= 1;
                    self.take(1, &mut pieces);
                }
                b'|' if open > 0 => self.take(1, &mut pieces),
                b'(' => return self.refuse(Construct::Parenthesis),
                _ if Self::ends_word(byte) => break,
                b'\\' => self.escape(&mut pieces)?,
                b'$' if self.bare_dollar() => self.take(1, &mut pieces),
                // Shells look in their own ways for where what stands between parentheses ends.
                b'\'' | b'"' | b'$' if open > 0 => return self.refuse(Construct::Parenthesis),
                b'\'' => self.single_quotes(&mut pieces)?,
                b'"' => self.double_quotes(&mut pieces)?,
                b'$' if self.peek(1) == b'\'' => self.dollar_quotes(&mut pieces)?,
                b'$' => self.expansion(&mut pieces, false)?,
                _ if self.is_of_pattern(start, regex) => self.take(1, &mut pieces),
                _ => return self.refuse(Construct::Glob),
            }
        }
        pieces.flush();
        match self.slice(start, self.at) {
            b"" | b"]]" => self.refuse(Construct::Unexpected),
            _ if open > 0 => self.refuse(Construct::Parenthesis),
            _ => Ok(Argument { span: Span::new(start, self.at), pieces: pieces.done }),
        }
    }

    /// May this byte stand in a pattern that begins at `start`, for itself or for what it means in
    /// patterns?
    fn is_of_pattern(&self, start: usize, regex: bool) -> bool {
        let inside = self.at > start;
        match self.peek(0) {
            b'*' | b'?' | b'[' | b']' | b'^' => true,
            b'{' | b'}' => inside && regex,
            b'!' => self.before() == b'[',
            b'=' => inside && !b"=:'\"".contains(&self.before()) && self.peek(1) != b'~',
            b'#' => inside,
            byte => PLAIN[usize::from(byte)],
        }
    }
}

/// What is expanded in a word makes it no other number of words.
fn quote(word: &mut Argument<'_>) {
    for piece in word.pieces.iter_mut() {
        if let Piece::Parameter { quoted, .. }
        | Piece::Computed { quoted, .. }
        | Piece::Statuses { quoted, .. }
        | Piece::Substitution { quoted, .. } = piece
        {
            *quoted = true;
        }
    }
}
