//! `shfence-oracle repro`.

use super::Failure;
use super::show::Comparison;
use clap::Args;
use shfence_corpus::Case;
use shfence_oracle::campaign::Source;
use shfence_oracle::guards::GuardName;
use shfence_oracle::lab::Lab;
use shfence_reports::{ExitCode, Run};
use std::path::PathBuf;

/// Which case to run again.
#[derive(Args)]
pub(super) struct Repro {
    /// SEED:INDEX of a generated case, small-N:INDEX of one of a small scope, or the SIGNATURE of a
    /// finding in the run given by --run
    what: String,
    /// The run directory that holds the finding
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// The guard to compare with [default: the one that the finding names, or linked]
    #[arg(long)]
    guard: Option<GuardName>,
}

impl Repro {
    /// Exit 1 if the guard is still wrong about it, 70 if that cannot be told of a run.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let (case, guard) = self.case()?;
        let guard = self.guard.or(guard).unwrap_or(GuardName::Linked);
        let guard = super::answering(&guard)?;
        let comparison = Comparison::of(case, &*guard, &mut Lab::open()?)?;
        print!("{}", comparison.to_text());
        Ok(comparison.exit_code())
    }

    fn case(&self) -> Result<(Case, Option<GuardName>), Failure> {
        let parts = self.what.split_once(':');
        let parts = parts.and_then(|(s, i)| Some((s.parse::<Source>().ok()?, i.parse().ok()?)));
        if let Some((source, index)) = parts {
            if source.cases().is_some_and(|cases| index >= cases) {
                return Err(Failure::usage(format!("'{}' is beyond the last case", self.what)));
            }
            return Ok((source.case(index).0, None));
        }
        let Some(dir) = &self.run else {
            return Err(Failure::usage(format!(
                "'{}' is no SEED:INDEX; for the signature of a finding, name its run by --run DIR",
                self.what
            )));
        };
        let run = Run::read(dir).map_err(Failure::io)?;
        let recorded = run.findings.iter().find(|it| it.finding.signature.as_str() == self.what);
        let recorded = recorded.ok_or_else(|| {
            Failure::usage(format!("{} holds no finding '{}'", dir.display(), self.what))
        })?;
        let fixture = recorded.fixture.as_ref().ok_or_else(|| {
            Failure::io(format!("{} holds no fixture", recorded.folder.display()))
        })?;
        Ok((fixture.case.clone(), recorded.finding.guard.parse().ok()))
    }
}
