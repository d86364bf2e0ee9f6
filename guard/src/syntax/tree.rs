//! The tree of a line: what every configured shell reads in it.
//!
//! The names are POSIX's (XCU 2.9 and 2.10). A tree holds no construct that the shells read
//! differently: the recogniser refuses those, so that nothing after it has to think of them.

use super::names::is_own;
use crate::few::Few;
use crate::span::Span;
use std::borrow::Cow;

/// Bytes after quote removal: those of the line, where they stand in it one behind the other.
pub type Text<'a> = Cow<'a, [u8]>;

/// A list: and-or lists, run one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<'a> {
    /// In order; separated by `;` or newlines. Never empty.
    pub items: Vec<AndOr<'a>>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AndOr<'a> {
    /// The pipeline that always runs.
    pub first: Pipeline<'a>,
    /// The others, each with what stands before it.
    pub rest: Vec<(Connector, Pipeline<'a>)>,
    /// Does `&` stand behind it? Then it is a background job.
    pub background: bool,
}

/// What joins two pipelines of an and-or list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// `&&`: the next pipeline runs if what stands before it succeeded.
    And,
    /// `||`: the next pipeline runs if what stands before it failed.
    Or,
}

/// Commands joined by `|`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline<'a> {
    /// Does `!` stand before it?
    pub negated: bool,
    /// The stages, in order. Never empty; one stage is no pipeline, but a command.
    pub stages: Few<Command<'a>>,
    /// Does it end with `&>/dev/null`? To bash and zsh that is a redirection of its last stage; to
    /// some `sh` it makes a background job of the and-or list up to here, and what follows goes on
    /// after a redirection of nothing.
    pub silenced: bool,
}

/// One stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// A program or built-in with its words.
    Simple(Simple<'a>),
    /// Lists in a form: a group, a choice, a loop.
    Compound(Compound<'a>),
    /// Assignments without a command: they hold for what comes after them in the same shell.
    Assignments(Vec<Assignment<'a>>),
}

/// `NAME=VALUE` in front of a command, or as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment<'a> {
    /// All of it.
    pub span: Span,
    /// The name.
    pub name: &'a [u8],
    /// The value: one word, which is neither split nor taken as a pattern.
    pub value: Argument<'a>,
}

/// A simple command: words and redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple<'a> {
    /// From its first to its last byte, assignments and redirections included.
    pub span: Span,
    /// Variables that are set for it alone.
    pub assignments: Vec<Assignment<'a>>,
    /// A `command` or `builtin` in front of its name: in some shells it then runs as it is, and
    /// others find nothing of that name to run.
    pub prefix: Option<Word<'a>>,
    /// The command name.
    pub name: Word<'a>,
    /// What follows it.
    pub arguments: Vec<Argument<'a>>,
    /// In the order in which they are made.
    pub redirections: Vec<Redirection<'a>>,
}

impl Simple<'_> {
    /// If it is `exit`, `break` or `continue`: do all shells leave by it what they should? With
    /// other operands than a number some go on, some end, and bash gives up the rest of the line,
    /// whatever stands around it, and goes on with the next one.
    pub(super) fn leaves_in_one_way(&self) -> bool {
        let number = |most: usize| match &self.arguments[..] {
            [] => true,
            [only] => match &only.pieces[..] {
                [Piece::Text(text)] => {
                    text.len() <= most && text.iter().all(u8::is_ascii_digit) && text[0] != b'0'
                }
                [
                    Piece::Number
                    | Piece::Count
                    | Piece::Arithmetic(_)
                    | Piece::Statuses { many: false, .. },
                ] => most > 1,
                _ => false,
            },
            _ => false,
        };
        let zero = matches!(&self.arguments[..], [Argument { pieces, .. }]
            if matches!(&pieces[..], [Piece::Text(text)] if **text == *b"0"));
        match &self.name.text[..] {
            b"exit" => zero || number(3),
            b"break" | b"continue" => number(1),
            _ => true,
        }
    }

    /// If it is `read`: does it take a line, in all shells, into variables that are no shell's own?
    /// Without names it is `REPLY` in some, and what options there are beside `-r` differs.
    pub(super) fn reads_plainly(&self) -> bool {
        if *self.name.text != *b"read" {
            return true;
        }
        let is_raw =
            |it: &Argument<'_>| matches!(&it.pieces[..], [Piece::Text(t)] if **t == *b"-r");
        let names = match &self.arguments[..] {
            [first, names @ ..] if is_raw(first) => names,
            names => names,
        };
        let is_name = |it: &Argument<'_>| match &it.pieces[..] {
            [Piece::Text(text)] => is_own(text),
            _ => false,
        };
        !names.is_empty() && names.iter().all(is_name)
    }

    /// Where its name (0) or an argument (from 1) stands.
    pub fn word_span(&self, index: usize) -> Span {
        match index.checked_sub(1) {
            Some(argument) => self.arguments.get(argument).map_or(self.span, |it| it.span),
            None => self.name.span,
        }
    }
}

