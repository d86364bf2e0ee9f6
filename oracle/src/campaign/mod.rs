//! Campaigns: many generated cases, each run once in every shell, and its traces judged against
//! every guard.
//!
//! A case depends on seed and index only. Which thread runs it, and when, changes nothing but the
//! order of the lines in the run directory.

mod lanes;
mod ledger;
mod progress;
mod shard;
mod source;
mod worker;

pub use lanes::CaseLane;
pub use ledger::Caught;
pub use progress::Progress;
pub use shard::{BAZEL_STATUS_FILE, shard_of_environment};
pub use source::Source;

use crate::engine::Stopper;
use crate::guards::GuardName;
use crate::installations::Installation;
use crate::lab::{self, LabError};
use crate::recording::{Recorder, RecordingError};
use crate::system::files;
use crate::trace::ShellId;
use ledger::Ledger;
use shfence_corpus::Known;
use shfence_reports::{Ended, Limit, Manifest, Run, RunError, RunWriter, ShardOf, ShellVersion};
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use worker::Placed;

/// How often the figures in the run directory are refreshed, and how often they are told.
const FLUSHED_EVERY: Duration = Duration::from_secs(10);
const TOLD_EVERY: Duration = Duration::from_millis(200);

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
    /// Are findings minimised? Otherwise they stand as they were found: for shards that are merged,
    /// which minimises.
    pub minimises: bool,
    /// Findings that do not make it fail.
    pub known: Vec<Known>,
    /// What becomes of a strawman that was caught wherever it is wrong.
    pub once_caught: OnceCaught,
    /// The run directory.
    pub out: PathBuf,
    /// Keep what the shells did with each case in this directory, to be judged again.
    pub record: Option<PathBuf>,
    /// The command line, for the manifest.
    pub command: Vec<shfence_corpus::Text>,
}

/// What becomes of strawmen that were caught in every language in which they are wrong. Judging all
/// of them to the end would take more than twice the time of the shells, and tell nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceCaught {
    /// They are asked about every case nevertheless.
    AskOn,
    /// They are asked no more.
    Leave,
    /// The same, and when none is left the campaign is over.
    End,
}

