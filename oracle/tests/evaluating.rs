//! Built-ins and parameters that evaluate text which looks like data.
//!
//! `printf '%d' 'PWD[$(x)]'` prints a number, and in zsh runs `x` to find out which. No manual says
//! of which operands of which built-in this is true, so every shell is asked: with a subscript of a
//! name that is set, in every place of every built-in that any of them has, and as the value of
//! every parameter that it gives a meaning. What is evaluated is a table that people can read; and
//! whatever is in it, the guard must not allow.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{config, shells};
use shfence_corpus::{Case, Decision, TreeSpec};
use shfence_oracle::engine::{Engine, EngineConfig, Lane, Start};
use shfence_oracle::guards::{Guard, Linked};
use shfence_oracle::installations::{Installation, installations};
use shfence_oracle::lab::Lab;
use shfence_oracle::trace::Trace;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

/// Where the text may stand. `#` is the text.
const PLACES: &[&str] = &[
    "B #",
    "B 1 #",
    "B # 1",
    "B 1 2 #",
    "B # -eq 1",
    "B 1 -lt #",
    "B -t #",
    "B -v #",
    "B -n #",
    "B -p #",
    "B '%d' #",
    "B '%*d' # 1",
    "B '%s%n' x #",
    "B '%s' #",
    "B x=#",
    "B -i x=#",
    "B -- #",
];

/// Built-ins of POSIX and of the manual pages of dash, busybox ash and mksh; bash and zsh say
/// theirs themselves.
const NAMES: &[&str] = &[
    ".", ":", "[", "alias", "bg", "break", "builtin", "cat", "cd", "chdir", "command", "continue",
    "echo", "eval", "exec", "exit", "export", "expr", "false", "fc", "fg", "getopts", "global",
    "hash", "help", "history", "jobs", "kill", "let", "local", "print", "printf", "pwd", "read",
    "readonly", "realpath", "rename", "return", "set", "shift", "sleep", "source", "suspend",
    "test", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias",
    "unset", "wait", "whence",
];

/// Every module of zsh that has built-ins or parameters and looks at no terminal.
const MODULES: &str = "zmodload zsh/datetime zsh/files zsh/mapfile zsh/mathfunc zsh/parameter \
    zsh/sched zsh/stat zsh/system zsh/termcap zsh/terminfo zsh/watch zsh/zutil zsh/langinfo; ";

/// What these do with any word is known without asking: they read text as a program, take the
/// shell's place, stop it, or wait for what does not come.
const NOT_ASKED: &[&str] = &["eval", "exec", "suspend", "wait", "vared", "zed", "read", "fg", "bg"];

fn lab() -> Lab {
    let mut config = EngineConfig { start: Start::Warm, verify: false, ..config() };
    config.lane = Lane::Probe { verbs: vec!["mark".to_owned()] };
    config.limits.wall = Duration::from_secs(2);
    Lab::of(Engine::start(&config).unwrap_or_else(|error| panic!("{error}")), installations())
}

fn case(line: &str) -> Case {
    Case::new(line, TreeSpec::default())
}

/// One of the five shells.
fn shell(name: &str) -> Installation {
    shells().into_iter().find(|it| it.id.name == name).unwrap()
}

/// The words that a shell prints.
fn printed(lab: &mut Lab, shell: &Installation, line: &str) -> BTreeSet<String> {
    let output = lab.run_in(&case(line), shell).unwrap().output;
    String::from_utf8_lossy(output.as_bytes()).split_whitespace().map(str::to_owned).collect()
}

/// A name as it can stand for a command or a parameter in the line that asks.
fn is_plain(name: &str) -> bool {
    let of_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    [".", ":", "["].contains(&name) || (!name.is_empty() && name.chars().all(of_name))
}

/// The line that has the text in one place, where the text is evaluated only by mistake.
fn line_of(name: &str, place: &str, mark: usize) -> String {
    let closing = if name == "[" { " ]" } else { "" };
    let text = format!("'PWD[$(mark {mark})]'");
    place.replacen('B', name, 1).replace('#', &text) + closing
}

/// The places of which the text was evaluated: a `mark` ran with the number of the place.
fn marked(trace: &Trace) -> BTreeSet<usize> {
    let number = |argv: &[shfence_corpus::Text]| {
        let words: Vec<_> = argv.iter().map(|it| String::from_utf8_lossy(it.as_bytes())).collect();
        (words.len() == 2 && words[0] == "mark").then(|| words[1].parse().ok()).flatten()
    };
    trace.execs.iter().filter_map(|exec| number(&exec.argv)).collect()
}

