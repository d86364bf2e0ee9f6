//! The table of ambient touches, by what must not be in it.

use super::*;

/// What a program did that was started with these words.
fn program(path: &str, argv: &str, touches: &[Touch]) -> Trace {
    let exec = Exec { pid: 1, path: path.into(), ..exec(argv, "/case/proj") };
    let start = [touch(TouchKind::Exec, path), touch(TouchKind::Exec, "/usr/lib/ld-linux.so.2")];
    trace_of(&[&start, touches].concat(), &[exec])
}

fn escape_of(path: &str, argv: &str, made: Touch) -> bool {
    !found(&allowed(), &program(path, argv, &[made])).is_empty()
}

#[test]
fn who_does_it_counts() {
    let passwd = || touch(TouchKind::Read, "/etc/passwd");
    assert!(!escape_of("/usr/bin/ls", "ls -l", passwd()));
    assert!(escape_of("/usr/bin/cat", "cat", passwd()));
    assert!(escapes(&[passwd()]), "the shell itself");
    // A program of the tree, or a link of it, is not what it is called.
    assert!(escape_of("/case/proj/ls", "./ls -l", passwd()));
    // By its file, not by what its arguments say.
    assert!(escape_of("/usr/bin/cat", "ls -l", passwd()));
    let loader = || touch(TouchKind::Read, "/etc/ld.so.cache");
    assert!(!escape_of("/case/proj/ls", "./ls", loader()));
    assert!(escapes(&[loader()]));
}

#[test]
fn how_it_is_done_counts() {
    for kind in KINDS {
        let libc = touch(kind, "/lib/x86_64-linux-gnu/libc.so.6");
        let may = matches!(kind, TouchKind::Test | TouchKind::Read | TouchKind::Exec);
        assert_eq!(escape_of("/usr/bin/cat", "cat a", libc), !may, "{kind:?}");
        let names = matches!(kind, TouchKind::Test | TouchKind::Read);
        assert_eq!(escape_of("/usr/bin/id", "id", touch(kind, "/etc/group")), !names, "{kind:?}");
        let looked = kind == TouchKind::Test || kind == TouchKind::Exec;
        assert_eq!(escapes(&[touch(kind, "/usr/bin/cat")]), !looked, "{kind:?}");
    }
    assert!(!escapes(&[missing(touch(TouchKind::Read, "/usr/bin/cat"))]), "zsh: is it a script?");
}

#[test]
fn what_a_program_is_told_is_not_its_own_affair() {
    let libc = "/lib/x86_64-linux-gnu/libc.so.6";
    for (argv, told) in [
        ("cat a", false),
        ("cat /lib/x86_64-linux-gnu/libc.so.6", true),
        ("cat --file=/lib/x86_64-linux-gnu/libc.so.6", true),
        ("cat /lib/x86_64-linux-gnu", false),
    ] {
        assert_eq!(escape_of("/usr/bin/cat", argv, touch(TouchKind::Read, libc)), told, "{argv}");
    }
    // Nor is what is written in another way.
    let up = as_given(TouchKind::Read, "../..//etc/ld.so.cache", "/etc/ld.so.cache");
    assert!(escape_of("/usr/bin/cat", "cat x", up));
    let up = as_given(TouchKind::Read, "/lib/../etc/x.so", "/etc/x.so");
    assert!(escape_of("/usr/bin/cat", "cat x", up));
    assert!(!escape_of("/usr/bin/cat", "cat /dev/null", touch(TouchKind::Read, "/dev/null")));
}

#[test]
fn a_process_does_what_its_parent_did_until_it_executes_something() {
    let process = |parent| crate::trace::Process { parent, cwd: "/case/proj".into(), ended: None };
    let mut trace = program("/usr/bin/xargs", "xargs", &[]);
    trace.processes = vec![process(None), process(Some(1))];
    let own = |trace: &Trace, made| {
        let mut trace = trace.clone();
        trace.touches.push(by(2, made));
        found(&allowed(), &trace).is_empty()
    };
    assert!(own(&trace, touch(TouchKind::Test, "/usr/bin/cat")), "looked for");
    assert!(own(&trace, touch(TouchKind::List, "/proc/7/fd")));
    assert!(!own(&trace, touch(TouchKind::Read, "/etc/passwd")));
    trace.touches.push(by(2, touch(TouchKind::Exec, "/usr/bin/cat")));
    assert!(!own(&trace, touch(TouchKind::Test, "/usr/bin/cat")), "now it is cat");
    assert!(!own(&trace, touch(TouchKind::List, "/proc/7/fd")));
}

#[test]
fn a_script_is_read_by_its_interpreter() {
    let which = "/usr/bin/which";
    let interpreter = touch(TouchKind::Exec, "/usr/bin/dash");
    let read = |path| touch(TouchKind::Read, path);
    let made = [interpreter.clone(), read(which), touch(TouchKind::Test, "/usr/bin/git")];
    assert_eq!(found(&allowed(), &program(which, "which git", &made)), []);
    let made = [interpreter, read("/etc/passwd")];
    assert_eq!(found(&allowed(), &program(which, "which git", &made)).len(), 1);
}

#[test]
fn every_class_is_counted() {
    let touches = [
        touch(TouchKind::Read, "/etc/ld.so.cache"),
        touch(TouchKind::Read, "/lib/libc.so.6"),
        touch(TouchKind::Read, "/proc/uptime"),
        touch(TouchKind::Read, "/case/proj/a"),
        as_given(TouchKind::Read, "/dev/stdin", "pipe:"),
        touch(TouchKind::Read, "/opt/decoy"),
    ];
    let trace = program("/usr/bin/uptime", "uptime", &touches);
    let counts = [("descriptor", 1), ("facts", 1), ("loader", 2), ("program", 2)];
    assert_eq!(ambient(&trace), BTreeMap::from(counts));
    assert_eq!(elsewhere(&trace), 1);
}
