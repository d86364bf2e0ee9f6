//! Lines: commands and what joins them.

use super::Word;

/// What stands between two pipelines of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// `&&`
    And,
    /// `;`
    Semicolon,
    /// A new line, or a new line after a line that is a comment.
    Newline(Option<&'static str>),
    /// `||`
    Or,
}

/// Pipelines, one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct List {
    first: Pipeline,
    rest: Vec<(Join, Pipeline)>,
}

/// Commands that feed each other; one command is the usual case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pipeline(pub(crate) Vec<Command>);

/// A command with its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) body: Body,
    pub(crate) redirects: Vec<Redirect>,
    /// Do the redirections stand before the words? (Of a compound they stand behind, always.)
    pub(crate) redirects_first: bool,
}

/// What a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Words.
    Simple(Vec<Word>),
    /// `( list )`
    Subshell(List),
    /// `{ list; }`
    Braces(List),
    /// Source that stands for a command or a list: keywords, assignments, substitutions.
    Source(String),
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    /// The operator with its descriptor: `>`, `2>`, `<`.
    pub(crate) operator: &'static str,
    pub(crate) target: Target,
}

/// Where a redirection goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file.
    File(Word),
    /// A descriptor: the operator ends in `&`, and nothing may come between.
    Descriptor(&'static str),
}

impl List {
    /// A list of one.
    pub(crate) fn of(first: impl Into<Pipeline>) -> List {
        List { first: first.into(), rest: Vec::new() }
    }

    /// The list with one more pipeline.
    #[must_use]
    pub(crate) fn then(mut self, join: Join, next: impl Into<Pipeline>) -> List {
        self.rest.push((join, next.into()));
        self
    }

    /// The list with all of another behind it.
    #[must_use]
    pub(crate) fn append(mut self, join: Join, next: List) -> List {
        self.rest.push((join, next.first));
        self.rest.extend(next.rest);
        self
    }

    /// Its first pipeline.
    pub(crate) fn first(&self) -> &Pipeline {
        &self.first
    }

    /// The others, each with what stands before it.
    pub(crate) fn rest(&self) -> &[(Join, Pipeline)] {
        &self.rest
    }
}

impl Command {
    /// A command without redirections.
    pub(crate) fn new(body: Body) -> Command {
        Command { body, redirects: Vec::new(), redirects_first: false }
    }

    /// A simple command.
    pub(crate) fn simple(words: Vec<Word>) -> Command {
        Command::new(Body::Simple(words))
    }

    /// The command with one more redirection.
    #[must_use]
    pub(crate) fn redirected(mut self, redirect: Redirect) -> Command {
        self.redirects.push(redirect);
        self
    }
}

impl From<Command> for Pipeline {
    fn from(command: Command) -> Pipeline {
        Pipeline(vec![command])
    }
}
