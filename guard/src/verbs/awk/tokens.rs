//! Tokens of `awk`, where all awks find the same ones.
//!
//! They do not agree on where a regular expression ends that holds a slash between brackets
//! (`/[/]/`), on numbers in other bases, and on what a backslash does in a comment; and in some
//! locales a backslash may be the second half of a character. None of that is a token here.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'p> {
    Newline,
    Semicolon,
    Comma,
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    Number,
    /// A regular expression.
    Expression,
    /// What stands between the quotes.
    Text(&'p [u8]),
    /// A name, and whether a parenthesis follows at once.
    Name(&'p [u8], bool),
    /// `++` or `--`.
    Step,
    /// `=`, `+=` and so on.
    Assign,
    /// `>` or `>=`.
    Greater,
    /// `&&` or `||`: a line may end behind it.
    Junction,
    /// `!`, `~`, `!~`, `?` or `:`.
    Logic,
    /// Any other operator, and `$`.
    Operator,
}

/// What a slash is where the next token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slash {
    Division,
    /// It begins a regular expression.
    Expression,
    /// Not all awks agree.
    Neither,
}

pub(super) struct Tokens<'p> {
    pub(super) rest: &'p [u8],
}

impl<'p> Tokens<'p> {
    /// The next token; nothing at the end. The error: one that not all awks read alike, or none.
    pub(super) fn next(&mut self, slash: Slash) -> Result<Option<Token<'p>>, ()> {
        self.skip_blanks()?;
        let Some(first) = self.rest.first() else { return Ok(None) };
        let token = match first {
            b'0'..=b'9' | b'.' => self.number()?,
            b'"' => self.text()?,
            b'/' if slash == Slash::Expression => self.expression()?,
            b'/' if slash == Slash::Neither => return Err(()),
            byte if is_name_byte(byte) => {
                let name = self.take_while(is_name_byte);
                Token::Name(name, self.rest.first() == Some(&b'('))
            }
            _ => self.sign()?,
        };
        Ok(Some(token))
    }

    /// Blanks, newlines behind a backslash, and comments.
    fn skip_blanks(&mut self) -> Result<(), ()> {
        loop {
            match self.rest {
                [b' ' | b'\t', rest @ ..] | [b'\\', b'\n', rest @ ..] => self.rest = rest,
                [b'#', ..] => {
                    let comment = self.take_while(|byte| *byte != b'\n');
                    if comment.iter().any(|byte| matches!(byte, b'\\' | b'\r')) {
                        return Err(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn take_while(&mut self, good: impl Fn(&u8) -> bool) -> &'p [u8] {
        let length = self.rest.iter().take_while(|byte| good(byte)).count();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// `12`, `1.5`, `.5`, `1e-3`.
    fn number(&mut self) -> Result<Token<'p>, ()> {
        let whole = self.take_while(u8::is_ascii_digit).len();
        let mut digits = whole;
        if let [b'.', rest @ ..] = self.rest {
            self.rest = rest;
            digits += self.take_while(u8::is_ascii_digit).len();
        }
        if let [b'e' | b'E', rest @ ..] = self.rest {
            self.rest = match rest {
                [b'+' | b'-', rest @ ..] => rest,
                _ => rest,
            };
            if self.take_while(u8::is_ascii_digit).is_empty() {
                return Err(());
            }
        }
        match self.rest.first() {
            Some(b'.') => Err(()),
            Some(byte) if is_name_byte(byte) => Err(()),
            _ if digits == 0 => Err(()),
            _ => Ok(Token::Number),
        }
    }

    /// `"…"` on one line.
    fn text(&mut self) -> Result<Token<'p>, ()> {
        self.rest = &self.rest[1..];
        let inner = self.up_to(b'"')?;
        Ok(Token::Text(inner))
    }

    /// `/…/` on one line, in which no bracket is open at the end, however brackets are read.
    fn expression(&mut self) -> Result<Token<'p>, ()> {
        self.rest = &self.rest[1..];
        let inner = self.up_to(b'/')?;
        let readings = [(false, false), (false, true), (true, false), (true, true)];
        let closed = |(escapes, bracket_first)| brackets_close(inner, escapes, bracket_first);
        if readings.into_iter().all(closed) { Ok(Token::Expression) } else { Err(()) }
    }

    /// What comes before this delimiter, which is taken as well.
    fn up_to(&mut self, delimiter: u8) -> Result<&'p [u8], ()> {
        let all = self.rest;
        let mut before = b' ';
        let mut at = 0;
        while let Some(byte) = all.get(at) {
            // The second half of a character, in some locales.
            if !before.is_ascii() && matches!(byte, b'\\' | b'[' | b']') {
                return Err(());
            }
            match byte {
                byte if *byte == delimiter => {
                    self.rest = &all[at + 1..];
                    return Ok(&all[..at]);
                }
                b'\\' => {
                    at += 1;
                    if !all.get(at).is_some_and(|byte| matches!(byte, b' '..=b'~')) {
                        return Err(());
                    }
                }
                b'\t' => {}
                byte if byte.is_ascii_control() => return Err(()),
                _ => {}
            }
            before = all[at];
            at += 1;
        }
        Err(())
    }

    fn sign(&mut self) -> Result<Token<'p>, ()> {
        let (token, length) = match self.rest {
            [b'\n', ..] => (Token::Newline, 1),
            [b';', ..] => (Token::Semicolon, 1),
            [b',', ..] => (Token::Comma, 1),
            [open @ (b'(' | b'[' | b'{'), ..] => (Token::Open(*open), 1),
            [close @ (b')' | b']' | b'}'), ..] => (Token::Close(*close), 1),
            [b'+', b'+', ..] | [b'-', b'-', ..] => (Token::Step, 2),
            [b'&', b'&', ..] | [b'|', b'|', ..] => (Token::Junction, 2),
            [b':', b':', ..] | [b'*', b'*', ..] | [b'>', b'>', ..] => return Err(()),
            [b'>', b'=', ..] => (Token::Greater, 2),
            [b'>', ..] => (Token::Greater, 1),
            [b'!' | b'=' | b'<', b'=', ..] => (Token::Operator, 2),
            [b'+' | b'-' | b'*' | b'/' | b'%' | b'^', b'=', ..] => (Token::Assign, 2),
            [b'=', ..] => (Token::Assign, 1),
            [b'!', b'~', ..] => (Token::Logic, 2),
            [b'!' | b'~' | b'?' | b':', ..] => (Token::Logic, 1),
            [b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'<' | b'$', ..] => (Token::Operator, 1),
            // `|`, `@`, and what is no token anywhere.
            _ => return Err(()),
        };
        self.rest = &self.rest[length..];
        Ok(token)
    }

    /// Does a parenthesis follow, perhaps behind blanks?
    pub(super) fn is_called(&self) -> bool {
        self.rest.iter().find(|byte| !b" \t".contains(byte)) == Some(&b'(')
    }
}

