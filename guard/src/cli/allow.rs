//! `shfence allow`: the rule that would have let a line pass, and what else it would.

use super::check::{Prepared, Where, joined, render};
use super::configuration::{PROJECT_FILE, Whose, read};
use super::{Exit, keeping, trusted};
use clap::Args;
use shfence::config::Layer;
use shfence::rules::{Kind, Level, Pattern, Rule, Rules, Source, propose};
use shfence::{Decision, Policy};
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Proposes the rule that lets a line pass.
#[derive(Args)]
pub struct Allow {
    #[command(flatten)]
    place: Where,
    /// Write it down
    #[arg(long)]
    write: bool,
    /// In the person's configuration (default)
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// In the project's
    #[arg(long)]
    project: bool,
    /// The line. Several words are joined by blanks.
    #[arg(required = true, last = true, value_name = "LINE")]
    line: Vec<OsString>,
}

/// Why there is no rule for a line: the exit code, and a text for the person.
type Refused = (Exit, String);

impl Allow {
    /// Shows the rules; writes them if it is told to. Exit 1 if no rule makes the line pass.
    pub fn run(self) -> ExitCode {
        match self.propose() {
            Ok(said) => {
                print!("{said}");
                ExitCode::SUCCESS
            }
            Err((exit, why)) => {
                eprintln!("shfence: {}", why.trim_end());
                exit.into()
            }
        }
    }

    fn propose(self) -> Result<String, Refused> {
        let line = joined(&self.line);
        let prepared = self.place.prepare().map_err(|message| (Exit::Usage, message))?;
        let patterns = proposals(&line, &prepared)?;
        if patterns.is_empty() {
            return Ok("the line is allowed as it is\n".to_owned());
        }
        let with_rules = with(&prepared.configuration.policy, &patterns);
        let verdict = prepared.decide(&line, &with_rules);
        if verdict.decision != Decision::Allow {
            let left = render(&line, &verdict, &Default::default());
            let rules: Vec<String> = patterns.iter().map(|it| format!("'{it}'")).collect();
            let what = format!("no rule makes this line pass; with {}: {left}", rules.join(", "));
            return Err((Exit::Ask, what));
        }
        let mut said = String::new();
        for pattern in &patterns {
            said += &described(pattern, &prepared);
        }
        match self.write {
            true => said += &write(&patterns, self.project, &prepared)?,
            false => said += "nothing is written: --write does that\n",
        }
        Ok(said)
    }
}

/// The patterns for what is not declared of a line. None, if it is allowed.
fn proposals(line: &[u8], prepared: &Prepared) -> Result<Vec<Pattern>, Refused> {
    let configuration = &prepared.configuration;
    let verdict = prepared.decide(line, &configuration.policy);
    if verdict.decision == Decision::Allow {
        return Ok(Vec::new());
    }
    let patterns = propose(&verdict).into_iter().collect::<Result<Vec<Pattern>, String>>();
    let why = match patterns {
        Ok(patterns) if !patterns.is_empty() => return Ok(patterns),
        Ok(_) => "no rule answers this".to_owned(),
        Err(why) => why,
    };
    Err((Exit::Ask, format!("{why}: {}", render(line, &verdict, configuration))))
}

/// The policy, with rules that open these.
fn with(policy: &Policy, patterns: &[Pattern]) -> Policy {
    let source = Source { level: Level::User, file: "proposed".to_owned(), line: 1 };
    let new = patterns.iter().map(|pattern| Rule {
        kind: Kind::Allow,
        pattern: pattern.clone(),
        reason: None,
        expires: None,
        source: source.clone(),
    });
    let rules: Rules = policy.rules.iter().cloned().chain(new).collect();
    Policy { rules, ..policy.clone() }
}

/// A rule, what it is about, and lines that it would let pass as well.
fn described(pattern: &Pattern, prepared: &Prepared) -> String {
    let mut text = format!("{}  # {}\n", rule_text(pattern).trim_end(), effect(pattern));
    let before = &prepared.configuration.policy;
    let after = with(before, std::slice::from_ref(pattern));
    let begin = pattern.words().join(" ");
    let more = ["", " other", " a b", " .", " --all", " --force", " --help"];
    let opened = more.iter().map(|more| format!("{begin}{more}")).filter(|line| {
        let decide = |policy| prepared.decide(line.as_bytes(), policy).decision;
        decide(before) != Decision::Allow && decide(&after) == Decision::Allow
    });
    opened.take(3).for_each(|line| text += &format!("  opens as well: {line}\n"));
    text
}

