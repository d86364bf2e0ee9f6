//! Why a line is not understood.

use crate::span::Span;
use std::fmt;

/// The first place of a line at which the recogniser stopped, and why. It means neither that the
/// line is wrong nor that it is dangerous: only that the guard makes no claim about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUnderstood {
    /// What stands there.
    pub construct: Construct,
    /// Where it stands.
    pub span: Span,
}

/// What the recogniser does not accept. Each has a name that stays stable and a sentence that says
/// why, where possible by a shell that reads it in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[rustfmt::skip]
#[allow(missing_docs)] // each variant's meaning is its row in `describe`, in one place
pub enum Construct {
    Empty, TooLong, TooDeep, TooManyCommands, TooManyWords,
    ControlCharacter, InvalidUtf8, InvisibleCharacter, UnquotedNonAscii, InvocationCharacter,
    Expansion, Backquote, History, Glob, Brace, Tilde, Caret, Hash, EqualsWord, Assignment,
    DollarQuote, AdjacentQuotes, UnterminatedQuote, Backslash, LineContinuation,
    Parenthesis, Arithmetic, DoubleBracket, Background, PipeBoth, OperatorRun,
    MissingCommand, NoCommand, Unexpected,
    Unclosed, BracePosition, ReservedWord, CommandWord, OpaqueCommand,
    Heredoc, RedirectionForm, DescriptorNumber, RedirectionTarget, RedirectionAlone,
    StartDirectory, UnknownFile, ArithmeticValue,
}

impl Construct {
    /// A stable name for machines: `expansion`, `reserved-word`, …
    pub fn name(self) -> &'static str {
        self.describe().0
    }

    /// Why it is not understood, as a sentence without a full stop.
    pub fn why(self) -> &'static str {
        self.describe().1
    }

    // tidy: table
    #[rustfmt::skip]
    fn describe(self) -> (&'static str, &'static str) {
        use Construct::*;
        match self {
            Empty => ("empty", "there is no command in the line"),
            TooLong => ("too-long", "the line is longer than 64 KiB"),
            TooDeep => ("too-deep", "commands are nested deeper than 64 levels"),
            TooManyCommands => ("too-many-commands", "the line holds more than 1,000 simple commands"),
            TooManyWords => ("too-many-words", "the line holds more than 2,048 words and expansions"),
            ControlCharacter => ("control-character", "control characters other than newline and tab are not read alike by shells and terminals"),
            InvalidUtf8 => ("invalid-utf8", "the bytes are no UTF-8, and what a shell makes of them depends on its locale"),
            InvisibleCharacter => ("invisible-character", "an invisible or direction-changing character makes the line look other than it is"),
            UnquotedNonAscii => ("unquoted-non-ascii", "zsh takes letters beyond ASCII as parts of names where the others do not; quote them"),
            InvocationCharacter => ("invocation-character", "the way in which the text reaches the shell changes this character"),
            Expansion => ("expansion", "the shells do not agree on this expansion, or it may not stand here"),
            Backquote => ("backquote", "a command substitution in backquotes runs what is in it"),
            History => ("history", "an interactive shell replaces '!' from its history"),
            Glob => ("glob", "the shells do not agree on this pattern, or none may stand here"),
            Brace => ("brace", "the shells do not agree on these braces"),
            Tilde => ("tilde", "shells expand '~' in different places"),
            Caret => ("caret", "zsh takes '^' here as a pattern under EXTENDED_GLOB"),
            Hash => ("hash", "the shells do not agree on a '#' that stands here"),
            EqualsWord => ("equals-word", "zsh replaces '=name' by the path of a program"),
            Assignment => ("assignment", "assigning this changes what a shell itself does"),
            DollarQuote => ("dollar-quote", "dash reads $'…' and $\"…\" as a dollar and a quoted word"),
            AdjacentQuotes => ("adjacent-quotes", "zsh reads '' inside single quotes as one quote under RC_QUOTES"),
            UnterminatedQuote => ("unterminated-quote", "the quote is not closed"),
            Backslash => ("backslash", "the shells do not agree on a backslash before this"),
            LineContinuation => ("line-continuation", "a backslash before a newline is understood between blanks only"),
            Parenthesis => ("parenthesis", "a parenthesis next to a word is a function, a pattern or an array"),
            Arithmetic => ("arithmetic", "'((' is arithmetic in bash and zsh and a nested subshell in dash"),
            DoubleBracket => ("double-bracket", "dash takes '[[' for a command, and what follows '||' in it for another one"),
            Background => ("background", "the shells do not agree on an '&' in this place"),
            PipeBoth => ("pipe-both", "dash has no '|&'"),
            OperatorRun => ("operator-run", "shells do not agree on operators that follow one another"),
            MissingCommand => ("missing-command", "a command is missing here; zsh accepts that, the others do not"),
            NoCommand => ("no-command", "no command runs where this opens a file or looks at one"),
            Unexpected => ("unexpected", "this cannot stand here"),
            Unclosed => ("unclosed", "this group is not closed"),
            BracePosition => ("brace-position", "only zsh takes a brace here as the start or end of a group"),
            ReservedWord => ("reserved-word", "a reserved word starts a construct that is not understood"),
            CommandWord => ("command-word", "shells do not agree on a command name of this form"),
            OpaqueCommand => ("opaque-command", "this command runs or changes what its arguments or the rest of the line mean"),
            Heredoc => ("heredoc", "the shells do not agree on this here-document, or it does not end"),
            RedirectionForm => ("redirection-form", "the shells do not agree on this redirection"),
            DescriptorNumber => ("descriptor-number", "a descriptor is one digit that follows a blank; bash reads longer numbers as descriptors, dash and zsh as words"),
            RedirectionTarget => ("redirection-target", "a redirection's target is a plain word that starts with a letter, digit, '_', '.', '/' or a quote, with variables only between double quotes"),
            UnknownFile => ("unknown-file", "which file this opens is not known before the line runs"),
            ArithmeticValue => ("arithmetic-value", "shells compute the text of a variable here, which may run commands: only decimal numbers that the line itself sets are known to be harmless"),
            StartDirectory => ("start-directory", "the directory that the line starts in cannot be used"),
            RedirectionAlone => ("redirection-alone", "zsh runs a program for a redirection without a command"),
        }
    }
}

impl fmt::Display for NotUnderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.construct.why())
    }
}