/// Why a campaign gave no result.
#[derive(Debug)]
pub enum CampaignError {
    /// Nothing can be run here.
    Lab(LabError),
    /// No shell is installed.
    NoShell,
    /// The run directory cannot be read or written.
    Directory(RunError),
    /// The campaign of a run directory cannot be gone on with: why.
    NotResumed(String),
    /// Another process is writing the run directory, or that cannot be found out: why.
    Busy(String),
    /// What the shells did cannot be kept.
    Recording(RecordingError),
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CampaignError::Lab(error) => error.fmt(f),
            CampaignError::NoShell => f.write_str("no shell is installed: nothing can be run"),
            CampaignError::Directory(error) => error.fmt(f),
            CampaignError::NotResumed(why) | CampaignError::Busy(why) => f.write_str(why),
            CampaignError::Recording(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CampaignError {}

impl From<LabError> for CampaignError {
    fn from(error: LabError) -> CampaignError {
        CampaignError::Lab(error)
    }
}

impl From<RecordingError> for CampaignError {
    fn from(error: RecordingError) -> CampaignError {
        CampaignError::Recording(error)
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

/// What a campaign needs before its first case.
struct Ready {
    shells: Vec<Installation>,
    labs: Vec<Placed>,
    tier: String,
}

/// What the threads of a campaign share.
struct Shared<'a> {
    campaign: &'a Campaign,
    stop: AtomicBool,
    ledger: Mutex<Ledger>,
    /// Why the recording is not whole.
    unrecorded: Mutex<Option<RecordingError>>,
}

impl Campaign {
    /// Runs it. `progress` is told several times a second how far it is.
    pub fn run(&self, progress: &mut dyn FnMut(&Progress)) -> Result<Outcome, CampaignError> {
        let Ready { shells, mut labs, tier } = self.ready()?;
        self.begin_recording(&shells, &mut labs)?;
        let writer = RunWriter::create(&self.out, &self.manifest(&shells, tier))?;
        let _alone = alone_in(&self.out)?;
        self.work(labs, Ledger::new(writer, self, &shells, None), progress)
    }

    /// Runs it, or goes on with the run that stands in its directory, which must be of the same
    /// campaign: for whatever may be started again without anybody knowing how far it came.
    pub fn run_or_go_on(
        &self,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, CampaignError> {
        if !Run::is_at(&self.out) {
            return self.run(progress);
        }
        self.go_on(progress)
    }

    /// Goes on with the campaign of a run directory that was stopped or killed, as if it had not
    /// been. One that is complete stays as it is.
    pub fn resume(
        dir: &Path,
        jobs: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, CampaignError> {
        Campaign::of_manifest(dir, &Run::read(dir)?.manifest, jobs)?.go_on(progress)
    }

    fn go_on(&self, progress: &mut dyn FnMut(&Progress)) -> Result<Outcome, CampaignError> {
        let dir = &self.out;
        if self.record.is_some() {
            let why = "a recording is of a campaign in one piece".to_owned();
            return Err(CampaignError::NotResumed(why));
        }
        let Ready { shells, labs, tier } = self.ready()?;
        let _alone = alone_in(dir)?;
        let run = Run::read(dir)?;
        if let Some((what, was, is)) = run.manifest.differs_from(&self.manifest(&shells, tier)) {
            let why = format!("cannot be gone on with: the {what} was {was} and is {is}");
            return Err(CampaignError::NotResumed(format!("{}: {why}", dir.display())));
        }
        if run.summary.as_ref().is_some_and(|it| it.ended == Some(Ended::Complete)) {
            return Ok(Outcome { run, caught: Caught::default() });
        }
        let (writer, run) = RunWriter::reopen(dir)?;
        self.work(labs, Ledger::new(writer, self, &shells, Some(&run)), progress)
    }

    /// The campaign that wrote a run directory.
    fn of_manifest(
        dir: &Path,
        manifest: &Manifest,
        jobs: usize,
    ) -> Result<Campaign, CampaignError> {
        let unknown =
            |what: String| CampaignError::NotResumed(format!("{}: {what}", dir.display()));
        let guards = |names: &[String]| {
            names.iter().map(|name| name.parse().map_err(unknown)).collect::<Result<_, _>>()
        };
        let lane = manifest.lane.as_ref().map(|name| name.parse().map_err(unknown));
        Ok(Campaign {
            source: Source::of_manifest(manifest).map_err(unknown)?,
            limit: manifest.limit,
            shard: manifest.shard,
            jobs,
            guards: guards(&manifest.guards)?,
            strawmen: guards(&manifest.strawmen)?,
            lane: lane.transpose()?,
            minimises: manifest.minimises,
            known: manifest.known.clone(),
            once_caught: OnceCaught::Leave,
            out: dir.to_owned(),
            record: None,
            command: manifest.command.clone(),
        })
    }

    /// The shells, and a lab for each worker. All labs before the first case: a campaign that
    /// cannot contain makes no directory.
    fn ready(&self) -> Result<Ready, CampaignError> {
        let shells = lab::shells()?;
        if shells.is_empty() {
            return Err(CampaignError::NoShell);
        }
        let labs = worker::labs(self.jobs, &shells)?;
        let tier = labs[0].labs.executed.tier().to_string();
        Ok(Ready { shells, labs, tier })
    }

    /// Each worker records for itself.
    fn begin_recording(
        &self,
        shells: &[Installation],
        labs: &mut [Placed],
    ) -> Result<(), CampaignError> {
        let Some(dir) = &self.record else { return Ok(()) };
        let shells: Vec<ShellId> = shells.iter().map(|it| it.id.clone()).collect();
        let (source, revision) = (self.source.label(), self.source.revision());
        let recorders = Recorder::create(dir, labs.len(), &source, &revision, &shells)?;
        for (placed, recorder) in labs.iter_mut().zip(recorders) {
            placed.recorder = Some(recorder);
        }
        Ok(())
    }

    fn work(
        &self,
        labs: Vec<Placed>,
        ledger: Ledger,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, CampaignError> {
        let stoppers: Vec<Stopper> = labs
            .iter()
            .map(|placed| placed.labs.stoppers())
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect();
        let shared = Shared {
            campaign: self,
            stop: AtomicBool::new(false),
            ledger: Mutex::new(ledger),
            unrecorded: Mutex::new(None),
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                labs.into_iter().map(|labs| scope.spawn(|| worker::work(&shared, labs))).collect();
            let (mut told, mut flushed) = (Instant::now(), Instant::now());
            while threads.iter().any(|thread| !thread.is_finished()) {
                std::thread::sleep(Duration::from_millis(20));
                shared.look_for_an_end();
                if crate::interrupt::pending().is_some() {
                    // A run may go on for seconds, and a minimisation for minutes.
                    stoppers.iter().for_each(Stopper::stop);
                }
                if flushed.elapsed() > FLUSHED_EVERY {
                    flushed = Instant::now();
                    shared.ledger().flush();
                }
                if told.elapsed() > TOLD_EVERY {
                    told = Instant::now();
                    let now = shared.ledger().progress(self.limit);
                    progress(&now);
                }
            }
            // Joined one by one: left to the scope, a panic would take the run directory with it.
            if threads.into_iter().any(|thread| thread.join().is_err()) {
                shared.ledger().fault("a worker panicked; it says why above".to_owned());
            }
        });
        let interrupted = crate::interrupt::pending();
        let ledger = shared.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = interrupted.unwrap_or(Ended::Complete);
        let outcome = ledger.finish(ended)?;
        match shared.unrecorded.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error.into()),
            None => Ok(outcome),
        }
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
            lane: self.lane.map(|lane| lane.name().to_owned()),
            minimises: self.minimises,
            jobs: u32::try_from(self.jobs).unwrap_or(u32::MAX),
            guards: names(&self.guards),
            strawmen: names(&self.strawmen),
            known: self.known.clone(),
            guard_version: env!("GUARD_VERSION").to_owned(),
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
            parts: Vec::new(),
        }
    }
}

impl Shared<'_> {
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        // A thread that panicked has lost its case, not the ledger: the count shows it.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next case, by its number in the shard and by its index, until there is nothing more to
    /// do.
    fn next_case(&self) -> Option<(u64, u64)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.ledger().hand_out(self.campaign.cases_asked())?;
        let ShardOf { index, count } = self.campaign.shard;
        Some((number, number * count + index))
    }

