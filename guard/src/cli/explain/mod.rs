//! `shfence explain`: why a line is judged as it is.
//!
//! Everything that is shown comes from the verdict and its plan; nothing is judged a second time.

mod advice;
mod explanation;
mod rendering;

use super::caret;
use super::check::{Where, exit, joined, misused};
use clap::Args;
use explanation::Explanation;
use rendering::{Paint, rendered};
use std::ffi::OsString;
use std::process::ExitCode;

/// Explains the verdict on one line.
#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    place: Where,
    /// Print the explanation as JSON
    #[arg(long)]
    json: bool,
    /// The line. Several words are joined by blanks.
    #[arg(required = true, last = true, value_name = "LINE")]
    line: Vec<OsString>,
}

impl Explain {
    /// Judges, explains, and says the decision by the exit code, as `check` does.
    pub fn run(self) -> ExitCode {
        let line = joined(&self.line);
        let prepared = match self.place.prepare() {
            Ok(prepared) => prepared,
            Err(message) => return misused(&message),
        };
        let verdict = prepared.decide(&line, &prepared.configuration.policy);
        let explanation = Explanation::of(&line, &verdict, &prepared.scope, prepared.window());
        match self.json {
            true => println!("{}", explanation.to_json()),
            false => print!("{}", rendered(&line, &explanation, Paint::of_terminal())),
        }
        exit(verdict.decision)
    }
}
