//! `shfence hook AGENT`: one request of an agent on standard input, one answer on standard output.
//!
//! Whatever goes wrong in here ends in the agent's form of "ask", or in silence where it has none;
//! never in its form of "allow", and never in a crash: most agents take a hook that dies as one
//! that has no objection.

#[cfg(feature = "cli")]
mod acp;
mod agent;
mod agents;
mod judging;
#[cfg(feature = "cli")]
mod options;
mod payload;
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub mod setup;
mod watch;

#[cfg(feature = "cli")]
pub use acp::Proxy;
pub use agent::{Agent, Moment, Reply};
pub use agents::AGENTS;
#[cfg(feature = "cli")]
pub use options::Options;

use super::log::{self, Event, LogSettings};
use super::{Exit, place};
use agent::{Asked, Line};
use judging::{Judged, Told, judge};
use payload::Payload;
use shfence::Decision;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};
use watch::Watch;

/// Answers for the agent that the arguments name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let started = Started { at: SystemTime::now(), clock: Instant::now() };
    match Hook::of(arguments) {
        Ok(Some(hook)) => answer_agent(&Watch::over(hook, started.clock), &started),
        Ok(None) => {
            let help = format!("{USAGE}\n\nAGENT is one of: {}", names());
            Reply { stdout: Some(help), ..Reply::default() }.print();
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            eprintln!("shfence: {wrong}\n{USAGE}, where AGENT is one of: {}", names());
            Exit::Usage.into()
        }
    }
}

/// The agent in the name of the program: `…/shfence-hook-AGENT`.
pub fn agent_named_by(program: &OsStr) -> Option<OsString> {
    let name = Path::new(program).file_name()?.to_str()?;
    name.strip_prefix("shfence-hook-").map(OsString::from)
}

#[cfg(not(panic = "unwind"))]
compile_error!("a hook must outlive its own panics: build with panic = \"unwind\"");

const USAGE: &str = "\
Usage: shfence hook AGENT [--shadow] [--fail-closed] [--ask-denies] [--time-limit MS]
                          [--root DIR]…";

fn names() -> String {
    let names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
    names.join(", ")
}

struct Started {
    at: SystemTime,
    clock: Instant,
}

/// One request, one answer.
fn answer_agent(watch: &Watch, started: &Started) -> ExitCode {
    // Some agents show what is on standard error, or take it for the answer.
    std::panic::set_hook(Box::new(|_| {}));
    let hook = watch.hook();
    let answered = match read_input(watch).and_then(with_memory_for) {
        Ok(payload) => hook.answer_within(&payload, watch),
        Err(error) => hook.failed(Moment::Use, &format!("the request {error}")),
    };
    let code = watch.give(&answered.reply);
    let logged = std::panic::catch_unwind(|| hook.log(answered.judged.as_ref(), started));
    // The process ends: what it knows is not put away piece by piece.
    std::mem::forget((answered, logged));
    ExitCode::from(code)
}

/// The command, as its arguments have it.
pub struct Hook {
    agent: &'static Agent,
    /// Decide and log, but have no opinion.
    shadow: bool,
    /// Deny where the guard itself fails.
    fail_closed: bool,
    /// Deny where the agent has no form of "ask".
    ask_denies: bool,
    roots: Vec<PathBuf>,
    /// How long an answer may take, from the start of the process.
    limit: Duration,
    /// What is wrong with its arguments. Who set it up so sees it in the first answer: an agent
    /// takes a hook that only ends for one that has no objection.
    wrong: Option<String>,
}

/// What came of a request: an opinion for the agent, and what the log says of it.
pub struct Answered {
    /// What is printed, and how the process ends.
    pub reply: Reply,
    judged: Option<(Line, Judged)>,
    /// The request, for a process that ends without putting it away.
    _request: Option<Payload<'static>>,
}

/// No request of an agent is longer, in bytes: a line that counts has at most 64 KiB.
const PAYLOAD_MAX: usize = 16 << 20;

impl Hook {
    /// The hook of an agent without any options.
    pub fn plain(agent: &'static Agent) -> Hook {
        let (roots, limit, wrong) = (Vec::new(), watch::LIMIT, None);
        Hook { agent, shadow: false, fail_closed: false, ask_denies: false, roots, limit, wrong }
    }

