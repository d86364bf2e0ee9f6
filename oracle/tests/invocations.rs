//! How the text of a line reaches the shell: what agents make of it on the way, what the guard
//! makes of that, and that every shell does the same whichever way its line came.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, config, ways};
use shfence_corpus::{Case, Decision, Fixture, Invocation, Shells, Text};
use shfence_oracle::engine::{Engine, EngineConfig, Lane};
use shfence_oracle::guards::{Guard, Linked};
use shfence_oracle::installations::{Installation, installations};
use shfence_oracle::judge::{Judgement, judge};
use shfence_oracle::lab::Lab;
use shfence_oracle::replay::replay;
use shfence_oracle::trace::{Status, Trace};

fn lab(config: &EngineConfig) -> Lab {
    Lab::of(Engine::start(config).unwrap(), installations())
}

fn by(invocation: Invocation, line: &str) -> Case {
    Case { invocation, ..case(line) }
}

/// The programs that a run started, each with its words and its directory.
fn ran(trace: &Trace) -> Vec<String> {
    let shown = |argv: &[Text]| {
        let words: Vec<String> =
            argv.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        words.join("|")
    };
    let mut all: Vec<String> = trace
        .execs
        .iter()
        .map(|exec| format!("{} in {}", shown(&exec.argv), String::from_utf8_lossy(&exec.cwd)))
        .collect();
    all.sort();
    all
}

/// Lines that mean the same however they reach the shell, and what they start.
const SAME: [(&str, &[&str]); 8] = [
    ("cat x", &["cat|x in /case/proj"]),
    ("cd src && cat main.txt", &["cat|main.txt in /case/proj/src"]),
    (
        "cd src; cat main.txt; cd sub && cat deep.txt",
        &["cat|deep.txt in /case/proj/src/sub", "cat|main.txt in /case/proj/src"],
    ),
    ("cat 'x' \"x\" x", &["cat|x|x|x in /case/proj"]),
    ("cat \"it's\"", &["cat|it's in /case/proj"]),
    ("cat 'a  \"b'", &["cat|a  \"b in /case/proj"]),
    ("cat x | head -n 1", &["cat|x in /case/proj", "head|-n|1 in /case/proj"]),
    ("cat nosuch || cat x > /dev/null 2>&1", &["cat|nosuch in /case/proj", "cat|x in /case/proj"]),
];

fn holds_everywhere(lab: &mut Lab, what: &str) {
    for (line, expected) in SAME {
        for invocation in Invocation::ALL {
            let case = by(invocation, line);
            let prediction = Linked.predict(&case).unwrap();
            assert_eq!(prediction.decision, Decision::Allow, "{invocation}: {line}");
            for shell in lab.shells.clone() {
                let trace = lab.run_in(&case, &shell).unwrap();
                let run = format!("{what}: {} {invocation}: {line}", shell.id.name);
                assert_eq!(ran(&trace), expected, "{run}");
                assert_eq!(judge(&prediction, &trace), Judgement::Agree, "{run}");
                assert_ne!(trace.status, Status::TimedOut, "{run}");
            }
        }
    }
}

#[test]
fn what_ran_is_what_the_plan_says_by_every_invocation() {
    holds_everywhere(&mut lab(&config()), "executed, tools");
}

#[test]
fn the_same_from_every_start_before_both_observers_and_with_probes() {
    for (what, config) in ways(&config()) {
        for lane in [Lane::Real, Lane::probe()] {
            let mut lab = lab(&EngineConfig { lane: lane.clone(), ..config.clone() });
            lab.shells.retain(|shell| ["bash", "dash", "zsh"].contains(&&*shell.id.name));
            for invocation in Invocation::ALL {
                for shell in lab.shells.clone() {
                    let trace = lab.run_in(&by(invocation, "cd src && cat main.txt"), &shell);
                    let trace = trace.unwrap();
                    let run = format!("{what} {lane:?} {invocation} {}", shell.id.name);
                    assert_eq!(ran(&trace), ["cat|main.txt in /case/proj/src"], "{run}");
                    assert!(trace.doubts.is_empty(), "{run}: {:?}", trace.doubts);
                }
            }
        }
    }
}

