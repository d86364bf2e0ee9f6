//! The pairs of ways, and what is counted of each.

use super::Essence;
use crate::trace::{Exec, Status, TouchKind, Trace};
use shfence_corpus::{Case, Text};
use std::collections::BTreeSet;

/// Two ways to run a case that must come to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// The same way twice.
    Again,
    /// Executed, and from a warm shell.
    Start,
    /// Observed by the filter's notifications, and by ptrace.
    Observer,
    /// With real tools, and with probes: what the shell itself did, and what it started.
    Lane,
}

impl Pair {
    /// All of them.
    pub const ALL: [Pair; 4] = [Pair::Again, Pair::Start, Pair::Observer, Pair::Lane];

    /// What the two ways are called.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Pair::Again => ("once", "again"),
            Pair::Start => ("exec", "warm"),
            Pair::Observer => ("notify", "ptrace"),
            Pair::Lane => ("real", "probe"),
        }
    }

    pub(super) fn ways(self) -> (Way, Way) {
        match self {
            Pair::Again => (Way::Executed, Way::Executed),
            Pair::Start => (Way::Executed, Way::Warm),
            Pair::Observer => (Way::Executed, Way::Followed),
            // Who follows knows how the verbs ended.
            Pair::Lane => (Way::Followed, Way::Probes),
        }
    }

    pub(super) fn essence(self, trace: &Trace) -> Essence {
        match self {
            Pair::Again | Pair::Start | Pair::Observer => Essence::of(trace),
            Pair::Lane => Essence::of_the_shell(trace),
        }
    }

    /// Can the two be the same at all? A probe succeeds, prints nothing and changes nothing: what a
    /// line makes of its verbs' failures or output it cannot make of a probe's.
    pub(super) fn can_be_compared(self, case: &Case, real: &Trace, probes: &Trace) -> bool {
        self != Pair::Lane
            || (real.execs.iter().all(|exec| succeeds(exec, real) && is_probed(exec, probes))
                && !takes_output(&case.line)
                && !reads_what_it_wrote(real)
                && ![real.status, probes.status].contains(&Status::TimedOut))
    }
}

fn succeeds(exec: &Exec, trace: &Trace) -> bool {
    let process = trace.process(exec.pid);
    process.is_some_and(|it| it.ended == Some(Status::Exited(0)))
}

/// Is this a verb that a shell found in PATH, and has the other run started one of that name? A
/// name without a probe is no program there.
fn is_probed(exec: &Exec, probes: &Trace) -> bool {
    let by_name = exec.argv.first().is_some_and(|name| !name.contains(&b'/'));
    by_name && probes.execs.iter().any(|it| it.argv.first() == exec.argv.first())
}

/// Does the line use what a verb prints, other than to print it?
fn takes_output(line: &Text) -> bool {
    let uses: [&[u8]; 6] = [b"$(", b"`", b"<(", b">(", b"read", b"xargs"];
    uses.iter().any(|word| line.windows(word.len()).any(|part| part == *word))
}

/// A verb's output, in a file that the line then sources or tests.
fn reads_what_it_wrote(trace: &Trace) -> bool {
    let places = |kinds: &[TouchKind]| -> BTreeSet<&Text> {
        let touches = trace.touches.iter().filter(|touch| kinds.contains(&touch.kind));
        touches.map(|touch| &touch.resolved).filter(|it| !it.starts_with(b"/dev/")).collect()
    };
    let written = places(&[TouchKind::Write]);
    places(&[TouchKind::Read, TouchKind::Exec, TouchKind::Test])
        .iter()
        .any(|it| written.contains(it))
}

/// A way to run a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Executed, with real tools, observed by notification.
    Executed,
    /// The same, but from a warm shell.
    Warm,
    /// The same as executed, but observed by ptrace.
    Followed,
    /// The same as executed, but with probes.
    Probes,
}

/// What came of holding one way against the other.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The same at once.
    Same,
    /// The same, but not at once.
    Raced,
    /// They cannot be compared.
    Apart,
    /// Never the same; what differed, a line each.
    Differs(String),
}

/// How often a pair gave what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The same at once.
    pub same: u64,
    /// The same after having been tried again.
    pub raced: u64,
    /// Not compared: the two ways cannot be the same.
    pub apart: u64,
    /// Never the same.
    pub differ: u64,
}

impl Count {
    pub(super) fn add(&mut self, verdict: &Verdict) {
        let count = match verdict {
            Verdict::Same => &mut self.same,
            Verdict::Raced => &mut self.raced,
            Verdict::Apart => &mut self.apart,
            Verdict::Differs(_) => &mut self.differ,
        };
        *count += 1;
    }

    /// The sum of two.
    pub fn plus(self, other: Count) -> Count {
        Count {
            same: self.same + other.same,
            raced: self.raced + other.raced,
            apart: self.apart + other.apart,
            differ: self.differ + other.differ,
        }
    }

    /// How many were compared.
    pub fn compared(&self) -> u64 {
        self.same + self.raced + self.differ
    }

    /// Was something compared, and did next to nothing have to be tried again? Being tried again
    /// would otherwise hide what is only seen at times.
    pub fn is_calm(&self) -> bool {
        self.compared() > 0 && self.raced * 50 <= self.compared()
    }
}

/// A case that is not the same in two ways.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The two ways.
    pub pair: Pair,
    /// The installation that ran it.
    pub shell: String,
    /// The case's line.
    pub line: Text,
    /// The seed of the case.
    pub seed: u64,
    /// Its index under that seed.
    pub index: u64,
    /// What differed, a line each.
    pub differences: String,
}
