//! How a campaign says how far it is, on standard error.

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use shfence_oracle::campaign::Progress;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// In which form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A bar on a terminal, lines elsewhere
    #[default]
    Auto,
    /// A line every ten seconds
    Lines,
    /// The same as an object of JSON
    Json,
    /// Not at all
    None,
}

/// How often a line is written.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// What says it.
pub(super) enum Teller {
    Bar(ProgressBar),
    Lines { json: bool, next: Duration },
    Silent,
}

impl Teller {
    /// In this form, with what there is to write to.
    pub(super) fn new(form: Form) -> Teller {
        match form {
            Form::Auto if io::stderr().is_terminal() => Teller::Bar(bar()),
            Form::Auto | Form::Lines => Teller::Lines { json: false, next: LINE_EVERY },
            Form::Json => Teller::Lines { json: true, next: LINE_EVERY },
            Form::None => Teller::Silent,
        }
    }

    /// Takes note of how far it is, and says so if it is time to.
    pub(super) fn tell(&mut self, progress: &Progress) {
        match self {
            Teller::Bar(bar) => {
                let done = progress.done().unwrap_or_default();
                bar.set_position((done * WHOLE as f64) as u64);
                bar.set_message(progress.figures());
                bar.set_prefix(left(progress));
            }
            Teller::Lines { json, next } => {
                if let Some(line) = line(*json, next, progress) {
                    eprintln!("{line}");
                }
            }
            Teller::Silent => {}
        }
    }
}

/// The line that is due, if one is.
fn line(json: bool, next: &mut Duration, progress: &Progress) -> Option<String> {
    let now = Duration::from_secs_f64(progress.seconds);
    if now < *next {
        return None;
    }
    // What was resumed has its first lines behind it.
    while *next <= now {
        *next += LINE_EVERY;
    }
    if json { serde_json::to_string(progress).ok() } else { Some(progress.to_string()) }
}

/// The last state of a bar is no news: what came of the campaign is printed below.
impl Drop for Teller {
    fn drop(&mut self) {
        if let Teller::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Parts of a bar, which a terminal may have fewer columns than.
const WHOLE: u64 = 10_000;

fn bar() -> ProgressBar {
    let form = "{bar:16.green} {prefix} · {wide_msg}";
    let style = ProgressStyle::with_template(form).expect("a template of known names");
    ProgressBar::new(WHOLE).with_style(style.progress_chars("━╸─"))
}

/// `1,234 cases, 2 min left`.
fn left(progress: &Progress) -> String {
    let left = match progress.left_s {
        Some(left) if left >= 120.0 => format!("{:.0} min left", left / 60.0),
        Some(left) => format!("{left:.0} s left"),
        None => "begins".to_owned(),
    };
    format!("{} cases, {left}", progress.cases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shfence_reports::Split;

    /// The seconds of the lines that a campaign of these moments is told in.
    fn told(json: bool, moments: &[f64]) -> Vec<String> {
        let mut next = LINE_EVERY;
        let progress = |seconds: &f64| Progress {
            seconds: *seconds,
            cases: 30,
            cases_asked: Some(60),
            cases_per_s: 3.0,
            left_s: Some(10.0),
            shell_runs: 90,
            verdicts: Split { allow: 10, ask: 20, deny: 0 },
            findings: 0,
            caught: (0, 0),
            inconclusive: 0,
        };
        moments.iter().filter_map(|it| line(json, &mut next, &progress(it))).collect()
    }

    #[test]
    fn a_line_is_due_every_ten_seconds_also_after_a_pause() {
        let lines = told(false, &[0.2, 9.9, 10.1, 10.3, 19.9, 20.0, 95.0, 99.0, 100.5]);
        let seconds: Vec<&str> =
            lines.iter().map(|it| it.split(':').next().unwrap_or("")).collect();
        assert_eq!(seconds, ["10 s", "20 s", "95 s", "100 s"]);
        assert!(lines[0].contains("30 cases of 60 · 3 cases/s · allow 33 %"), "{}", lines[0]);
    }

    #[test]
    fn a_program_is_told_in_json() {
        let lines = told(true, &[10.0]);
        let json: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
        let figures = (&json["cases"], &json["left_s"], &json["verdicts"]["ask"]);
        assert_eq!(figures, (&30.into(), &10.0.into(), &20.into()));
    }
}
