//! Planted accesses: for every observed system call a program makes it itself, by an absolute and a
//! relative path, through a link on the way and one at the end, and relative to a descriptor. Each
//! must be seen, with its kind and the place it really leads to.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{patient, shells, ways};
use shfence_corpus::{Case, Entry, Node, RelPath, TreeSpec};
use shfence_oracle::engine::{Engine, EngineConfig, Lane};
use shfence_oracle::trace::TouchKind::{self, Enter, Exec, List, Read, Test, Write};
use shfence_oracle::trace::{Trace, observed_calls};
use std::collections::{BTreeMap, BTreeSet};

/// What stands at a planted place.
#[derive(Clone, Copy, PartialEq)]
enum There {
    File,
    Dir,
    Program,
}

use There::{Dir, File, Program};

/// Is a link at the end of the path followed?
#[derive(Clone, Copy, PartialEq)]
enum Link {
    Followed,
    Kept,
}

use Link::{Followed, Kept};

/// A call: its name, the call in Perl, what is there, and what must be seen. In the Perl text `$p`
/// is the path and `$d` the directory that it is relative to, `$a` is the path as a socket address
/// and `$s` a socket; a call without `$p` and `$a` gets the place opened as `$d`. `$b` is room for
/// an answer, `$i` an inotify instance, `$no` another path, where nothing can be made.
const PLANTED: &[(&str, &str, There, TouchKind, Link)] = &[
    ("open", "2, $p, 0", File, Read, Followed),
    ("open", "2, $p, 0", Dir, List, Followed),
    ("open", "2, $p, 1", File, Write, Followed),
    ("open", "2, $p, 0x20000", File, Read, Kept),
    ("open", "2, $p, 0xc1, 0600", File, Write, Kept),
    ("openat", "257, $d, $p, 0", File, Read, Followed),
    ("openat", "257, $d, $p, 0x241, 0600", File, Write, Followed),
    ("openat", "257, $d, $p, 0x10000", Dir, List, Followed),
    ("openat", "257, $d, $p, 0x200000", File, Test, Followed),
    ("openat2", "437, $d, $p, pack('Q3', @how), 24", File, Read, Followed),
    ("creat", "85, $p, 0600", File, Write, Followed),
    ("stat", "4, $p, $b", File, Test, Followed),
    ("lstat", "6, $p, $b", File, Test, Kept),
    ("newfstatat", "262, $d, $p, $b, 0", File, Test, Followed),
    ("newfstatat", "262, $d, $p, $b, 0x100", File, Test, Kept),
    ("statx", "332, $d, $p, 0, 0x7ff, $b", File, Test, Followed),
    ("access", "21, $p, 0", File, Test, Followed),
    ("faccessat", "269, $d, $p, 0", File, Test, Followed),
    ("faccessat2", "439, $d, $p, 0, 0", File, Test, Followed),
    ("readlink", "89, $p, $b, 99", File, Test, Kept),
    ("readlinkat", "267, $d, $p, $b, 99", File, Test, Kept),
    ("statfs", "137, $p, $b", File, Test, Followed),
    ("chdir", "80, $p", Dir, Enter, Followed),
    ("fchdir", "81, $d", Dir, Enter, Followed),
    ("execve", "59, $p, 0, 0", Program, Exec, Followed),
    ("execveat", "322, $d, $p, 0, 0, 0", Program, Exec, Followed),
    ("mkdir", "83, $p, 0700", File, Write, Kept),
    ("mkdirat", "258, $d, $p, 0700", File, Write, Kept),
    ("rmdir", "84, $p", Dir, Write, Kept),
    ("unlink", "87, $p", File, Write, Kept),
    ("unlinkat", "263, $d, $p, 0", File, Write, Kept),
    ("rename", "82, $p, $no", File, Write, Kept),
    ("rename", "82, $no, $p", File, Write, Kept),
    ("renameat", "264, $d, $p, -100, $no", File, Write, Kept),
    ("renameat", "264, -100, $no, $d, $p", File, Write, Kept),
    ("renameat2", "316, $d, $p, -100, $no, 0", File, Write, Kept),
    ("renameat2", "316, -100, $no, $d, $p, 0", File, Write, Kept),
    ("link", "86, $p, $no", File, Write, Kept),
    ("link", "86, $no, $p", File, Write, Kept),
    ("linkat", "265, $d, $p, -100, $no, 0", File, Write, Kept),
    ("linkat", "265, $d, $p, -100, $no, 0x400", File, Write, Followed),
    ("linkat", "265, -100, $no, $d, $p, 0", File, Write, Kept),
    ("symlink", "88, $x, $p", File, Write, Kept),
    ("symlinkat", "266, $x, $d, $p", File, Write, Kept),
    ("mknod", "133, $p, 0100600, 0", File, Write, Kept),
    ("mknodat", "259, $d, $p, 0100600, 0", File, Write, Kept),
    ("chmod", "90, $p, 0600", File, Write, Followed),
    ("fchmod", "91, $d, 0600", File, Write, Followed),
    ("fchmodat", "268, $d, $p, 0600", File, Write, Followed),
    ("fchmodat2", "452, $d, $p, 0600, 0x100", File, Write, Kept),
    ("chown", "92, $p, -1, -1", File, Write, Followed),
    ("fchown", "93, $d, -1, -1", File, Write, Followed),
    ("lchown", "94, $p, -1, -1", File, Write, Kept),
    ("fchownat", "260, $d, $p, -1, -1, 0", File, Write, Followed),
    ("truncate", "76, $p, 0", File, Write, Followed),
    ("utime", "132, $p, 0", File, Write, Followed),
    ("utimes", "235, $p, 0", File, Write, Followed),
    ("futimesat", "261, $d, $p, 0", File, Write, Followed),
    ("utimensat", "280, $d, $p, 0, 0", File, Write, Followed),
    ("utimensat", "280, $d, 0, 0, 0", File, Write, Followed),
    ("setxattr", "188, $p, $u, $v, 1, 0", File, Write, Followed),
    ("lsetxattr", "189, $p, $u, $v, 1, 0", File, Write, Kept),
    ("fsetxattr", "190, $d, $u, $v, 1, 0", File, Write, Followed),
    ("getxattr", "191, $p, $u, $b, 9", File, Test, Followed),
    ("lgetxattr", "192, $p, $u, $b, 9", File, Test, Kept),
    ("listxattr", "194, $p, $b, 9", File, Test, Followed),
    ("llistxattr", "195, $p, $b, 9", File, Test, Kept),
    ("removexattr", "197, $p, $u", File, Write, Followed),
    ("lremovexattr", "198, $p, $u", File, Write, Kept),
    ("fremovexattr", "199, $d, $u", File, Write, Followed),
    ("setxattrat", "463, $d, $p, 0, $u, $b, 16", File, Write, Followed),
    ("getxattrat", "464, $d, $p, 0x100, $u, $b, 16", File, Test, Kept),
    ("listxattrat", "465, $d, $p, 0, $b, 9", File, Test, Followed),
    ("removexattrat", "466, $d, $p, 0, $u", File, Write, Followed),
    ("file_getattr", "468, $d, $p, $b, 24, 0", File, Test, Followed),
    ("file_setattr", "469, $d, $p, $b, 24, 0x100", File, Write, Kept),
    ("inotify_add_watch", "254, $i, $p, 1", File, Test, Followed),
    ("inotify_add_watch", "254, $i, $p, 0x02000001", File, Test, Kept),
    ("name_to_handle_at", "303, $d, $p, $b, $b, 0", File, Test, Kept),
    ("name_to_handle_at", "303, $d, $p, $b, $b, 0x400", File, Test, Followed),
    ("bind", "49, $s, $a, 110", File, Write, Kept),
    ("connect", "42, $s, $a, 110", File, Test, Followed),
    ("sendto", "44, $s, $x, 1, 0, $a, 110", File, Test, Followed),
    ("sendmsg", "46, $s, pack('QQ7', at($a), 110), 0", File, Test, Followed),
    ("sendmmsg", "307, $s, pack('Q8Q8', (0) x 8, at($a), 110), 2, 0", File, Test, Followed),
];

