//! The options of a hook, for the help, the completions and the manual page. A hook reads its
//! arguments itself: building the parser of the other commands costs more than a decision.

use super::AGENTS;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Answers one request of a coding agent on standard input, in that agent's protocol.
#[derive(clap::Args)]
#[allow(dead_code)]
pub struct Options {
    /// The agent
    #[arg(value_parser = PossibleValuesParser::new(AGENTS.iter().map(|agent| agent.name)))]
    agent: String,
    /// Decide and log, but leave every decision to the agent
    #[arg(long)]
    shadow: bool,
    /// Deny where the guard itself fails, instead of asking
    #[arg(long)]
    fail_closed: bool,
    /// Deny where the agent has no form of "ask"
    #[arg(long)]
    ask_denies: bool,
    /// How long an answer may take, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    time_limit: u32,
    /// A directory that the project owns, absolute; may be given several times [default: as the
    /// agent says it, or else the nearest one at or above the cwd that holds .git]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::super::{Hook, USAGE};
    use super::Options;
    use clap::Args;
    use std::ffi::OsString;

    /// What the help says is what the hook takes, and the other way round.
    #[test]
    fn the_hook_takes_the_options_of_the_table() {
        let table = Options::augment_args(clap::Command::new("hook"));
        let mut named = Vec::new();
        for option in table.get_opts() {
            let name = format!("--{}", option.get_long().expect("it has a long name"));
            let mut words = vec!["claude".to_owned(), name.clone()];
            if option.get_action().takes_values() {
                words.push(if name == "--root" { "/" } else { "7" }.to_owned());
            }
            let hook = Hook::of(words.into_iter().map(OsString::from));
            let hook = hook.expect("an agent is named").expect("no help is wanted");
            assert_eq!(hook.wrong, None, "{name}");
            assert!(USAGE.contains(&name), "{name}");
            named.push(name);
        }
        let in_usage: Vec<&str> =
            USAGE.split(['[', ']', ' ']).filter(|word| word.starts_with("--")).collect();
        assert_eq!(named.len(), in_usage.len(), "{named:?} {in_usage:?}");
    }
}
