//! The tree of a line: what every configured shell reads in it.
//!
//! The names are POSIX's (XCU 2.9 and 2.10). A tree holds no construct that the shells read
//! differently: the recogniser refuses those, so that nothing after it has to think of them.

use crate::span::Span;

/// A list: and-or lists, run one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// In order; separated by `;` or newlines. Never empty.
    pub items: Vec<AndOr>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AndOr {
    /// The pipeline that always runs.
    pub first: Pipeline,
    /// The others, each with what stands before it.
    pub rest: Vec<(Connector, Pipeline)>,
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
pub struct Pipeline {
    /// The stages, in order. Never empty; one stage is no pipeline, but a command.
    pub stages: Vec<Command>,
}

/// One stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A program or built-in with its words.
    Simple(Simple),
    /// `( … )` or `{ …; }`.
    Compound(Compound),
}

/// A simple command: words and redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple {
    /// From its first to its last byte, redirections included.
    pub span: Span,
    /// The command name and its arguments. Never empty.
    pub words: Vec<Word>,
    /// In the order in which they are made.
    pub redirections: Vec<Redirection>,
}

/// A list that is grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound {
    /// How.
    pub grouping: Grouping,
    /// What is in it.
    pub body: List,
    /// Redirections of the group as a whole.
    pub redirections: Vec<Redirection>,
}

/// The two ways to group a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// `( … )`: in a copy of the shell, so that a `cd` in it ends with it.
    Subshell,
    /// `{ …; }`: in the shell itself.
    Braces,
}

/// A word whose value every shell computes alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Its value after quote removal.
    pub text: Vec<u8>,
    /// Is any part of it quoted? A quoted word is no reserved word.
    pub quoted: bool,
}

/// A redirection of one descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// Where it stands, its descriptor number included.
    pub span: Span,
    /// What becomes of the descriptor.
    pub target: Target,
}

/// What a redirection attaches a descriptor to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `<file`: opened for reading.
    Read(Word),
    /// `>file`, `>>file`, `>|file`: opened for writing, made if missing.
    Write(Word),
    /// `>&N`, `<&N`: a copy of descriptor N.
    Duplicate(u8),
    /// `>&-`, `<&-`: closed.
    Close,
}
