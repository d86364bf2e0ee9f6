//! What the guard understands is what shells do: lines near the grammar, in every shell.
//!
//! Each line that has a plan is run, with verbs that do nothing but leave a trace. Whatever the
//! verdict, the plan must cover every program that was started, with its arguments and where, and
//! every directory that was entered, and every file that was written. If the line is allowed,
//! nothing must escape.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{config, shells};
use shfence_corpus::{Case, Decision, Entry, Node, RelPath, Text, TreeSpec};
use shfence_generators::Choices;
use shfence_generators::near::{Area, VERBS, near};
use shfence_oracle::engine::{Engine, EngineConfig, Lane, RunError, Start};
use shfence_oracle::guards::{Guard, Linked};
use shfence_oracle::installations::{Installation, installations};
use shfence_oracle::judge::{Judgement, judge, uncovered};
use shfence_oracle::lab::Lab;
use shfence_oracle::minimise::{Limits, minimise};
use shfence_oracle::prediction::{Prediction, Reason};
use shfence_oracle::trace::{Status, TouchKind, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How many understood lines are run in CI, and under which seed.
const LINES: usize = 1_200;
const SEED: u64 = 4;

/// How many disagreements are made small and shown before the test gives up.
const SHOWN: usize = 12;

/// The shells, with the extra ones. A test that lacks one fails.
fn all_shells() -> Vec<Installation> {
    let all = installations();
    for name in ["mksh", "yash"] {
        assert!(all.iter().any(|it| it.id.name == name), "{name} is missing: run ci/setup");
    }
    all
}

/// Shells in a box, with recording verbs.
fn lab(shells: Vec<Installation>) -> Lab {
    let mut config = EngineConfig { start: Start::Warm, verify: false, ..config() };
    let verbs: BTreeSet<&str> = VERBS.iter().copied().filter(|it| !it.starts_with('\\')).collect();
    config.lane = Lane::Probe { verbs: verbs.into_iter().map(str::to_owned).collect() };
    config.limits.wall = Duration::from_millis(700);
    config.limits.events = 2_000;
    Lab::of(Engine::start(&config).unwrap_or_else(|error| panic!("{error}")), shells)
}

/// What one run of a line did that the guard did not say, for people.
fn disagreement(prediction: &Prediction, trace: &Trace) -> Option<String> {
    let plan = prediction.plan.as_ref()?;
    // What stands at the root of the box is not in the guard's view of a case.
    if trace.touches.iter().any(|it| it.kind == TouchKind::List && it.resolved.as_bytes() == b"/") {
        return None;
    }
    // A `cd` of which it is not known where it leads has no places in the plan, nor does what
    // cannot be resolved.
    let unknown = ["cwd-unknown", "path-unresolved", "word-unknown"];
    let is_unknown = |it: &Reason| unknown.iter().any(|code| it.code.starts_with(code));
    let anywhere = prediction.reasons.iter().any(is_unknown);
    let wrong = uncovered(plan, trace)
        .into_iter()
        .find(|it| !(anywhere && matches!(it.effect, TouchKind::Enter | TouchKind::Write)));
    let wrong = wrong.or_else(|| match judge(prediction, trace) {
        Judgement::Contradicted(mut all) => Some(all.remove(0)),
        Judgement::Agree | Judgement::Inconclusive(_) => None,
    })?;
    let (kind, effect, what) = (wrong.kind, wrong.effect, wrong.what);
    Some(format!("{kind:?} {effect:?} {:?} ({:?})", what, wrong.text))
}

/// How often a line must do it again before it is believed. A signal that comes while the observer
/// looks at a call interrupts the call, in shells that do not restart it: a `cd` beside a
/// background job fails as it never would unobserved.
const RERUNS: usize = 12;

/// What a line does each time in a shell that the guard did not say.
fn disagreement_in(
    lab: &mut Lab,
    case: &Case,
    shell: &Installation,
) -> Result<Option<String>, RunError> {
    let prediction = Linked.predict(case).unwrap_or_else(|crash| panic!("{crash}: {}", case.line));
    if prediction.plan.is_none() || !case.shells.contains(shell.id.shell) {
        return Ok(None);
    }
    let mut found = None;
    for _ in 0..RERUNS {
        found = disagreement(&prediction, &lab.run_in(case, shell)?);
        if found.is_none() {
            break;
        }
    }
    Ok(found)
}

/// What a search has seen.
#[derive(Default)]
struct Seen {
    understood: usize,
    allowed: usize,
    runs: usize,
    timed_out: usize,
    of_area: BTreeMap<Area, usize>,
    /// By shell and smallest line: what is wrong.
    wrong: BTreeMap<(String, String), String>,
}

/// Draws the line of a number.
type Draw<'a> = &'a dyn Fn(u64) -> (Area, Case);

/// Runs understood lines until there are enough, or enough of them are wrong.
fn search(lab: &mut Lab, seed: u64, lines: usize) -> Seen {
    search_among(lab, &|index| near(seed, index), lines)
}

fn search_among(lab: &mut Lab, draw: Draw<'_>, lines: usize) -> Seen {
    let mut seen = Seen::default();
    let only = std::env::var("READING_AREA").ok();
    for index in 0.. {
        if seen.understood == lines || seen.wrong.len() >= SHOWN {
            break;
        }
        let (area, case) = draw(index);
        if only.as_ref().is_some_and(|only| *only != format!("{area:?}")) {
            continue;
        }
        let prediction = Linked.predict(&case).unwrap_or_else(|it| panic!("{it}: {}", case.line));
        if prediction.plan.is_none() {
            continue;
        }
        seen.understood += 1;
        seen.allowed += usize::from(prediction.decision == Decision::Allow);
        *seen.of_area.entry(area).or_default() += 1;
        let shells = lab.shells.iter().filter(|it| case.shells.contains(it.id.shell));
        for shell in shells.cloned().collect::<Vec<_>>() {
            let trace = lab.run_in(&case, &shell).unwrap_or_else(|it| panic!("{it}: {case:?}"));
            seen.runs += 1;
            seen.timed_out += usize::from(trace.status == Status::TimedOut);
            if disagreement(&prediction, &trace).is_some()
                && disagreement_in(lab, &case, &shell).unwrap().is_some()
            {
                let small = smallest(lab, &case, &shell);
                let what = disagreement_in(lab, &small, &shell).unwrap().unwrap_or_default();
                let of_case =
                    format!("{what}, environment {:?}, tree {:?}", small.env, names(&small));
                // At once: a long search may be stopped.
                println!("{index}: {:?} in {}: {of_case}", small.line, shell.id.name);
                seen.wrong.insert((format!("{:?}", small.line), shell.id.name.clone()), of_case);
                break;
            }
        }
    }
    seen
}

/// The smallest case that the guard still has wrong in this shell.
fn smallest(lab: &mut Lab, case: &Case, shell: &Installation) -> Case {
    let limits = Limits { steps: 300, reruns: 1 };
    let mut interesting = |case: &Case| disagreement_in(lab, case, shell).map(|it| it.is_some());
    match minimise(case, limits, &mut interesting, &mut |_| {}) {
        Ok(minimised) => minimised.case,
        Err(_) => case.clone(),
    }
}

fn names(case: &Case) -> Vec<String> {
    case.tree.entries().map(|(path, _)| path.to_string()).collect()
}

impl Seen {
    fn assert_agreement(&self) {
        println!(
            "{} lines understood, {} allowed, {} runs, {} timed out, {:?}",
            self.understood, self.allowed, self.runs, self.timed_out, self.of_area
        );
        let show = |((line, shell), what): (&(String, String), &String)| {
            format!("{line}\n    in {shell}: {what}\n")
        };
        let wrong: String = self.wrong.iter().map(show).collect();
        assert!(wrong.is_empty(), "the guard's plan does not cover:\n{wrong}");
    }
}

/// The seed and the number of lines that the surroundings ask for.
fn asked(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn what_is_understood_is_what_every_shell_does() {
    let seen = search(&mut lab(all_shells()), SEED, LINES);
    seen.assert_agreement();
    assert!(seen.allowed * 20 > seen.understood, "hardly any line is allowed");
    let few = |area: &&Area| seen.of_area.get(area).is_none_or(|count| *count < LINES / 40);
    assert_eq!(Area::ALL.iter().filter(few).collect::<Vec<_>>(), Vec::<&Area>::new());
    assert!(seen.timed_out * 100 < seen.runs, "too many lines go on for ever");
}

#[test]
#[ignore = "minutes: the nightly job runs it, with READING_SEED, READING_LINES and READING_AREA"]
fn what_is_understood_is_what_every_shell_does_for_long() {
    let (seed, lines) = (asked("READING_SEED", 1), asked("READING_LINES", 50_000));
    println!("READING_SEED={seed} READING_LINES={lines}");
    search(&mut lab(all_shells()), seed, lines as usize).assert_agreement();
}

/// What lines that compute are made of: V is a variable, E an expression, N a number or what is
/// none, O an operation, C a command.
#[rustfmt::skip]
const COMPUTING: &[&str] = &[
    "V=N", "V=N", "V=N", "V=$((E))", "V=$((E))", "V=\"$((E))\"", "p $((E))", "p \"$((E))\" $V",
    "p $V", "p x$((E))y", "cat \"$V\"", "head -n $V", "[ $V -lt N ]", "V=N V=$((E))",
    "for V in N N; do C; done", "for V in $(seq 3); do C; C; done", "(C; C)", "C | C", "C && C",
    "V=N; while [ $V -lt 4 ]; do C; V=$((V+1)); done", "if C; then C; else C; fi", "{ C; C; }",
    "V=N; while [ $V -lt 3 ]; do C; V=$(($V+1)); C; done", "p $(p $((E)))", "V=N p $((E))",
    "V=N; until [ $V -lt 1 ]; do V=$((V - 1)); C; done", "V=$?", "V=${#V}", "read V", "C || C",
    "V=$V", "V=N C", "cat <<D\n$((E))\nD\n:", "p <<<$((E))", "while C; do V=$((V*V+1)); done",
    "for V in 1 2; do V=$((E)); break; done", "case $((E)) in 1) C;; *) C;; esac", "exit $((E))",
    "V=${VO}", "V=${VO}", "p \"${VO}\" ${VO}", "ls ${VO}", "cat \"${VO}\"/a", "V=x${VO}y",
    "for V in src/* N; do p \"${VO}\"; done", "cd ${VO} && ls",
];
/// Operations; those that are refused among them.
#[rustfmt::skip]
const OPERATIONS: &[&str] = &[
    "%.*", "%%.*", "##*/", "#*/", "%/*", "%%/*", "#src/", "%.txt", ":-a", "-b", ":+c", "+d", "#*.",
    "##*.", "%/", "#-", "##*-", "%-*", "#a*", "##s*", "%%*t", "%*c", "#*", "%?", "/a/b", ":-", "#.",
];
#[rustfmt::skip]
const EXPRESSIONS: &[&str] = &[
    "V", "V", "V", "V+1", "V + V", "$V", "${V}", "$V+1", "E+E", "E-E", "E*E", "E/E", "E%E", "(E)",
    "-E", "-$V", "-V", "1", "2", "0", " E ", "( E )", "E -E", "E- E", "E*-E", "V++", "E,E", "E**E",
    "E==E", "09", "2147483647", "999999999", "V[1]", "$V[1]", "$?", "inf", "E-$V", "E-(-E)", "E/2",
    "E%3", "x$V", "$((E))", "nan+1", "V=E", "!V", "~V", "1.5", "E\nE", "+E", "",
];
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "-2", "7", "10", "08", "010", "''", "'a[$(q)]'", "x", "y", "-0", "+1",
    "1+1", "2147483647", "-2147483648", "9223372036854775807", "0x10", "99999999999999999999",
    "' 3'", "src/main.txt", "a.b.c", "/a//b/", "-a-b", "'a b/c'", "ä.b", "'*/a'", "src",
];

/// A line that computes.
fn computing(seed: u64, index: u64) -> Case {
    let mut choices = Choices::seeded(seed, index);
    let mut line = String::from("C");
    for _ in 0..choices.below(4) {
        line += *choices.pick(&["; C", "; C", " && C", "\nC"]);
    }
    // The first of what is to be replaced each time, until it is enough.
    for round in 0..60 {
        let Some(at) = line.find(['C', 'E', 'V', 'N', 'O']) else { break };
        let all = round < 30;
        let by = match line.as_bytes()[at] {
            b'C' => choices.pick(if all { COMPUTING } else { &COMPUTING[..9] }),
            b'E' => choices.pick(if all { EXPRESSIONS } else { &EXPRESSIONS[..4] }),
            b'V' => choices.pick(&["x", "x", "y", "z"]),
            b'O' => choices.pick(OPERATIONS),
            _ => choices.pick(NUMBERS),
        };
        line.replace_range(at..=at, by);
    }
    Case::new(line, tree())
}

#[test]
fn what_is_computed_is_what_every_shell_computes() {
    let draw = |index| (Area::ALL[0], computing(SEED, index));
    let seen = search_among(&mut lab(all_shells()), &draw, LINES / 2);
    seen.assert_agreement();
    assert!(seen.allowed * 10 > seen.understood, "hardly any line is allowed");
}

#[test]
#[ignore = "minutes: the nightly job runs it, with READING_SEED and READING_LINES"]
fn what_is_computed_is_what_every_shell_computes_for_long() {
    let (seed, lines) = (asked("READING_SEED", 1), asked("READING_LINES", 50_000));
    println!("READING_SEED={seed} READING_LINES={lines}");
    let draw = |index| (Area::ALL[0], computing(seed, index));
    search_among(&mut lab(all_shells()), &draw, lines as usize).assert_agreement();
}

/// Options that people set: the shell, the option, and for one that the guard has on its list of
/// those to rule out, a line that shows why.
const OPTIONS: &[(&str, &str, Option<&str>)] = &[
    ("bash", "cdable_vars", Some("x=/case/outside; cd x && ls")),
    ("bash", "dotglob", Some("ls *")),
    ("bash", "extglob", None),
    ("bash", "failglob", None),
    ("bash", "globstar", Some("ls **")),
    ("bash", "lastpipe", None),
    ("bash", "nocaseglob", Some("ls S*")),
    ("bash", "nullglob", Some("ls no*")),
    ("bash", "physical", Some("cd src/up; cd ..; ls")),
    ("zsh", "AUTO_CD", None),
    ("zsh", "AUTO_PUSHD", None),
    ("zsh", "BRACE_CCL", Some("ls @{ab}")),
    ("zsh", "CDABLE_VARS", Some("x=/case/outside; cd x && ls")),
    ("zsh", "CHASE_DOTS", Some("cd src/up; cd ..; ls")),
    ("zsh", "CHASE_LINKS", Some("cd src/up; cd ..; ls")),
    ("zsh", "EXTENDED_GLOB", Some("ls x^y")),
    ("zsh", "GLOB_ASSIGN", Some("x=s*; ls \"$x\"")),
    ("zsh", "GLOB_DOTS", Some("ls *")),
    ("zsh", "KSH_GLOB", None),
    ("zsh", "MAGIC_EQUAL_SUBST", None),
    ("zsh", "NO_NOMATCH", None),
    ("zsh", "NULL_GLOB", Some("ls no*")),
    ("zsh", "RC_QUOTES", None),
    ("zsh", "SH_WORD_SPLIT", None),
];

/// What those lines need to show it.
fn tree() -> TreeSpec {
    let file = || Node::File { text: "text\n".into(), executable: false };
    let link = || Node::Link { to: "../lib/deep".into() };
    let entries = [
        ("proj/.hidden", file()),
        ("proj/src/main.txt", file()),
        ("proj/src/up", link()),
        ("proj/lib/deep/x", file()),
        ("proj/x", file()),
        ("outside/secret", file()),
    ];
    let entry = |(path, node)| Entry { path: RelPath::new(path).unwrap(), node };
    TreeSpec::new(entries.map(entry)).unwrap()
}

/// A shell with an option set.
fn with_option(shell: &str, option: &str) -> Installation {
    let plain = shells().into_iter().find(|it| it.id.name == shell).unwrap();
    let set: &[&str] = match (shell, option) {
        ("bash", "physical") => &["-o", option],
        ("bash", _) => &["-O", option],
        _ => &["-o", option],
    };
    let mut with = plain.clone();
    with.id.name = format!("{shell} with {option}");
    let line = with.args.len() - 1;
    with.args.splice(line..line, set.iter().map(|it| Text::from(*it)));
    with
}

fn with_options(harmless: bool) -> Vec<Installation> {
    let these = OPTIONS.iter().filter(|(_, _, shown_by)| shown_by.is_none() == harmless);
    these.map(|(shell, option, _)| with_option(shell, option)).collect()
}

#[test]
fn options_that_are_not_ruled_out_change_nothing() {
    search(&mut lab(with_options(true)), SEED, LINES / 10).assert_agreement();
}

#[test]
#[ignore = "minutes: the nightly job runs it, with READING_SEED and READING_LINES"]
fn options_that_are_not_ruled_out_change_nothing_for_long() {
    let (seed, lines) = (asked("READING_SEED", 1), asked("READING_LINES", 50_000) / 5);
    search(&mut lab(with_options(true)), seed, lines as usize).assert_agreement();
}

#[test]
fn options_that_are_ruled_out_change_what_is_read() {
    let mut lab = lab(with_options(false));
    let mut ruled_out = Vec::new();
    for (shell, option, line) in OPTIONS {
        let Some(line) = line else { continue };
        let case = Case::new(*line, tree());
        let plain = shells().into_iter().find(|it| it.id.name == *shell).unwrap();
        assert_eq!(disagreement_in(&mut lab, &case, &plain).unwrap(), None, "{line}");
        let with = with_option(shell, option);
        let shown = disagreement_in(&mut lab, &case, &with).unwrap();
        assert!(shown.is_some(), "{shell} with {option} reads {line} as the plan says");
        ruled_out.push((*shell, *option));
    }
    let listed: Vec<_> = shfence::RULED_OUT.iter().map(|it| (it.shell, it.option)).collect();
    assert_eq!(listed, ruled_out);
}
