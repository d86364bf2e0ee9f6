//! What the guard believes about shells and trees, as one value.

/// The beliefs that a verdict rests on. [`Semantics::MEASURED`] is what real shells were seen to do
/// and the only value the program uses. Every other value is a guard that is wrong in one place:
/// the oracle must be able to prove it wrong, or its silence about the real one means nothing.
///
/// Each belief is asked in one place of the guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// What a `cd` does.
    pub cd: Cd,
    /// What a subshell is.
    pub subshells: Subshells,
    /// What the last stage of a pipeline is.
    pub last_stage: LastStage,
    /// When the right side of `||` runs.
    pub or: Or,
    /// Whether a redirection can keep its command from running.
    pub redirections: Redirections,
    /// Whether a redirection touches what it names.
    pub targets: Targets,
    /// What becomes of command substitutions.
    pub substitutions: Substitutions,
    /// What an assignment before a command can do.
    pub prefixes: Prefixes,
    /// How the kernel reads the path that a command names.
    pub operands: Operands,
    /// What a command that runs another one does with it.
    pub inner: Inner,
    /// What git does with the repository that it finds.
    pub repository: Repository,
    /// What a command that walks a directory does with the links in it.
    pub walks: Walks,
    /// What it takes for a path to be in scope.
    pub containment: Containment,
    /// What it takes for a line to be allowed.
    pub verdict: VerdictRule,
}

/// Beliefs about `cd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cd {
    /// It may fail, moves what comes after it in the same shell, and takes `..` by the text.
    Measured,
    /// Wrong: it never fails.
    AlwaysSucceeds,
    /// Wrong: it is harmless and moves nothing.
    NoEffect,
    /// Wrong: it takes `..` as the kernel does.
    Physical,
    /// Wrong: `cd -` goes nowhere.
    NeverBack,
}

/// Beliefs about subshells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subshells {
    /// Copies of the shell: what happens in one ends with it.
    Copies,
    /// Wrong: the shell itself.
    TheShell,
}

/// Beliefs about the last stage of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastStage {
    /// A copy of the shell in some shells, the shell itself in others.
    Either,
    /// Wrong: a copy in all.
    Copy,
}

/// Beliefs about `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Or {
    /// After a failure.
    RunsAfterFailure,
    /// Wrong: never.
    NeverRuns,
}

/// Beliefs about redirections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirections {
    /// One that fails keeps its command from running.
    MayFail,
    /// Wrong: they never fail.
    NeverFail,
}

/// Beliefs about what redirections name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// It is opened.
    Opened,
    /// Wrong: it is no path that counts.
    Harmless,
}

/// Beliefs about command substitutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Substitutions {
    /// What stands in them runs.
    Run,
    /// Wrong: they are text.
    AreText,
}

/// Beliefs about assignments before a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixes {
    /// Some change what the command does.
    Matter,
    /// Wrong: none does.
    AreHarmless,
}

/// Beliefs about operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// The kernel takes `..` from where the links before it lead.
    Physical,
    /// Wrong: it takes a name away, as `cd` does.
    Logical,
}

/// Beliefs about commands that run others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// What they run is judged like any other command.
    Judged,
    /// Wrong: what this one runs is harmless.
    HarmlessOf(&'static str),
}

/// Beliefs about git repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repository {
    /// Where it lies and what its configuration says is looked at.
    Looked,
    /// Wrong: every repository is harmless.
    Trusted,
}

/// Beliefs about walks through directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walks {
    /// Some options, and some tools, follow the links they meet.
    MayFollow,
    /// Wrong: nothing follows a link that no word names.
    NeverFollow,
}

/// Beliefs about scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// The resolved path is a root or stands below one, by whole names.
    Resolved,
    /// Wrong: the text of the path begins with the text of a root.
    TextPrefix,
    /// Wrong: so is every path that is not absolute.
    Relative,
    /// Wrong: so is everything that is only looked at or listed.
    Looks,
}

/// Beliefs about lines of several segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictRule {
    /// A line is allowed only if every segment is.
    EverySegment,
    /// Wrong: one allowed segment allows the line.
    AnySegment,
    /// Wrong: what its first segment does decides.
    FirstSegment,
}

impl Semantics {
    /// What was measured.
    pub const MEASURED: Semantics = Semantics {
        cd: Cd::Measured,
        subshells: Subshells::Copies,
        last_stage: LastStage::Either,
        or: Or::RunsAfterFailure,
        redirections: Redirections::MayFail,
        targets: Targets::Opened,
        substitutions: Substitutions::Run,
        prefixes: Prefixes::Matter,
        operands: Operands::Physical,
        inner: Inner::Judged,
        repository: Repository::Looked,
        walks: Walks::MayFollow,
        containment: Containment::Resolved,
        verdict: VerdictRule::EverySegment,
    };
}
