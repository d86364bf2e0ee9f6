//! Extra shells: what they do themselves, and that what happens there counts.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, config};
use shfence_corpus::{Decision, Fixture, Shells};
use shfence_oracle::engine::Engine;
use shfence_oracle::guards::{Guard, Strawman};
use shfence_oracle::installations::{VERBS, absent, installations};
use shfence_oracle::judge::{Judgement, judge};
use shfence_oracle::lab::Lab;
use shfence_oracle::replay::replay;
use std::collections::BTreeSet;

fn lab() -> Lab {
    Lab::of(Engine::start(&config()).unwrap(), installations())
}

#[test]
fn what_a_shell_does_itself_starts_no_program_and_everything_else_does() {
    let mut lab = lab();
    let mut done = BTreeSet::new();
    for shell in lab.shells.clone() {
        let mut itself = Vec::new();
        for verb in VERBS {
            // A built-in of zsh's or bash's would be run by `command` as well.
            let trace = lab.run_in(&case(&format!("{verb} x >/dev/null 2>&1")), &shell).unwrap();
            if trace.execs.is_empty() {
                itself.push(verb);
            }
        }
        assert_eq!(itself, shell.id.does_itself(), "{}", shell.id.name);
        done.extend(itself);
    }
    assert!(done.len() < VERBS.len(), "some are done by no shell");
}

#[test]
fn an_escape_in_any_shell_is_seen_whoever_opens_the_file() {
    let mut lab = lab();
    let escape = case("cat ../outside/secret; cd ../outside/sub; : < k");
    let prediction = Strawman::ALLOW_EVERYTHING.predict(&escape).unwrap();
    for shell in lab.shells.clone() {
        let nothing = lab.run_in(&case(":"), &shell).unwrap();
        assert!(nothing.touches.is_empty(), "{}: {:?}", shell.id.name, nothing.touches);
        let trace = lab.run_in(&escape, &shell).unwrap();
        let Judgement::Contradicted(found) = judge(&prediction, &trace) else {
            panic!("{}: not seen: {:?}", shell.id.name, trace.touches)
        };
        for place in ["/case/outside/secret", "/case/outside/sub", "/case/outside/sub/k"] {
            let is_there = found.iter().any(|one| *one.what == *place.as_bytes());
            assert!(is_there, "{}: {place}: {found:?}", shell.id.name);
        }
    }
}

#[test]
fn a_fixture_is_watched_in_extra_shells_and_promises_nothing_of_them() {
    let mut lab = lab();
    // bash and mksh read `{a,b}` as two words, which no other `sh` does.
    let mut fixture = Fixture {
        name: "test.braces".to_owned(),
        title: "braces are characters".to_owned(),
        case: case("cat {x,../outside/secret}"),
        expect: vec![Decision::Allow],
        escapes: Shells::NONE,
        accepted: Vec::new(),
        found: None,
    };
    fixture.case.shells = "sh".parse().unwrap();
    let complaints = replay(&fixture, &Strawman::ALLOW_EVERYTHING, &mut lab).unwrap();
    let with_braces = ["bash-posix", "mksh"];
    let is_here = |name: &&&str| lab.shells.iter().any(|shell| shell.id.name == **name);
    let expected: Vec<String> = with_braces
        .iter()
        .filter(is_here)
        .map(|name| format!("{name}: tree-escape: read /case/outside/secret"))
        .collect();
    assert_eq!(complaints, expected);

    fixture.case.line = "cat ../outside/secret".into();
    fixture.escapes = fixture.case.shells;
    let complaints = replay(&fixture, &Strawman::ALLOW_EVERYTHING, &mut lab).unwrap();
    let shells: BTreeSet<&str> =
        complaints.iter().filter_map(|it| it.split_once(": ")).map(|(name, _)| name).collect();
    let for_sh = lab.shells_of(&fixture.case);
    assert_eq!(shells, for_sh.iter().map(|it| it.id.name.as_str()).collect(), "{complaints:?}");
}

#[test]
fn an_extra_shell_that_is_not_here_is_named_and_its_language_does_not_miss_it() {
    let shells = installations();
    let regular: Vec<_> = shells.iter().filter(|it| !it.id.is_extra()).cloned().collect();
    let missing = absent(&regular);
    let names: Vec<&str> = missing.iter().map(|it| it.name).collect();
    assert_eq!(names, ["mksh", "yash"]);
    assert!(missing.iter().all(|it| it.extra));
    let mut without = Lab::of(Engine::start(&config()).unwrap(), regular);
    let turns: BTreeSet<String> = (0..40)
        .flat_map(|index| without.shells_in_turn(&case(":"), index))
        .map(|shell| shell.id.name)
        .collect();
    assert_eq!(turns.len(), 5, "{turns:?}");
    assert!(without.run(&case(":")).is_ok());
}
