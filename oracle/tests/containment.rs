//! Hostile lines. After each: nothing outside has changed, nothing is left running, and the next
//! case runs as if nothing had been.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;
#[path = "containment/lines.rs"]
mod lines;
#[path = "containment/outside.rs"]
mod outside;

use common::{case, config, shells};
use outside::{Outside, System, descendants};
use shfence_corpus::Text;
use shfence_oracle::contain::{Tier, probe};
use shfence_oracle::engine::{Engine, EngineConfig, EngineError, RunError, Start};
use shfence_oracle::installations::Installation;
use shfence_oracle::trace::{Status, TouchKind, Trace};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Each shell has an engine of its own, executed and warm, so that they take no longer than the
/// slowest.
#[test]
fn hostile_lines_change_nothing_and_leave_nothing() {
    let shells = shells();
    let system = System::walked();
    std::thread::scope(|scope| {
        for name in ["bash", "dash", "zsh"] {
            let shell = shells.iter().find(|shell| shell.id.name == name).unwrap();
            for start in [Start::Exec, Start::Warm] {
                let shells = &shells;
                scope.spawn(move || hostile_lines_in(shell, start, &shells[1]));
            }
        }
    });
    system.assert_unchanged("all hostile lines");
}

fn hostile_lines_in(shell: &Installation, start: Start, dash: &Installation) {
    let outside = Outside::new();
    let mut config = EngineConfig { start, ..config() };
    config.limits.wall = Duration::from_millis(700);
    let mut engine = Engine::start(&config).unwrap_or_else(|error| panic!("{error}"));
    for (subject, line) in lines::HOSTILE.iter().flat_map(|(s, l)| l.iter().map(move |l| (s, l))) {
        let what = format!("{subject}: {line} in {} ({start:?})", shell.id.name);
        let started = Instant::now();
        let trace = engine.run(&case(&(outside.prologue() + line)), shell);
        let took = started.elapsed();
        assert!(trace.is_ok(), "{what}: {trace:?}");
        assert!(took < Duration::from_secs(8), "{what} took {took:?}");
        assert_as_new(&mut engine, dash, &what);
        outside.assert_untouched(&what);
    }
    assert_eq!(engine.cold().len(), 0, "{:?}", engine.cold());
}

/// The next case runs right, in a whole tree, with nobody else there. How soon is the machine's
/// matter: where its processors are busy, with the bombs of the engines beside this one too, a case
/// may not come to its end in the little time that hostile lines are given, and is run again.
fn assert_as_new(engine: &mut Engine, dash: &Installation, after: &str) {
    let line = "cat src/main.txt; echo /proc/[0-9]*; echo /tmp/*; echo *; exit 5";
    let mut runs = (0..20).map(|_| engine.run(&case(line), dash).unwrap());
    let in_time = runs.find(|trace| trace.status != Status::TimedOut);
    let Trace { status, output, touches, .. } =
        in_time.unwrap_or_else(|| panic!("after {after}: no run in time"));
    assert_eq!(status, Status::Exited(5), "after {after}: {output:?}");
    let output = output.lossy().into_owned();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "main", "after {after}");
    assert_eq!(lines[2], "/tmp/*", "after {after}");
    assert_eq!(lines[3], "dangling leak out src tool.sh x", "after {after}");
    let read = |place: &str| {
        touches.iter().any(|t| t.kind == TouchKind::Read && t.resolved == Text::from(place))
    };
    assert!(read("/case/proj/src/main.txt"), "after {after}");
    // The supervisor and its servers: one that executes, and one for each warm shell so far.
    let ours = descendants(engine.worker());
    let called = |pid: &u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap();
    let is_server = |pid: &&u32| {
        let called = called(pid);
        let words: Vec<&[u8]> = called.split(|byte| *byte == 0).collect();
        words.get(1) == Some(&&b"worker"[..]) || words.iter().rev().nth(1) == Some(&&b":"[..])
    };
    let others: Vec<_> = ours.iter().filter(|pid| !is_server(pid)).map(called).collect();
    assert!(others.is_empty(), "after {after}: {others:?}");
    assert!((2..=4).contains(&ours.len()), "after {after}: {ours:?}");
    // What the line saw, with itself.
    assert_eq!(lines[1].split(' ').count(), ours.len() + 1, "after {after}: {output}");
}

#[test]
fn background_jobs_are_observed_during_grace_and_then_ended() {
    let mut config = config();
    config.limits.grace = Duration::from_secs(1);
    let mut engine = Engine::start(&config).unwrap();
    for shell in shells() {
        let line = "(sleep 0.05; cat leak; sleep 100; cat x) & exit 4";
        let trace = engine.run(&case(line), &shell).unwrap();
        assert_eq!(trace.status, Status::Exited(4), "{}", shell.id.name);
        let read = |place: &str| trace.touches.iter().any(|t| t.resolved == Text::from(place));
        assert!(read("/case/outside/secret"), "{}: {trace:?}", shell.id.name);
        assert!(!read("/case/proj/x"), "{}: {trace:?}", shell.id.name);
    }
}

