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
use shfence_oracle::engine::{Engine, EngineError, RunError};
use shfence_oracle::installations::Installation;
use shfence_oracle::trace::{Status, TouchKind, Trace};
use std::path::Path;
use std::time::{Duration, Instant};

/// Each shell has an engine of its own, so that they take no longer than the slowest.
#[test]
fn hostile_lines_change_nothing_and_leave_nothing() {
    let shells = shells();
    let system = System::walked();
    std::thread::scope(|scope| {
        for name in ["bash", "dash", "zsh"] {
            let shell = shells.iter().find(|shell| shell.id.name == name).unwrap();
            scope.spawn(|| hostile_lines_in(shell, &shells[1]));
        }
    });
    system.assert_unchanged("all hostile lines");
}

fn hostile_lines_in(shell: &Installation, dash: &Installation) {
    let outside = Outside::new();
    let mut config = config();
    config.limits.wall = Duration::from_millis(700);
    let mut engine = Engine::start(&config).unwrap_or_else(|error| panic!("{error}"));
    for (subject, line) in lines::HOSTILE.iter().flat_map(|(s, l)| l.iter().map(move |l| (s, l))) {
        let what = format!("{subject}: {line} in {}", shell.id.name);
        let started = Instant::now();
        let trace = engine.run(&case(&(outside.prologue() + line)), shell);
        let took = started.elapsed();
        assert!(trace.is_ok(), "{what}: {trace:?}");
        assert!(took < Duration::from_secs(8), "{what} took {took:?}");
        assert_as_new(&mut engine, dash, &what);
        outside.assert_untouched(&what);
    }
}

/// The next case runs right, in a whole tree, with nobody else there.
fn assert_as_new(engine: &mut Engine, dash: &Installation, after: &str) {
    let line = "cat src/main.txt; echo /proc/[0-9]*; echo /tmp/*; echo *; exit 5";
    let Trace { status, output, touches, .. } = engine.run(&case(line), dash).unwrap();
    assert_eq!(status, Status::Exited(5), "after {after}: {output:?}");
    let output = output.lossy().into_owned();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "main", "after {after}");
    assert_eq!(
        lines[1].split(' ').count(),
        3,
        "supervisor, server, shell; after {after}: {output}"
    );
    assert_eq!(lines[2], "/tmp/*", "after {after}");
    assert_eq!(lines[3], "dangling leak out src tool.sh x", "after {after}");
    let read = |place: &str| {
        touches.iter().any(|t| t.kind == TouchKind::Read && t.resolved == Text::from(place))
    };
    assert!(read("/case/proj/src/main.txt"), "after {after}");
    assert_eq!(descendants(engine.worker()), 2, "supervisor and server; after {after}");
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
                // Only the root tier may be missing, and only without root.
                assert_eq!((report.tier, is_root()), (Tier::Root, false), "{refusal}");
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
    let killed = std::process::Command::new("kill").args(["-9", &worker.to_string()]).status();
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

#[test]
fn an_engine_that_is_dropped_leaves_no_process() {
    let engine = common::engine();
    let worker = engine.worker();
    drop(engine);
    assert!(!Path::new(&format!("/proc/{worker}")).exists());
}
