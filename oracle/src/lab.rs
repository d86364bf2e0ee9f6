//! Everything that is needed to run a case: an engine and the installed shells.

use crate::contain::Tier;
use crate::engine::{Engine, EngineConfig, EngineError, Probes, RunError, Stopper};
use crate::installations::{Installation, installations};
use crate::startup::Startups;
use crate::trace::Trace;
use shfence_corpus::{Case, Shell, Shells};
use std::fmt;

/// One engine, and the shells to run in it.
#[derive(Debug)]
pub struct Lab {
    engine: Engine,
    startups: Startups,
    /// The shells, in the order in which everything shows them.
    pub shells: Vec<Installation>,
}

/// Why nothing can be run.
#[derive(Debug)]
pub enum LabError {
    /// These shells are demanded and not installed.
    MissingShells(Shells),
    /// The variable `REQUIRE_SHELLS` is no list of shells: why.
    UnknownShell(String),
    /// There is no engine.
    Engine(EngineError),
    /// The program does not know where it is itself.
    Program(std::io::Error),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::MissingShells(missing) => write!(
                f,
                "not installed: {missing}; install the packages bash, dash and zsh \
                 (apt-get install bash dash zsh)"
            ),
            LabError::UnknownShell(what) => write!(f, "REQUIRE_SHELLS: {what}"),
            LabError::Engine(error) => error.fmt(f),
            LabError::Program(error) => write!(f, "this program's own path is not known: {error}"),
        }
    }
}

impl std::error::Error for LabError {}

impl From<EngineError> for LabError {
    fn from(error: EngineError) -> LabError {
        LabError::Engine(error)
    }
}

impl Lab {
    /// All installed shells, and an engine on any processor.
    pub fn open() -> Result<Lab, LabError> {
        Lab::with(shells()?, None)
    }

    /// These shells, and an engine on this processor.
    pub fn with(shells: Vec<Installation>, cpu: Option<usize>) -> Result<Lab, LabError> {
        let config = EngineConfig::of_this_program().map_err(LabError::Program)?;
        Lab::configured(shells, &EngineConfig { cpu, ..config })
    }

    /// These shells, and an engine of this configuration.
    pub fn configured(shells: Vec<Installation>, config: &EngineConfig) -> Result<Lab, LabError> {
        Ok(Lab::of(Engine::start(config)?, shells))
    }

    /// From now on probes do this.
    pub fn set_probes(&mut self, probes: Probes) {
        self.engine.set_probes(probes);
    }

    /// These shells in this engine.
    pub fn of(engine: Engine, shells: Vec<Installation>) -> Lab {
        Lab { engine, startups: Startups::default(), shells }
    }

    /// How its shells are contained.
    pub fn tier(&self) -> Tier {
        self.engine.tier()
    }

    /// A way to end whatever its engine is running.
    pub fn stopper(&self) -> Result<Stopper, LabError> {
        let lost = |error: std::io::Error| EngineError::WorkerLost(error.to_string());
        self.engine.stopper().map_err(|error| lost(error).into())
    }

    /// What a shell does with the line of a case, without what it does at its start.
    pub fn run_in(&mut self, case: &Case, shell: &Installation) -> Result<Trace, RunError> {
        let trace = self.engine.run(case, shell)?;
        self.startups.strip(trace, case, shell, &mut self.engine)
    }

    /// Runs a case in every shell that it is for.
    pub fn run(&mut self, case: &Case) -> Result<Vec<Trace>, RunError> {
        self.shells_of(case).iter().map(|shell| self.run_in(case, shell)).collect()
    }

    /// Runs a case in every shell that it is for, where nothing is seen of it.
    pub(crate) fn run_unseen(&mut self, case: &Case) -> Result<(), RunError> {
        self.shells_of(case).iter().try_for_each(|it| self.engine.run(case, it).map(drop))
    }

    /// One installation of each language that a case is for, and with one case of [`EXTRA`] an
    /// extra one. Where there are several, cases take them in turn by their index.
    pub fn shells_in_turn(&self, case: &Case, index: u64) -> Vec<Installation> {
        let (extra, regular): (Vec<_>, Vec<_>) =
            self.shells_of(case).into_iter().partition(|it| it.id.is_extra());
        let of_it = |shell| regular.iter().filter(|it| it.id.shell == shell).collect::<Vec<_>>();
        let mut shells: Vec<Installation> =
            Shell::ALL.into_iter().filter_map(|shell| turn(&of_it(shell), index)).collect();
        if index.is_multiple_of(EXTRA) {
            shells.extend(turn(&extra.iter().collect::<Vec<_>>(), index / EXTRA));
        }
        shells
    }

    /// The shells that a case is for.
    pub fn shells_of(&self, case: &Case) -> Vec<Installation> {
        let is_for = |shell: &&Installation| case.shells.contains(shell.id.shell);
        self.shells.iter().filter(is_for).cloned().collect()
    }
}

/// One case of so many is run in an extra shell as well.
const EXTRA: u64 = 4;

fn turn(of: &[&Installation], index: u64) -> Option<Installation> {
    let count = u64::try_from(of.len()).ok().filter(|count| *count > 0)?;
    usize::try_from(index % count).ok().map(|at| of[at].clone())
}

/// The installed shells. `REQUIRE_SHELLS=bash,sh,zsh` makes a missing one an error; without it a
/// missing shell is one that nothing is run in, and the caller says so.
pub fn shells() -> Result<Vec<Installation>, LabError> {
    let shells = installations();
    if let Ok(required) = std::env::var("REQUIRE_SHELLS") {
        let required: Shells = required.parse().map_err(LabError::UnknownShell)?;
        let missing: Shells = required.iter().filter(|shell| !has(&shells, *shell)).collect();
        if !missing.is_empty() {
            return Err(LabError::MissingShells(missing));
        }
    }
    Ok(shells)
}

fn has(shells: &[Installation], shell: Shell) -> bool {
    shells.iter().any(|it| it.id.shell == shell && !it.id.is_extra())
}
