//! What a run says as a whole.

use crate::visible::count_of;
use crate::{Ended, ExitCode, Run, Summary};
use std::fmt;

/// The one answer of a run. Only findings of the guards under test count: those of strawmen are
/// what the harness is there to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything asked for was run; no finding.
    Clean,
    /// This many findings are not known.
    NewFindings(usize),
    /// There are this many findings, all known.
    KnownFindings(usize),
    /// The result means nothing, for this reason.
    Fault(String),
    /// Stopped by SIGINT, with this many new findings so far.
    Interrupted(usize),
    /// Stopped by SIGTERM, with this many new findings so far.
    Terminated(usize),
    /// Still running, or killed, with this many new findings so far.
    Unfinished(usize),
}

impl Verdict {
    pub(crate) fn of(run: &Run) -> Verdict {
        let new = run.tested().filter(|seen| seen.finding.known.is_none()).count();
        let Some(Summary { ended: Some(ended), .. }) = &run.summary else {
            return Verdict::Unfinished(new);
        };
        match ended {
            Ended::Interrupted => Verdict::Interrupted(new),
            Ended::Terminated => Verdict::Terminated(new),
            Ended::Fault(reason) => Verdict::Fault(reason.clone()),
            Ended::Complete => match contradiction(run) {
                Some(reason) => Verdict::Fault(reason),
                None if new > 0 => Verdict::NewFindings(new),
                None => match run.tested().count() {
                    0 => Verdict::Clean,
                    known => Verdict::KnownFindings(known),
                },
            },
        }
    }

    /// The code a command that reports this verdict exits with. A run that has not ended proves
    /// nothing, but a finding it has already made stands.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Verdict::Clean => ExitCode::Clean,
            Verdict::NewFindings(_) | Verdict::Unfinished(1..) => ExitCode::NewFindings,
            Verdict::KnownFindings(_) => ExitCode::KnownFindings,
            Verdict::Fault(_) | Verdict::Unfinished(0) => ExitCode::HarnessFault,
            Verdict::Interrupted(_) => ExitCode::Interrupted,
            Verdict::Terminated(_) => ExitCode::Terminated,
        }
    }
}

/// Of a hundred cases, the most that may be inconclusive.
const MOST_INCONCLUSIVE: u64 = 2;

/// Why a run that calls itself complete cannot be believed.
fn contradiction(run: &Run) -> Option<String> {
    let summary = run.summary.as_ref()?;
    if let Some(asked) = summary.cases_asked.filter(|asked| *asked != summary.cases_run) {
        return Some(format!("{asked} cases asked, {} run", summary.cases_run));
    }
    if summary.cases_run == 0 {
        return Some("no case was run".to_owned());
    }
    if summary.inconclusive_cases * 100 > summary.cases_run * MOST_INCONCLUSIVE {
        let Summary { inconclusive_cases, cases_run, .. } = summary;
        return Some(format!("{inconclusive_cases} of {cases_run} cases are inconclusive"));
    }
    run.manifest.guards.iter().find_map(|guard| {
        let counted = summary.guards.get(guard).map_or(0, |counts| counts.findings);
        let recorded = run.of_guard(guard).count() as u64;
        (counted != recorded)
            .then(|| format!("{counted} findings of {guard} counted, {recorded} recorded"))
    })
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let so_far = |f: &mut fmt::Formatter<'_>, how: &str, new: usize| {
            write!(f, "{how}, {} so far", count_of(new as u64, "new finding"))
        };
        match self {
            Verdict::Clean => f.write_str("clean"),
            Verdict::NewFindings(new) => f.write_str(&count_of(*new as u64, "new finding")),
            Verdict::KnownFindings(known) => {
                write!(f, "{} and no new one", count_of(*known as u64, "known finding"))
            }
            Verdict::Fault(reason) => write!(f, "harness fault: {reason}"),
            Verdict::Interrupted(new) => so_far(f, "interrupted", *new),
            Verdict::Terminated(new) => so_far(f, "terminated", *new),
            Verdict::Unfinished(new) => so_far(f, "unfinished", *new),
        }
    }
}
