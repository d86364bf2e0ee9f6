//! The command line.

#[cfg(feature = "cli")]
mod allow;
#[cfg(feature = "cli")]
mod batch;
#[cfg(feature = "cli")]
mod caret;
#[cfg(feature = "cli")]
mod check;
mod configuration;
#[cfg(feature = "cli")]
mod doctor;
#[cfg(feature = "cli")]
mod explain;
#[cfg(feature = "cli")]
mod export;
pub mod hook;
#[cfg(feature = "cli")]
mod install;
#[cfg(feature = "cli")]
mod keeping;
mod log;
#[cfg(feature = "cli")]
mod manual;
#[cfg(feature = "cli")]
mod object;
mod place;
#[cfg(feature = "cli")]
mod rules;
mod session;
mod telling;
mod trusted;
#[cfg(feature = "cli")]
mod verbs;
#[cfg(feature = "cli")]
mod wire;
mod worktrees;

use std::process::ExitCode;

/// The commands' exit codes (`sysexits(3)` from 64 on).
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
#[derive(Clone, Copy)]
enum Exit {
    Allow = 0,
    Ask = 1,
    Deny = 2,
    Usage = 64,
    Internal = 70,
    Io = 74,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Without the feature `cli` there is only the hook.
#[cfg(not(feature = "cli"))]
pub fn commands() -> ExitCode {
    eprintln!("shfence: this build has only 'shfence hook AGENT'");
    Exit::Usage.into()
}

/// Runs the command that the arguments name. A panic has said all it can on standard error; that
/// nobody reads what is printed any more (`| head`) is nothing to say.
#[cfg(feature = "cli")]
pub fn commands() -> ExitCode {
    let says = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>();
        if text.is_none_or(|text| !text.starts_with("failed printing to stdout")) {
            says(panic);
        }
    }));
    std::panic::catch_unwind(run_command).unwrap_or_else(|_| Exit::Internal.into())
}

#[cfg(feature = "cli")]
fn run_command() -> ExitCode {
    use clap::Parser;
    match Arguments::try_parse() {
        Ok(Arguments { command: Command::Check(check) }) => check.run(),
        Ok(Arguments { command: Command::Explain(explain) }) => explain.run(),
        Ok(Arguments { command: Command::Batch }) => batch::run(),
        Ok(Arguments { command: Command::Verbs(verbs) }) => verbs.run(),
        Ok(Arguments { command: Command::Rules(rules) }) => rules.run(),
        Ok(Arguments { command: Command::Allow(allow) }) => allow.run(),
        Ok(Arguments { command: Command::Trust(trust) }) => trust.run(),
        Ok(Arguments { command: Command::Log(log) }) => log.run(),
        Ok(Arguments { command: Command::Stats(stats) }) => stats.run(),
        Ok(Arguments { command: Command::Install(install) }) => install.run(),
        Ok(Arguments { command: Command::Uninstall(uninstall) }) => uninstall.run(),
        Ok(Arguments { command: Command::Doctor(doctor) }) => doctor.run(),
        Ok(Arguments { command: Command::Export(export) }) => export.run(),
        Ok(Arguments { command: Command::AcpProxy(proxy) }) => proxy.run(),
        Ok(Arguments { command: Command::Completions(completions) }) => completions.run(),
        Ok(Arguments { command: Command::Man }) => manual::man(),
        // The hook is dispatched before; it stands among the commands for the help text.
        Ok(Arguments { command: Command::Hook { .. } }) => Exit::Usage.into(),
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() { Exit::Usage.into() } else { ExitCode::SUCCESS }
        }
    }
}

/// Decides whether a coding agent may run a shell line without asking.
#[cfg(feature = "cli")]
#[derive(clap::Parser)]
#[command(name = "shfence", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[cfg(feature = "cli")]
#[derive(clap::Subcommand)]
enum Command {
    /// Judges one line: exit 0 allow, 1 ask, 2 deny, 64 usage.
    Check(check::Check),
    /// Shows why a line is judged as it is: where its commands start, what they use, where that is.
    Explain(explain::Explain),
    /// Judges JSON lines from standard input, one answer per line, in order.
    Batch,
    /// Shows the declared verbs, or what is declared of one.
    Verbs(verbs::Verbs),
    /// Shows the rules that hold here, with their level and where they stand.
    Rules(rules::Rules),
    /// Shows the rule that would let a line pass, and what else it would open; --write keeps it.
    Allow(allow::Allow),
    /// Lets a project's file loosen as well, as long as it stays as it is now.
    Trust(rules::Trust),
    /// Shows what hooks were asked and what they answered.
    Log(log::show::Show),
    /// Counts what was waved through and what was asked, and what one rule would have saved.
    Stats(log::stats::Stats),
    /// Writes the hook into the settings of coding agents; no other byte of them changes.
    Install(install::Install),
    /// Takes the hook out of them again.
    Uninstall(install::Uninstall),
    /// Looks whether the hooks that are installed answer as they should, and what lies around them.
    Doctor(doctor::Doctor),
    /// Answers one request of a coding agent on standard input, in that agent's protocol.
    Hook(hook::Options),
    /// Answers an agent's questions for permission, between it and its client (ACP).
    AcpProxy(hook::Proxy),
    /// Writes the rules that hold here as an agent's own, as far as it has words for them.
    Export(export::Export),
    /// Prints what bash, zsh or fish needs to complete the words of this program.
    Completions(manual::Completions),
    /// Prints the manual page; 'shfence man | man -l -' shows it.
    Man,
}
