//! `shfence-oracle known`: do the findings still happen that are known?

use super::Failure;
use super::show::Comparison;
use clap::Args;
use shfence_corpus::{Date, Known, KnownFindings};
use shfence_oracle::campaign::Source;
use shfence_oracle::guards::GuardName;
use shfence_oracle::lab::Lab;
use shfence_reports::ExitCode;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The list, seen from the project's directory.
const LIST: &str = "corpus/known.toml";

/// Which list.
#[derive(Args)]
pub(super) struct Options {
    /// The list
    #[arg(default_value = LIST)]
    list: PathBuf,
}

impl Options {
    /// Exit 1 if one has expired or no longer happens, 70 if that cannot be told of one, 2 if all
    /// do.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let all = load(&self.list)?;
        if all.known.is_empty() {
            println!("no finding is known");
            return Ok(ExitCode::Clean);
        }
        let mut lab = Lab::open()?;
        let (mut due, mut untold) = (0, 0);
        for known in &all.known {
            let Some(happens) = happens(known, &mut lab)? else {
                println!("{} ({}): its run is inconclusive", known.id, known.signature);
                untold += 1;
                continue;
            };
            let expired = known.expires < today();
            due += usize::from(expired || !happens);
            let what = match (happens, expired) {
                (true, false) => format!("known until {}", known.expires),
                (true, true) => format!("should have been mended by {}", known.expires),
                (false, _) => "no longer happens: take it out of the list".to_owned(),
            };
            println!("{} ({}): {what}", known.id, known.signature);
            println!("  {}", known.reason);
        }
        Ok(match (due, untold) {
            (0, 0) => ExitCode::KnownFindings,
            (0, _) => ExitCode::HarnessFault,
            (_, _) => ExitCode::NewFindings,
        })
    }
}

/// Is the guard still wrong about the case, in this way? Nothing, if it does not show and a run
/// cannot be judged.
fn happens(known: &Known, lab: &mut Lab) -> Result<Option<bool>, Failure> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", known.id));
    let guard: GuardName = known.guard.parse().map_err(wrong)?;
    let parts = known.repro.split_once(':');
    let parts = parts.and_then(|(s, i)| Some((s.parse::<Source>().ok()?, i.parse().ok()?)));
    let (source, index) =
        parts.ok_or_else(|| wrong(format!("'{}' is no SEED:INDEX", known.repro)))?;
    let comparison = Comparison::of(source.case(index).0, &*super::answering(&guard)?, lab)?;
    let kind = known.signature.as_str().split('/').next().unwrap_or_default();
    let mut found = comparison.traces.iter().flat_map(|trace| comparison.contradictions(trace));
    let happens = found.any(|it| it.kind.name() == kind);
    Ok((happens || !comparison.is_inconclusive()).then_some(happens))
}

/// Reads a list.
fn load(path: &Path) -> Result<KnownFindings, Failure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure::io(format!("{}: {error}", path.display())))?;
    KnownFindings::parse(&text)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// The list that is named. If none is, that of the project, which need not be there.
pub(super) fn known_here(named: Option<&Path>) -> Result<KnownFindings, Failure> {
    match named {
        Some(path) => load(path),
        None => KnownFindings::load(Path::new(LIST)).map_err(Failure::usage),
    }
}

/// The day, in the time zone of the records.
pub(super) fn today() -> Date {
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    Date::try_from(time[..10].to_owned()).expect("it begins with the day")
}
