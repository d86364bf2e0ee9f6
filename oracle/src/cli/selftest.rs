//! `shfence-oracle selftest`: does the harness see?

use super::show::visible;
use super::{Failure, campaign};
use clap::Args;
use shfence_corpus::FindingKind;
use shfence_oracle::campaign::{Campaign, CaseLane, OnceCaught, Outcome, Source};
use shfence_oracle::guards::{GuardName, Strawman};
use shfence_oracle::installations::is_extra;
use shfence_oracle::selftest::{Agreement, Count, SelfTest};
use shfence_reports::{ExitCode, Limit, ShardOf, ShellVersion, Verdict};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// How long to look.
#[derive(Args)]
pub(super) struct Selftest {
    /// The cases that are run in every way that must come to the same; 0 for none
    #[arg(long, value_name = "N", default_value_t = 150)]
    compare: u64,
    /// The cases within which every strawman must be caught
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    cases: u64,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many workers run at once [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run all cases, even if every strawman was caught before
    #[arg(long)]
    all: bool,
    /// Run every case in this lane: probe, tools or executed [default: as their indices say]
    #[arg(long)]
    lane: Option<CaseLane>,
    /// The run directory [default: target/campaigns/<time>-<seed>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Selftest {
    /// A disagreement of the oracle with itself, and a strawman that is not caught, are faults of
    /// the harness. A finding of the shipped guard on the way is a finding.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let agrees = self.agrees()?;
        let caught = self.catches()?;
        Ok(if agrees { caught } else { ExitCode::HarnessFault })
    }

    fn jobs(&self) -> usize {
        self.jobs.map_or_else(campaign::processors, NonZeroUsize::get)
    }

    /// Holds the oracle against itself, and says whether it agrees.
    fn agrees(&self) -> Result<bool, Failure> {
        if self.compare == 0 {
            return Ok(true);
        }
        let started = Instant::now();
        let test = SelfTest { seed: self.seed, cases: self.compare, jobs: self.jobs() };
        let agreement = test.run()?;
        show_counts(&agreement);
        for it in &agreement.disagreements {
            let (one, other) = it.pair.names();
            println!("{one} and {other} differ in {}: {}", it.shell, visible(&it.line));
            print!("{}", it.differences);
            println!("  shfence-oracle repro {}:{}", it.seed, it.index);
        }
        for fault in &agreement.faults {
            println!("{fault}");
        }
        let (cases, seconds) = (agreement.cases, started.elapsed().as_secs_f64());
        println!("{cases} of {} cases compared in {seconds:.0} s", self.compare);
        let holds = agreement.holds(self.compare);
        if !holds {
            println!("the oracle does not agree with itself");
        }
        println!();
        Ok(holds)
    }

    /// Looks for every strawman, and says what came of it.
    fn catches(self) -> Result<ExitCode, Failure> {
        let source = Source::Drawn { seed: self.seed };
        let out = self.out.clone().unwrap_or_else(|| campaign::directory(&source));
        let campaign = Campaign {
            source,
            limit: Limit::Cases(self.cases),
            shard: ShardOf { index: 0, count: 1 },
            jobs: self.jobs(),
            guards: vec![GuardName::Linked],
            strawmen: Strawman::all().map(GuardName::Strawman).collect(),
            lane: self.lane,
            known: Vec::new(),
            minimises: true,
            once_caught: if self.all { OnceCaught::AskOn } else { OnceCaught::End },
            out,
            record: None,
            command: campaign::command_line(),
        };
        let outcome = campaign::run(&campaign)?;
        let missed = table(&outcome);
        let Outcome { run, .. } = outcome;
        if let Some(summary) = &run.summary {
            println!(
                "{} cases in {:.0} s, {:.0} cases/s",
                summary.cases_run,
                summary.seconds,
                summary.cases_per_second().unwrap_or(0.0)
            );
        }
        println!("report: {}", run.dir.join("summary.md").display());
        match run.verdict() {
            Verdict::Clean if missed > 0 => {
                println!("{missed} strawmen were not caught wherever they are wrong");
                Ok(ExitCode::HarnessFault)
            }
            verdict => {
                println!("{verdict}");
                Ok(verdict.exit_code())
            }
        }
    }
}

/// Prints how often each pair gave the same, by installation.
fn show_counts(agreement: &Agreement) {
    println!(
        "{:20} {:12} {:>6} {:>7} {:>7} {:>9}",
        "the same", "in", "same", "raced", "differ", "not held"
    );
    for ((pair, shell), count) in &agreement.counts {
        let (one, other) = pair.names();
        let Count { same, raced, apart, differ } = count;
        let pair = format!("{one} and {other}");
        println!("{pair:20} {shell:12} {same:>6} {raced:>7} {differ:>7} {apart:>9}");
    }
}

/// Prints when each strawman first let a line escape in each shell, and says how many did not in
/// all of the languages in which they are wrong.
fn table(outcome: &Outcome) -> usize {
    let shells: Vec<&ShellVersion> =
        outcome.run.manifest.shells.iter().filter(|shell| !is_extra(&shell.name)).collect();
    println!("cases (seconds) to the first escape");
    let heads: String = shells.iter().map(|it| format!("{:>14}", it.name)).collect();
    println!("{:24}{heads}", "strawman");
    let mut missed = 0;
    for strawman in Strawman::all() {
        let name = GuardName::Strawman(strawman).guard().name();
        let caught = outcome.caught.shells(&name, FindingKind::TreeEscape);
        let cell = |shell: &&&ShellVersion| match caught.get(&*shell.name) {
            Some((index, seconds)) => format!("{:>14}", format!("{} ({seconds:.1})", index + 1)),
            None if strawman.wrong_in().contains(shell.shell) => format!("{:>14}", "-"),
            None => format!("{:>14}", "is right"),
        };
        let cells: String = shells.iter().map(|shell| cell(&shell)).collect();
        println!("{:24}{cells}", strawman.short_name());
        let shows = |language| {
            let mut of_it = shells.iter().filter(|it| it.shell == language).peekable();
            of_it.peek().is_none() || of_it.any(|it| caught.contains_key(&*it.name))
        };
        missed += usize::from(!strawman.wrong_in().iter().all(shows));
    }
    missed
}