/// Lists in a form, with redirections for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound<'a> {
    /// The form.
    pub form: Form<'a>,
    /// Redirections of the whole.
    pub redirections: Vec<Redirection<'a>>,
}

/// The forms of compound commands (POSIX 2.9.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form<'a> {
    /// `( … )`: in a copy of the shell, so that a `cd` in it ends with it.
    Subshell(List<'a>),
    /// `{ …; }`: in the shell itself. So is `[[ … ]]`, of which each test is a command.
    Braces(List<'a>),
    /// `if …; then …; elif …; then …; else …; fi`.
    If {
        /// The conditions, each with what runs if it is the first to succeed.
        arms: Vec<(List<'a>, List<'a>)>,
        /// What runs if none succeeds.
        otherwise: Option<List<'a>>,
    },
    /// `while …; do …; done` and `until …; do …; done`.
    Loop {
        /// Does it run as long as the condition fails?
        until: bool,
        /// The condition.
        condition: List<'a>,
        /// What is repeated.
        body: List<'a>,
    },
    /// `for NAME in WORD…; do …; done`.
    For {
        /// The variable.
        name: Word<'a>,
        /// What it stands for, one after the other.
        words: Vec<Argument<'a>>,
        /// What is repeated.
        body: List<'a>,
    },
    /// `case WORD in PATTERN) …;; esac`. Which arm runs is not computed, so no pattern is kept.
    Case {
        /// What is compared.
        word: Argument<'a>,
        /// What may run: one of them, or none.
        arms: Vec<List<'a>>,
    },
}

/// A word whose value every shell computes alike, without knowing anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it stands.
    pub span: Span,
    /// Its value after quote removal.
    pub text: Text<'a>,
    /// Is any part of it quoted? A quoted word is no reserved word.
    pub quoted: bool,
}

/// A word that may hold expansions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument<'a> {
    /// Where it stands.
    pub span: Span,
    /// Its pieces, in order; no two texts follow one another. Without any it is the empty word.
    pub pieces: Few<Piece<'a>>,
}

