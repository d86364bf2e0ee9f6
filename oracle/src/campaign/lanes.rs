//! In which lane a case runs.
//!
//! Probes are fast and show where a shell goes; only tools show what a verb touches; and that
//! shells which start warm do what executed ones do is worth looking at again and again. So most
//! cases run with probes, a share with tools, and a few are executed. Which, the case and its index
//! say: the same case runs in the same lane in every shard and on every machine.

use crate::engine::{EngineConfig, Lane, Probes, RunError, Start, Stopper};
use crate::installations::Installation;
use crate::lab::{Lab, LabError};
use crate::trace::Trace;
use shfence_corpus::Case;
use std::fmt;
use std::str::FromStr;

/// A lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseLane {
    /// Warm shells and probes.
    Probe,
    /// Warm shells and real tools.
    Tools,
    /// Executed shells and real tools.
    Executed,
}

impl CaseLane {
    /// All of them.
    pub const ALL: [CaseLane; 3] = [CaseLane::Probe, CaseLane::Tools, CaseLane::Executed];

    /// Its name in summaries.
    pub fn name(self) -> &'static str {
        match self {
            CaseLane::Probe => "probe",
            CaseLane::Tools => "tools",
            CaseLane::Executed => "executed",
        }
    }
}

impl fmt::Display for CaseLane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CaseLane {
    type Err = String;
    fn from_str(name: &str) -> Result<CaseLane, String> {
        let found = CaseLane::ALL.into_iter().find(|lane| lane.name() == name);
        found.ok_or_else(|| format!("unknown lane '{name}': expected probe, tools or executed"))
    }
}

/// Of a hundred cases, so many with tools, and so many executed; the rest with probes.
const TOOLS: u64 = 35;
const EXECUTED: u64 = 5;

/// The lane of a case.
pub(super) fn lane_of(case: &Case, index: u64) -> CaseLane {
    // Spread by a multiplicative hash: the lane must not go with the shard, nor with the
    // installation of `sh`, which cases take in turn.
    let drawn = (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % 100;
    match drawn {
        _ if drawn < EXECUTED => CaseLane::Executed,
        _ if drawn < EXECUTED + TOOLS || starts_programs(case) => CaseLane::Tools,
        // On an architecture for which there are none.
        _ if !Lane::has_probes() => CaseLane::Tools,
        _ => CaseLane::Probe,
    }
}

/// Does the line name a program that starts another, reads what none of its words names, or prints
/// what follows from its words alone? A probe in its place would not.
fn starts_programs(case: &Case) -> bool {
    const STARTERS: [&[u8]; 16] = [
        b"env",
        b"nice",
        b"timeout",
        b"xargs",
        b"find",
        b"nohup",
        b"setsid",
        b"stdbuf",
        b"git",
        b"sh",
        b"bash",
        b"dash",
        b"zsh",
        b"basename",
        b"dirname",
        b"seq",
    ];
    let mut words = case.line.split(|byte| !byte.is_ascii_alphanumeric());
    words.any(|word| STARTERS.contains(&word))
}

/// The labs of one worker: one for each lane.
pub(super) struct Labs {
    probe: Lab,
    tools: Lab,
    /// Where findings are confirmed as well.
    pub(super) executed: Lab,
}

impl Labs {
    /// Opens them on a processor.
    pub(super) fn open(shells: &[Installation], cpu: Option<usize>) -> Result<Labs, LabError> {
        let config = EngineConfig::of_this_program().map_err(LabError::Program)?;
        let open = |lane, start| {
            Lab::configured(shells.to_vec(), &EngineConfig { lane, start, cpu, ..config.clone() })
        };
        Ok(Labs {
            probe: open(if Lane::has_probes() { Lane::probe() } else { Lane::Real }, Start::Warm)?,
            tools: open(Lane::Real, Start::Warm)?,
            executed: open(Lane::Real, Start::Exec)?,
        })
    }

    /// Ways to end whatever they are running.
    pub(super) fn stoppers(&self) -> Result<Vec<Stopper>, LabError> {
        [&self.probe, &self.tools, &self.executed].into_iter().map(Lab::stopper).collect()
    }

    /// Runs a case in a lane.
    pub(super) fn run_in(
        &mut self,
        lane: CaseLane,
        probes: Probes,
        case: &Case,
        shell: &Installation,
    ) -> Result<Trace, RunError> {
        let lab = match lane {
            CaseLane::Probe => &mut self.probe,
            CaseLane::Tools => &mut self.tools,
            CaseLane::Executed => &mut self.executed,
        };
        lab.set_probes(probes);
        lab.run_in(case, shell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shfence_corpus::TreeSpec;

    #[test]
    fn every_lane_has_its_share_in_every_shard() {
        let case = Case::new("cat x", TreeSpec::default());
        for shard in 0..7 {
            let lanes: Vec<CaseLane> =
                (0..4_000).map(|number| lane_of(&case, number * 7 + shard)).collect();
            let percent = |lane| lanes.iter().filter(|it| **it == lane).count() / 40;
            assert!(percent(CaseLane::Executed).abs_diff(EXECUTED as usize) <= 2);
            assert!(percent(CaseLane::Tools).abs_diff(TOOLS as usize) <= 3);
        }
    }

    #[test]
    fn what_starts_programs_has_tools() {
        for (line, starts) in [
            ("cd a && env cat x", true),
            ("find . -exec cat {} +", true),
            ("cat environment", false),
        ] {
            let case = Case::new(line, TreeSpec::default());
            assert_eq!(starts_programs(&case), starts, "{line}");
            assert!(!starts || (0..100).all(|index| lane_of(&case, index) != CaseLane::Probe));
        }
    }
}