/// Is no bracket open at the end? `escapes`: does a backslash escape between brackets, where it may
/// stand for itself? `bracket_first`: does a closing bracket stand for itself where it comes first,
/// and are there classes?
fn brackets_close(expression: &[u8], escapes: bool, bracket_first: bool) -> bool {
    let (mut open, mut at) = (false, 0);
    while let Some(byte) = expression.get(at) {
        match byte {
            b'\\' if escapes || !open => at += 1,
            b'[' if !open => {
                open = true;
                if bracket_first {
                    at += usize::from(expression.get(at + 1) == Some(&b'^'));
                    at += usize::from(expression.get(at + 1) == Some(&b']'));
                }
            }
            // `[:alpha:]` between brackets.
            b'[' if bracket_first => {
                let kind = expression.get(at + 1).filter(|kind| b":.=".contains(kind));
                let closes = |kind| {
                    let rest = &expression[at + 2..];
                    rest.windows(2).take(20).position(|two| two == [kind, b']'])
                };
                at += kind.and_then(|kind| closes(*kind)).map_or(0, |length| length + 3);
            }
            b']' => open = false,
            _ => {}
        }
        at += 1;
    }
    !open
}

fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Is this the name of a variable?
pub(super) fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(|first| !first.is_ascii_digit()) && text.iter().all(is_name_byte)
}
