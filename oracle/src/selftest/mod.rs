//! The oracle held against itself: a case that is run in two ways, of which the oracle says that
//! they are the same, must give the same trace.
//!
//! Where processes race, not even the same way twice gives the same. So a case that differs is run
//! again, both ways, until each has once given what the other gave; what never does is a
//! disagreement, and a fault of the harness. There must be few that need it.

mod essence;
mod pair;

pub use essence::Essence;
pub use pair::{Count, Disagreement, Pair};

use crate::engine::{Backend, Engine, EngineConfig, EngineError, Lane, RunError, Start};
use crate::installations::Installation;
use crate::lab::{self, Lab, LabError};
use crate::processors;
use crate::trace::Trace;
use pair::{Verdict, Way};
use shfence_corpus::Case;
use shfence_generators::{Settings, generate};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// How often a case is tried whose processes race.
const MOST_TRIES: usize = 50;

/// Which cases to compare.
#[derive(Clone, Debug)]
pub struct SelfTest {
    /// Decides, with the index, each case.
    pub seed: u64,
    /// How many cases. Each is run in one installation of each language, in turn.
    pub cases: u64,
    /// How many workers run at once.
    pub jobs: usize,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Agreement {
    /// Cases that were compared in every way.
    pub cases: u64,
    /// By pair and installation.
    pub counts: BTreeMap<(Pair, String), Count>,
    /// What was not the same.
    pub disagreements: Vec<Disagreement>,
    /// Engines that were lost, in words: the file system told of something unseen, or worse.
    pub faults: Vec<String>,
}

impl Agreement {
    /// Are all pairs the same, in all of the cases that were asked for?
    pub fn holds(&self, asked: u64) -> bool {
        self.disagreements.is_empty()
            && self.faults.is_empty()
            && self.cases == asked
            && self.total().is_calm()
    }

    /// What came of all pairs in all installations.
    pub fn total(&self) -> Count {
        self.counts.values().fold(Count::default(), |sum, count| sum.plus(*count))
    }
}

impl SelfTest {
    /// Compares. An error means that nothing can be run here.
    pub fn run(&self) -> Result<Agreement, LabError> {
        let shells = lab::shells()?;
        let mut processors = processors::usable().into_iter().map(Some).cycle();
        let jobs = 0..self.jobs.max(1);
        let benches: Vec<Bench> = jobs
            .map(|_| Bench::open(&shells, processors.next().flatten()))
            .collect::<Result<_, LabError>>()?;
        let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let agreement = Mutex::new(Agreement::default());
        std::thread::scope(|scope| {
            for bench in benches {
                scope.spawn(|| self.work(bench, &next, &stop, &agreement));
            }
        });
        Ok(agreement.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn work(
        &self,
        mut bench: Bench,
        next: &AtomicU64,
        stop: &AtomicBool,
        agreement: &Mutex<Agreement>,
    ) {
        let settings = Settings::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let over = index >= self.cases || crate::interrupt::pending().is_some();
            if over || stop.load(Ordering::Relaxed) {
                return;
            }
            let case = generate(self.seed, index, &settings).case;
            let seen = bench.compare(&case, index);
            let mut agreement = agreement.lock().unwrap_or_else(PoisonError::into_inner);
            match seen {
                Ok(verdicts) => agreement.add(verdicts, &case, self.seed, index),
                Err(error) => {
                    agreement.faults.push(format!("case {}:{index}: {error}", self.seed));
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

impl Agreement {
    fn add(&mut self, verdicts: Vec<Found>, case: &Case, seed: u64, index: u64) {
        self.cases += 1;
        for Found { pair, shell, verdict } in verdicts {
            self.counts.entry((pair, shell.clone())).or_default().add(&verdict);
            if let Verdict::Differs(differences) = verdict {
                let line = case.line.clone();
                self.disagreements.push(Disagreement {
                    pair,
                    shell,
                    line,
                    seed,
                    index,
                    differences,
                });
            }
        }
    }
}

/// What came of a pair in an installation.
struct Found {
    pair: Pair,
    shell: String,
    verdict: Verdict,
}

/// A lab for every way to run a case.
struct Bench {
    executed: Lab,
    warm: Lab,
    followed: Lab,
    probes: Lab,
}

impl Bench {
    fn open(shells: &[Installation], cpu: Option<usize>) -> Result<Bench, LabError> {
        let mut config = EngineConfig::of_this_program().map_err(LabError::Program)?;
        (config.verify, config.cpu) = (true, cpu);
        let lab = |config: EngineConfig| -> Result<Lab, EngineError> {
            Ok(Lab::of(Engine::start(&config)?, shells.to_vec()))
        };
        Ok(Bench {
            executed: lab(config.clone())?,
            warm: lab(EngineConfig { start: Start::Warm, ..config.clone() })?,
            followed: lab(EngineConfig { backend: Backend::Ptrace, ..config.clone() })?,
            probes: lab(EngineConfig { lane: Lane::probe(), ..config })?,
        })
    }

    /// Runs a case in every way, and compares.
    fn compare(&mut self, case: &Case, index: u64) -> Result<Vec<Found>, RunError> {
        let mut found = Vec::new();
        for shell in self.executed.shells_in_turn(case, index) {
            // Most pairs are the same at once, so each way is run once for all of them.
            let executed = self.run(Way::Executed, case, &shell)?;
            let followed = self.run(Way::Followed, case, &shell)?;
            for pair in Pair::ALL {
                let (one, other) = pair.ways();
                let one = if one == Way::Followed { &followed } else { &executed };
                let other = match other {
                    Way::Followed => followed.clone(),
                    other => self.run(other, case, &shell)?,
                };
                let verdict = self.hold(pair, case, &shell, (one.clone(), other))?;
                found.push(Found { pair, shell: shell.id.name.clone(), verdict });
            }
        }
        Ok(found)
    }

    fn hold(
        &mut self,
        pair: Pair,
        case: &Case,
        shell: &Installation,
        mut both: (Trace, Trace),
    ) -> Result<Verdict, RunError> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for tries in 1..=MOST_TRIES {
            if !pair.can_be_compared(case, &both.0, &both.1) {
                return Ok(Verdict::Apart);
            }
            left.push(pair.essence(&both.0));
            right.push(pair.essence(&both.1));
            if left.iter().any(|one| right.contains(one)) {
                return Ok(if tries == 1 { Verdict::Same } else { Verdict::Raced });
            }
            let (one, other) = pair.ways();
            both = (self.run(one, case, shell)?, self.run(other, case, shell)?);
        }
        let (one, other) = pair.names();
        Ok(Verdict::Differs(left[0].differences(one, &right[0], other)))
    }

    fn run(&mut self, way: Way, case: &Case, shell: &Installation) -> Result<Trace, RunError> {
        let lab = match way {
            Way::Executed => &mut self.executed,
            Way::Warm => &mut self.warm,
            Way::Followed => &mut self.followed,
            Way::Probes => &mut self.probes,
        };
        lab.run_in(case, shell)
    }
}
