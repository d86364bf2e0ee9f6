//! Ways to touch a path and to start a program, in every installed shell: each must be seen, with
//! its kind and the place it really leads to.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, engine, patient, shells, ways};
use shfence_corpus::{Entry, Invocation, Node, RelPath, Shell, Text, TreeSpec};
use shfence_oracle::engine::{Engine, RunError, Start};
use shfence_oracle::trace::TouchKind::{self, Enter, List, Read, Test, Write};
use shfence_oracle::trace::{Status, Trace};

/// What must be in a trace.
enum Seen {
    /// This kind of touch of this place.
    Touch(TouchKind, &'static str),
    /// A program of this name, with these arguments, started in this directory.
    Exec(&'static [&'static str], &'static str),
}

use Seen::{Exec, Touch};

/// In which shells a line means what it is meant to.
#[derive(PartialEq)]
enum In {
    All,
    /// Not in dash and busybox.
    BashAndZsh,
}

use In::{All, BashAndZsh};

/// The interpreter of a script, named by a relative path.
const UP: Seen = Touch(TouchKind::Exec, "/case/outside/e.sh");

const BATTERY: &[(&str, In, Seen)] = &[
    ("cd out", All, Touch(Enter, "/case/outside")),
    ("cd -P src/up && cd -P .. && : > mark", All, Touch(Write, "/case/outside/mark")),
    ("cd src && cat main.txt", All, Exec(&["cat", "main.txt"], "/case/proj/src")),
    ("cd out; cat secret", All, Touch(Read, "/case/outside/secret")),
    ("(cd out); cat x", All, Exec(&["cat", "x"], "/case/proj")),
    ("(cd out && cat secret)", All, Exec(&["cat", "secret"], "/case/outside")),
    ("cd out | : ; : > here", All, Touch(Write, "/case/proj/here")),
    ("CDPATH=out; cd sub", All, Touch(Enter, "/case/outside/sub")),
    ("pushd out", BashAndZsh, Touch(Enter, "/case/outside")),
    ("test -e out/secret", All, Touch(Test, "/case/outside/secret")),
    ("[ -f leak ]", All, Touch(Test, "/case/outside/secret")),
    ("[[ -d out/sub ]]", BashAndZsh, Touch(Test, "/case/outside/sub")),
    ("[ -e ../nothing/here ]", All, Touch(Test, "/case/nothing/here")),
    (": > out/new", All, Touch(Write, "/case/outside/new")),
    ("echo a >> dangling", All, Touch(Write, "/case/outside/missing")),
    ("set -C; echo a >| leak", All, Touch(Write, "/case/outside/secret")),
    ("read v < leak", All, Touch(Read, "/case/outside/secret")),
    ("exec 3< out/secret", All, Touch(Read, "/case/outside/secret")),
    ("while read l; do :; done < out/sub/k", All, Touch(Read, "/case/outside/sub/k")),
    ("echo out/*", All, Touch(List, "/case/outside")),
    ("echo ../*/s*", All, Touch(List, "/case/outside")),
    (". out/e.sh", All, Touch(Read, "/case/outside/e.sh")),
    ("echo $(cat leak)", All, Touch(Read, "/case/outside/secret")),
    ("echo $(<leak)", BashAndZsh, Touch(Read, "/case/outside/secret")),
    ("exec cat leak", All, Exec(&["cat", "leak"], "/case/proj")),
    ("{ cat leak; } & :", All, Touch(Read, "/case/outside/secret")),
    ("bash -c 'cd out; : > k2'", All, Touch(Write, "/case/outside/k2")),
    ("eval 'c''d out' && : > k3", All, Touch(Write, "/case/outside/k3")),
    ("/usr/bin/mv x out/x", All, Touch(Write, "/case/outside/x")),
    // What a path meant before the line changed it counts no longer.
    ("test -e n; ln -s ../outside/secret n; read v < n", All, Touch(Read, "/case/outside/secret")),
    ("cat x; rm x; ln -s out/secret x; cat x", All, Touch(Read, "/case/outside/secret")),
    ("cd src; cat main.txt; mv ../src ../moved; cat main.txt", All, {
        Touch(Read, "/case/proj/moved/main.txt")
    }),
    ("cd src; test -e x; cd ..; read v < x", All, Touch(Read, "/case/proj/x")),
    ("(cd out; test -e secret); cat src/main.txt", All, Touch(Read, "/case/proj/src/main.txt")),
    ("/usr/bin/rm -rf out/sub", All, Touch(Write, "/case/outside/sub")),
    ("/usr/bin/rm -rf out/sub", All, Touch(Write, "/case/outside/sub/k")),
    ("/usr/bin/ln leak hard", All, Touch(Write, "/case/proj/hard")),
    ("/usr/bin/chmod 600 leak", All, Touch(Write, "/case/outside/secret")),
    ("/usr/bin/ls out/", All, Touch(List, "/case/outside")),
    ("/usr/bin/find -L . -name k", All, Touch(List, "/case/outside/sub")),
    ("cat <<E\n$(cat leak)\nE", All, Touch(Read, "/case/outside/secret")),
    ("cat <(cat leak)", BashAndZsh, Touch(Read, "/case/outside/secret")),
    ("./tool.sh", All, Exec(&["./tool.sh"], "/case/proj")),
    ("./tool.sh", All, Touch(TouchKind::Exec, "/usr/bin/dash")),
    (
        "cd src; printf '#! up/../e.sh -x\n' > s; chmod +x s ../leak ../../outside/e.sh; ./s",
        All,
        UP,
    ),
    ("env A=1 cat leak", All, Exec(&["cat", "leak"], "/case/proj")),
    ("cat /proc/self/cwd/leak", All, Touch(Read, "/case/outside/secret")),
    ("cat //proc/self/cwd/leak", All, Touch(Read, "/case/outside/secret")),
    ("ln -s /proc/self/cwd here; cat here/leak", All, Touch(Read, "/case/outside/secret")),
    ("cat /dev/stdin < leak; cat /dev/fd/3 3< leak", All, Touch(Read, "/case/outside/secret")),
    ("cat nothing/../out/secret", All, Touch(Read, "/case/proj/nothing/../out/secret")),
    ("cat ''\"$PWD\"/../outside/secret", All, Touch(Read, "/case/outside/secret")),
    ("cd out/ && pwd -P > where", All, Touch(Write, "/case/outside/where")),
    ("cd ../outside/sub && cd - && cat x", All, Exec(&["cat", "x"], "/case/proj")),
    ("test -r leak -a -w out/sub", All, Touch(Test, "/case/outside/sub")),
    ("[ leak -ef out/secret ]", All, Touch(Test, "/case/outside/secret")),
    ("cat <> out/fresh", All, Touch(Write, "/case/outside/fresh")),
    (": >> out/fresh 2>&1", All, Touch(Write, "/case/outside/fresh")),
    ("for f in out/s*; do read v < \"$f\"; done", All, Touch(Read, "/case/outside/secret")),
    ("case $(cat leak) in secret) : > out/yes;; esac", All, Touch(Write, "/case/outside/yes")),
    ("cat <(cat leak)", BashAndZsh, Touch(Read, "/case/outside/secret")),
    ("echo a > >(cat > out/copy); sleep 0.01", BashAndZsh, Touch(Write, "/case/outside/copy")),
    ("exec 5> out/five; echo a >&5", All, Touch(Write, "/case/outside/five")),
    ("f() { cd out; }; f; cat secret", All, Exec(&["cat", "secret"], "/case/outside")),
    ("(setsid sh -c '(cat leak &) &')", All, Touch(Read, "/case/outside/secret")),
    ("(cd src; (cd sub; (cat deep.txt)))", All, Exec(&["cat", "deep.txt"], "/case/proj/src/sub")),
    ("echo a | (cd out && cat > piped)", All, Touch(Write, "/case/outside/piped")),
    ("sh -c 'sh -c \"cd out; cat secret\"'", All, Exec(&["cat", "secret"], "/case/outside")),
    ("trap 'cat leak' EXIT", All, Touch(Read, "/case/outside/secret")),
    ("exec 2> out/errors; nosuchverb", All, Touch(Write, "/case/outside/errors")),
    ("/usr/bin/mv ../outside/sub away && ls away", All, Touch(Write, "/case/proj/away")),
    ("/usr/bin/ln -s ../outside/sub in && cat in/k", All, Touch(Read, "/case/outside/sub/k")),
    ("mkdir -p out/a/b/c && rmdir out/a/b/c", All, Touch(Write, "/case/outside/a/b/c")),
    ("cd out && mkdir 'a\nb' && : > 'a\nb/c\n'", All, Touch(Write, "/case/outside/a\nb/c\n")),
    ("xargs cat < /dev/null; echo leak | xargs cat", All, Exec(&["cat", "leak"], "/case/proj")),
    ("find out/ -name k -exec cat {} \\;", All, Exec(&["cat", "out/sub/k"], "/case/proj")),
    ("perl -e 'fork || exec(\"cat\", \"leak\"); wait'", All, Exec(&["cat", "leak"], "/case/proj")),
    ("/sbin/ldconfig -n -N -X out/sub", All, Touch(List, "/case/outside/sub")),
];

#[test]
fn every_way_is_seen_in_every_shell() {
    every_way_is_seen(Start::Exec);
}

#[test]
fn every_way_is_seen_in_every_warm_shell() {
    every_way_is_seen(Start::Warm);
}

/// By every observer, and none of them is wrong about how a call ended.
fn every_way_is_seen(start: Start) {
    for (way, config) in ways(&patient()).into_iter().filter(|(_, it)| it.start == start) {
        let mut engine = Engine::start(&config).unwrap_or_else(|error| panic!("{error}"));
        let mut missed = Vec::new();
        for shell in shells() {
            let language_lacks = shell.id.name == "dash" || shell.id.name == "busybox";
            for (line, shells, seen) in BATTERY {
                if *shells == BashAndZsh && language_lacks {
                    continue;
                }
                let trace = engine.run(&case(line), &shell).unwrap();
                let context = format!("{way} {}: {line}", shell.id.name);
                assert!(trace.status != Status::TimedOut && !trace.cut, "{context}");
                assert_eq!(trace.doubts, [""; 0], "{context}");
                if !holds(&trace, seen) {
                    missed.push(format!("{context}: {trace:#?}"));
                }
            }
        }
        assert!(missed.is_empty(), "not seen: {}", missed.join("\n"));
    }
}

fn holds(trace: &Trace, seen: &Seen) -> bool {
    match seen {
        Touch(kind, place) => trace
            .touches
            .iter()
            .any(|touch| touch.kind == *kind && touch.resolved == Text::from(*place)),
        Exec(argv, cwd) => trace.execs.iter().any(|exec| {
            exec.argv.iter().map(|word| word.lossy()).eq(argv.iter().copied())
                && exec.cwd == Text::from(*cwd)
        }),
    }
}

#[test]
fn the_same_case_gives_the_same_trace() {
    let mut engine = engine();
    for shell in shells() {
        for line in ["cd src && cat main.txt; ls ..", "echo a > new; cat out/*; rm -r src"] {
            let first = engine.run(&case(line), &shell).unwrap();
            let second = engine.run(&case(line), &shell).unwrap();
            assert_eq!(first.execs, second.execs, "{}: {line}", shell.id.name);
            assert_eq!(first.output, second.output, "{}: {line}", shell.id.name);
            let places = |trace: &Trace| {
                trace.touches.iter().map(|t| (t.pid, t.kind, t.text.clone())).collect::<Vec<_>>()
            };
            assert_eq!(places(&first), places(&second), "{}: {line}", shell.id.name);
        }
    }
}

#[test]
fn a_failed_search_of_path_is_no_exec() {
    let mut engine = engine();
    for shell in shells() {
        let trace = engine.run(&case("nosuchprogram; ./x; ./src; nosuch/x"), &shell).unwrap();
        assert_eq!(trace.execs, [], "{}", shell.id.name);
        assert!(matches!(trace.status, Status::Exited(126 | 127)), "{:?}", trace.status);
    }
}

#[test]
fn what_is_too_deep_to_be_named_is_known_to_be_unknown() {
    let mut engine = engine();
    for shell in shells() {
        let line = "perl -e '$d = \"d\" x 200; for (1..25) { mkdir $d; chdir $d } open(F, \">x\")'";
        let trace = engine.run(&case(line), &shell).unwrap();
        let unresolved = |kind| {
            let mut touches = trace.touches.iter().filter(|touch| !touch.is_resolved());
            touches.any(|touch| touch.kind == kind)
        };
        assert!(unresolved(Enter) && unresolved(Write), "{}", shell.id.name);
        assert_eq!(engine.run(&case("cat x"), &shell).unwrap().unresolved(), 0);
    }
}

#[test]
fn a_long_argument_list_is_seen_whole() {
    let mut engine = engine();
    let words: Vec<String> = (0..3000).map(|n| format!("argument-{n}")).collect();
    for shell in shells() {
        let line = format!("/usr/bin/true {}", words.join(" "));
        let trace = engine.run(&case(&line), &shell).unwrap();
        let exec = trace.execs.last().unwrap();
        assert!(
            exec.argv[1..].iter().map(|word| word.lossy()).eq(words.iter().map(String::as_str)),
            "{}",
            shell.id.name
        );
    }
}

#[test]
fn the_environment_is_the_cases() {
    let mut engine = engine();
    for shell in shells() {
        let mut case = case("echo $HOME,$PWD,$A,${SHELL-unset},$-; cd; pwd -P");
        case.cwd = RelPath::new("outside/sub").unwrap();
        case.pwd = Some("/case/proj/src/up".into());
        case.env.insert("HOME".into(), Some("/case/proj/src".into()));
        case.env.insert("A".into(), Some(Text::from(&b"\xff"[..])));
        case.env.insert("SHELL".into(), None);
        let trace = engine.run(&case, &shell).unwrap();
        let output = trace.output.as_bytes();
        let start = b"/case/proj/src,/case/proj/src/up,\xff,";
        assert!(output.starts_with(start), "{}: {:?}", shell.id.name, trace.output);
        assert!(output.ends_with(b"\n/case/proj/src\n"), "{}: {:?}", shell.id.name, trace.output);
        // bash sets it itself, from the user database.
        let unset = trace.output.lossy().contains(",unset,");
        assert!(unset || shell.id.shell == Shell::Bash || shell.id.name == "bash-posix");
    }
}

#[test]
fn the_end_of_a_shell_is_told() {
    let mut engine = engine();
    for shell in shells() {
        for (line, status) in [
            ("exit 7", Status::Exited(7)),
            ("kill -9 $$", Status::Signalled(9)),
            ("yes | head -n 1", Status::Exited(0)),
            ("trap '' PIPE; exit 3", Status::Exited(3)),
        ] {
            let trace = engine.run(&case(line), &shell).unwrap();
            assert_eq!(trace.status, status, "{}: {line}", shell.id.name);
        }
    }
}

#[test]
fn what_cannot_be_passed_is_an_error_and_the_engine_goes_on() {
    let mut engine = engine();
    let shell = &shells()[0];
    let nul = engine.run(&case("echo \0"), shell);
    assert!(matches!(nul, Err(RunError::NotPassable(_))), "{nul:?}");
    let mut not_utf8 = case("echo");
    (not_utf8.line, not_utf8.invocation) = (Text::from(&b"echo \xff"[..]), Invocation::JsonEval);
    let json = engine.run(&not_utf8, shell);
    assert!(matches!(json, Err(RunError::Unsupported(Invocation::JsonEval))), "{json:?}");
    for length in [200 << 10, 8 << 20] {
        let long = engine.run(&case(&"#".repeat(length)), shell);
        assert!(matches!(long, Err(RunError::NotStarted(_))), "{long:?}");
    }
    let mut nowhere = case("echo");
    nowhere.cwd = RelPath::new("nowhere").unwrap();
    let nowhere = engine.run(&nowhere, shell);
    assert!(matches!(nowhere, Err(RunError::NotStarted(_))), "{nowhere:?}");
    let mut bad_name = case("echo");
    bad_name.env.insert("A=B".into(), None);
    bad_name.env.insert("C=D".into(), Some("".into()));
    let bad_name = engine.run(&bad_name, shell);
    assert!(matches!(bad_name, Err(RunError::NotPassable(_))), "{bad_name:?}");
    let fine = engine.run(&case("echo fine"), shell).unwrap();
    assert_eq!(fine.output, Text::from("fine\n"));
}

#[test]
fn a_way_through_the_system_is_resolved_anew_each_time() {
    let mut engine = engine();
    for shell in shells() {
        // The same text, before and after the link on its way has changed.
        let line = "cd /usr; ln -s /usr/bin /case/proj/way; test -e /usr/../case/proj/way/cat; \
                    ln -sfn /case/outside /case/proj/way; test -e /usr/../case/proj/way/cat";
        let trace = engine.run(&case(line), &shell).unwrap();
        let text = Text::from("/usr/../case/proj/way/cat");
        let places: Vec<_> =
            trace.touches.iter().filter(|t| t.text == text).map(|t| t.resolved.lossy()).collect();
        assert!(places.contains(&"/usr/bin/cat".into()), "{}: {places:?}", shell.id.name);
        assert!(places.contains(&"/case/outside/cat".into()), "{}: {places:?}", shell.id.name);
    }
}

/// What is the caller's own is another thing for each caller, by whichever way it is named.
#[test]
fn what_leads_through_proc_is_remembered_for_nobody() {
    let mut engine = engine();
    for shell in shells() {
        for name in ["/dev/stdin", "/dev/fd/0", "in", "/proc/self/fd/0"] {
            let mut case = case(&format!("cat {name} < x; cat {name} < src/main.txt"));
            let planted = case.tree.entries();
            let planted =
                planted.map(|(path, node)| Entry { path: path.clone(), node: node.clone() });
            let path = RelPath::new("proj/in").unwrap();
            let link = Entry { path, node: Node::Link { to: "/dev/stdin".into() } };
            case.tree = TreeSpec::new(planted.chain([link])).unwrap();
            let trace = engine.run(&case, &shell).unwrap();
            let read = trace.touches.iter().filter(|it| it.kind == Read && it.text == name.into());
            let places: Vec<String> = read.map(|it| it.resolved.to_string()).collect();
            assert_eq!(places, ["/case/proj/x", "/case/proj/src/main.txt"], "{}", shell.id.name);
        }
    }
}