    /// `None`: help is wanted. Not read by the library that reads the arguments of the commands for
    /// people, since building that costs more than a decision.
    fn of(mut arguments: impl Iterator<Item = OsString>) -> Result<Option<Hook>, String> {
        let name = arguments.next().ok_or("no agent is named")?;
        if name == "-h" || name == "--help" {
            return Ok(None);
        }
        let agent = AGENTS.iter().find(|agent| name == agent.name);
        let agent = agent.ok_or(format!("'{}' is no agent", name.to_string_lossy()))?;
        let mut hook = Hook::plain(agent);
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--shadow") => hook.shadow = true,
                Some("--fail-closed") => hook.fail_closed = true,
                Some("--ask-denies") => hook.ask_denies = true,
                Some("--root") => {
                    let root = arguments.next().map(PathBuf::from);
                    match root.filter(|root| root.is_absolute()) {
                        Some(root) => hook.roots.push(root),
                        None => hook.wrong = Some("--root needs an absolute directory".to_owned()),
                    }
                }
                Some("--time-limit") => {
                    let given = arguments.next();
                    let limit = given.as_ref().and_then(|it| it.to_str()?.parse().ok());
                    match limit.filter(|limit| (1..=600_000).contains(limit)) {
                        Some(limit) => hook.limit = Duration::from_millis(limit),
                        None => {
                            let what = "--time-limit needs milliseconds, from 1 to 600000";
                            hook.wrong = Some(what.to_owned());
                        }
                    }
                }
                _ => {
                    let unknown = argument.to_string_lossy();
                    hook.wrong = Some(format!("the hook has no option '{unknown}'"));
                }
            }
        }
        Ok(Some(hook))
    }

    /// The answer to a request of any bytes, in a process that lives on: no thread ends it.
    #[cfg_attr(not(test), allow(dead_code))]
    pub fn answer(self, payload: &[u8]) -> Answered {
        let watch = Watch::without_thread(self);
        watch.hook().answer_within(payload, &watch)
    }

    /// The answer to a request of any bytes. A panic on the way is a failure like others.
    fn answer_within(&self, payload: &[u8], watch: &Watch) -> Answered {
        if let Some(wrong) = &self.wrong {
            return self.failed(Moment::Use, wrong);
        }
        let considered = std::panic::AssertUnwindSafe(|| self.consider(payload, watch));
        std::panic::catch_unwind(considered)
            .unwrap_or_else(|_| self.failed(watch.moment(), "the guard itself failed"))
    }

    fn consider(&self, payload: &[u8], watch: &Watch) -> Answered {
        let payload = match Payload::read(payload) {
            Ok(payload) => payload,
            Err(error) => return self.failed(Moment::Use, &format!("the request {error}")),
        };
        let answered = match (self.agent.read)(&payload) {
            Asked::Nothing(moment) => self.reply(moment, None, &Told::default()),
            Asked::Unclear(moment, what) => self.failed(moment, what),
            // A blank command is no question, and certainly nothing to allow.
            Asked::Line(line) if line.command.trim().is_empty() => {
                self.reply(line.moment, None, &Told::default())
            }
            Asked::Line(line) => {
                watch.knows(
                    line.moment,
                    line.cwd.iter().chain(&line.session).chain(&line.roots).cloned(),
                );
                let judged = judge(self.agent, &line, &self.roots, &watch.view());
                let answered = match &judged {
                    _ if watch.is_over() => self.late(line.moment),
                    Judged::Verdict(verdict, configuration) => {
                        let text = line.command.as_bytes();
                        let told = judging::reason(text, verdict, configuration);
                        self.reply(line.moment, Some(verdict.decision), &told)
                    }
                    Judged::Failed(what) => self.failed(line.moment, what),
                };
                Answered { judged: Some((line, judged)), ..answered }
            }
        };
        Answered { _request: Some(payload), ..answered }
    }

    /// The answer that there was no time for.
    fn late(&self, moment: Moment) -> Answered {
        let limit = self.limit.as_millis();
        self.failed(moment, &format!("it took longer than {limit} ms to judge the line"))
    }

    fn failed(&self, moment: Moment, what: &str) -> Answered {
        let decision = if self.fail_closed { Decision::Deny } else { Decision::Ask };
        self.reply(moment, Some(decision), &what.into())
    }

    fn reply(&self, moment: Moment, opinion: Option<Decision>, told: &Told) -> Answered {
        let opinion = match opinion {
            _ if self.shadow => None,
            Some(Decision::Ask) if self.ask_denies && !self.agent.asks => Some(Decision::Deny),
            opinion => opinion,
        };
        let reason = judging::told(opinion, told);
        let reply = (self.agent.reply)(moment, opinion, &reason);
        Answered { reply, judged: None, _request: None }
    }

    /// The log never changes an answer: it has been given, and nothing that goes wrong is said.
    /// Gives what it has logged.
    fn log(&self, judged: Option<&(Line, Judged)>, started: &Started) -> Option<Event> {
        let (line, judged) = judged?;
        let directory = log::directory()?;
        let settings = LogSettings::default();
        let mut event = Event {
            agent: self.agent.name.into(),
            cwd: line.cwd.as_ref().map(|cwd| cwd.to_string_lossy().into_owned()),
            shadow: self.shadow,
            ..Event::new(started.at)
        };
        event.line(line.command.as_bytes(), self.agent.invocations[0], &settings);
        let mut shells = self.agent.shells;
        match judged {
            Judged::Verdict(verdict, configuration) => {
                event.verdict(verdict);
                event.profile = configuration.policy.profile.name().into();
                shells = configuration.shells.unwrap_or(shells);
            }
            Judged::Failed(_) => event.not_judged(self.fail_closed),
        }
        event.shells = shells.names().into_iter().map(Cow::Borrowed).collect();
        event.us = u64::try_from(started.clock.elapsed().as_micros()).unwrap_or(u64::MAX);
        let _ = log::append(&directory, &event, &settings);
        Some(event)
    }
}

