//! The ways in which lines are run.

use crate::engine::{Engine, EngineConfig, Lane, RunError, Start};
use crate::guards::{Guard, Linked};
use crate::installations::Installation;
use crate::judge::judge;
use crate::lab::Lab;
use crate::trace::Trace;
use shfence_corpus::{Case, Text};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A way to run a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Warm shells and probes.
    Probe,
    /// Warm shells and real tools.
    WarmReal,
    /// Executed shells and real tools.
    Real,
    /// Executed shells and real tools under strace.
    Naive,
    /// Executed shells and probes, with nobody looking and nobody judging.
    Floor,
    /// The same with real tools.
    FloorReal,
}

impl Way {
    /// All of them, in the order in which they take turns.
    pub const ALL: [Way; 6] =
        [Way::Probe, Way::WarmReal, Way::Real, Way::Naive, Way::Floor, Way::FloorReal];

    pub(super) fn config(self, config: &EngineConfig) -> EngineConfig {
        let (lane, start) = match self {
            Way::Probe => (Lane::probe(), Start::Warm),
            Way::WarmReal => (Lane::Real, Start::Warm),
            Way::Real => (Lane::Real, Start::Exec),
            Way::Naive => (Lane::Real, Start::Straced),
            Way::Floor => (Lane::probe(), Start::Unseen),
            Way::FloorReal => (Lane::Real, Start::Unseen),
        };
        EngineConfig { lane, start, ..config.clone() }
    }

    /// Is anything seen, so that it can be judged?
    fn observes(self) -> bool {
        matches!(self, Way::Probe | Way::WarmReal | Way::Real)
    }
}

/// What runs did, as far as it was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) runs: usize,
    pub(super) processes: usize,
    pub(super) programs: usize,
    pub(super) touches: usize,
}

impl Work {
    fn note(&mut self, trace: &Trace) {
        self.runs += 1;
        self.processes += trace.processes.len();
        self.programs += trace.execs.len();
        self.touches += trace.touches.len();
    }

    pub(super) fn and(self, other: Work) -> Work {
        Work {
            runs: self.runs + other.runs,
            processes: self.processes + other.processes,
            programs: self.programs + other.programs,
            touches: self.touches + other.touches,
        }
    }
}

/// An engine for one way.
pub(super) struct Runner {
    pub(super) way: Way,
    lab: Lab,
}

impl Runner {
    pub(super) fn new(way: Way, engine: Engine, shells: Vec<Installation>) -> Runner {
        Runner { way, lab: Lab::of(engine, shells) }
    }

    /// Starts whatever is started once.
    pub(super) fn warm_up(&mut self, case: &Case) -> Result<(), RunError> {
        self.run(case).map(drop)
    }

    /// Runs a case in every shell, and says how long that took and what was seen.
    pub(super) fn time(&mut self, case: &Case) -> Result<(Duration, Work), RunError> {
        if self.way == Way::Naive {
            // Its tree is made beforehand: a copy of it is made for each run.
            self.run(&Case { line: Text::from(":"), ..case.clone() })?;
        }
        let start = Instant::now();
        let work = self.run(case)?;
        Ok((start.elapsed(), work))
    }

    fn run(&mut self, case: &Case) -> Result<Work, RunError> {
        let mut work = Work::default();
        if !self.way.observes() {
            return self.lab.run_unseen(case).map(|()| work);
        }
        let prediction = Linked.predict(case);
        for trace in self.lab.run(case)? {
            work.note(&trace);
            if let Ok(prediction) = &prediction {
                black_box(judge(prediction, &trace));
            }
        }
        Ok(work)
    }
}
