//! Campaigns: many generated cases, each run once in every shell, and its traces judged against
//! every guard.
//!
//! A case depends on seed and index only. Which thread runs it, and when, changes nothing but the
//! order of the lines in the run directory.

mod lanes;
mod ledger;
mod source;
mod worker;

pub use lanes::CaseLane;
pub use ledger::Caught;
pub use source::Source;

use crate::engine::Stopper;
use crate::guards::GuardName;
use crate::installations::Installation;
use crate::lab::{self, LabError};
use ledger::Ledger;
use shfence_reports::{Ended, Limit, Manifest, Run, RunError, RunWriter, ShardOf, ShellVersion};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a campaign is to do.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Decides, with the index, each case.
    pub source: Source,
    /// When it ends.
    pub limit: Limit,
    /// Which part of all cases it runs.
    pub shard: ShardOf,
    /// How many workers run cases at once.
    pub jobs: usize,
    /// The guards whose findings make the verdict.
    pub guards: Vec<GuardName>,
    /// The guards that must be caught.
    pub strawmen: Vec<GuardName>,
    /// The lane of every case; otherwise most run with probes, and the others with tools, as their
    /// indices say.
    pub lane: Option<CaseLane>,
    /// End as soon as every strawman was caught in every shell.
    pub until_caught: bool,
    /// The run directory.
    pub out: PathBuf,
    /// The command line, for the manifest.
    pub command: Vec<shfence_corpus::Text>,
}

/// Why a campaign gave no result.
#[derive(Debug)]
pub enum CampaignError {
    /// Nothing can be run here.
    Lab(LabError),
    /// No shell is installed.
    NoShell,
    /// The run directory cannot be written.
    Directory(RunError),
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CampaignError::Lab(error) => error.fmt(f),
            CampaignError::NoShell => f.write_str("no shell is installed: nothing can be run"),
            CampaignError::Directory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CampaignError {}

impl From<LabError> for CampaignError {
    fn from(error: LabError) -> CampaignError {
        CampaignError::Lab(error)
    }
}

impl From<RunError> for CampaignError {
    fn from(error: RunError) -> CampaignError {
        CampaignError::Directory(error)
    }
}

/// What a campaign gave.
#[derive(Debug)]
pub struct Outcome {
    /// The run, read back from its directory.
    pub run: Run,
    /// When each strawman was first caught, by kind and shell.
    pub caught: Caught,
}

/// What the threads of a campaign share.
struct Shared<'a> {
    campaign: &'a Campaign,
    /// The number of the next case of this shard.
    next: AtomicU64,
    stop: AtomicBool,
    started: Instant,
    ledger: Mutex<Ledger>,
}

impl Campaign {
    /// Runs it. Every ten seconds `progress` is told how far it is.
    pub fn run(&self, progress: &mut dyn FnMut(&str)) -> Result<Outcome, CampaignError> {
        let shells = lab::shells()?;
        if shells.is_empty() {
            return Err(CampaignError::NoShell);
        }
        // All labs before the first case: a campaign that cannot contain makes no directory.
        let labs = worker::labs(self.jobs, &shells)?;
        let stoppers: Vec<Stopper> = labs
            .iter()
            .map(|placed| placed.labs.stoppers())
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect();
        let tier = labs[0].labs.executed.tier().to_string();
        let writer = RunWriter::create(&self.out, &self.manifest(&shells, tier))?;
        let shared = Shared {
            campaign: self,
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            started: Instant::now(),
            ledger: Mutex::new(Ledger::new(writer, self, &shells)),
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                labs.into_iter().map(|labs| scope.spawn(|| worker::work(&shared, labs))).collect();
            let mut told = Instant::now();
            while threads.iter().any(|thread| !thread.is_finished()) {
                std::thread::sleep(Duration::from_millis(20));
                shared.look_for_an_end();
                if crate::interrupt::pending().is_some() {
                    // A run may go on for seconds, and a minimisation for minutes.
                    stoppers.iter().for_each(Stopper::stop);
                }
                if told.elapsed() > Duration::from_secs(10) {
                    told = Instant::now();
                    progress(&shared.ledger().tell(shared.started.elapsed()));
                }
            }
            // Joined one by one: left to the scope, a panic would take the run directory with it.
            if threads.into_iter().any(|thread| thread.join().is_err()) {
                shared.ledger().fault("a worker panicked; it says why above".to_owned());
            }
        });
        let interrupted = crate::interrupt::pending();
        let seconds = shared.started.elapsed().as_secs_f64();
        let ledger = shared.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = interrupted.unwrap_or(Ended::Complete);
        Ok(ledger.finish(seconds, ended)?)
    }

    /// How many cases this shard is asked for, if that is how it ends.
    fn cases_asked(&self) -> Option<u64> {
        match self.limit {
            Limit::Cases(all) => {
                let ShardOf { index, count } = self.shard;
                Some(all / count + u64::from(index < all % count))
            }
            Limit::Seconds(_) => None,
        }
    }

    fn manifest(&self, shells: &[Installation], containment: String) -> Manifest {
        let names = |guards: &[GuardName]| guards.iter().map(|it| it.guard().name()).collect();
        Manifest {
            seed: self.source.seed(),
            generator: self.source.revision(),
            limit: self.limit,
            shard: self.shard,
            jobs: u32::try_from(self.jobs).unwrap_or(u32::MAX),
            guards: names(&self.guards),
            strawmen: names(&self.strawmen),
            guard_version: env!("CARGO_PKG_VERSION").to_owned(),
            shells: shells
                .iter()
                .map(|it| ShellVersion {
                    shell: it.id.shell,
                    name: it.id.name.clone(),
                    version: it.id.version.clone(),
                })
                .collect(),
            kernel: kernel(),
            containment,
            started: humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string(),
            command: self.command.clone(),
        }
    }
}

impl Shared<'_> {
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        // A thread that panicked has lost its case, not the ledger: the count shows it.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The index of the next case, until there is nothing more to do.
    fn next_index(&self) -> Option<u64> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if self.campaign.cases_asked().is_some_and(|asked| number >= asked) {
            return None;
        }
        let ShardOf { index, count } = self.campaign.shard;
        let index = number * count + index;
        self.campaign.source.cases().is_none_or(|cases| index < cases).then_some(index)
    }

    fn look_for_an_end(&self) {
        let over = match self.campaign.limit {
            Limit::Seconds(seconds) => self.started.elapsed().as_secs() >= seconds,
            Limit::Cases(_) => false,
        };
        // With a full disk nothing that is still found could be kept.
        if over || crate::interrupt::pending().is_some() || self.ledger().cannot_be_written() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn kernel() -> String {
    std::fs::read_to_string("/proc/sys/kernel/osrelease")
        .map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}