impl<'a> Argument<'a> {
    /// What it is, if that stands in the line.
    pub fn literal(&self) -> Option<&Text<'a>> {
        match &self.pieces[..] {
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// A piece of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes, after quote removal.
    Text(Text<'a>),
    /// `$'…'`, of which shells make one of these, and no pattern.
    Either(Vec<Text<'a>>),
    /// `~` at the start of the word: the home directory.
    Home,
    /// `$NAME`, `${NAME}`.
    Parameter {
        /// The name.
        name: &'a [u8],
        /// Does it stand between double quotes? If not, its value is split and taken as a pattern,
        /// except in zsh.
        quoted: bool,
    },
    /// `${NAME:-word}`, `${NAME%word}` and the like: a value computed from the parameter's.
    Computed {
        /// The name.
        name: &'a [u8],
        /// How.
        operation: Operation<'a>,
        /// Does it stand between double quotes?
        quoted: bool,
    },
    /// A number that only the running shell knows, or a part of one.
    Number,
    /// `$(( … ))`.
    Arithmetic(Box<Arithmetic<'a>>),
    /// Decimal digits, at least one, that only the running shell knows: `$?`, `$#`, `${#NAME}`.
    Count,
    /// `${PIPESTATUS[0]}`, `${PIPESTATUS[@]}`: decimal numbers, or nothing. zsh and yash have no
    /// such variable, and dash and busybox end at it.
    Statuses {
        /// May there be several, or none between double quotes?
        many: bool,
        /// Does it stand between double quotes?
        quoted: bool,
    },
    /// `$( … )`.
    Substitution {
        /// What runs.
        list: List<'a>,
        /// Does it stand between double quotes?
        quoted: bool,
    },
    /// `<( … )`, a word of its own: the name of a pipe into which this prints.
    Output(List<'a>),
    /// `*`, `?`, `[…]`, not quoted: the word is a pattern for names.
    Pattern(Pattern<'a>),
    /// `{a,b}`, `{1..3}`, not quoted: several words in bash and zsh, this text in dash.
    Braces(Box<Braces<'a>>),
}

/// What a value is computed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation<'a> {
    /// `:-`, `-`, `:+`, `+`, `#`, `##`, `%` or `%%`.
    pub operator: &'a [u8],
    /// What stands behind it: behind the last four perhaps with a `*` at one end, for any text.
    pub word: &'a [u8],
}

/// What `$(( … ))` computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arithmetic<'a> {
    /// Each takes what it needs from the results so far, and leaves its own. One is left.
    pub steps: Vec<Calculation<'a>>,
}

/// A step of a calculation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Calculation<'a> {
    /// A number of few digits.
    Number(i64),
    /// `NAME`: the shell computes its value.
    Variable(&'a [u8]),
    /// `$NAME`, `${NAME}`: the text of its value, put in as it is.
    Value {
        /// The name.
        name: &'a [u8],
        /// Does a minus stand in front of it?
        follows_minus: bool,
    },
    /// `-` in front of the last result.
    Negate,
    /// Applied to the last two results.
    Apply(Operator),
}

/// The operators that all shells have alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: towards zero. By zero it is an error.
    Divide,
    /// `%`: with the sign of the left side. By zero it is an error.
    Remainder,
}

/// What braces stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Braces<'a> {
    /// What each of the words has in this place, in their order: texts and patterns.
    pub choices: Vec<Vec<Piece<'a>>>,
    /// What stands there, for shells that leave it alone: texts and patterns.
    pub literal: Vec<Piece<'a>>,
}

impl Piece<'_> {
    /// Can what it makes be no other number of words than one?
    pub fn is_quoted(&self) -> bool {
        match self {
            Piece::Parameter { quoted, .. }
            | Piece::Computed { quoted, .. }
            | Piece::Substitution { quoted, .. } => *quoted,
            Piece::Statuses { many, quoted } => *quoted && !many,
            Piece::Text(_)
            | Piece::Either(_)
            | Piece::Arithmetic(_)
            | Piece::Output(_)
            | Piece::Home
            | Piece::Number
            | Piece::Count => true,
            Piece::Pattern(_) | Piece::Braces { .. } => false,
        }
    }
}

/// An element of a pattern (POSIX 2.13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern<'a> {
    /// `*`: any string, also none.
    Star,
    /// `**` as a whole component: in zsh, any directories down from here; elsewhere the same as
    /// `*`.
    Deep,
    /// `?`: any character.
    Question,
    /// `[…]`, `[!…]`: one of these characters, or none of these.
    Class(Box<Class<'a>>),
}

/// Characters of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class<'a> {
    /// As it stands in the line.
    pub text: &'a [u8],
    /// Does `!` stand in front?
    pub negated: bool,
    /// Ranges of ASCII characters, both ends included.
    pub ranges: Vec<(u8, u8)>,
}

impl Pattern<'_> {
    /// As it stands in a line.
    pub fn text(&self) -> &[u8] {
        match self {
            Pattern::Star => b"*",
            Pattern::Deep => b"**",
            Pattern::Question => b"?",
            Pattern::Class(class) => class.text,
        }
    }
}

/// A redirection of one descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection<'a> {
    /// Where it stands, its descriptor number included.
    pub span: Span,
    /// The descriptor.
    pub descriptor: u8,
    /// What becomes of the descriptor.
    pub target: Target<'a>,
}

/// What a redirection attaches a descriptor to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// `<file`: opened for reading. Of expansions it holds only variables between double quotes.
    Read(Argument<'a>),
    /// `>file`, `>>file`, `>|file`: the same, opened for writing, and made if missing.
    Write(Argument<'a>),
    /// `>&N`, `<&N`: a copy of descriptor N.
    Duplicate(u8),
    /// `>&-`, `<&-`: closed.
    Close,
    /// `<<E`, `<<-E`: the lines up to a line `E`. What is expanded in them, if anything is. Also
    /// `< <( … )`: what that prints.
    Document(Argument<'a>),
    /// `<<<WORD`: the word as a text. dash runs nothing of such a line.
    Text(Argument<'a>),
}
