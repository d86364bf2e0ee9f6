//! SIGINT and SIGTERM at any moment: the run directory can be read, the exit code says what it was,
//! and nothing is left running.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/leftovers.rs"]
mod leftovers;

use leftovers::Own;
use shfence_reports::{Run, Verdict};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a campaign may take to end once it was told to. Most of it is for machines that have
/// other things to do.
const PROMPT: Duration = Duration::from_secs(2);

/// A campaign without end, in a process group of its own.
struct Campaign<'a> {
    own: &'a Own,
    child: Child,
    dir: PathBuf,
}

impl<'a> Campaign<'a> {
    /// Minimises from its first cases on.
    fn start(own: &'a Own, name: &str) -> Campaign<'a> {
        let dir = own.dir().join(name);
        let mut command = Command::new(own.program());
        let limits = ["campaign", "--seconds", "600", "--seed", "3", "--jobs", "2"];
        command.args(limits).args(["--guard", "strawman:allow-everything", "--out"]).arg(&dir);
        command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let child = own.surround(&mut command).spawn().unwrap();
        Campaign { own, child, dir }
    }

    /// Sends a signal to the process, or to its group as a terminal does.
    fn send(&self, signal: &str, group: bool) {
        let target = format!("{}{}", if group { "-" } else { "" }, self.child.id());
        let mut kill = Command::new("kill");
        // It may have ended already.
        let _ = kill.args(["-s", signal, "--", &target]).stderr(Stdio::null()).status().unwrap();
    }

    /// Waits for the end, which must be near.
    #[track_caller]
    fn ends(&mut self, what: &str) -> ExitStatus {
        let told = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(told.elapsed() < PROMPT, "{what}: it goes on after {PROMPT:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The directory can be read, if there is any yet, and nothing is left running.
    #[track_caller]
    fn assert_in_order(&self, what: &str, closed: bool) {
        self.own.assert_nothing_left(what);
        if !self.dir.join("manifest.json").exists() {
            return;
        }
        let run = Run::read(&self.dir).unwrap_or_else(|error| panic!("{what}: {error}"));
        let verdict = run.verdict();
        if closed {
            let told = matches!(verdict, Verdict::Interrupted(_) | Verdict::Terminated(_));
            assert!(told && run.notes.is_empty(), "{what}: {verdict}, {:?}", run.notes);
            assert!(self.dir.join("summary.md").exists(), "{what}");
            assert!(run.findings.iter().all(|it| it.fixture.is_some()), "{what}");
        } else {
            assert!(!matches!(verdict, Verdict::Clean | Verdict::Fault(_)), "{what}: {verdict}");
        }
    }
}

impl Drop for Campaign<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The code that a signal's name stands for, and its number.
fn meaning(signal: &str) -> (i32, i32) {
    if signal == "INT" { (130, 2) } else { (143, 15) }
}

#[test]
fn a_signal_ends_a_campaign_at_any_moment_and_soon() {
    let own = Own::new();
    let mut closed = 0;
    for (number, delay) in [0, 5, 15, 30, 60, 90, 130, 200, 350, 600, 1000].into_iter().enumerate()
    {
        for signal in ["INT", "TERM"] {
            // Over all delays, each signal to the process and to the group.
            let group = (number % 2 == 0) == (signal == "INT");
            let what = format!("{signal} after {delay} ms, group: {group}");
            let mut campaign = Campaign::start(&own, &format!("{signal}-{delay}"));
            std::thread::sleep(Duration::from_millis(delay));
            campaign.send(signal, group);
            let status = campaign.ends(&what);
            let (code, number) = meaning(signal);
            let began = campaign.dir.exists();
            // Before it has begun, a signal does what it does to every program.
            let early = status.signal() == Some(number) && !began;
            assert!(early || status.code() == Some(code), "{what}: {status:?}");
            campaign.assert_in_order(&what, true);
            closed += usize::from(began);
        }
    }
    assert!(closed > 4, "no campaign had begun when it was told to end: {closed}");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let own = Own::new();
    for (first, second) in [("INT", "INT"), ("INT", "TERM"), ("TERM", "TERM")] {
        for delay in [0, 2, 10, 30] {
            let what = format!("{first}, then {second} after {delay} ms");
            let mut campaign = Campaign::start(&own, &format!("{first}-{second}-{delay}"));
            let began = Instant::now();
            while !campaign.dir.join("manifest.json").exists() {
                assert!(began.elapsed() < Duration::from_secs(30), "it does not begin");
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(100));
            campaign.send(first, true);
            std::thread::sleep(Duration::from_millis(delay));
            campaign.send(second, true);
            let code = campaign.ends(&what).code();
            let codes = [first, second].map(|signal| Some(meaning(signal).0));
            assert!(codes.contains(&code), "{what}: {code:?}");
            campaign.assert_in_order(&what, false);
        }
    }
}

/// Commands that keep no books just end; their workers end with them.
#[test]
fn other_commands_end_as_programs_do() {
    let own = Own::new();
    for signal in ["INT", "TERM"] {
        for delay in [0, 20, 60, 150] {
            let what = format!("{signal} after {delay} ms");
            let mut command = Command::new(own.program());
            command.args(["try", "--", "while :; do :; done"]).process_group(0);
            let command = own.surround(&mut command).stdout(Stdio::null()).stderr(Stdio::null());
            let child = command.spawn().unwrap();
            let mut run = Campaign { own: &own, child, dir: own.dir().join("none") };
            std::thread::sleep(Duration::from_millis(delay));
            run.send(signal, delay % 40 == 0);
            let status = run.ends(&what);
            assert_eq!(status.signal(), Some(meaning(signal).1), "{what}: {status:?}");
            own.assert_nothing_left(&what);
        }
    }
}
