//! Programs of `awk` that only print what they read.
//!
//! One pass over the tokens. It takes more than awks do: what one of them cannot read, it does not
//! run either. What matters is that no token is missed, and for each of them what it is to every
//! awk: whether a slash divides or begins a regular expression, and whether `>` compares or names a
//! file. The first is asked of the token before; the second is that no parenthesis stands between
//! the `>` and the `print` before it. Pipes, `getline`, `system`, and what reaches arrays through
//! other names, are refused wherever they stand.

use super::tokens::{Slash, Token, Tokens, is_name};
use crate::protected::is_secret_variable;

/// Functions that compute, or say that what was printed is complete.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[&[u8]] = &[
    b"and", b"asort", b"asorti", b"atan2", b"close", b"compl", b"cos", b"exp", b"fflush",
    b"gensub", b"gsub", b"index", b"int", b"isarray", b"length", b"log", b"lshift", b"match",
    b"mktime", b"or", b"patsplit", b"rand", b"rshift", b"sin", b"split", b"sprintf", b"sqrt",
    b"srand", b"strftime", b"strtonum", b"sub", b"substr", b"systime", b"tolower", b"toupper",
    b"typeof", b"xor",
];

/// Names that run, read or write, that stand for other variables, or that some awks have as
/// keywords and others do not.
#[rustfmt::skip]
pub(super) const REFUSED: &[&[u8]] = &[
    b"ARGC", b"ARGIND", b"ARGV", b"BEGINFILE", b"BINMODE", b"ENDFILE", b"ENVIRON", b"ERRNO",
    b"FUNCTAB", b"LINT", b"PROCINFO", b"SYMTAB", b"TEXTDOMAIN", b"adump", b"bindtextdomain",
    b"case", b"dcgettext", b"dcngettext", b"default", b"extension", b"func", b"getline",
    b"include", b"load", b"namespace", b"stopme", b"switch", b"system",
];

/// All keywords: no name of a variable.
#[rustfmt::skip]
pub(super) const KEYWORDS: &[&[u8]] = &[
    b"BEGIN", b"END", b"break", b"continue", b"delete", b"do", b"else", b"exit", b"for",
    b"function", b"if", b"in", b"next", b"nextfile", b"print", b"printf", b"return", b"while",
];

/// How deep brackets may stand within each other.
const DEPTH_MAX: usize = 64;

/// Does this program do nothing but read its operands and print?
pub(super) fn only_prints(program: &[u8]) -> bool {
    let tokens = Tokens { rest: program };
    let mut reading = Reading {
        tokens,
        before: Before::Statement,
        open: Vec::new(),
        printing: None,
        called: Vec::new(),
        defined: Vec::new(),
        variables: Vec::new(),
    };
    reading.program().is_some()
}

/// May a variable of this name be set from outside?
pub(super) fn may_be_named(name: &[u8]) -> bool {
    ![FUNCTIONS, REFUSED, KEYWORDS].iter().any(|list| is_in(list, name))
}

fn is_in(sorted: &[&[u8]], name: &[u8]) -> bool {
    sorted.binary_search(&name).is_ok()
}

/// What the tokens so far leave open: what a newline and a slash are here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A statement, or a list to print, may begin: a newline is one, a slash begins an expression.
    Statement,
    /// A line may end here and what it says goes on; the same for a slash.
    Joined,
    /// An operand must follow on the same line, perhaps a regular expression.
    Wanting,
    /// An operand must follow on the same line; what a slash would be is not agreed upon.
    WantingPlain,
    /// The same, and what follows is changed.
    Changing,
    /// An operand: a slash divides.
    Operand,
    /// A value that is not assigned to.
    Value,
    /// A statement may end or go on; what a slash would be is not agreed upon.
    Closed,
}

/// A bracket that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Brace,
    Square,
    /// A parenthesis around a value.
    Group,
    /// One behind `if`, `while`, `for`, or the name of a function that is defined.
    Control,
}

struct Reading<'p> {
    tokens: Tokens<'p>,
    before: Before,
    open: Vec<Bracket>,
    /// How many brackets were open at the `print` that is not yet complete.
    printing: Option<usize>,
    called: Vec<&'p [u8]>,
    defined: Vec<&'p [u8]>,
    variables: Vec<&'p [u8]>,
}

impl<'p> Reading<'p> {
    /// All of it. Nothing if there is something that does more, or is not known to do nothing more.
    fn program(&mut self) -> Option<()> {
        while let Some(token) = self.next()? {
            self.token(token)?;
        }
        self.defined.sort_unstable();
        let is_defined = |name: &&[u8]| self.defined.binary_search(name).is_ok();
        let good = self.open.is_empty()
            && self.called.iter().all(is_defined)
            && !self.variables.iter().any(is_defined);
        good.then_some(())
    }

