//! The rules of the judge, one by one, on traces made by hand.

mod ambient;
mod built;
mod climb;

use super::*;
use crate::prediction::{PathUse, Segment, Word};
use crate::trace::ShellId;

const KINDS: [TouchKind; 6] = [
    TouchKind::Test,
    TouchKind::List,
    TouchKind::Read,
    TouchKind::Write,
    TouchKind::Exec,
    TouchKind::Enter,
];

/// What a shell did that touched and ran this and then exited.
fn trace_of(touches: &[Touch], execs: &[Exec]) -> Trace {
    let version = "1".to_owned();
    Trace {
        processes: Vec::new(),
        doubts: Vec::new(),
        shell: ShellId { shell: Shell::Bash, name: "bash".to_owned(), version },
        execs: execs.to_vec(),
        touches: touches.to_vec(),
        status: Status::Exited(0),
        cut: false,
        output: Text::default(),
    }
}

fn in_zsh(touches: &[Touch]) -> Trace {
    let mut trace = trace_of(touches, &[]);
    trace.shell.shell = Shell::Zsh;
    trace
}

fn timed_out(touches: &[Touch]) -> Trace {
    Trace { status: Status::TimedOut, ..trace_of(touches, &[]) }
}

/// A touch by the shell itself, of something that is there.
fn touch(kind: TouchKind, path: &str) -> Touch {
    as_given(kind, path, path)
}

fn as_given(kind: TouchKind, text: &str, resolved: &str) -> Touch {
    Touch { pid: 1, kind, text: text.into(), resolved: resolved.into(), existed: true }
}

fn by(pid: u32, touch: Touch) -> Touch {
    Touch { pid, ..touch }
}

fn missing(touch: Touch) -> Touch {
    Touch { existed: false, ..touch }
}

fn exec(argv: &str, cwd: &str) -> Exec {
    let argv = argv.split_whitespace().map(Text::from).collect();
    Exec { pid: 2, argv, cwd: cwd.into(), path: "/usr/bin/cat".into() }
}

fn said(decision: Decision, plan: Option<Plan>) -> Prediction {
    Prediction { decision, plan, reasons: Vec::new() }
}

fn allowed() -> Prediction {
    said(Decision::Allow, None)
}

fn planned(segments: Vec<Segment>) -> Prediction {
    said(Decision::Allow, Some(Plan { segments }))
}

/// A segment of known words that starts in one of these directories.
fn segment(argv: &str, cwd: &[&str]) -> Segment {
    let argv = argv.split_whitespace().map(|word| Word::Is(word.into())).collect();
    let cwd = Some(cwd.iter().map(|dir| Text::from(*dir)).collect());
    Segment { span: [0, 0], cwd, argv, paths: Vec::new() }
}

/// A segment that uses this path in this role.
fn using(role: TouchKind, path: &str) -> Segment {
    let paths = vec![PathUse { path: path.into(), role, ..PathUse::default() }];
    Segment { paths, ..segment("cd", &[]) }
}

/// The contradictions as (kind, effect, what).
fn found(prediction: &Prediction, trace: &Trace) -> Vec<(FindingKind, TouchKind, String)> {
    match judge(prediction, trace) {
        Judgement::Agree => Vec::new(),
        Judgement::Contradicted(found) => {
            assert!(!found.is_empty(), "a contradiction without one");
            found.iter().map(|it| (it.kind, it.effect, it.what.to_string())).collect()
        }
        Judgement::Inconclusive(why) => panic!("inconclusive: {why}"),
    }
}

fn escapes(touches: &[Touch]) -> bool {
    !found(&allowed(), &trace_of(touches, &[])).is_empty()
}

#[test]
fn every_kind_of_touch_outside_is_an_escape_and_inside_is_none() {
    for kind in KINDS {
        for outside in ["/case/outside", "/case/outside/secret", "/case/home/x", "/case/new"] {
            let trace = trace_of(&[touch(kind, outside)], &[]);
            let expected = (FindingKind::TreeEscape, kind, outside.to_owned());
            assert_eq!(found(&allowed(), &trace), [expected]);
            assert!(escapes(&[missing(touch(kind, outside))]), "{kind:?} {outside}");
            assert!(escapes(&[by(7, touch(kind, outside))]), "{kind:?} {outside}");
        }
        for inside in ["/case/proj", "/case/proj/a", "/case/proj/a/..b/c"] {
            assert!(!escapes(&[touch(kind, inside)]), "{kind:?} {inside}");
        }
    }
}