/// The ways to name a place.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Absolute,
    Relative,
    /// Through a link to its directory.
    Through,
    /// By a link to it.
    Linked,
    /// Relative to its directory, which is open; or the place itself is.
    Descriptor,
}

const WAYS: [(Way, &str); 5] = [
    (Way::Absolute, "/case/outside/"),
    (Way::Relative, "../outside/"),
    (Way::Through, "out/"),
    (Way::Linked, "link-"),
    (Way::Descriptor, ""),
];

/// One access: the Perl line that makes it, and what must be seen.
struct Access {
    perl: String,
    kind: TouchKind,
    place: String,
}

/// Every access, and the tree that they need.
fn accesses() -> (Vec<Access>, TreeSpec) {
    let (mut accesses, mut entries) = (Vec::new(), Vec::new());
    let mut add = |path: String, node| {
        entries.push(Entry { path: RelPath::new(path).unwrap(), node });
    };
    add("proj/out".to_owned(), Node::Link { to: "../outside".into() });
    add("proj/x".to_owned(), Node::File { text: "x".into(), executable: false });
    for (index, (_, call, there, kind, link)) in PLANTED.iter().enumerate() {
        for (number, (way, prefix)) in WAYS.into_iter().enumerate() {
            let (by_path, by_dir) =
                (call.contains("$p") || call.contains("$a"), call.contains("$d"));
            let makes_sense = match way {
                Way::Descriptor => by_dir,
                _ => by_path,
            };
            if !makes_sense {
                continue;
            }
            let name = format!("t{index}-{number}");
            add(
                format!("outside/{name}"),
                match there {
                    Dir => Node::Dir,
                    _ => Node::File { text: "text".into(), executable: *there == Program },
                },
            );
            let mut place = format!("/case/outside/{name}");
            if way == Way::Linked {
                add(
                    format!("proj/link-{name}"),
                    Node::Link { to: format!("../outside/{name}").into() },
                );
                if *link == Kept {
                    place = format!("/case/proj/link-{name}");
                }
            }
            let directory = match (way, by_path) {
                (Way::Descriptor, true) => "fd('/case/outside')".to_owned(),
                (Way::Descriptor, false) => format!("fd('{place}')"),
                _ => "-100".to_owned(),
            };
            let apart = u8::from([Enter, Exec].contains(kind));
            let perl =
                format!("go({directory}, '{prefix}{name}', sub {{ syscall({call}) }}, {apart});\n");
            accesses.push(Access { perl, kind: *kind, place });
        }
    }
    (accesses, TreeSpec::new(entries).unwrap())
}

