//! The engine: a case and an installed shell in, a trace out.

use crate::contain::{Cgroup, Limits, PROBES, Refusal, Tier, TierReport};
use crate::installations::Installation;
use crate::invocation::{Handed, hand};
pub use crate::launch::{Lane, Probes, Start};
pub use crate::observe::Backend;
use crate::system::handover;
use crate::system::terminal::Terminal;
use crate::trace::Trace;
use crate::worker::wire::{self, Observed, Reply, Run, Setup};
use shfence_corpus::{Case, Invocation, TOP, Text, TreeSpec};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The program that becomes the worker when its first argument is `worker`.
    pub worker_program: PathBuf,
    /// The tier to insist on; otherwise the best that can be had.
    pub tier: Option<Tier>,
    /// What each run may use.
    pub limits: Limits,
    /// What stands behind the names of verbs.
    pub lane: Lane,
    /// How shells come to run.
    pub start: Start,
    /// What stops the calls of a run to look at them.
    pub backend: Backend,
    /// The processor that supervisor and shells share. On one processor they take turns without
    /// waking another, which is half as fast again as leaving them to the scheduler.
    pub cpu: Option<usize>,
    /// After each run, and not only after one of 256: ask the file system what happened in the tree
    /// and compare that with the trace; where the trace shows no change, compare the tree with its
    /// description; and what is outside of it with what it was before the first run. Fail if any
    /// tells of something unseen. Costs time; for tests of the oracle itself.
    pub verify: bool,
}

impl EngineConfig {
    /// The defaults, with this worker.
    pub fn new(worker_program: impl Into<PathBuf>) -> EngineConfig {
        EngineConfig {
            worker_program: worker_program.into(),
            tier: None,
            limits: Limits::default(),
            lane: Lane::default(),
            start: Start::default(),
            backend: Backend::default(),
            cpu: None,
            verify: false,
        }
    }

    /// The defaults, with this very program as the worker.
    pub fn of_this_program() -> io::Result<EngineConfig> {
        Ok(EngineConfig::new(std::env::current_exe()?))
    }
}

/// Why there is no engine, or no longer.
#[derive(Debug)]
pub enum EngineError {
    /// Nothing can be contained here, so nothing runs.
    CannotContain(Vec<TierReport>),
    /// The variable `ORACLE_TIER` names no tier.
    UnknownTier(String),
    /// The worker cannot be started.
    NoWorker {
        /// The program.
        program: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The worker is gone, or gave up.
    WorkerLost(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::CannotContain(reports) => {
                write!(f, "shells cannot be contained here, so none is run")?;
                reports.iter().try_for_each(|report| write!(f, "\n  {report}"))
            }
            EngineError::UnknownTier(what) => write!(f, "ORACLE_TIER: {what}"),
            EngineError::NoWorker { program, error } => {
                write!(f, "{} cannot be started as a worker: {error}", program.display())
            }
            EngineError::WorkerLost(what) => write!(f, "the worker is lost: {what}"),
        }
    }
}

impl std::error::Error for EngineError {}

