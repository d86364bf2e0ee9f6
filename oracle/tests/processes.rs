//! Who made which process, and in which directories each was: the same from every observer, and
//! from one run to the next.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{case, patient, shells, ways};
use shfence_corpus::{Case, Entry, Node, RelPath, Text, TreeSpec};
use shfence_oracle::engine::Engine;
use shfence_oracle::trace::{Process, Status, TouchKind, Trace};
use std::process::Command;

/// An engine for every start and observer.
fn engines() -> Vec<(String, Engine)> {
    let engine = |config: &_| Engine::start(config).unwrap_or_else(|error| panic!("{error}"));
    ways(&patient()).iter().map(|(way, config)| (way.clone(), engine(config))).collect()
}

/// The one program of this name, and the numbers of its process and of its ancestors.
fn ancestors(trace: &Trace, name: &str) -> Vec<u32> {
    let mut named = trace.execs.iter().filter(|exec| exec.argv[0] == Text::from(name));
    let (Some(exec), None) = (named.next(), named.next()) else { panic!("{name}: {trace:#?}") };
    let parent = |pid: &u32| trace.processes[*pid as usize - 1].parent;
    std::iter::successors(Some(exec.pid), parent).collect()
}

/// What differs between two runs of the same line only if one of them is wrong.
fn in_order(trace: &Trace) -> Vec<(u32, TouchKind, &Text)> {
    let mut touches: Vec<_> = trace.touches.iter().map(|it| (it.pid, it.kind, &it.text)).collect();
    // A process's own touches stay in their order.
    touches.sort_by_key(|(pid, ..)| *pid);
    touches
}

#[test]
fn every_process_has_its_parent() {
    let line = "(cd src; (cat x; :); head main.txt; :); ls | wc; :";
    for (way, mut engine) in engines() {
        for shell in shells() {
            let context = format!("{way} {}", shell.id.name);
            let trace = engine.run(&case(line), &shell).unwrap();
            let Process { parent, cwd, .. } = &trace.processes[0];
            assert_eq!((*parent, cwd), (None, &Text::from("/case/proj")), "{context}");
            assert_eq!(ancestors(&trace, "cat").len(), 4, "{context}");
            assert_eq!(ancestors(&trace, "head").len(), 3, "{context}");
            assert_eq!(ancestors(&trace, "head")[1..], ancestors(&trace, "cat")[2..], "{context}");
            for stage in ["ls", "wc"] {
                assert_eq!(ancestors(&trace, stage).len(), 2, "{context}");
            }
            let began = |name| &trace.processes[ancestors(&trace, name)[0] as usize - 1].cwd;
            assert_eq!(began("cat"), &Text::from("/case/proj/src"), "{context}");
            assert_eq!(began("ls"), &Text::from("/case/proj"), "{context}");
        }
    }
}

#[test]
fn who_follows_sees_how_each_process_ended() {
    let line = "cat x; cat nothing; (exit 3); (cat x; exit 4); perl -e 'kill 9, $$'; exit 5";
    for (way, mut engine) in engines() {
        for shell in shells() {
            let trace = engine.run(&case(line), &shell).unwrap();
            let ended: Vec<_> = trace.processes.iter().map(|it| it.ended).collect();
            if way.ends_with("Notify") {
                assert!(ended.iter().all(Option::is_none), "{way} {}", shell.id.name);
                continue;
            }
            // The subshell that only exits touches nothing.
            let exited = |code| Some(Status::Exited(code));
            let (killed, inner) = (Some(Status::Signalled(9)), exited(0));
            let expected = [exited(5), exited(0), exited(1), exited(4), inner, killed];
            assert_eq!(ended, expected, "{way} {}", shell.id.name);
        }
    }
}

#[test]
fn numbers_do_not_tell_who_was_faster() {
    let line = "ls src | cat | (cd out; wc; head secret) | wc -l; cat x & cat leak & wait";
    for (way, mut engine) in engines() {
        for shell in shells() {
            let first = engine.run(&case(line), &shell).unwrap();
            for _ in 0..5 {
                let again = engine.run(&case(line), &shell).unwrap();
                let context = format!("{way} {}", shell.id.name);
                assert_eq!(first.processes, again.processes, "{context}");
                assert_eq!(in_order(&first), in_order(&again), "{context}");
            }
        }
    }
}