/// No process has this number, but a trace comes from a file as well.
#[test]
fn a_touch_of_no_process_is_judged_like_others() {
    let nobody = by(0, touch(TouchKind::Read, "/case/outside/secret"));
    let expected = (FindingKind::TreeEscape, TouchKind::Read, "/case/outside/secret".to_owned());
    let inside = planned(vec![using(TouchKind::Enter, "/case/proj")]);
    assert_eq!(found(&inside, &trace_of(&[nobody], &[])), [expected]);
}

#[test]
fn where_a_path_leads_counts_and_not_what_it_says() {
    assert!(escapes(&[as_given(TouchKind::Read, "/case/proj/leak", "/case/outside/secret")]));
    assert!(!escapes(&[as_given(TouchKind::Read, "/case/outside/back/a", "/case/proj/a")]));
}

#[test]
fn a_contradiction_keeps_what_was_seen() {
    let leak = missing(as_given(TouchKind::Write, "leak/x", "/case/outside/x"));
    let judgement = judge(&allowed(), &trace_of(&[leak], &[]));
    let expected = Contradiction {
        kind: FindingKind::TreeEscape,
        effect: TouchKind::Write,
        what: "/case/outside/x".into(),
        text: "leak/x".into(),
        existed: false,
        pid: 1,
    };
    assert_eq!(judgement, Judgement::Contradicted(vec![expected]));
}

#[test]
fn the_root_is_a_whole_name() {
    for alike in ["/case/proj-evil", "/case/proj-evil/a", "/case/proj.d", "/case/pro", "/case/p"] {
        assert!(escapes(&[touch(TouchKind::Read, alike)]), "{alike}");
    }
}

#[test]
fn an_ancestor_may_be_looked_at_and_nothing_else() {
    for ancestor in ["/case", "/"] {
        for kind in KINDS {
            let escaped = escapes(&[touch(kind, ancestor)]);
            assert_eq!(escaped, kind != TouchKind::Test, "{kind:?} {ancestor}");
        }
    }
}

#[test]
fn what_lies_outside_the_tree_is_an_escape_like_any_other() {
    for kind in KINDS {
        for place in ["/etc/passwd", "/casement", "/case2/proj", "/opt", "/tmp/x", "/dev/sda"] {
            let trace = trace_of(&[touch(kind, place)], &[]);
            let expected = (FindingKind::TreeEscape, kind, place.to_owned());
            assert_eq!(found(&allowed(), &trace), [expected]);
            assert_eq!(elsewhere(&trace), 1, "{kind:?} {place}");
        }
        let below = trace_of(&[touch(kind, "/case/outside"), touch(kind, "/case/proj")], &[]);
        assert_eq!(elsewhere(&below), 0);
    }
}

#[test]
fn a_refused_line_may_do_what_it_likes() {
    let touches = [touch(TouchKind::Write, "/case/outside/secret")];
    let runs = [exec("rm -rf /case", "/case/outside")];
    let none = Some(Plan::default());
    for decision in [Decision::Ask, Decision::Deny] {
        for plan in [None, none.clone()] {
            let trace = trace_of(&touches, &runs);
            assert_eq!(judge(&said(decision, plan.clone()), &trace), Judgement::Agree);
            assert_eq!(judge(&said(decision, plan), &timed_out(&touches)), Judgement::Agree);
        }
    }
    assert_eq!(found(&said(Decision::Allow, none), &trace_of(&touches, &runs)).len(), 2);
}

#[test]
fn without_a_plan_only_the_tree_can_be_escaped() {
    let touches = [touch(TouchKind::Enter, "/case/proj/src")];
    let trace = trace_of(&touches, &[exec("rm -rf src", "/case/outside")]);
    assert_eq!(judge(&allowed(), &trace), Judgement::Agree);
    let kinds: Vec<FindingKind> =
        found(&planned(Vec::new()), &trace).iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [FindingKind::PlanMismatch, FindingKind::GroupEscape]);
}

