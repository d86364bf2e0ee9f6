//! `shfence-oracle try`: one line, all shells.

use super::Failure;
use super::place::{Where, text};
use super::show::Comparison;
use clap::Args;
use shfence_corpus::Text;
use shfence_oracle::guards::GuardName;
use shfence_oracle::lab::Lab;
use shfence_reports::ExitCode;
use std::ffi::OsString;

/// Runs a line.
#[derive(Args)]
pub(super) struct Try {
    #[command(flatten)]
    place: Where,
    /// The guard to compare with: linked, linked-edit (the same in its profile edit),
    /// strawman:NAME, cmd:PROGRAM (Claude Code's PreToolUse hook) or batch:PROGRAM (the JSON lines
    /// of `shfence batch`)
    #[arg(long, default_value = "linked")]
    guard: GuardName,
    /// Print JSON, the whole traces included
    #[arg(long)]
    json: bool,
    /// The line. Several words are joined by blanks.
    #[arg(required = true, last = true, value_name = "LINE")]
    line: Vec<OsString>,
}

impl Try {
    /// Exit 1 if an allow was wrong, 70 if that cannot be told of a run.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let words: Vec<Text> = self.line.into_iter().map(text).collect();
        let words: Vec<&[u8]> = words.iter().map(Text::as_bytes).collect();
        let case = self.place.case(Text::from(words.join(&b' ')))?;
        let guard = super::answering(&self.guard)?;
        let comparison = Comparison::of(case, &*guard, &mut Lab::open()?)?;
        if self.json {
            println!("{}", comparison.to_json());
        } else {
            print!("{}", comparison.to_text());
        }
        Ok(comparison.exit_code())
    }
}
