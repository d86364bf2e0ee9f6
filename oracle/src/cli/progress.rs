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
                let now = Duration::from_secs_f64(progress.seconds);
                if now < *next {
                    return;
                }
                // What was resumed has its first lines behind it.
                while *next <= now {
                    *next += LINE_EVERY;
                }
                match json {
                    false => eprintln!("{progress}"),
                    true => eprintln!("{}", serde_json::to_string(progress).unwrap_or_default()),
                }
            }
            Teller::Silent => {}
        }
    }
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