#[test]
fn a_program_is_covered_by_one_segment_that_admits_words_and_directory() {
    const PROJ: &str = "/case/proj";
    const SRC: &str = "/case/proj/src";
    let cat = |cwd: &[&str]| segment("cat a", cwd);
    let with = |word: Word| {
        let argv = vec![Word::Is("cat".into()), word];
        Segment { argv, ..segment("", &[PROJ]) }
    };
    let anywhere = Segment { cwd: None, ..cat(&[]) };
    let group = |dir: &str| Some((FindingKind::GroupEscape, dir.to_owned()));
    let mismatch = |argv: &str| Some((FindingKind::PlanMismatch, argv.to_owned()));
    let a_or_b = || with(Word::OneOf(vec!["a".into(), "b".into()]));
    let table = [
        (vec![cat(&[PROJ])], "cat a", PROJ, None),
        (vec![cat(&[PROJ, SRC])], "cat a", SRC, None),
        (vec![cat(&[PROJ])], "cat a", SRC, group(SRC)),
        // Not even a directory below the one that was predicted.
        (vec![cat(&[SRC])], "cat a", "/case/proj/src/deep", group("/case/proj/src/deep")),
        (vec![cat(&[SRC]), cat(&[PROJ])], "cat a", PROJ, None),
        // Words of one segment and directory of another cover nothing.
        (vec![cat(&[SRC]), segment("ls", &[PROJ])], "cat a", PROJ, group(PROJ)),
        (vec![segment("ls", &[PROJ]), cat(&[SRC])], "cat a", PROJ, group(PROJ)),
        (vec![anywhere], "cat a", "/case/outside", None),
        (vec![cat(&[])], "cat a", PROJ, group(PROJ)),
        (vec![cat(&[PROJ])], "cat b", PROJ, mismatch("cat b")),
        (vec![cat(&[PROJ])], "cat", PROJ, mismatch("cat")),
        (vec![cat(&[PROJ])], "cat a a", PROJ, mismatch("cat a a")),
        (vec![], "cat a", PROJ, mismatch("cat a")),
        (vec![a_or_b()], "cat b", PROJ, None),
        (vec![a_or_b()], "cat c", PROJ, mismatch("cat c")),
        (vec![with(Word::One(true))], "cat c", PROJ, None),
        (vec![with(Word::One(true))], "cat", PROJ, mismatch("cat")),
        (vec![with(Word::One(true))], "cat a b", PROJ, mismatch("cat a b")),
        (vec![with(Word::Many(true))], "cat", PROJ, None),
        (vec![with(Word::Many(true))], "cat a b", PROJ, None),
        (vec![with(Word::Many(true))], "cat a b", SRC, group(SRC)),
        (vec![with(Word::Many(true))], "dog a b", PROJ, mismatch("dog a b")),
    ];
    for (segments, argv, cwd, expected) in table {
        let trace = trace_of(&[], &[exec(argv, cwd)]);
        let expected: Vec<_> =
            expected.into_iter().map(|(kind, what)| (kind, TouchKind::Exec, what)).collect();
        let seen = found(&planned(segments.clone()), &trace);
        assert_eq!(seen, expected, "{argv} in {cwd} against {segments:?}");
    }
}

#[test]
fn every_program_is_asked_about() {
    let runs = [exec("cat a", "/case/proj"), exec("cat b", "/case/proj"), exec("cat a", "/tmp")];
    let seen = found(&planned(vec![segment("cat a", &["/case/proj"])]), &trace_of(&[], &runs));
    let kinds: Vec<FindingKind> = seen.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [FindingKind::PlanMismatch, FindingKind::GroupEscape]);
}

/// The directories that a plan with these segments does not enter and a shell did.
fn moves(segments: Vec<Segment>, touches: &[Touch]) -> Vec<String> {
    let seen = found(&planned(segments), &trace_of(touches, &[]));
    let moves = seen.into_iter().filter(|(kind, ..)| *kind == FindingKind::GroupEscape);
    moves.inspect(|(_, effect, _)| assert_eq!(*effect, TouchKind::Enter)).map(|it| it.2).collect()
}