/// Lines of which something else is run than after `-c`, by whom, and in which shells: all, or
/// these.
const DIFFERENT: [(Invocation, &str, &[&str]); 9] = [
    // A newline is a blank for the terminal of an editor.
    (Invocation::Typed, "cat x\ncat src/main.txt", &[]),
    // zsh reads no comments there.
    (Invocation::Typed, "cat x # y", &["zsh"]),
    // Nothing in the history begins so.
    (Invocation::Typed, "cat x!y", &["bash", "bash-posix", "zsh"]),
    // The comment takes the parenthesis with it.
    (Invocation::Parens, "cat x # y", &[]),
    // What stands between two parentheses and two parentheses is arithmetic.
    (Invocation::Parens, "(cat x)", &["bash", "bash-posix", "zsh"]),
    // What single quotes kept is expanded between the double quotes of the outer text.
    (Invocation::JsonEval, "cat 'x$HOME'", &[]),
    (Invocation::JsonEval, "cat '$(cat x)'", &[]),
    (Invocation::JsonEval, "cat '`cat x`'", &[]),
    // JSON has no newline but `\n`, which the shells read as two characters and then as one.
    (Invocation::JsonEval, "cat x\ncat src/main.txt", &[]),
];

#[test]
fn lines_that_differ_by_invocation_do_and_the_guard_asks() {
    let mut lab = lab(&config());
    for (invocation, line, shells) in DIFFERENT {
        let case = by(invocation, line);
        let decision = Linked.predict(&case).unwrap().decision;
        assert_ne!(decision, Decision::Allow, "{invocation}: {line}");
        let is_meant =
            |shell: &&Installation| shells.is_empty() || shells.contains(&&*shell.id.name);
        for shell in lab.shells.clone().iter().filter(is_meant) {
            let as_argument = lab.run_in(&by(Invocation::C, line), shell).unwrap();
            let handed = lab.run_in(&case, shell).unwrap();
            assert_ne!(
                (ran(&as_argument), as_argument.status),
                (ran(&handed), handed.status),
                "{} {invocation}: {line}",
                shell.id.name
            );
        }
    }
}

#[test]
fn whatever_is_quoted_for_eval_is_what_it_was() {
    let mut lab = lab(&config());
    for line in
        ["cat 'it'\\''s' \"\\$x\" \\\\", "cat x # y\ncat src/main.txt", "cat <<'E'\n'$x'\nE"]
    {
        for shell in lab.shells.clone() {
            let as_argument = lab.run_in(&by(Invocation::C, line), &shell).unwrap();
            let quoted = lab.run_in(&by(Invocation::Eval, line), &shell).unwrap();
            assert_eq!(ran(&as_argument), ran(&quoted), "{}: {line}", shell.id.name);
            assert_eq!(as_argument.output, quoted.output, "{}: {line}", shell.id.name);
        }
    }
}

#[test]
fn nothing_is_left_of_a_start_a_prompt_or_a_leaving() {
    let mut lab = lab(&config());
    for invocation in Invocation::ALL {
        for shell in lab.shells.clone() {
            let trace = lab.run_in(&by(invocation, ":"), &shell).unwrap();
            assert!(
                trace.touches.is_empty(),
                "{} {invocation}: {:?}",
                shell.id.name,
                trace.touches
            );
            let trace = lab.run_in(&by(invocation, ": < x"), &shell).unwrap();
            let places: Vec<&[u8]> =
                trace.touches.iter().map(|it| it.resolved.as_bytes()).collect();
            assert_eq!(places, [b"/case/proj/x"], "{} {invocation}", shell.id.name);
        }
    }
}

/// Lines that read, take or change the terminal they were typed on.
#[test]
fn whatever_a_line_does_to_its_terminal_the_next_has_a_new_one() {
    let mut lab = lab(&config());
    for line in [
        "cat",
        "cat | cat; head -n 1; wc",
        "read a; read b",
        ": < /proc/self/fd/0; setsid cat < /proc/self/fd/0",
        "stty -icrnl intr x; cat x",
        "exec < /dev/null",
        "kill -9 $$",
    ] {
        for shell in lab.shells.clone() {
            let trace = lab.run_in(&by(Invocation::Typed, line), &shell).unwrap();
            assert_ne!(trace.status, Status::TimedOut, "{}: {line}", shell.id.name);
            let trace = lab.run_in(&by(Invocation::Typed, "cat x"), &shell).unwrap();
            assert_eq!(ran(&trace), ["cat|x in /case/proj"], "{}: {line}", shell.id.name);
        }
    }
}

#[test]
fn a_fixture_is_replayed_by_its_invocation() {
    let mut lab = lab(&config());
    for (invocation, complaints) in [(Invocation::C, 0), (Invocation::Typed, 1)] {
        let fixture = Fixture {
            name: "test.comment".to_owned(),
            title: "a comment".to_owned(),
            case: by(invocation, "cat x # y"),
            expect: vec![Decision::Allow],
            escapes: Shells::NONE,
            accepted: Vec::new(),
            found: None,
        };
        let said = replay(&fixture, &Linked, &mut lab).unwrap();
        assert_eq!(said.len(), complaints, "{invocation}: {said:?}");
    }
}