#[test]
fn a_built_in_ran_in_one_of_the_directories_of_its_process() {
    let line = "echo a; cd src; echo b; cd ../out; echo c; cd nowhere; \
                (cd sub; echo d; cat k; :); :";
    for (way, mut engine) in engines() {
        for shell in shells() {
            let trace = engine.run(&case(line), &shell).unwrap();
            let context = format!("{way} {}", shell.id.name);
            let directories = |pid| -> Vec<String> {
                trace.directories(pid).iter().map(|it| it.lossy().into_owned()).collect()
            };
            let of_the_shell = ["/case/proj", "/case/proj/src", "/case/outside"];
            assert_eq!(directories(1), of_the_shell, "{context}");
            let subshell = ancestors(&trace, "cat")[1];
            assert_eq!(directories(subshell), ["/case/outside", "/case/outside/sub"], "{context}");
        }
    }
}

/// A program without a loader or libraries, which touches a path in an unusual way.
const REACH: &str = r#"
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void *reach(void *path) { return (void *)(long)open(path, O_RDONLY); }
int main(int argc, char **argv) {
    struct stat facts;
    pthread_t thread;
    if (!strcmp(argv[1], "thread"))
        return pthread_create(&thread, 0, reach, argv[2]) || pthread_join(thread, 0);
    if (!strcmp(argv[1], "vfork")) {
        if (vfork() == 0) { stat(argv[2], &facts); _exit(0); }
        return 0;
    }
    if (!strcmp(argv[1], "daemon")) {
        if (fork()) return 0;
        setsid();
        if (fork()) return 0;
    }
    return !reach(argv[2]);
}
"#;

fn with_reach(line: &str) -> Case {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("reach.c"), folder.path().join("reach"));
    std::fs::write(&source, REACH).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-static", "-s", "-pthread", "-o"]).arg(&program).arg(&source);
    assert!(cc.status().unwrap().success(), "install a C compiler with its static library");
    let case = case(line);
    let kept = case.tree.entries();
    let kept = kept.map(|(path, node)| Entry { path: path.clone(), node: node.clone() });
    let text = Text::from(std::fs::read(program).unwrap());
    let reach = Node::File { text, executable: true };
    let reach = Entry { path: RelPath::new("proj/reach").unwrap(), node: reach };
    Case { tree: TreeSpec::new(kept.chain([reach])).unwrap(), ..case }
}

#[test]
fn what_static_programs_their_threads_and_daemons_touch_is_seen() {
    let template = with_reach("");
    for (way, mut engine) in engines() {
        for shell in shells() {
            for (how, kind) in [
                ("itself", TouchKind::Read),
                ("thread", TouchKind::Read),
                ("vfork", TouchKind::Test),
                ("daemon", TouchKind::Read),
            ] {
                let line = Text::from(format!("./reach {how} leak; :"));
                let trace = engine.run(&Case { line, ..template.clone() }, &shell).unwrap();
                let context = format!("{way} {}: {how}: {trace:#?}", shell.id.name);
                let secret = Text::from("/case/outside/secret");
                let mut touches = trace.touches.iter();
                let touch = touches.find(|it| it.kind == kind && it.resolved == secret);
                let touch = touch.unwrap_or_else(|| panic!("{context}"));
                assert_eq!(trace.doubts, [""; 0], "{context}");
                let by_program = touch.pid == trace.execs[0].pid;
                assert_eq!(by_program, ["itself", "thread"].contains(&how), "{context}");
            }
        }
    }
}

#[test]
fn arguments_that_straddle_pages_are_seen_whole() {
    let words: Vec<String> = (0..3000).map(|n| format!("{n}{}", "x".repeat(n % 7))).collect();
    let line = format!("/usr/bin/true {}; :", words.join(" "));
    for (way, mut engine) in engines() {
        for shell in shells() {
            let trace = engine.run(&case(&line), &shell).unwrap();
            let seen: Vec<_> = trace.execs[0].argv[1..].iter().map(|it| it.lossy()).collect();
            assert_eq!(seen, words, "{way} {}", shell.id.name);
            assert_eq!(trace.doubts, [""; 0], "{way} {}", shell.id.name);
        }
    }
}