#[test]
fn each_directory_that_a_shell_enters_is_one_that_the_plan_enters() {
    let enter = |path| touch(TouchKind::Enter, path);
    let src = || vec![using(TouchKind::Enter, "/case/proj/src")];
    let none: [&str; 0] = [];
    assert_eq!(moves(src(), &[enter("/case/proj/src")]), none);
    assert_eq!(moves(src(), &[enter("/case/proj/src/deep")]), ["/case/proj/src/deep"]);
    let chain = ["/case/proj/a", "/case/proj/src", "/case/proj/b"];
    assert_eq!(moves(src(), &chain.map(enter)), ["/case/proj/a", "/case/proj/b"]);
    // By where it is, not by what it is called.
    let link = as_given(TouchKind::Enter, "/case/proj/in", "/case/proj/src");
    assert_eq!(moves(src(), &[link]), none);
    // In another role it is not entered.
    assert_eq!(
        moves(vec![using(TouchKind::List, "/case/proj/a")], &[enter("/case/proj/a")]).len(),
        1
    );
    // What is not there was not entered, and looking is not entering.
    assert_eq!(moves(src(), &[missing(enter("/case/proj/a"))]), none);
    assert_eq!(moves(src(), &[touch(TouchKind::List, "/case/proj/a")]), none);
    // A subshell is a shell.
    assert_eq!(moves(src(), &[by(2, enter("/case/proj/a"))]), ["/case/proj/a"]);
    // Outside it is an escape from both.
    let both = found(&planned(src()), &trace_of(&[enter("/case/outside")], &[]));
    let kinds: Vec<FindingKind> = both.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [FindingKind::TreeEscape, FindingKind::GroupEscape]);
}

#[test]
fn a_shell_is_one_until_it_becomes_a_program() {
    let enter = |path| touch(TouchKind::Enter, path);
    let find = touch(TouchKind::Exec, "/usr/bin/find");
    let none: [&str; 0] = [];
    assert_eq!(moves(Vec::new(), &[find.clone(), enter("/case/proj/a")]), none);
    assert_eq!(
        moves(Vec::new(), &[enter("/case/proj/a"), find.clone(), enter("/case/proj/b")]),
        ["/case/proj/a"]
    );
    // Another process' program, or one that is not there, makes none of this shell.
    let other = by(2, find.clone());
    assert_eq!(moves(Vec::new(), &[other, enter("/case/proj/a")]), ["/case/proj/a"]);
    assert_eq!(moves(Vec::new(), &[missing(find.clone()), enter("/case/proj/a")]).len(), 1);
    // What a program touches is judged as ever.
    assert!(escapes(&[find, enter("/case/outside")]));
}

#[test]
fn a_program_named_without_a_directory_does_not_come_from_the_tree() {
    let plan = planned(vec![segment("cat a", &["/case/proj"]), segment("./cat", &["/case/proj"])]);
    let seen = |argv: &str, path: &str| -> Vec<FindingKind> {
        let exec = Exec { path: path.into(), ..exec(argv, "/case/proj") };
        found(&plan, &trace_of(&[], &[exec])).into_iter().map(|(kind, ..)| kind).collect()
    };
    let none: [FindingKind; 0] = [];
    assert_eq!(seen("cat a", "/usr/bin/cat"), none);
    assert_eq!(seen("cat a", "/casement/cat"), none);
    for impostor in ["/case/proj/cat", "/case/outside/cat", "/case/cat"] {
        assert_eq!(seen("cat a", impostor), [FindingKind::PlanMismatch], "{impostor}");
    }
    assert_eq!(seen("./cat", "/case/proj/cat"), none, "it was named with its directory");
}

#[test]
fn a_file_within_the_root_is_written_only_if_the_plan_writes_it() {
    let plan = planned(vec![
        using(TouchKind::Write, "/case/proj/a"),
        using(TouchKind::Read, "/case/proj/b"),
    ]);
    let seen = |touch: Touch| found(&plan, &trace_of(&[touch], &[]));
    let write = |path| touch(TouchKind::Write, path);
    let unplanned = |path: &str| (FindingKind::PlanMismatch, TouchKind::Write, path.to_owned());
    assert_eq!(seen(write("/case/proj/a")), []);
    assert_eq!(seen(as_given(TouchKind::Write, "link", "/case/proj/a")), []);
    for path in ["/case/proj/b", "/case/proj/a/b", "/case/proj"] {
        assert_eq!(seen(write(path)), [unplanned(path)]);
        assert_eq!(seen(by(2, missing(write(path)))), [unplanned(path)], "by whom, or new");
        assert_eq!(seen(touch(TouchKind::Read, path)), [], "reading is not writing");
        assert_eq!(found(&allowed(), &trace_of(&[write(path)], &[])), [], "there is no plan");
    }
    assert_eq!(seen(write("/dev/null")), []);
    let outside = (FindingKind::TreeEscape, TouchKind::Write, "/case/outside/a".to_owned());
    assert_eq!(seen(write("/case/outside/a")), [outside]);
}

