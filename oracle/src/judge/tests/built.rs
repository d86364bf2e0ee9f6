//! What is a build's, and what is not.

use super::*;
use crate::trace::Process;

/// The shell is 1; it starts 2, which starts 3; and it starts 4.
fn trace(touches: &[Touch], execs: &[Exec]) -> Trace {
    let process = |parent| Process { parent, cwd: "/case/proj".into(), ended: None };
    let processes = [None, Some(1), Some(2), Some(1)].map(process).to_vec();
    Trace { processes, ..trace_of(touches, execs) }
}

fn runs(pid: u32, path: &str, argv: &str) -> (Touch, Exec) {
    let exec = Exec { pid, path: path.into(), ..exec(argv, "/case/proj") };
    (by(pid, touch(TouchKind::Exec, path)), exec)
}

/// A program that is started by process 2, which runs this, after it has made `made` of nothing;
/// and then what else happens.
fn after(argv: &str, path: &str, made: &[Touch], then: &[Touch]) -> Trace {
    let (start, builder) = runs(2, path, argv);
    let (recipe, child) = runs(3, "/usr/bin/ln", "ln -s ../../outside made/out");
    let touches = [&[start, recipe], made, then].concat();
    trace(&touches, &[builder, child])
}

fn wrong(trace: &Trace) -> Vec<String> {
    let plan = planned(vec![segment("make all", &["/case/proj"])]);
    found(&plan, trace).into_iter().map(|(kind, _, what)| format!("{kind} {what}")).collect()
}

fn made(path: &str) -> Touch {
    by(3, missing(touch(TouchKind::Write, path)))
}

fn secret(pid: u32, text: &str) -> Touch {
    by(pid, as_given(TouchKind::Read, text, "/case/outside/secret"))
}

const LINK: &str = "/case/proj/made/out";

#[test]
fn what_a_build_starts_is_its_own_and_counted() {
    let trace =
        after("make all", "/usr/bin/make", &[made(LINK)], &[secret(3, "../outside/secret")]);
    assert_eq!(wrong(&trace), [""; 0]);
    assert_eq!(ambient(&trace).get("build-made"), Some(&2), "a program and a touch");
    assert!(!was_harmless(&trace, &|_| true));
}

#[test]
fn what_the_build_verb_does_itself_is_judged() {
    let trace = after("make all", "/usr/bin/make", &[], &[secret(2, "../outside/secret")]);
    assert_eq!(wrong(&trace), ["tree-escape /case/outside/secret"]);
}

#[test]
fn only_the_systems_build_verbs_build() {
    let link = "plan-mismatch ln -s ../../outside made/out";
    for (argv, path) in [("make all", "/case/proj/make"), ("xmake all", "/usr/bin/xmake")] {
        let trace = after(argv, path, &[], &[]);
        assert!(wrong(&trace).contains(&link.to_owned()), "{argv} {path}: {:?}", wrong(&trace));
        assert_eq!(ambient(&trace).get("build-made"), None);
    }
}

#[test]
fn what_leads_through_what_was_made_is_the_builds_and_nothing_else() {
    let through =
        |then: &[Touch]| wrong(&after("make all", "/usr/bin/make", &[made(LINK)], then)).is_empty();
    for text in ["made/out/secret", "./made//out/secret", "made/x/../out/secret"] {
        assert!(through(&[secret(4, text)]), "{text}");
    }
    assert!(through(&[secret(4, "/case/proj/made/out/secret")]));
    for text in ["../outside/secret", "made/secret", "made/outer/secret", "old/made/out/secret"] {
        assert!(!through(&[secret(4, text)]), "{text}");
    }
    // Who has gone there is there.
    let enter = by(4, as_given(TouchKind::Enter, "made/out", "/case/outside"));
    assert!(through(&[enter.clone(), secret(4, "secret")]));
    assert!(!through(&[enter.clone(), secret(4, "/case/outside/secret")]));
    assert!(!through(&[enter, secret(1, "../outside/secret")]), "another process is elsewhere");
}

#[test]
fn what_was_there_before_was_not_made() {
    let link = || by(4, as_given(TouchKind::Test, "made/out", LINK));
    let [seen, again] = [link(), secret(4, "made/out/secret")];
    let (start, builder) = runs(2, "/usr/bin/make", "make all");
    let (recipe, child) = runs(3, "/usr/bin/ln", "ln -s ../../outside made/out");
    let touches = [seen, start, recipe, made(LINK), again];
    let wrong = wrong(&trace(&touches, &[builder, child]));
    assert_eq!(wrong, ["tree-escape /case/outside/secret"]);
    // Nor is what a build writes that is there, or outside.
    for write in [by(3, touch(TouchKind::Write, LINK)), made("/case/outside/secret")] {
        let read = secret(4, if write.existed { "made/out/secret" } else { "../outside/secret" });
        let trace = after("make all", "/usr/bin/make", &[write], &[read]);
        assert!(!found(&allowed(), &trace).is_empty());
    }
}
