//! `shfence-oracle campaign`.

use super::Failure;
use super::known::{known_here, today};
use super::progress::{Form, Teller};
use super::settings::Settings;
use clap::Args;
use shfence_corpus::{Known, Text};
use shfence_oracle::campaign::{
    BAZEL_STATUS_FILE, Campaign, CampaignError, OnceCaught, Outcome, Source, shard_of_environment,
};
use shfence_oracle::interrupt;
use shfence_reports::{ExitCode, ShardOf, count_of};
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::SystemTime;

/// What to run, and for how long.
#[derive(Args)]
pub(super) struct Options {
    /// Take what is not said here from a profile: smoke, pr, nightly, weekly, or a TOML file
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    #[command(flatten)]
    settings: Settings,
    /// How many workers run at once [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run only the cases whose index leaves K when divided by N, K from 0 [default: as an engine
    /// that starts many of these says in the environment, otherwise all]
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<ShardOf>,
    /// The list of findings that are known, and do not make the campaign fail [default:
    /// corpus/known.toml, where there is one]
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// The run directory [default: target/campaigns/<time>-<seed>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Take the run directory DIR/K-of-N of the shard, and go on with the run that stands there, if
    /// it is of this campaign: to be started again and again until it is complete
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    into: Option<PathBuf>,
    /// Keep what the shells do in this directory, which holds no recording yet: `rejudge` takes it
    #[arg(long, value_name = "DIR", conflicts_with = "into")]
    record: Option<PathBuf>,
    /// Go on with the campaign of this run directory, which was stopped or killed; what it runs
    /// stands there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "profile", "cases", "seconds", "seed", "shard", "guard", "strawmen", "small", "lane",
        "no_minimise", "out", "into", "record",
    ])]
    resume: Option<PathBuf>,
    /// How to say how far it is
    #[arg(long, value_name = "FORM", default_value = "auto")]
    progress: Form,
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
        let form = self.progress;
        let Outcome { run, .. } = match &self.resume {
            Some(dir) => {
                interrupt::install().map_err(Failure::io)?;
                eprintln!("going on with {}, {}", dir.display(), count_of(jobs as u64, "worker"));
                let mut teller = Teller::new(form);
                Campaign::resume(dir, jobs, &mut |it| teller.tell(it)).map_err(not_run)?
            }
            None => {
                let goes_on = self.into.is_some();
                let known = known_here(self.known.as_deref())?.on(&today());
                run_as(&self.campaign(jobs, known)?, form, goes_on)?
            }
        };
        for recorded in run.tested() {
            let finding = &recorded.finding;
            println!("{} ({})", finding.signature, finding.shells);
            println!("  {}", super::show::visible(&finding.line));
            println!("  {}", finding.repro);
        }
        println!("{}", run.verdict());
        println!("report: {}", run.dir.join("summary.md").display());
        Ok(run.verdict().exit_code())
    }

    fn campaign(self, jobs: usize, known: Vec<Known>) -> Result<Campaign, Failure> {
        let settings = match &self.profile {
            Some(name) => self.settings.over(Settings::of_profile(name)?),
            None => self.settings,
        };
        let shard = match self.shard {
            Some(shard) => shard,
            None => surrounding_shard()?,
        };
        let source = settings.source();
        Ok(Campaign {
            limit: settings.limit(&source),
            shard,
            jobs,
            guards: settings.guards(),
            strawmen: settings.strawmen(),
            lane: settings.lane,
            minimises: !settings.no_minimise,
            known,
            once_caught: OnceCaught::Leave,
            out: match (self.into, self.out) {
                (Some(all), _) => all.join(format!("{}-of-{}", shard.index, shard.count)),
                (None, Some(out)) => out,
                (None, None) => directory(&source),
            },
            record: self.record,
            source,
            command: command_line(),
        })
    }
}

/// The part that an engine says this process is; all of it, if none does.
fn surrounding_shard() -> Result<ShardOf, Failure> {
    let found = shard_of_environment(|name| std::env::var(name).ok());
    let Some((shard, engine)) = found.map_err(Failure::usage)? else {
        return Ok(ShardOf { index: 0, count: 1 });
    };
    // Bazel takes a test that makes no such file for one that would run as a whole in every shard.
    if let Some(file) = std::env::var_os(BAZEL_STATUS_FILE) {
        std::fs::write(&file, "").map_err(|error| Failure::io(format!("{file:?}: {error}")))?;
    }
    eprintln!("shard {}/{}, as {engine} says", shard.index, shard.count);
    Ok(shard)
}

/// Runs a campaign with its progress on standard error.
pub(super) fn run(campaign: &Campaign) -> Result<Outcome, Failure> {
    run_as(campaign, Form::Auto, false)
}

/// The same, in this form; it goes on with what stands in its directory, if it may.
fn run_as(campaign: &Campaign, form: Form, goes_on: bool) -> Result<Outcome, Failure> {
    for guard in &campaign.guards {
        super::answering(guard)?;
    }
    interrupt::install().map_err(Failure::io)?;
    eprintln!("{}, {}", campaign.source, count_of(campaign.jobs as u64, "worker"));
    let mut teller = Teller::new(form);
    let mut tell = |progress: &_| teller.tell(progress);
    let outcome = if goes_on { campaign.run_or_go_on(&mut tell) } else { campaign.run(&mut tell) };
    outcome.map_err(not_run)
}

/// Why a campaign gave no result. A signal to all processes at once may end a worker before it is
/// ready, which is no lack of containment.
fn not_run(error: CampaignError) -> Failure {
    match super::stopped() {
        Some(exit) => Failure { exit, what: error.to_string() },
        None => error.into(),
    }
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
pub(super) fn seed_of_today() -> u64 {
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let digits: String = time.chars().filter(char::is_ascii_digit).take(8).collect();
    digits.parse().unwrap_or(0)
}
