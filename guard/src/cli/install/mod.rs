//! `shfence install`, `shfence uninstall`: the hook in the settings of agents.
//!
//! All is worked out before anything is written: a file that cannot be read keeps its agent out as
//! a whole. No byte of a file changes that is not ours, and uninstalling gives back the file that
//! there was.

mod change;
pub mod command;
mod diff;
mod edit;
pub mod entries;
pub mod here;
mod jsonc;

use super::Exit;
use super::configuration::Places;
use super::hook::{AGENTS, Agent};
use change::{Change, Task, changes};
use clap::Args;
use command::{Command, own_program};
use here::{Here, Level};
use std::process::ExitCode;

/// Which agents, where, and what is asked of their hooks.
#[derive(Args)]
pub struct Which {
    /// The agents; 'shfence hook --help' lists them. Without any, says what is there
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// All agents that are found
    #[arg(long, conflicts_with = "agents")]
    all_found: bool,
    /// In the person's settings, for all projects (default)
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// In the settings of this project
    #[arg(long)]
    project: bool,
    /// Show what would be written, as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Writes the hook into the settings of agents.
#[derive(Args)]
pub struct Install {
    #[command(flatten)]
    which: Which,
    /// The hook denies where it fails itself
    #[arg(long)]
    fail_closed: bool,
    /// The hook denies what it asks about where the agent has no form of asking
    #[arg(long)]
    ask_denies: bool,
    /// The hook decides and logs, and leaves every decision to the agent
    #[arg(long)]
    shadow: bool,
}

/// Takes the hook out of the settings of agents.
#[derive(Args)]
pub struct Uninstall {
    #[command(flatten)]
    which: Which,
}

impl Install {
    /// Exit 0 done, 1 a file did not allow it, 64 usage, 74 a file could not be written.
    pub fn run(self) -> ExitCode {
        let options = [
            (self.fail_closed, "--fail-closed"),
            (self.ask_denies, "--ask-denies"),
            (self.shadow, "--shadow"),
        ];
        let options = options.iter().filter(|(wanted, _)| *wanted).map(|(_, option)| *option);
        self.which.run(Task::Install, &options.collect::<Vec<&str>>())
    }
}

impl Uninstall {
    /// As [`Install::run`].
    pub fn run(self) -> ExitCode {
        self.which.run(Task::Uninstall, &[])
    }
}

impl Which {
    fn run(self, task: Task, options: &[&str]) -> ExitCode {
        let prepared = Here::of_environment().and_then(|here| Ok((here, own_program()?)));
        let agents = self.agents.iter().map(|name| agent_named(name)).collect();
        let (here, program, named) = match (prepared, agents) {
            (Ok((here, program)), Ok(named)) => (here, program, named),
            (Err(what), _) | (_, Err(what)) => {
                eprintln!("shfence: {what}");
                return Exit::Usage.into();
            }
        };
        let level = if self.project { Level::Project } else { Level::User };
        let is_wanted = |agent: &&Agent| {
            let mut files = agent.setup.files.iter();
            let has_file = files.any(|file| here.file(agent.setup, file, level).is_some());
            has_file && here.trace_of(agent.setup).is_some()
        };
        let agents: Vec<&Agent> = match self.all_found {
            true => AGENTS.iter().filter(is_wanted).collect(),
            false => named,
        };
        let work = Work { task, options, here, program, level, dry_run: self.dry_run };
        if agents.is_empty() {
            return work.list(self.all_found);
        }
        let mut worst = Exit::Allow;
        for agent in agents {
            let exit = work.on(agent).unwrap_or_else(|(exit, what)| {
                eprintln!("shfence: {}: {what}", agent.name);
                exit
            });
            worst = if exit as u8 > worst as u8 { exit } else { worst };
        }
        worst.into()
    }
}

/// The agent of a name.
pub fn agent_named(name: &str) -> Result<&'static Agent, String> {
    AGENTS.iter().find(|agent| agent.name == name).ok_or_else(|| {
        let names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
        format!("'{name}' is no agent; there are: {}", names.join(", "))
    })
}

/// What is done to every agent.
struct Work<'a> {
    task: Task,
    options: &'a [&'a str],
    here: Here,
    program: String,
    level: Level,
    dry_run: bool,
}

