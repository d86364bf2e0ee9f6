//! The command line.

/// Prints on standard output, as the macro of this name does elsewhere; but that it cannot be
/// written is the end of the program with its own exit code, and no panic.
macro_rules! print {
    ($($text:tt)*) => { $crate::cli::put(format_args!($($text)*)) };
}

/// The same for a line.
macro_rules! println {
    () => { $crate::cli::put(format_args!("\n")) };
    ($($text:tt)+) => { $crate::cli::put(format_args!("{}\n", format_args!($($text)+))) };
}

/// Says a line on standard error, as the macro of this name does elsewhere; but where nobody can be
/// told, that is no reason to panic.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::cli::say_line(format_args!($($text)*)) };
}

mod bench;
mod campaign;
mod compare;
mod doctor;
mod known;
mod merge;
mod minimize;
mod place;
mod progress;
mod rejudge;
mod replay;
mod report;
mod repro;
mod selftest;
mod settings;
mod show;
mod try_line;

use clap::{Parser, Subcommand};
use shfence_corpus::{Fixture, FixtureError};
use shfence_oracle::campaign::CampaignError;
use shfence_oracle::engine::{EngineError, RunError};
use shfence_oracle::guards::{Guard, GuardName};
use shfence_oracle::interrupt;
use shfence_oracle::lab::LabError;
use shfence_oracle::recording::RecordingError;
use shfence_reports::{Ended, ExitCode};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs shell lines contained in real shells and proves a guard wrong whenever it can.
#[derive(Parser)]
#[command(name = "shfence-oracle", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs LINE in all shells and shows verdict, plan and what happened.
    Try(try_line::Try),
    /// Generates cases, runs them, judges them, and writes a run directory.
    Campaign(campaign::Options),
    /// Asks several guards about the same cases and fixtures, and says who was right.
    Compare(compare::Compare),
    /// Runs the findings again that are known, and says which are due.
    Known(known::Options),
    /// Asks a guard again about recorded cases, and judges it by what was seen, without shells.
    Rejudge(rejudge::Options),
    /// Replays fixtures in every shell they name.
    Replay(replay::Replay),
    /// Runs one case of a campaign again, or a finding of a run.
    Repro(repro::Repro),
    /// Minimises a fixture that shows a guard to be wrong, and prints it.
    Minimize(minimize::Minimize),
    /// Shows that the harness sees: every strawman must be caught.
    Selftest(selftest::Selftest),
    /// Puts the shards of one campaign together as one run.
    Merge(merge::Merge),
    /// Renders a run as HTML, Markdown, JUnit, SARIF or JSON.
    Report(report::Report),
    /// Measures cases per second, against a harness made of strace.
    Bench(bench::Options),
    /// Says which shells are here and how they can be contained.
    Doctor(doctor::Doctor),
}

/// A command that could not do its work: what to say, and the code to exit with.
pub(crate) struct Failure {
    exit: ExitCode,
    what: String,
}

impl Failure {
    fn usage(what: impl fmt::Display) -> Failure {
        Failure { exit: ExitCode::Usage, what: what.to_string() }
    }

    /// The same, naming what it is about.
    fn about(self, name: &str) -> Failure {
        Failure { what: format!("{name}: {}", self.what), ..self }
    }

    fn io(what: impl fmt::Display) -> Failure {
        Failure { exit: ExitCode::Io, what: what.to_string() }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        let exit = match &error {
            LabError::UnknownShell(_) | LabError::Engine(EngineError::UnknownTier(_)) => {
                ExitCode::Usage
            }
            LabError::MissingShells(_) | LabError::Engine(_) | LabError::Program(_) => {
                ExitCode::Unavailable
            }
        };
        Failure { exit, what: error.to_string() }
    }
}

impl From<CampaignError> for Failure {
    fn from(error: CampaignError) -> Failure {
        match error {
            CampaignError::Lab(error) => error.into(),
            CampaignError::NoShell => {
                Failure { exit: ExitCode::Unavailable, what: error.to_string() }
            }
            CampaignError::Directory(_) | CampaignError::Busy(_) | CampaignError::Recording(_) => {
                Failure::io(error)
            }
            CampaignError::NotResumed(_) => Failure::usage(error),
        }
    }
}

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Failure {
        if error.is_io { Failure::io(error) } else { Failure::usage(error) }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let exit = match &error {
            RunError::Engine(_) => ExitCode::HarnessFault,
            _ => ExitCode::Usage,
        };
        Failure { exit, what: error.to_string() }
    }
}

/// Runs the command that the arguments name.
pub(crate) fn run() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let printed = error.print().and_then(|()| io::stdout().flush());
            if error.use_stderr() {
                return ExitCode::Usage.into();
            }
            printed.unwrap_or_else(|error| not_printed(&error));
            return ExitCode::Clean.into();
        }
    };
    let ended = match arguments.command {
        Command::Try(command) => command.run(),
        Command::Campaign(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Known(command) => command.run(),
        Command::Rejudge(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Repro(command) => command.run(),
        Command::Minimize(command) => command.run(),
        Command::Selftest(command) => command.run(),
        Command::Merge(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Doctor(command) => command.run(),
    };
    ended
        .unwrap_or_else(|failure| {
            eprintln!("shfence-oracle: {}", failure.what);
            failure.exit
        })
        .into()
}

/// What `print!` does here.
pub(crate) fn put(text: fmt::Arguments<'_>) {
    let mut output = io::stdout();
    let printed = output.write_fmt(text).and_then(|()| output.flush());
    printed.unwrap_or_else(|error| not_printed(&error));
}

/// Ends the program: standard output cannot be written.
fn not_printed(error: &io::Error) -> ! {
    // Who closes a pipe has seen enough, and need not be told.
    if error.kind() != io::ErrorKind::BrokenPipe {
        say_line(format_args!("shfence-oracle: standard output: {error}"));
    }
    std::process::exit(ExitCode::Io.code().into())
}

/// What `eprintln!` does here.
pub(crate) fn say_line(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The guard of this name, which answers: one that is a program may not be there.
fn answering(name: &GuardName) -> Result<Arc<dyn Guard>, Failure> {
    let guard = name.guard();
    name.answers().map_err(|crash| Failure {
        exit: ExitCode::Unavailable,
        what: format!("{}: {crash}", guard.name()),
    })?;
    Ok(guard)
}

/// The code of a command that was told to stop; nothing if it was not.
fn stopped() -> Option<ExitCode> {
    match interrupt::pending()? {
        Ended::Terminated => Some(ExitCode::Terminated),
        _ => Some(ExitCode::Interrupted),
    }
}

/// Loads a fixture, or all of a folder.
fn fixtures(paths: &[PathBuf]) -> Result<Vec<Fixture>, Failure> {
    Fixture::load_all(paths).map_err(unloaded)
}

/// Loads the one fixture of a file.
fn fixture(path: &Path) -> Result<Fixture, Failure> {
    Fixture::load(path).map_err(unloaded)
}

fn unloaded(error: FixtureError) -> Failure {
    if error.is_io { Failure::io(error) } else { Failure::usage(error) }
}