/// Why a case gave no trace.
#[derive(Debug)]
pub enum RunError {
    /// The line cannot be handed to a shell in this way.
    Unsupported(Invocation),
    /// This part of the case holds a NUL byte, or an environment name a `=`, and no process can be
    /// started with it.
    NotPassable(&'static str),
    /// The case's tree cannot be made: why.
    NotPlanted(String),
    /// The shell cannot be started with this case: why.
    NotStarted(String),
    /// The engine itself failed, and runs nothing any more.
    Engine(EngineError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Unsupported(invocation) => {
                write!(f, "the line cannot be handed over by '{invocation}'")
            }
            RunError::NotPassable(what) => {
                write!(f, "{what} cannot be passed to a process: NUL byte, or '=' in a name")
            }
            RunError::NotPlanted(why) => write!(f, "the tree cannot be planted: {why}"),
            RunError::NotStarted(why) => write!(f, "the shell cannot be started: {why}"),
            RunError::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

/// A contained worker, ready to run cases one after the other.
#[derive(Debug)]
pub struct Engine {
    worker: Worker,
    tier: Tier,
    lane: Lane,
    /// What probes do from now on.
    probes: Probes,
    /// Shells that were executed though they should have started warm, and why.
    cold: BTreeMap<String, String>,
    /// The tree the worker knows.
    tree: Option<TreeSpec>,
    /// Why nothing runs any more.
    lost: Option<String>,
}

impl Engine {
    /// Starts a worker in the best tier that can be had, or in the one that the configuration or
    /// the variable `ORACLE_TIER` insists on.
    pub fn start(config: &EngineConfig) -> Result<Engine, EngineError> {
        let tiers = match (config.tier, std::env::var("ORACLE_TIER")) {
            (Some(tier), _) => vec![tier],
            (None, Ok(name)) => vec![name.parse().map_err(EngineError::UnknownTier)?],
            (None, Err(_)) => Tier::ALL.to_vec(),
        };
        let mut reports = Vec::new();
        for tier in tiers {
            match Worker::start(config, tier)? {
                Ok(worker) => {
                    let (lane, cold) = (config.lane.clone(), BTreeMap::new());
                    let probes = Probes::default();
                    return Ok(Engine { worker, tier, lane, probes, cold, tree: None, lost: None });
                }
                Err(refusal) => reports.push(TierReport::new(tier, Some(refusal))),
            }
        }
        Err(EngineError::CannotContain(reports))
    }

    /// From now on probes do this.
    pub fn set_probes(&mut self, probes: Probes) {
        self.probes = probes;
    }

    /// How its shells are contained.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The installations that were executed so far although [`Start::Warm`] was asked for, and
    /// why: a static shell, say, loads no library. What they do is the same, only slower.
    pub fn cold(&self) -> &BTreeMap<String, String> {
        &self.cold
    }

    /// The worker's process id.
    pub fn worker(&self) -> u32 {
        self.worker.process.id()
    }

    /// Why no control group bounds what its shells use together; `None` if one does.
    pub fn unbounded(&self) -> Option<&Refusal> {
        self.worker.cgroup.as_ref().err()
    }

    /// A way to end whatever it is running, from another thread. The engine is lost then.
    pub fn stopper(&self) -> io::Result<Stopper> {
        self.worker.socket.try_clone().map(Stopper)
    }

    /// Runs a case in a shell. The case's set of shells is not looked at: the caller chooses.
    ///
    /// After a [`RunError::Engine`] every further run gives another; after any other error the
    /// engine goes on.
    pub fn run(&mut self, case: &Case, shell: &Installation) -> Result<Trace, RunError> {
        let (order, typed) = order(case, shell, &self.lane)?;
        let terminal = typed.map(|text| terminal(&text)).transpose();
        let terminal =
            terminal.map_err(|error| RunError::NotStarted(format!("no terminal: {error}")))?;
        let mut run = Run { probes: self.probes, ..order };
        if self.tree.as_ref() != Some(&case.tree) {
            run.tree = Some(case.tree.clone());
            self.tree = Some(case.tree.clone());
        }
        match self.ask(&run, terminal.as_ref()) {
            Ok(Reply::Ran(observed)) => Ok(self.trace(shell, observed)),
            Ok(Reply::NotPlanted(why)) => Err(RunError::NotPlanted(why)),
            Ok(Reply::NotStarted(why)) => Err(RunError::NotStarted(why)),
            Ok(Reply::Failed(why)) => Err(self.lose(why)),
            Ok(other) => Err(self.lose(format!("it answered {other:?} to a run"))),
            Err(why) => Err(self.lose(why)),
        }
    }

    fn trace(&mut self, shell: &Installation, observed: Observed) -> Trace {
        if let Some(why) = observed.cold {
            self.cold.insert(shell.id.name.clone(), why);
        }
        Trace {
            shell: shell.id.clone(),
            processes: observed.processes,
            execs: observed.execs,
            touches: observed.touches,
            status: observed.status,
            cut: observed.cut,
            output: observed.output,
            doubts: observed.doubts,
        }
    }

    fn ask(&mut self, run: &Run, terminal: Option<&Terminal>) -> Result<Reply, String> {
        if let Some(why) = &self.lost {
            return Err(why.clone());
        }
        self.worker.busy = true;
        let socket = &self.worker.socket;
        let asked = wire::send(socket, run);
        let asked =
            asked.and_then(|()| terminal.map_or(Ok(()), |it| handover::send(socket, it.reader())));
        let answer = asked.and_then(|()| wire::receive_reply(socket));
        self.worker.busy = answer.is_err();
        answer.map_err(|error| error.to_string())
    }

    fn lose(&mut self, why: String) -> RunError {
        self.lost = Some(why.clone());
        RunError::Engine(EngineError::WorkerLost(why))
    }
}

/// Ends an engine at once: see [`Engine::stopper`].
#[derive(Debug)]
pub struct Stopper(UnixStream);

impl Stopper {
    /// Makes the run that is going on, and every later one, an error.
    pub fn stop(&self) {
        // It fails only if the worker is gone already.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Tries every tier by doing all of it, and says which can be had.
pub fn probe(config: &EngineConfig) -> Result<Vec<TierReport>, EngineError> {
    let report = |tier| {
        let worker = Worker::start(config, tier)?;
        Ok(TierReport::new(tier, worker.err()))
    };
    Tier::ALL.into_iter().map(report).collect()
}

/// What the worker is to do for a case, and what is typed where the line is. No tree yet.
fn order(
    case: &Case,
    shell: &Installation,
    lane: &Lane,
) -> Result<(Run, Option<Vec<u8>>), RunError> {
    if case.line.contains(&0) {
        return Err(RunError::NotPassable("the line"));
    }
    let handed = hand(&case.line, case.invocation);
    let handed = handed.ok_or(RunError::Unsupported(case.invocation))?;
    let (argv, typed) = match handed {
        Handed::Argument(text) => (shell.args.iter().cloned().chain([text]).collect(), None),
        Handed::Typed(text) => (shell.typed.clone(), Some(text)),
    };
    let run = Run {
        tree: None,
        program: Text::from(shell.program.as_os_str().as_bytes()),
        cwd: case.cwd.absolute(),
        argv,
        env: environment(case, lane)?,
        probes: Probes::default(),
        typed: typed.is_some(),
    };
    Ok((run, typed))
}

/// A terminal on which this was typed.
fn terminal(typed: &[u8]) -> io::Result<Terminal> {
    let terminal = Terminal::new()?;
    terminal.write(typed)?;
    Ok(terminal)
}

/// The environment of a case: the fixed one, then what the case says of `$PWD`, then the rest of
/// what it says. Each fixed variable keeps some shell or tool from looking elsewhere: without
/// `SHELL` bash reads the user database, without `PWD` zsh walks up to the root.
fn environment(case: &Case, lane: &Lane) -> Result<Vec<Text>, RunError> {
    let home = format!("{TOP}/home");
    let path = match lane {
        Lane::Real => "/usr/bin:/bin",
        Lane::Probe { .. } => PROBES,
    };
    let mut all: BTreeMap<&str, Text> =
        [("PATH", path), ("HOME", &home), ("SHELL", "/bin/sh"), ("LC_ALL", "C"), ("TERM", "dumb")]
            .into_iter()
            .map(|(name, value)| (name, Text::from(value)))
            .collect();
    all.insert("PWD", case.logical_cwd());
    if case.invocation == Invocation::Typed {
        // No file of history: it would be read at the start and written at the end.
        all.insert("HISTFILE", Text::default());
    }
    for (name, value) in &case.env {
        match value {
            Some(value) => all.insert(name, value.clone()),
            None => all.remove(name.as_str()),
        };
    }
    all.into_iter()
        .map(|(name, value)| {
            if name.is_empty() || name.contains(['=', '\0']) || value.contains(&0) {
                return Err(RunError::NotPassable("the environment"));
            }
            Ok(Text::from([name.as_bytes(), b"=", value.as_bytes()].concat()))
        })
        .collect()
}

/// A worker process and the socket to it.
#[derive(Debug)]
struct Worker {
    socket: UnixStream,
    process: Child,
    /// Was it asked for something that it has not answered?
    busy: bool,
    /// What bounds its shells together, or why nothing does. Removed when the process is gone.
    cgroup: Result<Cgroup, Refusal>,
}

impl Worker {
    /// Starts a worker in this tier. The inner error means that the tier cannot be had.
    fn start(config: &EngineConfig, tier: Tier) -> Result<Result<Worker, Refusal>, EngineError> {
        let cgroup = Cgroup::make(&config.limits);
        let made = cgroup.is_ok();
        match Worker::start_in(cgroup, config, tier)? {
            // It may be that a group can be made here and not be entered.
            Err(refusal) if made => Worker::start_in(Err(refusal), config, tier),
            started => Ok(started),
        }
    }

    fn start_in(
        cgroup: Result<Cgroup, Refusal>,
        config: &EngineConfig,
        tier: Tier,
    ) -> Result<Result<Worker, Refusal>, EngineError> {
        let no_worker =
            |error| EngineError::NoWorker { program: config.worker_program.clone(), error };
        let (ours, theirs) = UnixStream::pair().map_err(no_worker)?;
        let process = Command::new(&config.worker_program)
            .arg("worker")
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .spawn()
            .map_err(no_worker)?;
        let worker = Worker { socket: ours, process, busy: false, cgroup };
        let doors = worker.cgroup.as_ref().map_or(&[][..], Cgroup::doors);
        let setup = Setup {
            tier,
            limits: config.limits.clone(),
            lane: config.lane.clone(),
            start: config.start,
            backend: config.backend,
            cpu: config.cpu,
            doors: doors.len(),
            verify: config.verify,
        };
        let answer = wire::send(&worker.socket, &setup)
            .and_then(|()| doors.iter().try_for_each(|d| handover::send(&worker.socket, d.as_fd())))
            .and_then(|()| wire::receive_reply(&worker.socket));
        match answer {
            Ok(Reply::Ready) => Ok(Ok(worker)),
            Ok(Reply::Refused(refusal)) => Ok(Err(refusal)),
            Ok(other) => {
                Err(EngineError::WorkerLost(format!("it answered {other:?} to the start")))
            }
            Err(error) => Err(EngineError::WorkerLost(error.to_string())),
        }
    }
}

impl Drop for Worker {
    /// Ends the worker, and with it everything in its namespaces, and waits until it is gone.
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(10);
        // The worker ends by itself when its socket is closed, but not before the end of a run that
        // is going on.
        let _ = self.socket.shutdown(Shutdown::Both);
        let asked = Instant::now();
        while !self.busy && asked.elapsed() < PATIENCE {
            match self.process.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                _ => return,
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
