//! How fast the oracle is, against what its shells cost alone and against a harness without an
//! oracle, all measured in the same run on the same lines.
//!
//! The ways of running a line take turns every few lines, on every processor at once, so that
//! whatever else the machine does slows all of them alike. A case counts from the guard's verdict
//! to the last judgement: one line, in bash, dash and zsh, contained, in its own tree, observed,
//! freed of what the shell does at its start, judged.

mod figures;
mod lines;
mod way;

pub use figures::{ByPrograms, Figures, PerRun, Report};
pub use way::Way;

use crate::engine::{Engine, EngineConfig, EngineError, RunError};
use crate::installations::{Installation, installations};
use crate::processors;
use figures::{Timed, Times};
use shfence_corpus::Case;
use std::fmt;
use std::io;
use std::path::Path;
use way::Runner;

/// The shells that every line runs in.
const SHELLS: [&str; 3] = ["bash", "dash", "zsh"];

/// Lines after which the next way has its turn.
const TURN: usize = 20;

/// What the naive harness is made of.
const STRACE: &str = "/usr/bin/strace";

/// What to measure.
#[derive(Clone, Debug)]
pub struct Bench {
    /// How many lines run in every way but the naive one.
    pub lines: usize,
    /// Every how many lines one runs in the naive way as well.
    pub naive_every: usize,
    /// How many workers run lines at once, each on a processor of its own.
    pub jobs: usize,
}

/// Why nothing was measured.
#[derive(Debug)]
pub enum BenchError {
    /// These are not installed.
    Missing(Vec<&'static str>),
    /// There is no engine.
    Engine(EngineError),
    /// The program does not know where it is itself.
    Program(io::Error),
    /// A line could not be run.
    Run(RunError),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Missing(what) => {
                let what = what.join(" ");
                write!(f, "not installed: {what}; install them (apt-get install {what})")
            }
            BenchError::Engine(error) => error.fmt(f),
            BenchError::Program(error) => write!(f, "this program's own path is unknown: {error}"),
            BenchError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BenchError {}

impl Bench {
    /// Measures.
    pub fn run(&self) -> Result<Report, BenchError> {
        let shells = shells()?;
        let config = EngineConfig::of_this_program().map_err(BenchError::Program)?;
        let mut processors = processors::usable().into_iter().map(Some).cycle();
        let mut workers = Vec::new();
        for _ in 0..self.jobs.max(1) {
            let cpu = processors.next().flatten();
            let engine = |way: Way| Engine::start(&EngineConfig { cpu, ..way.config(&config) });
            let runners: Result<Vec<Runner>, EngineError> = Way::ALL
                .into_iter()
                .map(|way| Ok(Runner::new(way, engine(way)?, shells.clone())))
                .collect();
            workers.push((cpu, runners.map_err(BenchError::Engine)?));
        }
        let lines = lines::lines(self.lines);
        let share = lines.len().div_ceil(workers.len());
        let mut times = Vec::new();
        std::thread::scope(|scope| {
            let threads: Vec<_> = workers
                .into_iter()
                .zip(lines.chunks(share))
                .map(|((cpu, runners), lines)| {
                    scope.spawn(move || {
                        processors::stay_on(cpu);
                        self.work(runners, lines)
                    })
                })
                .collect();
            for thread in threads {
                times.push(thread.join().expect("a thread that measures does not panic")?);
            }
            Ok(())
        })
        .map_err(BenchError::Run)?;
        Ok(Report::of(&times, &lines))
    }

    /// Runs these lines in each way, and says how long each took.
    fn work(&self, mut runners: Vec<Runner>, lines: &[Case]) -> Result<Times, RunError> {
        let mut times = Times::default();
        for runner in &mut runners {
            runner.warm_up(&lines[0])?;
        }
        let mut first = 0_usize;
        for some in lines.chunks(TURN) {
            for runner in &mut runners {
                for (line, case) in (first..).zip(some) {
                    let is_naive_too = line.is_multiple_of(self.naive_every);
                    if runner.way != Way::Naive || is_naive_too {
                        let (time, work) = runner.time(case)?;
                        times.add(runner.way, Timed { line, is_naive_too, time, work });
                    }
                }
            }
            first += some.len();
        }
        Ok(times)
    }
}

/// The shells that are measured; an error names what is missing, strace included.
fn shells() -> Result<Vec<Installation>, BenchError> {
    let installed = installations();
    let find = |name: &&str| installed.iter().find(|it| it.id.name == **name).cloned();
    let shells: Vec<Installation> = SHELLS.iter().filter_map(find).collect();
    let lacks = |name: &&str| !shells.iter().any(|it| it.id.name == **name);
    let mut missing: Vec<&str> = SHELLS.into_iter().filter(lacks).collect();
    if !Path::new(STRACE).exists() {
        missing.push("strace");
    }
    if missing.is_empty() { Ok(shells) } else { Err(BenchError::Missing(missing)) }
}
