//! How far a campaign is.

use serde::Serialize;
use shfence_reports::Split;
use std::fmt;

/// What can be said of a campaign while it runs.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// Since it began, pauses left out.
    pub seconds: f64,
    /// Cases that were run to a judgement.
    pub cases: u64,
    /// Cases asked of this shard; nothing if the limit is a time.
    pub cases_asked: Option<u64>,
    /// Cases a second.
    pub cases_per_s: f64,
    /// Until its end, in seconds; nothing as long as that cannot be known.
    pub left_s: Option<f64>,
    /// How many runs of shells that were.
    pub shell_runs: u64,
    /// What the first guard under test said.
    pub verdicts: Split,
    /// Findings of the guards under test.
    pub findings: u64,
    /// Strawmen that were caught, of how many.
    pub caught: (usize, usize),
    /// Cases without a judgement in at least one shell.
    pub inconclusive: u64,
}

impl Progress {
    /// The part that is done, from 0 to 1; nothing as long as that cannot be known.
    pub fn done(&self) -> Option<f64> {
        match self.cases_asked {
            Some(asked) => Some(self.cases as f64 / asked.max(1) as f64),
            None => self.left_s.map(|left| self.seconds / (self.seconds + left).max(f64::EPSILON)),
        }
    }

    /// What was said of the cases, and what came of it.
    pub fn figures(&self) -> String {
        let Split { allow, ask, deny } = self.verdicts;
        let percent = |part: u64| 100.0 * part as f64 / (allow + ask + deny).max(1) as f64;
        let verdicts = [("allow", allow), ("ask", ask), ("deny", deny)]
            .map(|(name, count)| format!("{name} {:.0} %", percent(count)));
        let mut figures = format!(
            "{:.0} cases/s · {} · {} runs of shells · findings: {}",
            self.cases_per_s,
            verdicts.join(", "),
            self.shell_runs,
            self.findings
        );
        let (caught, strawmen) = self.caught;
        if strawmen > 0 {
            figures += &format!(" · strawmen caught: {caught} of {strawmen}");
        }
        if self.inconclusive > 0 {
            figures += &format!(" · inconclusive: {}", self.inconclusive);
        }
        figures
    }
}

/// One line for a log.
impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} s: {} cases", self.seconds, self.cases)?;
        if let Some(asked) = self.cases_asked {
            write!(f, " of {asked}")?;
        }
        write!(f, " · {}", self.figures())?;
        match self.left_s {
            Some(left) => write!(f, " · {left:.0} s left"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_one_wants_to_know() {
        let progress = Progress {
            seconds: 10.0,
            cases: 500,
            cases_asked: Some(2_000),
            cases_per_s: 50.0,
            left_s: Some(30.0),
            shell_runs: 1_500,
            verdicts: Split { allow: 200, ask: 290, deny: 10 },
            findings: 1,
            caught: (3, 24),
            inconclusive: 2,
        };
        assert_eq!(
            progress.to_string(),
            "10 s: 500 cases of 2000 · 50 cases/s · allow 40 %, ask 58 %, deny 2 % · 1500 runs of \
             shells · findings: 1 · strawmen caught: 3 of 24 · inconclusive: 2 · 30 s left"
        );
        assert_eq!(progress.done(), Some(0.25));
        let timed = Progress { cases_asked: None, ..progress };
        assert_eq!(timed.done(), Some(0.25));
    }
}
