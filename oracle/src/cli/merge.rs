//! `shfence-oracle merge`.

use super::{Failure, campaign};
use clap::Args;
use shfence_reports::{ExitCode, MergeError, Run, merge};
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
}

impl Merge {
    /// Exits as the whole campaign would have.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let runs = self.shards.iter().map(|dir| Run::read(dir)).collect::<Result<_, _>>();
        let merged = merge(runs.map_err(Failure::io)?, &self.out, campaign::command_line());
        let run = merged.map_err(|error| match error {
            MergeError::Directory(_) => Failure::io(error),
            MergeError::Nothing | MergeError::NotTogether(_) => Failure::usage(error),
        })?;
        println!("{}", run.verdict());
        println!("report: {}", run.dir.join("summary.md").display());
        Ok(run.verdict().exit_code())
    }
}
