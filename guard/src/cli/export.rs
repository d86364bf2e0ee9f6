//! `shfence export AGENT`: the person's rules in an agent's own words.
//!
//! An agent's rules know how a command begins and nothing of where its paths lead, so that hardly
//! anything of what the guard allows can be said in them. What closes can: a denial holds then even
//! where the hook does not run. Where an agent lets no hook approve, this is all there is.

use super::configuration::{self, Places};
use super::{Exit, rules};
use clap::Args;
use clap::builder::PossibleValuesParser;
use shfence::rules::{Kind, Rules};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes the rules that hold here as an agent's own.
#[derive(Args)]
pub struct Export {
    /// The agent
    #[arg(value_parser = PossibleValuesParser::new(AGENTS.iter().map(|agent| agent.name)))]
    agent: String,
    /// The project's directory [default: the nearest one at or above this one that holds .git, or
    /// else this one]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// An agent with rules of its own.
struct Agent {
    name: &'static str,
    /// Where what is printed belongs.
    file: &'static str,
    /// Can it say that of a command that begins so?
    says: fn(Kind, &[String]) -> bool,
    write: fn(&[Native]) -> String,
}

/// A rule that the agent can express.
struct Native {
    kind: Kind,
    words: Vec<String>,
    reason: Option<String>,
}

const AGENTS: &[Agent] = &[
    // <https://developers.openai.com/codex/rules>
    Agent { name: "codex", file: "~/.codex/rules/shfence.rules", says: |_, _| true, write: codex },
    // <https://cursor.com/docs/cli/reference/permissions>: the program's name, no form to ask; and
    // it is not said whether what is allowed may write into a file.
    Agent {
        name: "cursor",
        file: "~/.cursor/cli-config.json, or .cursor/cli.json in the project",
        says: |kind, words| kind == Kind::Deny && words.len() == 1,
        write: cursor,
    },
    // <https://geminicli.com/docs/reference/policy-engine/>
    Agent {
        name: "gemini",
        file: "~/.gemini/policies/shfence.toml",
        says: |_, _| true,
        write: gemini,
    },
    // <https://opencode.ai/docs/permissions>
    Agent {
        name: "opencode",
        file: "~/.config/opencode/opencode.json",
        says: |_, _| true,
        write: opencode,
    },
];

/// Commands that read nothing, whatever words they are given and wherever they run.
const HARMLESS: [&str; 4] = ["false", "pwd", "true", "whoami"];

impl Export {
    /// Prints the rules; on standard error, where they belong and what they leave out. Exit 1 if
    /// something of the configuration cannot be read.
    pub fn run(self) -> ExitCode {
        let agent = AGENTS.iter().find(|agent| agent.name == self.agent);
        let (Some(agent), Ok(root)) = (agent, rules::project(self.root)) else {
            eprintln!("shfence: the project's directory is not known; --root names it");
            return Exit::Usage.into();
        };
        let all = configuration::load(&Places::of_environment(), &[root]);
        let (native, left_out) = expressed(agent, &all.policy.rules);
        print!("{}", (agent.write)(&native));
        eprintln!("shfence: this belongs into {}", agent.file);
        for what in left_out {
            eprintln!("shfence: left out: {what}");
        }
        eprintln!(
            "shfence: left out: all that depends on where paths lead, which is nearly all that is \
             allowed"
        );
        all.faults.iter().for_each(|fault| eprintln!("shfence: {fault}"));
        if all.faults.is_empty() { ExitCode::SUCCESS } else { Exit::Ask.into() }
    }
}

/// What the agent can say, the harmless first and what denies last; and what it cannot.
fn expressed(agent: &Agent, rules: &Rules) -> (Vec<Native>, Vec<String>) {
    let harmless = HARMLESS.iter().map(|name| vec![(*name).to_owned()]);
    let mut native: Vec<Native> =
        harmless.map(|words| Native { kind: Kind::Allow, words, reason: None }).collect();
    let mut left_out = Vec::new();
    for rule in rules.iter() {
        let words = rule.pattern.words();
        let why = match rule.kind {
            // The guard still holds the words against the scope; the agent would not.
            Kind::Allow => Some("the agent would not look where its paths lead"),
            _ if !words.iter().all(|word| is_plain(word)) => Some("it is more than a beginning"),
            kind if !(agent.says)(kind, &words) => Some("the agent has no form for it"),
            _ => None,
        };
        match why {
            Some(why) => left_out.push(format!("{} {}: {why}", rule.kind.name(), rule.pattern)),
            None => {
                native.push(Native { kind: rule.kind, words, reason: rule.reason.clone() });
            }
        }
    }
    // What stands against a command is not overruled by its being harmless.
    let closed = |words: &[String]| {
        let mut rules = rules.iter().filter(|rule| rule.kind != Kind::Allow);
        rules.any(|rule| {
            rule.pattern.words().first().is_none_or(|first| first == &words[0] || !is_plain(first))
        })
    };
    native.retain(|rule| {
        let Native { kind, words, .. } = rule;
        *kind != Kind::Allow || ((agent.says)(*kind, words) && !closed(words))
    });
    native.sort_by_key(|rule| std::cmp::Reverse(rule.kind));
    (native, left_out)
}

/// Is it a word that means itself in every agent's rules?
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@+,".contains(c))
}

