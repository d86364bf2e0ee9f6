//! `shfence-oracle doctor`.

use super::Failure;
use shfence_corpus::Shell;
use shfence_oracle::engine::{EngineConfig, probe};
use shfence_oracle::installations::installations;
use shfence_oracle::lab::LabError;
use shfence_reports::ExitCode;

/// Says what is here. Exit 69 if nothing can be contained or a shell is missing.
pub(super) fn run() -> Result<ExitCode, Failure> {
    let shells = installations();
    let mut complete = true;
    println!("shells");
    for shell in Shell::ALL {
        let of_it: Vec<_> = shells.iter().filter(|it| it.id.shell == shell).collect();
        if of_it.is_empty() {
            complete = false;
            println!("  {shell}: none installed");
        }
        for it in of_it {
            println!("  {shell}: {} {} at {}", it.id.name, it.id.version, it.program.display());
        }
    }
    println!("containment");
    let config = EngineConfig::of_this_program().map_err(LabError::Program)?;
    let reports = probe(&config).map_err(LabError::Engine)?;
    for report in &reports {
        println!("  {report}");
    }
    let contained = reports.iter().any(|report| report.refusal.is_none());
    if !contained {
        println!("nothing is run where nothing can be contained");
    }
    Ok(if complete && contained { ExitCode::Clean } else { ExitCode::Unavailable })
}
