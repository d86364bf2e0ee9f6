//! What shells do before they read the line is not held against the line, and nothing else is
//! forgiven.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, engine, shells};
use shfence_corpus::{Case, Decision, Entry, Node, RelPath, Text, TreeSpec};
use shfence_oracle::engine::Engine;
use shfence_oracle::installations::Installation;
use shfence_oracle::judge::{Judgement, judge};
use shfence_oracle::prediction::Prediction;
use shfence_oracle::startup::Startups;
use shfence_oracle::trace::Trace;

/// Variables that name a place outside, and the shells that look there at their start.
const SURROUNDINGS: &[(&str, &str, &[&str])] = &[
    ("OLDPWD", "/case/outside", &["bash", "bash-posix"]),
    ("PWD", "/case/outside", &["bash", "dash", "busybox", "bash-posix", "zsh"]),
    ("PWD", "/case/outside/back", &["bash", "dash", "busybox", "bash-posix", "zsh"]),
    ("HOME", "/case/outside", &[]),
    ("CDPATH", "/case/outside", &[]),
];

/// What every part of the tests needs.
struct Bench {
    engine: Engine,
    startups: Startups,
}

impl Bench {
    fn new() -> Bench {
        Bench { engine: engine(), startups: Startups::default() }
    }

    fn raw(&mut self, case: &Case, shell: &Installation) -> Trace {
        self.engine.run(case, shell).unwrap()
    }

    fn stripped(&mut self, case: &Case, shell: &Installation) -> Trace {
        let trace = self.raw(case, shell);
        self.startups.strip(trace, case, shell, &mut self.engine).unwrap()
    }
}

/// A line in surroundings, in a tree where a link outside leads back into the project.
fn within(line: &str, name: &str, value: &str) -> Case {
    let mut case = with_link(case(line), "outside/back", "/case/proj");
    case.env.insert(name.to_owned(), Some(value.into()));
    case
}

fn with_link(case: Case, at: &str, to: &str) -> Case {
    let kept = case.tree.entries();
    let kept = kept.map(|(path, node)| Entry { path: path.clone(), node: node.clone() });
    let link = Entry { path: RelPath::new(at).unwrap(), node: Node::Link { to: to.into() } };
    let tree = TreeSpec::new(kept.chain([link])).unwrap();
    Case { tree, ..case }
}

fn escapes(trace: &Trace) -> bool {
    let anything = Prediction { decision: Decision::Allow, plan: None, reasons: Vec::new() };
    matches!(judge(&anything, trace), Judgement::Contradicted(_))
}

/// How often a path below the place outside was named.
fn outside(trace: &Trace) -> usize {
    trace.touches.iter().filter(|touch| touch.text.starts_with(b"/case/outside")).count()
}

#[test]
fn what_a_shell_does_at_its_start_is_not_the_lines_doing() {
    let mut bench = Bench::new();
    for shell in shells() {
        for (name, value, looking) in SURROUNDINGS {
            let quiet = within("cat x", name, value);
            let context = format!("{}: {name}={value}", shell.id.name);
            let looks = outside(&bench.raw(&quiet, &shell)) > 0;
            assert_eq!(looks, looking.contains(&&*shell.id.name), "{context}");
            let trace = bench.stripped(&quiet, &shell);
            assert!(!escapes(&trace), "{context}: {:#?}", trace.touches);
            assert_eq!(trace.execs.len(), 1, "{context}");
            let nothing = bench.stripped(&within(":", name, value), &shell);
            assert_eq!(nothing.touches, [], "{context}");
        }
    }
}

#[test]
fn what_the_line_does_is_judged_even_if_the_start_did_the_same() {
    let mut bench = Bench::new();
    for shell in shells() {
        for (name, value, looking) in SURROUNDINGS {
            for line in ["test -d /case/outside", "ls /case/outside", "cd /case/outside; :"] {
                let context = format!("{}: {name}={value} {line}", shell.id.name);
                let case = within(line, name, value);
                let at_start = outside(&bench.raw(&within(":", name, value), &shell));
                let in_all = outside(&bench.raw(&case, &shell));
                let trace = bench.stripped(&case, &shell);
                assert!(escapes(&trace), "{context}");
                assert_eq!(outside(&trace), in_all - at_start, "{context}");
                assert_eq!(at_start > 0, looking.contains(&&*shell.id.name), "{context}");
            }
        }
        // The start's own words again: `$OLDPWD` is what bash looked at.
        if shell.id.name.starts_with("bash") {
            let again = within("test -d \"$OLDPWD\"", "OLDPWD", "/case/outside");
            let trace = bench.stripped(&again, &shell);
            assert_eq!(outside(&trace), 1, "{}", shell.id.name);
            assert!(escapes(&trace), "{}", shell.id.name);
        }
    }
}

#[test]
fn a_trace_that_begins_otherwise_is_left_as_it_is() {
    let mut bench = Bench::new();
    for shell in shells() {
        let case = within("test -d /case/outside", "PWD", "/case/outside");
        let mut trace = bench.raw(&case, &shell);
        let first = trace.touches.remove(0);
        assert_eq!(first.pid, 1, "{}", shell.id.name);
        let left = bench.startups.strip(trace.clone(), &case, &shell, &mut bench.engine).unwrap();
        assert_eq!(left, trace, "{}", shell.id.name);
    }
}

/// The same variables mean another start in another tree, and what is remembered of one is not
/// taken off the other. Nor is that of another `$PWD`.
#[test]
fn a_start_is_remembered_with_its_surroundings() {
    let mut bench = Bench::new();
    for shell in shells() {
        let mut here = case("cat x");
        here.pwd = Some(Text::from("/case/outside/back"));
        let back = with_link(here.clone(), "outside/back", "../proj");
        let astray = with_link(here.clone(), "outside/back", "sub");
        let other = Case { pwd: Some(Text::from("/case/outside")), ..back.clone() };
        for _ in 0..2 {
            for case in [&back, &here, &astray, &other] {
                let trace = bench.stripped(case, &shell);
                assert!(!escapes(&trace), "{}: {:#?}", shell.id.name, trace.touches);
                assert_eq!(outside(&trace), 0, "{}", shell.id.name);
            }
        }
    }
}
