//! `shfence-oracle doctor`.

use super::Failure;
use clap::Args;
use serde::Serialize;
use shfence_corpus::Shell;
use shfence_oracle::contain::{Refusal, TierReport};
use shfence_oracle::engine::{Engine, EngineConfig, probe};
use shfence_oracle::facilities::{Facility, facilities};
use shfence_oracle::installations::{Absent, Installation, absent, installations};
use shfence_oracle::lab::LabError;
use shfence_reports::ExitCode;
use std::path::PathBuf;

/// Says what is here, by trying it. Ends with 69 if nothing can be contained or a shell is missing.
#[derive(Args)]
pub(super) struct Doctor {
    /// Say it as JSON
    #[arg(long)]
    json: bool,
}

/// Everything the doctor has to say.
#[derive(Serialize)]
struct Findings {
    /// Can cases be run at all, in every language?
    usable: bool,
    /// The kernel's release and the architecture.
    kernel: String,
    /// The tier that is used.
    tier: Option<&'static str>,
    /// Why no control group bounds what a worker's shells use together.
    unbounded: Option<Refusal>,
    shells: Vec<Present>,
    missing: Vec<Missing>,
    tiers: Vec<TierReport>,
    facilities: Vec<Facility>,
}

#[derive(Serialize)]
struct Present {
    shell: Shell,
    name: String,
    version: String,
    program: PathBuf,
}

#[derive(Serialize)]
struct Missing {
    shell: Shell,
    name: &'static str,
    install: String,
    /// Is there no other installation of the language?
    needed: bool,
}

impl Doctor {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let findings = Findings::here()?;
        if self.json {
            let text = serde_json::to_string_pretty(&findings).map_err(Failure::io)?;
            println!("{text}");
        } else {
            findings.print();
        }
        Ok(if findings.usable { ExitCode::Clean } else { ExitCode::Unavailable })
    }
}

impl Findings {
    fn here() -> Result<Findings, Failure> {
        // First, while this process has one thread.
        let facilities = facilities();
        let config = EngineConfig::of_this_program().map_err(LabError::Program)?;
        let tiers = probe(&config).map_err(LabError::Engine)?;
        let best = tiers.iter().find(|report| report.refusal.is_none()).map(|it| it.tier);
        let unbounded = match best {
            Some(tier) => {
                let config = EngineConfig { tier: Some(tier), ..config };
                Engine::start(&config).map_err(LabError::Engine)?.unbounded().cloned()
            }
            None => None,
        };
        let shells = installations();
        let missing: Vec<Missing> =
            absent(&shells).into_iter().map(|it| Missing::of(it, &shells)).collect();
        Ok(Findings {
            usable: best.is_some() && !missing.iter().any(|it| it.needed),
            kernel: kernel(),
            tier: best.map(shfence_oracle::contain::Tier::name),
            unbounded,
            shells: shells.into_iter().map(Present::of).collect(),
            missing,
            tiers,
            facilities,
        })
    }

    fn print(&self) {
        println!("kernel\n  {}", self.kernel);
        println!("shells");
        for Present { shell, name, version, program } in &self.shells {
            println!("  {shell}: {name} {version} at {}", program.display());
        }
        for Missing { shell, name, install, needed } in &self.missing {
            let what = if *needed { "none installed" } else { "not installed" };
            println!("  {shell}: {what}: {name}; {install}");
        }
        println!("containment");
        for report in &self.tiers {
            println!("  {report}");
        }
        match (self.tier, &self.unbounded) {
            (None, _) => println!("nothing is run where nothing can be contained"),
            (Some(tier), None) => println!("  used: {tier}, with a control group"),
            (Some(tier), Some(refusal)) => {
                println!("  used: {tier}, without a control group: {refusal}");
                println!("    to have one: {}", for_a_group());
            }
        }
        println!("facilities");
        for Facility { name, without, refusal } in &self.facilities {
            match refusal {
                None => println!("  {name}: yes"),
                Some(refusal) => println!("  {name}: no ({without}): {refusal}"),
            }
        }
    }
}

/// How to be started where a control group can be made.
fn for_a_group() -> &'static str {
    "systemd-run --user --scope -p Delegate=yes shfence-oracle …, or run it as root"
}

impl Present {
    fn of(it: Installation) -> Present {
        let Installation { id, program, .. } = it;
        Present { shell: id.shell, name: id.name, version: id.version, program }
    }
}

impl Missing {
    fn of(absent: Absent, present: &[Installation]) -> Missing {
        let Absent { shell, name, package, extra } = absent;
        let is_other = |it: &Installation| it.id.shell == shell && !it.id.is_extra();
        let needed = !extra && !present.iter().any(is_other);
        Missing { shell, name, install: format!("{} {package}", installer()), needed }
    }
}

/// The command that installs packages on this system.
fn installer() -> &'static str {
    const INSTALLERS: [(&str, &str); 6] = [
        ("apt-get", "sudo apt-get install"),
        ("dnf", "sudo dnf install"),
        ("apk", "sudo apk add"),
        ("pacman", "sudo pacman -S"),
        ("zypper", "sudo zypper install"),
        ("nix-env", "nix-env -iA"),
    ];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_here = |name: &str| std::env::split_paths(&path).any(|dir| dir.join(name).exists());
    let found = INSTALLERS.into_iter().find(|(name, _)| is_here(name));
    found.map_or("install with this system's package manager:", |(_, command)| command)
}

fn kernel() -> String {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease");
    let release = release.map_or_else(|_| "of unknown release".to_owned(), |it| it.trim().into());
    format!("Linux {release} on {}", std::env::consts::ARCH)
}
