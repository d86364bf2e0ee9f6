//! `shfence-oracle merge`.

use super::{Failure, campaign};
use clap::Args;
use shfence_oracle::merging::Merging;
use shfence_reports::{Ended, ExitCode, Manifest, MergeError, Recorded, Run, count_of, merge};
use std::path::PathBuf;

/// Which runs to put together.
#[derive(Args)]
pub(super) struct Merge {
    /// The run directories of a campaign's shards
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// The run directory to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Leave the findings of shards that did not minimise them as they were found [default: they
    /// are minimised, where shells can be contained and are those of the campaign]
    #[arg(long)]
    no_minimise: bool,
}

impl Merge {
    /// Exits as the whole campaign would have.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if Run::is_at(&self.out) {
            // Before what may take minutes.
            return Err(Failure::io(format!("{}: holds a run already", self.out.display())));
        }
        let mut merging = Merging::default();
        let mut minimise = |manifest: &Manifest, recorded: &Recorded| match self.no_minimise {
            true => None,
            false => merging.minimise(manifest, recorded),
        };
        let runs = self.shards.iter().map(|dir| Run::read(dir)).collect::<Result<_, _>>();
        let runs = runs.map_err(Failure::io)?;
        let merged = merge(runs, &self.out, campaign::command_line(), &mut minimise);
        let run = merged.map_err(|error| match error {
            MergeError::Directory(_) => Failure::io(error),
            MergeError::Nothing | MergeError::NotTogether(_) => Failure::usage(error),
        })?;
        for line in not_complete(&run.manifest) {
            println!("{line}");
        }
        for what in &merging.left {
            eprintln!("not minimised: {what}");
        }
        println!("{}", run.verdict());
        println!("report: {}", run.dir.join("summary.md").display());
        Ok(run.verdict().exit_code())
    }
}

/// Each shard that is missing or has stopped early, and how far it came.
fn not_complete(merged: &Manifest) -> Vec<String> {
    let count = merged.parts.first().map_or(0, |part| part.shard.count);
    let state = |index: u64| {
        let shard = format!("shard {index}/{count}");
        let Some(part) = merged.parts.iter().find(|it| it.shard.index == index) else {
            return Some(format!("{shard}: is missing"));
        };
        let how = match &part.ended {
            Some(Ended::Complete) => return None,
            Some(Ended::Interrupted) => "interrupted",
            Some(Ended::Terminated) => "terminated",
            Some(Ended::Fault(_)) => "a harness fault",
            None => "killed, or still running",
        };
        Some(format!("{shard}: {how} after {}", count_of(part.cases_run, "case")))
    };
    (0..count).filter_map(state).collect()
}
