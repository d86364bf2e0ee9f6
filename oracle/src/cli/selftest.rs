//! `shfence-oracle selftest`: does the harness see?

use super::{Failure, campaign};
use clap::Args;
use shfence_corpus::FindingKind;
use shfence_oracle::campaign::{Campaign, CaseLane, Outcome};
use shfence_oracle::guards::{GuardName, Strawman};
use shfence_reports::{ExitCode, Limit, ShardOf, Verdict};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How long to look for.
#[derive(Args)]
pub(super) struct Selftest {
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
    /// A strawman that is not caught is a fault of the harness. A finding of the shipped guard on
    /// the way is a finding.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let campaign = Campaign {
            seed: self.seed,
            limit: Limit::Cases(self.cases),
            shard: ShardOf { index: 0, count: 1 },
            jobs: self.jobs.map_or_else(campaign::processors, NonZeroUsize::get),
            guards: vec![GuardName::Linked],
            strawmen: Strawman::ALL.map(GuardName::Strawman).to_vec(),
            lane: self.lane,
            until_caught: !self.all,
            out: self.out.unwrap_or_else(|| campaign::directory(self.seed)),
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
                println!("{missed} strawmen were not caught in every shell");
                Ok(ExitCode::HarnessFault)
            }
            verdict => {
                println!("{verdict}");
                Ok(verdict.exit_code())
            }
        }
    }
}

/// Prints when each strawman was caught, and says how many were not in every shell.
fn table(outcome: &Outcome) -> usize {
    let shells: Vec<&str> =
        outcome.run.manifest.shells.iter().map(|shell| shell.name.as_str()).collect();
    println!("{:28} {:14} cases (seconds) to the first finding", "strawman", "kind");
    let mut missed = 0;
    for strawman in Strawman::ALL {
        let name = GuardName::Strawman(strawman).guard().name();
        for kind in FindingKind::ALL {
            let caught = outcome.caught.shells(&name, kind);
            if caught.is_empty() && kind != FindingKind::TreeEscape {
                continue;
            }
            let cell = |shell: &&str| match caught.get(shell) {
                Some((index, seconds)) => format!("{shell} {} ({seconds:.1})", index + 1),
                None => format!("{shell} -"),
            };
            let cells: String = shells.iter().map(|it| format!("{:23}", cell(it))).collect();
            println!("{:28} {:14} {}", name, kind.name(), cells.trim_end());
            missed += usize::from(kind == FindingKind::TreeEscape && caught.len() < shells.len());
        }
    }
    missed
}