/// All that is on standard input. What is too much is read all the same: an agent may take a pipe
/// that nobody reads for a hook that failed.
fn read_input(watch: &Watch) -> Result<Vec<u8>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("could not be read: {error}");
    let stdin = std::io::stdin();
    let (mut payload, mut too_long) = (Vec::new(), false);
    loop {
        if payload.len() == payload.capacity() {
            payload.try_reserve(payload.len().max(4 << 10)).map_err(|error| failed(&error))?;
        }
        if !watch.wait_for(&stdin).map_err(|error| failed(&error))? {
            return Err("did not come to its end in time".to_owned());
        }
        match rustix::io::read(&stdin, rustix::buffer::spare_capacity(&mut payload)) {
            Ok(0) if too_long => return Err("is longer than 16 MiB".to_owned()),
            Ok(0) => return Ok(payload),
            Ok(_) if too_long || payload.len() > PAYLOAD_MAX => {
                too_long = true;
                payload.clear();
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(failed(&error)),
        }
    }
}

/// The request, if there is memory enough to judge it: a process that gets no more of it ends
/// without an answer. Where nothing limits it, there is nothing to try.
fn with_memory_for(payload: Vec<u8>) -> Result<Vec<u8>, String> {
    use rustix::process::{Resource, getrlimit};
    let is_limited =
        [Resource::As, Resource::Data].iter().any(|of| getrlimit(*of).current.is_some());
    let needed = MEMORY_FOR_A_LINE + MEMORY_PER_BYTE * payload.len();
    if is_limited && Vec::<u8>::new().try_reserve_exact(needed).is_err() {
        return Err(format!("may need {} MiB of memory, which are not there", needed >> 20));
    }
    Ok(payload)
}

/// What the most expensive line of 64 KiB needs, and how many times its own size a request takes as
/// JSON: an object of one field is seven bytes of text, a node of 632 bytes, and copied once.
const MEMORY_FOR_A_LINE: usize = 64 << 20;
const MEMORY_PER_BYTE: usize = 256;

impl Reply {
    /// An answer that cannot be written has nobody to read it.
    fn print(&self) {
        if let Some(text) = &self.stdout {
            let mut stdout = std::io::stdout().lock();
            let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
        }
        if let Some(text) = &self.stderr {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }
}

#[cfg(test)]
mod tests;