    fn next(&mut self) -> Option<Option<Token<'p>>> {
        let slash = match self.before {
            Before::Statement | Before::Joined | Before::Wanting => Slash::Expression,
            Before::Operand | Before::Value => Slash::Division,
            Before::WantingPlain | Before::Changing | Before::Closed => Slash::Neither,
        };
        self.tokens.next(slash).ok()
    }

    fn token(&mut self, token: Token<'p>) -> Option<()> {
        self.before = match token {
            Token::Newline => return self.newline(),
            Token::Semicolon => return self.semicolon(),
            Token::Open(bracket) => return self.opened(bracket),
            Token::Close(bracket) => return self.closed(bracket),
            Token::Name(name, called) => return self.name(name, called),
            Token::Comma | Token::Junction => Before::Joined,
            Token::Number | Token::Text(_) => Before::Operand,
            Token::Expression => Before::Closed,
            Token::Step if self.before == Before::Value => return None,
            Token::Step if self.before == Before::Operand => Before::Closed,
            Token::Step => Before::Changing,
            Token::Assign if self.before == Before::Value => return None,
            Token::Assign | Token::Logic => Before::Wanting,
            Token::Greater if self.may_redirect() || !self.is_operand() => return None,
            Token::Greater | Token::Operator => Before::WantingPlain,
        };
        Some(())
    }

    /// May what comes before this be an operand?
    fn is_operand(&self) -> bool {
        matches!(self.before, Before::Operand | Before::Value | Before::Closed)
    }

    /// Would a `>` here name a file?
    fn may_redirect(&self) -> bool {
        self.printing.is_some_and(|depth| !self.open[depth..].contains(&Bracket::Group))
    }

    fn newline(&mut self) -> Option<()> {
        match self.before {
            Before::Joined => return Some(()),
            Before::Wanting | Before::WantingPlain | Before::Changing => return None,
            _ => {}
        }
        if !matches!(self.open.last(), None | Some(Bracket::Brace)) {
            return None;
        }
        self.printing = None;
        self.before = Before::Statement;
        Some(())
    }

    fn semicolon(&mut self) -> Option<()> {
        if matches!(self.open.last(), Some(Bracket::Group | Bracket::Square)) {
            return None;
        }
        self.printing = None;
        self.before = Before::Statement;
        Some(())
    }

    fn opened(&mut self, bracket: u8) -> Option<()> {
        let (kind, before) = match bracket {
            b'{' if matches!(self.open.last(), None | Some(Bracket::Brace)) => {
                (Bracket::Brace, Before::Statement)
            }
            b'(' => (Bracket::Group, Before::Wanting),
            b'[' if self.before == Before::Operand => (Bracket::Square, Before::WantingPlain),
            _ => return None,
        };
        self.open(kind, before)
    }

    fn open(&mut self, kind: Bracket, before: Before) -> Option<()> {
        self.before = before;
        self.open.push(kind);
        (self.open.len() <= DEPTH_MAX).then_some(())
    }

    fn closed(&mut self, bracket: u8) -> Option<()> {
        let kind = self.open.pop()?;
        self.before = match (kind, bracket) {
            (Bracket::Brace, b'}') => Before::Statement,
            (Bracket::Square, b']') | (Bracket::Group, b')') => Before::Operand,
            (Bracket::Control, b')') => Before::Closed,
            _ => return None,
        };
        if kind == Bracket::Brace || self.printing.is_some_and(|depth| depth > self.open.len()) {
            self.printing = None;
        }
        Some(())
    }

    fn name(&mut self, name: &'p [u8], called: bool) -> Option<()> {
        self.before = match name {
            b"print" | b"printf" => {
                if self.printing.replace(self.open.len()).is_some() {
                    return None;
                }
                Before::Statement
            }
            b"if" | b"while" | b"for" => return self.control(),
            b"function" => return self.function(),
            b"in" if self.before == Before::Value => return None,
            b"in" | b"delete" => Before::Changing,
            b"length" if !self.tokens.is_called() => Before::Closed,
            b"ENVIRON" | b"PROCINFO" => return self.element(name),
            _ if is_in(KEYWORDS, name) => Before::Closed,
            _ if is_in(REFUSED, name) => return None,
            _ if is_in(FUNCTIONS, name) => {
                if !self.tokens.is_called() {
                    return None;
                }
                Before::Closed
            }
            // gawk translates `_"text"`.
            b"_" => return None,
            _ => {
                if called { &mut self.called } else { &mut self.variables }.push(name);
                Before::Operand
            }
        };
        Some(())
    }

    /// The parenthesis behind `if`, `while` and `for`.
    fn control(&mut self) -> Option<()> {
        self.before = Before::Closed;
        match self.next()?? {
            Token::Open(b'(') => self.open(Bracket::Control, Before::Wanting),
            _ => None,
        }
    }

    /// The name of a function that is defined, and the parenthesis.
    fn function(&mut self) -> Option<()> {
        self.before = Before::Closed;
        match self.next()?? {
            Token::Name(name, _) if may_be_named(name) => self.defined.push(name),
            _ => return None,
        }
        self.control()
    }

    /// `ENVIRON["NAME"]`, of a name that is no secret's, and `PROCINFO["sorted_in"]`.
    fn element(&mut self, name: &[u8]) -> Option<()> {
        let before = self.before;
        self.before = Before::Operand;
        let (Token::Open(b'['), Token::Text(key)) = (self.next()??, self.next()??) else {
            return None;
        };
        let (Token::Close(b']'), false) = (self.next()??, before == Before::Changing) else {
            return None;
        };
        self.before = match name {
            b"PROCINFO" if key == b"sorted_in" => Before::Operand,
            b"ENVIRON" if is_name(key) && !is_secret_variable(key) => Before::Value,
            _ => return None,
        };
        Some(())
    }
}
