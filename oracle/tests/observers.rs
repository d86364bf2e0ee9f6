//! The observer by notification against the one by ptrace: what they tell is the same, and a line
//! gets the better of neither.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{case, config, patient, share, shells};
use shfence_corpus::{Case, Fixture, Text};
use shfence_oracle::engine::{Backend, Engine, EngineConfig, Start};
use shfence_oracle::installations::Installation;
use shfence_oracle::selftest::Essence;
use shfence_oracle::trace::Status;
use std::path::Path;
use std::time::Duration;

/// How often a case is tried whose processes race.
const MOST_TRIES: usize = 50;

fn engine(backend: Backend, config: EngineConfig) -> Engine {
    let config = EngineConfig { backend, ..config };
    Engine::start(&config).unwrap_or_else(|error| panic!("{error}"))
}

fn essence(engine: &mut Engine, case: &Case, shell: &Installation) -> Essence {
    Essence::of(&engine.run(case, shell).unwrap())
}

#[test]
fn both_tell_the_same_of_every_fixture() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/regressions");
    let fixtures = Fixture::load_all(&[corpus]).unwrap();
    assert!(fixtures.len() > 10, "{}", fixtures.len());
    let mut notified = engine(Backend::Notify, patient());
    let mut followed = engine(Backend::Ptrace, patient());
    for fixture in share(&fixtures, 5) {
        for shell in shells().iter().filter(|it| fixture.case.shells.contains(it.id.shell)) {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            while !one.iter().any(|essence| other.contains(essence)) {
                one.push(essence(&mut notified, &fixture.case, shell));
                other.push(essence(&mut followed, &fixture.case, shell));
                let differences = one[0].differences("notify", &other[0], "ptrace");
                let context = (&shell.id.name, &fixture.case.line);
                assert!(one.len() < MOST_TRIES, "{context:?}\n{differences}");
            }
        }
    }
}

#[test]
fn hostile_lines_leave_a_follower_usable() {
    let hostile = [
        ("kill -9 $PPID; kill -9 -1; exit 3", Some(Status::Exited(3))),
        ("kill -STOP $$", Some(Status::TimedOut)),
        ("i=2; while [ $i -lt $$ ]; do kill -9 $i; i=$((i+1)); done 2> /dev/null", None),
        ("f() { f | f & }; f 2> /dev/null", None),
        ("perl -e 'syscall(101, 0, 0, 0, 0) == -1 && exit 7'", Some(Status::Exited(7))),
        ("perl -e 'syscall(163, 0) == -1 && exit 7'", Some(Status::Exited(7))),
    ];
    for start in [Start::Exec, Start::Warm] {
        let mut config = EngineConfig { start, ..config() };
        config.limits.wall = Duration::from_secs(2);
        let mut engine = engine(Backend::Ptrace, config);
        // Two that have nothing in common: each line that has to be stopped takes its time.
        for shell in shells().into_iter().filter(|it| ["dash", "zsh"].contains(&&*it.id.name)) {
            for (line, status) in hostile {
                let context = format!("{start:?} {} {line}", shell.id.name);
                let trace = engine.run(&case(line), &shell);
                let trace = trace.unwrap_or_else(|error| panic!("{context}: {error}"));
                assert!(status.is_none_or(|it| it == trace.status), "{context}: {trace:#?}");
                let after = engine.run(&case("cat x"), &shell).unwrap();
                assert_eq!(after.output, Text::from("x\n"), "{:?} after {context}", after.status);
            }
        }
    }
}

/// Signals reach a followed process as they would any: it can wait for them, stop and go on.
#[test]
fn signals_reach_who_is_followed() {
    let line = "trap 'echo got' USR1; kill -USR1 $$; trap - USR1; \
                sh -c 'kill -STOP $$; : > on; echo on' & \
                until [ -e on ]; do kill -CONT $!; done 2> /dev/null; wait $!; \
                perl -e '$SIG{ALRM} = sub { print 1 }; alarm 1; sleep 9'";
    for backend in [Backend::Notify, Backend::Ptrace] {
        let mut engine = engine(backend, patient());
        for shell in shells() {
            let trace = engine.run(&case(line), &shell).unwrap();
            assert_eq!(trace.output, Text::from("got\non\n1"), "{backend:?} {}", shell.id.name);
        }
    }
}
