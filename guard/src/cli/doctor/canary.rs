//! Requests with known answers, fired through an installed command line as its agent would.

use super::super::hook::setup::Runs;
use super::super::hook::{Agent, Moment, Reply};
use super::process::{Ended, run};
use super::report::Check;
use serde_json::Value;
use shfence::Decision;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long an answer is waited for. No agent gives a hook less.
const LIMIT: Duration = Duration::from_secs(4);

/// Lines, and what a hook must say of them in the scratch project. None of them is run.
const LINES: [(&str, Decision); 3] = [
    ("cat inside", Decision::Allow),
    ("cat /etc/passwd", Decision::Ask),
    ("cat denied", Decision::Deny),
];

/// A project of which all is known. It goes when it is dropped.
pub struct Scratch {
    top: PathBuf,
    /// The project's directory.
    pub root: PathBuf,
}

impl Scratch {
    /// Makes one among the temporary files, for this person alone.
    pub fn plant() -> std::io::Result<Scratch> {
        use std::os::unix::fs::DirBuilderExt;
        let mut builder = std::fs::DirBuilder::new();
        builder.mode(0o700);
        let named = |number: u32| {
            let name = format!("shfence-doctor-{}-{number}", std::process::id());
            std::env::temp_dir().join(name)
        };
        let mut numbers = 0..100;
        let made = loop {
            let top = named(numbers.next().ok_or(std::io::ErrorKind::AlreadyExists)?);
            match builder.create(&top) {
                Ok(()) => break top,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        let top = made.canonicalize()?;
        let scratch = Scratch { root: top.join("project"), top };
        std::fs::create_dir_all(scratch.root.join(".git"))?;
        std::fs::write(scratch.root.join("inside"), "")?;
        let rule = "schema = 1\n[[deny]]\ncommand = \"cat denied\"\nreason = \"doctor asks\"\n";
        std::fs::write(scratch.root.join(".shfence.toml"), rule)?;
        Ok(scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.top);
    }
}

/// Fires all requests of an agent. `line` is what stands in its settings, `words` are its words.
pub fn fire(agent: &Agent, line: &str, words: &[String], scratch: &Scratch) -> Check {
    let has = |option: &str| words.iter().any(|word| word == option);
    let mut slowest = Duration::ZERO;
    for (moment, payload) in agent.setup.canaries {
        for (text, decision) in LINES {
            let opinion = match decision {
                _ if has("--shadow") => None,
                Decision::Ask if has("--ask-denies") && !agent.asks => Some(Decision::Deny),
                decision => Some(decision),
            };
            let expected = (agent.reply)(*moment, opinion, "shfence: why");
            let asked = match moment {
                Moment::Use => text.to_owned(),
                Moment::Permission => format!("{text} (before a permission)"),
            };
            let payload = filled(payload, text, &scratch.root);
            let ended = match run(command(agent, line, words, scratch), &payload, LIMIT) {
                Ok(ended) => ended,
                Err(what) => return failed(agent, &format!("the hook {what}")),
            };
            if !is_answer(&ended, &expected) {
                return wrong(agent, &asked, decision, &ended);
            }
            slowest = slowest.max(ended.took);
        }
    }
    let ms = slowest.as_secs_f64() * 1000.0;
    match has("--shadow") {
        true => Check::note("the hook answers; with --shadow it has no opinion on any line"),
        false => Check::good(format!(
            "fired: lines to allow, to ask about and to deny are answered right, in {ms:.0} ms"
        )),
    }
}

/// The request about a line, in the scratch project.
fn filled(payload: &str, line: &str, root: &Path) -> String {
    let text = |text: &str| {
        let quoted = Value::from(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    payload.replace("@LINE@", &text(line)).replace('@', &text(&root.to_string_lossy()))
}

/// What the agent would run.
fn command(agent: &Agent, line: &str, words: &[String], scratch: &Scratch) -> Command {
    let through = |shell: &Path, option: &str| {
        let mut command = Command::new(shell);
        command.arg(option).arg(line);
        command
    };
    let mut command = match (agent.setup.runs, words) {
        (Runs::Program, [program, words @ ..]) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        (Runs::LoginShell, _) => {
            let shell = std::env::var_os("SHELL").map(PathBuf::from);
            through(&shell.unwrap_or("sh".into()), "-lc")
        }
        _ => through(Path::new("sh"), "-c"),
    };
    command.current_dir(&scratch.root).env("PWD", &scratch.root);
    // The canary leaves no trace in the person's log.
    command.env("XDG_STATE_HOME", scratch.top.join("state"));
    if let Some(variable) = agent.project {
        command.env(variable, &scratch.root);
    }
    command
}

/// Is this the answer, whatever its reason?
fn is_answer(ended: &Ended, expected: &Reply) -> bool {
    let stdout = match &expected.stdout {
        None => ended.stdout.trim().is_empty(),
        Some(expected) => {
            let value = |text: &str| serde_json::from_str::<Value>(text).ok().map(without_reasons);
            value(&ended.stdout).is_some_and(|it| Some(it) == value(expected))
        }
    };
    let stderr = match &expected.stderr {
        None => ended.stderr.trim().is_empty(),
        Some(_) => ended.stderr.starts_with("shfence: "),
    };
    stdout && stderr && ended.code == Some(i32::from(expected.code))
}

/// The value without the texts that say why.
fn without_reasons(value: Value) -> Value {
    let says_why = |value: &Value| value.as_str().is_some_and(|it| it.starts_with("shfence: "));
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !says_why(value));
            kept.map(|(key, value)| (key, without_reasons(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        other => other,
    }
}

fn wrong(agent: &Agent, line: &str, decision: Decision, ended: &Ended) -> Check {
    if ended.code == Some(127) || ended.code == Some(126) {
        return failed(agent, &format!("the hook cannot be run: {}", ended.stderr.trim()));
    }
    let code = ended.code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
    let answer = [ended.stdout.trim(), ended.stderr.trim()].join(" ");
    let word = match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask about",
        Decision::Deny => "deny",
    };
    let should = format!("the hook should {word} '{line}'");
    let said: Option<Value> = serde_json::from_str(&ended.stdout).ok();
    match said.as_ref().and_then(why) {
        Some(why) => Check::bad(
            format!("{should}; it does not: {why}"),
            "Mend what it says; 'shfence rules' shows what holds.",
        ),
        None => Check::bad(
            format!("{should}; it answers: {} ({code})", answer.trim()),
            format!("shfence install {} writes a command line that works.", agent.name),
        ),
    }
}

/// The reason in an answer of ours.
fn why(answer: &Value) -> Option<&str> {
    match answer {
        Value::String(text) => text.strip_prefix("shfence: "),
        Value::Object(fields) => fields.values().find_map(why),
        _ => None,
    }
}

fn failed(agent: &Agent, what: &str) -> Check {
    Check::bad(what, format!("shfence install {} writes a command line that works.", agent.name))
}
