//! The `shfence-oracle` program.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The contained worker is this same program, started again: nothing of the command line is
    // needed there.
    if std::env::args_os().nth(1).is_some_and(|first| first == "worker") {
        return shfence_oracle::worker::main();
    }
    cli::run()
}
