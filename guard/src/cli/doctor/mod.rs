//! `shfence doctor`: do the hooks that are installed work, and does what lies around them hold?
//!
//! A hook that does not fire is silent: most agents take it for one that has no objection. So every
//! installed command line is run as its agent would run it, on requests with known answers.

mod canary;
mod digest;
mod entry;
mod hooks;
mod process;
mod program;
mod report;
mod surroundings;
mod trust;

use super::Exit;
use super::hook::{AGENTS, Agent};
use super::install::agent_named;
use super::install::here::Here;
use canary::Scratch;
use clap::Args;
use report::{Check, Section};
use std::process::ExitCode;

/// Looks whether the hooks that are installed work.
#[derive(Args)]
pub struct Doctor {
    /// The agents [default: all that have the hook]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
    /// Do not ask the person's own shell what it has set
    #[arg(long)]
    no_shell: bool,
}

impl Doctor {
    /// Exit 0 if all is well, 1 if something is to be mended, 64 usage, 74 no scratch project.
    pub fn run(self) -> ExitCode {
        let agents: Result<Vec<&Agent>, String> =
            self.agents.iter().map(|name| agent_named(name)).collect();
        let (here, agents) = match (Here::of_environment(), agents) {
            (Ok(here), Ok(agents)) => (here, agents),
            (Err(what), _) | (_, Err(what)) => {
                eprintln!("shfence: {what}");
                return Exit::Usage.into();
            }
        };
        let scratch = match Scratch::plant() {
            Ok(scratch) => scratch,
            Err(error) => {
                let shown = std::env::temp_dir();
                eprintln!(
                    "shfence: no scratch project can be made in {}: {error}",
                    shown.display()
                );
                return Exit::Io.into();
            }
        };
        let mut sections = of_agents(&agents, &here, &scratch);
        let mut add = |title: &str, checks| {
            sections.push(Section { title: title.to_owned(), checks });
        };
        add("configuration", surroundings::configuration(&here.root));
        add("environment", surroundings::environment(&here.root));
        if !self.no_shell {
            add("shell", surroundings::shell(&scratch.root));
        }
        report::print(&sections, self.json)
    }
}

/// A section for each agent that was named, or for each that has the hook.
fn of_agents(named: &[&Agent], here: &Here, scratch: &Scratch) -> Vec<Section> {
    let all: Vec<&Agent> = AGENTS.iter().collect();
    let agents = if named.is_empty() { &all } else { named };
    let (mut sections, mut without) = (Vec::new(), Vec::new());
    for agent in agents {
        let mut checks = hooks::of(agent, here, scratch);
        if checks.is_empty() && !named.is_empty() && here.folder(&agent.setup.home).is_none() {
            let what = "HOME does not say where its settings are";
            checks.push(Check::bad(what, "Set it to an absolute path."));
        } else if checks.is_empty() && !named.is_empty() {
            let help = format!("shfence install {}", agent.name);
            checks.push(Check::bad("it has no hook of shfence", help));
        }
        if !checks.is_empty() {
            sections.push(Section { title: agent.name.to_owned(), checks });
        } else if here.trace_of(agent.setup).is_some() {
            without.push(agent.name);
        }
    }
    if sections.is_empty() {
        let checks = vec![Check::bad("no agent has the hook", "shfence install AGENT")];
        sections.push(Section { title: "hooks".to_owned(), checks });
    }
    if !without.is_empty() {
        let checks = vec![Check::note(format!("there, without a hook: {}", without.join(", ")))];
        sections.push(Section { title: "other agents".to_owned(), checks });
    }
    sections
}
