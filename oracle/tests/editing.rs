//! The profile `edit`: lines that make, move, link and remove what they then look at.
//!
//! What a line has changed by the time a command runs, the guard has to know. So lines of a few
//! such commands are drawn over a tree with links in it; what the guard allows is run with the real
//! tools in every shell, and must stay inside, and do what the plan says.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{config, shells};
use shfence_corpus::{Case, Decision, Entry, Node, RelPath, TreeSpec};
use shfence_oracle::engine::{Engine, EngineConfig, Lane, Start};
use shfence_oracle::guards::{Editing, Guard};
use shfence_oracle::judge::{Judgement, judge};
use shfence_oracle::lab::Lab;

/// Commands; each capital is a path.
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "mkdir P", "mkdir -p P", "touch P", "rm P", "rm -f P P", "cp P P", "cp -r P P", "cp -a P P",
    "mv P P", "mv P P P", "ln -s P P", "ln -sf P P", "ln -sfn P P", "sed -i s/a/b/ P",
    "sed -i.bak 1d P", "echo a > P", "echo a >> P", "tee P < P", "cat P", "cat P", "ls P", "cd P",
    "cd P", "cd ..", "cat P | tee P", "cat P/*", "ls *", "wc -l P > P", "{ cat P; ls; } > P",
    "for f in P P; do touch $f; cat $f; done", "(cd P && touch P)", "cat $(ls P)", "find P -type f",
    "grep -r a P", "mkdir P && cd P", "if [ -e P ]; then mv P P; fi", "grep -R a P", "find -L P",
    "find P -exec cp -a P P \\;", "find P -type f -exec cat {} +", "ls P | xargs -I{} cp -a P P",
    "{ cat <<E; cat P; } | cat\n$(mv P P)\nE\n:", "cp -r P P P", "cp -r P/. P", "cd P/..", "cd .",
    "ls ../..", "cp -t P P P", "mv -t P P", "cp P /dev/null", "rmdir P", "rmdir P P",
    "ln -sr P P", "ln -sr P P/", "grep -rl a P | xargs sed -i s/a/b/", "sed -i '1i x' P P",
    "find P -type f -exec sed -i s/a/b/ {} +", "sed -i 1d $(grep -rl a P)", "sed -i.e s/a/b/ P P",
    "find P -name 'a*' | xargs sed -i.m 1d", "ls P | xargs sed -i 1d", "sed -i '$a\\ x' P; cat P",
    "for f in P/*; do mv \"$f\" P; done",
    "for f in $(grep -rl a P); do sed -i 1d $f; cat $f; done",
    "for f in P/*; do mv $f P/$(basename $f); done", "cat \"$(dirname P)/a\"",
    "for f in P/* P; do rm $f; done",
    "for f in P/*; do cp $f P/${f##*/}; cat ${f%/*}/a; done",
    "find P -type f | while read f; do cat \"$f\"; done", "find P | while read f; do cat; done",
    "grep -rl a P | while read -r f; do sed -i 1d $f; cat $f; done",
    "ls | while read f; do cat $f | head -1; touch n; done",
    "find P | xargs sed -i 1d", "find P -exec sed -i.f 1d {} \\;",
];

/// Names that are there or not, links to within and out among them.
#[rustfmt::skip]
const PATHS: &[&str] = &[
    "a", "d", "d/a", "d/e", "l", "l/a", "l/e", "in", "in/x", "out", "out/secret", "new", "new/a",
    "new/e", "n", "..", "../a", "../d/a", "../../outside/secret", "d/..", "l/..", "l/../a", ".",
    "./a", "d/", "e", "x", "-n", "d/e", "d/e/m", "d/e/f", "new/m", "new/f", "d/m", "/case/proj/d",
    "/case/proj/new", "/case/proj/in", "/case/proj/l/n", "\"$PWD/new\"", "$PWD/d",
];

const JOINTS: &[&str] = &[" && ", "; ", " || ", "\n", " && ", "; "];

/// A line of up to five commands.
fn line(random: &mut Random) -> String {
    let mut line = String::new();
    for number in 0..=1 + random.below(4) {
        if number > 0 {
            line += random.pick(JOINTS);
        }
        for part in random.pick(COMMANDS).split_inclusive('P') {
            match part.strip_suffix('P') {
                Some(before) => line = line + before + random.pick(PATHS),
                None => line += part,
            }
        }
    }
    line
}

fn tree() -> TreeSpec {
    let file = || Node::File { text: "a\n".into(), executable: false };
    let link = |to: &str| Node::Link { to: to.into() };
    let entries = [
        ("proj/a", file()),
        ("proj/d/a", file()),
        ("proj/d/e/x", file()),
        ("proj/l", link("d")),
        ("proj/in", link("d/e")),
        ("proj/out", link("../outside")),
        ("proj/d/e/up", link("../../../outside")),
        // These two lead out where they stand no longer.
        ("proj/d/e/m", link("../../outside")),
        ("proj/d/e/f", link("../../outside/a")),
        ("proj/outside/a", file()),
        ("outside/secret", file()),
        ("outside/a", file()),
    ];
    let entry = |(path, node)| Entry { path: RelPath::new(path).unwrap(), node };
    TreeSpec::new(entries.map(entry)).unwrap()
}

/// Draws lines; what is allowed must be what every shell does. Says how many were allowed.
fn search(seed: u64, lines: usize) -> usize {
    let config = EngineConfig { start: Start::Warm, lane: Lane::Real, ..config() };
    let engine = Engine::start(&config).unwrap_or_else(|error| panic!("{error}"));
    let mut lab = Lab::of(engine, shells());
    let mut random = Random(seed | 1);
    let (mut allowed, mut wrong) = (0, Vec::new());
    for _ in 0..lines {
        let case = Case::new(line(&mut random), tree());
        let prediction = Editing.predict(&case).unwrap();
        if prediction.decision != Decision::Allow {
            continue;
        }
        allowed += 1;
        for trace in lab.run(&case).unwrap() {
            if let Judgement::Contradicted(mut found) = judge(&prediction, &trace) {
                // `nosuch/..` is no place, and nothing was written there.
                let is_place = |what: &[u8]| !what.split(|it| *it == b'/').any(|it| it == b"..");
                found.retain(|it| it.existed || is_place(&it.what));
                if found.is_empty() {
                    continue;
                }
                wrong.push(format!("{:?} in {}: {found:?}", case.line, trace.shell.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {allowed}:\n{}", wrong.len(), wrong.join("\n"));
    allowed
}

#[test]
fn what_lines_change_is_known_to_what_follows() {
    let allowed = search(7, 400);
    assert!(allowed > 40, "only {allowed} lines are allowed");
}

#[test]
#[ignore = "minutes: the nightly job runs it, with READING_SEED and READING_LINES"]
fn what_lines_change_is_known_to_what_follows_for_long() {
    let asked = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (seed, lines) = (asked("READING_SEED", 1), asked("READING_LINES", 20_000));
    println!("READING_SEED={seed} READING_LINES={lines}");
    assert!(search(seed, lines as usize) > 0);
}

/// xorshift64* (Vigna, 2016): small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    fn pick<'l>(&mut self, list: &[&'l str]) -> &'l str {
        list[self.below(list.len())]
    }
}
