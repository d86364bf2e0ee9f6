//! `shfence-oracle minimize`.

use super::Failure;
use super::show::Comparison;
use clap::Args;
use shfence_corpus::Fixture;
use shfence_oracle::confirm::{Origin, Suspicion};
use shfence_oracle::guards::GuardName;
use shfence_oracle::lab::Lab;
use shfence_oracle::minimise::{Limits, MinimiseError};
use shfence_reports::ExitCode;
use std::path::PathBuf;

/// Which fixture, and whom it contradicts.
#[derive(Args)]
pub(super) struct Minimize {
    /// The fixture
    file: PathBuf,
    /// The guard that it shows to be wrong: linked, linked-edit, strawman:NAME, cmd:PROGRAM or
    /// batch:PROGRAM
    #[arg(long, default_value = "linked")]
    guard: GuardName,
}

impl Minimize {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let fixture = super::fixture(&self.file)?;
        let guard = super::answering(&self.guard)?;
        let mut lab = Lab::open()?;
        let comparison = Comparison::of(fixture.case.clone(), &*guard, &mut lab)?;
        let shells = lab.shells.clone();
        let seen = comparison.traces.iter().find_map(|trace| {
            let first = comparison.contradictions(trace).into_iter().next()?;
            Some((shells.iter().find(|shell| shell.id == trace.shell)?, first))
        });
        let Some((shell, contradiction)) = seen else {
            return Err(Failure::usage(format!(
                "{} does not contradict {}: there is nothing to minimise",
                self.file.display(),
                guard.name()
            )));
        };
        let origin = match &fixture.found {
            Some(found) => Origin::drawn(found.seed, found.index),
            None => Origin::drawn(0, 0),
        };
        let suspicion = Suspicion {
            guard: &*guard,
            case: &fixture.case,
            shell,
            sort: contradiction.sort(),
            origin,
        };
        let confirmed = suspicion.confirm(&mut lab, Limits::default());
        let confirmed = confirmed.map_err(|error| match error {
            MinimiseError::Predicate(error) => error.into(),
            other => Failure::usage(other),
        })?;
        eprintln!("{} ({})", confirmed.finding.signature, confirmed.finding.shells);
        let Fixture { name, title, found, .. } = fixture;
        let small = Fixture { name, title, found, ..confirmed.fixture };
        print!("{}", small.to_toml());
        Ok(ExitCode::Clean)
    }
}