/// What the Perl lines use. An access that would change the process is made by one of its own.
const PROLOGUE: &str = "
sub fd { open(my $f, '<', $_[0]) or opendir($f, $_[0]) or die $!; push @open, $f; fileno($f) }
sub at { unpack('Q', pack('P', $_[0])) }
sub go {
    local $d = shift; local $p = shift; my ($call, $apart) = @_;
    if ($apart and fork) { wait; return }
    $a = pack('Sa108', 1, $p); $b = \"\\0\" x 512;
    socket($s, 1, 2, 0); $s = fileno($s); $i = syscall(294, 0);
    ($no, $u, $v, $x) = ('no/x', 'user.a', 'b', 'x'); @how = (0) x 3;
    $call->(); exit if $apart; syscall(3, $i); @open = ();
}
";

#[test]
fn every_planted_access_is_seen_in_every_shell() {
    nothing_is_missed(Lane::Real);
}

#[test]
fn every_planted_access_is_seen_in_every_shell_beside_probes() {
    nothing_is_missed(Lane::probe());
}

/// However shells are started, and by every observer.
fn nothing_is_missed(lane: Lane) {
    let config = EngineConfig { lane, ..patient() };
    for (way, config) in ways(&config) {
        let engine = Engine::start(&config).unwrap_or_else(|error| panic!("{error}"));
        let missed = missed(engine, &way);
        assert!(missed.is_empty(), "not seen:\n{}", Vec::from_iter(missed).join(""));
    }
}

/// The accesses that are not seen, in words.
fn missed(mut engine: Engine, way: &str) -> BTreeSet<String> {
    let (accesses, tree) = accesses();
    let mut missed = BTreeSet::new();
    for shell in shells() {
        let context = format!("{way} {}", shell.id.name);
        for accesses in accesses.chunks(80) {
            let calls: String = accesses.iter().map(|access| access.perl.as_str()).collect();
            let line = format!("/usr/bin/perl - <<'END'\n{PROLOGUE}{calls}\nprint 'done';\nEND\n");
            let trace = engine.run(&Case::new(line, tree.clone()), &shell).unwrap();
            let output = trace.output.lossy().into_owned();
            assert_eq!(output, "done", "{context}: {:?}", trace.status);
            assert_eq!(trace.unresolved(), 0, "{context}");
            assert_eq!(trace.doubts, [""; 0], "{context}");
            for Access { perl, kind, place } in accesses {
                if !is_seen(&trace, *kind, place) {
                    missed.insert(format!("{context}: {kind:?} of {place}: {perl}"));
                }
            }
        }
    }
    assert_eq!(engine.cold(), &BTreeMap::new());
    missed
}

fn is_seen(trace: &Trace, kind: TouchKind, place: &str) -> bool {
    let mut touches = trace.touches.iter();
    touches.any(|touch| touch.kind == kind && touch.resolved.as_bytes() == place.as_bytes())
}

#[test]
fn no_observed_call_is_left_out() {
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(planted, BTreeSet::from_iter(observed_calls()));
}
