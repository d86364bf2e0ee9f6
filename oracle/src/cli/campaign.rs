//! `shfence-oracle campaign`.

use super::Failure;
use super::known::{LIST, load, today};
use clap::Args;
use shfence_corpus::{Known, Text};
use shfence_oracle::campaign::{Campaign, CampaignError, CaseLane, Outcome, Source};
use shfence_oracle::guards::GuardName;
use shfence_oracle::interrupt;
use shfence_reports::{Ended, ExitCode, Limit, ShardOf};
use std::num::{NonZeroU64, NonZeroUsize};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::SystemTime;

/// What to run, and for how long.
#[derive(Args)]
pub(super) struct Options {
    /// End after this many cases
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    cases: Option<NonZeroU64>,
    /// End after this many seconds [default: 60]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
    /// The seed; with the index it decides each case [default: today's date, as in 20261130]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many workers run at once [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run only the cases whose index leaves K when divided by N, K from 0
    #[arg(long, value_name = "K/N", value_parser = shard, default_value = "0/1")]
    shard: ShardOf,
    /// The guard under test: linked or strawman:NAME; may be given several times
    #[arg(long, value_name = "GUARD", default_value = "linked")]
    guard: Vec<GuardName>,
    /// Run all lines of up to N tokens of a small alphabet in all small trees, instead of cases
    /// drawn under a seed; what no guard allows is not run
    #[arg(long, value_name = "N", conflicts_with = "seed")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=6))]
    small: Option<u8>,
    /// Run every case in this lane: probe, tools or executed [default: as their indices say]
    #[arg(long)]
    lane: Option<CaseLane>,
    /// The list of findings that are known, and do not make the campaign fail
    #[arg(long, value_name = "FILE", default_value = LIST)]
    known: PathBuf,
    /// The run directory [default: target/campaigns/<time>-<seed>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the campaign of this run directory, which was stopped or killed; what it runs
    /// stands there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "cases", "seconds", "seed", "shard", "guard", "small", "lane", "out",
    ])]
    resume: Option<PathBuf>,
}

fn shard(text: &str) -> Result<ShardOf, String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((index, count)) if index < count => Ok(ShardOf { index, count }),
        _ => Err("expected K/N with K from 0 to N-1".to_owned()),
    }
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let jobs = self.jobs.map_or_else(processors, NonZeroUsize::get);
        let Outcome { run, .. } = match &self.resume {
            Some(dir) => {
                interrupt::install().map_err(Failure::io)?;
                eprintln!("going on with {}, {jobs} workers", dir.display());
                Campaign::resume(dir, jobs, &mut |line| eprintln!("{line}")).map_err(not_run)?
            }
            None => {
                let known = load(&self.known)?.on(&today());
                run(&self.campaign(jobs, known))?
            }
        };
        for recorded in &run.findings {
            let finding = &recorded.finding;
            println!("{} ({})", finding.signature, finding.shells);
            println!("  {}", super::show::visible(&finding.line));
            println!("  {}", finding.repro);
        }
        println!("{}", run.verdict());
        println!("report: {}", run.dir.join("summary.md").display());
        Ok(run.verdict().exit_code())
    }

    fn campaign(self, jobs: usize, known: Vec<Known>) -> Campaign {
        let source = match self.small {
            Some(tokens) => Source::small(tokens.into()),
            None => Source::Drawn { seed: self.seed.unwrap_or_else(seed_of_today) },
        };
        let limit = match (self.cases, self.seconds, source.cases()) {
            (Some(cases), _, all) => Limit::Cases(cases.get().min(all.unwrap_or(u64::MAX))),
            (None, None, Some(all)) => Limit::Cases(all),
            (None, seconds, _) => Limit::Seconds(seconds.unwrap_or(60)),
        };
        let out = self.out.unwrap_or_else(|| directory(&source));
        Campaign {
            source,
            limit,
            shard: self.shard,
            jobs,
            guards: self.guard,
            strawmen: Vec::new(),
            lane: self.lane,
            known,
            until_caught: false,
            out,
            command: command_line(),
        }
    }
}

/// Runs a campaign with its progress on standard error.
pub(super) fn run(campaign: &Campaign) -> Result<Outcome, Failure> {
    for guard in &campaign.guards {
        guard.answers().map_err(|crash| {
            let what = format!("{}: {crash}", guard.guard().name());
            Failure { exit: ExitCode::Unavailable, what }
        })?;
    }
    interrupt::install().map_err(Failure::io)?;
    eprintln!("{}, {} workers", campaign.source, campaign.jobs);
    campaign.run(&mut |line| eprintln!("{line}")).map_err(not_run)
}

/// Why a campaign gave no result. A signal to all processes at once may end a worker before it is
/// ready, which is no lack of containment.
fn not_run(error: CampaignError) -> Failure {
    let exit = match interrupt::pending() {
        Some(Ended::Interrupted) => ExitCode::Interrupted,
        Some(Ended::Terminated) => ExitCode::Terminated,
        _ => return error.into(),
    };
    Failure { exit, what: error.to_string() }
}

/// How many workers this machine has room for.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The words this program was started with.
pub(super) fn command_line() -> Vec<Text> {
    std::env::args_os().map(|word| Text::from(word.into_vec())).collect()
}

/// A run directory named by the time and the seed, so that names sort by age.
pub(super) fn directory(source: &Source) -> PathBuf {
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let name: String = time.chars().filter(|c| c.is_ascii_digit() || *c == 'T').collect();
    PathBuf::from("target/campaigns").join(format!("{name}-{}", source.label()))
}

/// Every day another seed, the same one for everybody.
fn seed_of_today() -> u64 {
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let digits: String = time.chars().filter(char::is_ascii_digit).take(8).collect();
    digits.parse().unwrap_or(0)
}
