//! `shfence-oracle replay`.

use super::Failure;
use clap::Args;
use shfence_oracle::guards::GuardName;
use shfence_oracle::installations::absent;
use shfence_oracle::lab::Lab;
use shfence_oracle::replay;
use shfence_reports::ExitCode;
use std::path::{Path, PathBuf};

/// The corpus, seen from the project's directory.
pub(super) const CORPUS: &str = "corpus/regressions";

/// Which fixtures, and what they are replayed against.
#[derive(Args)]
pub(super) struct Replay {
    /// The guard to replay them against: linked, linked-edit, strawman:NAME, cmd:PROGRAM or
    /// batch:PROGRAM
    #[arg(long, default_value = "linked")]
    guard: GuardName,
    /// Fixtures, or folders of them [default: corpus/regressions]
    paths: Vec<PathBuf>,
}

impl Replay {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let paths = match self.paths.is_empty() {
            true if Path::new(CORPUS).is_dir() => vec![PathBuf::from(CORPUS)],
            true => {
                return Err(Failure::usage(format!(
                    "there is no {CORPUS} here: name fixtures, or start in the project's directory"
                )));
            }
            false => self.paths,
        };
        let fixtures = super::fixtures(&paths)?;
        if fixtures.is_empty() {
            return Err(Failure::usage("no fixture stands there"));
        }
        let guard = super::answering(&self.guard)?;
        let mut lab = Lab::open()?;
        let mut failed = 0;
        for fixture in &fixtures {
            let complaints = replay::replay(fixture, &*guard, &mut lab)
                .map_err(|error| Failure::from(error).about(&fixture.name))?;
            if complaints.is_empty() {
                continue;
            }
            failed += 1;
            println!("{}: {}", fixture.name, fixture.title);
            println!("  {}", super::show::visible(&fixture.case.line));
            for complaint in complaints {
                println!("  {complaint}");
            }
        }
        let shells: Vec<String> =
            lab.shells.iter().map(|it| format!("{} {}", it.id.name, it.id.version)).collect();
        println!("fixtures in {}", shells.join(", "));
        let absent: Vec<&str> =
            absent(&lab.shells).iter().filter(|it| it.extra).map(|it| it.name).collect();
        if !absent.is_empty() {
            println!("not here, and not needed: {}", absent.join(", "));
        }
        println!("{} passed, {failed} failed", fixtures.len() - failed);
        Ok(if failed == 0 { ExitCode::Clean } else { ExitCode::NewFindings })
    }
}
