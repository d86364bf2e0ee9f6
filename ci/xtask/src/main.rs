//! The checks of this workspace that no other tool does.
//!
//! `cargo run -p xtask -- tidy` prints what it complains of as `file:line: what`, and exits with 1
//! if there is anything, with 2 if it could not look.
#![forbid(unsafe_code)]

mod tidy;

use clap::Parser;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "The checks of this workspace that no other tool does")]
enum Task {
    /// Style, direction of dependencies and names, as tests
    Tidy,
}

fn main() -> ExitCode {
    let Task::Tidy = Task::parse();
    match tidy::complaints() {
        Ok(complaints) if complaints.is_empty() => ExitCode::SUCCESS,
        Ok(complaints) => {
            complaints.iter().for_each(|complaint| println!("{complaint}"));
            println!("tidy: {} to mend", complaints.len());
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("tidy: {error}");
            ExitCode::from(2)
        }
    }
}
