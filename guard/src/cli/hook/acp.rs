//! `shfence acp-proxy -- AGENT…`: stands between a client and an agent that speak the Agent Client
//! Protocol over standard input and output (<https://agentclientprotocol.com/protocol/tool-calls>),
//! and answers the agent's questions for permission where the guard has an answer. All else goes
//! through as it is, byte for byte.

use super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::payload::Payload;
use super::setup::Setup;
use super::{Hook, Started, Watch};
use crate::cli::Exit;
use clap::Args;
use serde_json::{Value, json};
use shfence::{Decision, Dialects};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

/// Answers an agent's questions for permission, between it and its client.
#[derive(Args)]
pub struct Proxy {
    /// The agent, as the client would start it
    #[arg(required = true, last = true, value_name = "AGENT")]
    agent: Vec<OsString>,
}

/// The questions, as the proxy puts them to the adapter: `input` as the agent has it, and the
/// session's directory.
const ACP: Agent = Agent {
    name: "acp",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: true,
    read,
    reply,
    setup: &Setup::NOWHERE,
};

/// Fields of an input that say nothing of what runs but what the guard reads.
const UNDERSTOOD: [&str; 12] = [
    "command",
    "description",
    "explanation",
    "timeout",
    "timeout_ms",
    "run_in_background",
    "cwd",
    "workdir",
    "working_dir",
    "working_directory",
    "directory",
    "dir_path",
];

fn read(payload: &Payload<'_>) -> Asked {
    let Some(input) = payload.object("input") else {
        return Asked::Unclear(Moment::Permission, "the request holds no input of the tool");
    };
    if !input.has_only(&UNDERSTOOD) {
        return Asked::Unclear(Moment::Permission, "what else the tool is given is not known");
    }
    // An agent's shell may live on, and be elsewhere than the session.
    let asked = input.asks_about("command", None, Moment::Permission);
    asked.in_session(payload.directory("cwd"))
}

fn reply(_: Moment, opinion: Option<Decision>, _: &str) -> Reply {
    Reply { stdout: opinion.map(|decision| decision.name().to_owned()), ..Reply::silence() }
}

/// What was said of sessions so far.
#[derive(Default)]
struct Sessions {
    /// The directories of those that a client has asked for, by the request's id.
    asked_for: HashMap<String, String>,
    /// The directory of each.
    cwds: HashMap<String, String>,
}

impl Proxy {
    /// Runs the agent until it ends. The exit code is the agent's.
    pub fn run(&self) -> ExitCode {
        let mut command = Command::new(&self.agent[0]);
        command.args(&self.agent[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                eprintln!("shfence: {}: {error}", self.agent[0].display());
                return Exit::Io.into();
            }
        };
        let (Some(to_agent), Some(from_agent)) = (child.stdin.take(), child.stdout.take()) else {
            return Exit::Internal.into();
        };
        let sessions: &'static Mutex<Sessions> = Box::leak(Box::default());
        let to_agent: &'static Mutex<Option<ChildStdin>> =
            Box::leak(Box::new(Mutex::new(Some(to_agent))));
        // It waits for the client, and so is left behind when the agent ends.
        std::thread::spawn(|| from_client(sessions, to_agent));
        let mut client = std::io::stdout().lock();
        for_each_line(BufReader::new(from_agent), |line| match heard_from_agent(line, sessions) {
            Some(answer) => send(to_agent, &answer),
            None => client.write_all(line).and_then(|()| client.flush()).is_ok(),
        });
        let code = child.wait().ok().and_then(|status| status.code());
        code.and_then(|code| u8::try_from(code).ok()).map_or(Exit::Internal.into(), ExitCode::from)
    }
}

/// Calls `take` with each line, its end included, until that gives up.
fn for_each_line(mut from: impl BufRead, mut take: impl FnMut(&[u8]) -> bool) {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) && take(&line) {
        line.clear();
    }
}

fn send(to_agent: &Mutex<Option<ChildStdin>>, line: &[u8]) -> bool {
    let mut to_agent = to_agent.lock().unwrap_or_else(PoisonError::into_inner);
    to_agent.as_mut().is_some_and(|it| it.write_all(line).and_then(|()| it.flush()).is_ok())
}

fn from_client(sessions: &Mutex<Sessions>, to_agent: &Mutex<Option<ChildStdin>>) {
    for_each_line(std::io::stdin().lock(), |line| {
        heard_from_client(line, sessions);
        send(to_agent, line)
    });
    // The agent sees the end, too.
    to_agent.lock().unwrap_or_else(PoisonError::into_inner).take();
}

/// A client says where a session works when it asks for one.
fn heard_from_client(line: &[u8], sessions: &Mutex<Sessions>) {
    let Ok(message) = serde_json::from_slice::<Value>(line) else { return };
    let params = &message["params"];
    let Some(cwd) = params["cwd"].as_str() else { return };
    let mut sessions = sessions.lock().unwrap_or_else(PoisonError::into_inner);
    match (message["method"].as_str(), params["sessionId"].as_str()) {
        (Some("session/new"), _) => {
            sessions.asked_for.insert(message["id"].to_string(), cwd.to_owned());
        }
        (Some(_), Some(session)) => {
            sessions.cwds.insert(session.to_owned(), cwd.to_owned());
        }
        _ => {}
    }
}

/// The answer to a message of the agent, with its newline, if the guard gives it and not the
/// client.
fn heard_from_agent(line: &[u8], sessions: &Mutex<Sessions>) -> Option<Vec<u8>> {
    let message: Value = serde_json::from_slice(line).ok()?;
    let mut sessions = sessions.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(session) = message["result"]["sessionId"].as_str()
        && let Some(cwd) = sessions.asked_for.remove(&message["id"].to_string())
    {
        sessions.cwds.insert(session.to_owned(), cwd);
    }
    let params = &message["params"];
    if message["method"] != "session/request_permission" || params["toolCall"]["kind"] != "execute"
    {
        return None;
    }
    let cwd = sessions.cwds.get(params["sessionId"].as_str()?)?;
    let question = json!({"input": params["toolCall"]["rawInput"], "cwd": cwd});
    let kind = match decided(&question)?.as_str() {
        "allow" => "allow_once",
        "deny" => "reject_once",
        _ => return None,
    };
    let mut options = params["options"].as_array()?.iter();
    let option = options.find(|option| option["kind"] == kind)?;
    let outcome = json!({"outcome": "selected", "optionId": option["optionId"]});
    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {"outcome": outcome}});
    Some(format!("{answer}\n").into_bytes())
}

/// The word for the decision, which is logged like a hook's.
fn decided(question: &Value) -> Option<String> {
    let started = Started { at: SystemTime::now(), clock: Instant::now() };
    let watch = Watch::without_thread(Hook::plain(&ACP));
    let answered = watch.hook().answer_within(question.to_string().as_bytes(), &watch);
    watch.hook().log(answered.judged.as_ref(), &started);
    answered.reply.stdout
}
