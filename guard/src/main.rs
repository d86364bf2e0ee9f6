//! The `shfence` program.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // The hook runs before every command of an agent: it does not pay for a help text.
    if arguments.next().is_some_and(|first| first == "hook") {
        return cli::hook::run(arguments);
    }
    cli::commands()
}
