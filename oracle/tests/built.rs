//! What a build does is the project's own doing, in real shells; what a line does beside it is not.
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{engine, shells};
use shfence_corpus::{Case, Decision, Entry, Node, RelPath, TreeSpec};
use shfence_oracle::guards::{Guard, Linked, Strawman};
use shfence_oracle::judge::{BUILDERS, Judgement, ambient, judge};
use shfence_oracle::lab::Lab;
use std::collections::BTreeSet;
use std::path::Path;

const MAKEFILE: &str = "all:\n\t@mkdir -p made\n\t@ln -s ../../outside made/out\n\
                        \t@echo a >made/a\n\t@cat ../outside/secret\n";

fn tree() -> TreeSpec {
    let file = |text: &str| Node::File { text: text.into(), executable: false };
    let entries = [
        ("proj/Makefile", file(MAKEFILE)),
        ("proj/sub/a", file("a")),
        ("proj/old", Node::Link { to: "../outside".into() }),
        ("outside/secret", file("marker")),
        ("outside/Makefile", file("all:\n")),
    ];
    let entry = |(path, node)| Entry { path: RelPath::new(path).unwrap(), node };
    TreeSpec::new(entries.map(entry)).unwrap()
}

/// Runs the line in all shells, and returns those that contradict the guard, as it allows it.
fn contradicting(lab: &mut Lab, guard: &dyn Guard, line: &str, builds: bool) -> Vec<String> {
    let case = Case::new(line, tree());
    let prediction = guard.predict(&case).unwrap();
    assert_eq!(prediction.decision, Decision::Allow, "{} and {line}", guard.name());
    let mut names = Vec::new();
    for trace in lab.run(&case).unwrap() {
        let counted = ambient(&trace).contains_key("build-made");
        assert_eq!(counted, builds, "{line} in {}: {:?}", trace.shell.name, ambient(&trace));
        match judge(&prediction, &trace) {
            Judgement::Agree => {}
            Judgement::Contradicted(_) => names.push(trace.shell.name),
            Judgement::Inconclusive(why) => panic!("{line} in {}: {why}", trace.shell.name),
        }
    }
    names
}

#[test]
fn what_make_runs_and_makes_is_no_finding_and_counted() {
    let mut lab = Lab::of(engine(), shells());
    for line in ["make all", "make -C . all; cat made/a", "make all && cat made/out/secret"] {
        assert_eq!(contradicting(&mut lab, &Linked, line, true), [""; 0], "{line}");
    }
    for line in ["make all; cd made/out && cat secret", "make all; cat \"$PWD\"/made/out/secret"] {
        let allows = Strawman::ALLOW_EVERYTHING;
        assert_eq!(contradicting(&mut lab, &allows, line, true), [""; 0], "{line}");
    }
}

#[test]
fn what_the_line_does_beside_a_build_is_the_lines() {
    let mut lab = Lab::of(engine(), shells());
    let everybody: Vec<String> = shells().iter().map(|it| it.id.name.clone()).collect();
    for (line, builds) in [
        ("make -C ../outside all", false),
        ("make -C old all", false),
        ("make -f ../outside/Makefile all", false),
        ("cat ../outside/secret; make all", true),
        ("make all; cat ../outside/secret", true),
        // It was there before the build.
        ("make all; cat old/secret", true),
        // Through the place, and out of it again.
        ("make all && cat ../outside/../outside/secret <made/a", true),
        // A program of the tree that is called like a build verb is none.
        ("cp /usr/bin/env make; ./make cat ../outside/secret", false),
    ] {
        let guard = Strawman::ALLOW_EVERYTHING;
        assert_eq!(contradicting(&mut lab, &guard, line, builds), everybody, "{line}");
    }
}

/// The judge's list is that of the guard's catalogue, so that none is forgotten on either side.
#[test]
fn the_build_verbs_are_those_of_the_catalogue() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guard/verbs");
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let verbs = table.get("verb").and_then(toml::Value::as_array).into_iter().flatten();
        for verb in
            verbs.filter(|it| it.get("class").and_then(toml::Value::as_str) == Some("build"))
        {
            let all = verb["names"].as_array().unwrap().iter().map(|it| it.as_str().unwrap());
            // What is named with its directory is the project's, and known by the name alone.
            names.extend(all.filter(|it| !it.contains('/')).map(str::to_owned));
        }
    }
    let listed: BTreeSet<String> = BUILDERS.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(listed, names);
}
