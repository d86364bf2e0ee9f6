//! The families: what a case is about.

use crate::families::*;
use crate::scene::Scene;
use crate::text::List;
use std::fmt;

/// What a case is about. A case has one; a second family may add an act of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// A `cd` and the segments that run under its effect.
    CdGroup,
    /// Walks with `..`, logical (`cd`) and physical (operands), also behind links.
    DotDot,
    /// Symbolic links: in, out, up, chained, dangling, looping, to files, to the look-alike.
    Links,
    /// Where the effect of a `cd` ends: subshells, groups, pipeline stages.
    Scoping,
    /// A `cd` that fails, or does not do what it looks like.
    FailedCd,
    /// The same words in other quotes, and names that need them.
    Quoting,
    /// `CDPATH`, `HOME`, `OLDPWD`, `PWD`.
    Environment,
    /// Redirections, above all those that keep a command from running.
    Redirection,
    /// Verbs, their options and operands, without a `cd`.
    Verbs,
    /// Expansions and keywords, outside the grammar that every shell reads alike.
    Expansion,
    /// The decoys, far from the tree, by absolute paths and ways up.
    System,
    /// A git repository in the project, plain or hostile.
    Repository,
    /// Patterns, braces, tildes.
    Patterns,
    /// Commands that reach further than their operands: they run others, walk, only look.
    Running,
    /// Comments, here-documents, parameters, branches and loops.
    Texts,
    /// Tools and their own ways to files: options, scripts, another directory, a tree that changes.
    Tools,
    /// Text that becomes code, names that become other commands.
    Code,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 17] = [
        Family::CdGroup,
        Family::DotDot,
        Family::Links,
        Family::Scoping,
        Family::FailedCd,
        Family::Quoting,
        Family::Environment,
        Family::Redirection,
        Family::Verbs,
        Family::Expansion,
        Family::System,
        Family::Repository,
        Family::Patterns,
        Family::Running,
        Family::Texts,
        Family::Tools,
        Family::Code,
    ];

    /// `cd-group`, `dot-dot`, …
    pub fn name(self) -> &'static str {
        match self {
            Family::CdGroup => "cd-group",
            Family::DotDot => "dot-dot",
            Family::Links => "links",
            Family::Scoping => "scoping",
            Family::FailedCd => "failed-cd",
            Family::Quoting => "quoting",
            Family::Environment => "environment",
            Family::Redirection => "redirection",
            Family::Verbs => "verbs",
            Family::Expansion => "expansion",
            Family::System => "system",
            Family::Repository => "repository",
            Family::Patterns => "patterns",
            Family::Running => "running",
            Family::Texts => "texts",
            Family::Tools => "tools",
            Family::Code => "code",
        }
    }

    /// Plants what the family needs and turns the knobs it is about.
    pub(crate) fn prepare(self, scene: &mut Scene<'_, '_>) {
        match self {
            Family::CdGroup => cd_group::prepare(scene),
            Family::DotDot => dot_dot::prepare(scene),
            Family::Links => links::prepare(scene),
            Family::Scoping => scoping::prepare(scene),
            Family::FailedCd => failed_cd::prepare(scene),
            Family::Quoting => quoting::prepare(scene),
            Family::Environment => environment::prepare(scene),
            Family::Redirection => redirection::prepare(scene),
            Family::Verbs => verbs::prepare(scene),
            Family::Expansion => expansion::prepare(scene),
            Family::System => system::prepare(scene),
            Family::Repository => repository::prepare(scene),
            Family::Patterns => patterns::prepare(scene),
            Family::Running => running::prepare(scene),
            Family::Texts => texts::prepare(scene),
            Family::Tools => tools::prepare(scene),
            Family::Code => code::prepare(scene),
        }
    }

    /// Says the family's part of the line.
    pub(crate) fn act(self, scene: &mut Scene<'_, '_>) -> List {
        match self {
            Family::CdGroup => cd_group::act(scene),
            Family::DotDot => dot_dot::act(scene),
            Family::Links => links::act(scene),
            Family::Scoping => scoping::act(scene),
            Family::FailedCd => failed_cd::act(scene),
            Family::Quoting => quoting::act(scene),
            Family::Environment => environment::act(scene),
            Family::Redirection => redirection::act(scene),
            Family::Verbs => verbs::act(scene),
            Family::Expansion => expansion::act(scene),
            Family::System => system::act(scene),
            Family::Repository => repository::act(scene),
            Family::Patterns => patterns::act(scene),
            Family::Running => running::act(scene),
            Family::Texts => texts::act(scene),
            Family::Tools => tools::act(scene),
            Family::Code => code::act(scene),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
