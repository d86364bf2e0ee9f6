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
pub(super) const LIST: &str = "corpus/known.toml";

/// Which list.
#[derive(Args)]
pub(super) struct Options {
    /// The list
    #[arg(default_value = LIST)]
    list: PathBuf,
}

impl Options {
    /// Exit 1 if one has expired or no longer happens, 2 if all do.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let all = load(&self.list)?;
        if all.known.is_empty() {
            println!("no finding is known");
            return Ok(ExitCode::Clean);
        }
        let mut lab = Lab::open()?;
        let mut due = 0;
        for known in &all.known {
            let happens = happens(known, &mut lab)?;
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
        Ok(if due > 0 { ExitCode::NewFindings } else { ExitCode::KnownFindings })
    }
}

/// Is the guard still wrong about the case, in this way?
fn happens(known: &Known, lab: &mut Lab) -> Result<bool, Failure> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", known.id));
    let guard: GuardName = known.guard.parse().map_err(wrong)?;
    let parts = known.repro.split_once(':');
    let parts = parts.and_then(|(s, i)| Some((s.parse::<Source>().ok()?, i.parse().ok()?)));
    let (source, index) =
        parts.ok_or_else(|| wrong(format!("'{}' is no SEED:INDEX", known.repro)))?;
    let comparison = Comparison::of(source.case(index).0, &*guard.guard(), lab)?;
    let kind = known.signature.as_str().split('/').next().unwrap_or_default();
    let mut found = comparison.traces.iter().flat_map(|trace| comparison.contradictions(trace));
    Ok(found.any(|it| it.kind.name() == kind))
}

/// Reads a list.
pub(super) fn load(path: &Path) -> Result<KnownFindings, Failure> {
    KnownFindings::load(path).map_err(Failure::usage)
}

/// The day, in the time zone of the records.
pub(super) fn today() -> Date {
    let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    Date::try_from(time[..10].to_owned()).expect("it begins with the day")
}