/// Why nothing was done: the exit code, and a sentence.
type Refused = (Exit, String);

impl Work<'_> {
    fn changes(&self, agent: &Agent, level: Level) -> Result<Vec<Change>, String> {
        let command = Command::new(&self.program, agent.name, self.options);
        let agent = (agent.name, agent.setup);
        changes(self.task, agent, &self.here, level, &command)
    }

    fn on(&self, agent: &Agent) -> Result<Exit, Refused> {
        let changes = self
            .changes(agent, self.level)
            .map_err(|what| (Exit::Ask, format!("nothing is written: {what}")))?;
        if changes.is_empty() {
            let what = match self.level {
                Level::Project => "it reads no hooks in a project: install it for all, with --user",
                Level::User => "HOME does not say where its settings are",
            };
            return Err((Exit::Usage, what.to_owned()));
        }
        let name = agent.name;
        let is_there = self.here.trace_of(agent.setup).is_some();
        if changes.iter().all(Change::is_none) {
            println!("{name}: {}{}", self.already(), self.elsewhere(agent));
            return Ok(Exit::Allow);
        }
        let places = Places::of_environment();
        for change in changes.iter().filter(|change| !change.is_none()) {
            if self.dry_run {
                let path = change.path.display().to_string();
                print!("{}", diff::unified(&path, change.old.as_deref(), change.new.as_deref()));
                continue;
            }
            let kept = change.apply(&places).map_err(|what| (Exit::Io, what))?;
            let done = if change.new.is_some() { "wrote" } else { "removed" };
            println!("{name}: {done} {}", self.here.shown(&change.path));
            if let Some(kept) = kept {
                println!("  as it was before: {}", self.here.shown(&kept));
            }
        }
        if self.task == Task::Install && !self.dry_run {
            if !is_there {
                println!("  {name} was not found on this machine: the file waits for it.");
            }
            self.say_what_remains(agent);
        }
        Ok(Exit::Allow)
    }

    /// What is said where nothing has to be done.
    fn already(&self) -> &'static str {
        match self.task {
            Task::Install => "the hook is there already",
            Task::Uninstall => "there is no hook",
        }
    }

    /// Where the hook is that is to go, if it is not here.
    fn elsewhere(&self, agent: &Agent) -> &'static str {
        let (other, said) = match self.level {
            Level::User => (Level::Project, "; there is one in the project: --project"),
            Level::Project => (Level::User, "; there is one in the person's settings: --user"),
        };
        let changes = self.changes(agent, other).unwrap_or_default();
        let is_there = self.task == Task::Uninstall && !changes.iter().all(Change::is_none);
        if is_there { said } else { "" }
    }

    fn say_what_remains(&self, agent: &Agent) {
        agent.setup.limits.iter().for_each(|limits| println!("  {limits}"));
        println!("  {}", agent.setup.then);
        if self.level == Level::Project {
            println!("  The file names a program of this machine: do not share it with others.");
        }
        println!("  To see whether it answers: shfence doctor {}", agent.name);
    }

    /// What is there, and what would be done.
    fn list(&self, all_found: bool) -> ExitCode {
        let mut absent = Vec::new();
        for agent in AGENTS {
            let Some(trace) = self.here.trace_of(agent.setup) else {
                absent.push(agent.name);
                continue;
            };
            let changes = self.changes(agent, self.level);
            let state = match changes.as_deref() {
                Err(what) => what.to_owned(),
                Ok([]) => "reads no hooks in a project".to_owned(),
                Ok(changes) if changes.iter().all(Change::is_none) => self.already().to_owned(),
                Ok(changes) => {
                    let changed = changes.iter().filter(|change| !change.is_none());
                    let paths: Vec<String> =
                        changed.map(|change| self.here.shown(&change.path)).collect();
                    format!("would change {}", paths.join(", "))
                }
            };
            println!("{:<9} {:<28} {state}", agent.name, self.here.shown(&trace));
        }
        if !absent.is_empty() {
            println!("not found: {}", absent.join(", "));
        }
        if !all_found {
            let verb = if self.task == Task::Install { "install" } else { "uninstall" };
            println!("nothing is written: 'shfence {verb} AGENT', or --all-found, does that");
        }
        ExitCode::SUCCESS
    }
}

#[cfg(test)]
mod tests;