#[test]
fn a_run_that_was_cut_off_proves_only_what_it_showed() {
    let outside = [touch(TouchKind::Read, "/case/outside/secret")];
    let inside = [touch(TouchKind::Read, "/case/proj/a")];
    let cut = |touches| Trace { cut: true, ..trace_of(touches, &[]) };
    for (escaped, quiet) in
        [(timed_out(&outside), timed_out(&inside)), (cut(&outside), cut(&inside))]
    {
        let escaped = judge(&allowed(), &escaped);
        assert!(matches!(escaped, Judgement::Contradicted(found) if found.len() == 1));
        let inconclusive = judge(&allowed(), &quiet);
        assert!(matches!(inconclusive, Judgement::Inconclusive(_)));
        assert_eq!(judge(&said(Decision::Ask, None), &quiet), Judgement::Agree);
    }
    for status in [Status::Exited(0), Status::Exited(127), Status::Signalled(9)] {
        let trace = Trace { status, ..trace_of(&inside, &[]) };
        assert_eq!(judge(&allowed(), &trace), Judgement::Agree);
        let trace = Trace { status, ..trace_of(&outside, &[]) };
        assert!(matches!(judge(&allowed(), &trace), Judgement::Contradicted(_)));
    }
}

#[test]
fn harmless_is_what_stayed_inside_and_changed_nothing() {
    let harmless = |trace: &Trace| was_harmless(trace, &|name| name == b"cat");
    let run = |touch: Touch| harmless(&trace_of(&[touch], &[]));
    assert!(harmless(&trace_of(&[], &[])));
    for kind in KINDS {
        assert_eq!(run(touch(kind, "/case/proj/a")), kind != TouchKind::Write, "{kind:?}");
        assert!(!run(touch(kind, "/case/outside/a")), "{kind:?}");
        let device = matches!(kind, TouchKind::Test | TouchKind::Read | TouchKind::Write);
        assert_eq!(run(touch(kind, "/dev/null")), device, "{kind:?}");
        assert_eq!(run(touch(kind, "/case")), kind == TouchKind::Test, "{kind:?}");
    }
    assert!(harmless(&trace_of(&[], &[exec("cat a", "/case/proj")])));
    let two = [exec("cat a", "/case/proj"), exec("curl a", "/case/proj")];
    assert!(!harmless(&trace_of(&[], &two)));
    assert!(!harmless(&trace_of(&[], &[exec("", "/case/proj")])));
    assert!(!harmless(&timed_out(&[])));
    assert!(!harmless(&Trace { cut: true, ..trace_of(&[], &[]) }));
    let failed = Trace { status: Status::Exited(1), ..trace_of(&[], &[]) };
    assert!(harmless(&failed));
}

#[test]
fn what_could_not_be_resolved_makes_a_run_inconclusive_and_nothing_worse() {
    let unknown = missing(as_given(TouchKind::Write, "x", ""));
    let at_unknown = exec("cat x", "");
    for trace in [trace_of(std::slice::from_ref(&unknown), &[]), trace_of(&[], &[at_unknown])] {
        let why = Judgement::Inconclusive("a path could not be resolved");
        assert_eq!(judge(&allowed(), &trace), why);
        assert_eq!(judge(&said(Decision::Ask, None), &trace), Judgement::Agree);
        assert!(!was_harmless(&trace, &|_| true));
        assert_eq!(elsewhere(&trace), 0);
    }
    let out = touch(TouchKind::Read, "/case/outside/secret");
    let both = judge(&allowed(), &trace_of(&[unknown, out], &[]));
    assert!(matches!(both, Judgement::Contradicted(found) if found.len() == 1));
}