/// Which shells evaluate it, by the text that says what.
type Table = BTreeMap<String, Vec<String>>;

fn shown(table: &Table) -> String {
    table.iter().fold(String::new(), |mut text, (what, shells)| {
        writeln!(text, "{what:<24} {}", shells.join(" ")).unwrap();
        text
    })
}

/// What comes before a line that asks.
fn before(shell: &Installation) -> &'static str {
    if shell.id.name == "zsh" { MODULES } else { "" }
}

/// Asks a shell for every text. Each stands in a subshell: some end the shell.
fn ask(lab: &mut Lab, shell: &Installation, asked: &[(String, String)], table: &mut Table) {
    let text = asked.iter().fold(before(shell).to_owned(), |mut text, (_, line)| {
        writeln!(text, "({line}) </dev/null >/dev/null 2>&1").unwrap();
        text
    });
    for mark in marked(&lab.run_in(&case(&text), shell).unwrap()) {
        table.entry(asked[mark].0.clone()).or_default().push(shell.id.name.clone());
    }
}

/// Those of the names that are a command of this shell.
fn had_by(lab: &mut Lab, shell: &Installation, names: &BTreeSet<String>) -> BTreeSet<String> {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let each = format!("for n in {}; do command -v $n >&3 && echo $n; done", names.join(" "));
    printed(lab, shell, &format!("{} exec 3>/dev/null; {each}", before(shell)))
}

/// Whatever a shell evaluates, the guard must not allow.
fn assert_not_allowed(line: &str) {
    let prediction = Linked.predict(&case(line)).unwrap_or_else(|crash| panic!("{crash}: {line}"));
    assert_ne!(prediction.decision, Decision::Allow, "{line} is evaluated");
}

#[test]
fn what_built_ins_evaluate_is_not_allowed() {
    let mut lab = lab();
    let mut names: BTreeSet<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    names.extend(printed(&mut lab, &shell("bash"), "compgen -b"));
    names.extend(printed(&mut lab, &shell("zsh"), &format!("{MODULES} print -l ${{(k)builtins}}")));
    names.retain(|name| is_plain(name) && !NOT_ASKED.contains(&name.as_str()));
    assert!(names.len() > 100, "{names:?}");

    let mut table = Table::new();
    for shell in lab.shells.clone() {
        let had = had_by(&mut lab, &shell, &names);
        assert!(had.len() > 30, "{}: {had:?}", shell.id.name);
        for name in &had {
            let at = |(mark, place): (usize, &&str)| {
                (place.replacen('B', name, 1), line_of(name, place, mark))
            };
            let asked: Vec<(String, String)> = PLACES.iter().enumerate().map(at).collect();
            ask(&mut lab, &shell, &asked, &mut table);
        }
    }
    for what in table.keys() {
        let (name, rest) = what.split_once(' ').unwrap();
        assert_not_allowed(&line_of(name, &format!("B {rest}"), 0));
    }
    insta::assert_snapshot!(shown(&table));
}

#[test]
fn what_parameters_evaluate_or_mean_is_not_assigned() {
    let mut lab = lab();
    let zsh = format!("{MODULES} print -l ${{(k)parameters}}");
    let mut names = printed(&mut lab, &shell("bash"), "compgen -v");
    names.extend(printed(&mut lab, &shell("zsh"), &zsh));
    names.retain(|name| is_plain(name) && !name.starts_with(|it: char| it.is_ascii_digit()));
    assert!(names.len() > 150, "{names:?}");

    let mut table = Table::new();
    let names: Vec<String> = names.into_iter().collect();
    for (shell, some) in
        lab.shells.clone().iter().flat_map(|it| names.chunks(40).map(move |some| (it, some)))
    {
        let assigned = |(mark, name): (usize, &String)| {
            (name.clone(), format!("{name}='PWD[$(mark {mark})]'"))
        };
        let asked: Vec<(String, String)> = some.iter().enumerate().map(assigned).collect();
        ask(&mut lab, shell, &asked, &mut table);
    }
    // What a shell itself sets has a meaning to it, whether it computes it or not.
    for name in &names {
        assert_not_allowed(&format!("{name}='PWD[$(mark 0)]'; cat x"));
    }
    insta::assert_snapshot!(shown(&table));
}