/// A text between quotes, as JSON, TOML and Starlark have it: without anything to escape.
fn quoted(text: &str) -> String {
    let plain = |c: char| if c.is_control() || c == '"' || c == '\\' { ' ' } else { c };
    format!("\"{}\"", text.chars().map(plain).collect::<String>())
}

/// The agent's word for it.
fn word<T>(kind: Kind, [deny, ask, allow]: [T; 3]) -> T {
    match kind {
        Kind::Deny => deny,
        Kind::Ask => ask,
        Kind::Allow => allow,
    }
}

fn codex(rules: &[Native]) -> String {
    let mut text = String::new();
    for Native { kind, words, reason } in rules {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let decision = word(*kind, ["forbidden", "prompt", "allow"]);
        let why = reason.as_ref().map(|why| format!(", justification={}", quoted(why)));
        let _ = writeln!(
            text,
            "prefix_rule(pattern=[{}], decision=\"{decision}\"{})",
            words.join(", "),
            why.unwrap_or_default(),
        );
    }
    text
}

fn cursor(rules: &[Native]) -> String {
    let list = |kind: Kind| {
        let of = rules.iter().filter(|rule| rule.kind == kind);
        of.map(|rule| quoted(&format!("Shell({})", rule.words[0]))).collect::<Vec<_>>().join(", ")
    };
    let (allow, deny) = (list(Kind::Allow), list(Kind::Deny));
    format!("{{\"permissions\": {{\"allow\": [{allow}], \"deny\": [{deny}]}}}}\n")
}

fn gemini(rules: &[Native]) -> String {
    let mut text = String::new();
    for Native { kind, words, reason } in rules {
        let (decision, priority) = word(*kind, [("deny", 300), ("ask_user", 200), ("allow", 100)]);
        let _ = writeln!(
            text,
            "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = {}\n\
             decision = \"{decision}\"\npriority = {priority}",
            quoted(&words.join(" ")),
        );
        if let (Kind::Deny, Some(why)) = (kind, reason) {
            let _ = writeln!(text, "denyMessage = {}", quoted(why));
        }
        text.push('\n');
    }
    text
}

/// The last rule that matches counts.
fn opencode(rules: &[Native]) -> String {
    let mut lines = vec!["      \"*\": \"ask\"".to_owned()];
    for Native { kind, words, .. } in rules {
        let decision = word(*kind, ["deny", "ask", "allow"]);
        let beginning = words.join(" ");
        lines.push(format!("      {}: \"{decision}\"", quoted(&beginning)));
        // A harmless command stands alone: what follows it may be a redirection.
        if *kind != Kind::Allow {
            lines.push(format!("      {}: \"{decision}\"", quoted(&format!("{beginning} *"))));
        }
    }
    let lines = lines.join(",\n");
    format!("{{\n  \"permission\": {{\n    \"bash\": {{\n{lines}\n    }}\n  }}\n}}\n")
}
