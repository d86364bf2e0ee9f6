//! The `shfence` program.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    // Some agents call a program without arguments: a link of such a name says for which agent.
    if let Some(agent) = arguments.next().and_then(|path| cli::hook::agent_named_by(&path)) {
        return cli::hook::run(std::iter::once(agent).chain(arguments));
    }
    // The hook runs before every command of an agent: it does not pay for a help text.
    if arguments.next().is_some_and(|first| first == "hook") {
        return cli::hook::run(arguments);
    }
    cli::commands()
}
