//! What touches outside of the tree mean: those of honest verbs are ambient, and whatever a line
//! itself reaches for is an escape.
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{engine, shells};
use shfence_corpus::{Case, Decision, Entry, FindingKind, Node, RelPath, TreeSpec};
use shfence_oracle::guards::{Guard, Linked, Strawman};
use shfence_oracle::judge::{Judgement, ambient, judge};
use shfence_oracle::lab::Lab;
use shfence_oracle::prediction::Prediction;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn lab() -> Lab {
    Lab::of(engine(), shells())
}

/// A tree in which the operands of the catalogue's examples are there.
fn tree() -> TreeSpec {
    let file = |path: &str| Entry {
        path: RelPath::new(path).unwrap(),
        node: Node::File { text: "one\ntwo\n".into(), executable: false },
    };
    let names = ["a", "b", "x", "src/main.rs", "src/a"];
    TreeSpec::new(names.map(|name| file(&format!("proj/{name}")))).unwrap()
}

/// What is wrong with an allowed line in each shell: the kind, the touch and the place.
fn escapes(lab: &mut Lab, line: &str) -> BTreeMap<String, BTreeSet<(&'static str, String)>> {
    let allowed = Prediction { decision: Decision::Allow, plan: None, reasons: Vec::new() };
    let mut found = BTreeMap::new();
    for trace in lab.run(&Case::new(line, tree())).unwrap() {
        let escapes = match judge(&allowed, &trace) {
            Judgement::Agree => continue,
            Judgement::Inconclusive(why) => panic!("{line}: {why}"),
            Judgement::Contradicted(escapes) => escapes,
        };
        assert!(escapes.iter().all(|it| it.kind == FindingKind::TreeEscape));
        let places = escapes.iter().map(|it| (it.effect.name(), it.what.to_string())).collect();
        found.insert(trace.shell.name, places);
    }
    found
}

/// Each line reaches for something outside of the tree, in every shell.
#[test]
fn whatever_a_line_reaches_for_is_an_escape_wherever_it_is() {
    let table = [
        ("cat /etc/decoy-secret", "read", "/etc/decoy-secret"),
        ("cat ../../etc/decoy-secret", "read", "/etc/decoy-secret"),
        ("cat /case/../home/other/.ssh/id_rsa", "read", "/home/other/.ssh/id_rsa"),
        ("cat /etc/passwd", "read", "/etc/passwd"),
        ("cat < /etc/passwd", "read", "/etc/passwd"),
        ("while read x; do :; done < /etc/group", "read", "/etc/group"),
        (". /etc/passwd", "read", "/etc/passwd"),
        ("head -n1 -- /etc/nsswitch.conf", "read", "/etc/nsswitch.conf"),
        ("ls /opt", "list", "/opt"),
        ("ls -l /etc/passwd", "test", "/etc/passwd"),
        ("stat /etc/group", "test", "/etc/group"),
        ("echo /opt/*", "list", "/opt"),
        ("cat /opt/*/secret", "read", "/opt/decoy/secret"),
        ("cd /opt/decoy && cat secret", "enter", "/opt/decoy"),
        ("cd /opt/decoy && cat secret", "read", "/opt/decoy/secret"),
        ("test -s /srv/decoy.txt", "test", "/srv/decoy.txt"),
        ("echo a > /etc/decoy-secret", "write", "/etc/decoy-secret"),
        ("echo a > /tmp/new", "write", "/tmp/new"),
        ("find /srv -name '*.txt'", "list", "/srv"),
        ("find /etc/passwd -user root", "test", "/etc/passwd"),
        ("cat /proc/version", "read", "/proc/version"),
        ("cat /proc/mounts", "read", "/proc/mounts"),
        ("cat /proc/filesystems", "read", "/proc/filesystems"),
        ("ls /proc", "list", "/proc"),
        ("cat /usr/share/zoneinfo/nosuch", "read", "/usr/share/zoneinfo/nosuch"),
        ("cat /etc/ld.so.cache", "read", "/etc/ld.so.cache"),
        ("cat /case/home/.gitconfig", "read", "/case/home/.gitconfig"),
        ("cat /usr/bin/which", "read", "/usr/bin/which.debianutils"),
        ("df /opt", "test", "/opt"),
        ("grep -r decoy /opt", "read", "/opt/decoy/secret"),
        ("cp /usr/bin/cat ls; ./ls /etc/passwd", "read", "/etc/passwd"),
        ("cp /usr/bin/cat ps; ./ps /proc/uptime", "read", "/proc/uptime"),
        ("echo /etc/passwd | xargs cat", "read", "/etc/passwd"),
        ("sh -c 'cat < /etc/passwd'", "read", "/etc/passwd"),
    ];
    let mut lab = lab();
    for (line, kind, place) in table {
        let found = escapes(&mut lab, line);
        for shell in shells() {
            let seen = found.get(&shell.id.name);
            let there = seen.is_some_and(|it| it.contains(&(kind, place.to_owned())));
            assert!(there, "{line} in {}: {seen:?}", shell.id.name);
        }
    }
}

