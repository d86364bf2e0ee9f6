//! `shfence-oracle bench`: how fast is it here?

use super::Failure;
use super::campaign::processors;
use clap::Args;
use shfence_oracle::bench::{Bench, BenchError};
use shfence_oracle::lab::LabError;
use shfence_reports::ExitCode;
use std::num::NonZeroUsize;

/// What to measure.
#[derive(Args)]
pub(super) struct Options {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// How many lines to run
    #[arg(long, value_name = "N", default_value = "1000")]
    lines: NonZeroUsize,
    /// Every how many lines one runs in the naive harness as well, which is slow
    #[arg(long, value_name = "N", default_value = "20")]
    naive_every: NonZeroUsize,
    /// How many workers run at once [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let bench = Bench {
            lines: self.lines.get(),
            naive_every: self.naive_every.get(),
            jobs: self.jobs.map_or_else(processors, NonZeroUsize::get),
        };
        let report = bench.run()?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report).map_err(Failure::io)?);
        } else {
            print!("{report}");
        }
        Ok(ExitCode::Clean)
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        match error {
            BenchError::Missing(_) => {
                Failure { exit: ExitCode::Unavailable, what: error.to_string() }
            }
            BenchError::Engine(error) => LabError::Engine(error).into(),
            BenchError::Program(error) => LabError::Program(error).into(),
            BenchError::Run(_) => Failure { exit: ExitCode::HarnessFault, what: error.to_string() },
        }
    }
}