    /// A recording that is not whole is none: it ends the campaign.
    fn not_recorded(&self, error: RecordingError) {
        self.unrecorded.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }

    fn look_for_an_end(&self) {
        let over = match self.campaign.limit {
            Limit::Seconds(seconds) => self.ledger().seconds() >= seconds as f64,
            Limit::Cases(_) => false,
        };
        // With a full disk nothing that is still found could be kept.
        if over || crate::interrupt::pending().is_some() || self.ledger().cannot_be_written() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Takes a run directory for this process alone. What started a campaign may take it for dead and
/// start it again, on another machine too; two writers would spoil what stands there.
fn alone_in(dir: &Path) -> Result<File, CampaignError> {
    let path = RunWriter::lock_file(dir);
    let busy = |why: &dyn fmt::Display| CampaignError::Busy(format!("{}: {why}", path.display()));
    let file = File::options().read(true).write(true).open(&path).map_err(|it| busy(&it))?;
    match files::lock(&file) {
        Ok(true) => Ok(file),
        Ok(false) => Err(busy(&"is held by another process, which runs this campaign")),
        Err(error) => Err(busy(&format!("cannot be locked: {error}"))),
    }
}

fn kernel() -> String {
    std::fs::read_to_string("/proc/sys/kernel/osrelease")
        .map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}