/// What commands that begin so are known to do, in a few words.
fn effect(pattern: &Pattern) -> &'static str {
    let words = pattern.words();
    let first = words.first().map_or("", String::as_str);
    let second = words.get(1).map_or("", String::as_str);
    let program = first.rsplit('/').next().unwrap_or(first);
    match (program, second) {
        ("rm" | "mv" | "cp" | "mkdir" | "touch" | "chmod" | "ln" | "tee" | "rmdir" | "sed", _) => {
            "changes files of the project"
        }
        ("git" | "jj" | "hg", "push" | "fetch" | "clone" | "ls-remote") => "uses the network",
        ("git" | "jj" | "hg", _) => "changes the repository",
        ("gh" | "glab" | "curl" | "wget" | "aws" | "gcloud" | "docker" | "podman", _) => {
            "uses the network, and may change what is not of the project"
        }
        (_, "install" | "i" | "ci" | "add" | "update" | "upgrade" | "sync" | "get") => {
            "fetches programs from the network and runs what they bring"
        }
        _ => "does whatever this program does; words that are paths must stay in the project",
    }
}

/// The rule as configuration has it.
fn rule_text(pattern: &Pattern) -> String {
    let words = pattern.words();
    let quoted = |text: &str| serde_json::to_string(text).expect("a string is a string");
    let plain = |word: &String| !word.is_empty() && !word.contains([' ', '\t', '\'', '"', '`']);
    let command = match words.iter().all(plain) {
        true => quoted(&words.join(" ")),
        false => {
            let list: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            format!("[{}]", list.join(", "))
        }
    };
    format!("[[allow]]\ncommand = {command}\n")
}

/// Adds the rules at the end of a file, whose other lines stay as they are.
fn write(patterns: &[Pattern], project: bool, prepared: &Prepared) -> Result<String, Refused> {
    let (file, level): (PathBuf, Level) = match (project, prepared.places.user_file()) {
        (true, _) => (prepared.project.join(PROJECT_FILE), Level::Project),
        (false, Some(file)) => (file, Level::User),
        (false, None) => {
            let what = "neither HOME nor XDG_CONFIG_HOME says where the configuration is";
            return Err((Exit::Usage, what.to_owned()));
        }
    };
    let shown = file.display();
    let whose = if project { Whose::Anybodys } else { Whose::Mine };
    let old = read(&file, whose).map_err(|why| (Exit::Usage, format!("{shown} {why}")))?;
    let is_trusted =
        old.as_ref().is_none_or(|old| trusted::is_trusted(&prepared.places, &file, old));
    let new = added(old.as_deref().unwrap_or("schema = 1\n"), patterns);
    let layer = Layer::read(level, &file, &new);
    if let Some(fault) = layer.faults().first() {
        let what = format!("nothing is written, since the file could not be read then: {fault}");
        return Err((Exit::Usage, what));
    }
    let io = |error: std::io::Error| (Exit::Io, format!("{shown}: {error}"));
    match (level, file.metadata()) {
        (Level::User, _) => keeping::write_for_owner(&file, &new).map_err(io)?,
        (Level::Project, Ok(meta)) => {
            keeping::replace(&file, &new, meta.mode() & 0o777).map_err(io)?;
        }
        (Level::Project, Err(_)) => keeping::replace(&file, &new, 0o644).map_err(io)?,
    }
    let mut said = format!("written to {shown}\n");
    if level == Level::Project {
        said += &trust_again(&file, &new, is_trusted, prepared).map_err(io)?;
    }
    Ok(said)
}

/// Who was trusted with the file before is with what the person has just added.
fn trust_again(
    file: &Path,
    text: &str,
    was_trusted: bool,
    prepared: &Prepared,
) -> std::io::Result<String> {
    if !was_trusted {
        let shown = file.display();
        return Ok(format!("it counts once 'shfence trust {shown}' trusts the whole file\n"));
    }
    keeping::trust(&prepared.places, file, text)?;
    Ok("it is trusted as it is now\n".to_owned())
}

fn added(old: &str, patterns: &[Pattern]) -> String {
    let mut text = old.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    patterns.iter().for_each(|pattern| text += &format!("\n{}", rule_text(pattern)));
    text
}
