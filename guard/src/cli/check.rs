//! `shfence check`: one line, one verdict.

use super::configuration::{Places, load, more_roots};
use super::wire::Answer;
use super::{Exit, caret, place};
use clap::{Args, ValueEnum};
use shfence::config::Configuration;
use shfence::{Cwd, Decision, Dialects, Env, FsView, Invocation, Limits, NoView, Policy, Profile};
use shfence::{RealView, Request, Scope, Verdict};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::ExitCode;

/// Judges one line.
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    place: Where,
    /// Print the answer as JSON, the plan included.
    #[arg(long)]
    json: bool,
    /// The line. Several words are joined by blanks.
    #[arg(required = true, last = true, value_name = "LINE")]
    line: Vec<OsString>,
}

/// Where a line runs, and in what.
#[derive(Args)]
pub struct Where {
    /// A directory that the project owns; may be given several times [default: the nearest one at
    /// or above the cwd that holds .git, or else the cwd]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// The directory the line starts in [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// What the shell calls that directory [default: $PWD if it is this one; unknown with --cwd]
    #[arg(long, value_name = "TEXT")]
    pwd: Option<PathBuf>,
    /// The home directory [default: $HOME]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// A variable that the shell inherits
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    env: Vec<(Vec<u8>, Vec<u8>)>,
    /// The shells that may run the line [default: as configured, or else bash,sh,zsh]
    #[arg(long, value_name = "LIST")]
    shells: Option<Dialects>,
    /// How the text reaches the shell: c, eval, parens, json-eval or typed
    #[arg(long, default_value = "c")]
    invocation: Invocation,
    /// How much is declared: read, read-build or edit [default: as configured, or else read-build]
    #[arg(long)]
    profile: Option<Profile>,
    /// Read no configuration
    #[arg(long)]
    no_config: bool,
    /// What the guard sees of the file system
    #[arg(long, value_enum, default_value_t = View::Real)]
    view: View,
}

#[derive(Clone, Copy, ValueEnum)]
enum View {
    Real,
    None,
}

impl View {
    fn window(self) -> &'static dyn FsView {
        match self {
            View::Real => &RealView,
            View::None => &NoView,
        }
    }
}

fn assignment(text: &str) -> Result<(Vec<u8>, Vec<u8>), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if name.is_empty() {
        return Err("the name is empty".to_owned());
    }
    Ok((name.as_bytes().to_vec(), value.as_bytes().to_vec()))
}

impl Check {
    /// Judges, prints, and says the decision by the exit code.
    pub fn run(self) -> ExitCode {
        let line = joined(&self.line);
        let prepared = match self.place.prepare() {
            Ok(prepared) => prepared,
            Err(message) => return misused(&message),
        };
        let configuration = &prepared.configuration;
        let verdict = prepared.decide(&line, &configuration.policy);
        if self.json {
            let mut answer = Vec::new();
            Answer::of(None, &verdict, true).noting(&configuration.notes).write(&mut answer);
            println!("{}", String::from_utf8_lossy(&answer));
        } else {
            print!("{}", render(&line, &verdict, configuration));
        }
        exit(verdict.decision)
    }
}

impl Where {
    /// Finds out what is not said. The error is a sentence.
    pub fn prepare(self) -> Result<Prepared, String> {
        let view = self.view.window();
        let here = std::env::current_dir()
            .map_err(|error| format!("the current directory is not known: {error}"))?;
        let (cwd, pwd) = match self.cwd {
            Some(cwd) => (here.join(cwd), self.pwd),
            None => {
                let pwd = self.pwd.or_else(|| place::pwd_of(&here, |it| it.canonicalize().ok()));
                (here.clone(), pwd)
            }
        };
        if matches!(self.view, View::Real) && self.root.is_empty() && !cwd.is_dir() {
            return Err(format!("the directory '{}' is not there", cwd.display()));
        }
        let roots = match self.root.is_empty() {
            true => vec![place::repository_above(&cwd).unwrap_or_else(|| cwd.clone())],
            false => self.root.iter().map(|root| here.join(root)).collect(),
        };
        let places = Places::of_environment();
        let mut configuration = match self.no_config {
            true => Configuration::default(),
            false => load(&places, &roots),
        };
        let more = more_roots(&mut configuration, &roots, &places);
        let roots = [roots, more].concat();
        configuration.policy.profile = self.profile.unwrap_or(configuration.policy.profile);
        let scope = Scope::new(&roots, view).map_err(|error| error.to_string())?;
        let mut env: Env = place::seen_env(&configuration.policy);
        if self.home.is_some() {
            env.remove(&b"HOME"[..]);
        }
        env.extend(self.env);
        Ok(Prepared {
            view: self.view,
            cwd,
            pwd,
            scope,
            home: self.home,
            env,
            dialects: self.shells.or(configuration.shells).unwrap_or(Dialects::ALL),
            invocation: self.invocation,
            project: roots.into_iter().next().unwrap_or_default(),
            places,
            configuration,
        })
    }
}

/// All that a verdict depends on but the line and the policy.
pub struct Prepared {
    view: View,
    cwd: PathBuf,
    pwd: Option<PathBuf>,
    /// The project.
    pub scope: Scope,
    home: Option<PathBuf>,
    env: Env,
    dialects: Dialects,
    invocation: Invocation,
    /// The first root.
    pub project: PathBuf,
    /// Where this person keeps files.
    pub places: Places,
    /// What is configured.
    pub configuration: Configuration,
}

impl Prepared {
    /// Judges a line by a policy.
    pub fn decide(&self, line: &[u8], policy: &Policy) -> Verdict {
        let request = Request {
            line,
            cwd: Cwd { dir: &self.cwd, pwd: self.pwd.as_deref() },
            scope: &self.scope,
            home: self.home.as_deref(),
            env: &self.env,
            dialects: self.dialects,
            invocation: self.invocation,
            policy,
            limits: Limits::default(),
        };
        shfence::decide(&request, self.window())
    }

    /// The window on the file system that lines are judged with.
    pub fn window(&self) -> &'static dyn FsView {
        self.view.window()
    }
}

/// The line that the words of an argument list are.
pub fn joined(words: &[OsString]) -> Vec<u8> {
    words.iter().map(|word| word.as_bytes()).collect::<Vec<_>>().join(&b' ')
}

/// Says what is wrong with the arguments.
pub fn misused(message: &str) -> ExitCode {
    eprintln!("shfence: {message}");
    Exit::Usage.into()
}

/// A decision as an exit code.
pub fn exit(decision: Decision) -> ExitCode {
    match decision {
        Decision::Allow => Exit::Allow.into(),
        Decision::Ask => Exit::Ask.into(),
        Decision::Deny => Exit::Deny.into(),
    }
}

/// The verdict for a person: the word, then each reason under the place in the line.
pub fn render(line: &[u8], verdict: &Verdict, configuration: &Configuration) -> String {
    let mut text = verdict.decision.to_string();
    if let Some(root) = &verdict.root {
        text.push_str(&format!(": within {root}"));
    }
    if verdict.lexical {
        text.push_str(" (lexical: links were not looked at)");
    }
    text.push('\n');
    for reason in &verdict.reasons {
        text.push_str(&caret::under(line, reason.span));
        text.push_str(&format!("\n  {}: {}\n", reason.code.name(), reason.note));
    }
    for rule in &verdict.rules {
        text.push_str(&format!("rule: {rule}\n"));
    }
    for note in &configuration.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}