#[test]
fn time_and_output_are_bounded() {
    let mut config = config();
    config.limits.wall = Duration::from_millis(300);
    let mut engine = Engine::start(&config).unwrap();
    for shell in shells() {
        let trace = engine.run(&case("cat leak; while :; do :; done"), &shell).unwrap();
        assert_eq!(trace.status, Status::TimedOut, "{}", shell.id.name);
        assert_eq!(trace.output, Text::from("secret\n"), "{}", shell.id.name);
        let trace = engine.run(&case("sleep 100"), &shell).unwrap();
        assert_eq!(trace.status, Status::TimedOut, "{}", shell.id.name);
        let trace = engine.run(&case("head -c 100000 /dev/zero"), &shell).unwrap();
        assert_eq!(trace.output.len(), shfence_oracle::trace::OUTPUT_MAX);
    }
}

#[test]
fn memory_is_bounded_for_all_processes_together() {
    let mut config = config();
    config.limits.wall = Duration::from_secs(30);
    config.limits.memory = 200 << 20;
    let mut engine = Engine::start(&config).unwrap();
    let shells = shells();
    for line in [
        "perl -e '$x = \"x\" x 900e6; sleep 99'",
        "for i in 1 2 3 4 5 6 7 8 9; do perl -e '$x = \"x\" x 20e6; sleep 99' & done; wait",
        // Memory that processes share.
        "perl -e 'syscall(9, 0, 900 << 20, 3, 0x8021, -1, 0); sleep 99'",
    ] {
        let started = Instant::now();
        let trace = engine.run(&case(line), &shells[0]).unwrap();
        assert_eq!(trace.status, Status::TimedOut, "{line}: {trace:?}");
        assert!(started.elapsed() < Duration::from_secs(20), "it was the clock: {line}");
        assert_as_new(&mut engine, &shells[1], line);
    }
    let enough = "for i in 1 2 3 4 5 6; do perl -e '$x = \"x\" x 5e6' & done; wait; exit 7";
    assert_eq!(engine.run(&case(enough), &shells[0]).unwrap().status, Status::Exited(7));
}

/// The control group is there while the engine is, holds the server, and has the limits.
#[test]
fn the_kernel_bounds_what_all_processes_use_where_it_can() {
    let engine = common::engine();
    if let Some(refusal) = engine.unbounded() {
        eprintln!("SKIPPED: control groups cannot be had here: {refusal}");
        assert!(!may_make_groups(), "and yet they can be made");
        return;
    }
    let groups = groups_of_descendants(engine.worker());
    assert!(!groups.is_empty(), "no process is in a group of the oracle");
    let mut limits = Vec::new();
    for file in ["memory.max", "memory.limit_in_bytes", "pids.max"] {
        let of_it = groups.iter().filter_map(|dir| std::fs::read_to_string(dir.join(file)).ok());
        limits.extend(of_it.map(|limit| limit.trim().parse::<u64>().unwrap()));
    }
    assert_eq!(limits.len(), 2, "memory and processes: {groups:?}");
    assert!(limits[0] < 2 << 30 && limits[1] < 200, "{limits:?}");
    fill_with_what_belongs_to_no_process();
    drop(engine);
    for group in groups {
        assert!(!group.exists(), "{} is left", group.display());
    }
}

/// Only the kernel counts what stands in sockets, and it kills whom it likes.
fn fill_with_what_belongs_to_no_process() {
    let mut config = config();
    config.limits.memory = 160 << 20;
    let mut engine = Engine::start(&config).unwrap();
    let shells = shells();
    let line = "perl -MSocket -e 'for (1..40) { fork or last } \
        while (socketpair my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) { push @k, $a, $b; \
        1 while send $a, \"x\" x 50000, MSG_DONTWAIT } sleep 9'; exit 7";
    for _ in 0..3 {
        let trace = engine.run(&case(line), &shells[0]).unwrap();
        let known = matches!(trace.status, Status::Exited(7) | Status::TimedOut);
        assert!(known, "{trace:?}");
        assert_as_new(&mut engine, &shells[1], line);
    }
    let groups = groups_of_descendants(engine.worker());
    let events = ["memory.events", "memory.failcnt"].map(|file| {
        groups.iter().filter_map(|dir| std::fs::read_to_string(dir.join(file)).ok()).collect()
    });
    let reached = |events: &String| {
        let counts = events.lines().map(|line| line.trim_start_matches("max "));
        counts.filter_map(|count| count.parse::<u64>().ok()).any(|count| count > 0)
    };
    assert!(events.iter().any(reached), "the kernel's bound was never reached: {events:?}");
}

/// Can the caller make groups with limits in its own, in every hierarchy?
fn may_make_groups() -> bool {
    let own = mounted_groups(&std::fs::read_to_string("/proc/self/cgroup").unwrap());
    let can = |file: &str| {
        own.iter().any(|dir| {
            let group = dir.join(format!("shfence-test-{}", std::process::id()));
            let made = std::fs::create_dir(&group).is_ok() && group.join(file).exists();
            let _ = std::fs::remove_dir(&group);
            made
        })
    };
    (can("memory.max") || can("memory.limit_in_bytes")) && can("pids.max")
}

