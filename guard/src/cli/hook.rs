//! `shfence hook AGENT`: one request of an agent on standard input, one answer on standard output.
//!
//! Whatever goes wrong in here ends in the agent's form of "ask", never in its form of "allow", and
//! never in a crash: most agents take a hook that dies as one that has no objection.

use super::configuration::{Places, load, more_roots};
use super::{Exit, place};
use serde::Serialize;
use serde_json::{Map, Value};
use shfence::{Cwd, Decision, Dialects, Invocation, Limits, RealView, Request, Scope};
use shfence::{Verdict, decide};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Answers for the agent that the arguments name.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match (arguments.next().as_deref().and_then(|name| name.to_str()), arguments.next()) {
        (Some("claude"), None) => claude(),
        (Some("-h" | "--help"), None) => {
            println!("Usage: shfence hook AGENT\n\nAGENT is one of: claude");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("shfence: usage: shfence hook AGENT, where AGENT is one of: claude");
            Exit::Usage.into()
        }
    }
}

/// Claude Code, event PreToolUse (<https://code.claude.com/docs/en/hooks>).
fn claude() -> ExitCode {
    // A panic unwinds to here; its message on standard error does not disturb the answer.
    let answer = std::panic::catch_unwind(|| {
        let mut payload = Vec::new();
        match std::io::stdin().lock().read_to_end(&mut payload) {
            Ok(_) => answer_claude(&payload),
            Err(error) => Some(ask(&format!("the request could not be read: {error}"))),
        }
    });
    let answer = answer.unwrap_or_else(|_| Some(ask("internal error")));
    if let Some(answer) = answer {
        println!("{answer}");
    }
    ExitCode::SUCCESS
}

/// The answer; `None` is silence, which leaves the decision to the agent.
pub(crate) fn answer_claude(payload: &[u8]) -> Option<String> {
    let payload = payload.strip_prefix(b"\xef\xbb\xbf").unwrap_or(payload);
    let payload: Map<String, Value> = match serde_json::from_slice(payload) {
        Ok(payload) => payload,
        Err(error) => return Some(ask(&format!("the request is not understood: {error}"))),
    };
    let text = |name: &str| payload.get(name).and_then(Value::as_str);
    let event = payload.get("hook_event_name");
    if event.is_some_and(|event| event != "PreToolUse") || text("tool_name") != Some("Bash") {
        return None;
    }
    let input = payload.get("tool_input").and_then(Value::as_object);
    let Some(command) = input.and_then(|input| input.get("command")).and_then(Value::as_str) else {
        return Some(ask("the request holds no command"));
    };
    if command.trim().is_empty() {
        return None;
    }
    let Some(cwd) = text("cwd").map(Path::new).filter(|cwd| cwd.is_absolute()) else {
        return Some(ask("the request does not say in which directory the line runs"));
    };
    Some(match judge(command.as_bytes(), cwd) {
        Ok((verdict, notes)) => render(&verdict, &notes),
        Err(error) => ask(&error),
    })
}

fn judge(line: &[u8], cwd: &Path) -> Result<(Verdict, Vec<String>), String> {
    // Without either, the project would be whatever directory the agent happens to be in.
    let root = match std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from) {
        Some(root) => root,
        None => place::repository_above(cwd).ok_or("no project directory is known")?,
    };
    let (places, mut roots) = (Places::of_environment(), vec![root]);
    let mut configuration = load(&places, &roots);
    roots.extend(more_roots(&mut configuration, &roots, &places));
    let scope = Scope::new(&roots, &RealView).map_err(|error| error.to_string())?;
    let pwd = place::pwd_of(cwd);
    let request = Request {
        line,
        cwd: Cwd { dir: cwd, pwd: pwd.as_deref() },
        scope: &scope,
        home: None,
        env: &place::seen_env(),
        dialects: configuration.shells.unwrap_or(Dialects::ALL),
        // The text is single-quoted into an `eval` (seen in its process list).
        invocation: Invocation::Eval,
        policy: &configuration.policy,
        limits: Limits::default(),
    };
    Ok((decide(&request, &RealView), configuration.notes))
}

fn render(verdict: &Verdict, notes: &[String]) -> String {
    let mut reason = match (verdict.decision, &verdict.root, verdict.reasons.first()) {
        (Decision::Allow, Some(root), _) => format!("stays within {root}"),
        (Decision::Allow, None, _) => "touches nothing".to_owned(),
        (_, _, Some(reason)) => reason.note.clone(),
        (_, _, None) => "no reason was given".to_owned(),
    };
    for rule in verdict.rules.iter().filter(|_| verdict.decision == Decision::Allow) {
        reason.push_str(&format!("; by the rule {rule}"));
    }
    for note in notes.iter().filter(|_| verdict.decision != Decision::Allow) {
        reason.push_str(&format!("; {note}"));
    }
    form(verdict.decision, &reason)
}

fn ask(reason: &str) -> String {
    form(Decision::Ask, reason)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_specific_output: Specific<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    permission_decision: Decision,
    permission_decision_reason: &'a str,
}

fn form(decision: Decision, reason: &str) -> String {
    let reason = format!("shfence: {reason}");
    let output = Output {
        hook_specific_output: Specific {
            hook_event_name: "PreToolUse",
            permission_decision: decision,
            permission_decision_reason: &reason,
        },
    };
    serde_json::to_string(&output).expect("an answer holds only strings")
}