/// And a guard that allows it is contradicted.
#[test]
fn a_guard_that_allows_a_decoy_is_wrong_and_ours_does_not() {
    let mut lab = lab();
    for line in ["cat /etc/decoy-secret", "ls /opt", "cat < /srv/decoy.txt", "cd /opt && ls"] {
        let case = Case::new(line, tree());
        assert_ne!(Linked.predict(&case).unwrap().decision, Decision::Allow, "{line}");
        let allows = Strawman::ALLOW_EVERYTHING.predict(&case).unwrap();
        for trace in lab.run(&case).unwrap() {
            let judgement = judge(&allows, &trace);
            assert!(matches!(judgement, Judgement::Contradicted(_)), "{line}: {judgement:?}");
        }
    }
}

/// The examples of verbs that read which the catalogue allows, in the words in which it gives them.
/// What a build touches is its own business, and git's is measured with a repository.
fn examples() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guard/verbs");
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let verbs = table.get("verb").and_then(toml::Value::as_array).into_iter().flatten();
        let reads =
            |verb: &&toml::Value| verb.get("class").and_then(|it| it.as_str()) == Some("read");
        let examples = verbs.filter(reads).filter_map(|verb| verb.get("allow")?.as_array());
        for example in examples.flatten().filter(|it| !it.as_str().unwrap().starts_with("git")) {
            lines.push(example.as_str().unwrap().replace("$x", "x"));
        }
    }
    assert!(lines.len() > 200, "{}", lines.len());
    lines
}

/// An honest verb touches nothing outside but what is in the table. What is not installed is not
/// there to touch anything.
#[test]
fn honest_verbs_touch_nothing_outside_but_what_is_ambient() {
    // Follows a file for ever; goes home, which is outside here.
    const LEFT_OUT: [&str; 3] = ["tail -f a", "tail --follow=name a", "cd"];
    let mut lab = lab();
    let mut wrong = Vec::new();
    let mut classes = BTreeSet::new();
    for line in examples() {
        if LEFT_OUT.contains(&&*line) {
            continue;
        }
        let case = Case::new(&*line, tree());
        let prediction = Linked.predict(&case).unwrap();
        for trace in lab.run(&case).unwrap() {
            classes.extend(ambient(&trace).into_keys());
            let allowed =
                Prediction { decision: Decision::Allow, plan: None, ..prediction.clone() };
            if let Judgement::Contradicted(found) = judge(&allowed, &trace) {
                let found = found.iter().map(|it| format!("{} {}", it.effect.name(), it.what));
                let found: Vec<String> = found.collect();
                wrong.push(format!("{} {line}: {}", trace.shell.name, found.join(", ")));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    for class in ["program", "look-up", "loader", "names", "selinux", "facts", "zoneinfo", "self"] {
        assert!(classes.contains(class), "{class} is never seen: {classes:?}");
    }
}
