//! What the guard believes about shells and trees, as one value.

/// The beliefs that a verdict rests on. [`Semantics::MEASURED`] is what real shells were seen to do
/// and the only value the program uses. Every other value is a guard that is wrong in one place:
/// the oracle must be able to prove it wrong, or its silence about the real one means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// What a `cd` does.
    pub cd: Cd,
    /// What it takes for a path to be in scope.
    pub containment: Containment,
    /// What it takes for a line to be allowed.
    pub verdict: VerdictRule,
}

/// Beliefs about `cd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cd {
    /// It may fail, and moves what comes after it in the same shell.
    Measured,
    /// Wrong: it never fails.
    AlwaysSucceeds,
    /// Wrong: it is harmless and moves nothing.
    NoEffect,
}

/// Beliefs about scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// The resolved path is a root or stands below one, by whole names.
    Resolved,
    /// Wrong: the text of the path begins with the text of a root.
    TextPrefix,
}

/// Beliefs about lines of several segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictRule {
    /// A line is allowed only if every segment is.
    EverySegment,
    /// Wrong: one allowed segment allows the line.
    AnySegment,
}

impl Semantics {
    /// What was measured.
    pub const MEASURED: Semantics = Semantics {
        cd: Cd::Measured,
        containment: Containment::Resolved,
        verdict: VerdictRule::EverySegment,
    };
}