/// The directories of the groups that `/proc/PID/cgroup` names, where they are usually mounted.
fn mounted_groups(cgroup: &str) -> Vec<PathBuf> {
    let place = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap(), fields.next().unwrap());
        let top = Path::new("/sys/fs/cgroup");
        let unified = if top.join("unified").exists() { "unified" } else { "" };
        top.join(if controllers.is_empty() { unified } else { controllers }).join(&path[1..])
    };
    cgroup.lines().map(place).collect()
}

fn groups_of_descendants(of: u32) -> Vec<PathBuf> {
    let descendants = descendants(of);
    let cgroups =
        descendants.iter().map(|pid| std::fs::read_to_string(format!("/proc/{pid}/cgroup")));
    let mut groups: Vec<PathBuf> =
        cgroups.flat_map(|text| mounted_groups(&text.unwrap())).collect();
    groups.retain(|dir| dir.file_name().unwrap().to_string_lossy().starts_with("shfence-oracle-"));
    groups.dedup();
    groups
}

#[test]
fn every_tier_contains_or_says_why_not() {
    let shells = shells();
    for report in probe(&config()).unwrap() {
        let mut config = config();
        config.tier = Some(report.tier);
        match (Engine::start(&config), report.refusal) {
            (Ok(mut engine), None) => {
                assert_eq!(engine.tier(), report.tier);
                let line = "id -u; grep -E 'Cap|NoNew|Seccomp:' /proc/self/status";
                let trace = engine.run(&case(line), &shells[0]).unwrap();
                let output = trace.output.lossy().into_owned();
                assert!(!output.starts_with("0\n"), "{}: {output}", report.tier);
                let powerless = output.lines().filter(|l| l.ends_with("0000000000000000")).count();
                assert_eq!(powerless, 5, "{}: {output}", report.tier);
                assert!(
                    output.contains("NoNewPrivs:\t1\nSeccomp:\t2"),
                    "{}: {output}",
                    report.tier
                );
                engine.run(&case("chmod -R 000 /case; f() { f | f & }; f"), &shells[0]).unwrap();
                assert_as_new(&mut engine, &shells[1], report.tier.name());
            }
            (Err(EngineError::CannotContain(reports)), Some(refusal)) => {
                assert_eq!(reports[0].refusal.as_ref(), Some(&refusal));
                // Only the root tier may be missing, and only without root; and the one that is
                // never there.
                let missing = (report.tier == Tier::Root && !is_root(), report.tier);
                assert!(matches!(missing, (true, _) | (_, Tier::Landlock)), "{refusal}");
            }
            (engine, refusal) => panic!("{}: {engine:?}, {refusal:?}", report.tier),
        }
    }
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().any(|line| line.starts_with("Uid:\t0\t0"))
}

#[test]
fn a_lost_worker_is_an_error_and_never_silence() {
    let mut engine = common::engine();
    let worker = engine.worker();
    assert!(Path::new(&format!("/proc/{worker}")).exists());
    let killed = Command::new("kill").args(["-9", &worker.to_string()]).status();
    assert!(killed.unwrap().success());
    std::thread::sleep(Duration::from_millis(50));
    for _ in 0..2 {
        let lost = engine.run(&case("echo"), &shells()[0]);
        assert!(matches!(lost, Err(RunError::Engine(EngineError::WorkerLost(_)))), "{lost:?}");
    }
    let mut config = config();
    config.worker_program = "/bin/true".into();
    assert!(matches!(Engine::start(&config), Err(EngineError::WorkerLost(_))));
    config.worker_program = "/nonexistent".into();
    assert!(matches!(Engine::start(&config), Err(EngineError::NoWorker { .. })));
}

/// As the kernel does when memory is short.
#[test]
fn a_server_that_is_killed_from_outside_is_replaced() {
    let mut config = config();
    config.limits.wall = Duration::from_millis(900);
    let mut engine = Engine::start(&config).unwrap();
    let shells = shells();
    let worker = engine.worker();
    for line in ["sleep 100", "sleep 100 & setsid sleep 100 & wait"] {
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            // The newest processes are the line's; the supervisor comes first, then its server.
            let server = descendants(worker)[1].to_string();
            assert!(Command::new("kill").args(["-9", &server]).status().unwrap().success());
        });
        let trace = engine.run(&case(line), &shells[0]).unwrap();
        killer.join().unwrap();
        assert_eq!(trace.status, Status::TimedOut, "{trace:?}");
        assert_as_new(&mut engine, &shells[1], line);
    }
}

#[test]
fn an_engine_that_is_dropped_leaves_no_process() {
    let engine = common::engine();
    let worker = engine.worker();
    drop(engine);
    assert!(!Path::new(&format!("/proc/{worker}")).exists());
}
