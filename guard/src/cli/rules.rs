//! `shfence rules`: the rules that hold here, and where they stand. `shfence trust`: a project's
//! file may loosen.

use super::configuration::{self, PROJECT_FILE, Places, Whose};
use super::{Exit, keeping, place};
use clap::Args;
use serde::Serialize;
use shfence::config::{Configuration, Layer};
use shfence::rules::{Level, Rule};
use std::path::PathBuf;
use std::process::ExitCode;

/// Shows the rules that hold.
#[derive(Args)]
pub struct Rules {
    /// The project's directory [default: the nearest one at or above this one that holds .git, or
    /// else this one]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    profile: String,
    rules: Vec<&'a Rule>,
    verbs: Vec<&'a str>,
    protected_names: &'a [String],
    protected_branches: &'a [String],
    roots: &'a [PathBuf],
    scratch_roots: &'a [PathBuf],
    worktrees: bool,
    notes: &'a [String],
    remarks: &'a [String],
    faults: Vec<String>,
}

impl Rules {
    /// Prints them. Exit 1 if something of the configuration cannot be read: every line asks then.
    pub fn run(self) -> ExitCode {
        let root = match project(self.root) {
            Ok(root) => root,
            Err(message) => {
                eprintln!("shfence: {message}");
                return Exit::Usage.into();
            }
        };
        let all = configuration::load(&Places::of_environment(), &[root]);
        match self.json {
            true => println!("{}", json(&all)),
            false => print!("{}", text(&all)),
        }
        if all.faults.is_empty() { ExitCode::SUCCESS } else { Exit::Ask.into() }
    }
}

fn json(all: &Configuration) -> String {
    let shown = Shown {
        profile: all.policy.profile.to_string(),
        rules: all.policy.rules.iter().collect(),
        verbs: all.policy.verbs.all().map(|verb| verb.name).collect(),
        protected_names: &all.policy.protected_names,
        protected_branches: &all.policy.protected_branches,
        roots: &all.roots,
        scratch_roots: &all.scratch_roots,
        worktrees: all.worktrees,
        notes: &all.notes,
        remarks: &all.remarks,
        faults: all.faults.iter().map(ToString::to_string).collect(),
    };
    serde_json::to_string(&shown).expect("rules hold only strings, numbers and booleans")
}

fn text(all: &Configuration) -> String {
    let mut text = String::new();
    for rule in all.policy.rules.iter() {
        let Rule { kind, pattern, reason, expires, source } = rule;
        text +=
            &format!("{:<5} {pattern:<30} {source}", kind.name(), pattern = pattern.to_string());
        text += &reason.as_ref().map(|it| format!("  {it}")).unwrap_or_default();
        text += &expires.map(|day| format!("  until {day}")).unwrap_or_default();
        text.push('\n');
    }
    if all.policy.rules.is_empty() {
        text += "no rules\n";
    }
    for verb in all.policy.verbs.all() {
        let place = verb.entry.declared_in.as_deref().unwrap_or_default();
        text += &format!("verb  {:<30} {place}\n", verb.name);
    }
    text += &format!("profile {}\n", all.policy.profile);
    let listed = |title: &str, list: &[String]| match list.is_empty() {
        true => String::new(),
        false => format!("{title}: {}\n", list.join(" ")),
    };
    text += &listed("protected names", &all.policy.protected_names);
    text += &listed("protected branches", &all.policy.protected_branches);
    for root in all.roots.iter().chain(&all.scratch_roots) {
        text += &format!("root {}\n", root.display());
    }
    text += if all.worktrees { "linked worktrees are roots\n" } else { "" };
    let notes = all.notes.iter().chain(&all.remarks);
    notes.for_each(|note| text += &format!("note: {note}\n"));
    all.faults.iter().for_each(|fault| text += &format!("every line asks: {fault}\n"));
    text
}

/// Trusts a project's file as it is now.
#[derive(Args)]
pub struct Trust {
    /// The file [default: .shfence.toml of the project]
    file: Option<PathBuf>,
    /// End the trust instead
    #[arg(long)]
    revoke: bool,
}

impl Trust {
    /// Records the file's content, and says what of it loosens.
    pub fn run(self) -> ExitCode {
        match self.record() {
            Ok(said) => {
                print!("{said}");
                ExitCode::SUCCESS
            }
            Err((exit, message)) => {
                eprintln!("shfence: {message}");
                exit.into()
            }
        }
    }

    fn record(self) -> Result<String, (Exit, String)> {
        let usage = |message: String| (Exit::Usage, message);
        let file = match self.file {
            Some(file) => std::path::absolute(file).map_err(|error| usage(error.to_string()))?,
            None => project(None).map_err(usage)?.join(PROJECT_FILE),
        };
        let (places, shown) = (Places::of_environment(), file.display());
        let io = |error: std::io::Error| (Exit::Io, format!("{shown}: {error}"));
        if self.revoke {
            return Ok(match keeping::revoke(&places, &file).map_err(io)? {
                true => format!("{shown} is no longer trusted\n"),
                false => format!("{shown} was not trusted\n"),
            });
        }
        let text = configuration::read(&file, Whose::Anybodys)
            .and_then(|text| text.ok_or_else(|| "is not there".to_owned()))
            .map_err(|why| usage(format!("{shown} {why}")))?;
        if !configuration::is_read_from(&file) {
            return Err(usage(format!(
                "no configuration is read from {shown}: expected {PROJECT_FILE}, or a file that it \
                 imports"
            )));
        }
        let mut said = String::new();
        if file.extension().is_some_and(|it| it == "toml") {
            let layer = Layer::read(Level::Project, &file, &text);
            if let Some(fault) = layer.faults().first() {
                return Err(usage(format!("it cannot be read, so it is not trusted: {fault}")));
            }
            for rule in layer.rules() {
                said += &format!("  {} {}\n", rule.kind.name(), rule.pattern);
            }
            for verb in layer.verbs() {
                said += &format!("  verb {verb}\n");
            }
        }
        keeping::trust(&places, &file, &text).map_err(io)?;
        Ok(format!("{shown} is trusted as it is now; any change ends that\n{said}"))
    }
}

/// The project's directory, if it is not given.
pub fn project(given: Option<PathBuf>) -> Result<PathBuf, String> {
    let here = std::env::current_dir()
        .map_err(|error| format!("the current directory is not known: {error}"))?;
    Ok(match given {
        Some(root) => here.join(root),
        None => place::repository_above(&here).unwrap_or(here),
    })
}
