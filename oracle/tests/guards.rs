//! The strawmen: each is wrong in its own way, on a line that the shipped guard refuses, and real
//! shells show it.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, engine, shells};
use shfence_corpus::{
    Case, Decision, Entry, FindingKind, Invocation, Node, RelPath, Shells, TreeSpec,
};
use shfence_generators::{Settings, generate};
use shfence_oracle::guards::{Guard, GuardName, Linked, Strawman};
use shfence_oracle::judge::{Judgement, judge};
use std::collections::BTreeMap;

/// A strawman, a line that it allows and the shipped guard does not, and without which of these
/// texts a line cannot bring out its fault. (`LINK`: in the tree; `ENV`: a variable is set.)
struct Trap {
    strawman: &'static str,
    line: &'static str,
    bears_on: &'static [&'static str],
}

const fn trap(
    strawman: &'static str,
    line: &'static str,
    bears_on: &'static [&'static str],
) -> Trap {
    Trap { strawman, line, bears_on }
}

/// What joins commands.
const JOINS: &[&str] = &[";", "&", "|", "\n", "(", "{"];

const TRAPS: &[Trap] = &[
    trap("allow-everything", "mv x /case/outside/x", &[""]),
    trap("any-segment", "cat x; cat /case/outside/secret", JOINS),
    trap("first-segment", "cat x && cat /case/outside/secret", JOINS),
    trap("first-line", "cat x\ncat ../outside/secret", &["\n"]),
    trap("string-prefix", "cat ../outside/secret", &["LINK", "..", "proj-evil", "git"]),
    trap("relative-inside", "cat ../outside/secret", &["LINK", "..", "~", "*", "?", "[", "git"]),
    trap(
        "looks-harmless",
        "[ -e /case/outside/secret ]",
        &["LINK", "..", "/case", "/etc", "/home", "/opt", "/srv", "cd", "~", "find"],
    ),
    trap("lexical-only", "cat leak", &["LINK"]),
    trap("dangling-inside", "cat gone", &["LINK"]),
    trap("cd-allowed", "cd ..; cat outside/secret", &["cd"]),
    trap("cd-always-succeeds", "cd nosuch; cat ../outside/secret", &["cd"]),
    trap("cd-physical", "cd deep && cd ../.. && cat outside/secret", &["cd"]),
    trap("cd-minus-stays", "cd -; ls", &["cd"]),
    trap("subshell-stays", "(cd src); cat ../outside/secret", &["("]),
    trap("last-stage-ends", "cd src; true | cd ..; cat ../outside/secret", &["|"]),
    trap("or-never-runs", "cat nosuch || cat ../outside/secret", &["||"]),
    trap("cdpath-ignored", "cd only; cat x", &["ENV"]),
    trap("home-inside", "cat ~/secret", &["~", "HOME", "cd", "git"]),
    trap("pwd-ignored", "cd ../..; ls", &["ENV", "PWD"]),
    trap("operands-by-text", "cat src/up/../outside/secret", &["LINK", ".."]),
    trap("redirections-never-fail", "cd src <nosuch; cat ../outside/secret", &["<", ">"]),
    trap("redirections-harmless", "cat <../outside/secret", &["<", ">"]),
    trap("prefixes-harmless", "TZ=/case/outside/secret date", &["="]),
    trap("substitutions-unread", "echo \"$(cat ../outside/secret)\"", &["$(", "`", "<("]),
    trap("env-unread", "env cat ../outside/secret", &["env"]),
    trap("find-unread", "find . -exec cat ../outside/secret {} +", &["find"]),
    trap("xargs-unread", "find . -name x | xargs cat ../outside/secret", &["xargs"]),
    trap("git-trusted", "git log", &["git"]),
    trap("walks-stay", "find . -name leak -exec cat {} +", &["LINK"]),
    trap("comments-to-the-end", "cat x # y\ncat ../outside/secret", &["#"]),
    trap("documents-to-the-end", "cat <<E\nE\ncat ../outside/secret", &["<<"]),
    trap("dollar-quotes-plain", "cat $'..\\057outside\\057secret'", &["$"]),
    trap("patterns-are-text", "cat le?k", &["*", "?", "["]),
    trap("matches-are-operands", "cd opt && ls *", &["*"]),
    trap("braces-are-text", "cat {../outside/secret,x}", &["{"]),
    trap("tildes-are-text", "cat ~/secret", &["~"]),
    trap("parameters-are-text", "cat \"$HOME\"/secret", &["$"]),
    trap("long-options-unread", "wc -l --files0-from=../outside/secret", &["--"]),
];

impl Trap {
    fn strawman(&self) -> Strawman {
        self.strawman.parse().unwrap()
    }

    /// The line in a tree that has what every trap needs.
    fn case(&self) -> Case {
        let mut case = case(self.line);
        let mut entries: BTreeMap<RelPath, Node> =
            case.tree.entries().map(|(path, node)| (path.clone(), node.clone())).collect();
        let links = [
            ("proj/gone", "../outside/nosuch"),
            ("proj/deep", "src/deep"),
            ("proj/src/leak", "../../outside"),
            ("proj/src/up", ".."),
            ("proj/opt/sub/out", "../../../outside"),
        ];
        for (path, to) in links {
            entries.insert(RelPath::new(path).unwrap(), Node::Link { to: to.into() });
        }
        let files = ["proj/src/deep/x", "proj/opt/-LR", "outside/only/x", "proj/outside/secret"];
        for path in files {
            let node = Node::File { text: "text".into(), executable: false };
            entries.insert(RelPath::new(path).unwrap(), node);
        }
        let entries = entries.into_iter().map(|(path, node)| Entry { path, node });
        case.tree = TreeSpec::new(entries).unwrap();
        let mut set = |name: &str| {
            case.env.insert(name.to_owned(), Some("/case/outside".into()));
        };
        match self.strawman {
            "cdpath-ignored" => set("CDPATH"),
            "cd-minus-stays" => set("OLDPWD"),
            "pwd-ignored" => {
                case.cwd = RelPath::new("proj/src/deep").unwrap();
                case.pwd = Some("/case/proj/deep".into());
            }
            // The repository stands outside.
            "git-trusted" => case = git_outside(),
            _ => {}
        }
        case
    }

    /// Can the fault make a difference to this case?
    fn bears(&self, case: &Case) -> bool {
        // As it is once the shell has taken the quotes away.
        let bare: Vec<u8> =
            case.line.iter().copied().filter(|byte| !b"'\"\\".contains(byte)).collect();
        let bare = String::from_utf8_lossy(&bare);
        let links = case.tree.entries().any(|(_, node)| matches!(node, Node::Link { .. }));
        self.bears_on.iter().any(|text| match *text {
            "LINK" => links,
            "ENV" => !case.env.is_empty() || case.pwd.is_some(),
            text => bare.contains(text),
        })
    }
}

/// A generated case with a repository outside of the project, which the project's names.
fn git_outside() -> Case {
    let settings =
        Settings { families: std::array::from_fn(|at| u32::from(at == 11)), ..Settings::default() };
    let names = |case: &Case| {
        case.tree
            .entries()
            .any(|(path, node)| path.as_bytes() == b"proj/.git" && !matches!(node, Node::Dir))
    };
    let cases = (0..).map(|index| generate(1, index, &settings).case);
    let mut case = cases.into_iter().find(names).unwrap();
    case.line = "git log".into();
    case.env.clear();
    case.pwd = None;
    case.cwd = RelPath::new("proj").unwrap();
    case.shells = Shells::ALL;
    case.invocation = Invocation::C;
    case
}

#[test]
fn each_strawman_falls_into_its_trap_and_the_shipped_guard_into_none() {
    let mut wrong = Vec::new();
    for trap in TRAPS {
        let Trap { strawman, line, .. } = trap;
        let linked = Linked.predict(&trap.case()).unwrap();
        if linked.decision == Decision::Allow {
            wrong.push(format!("linked allows {line:?}"));
        }
        let said = trap.strawman().predict(&trap.case()).unwrap();
        if said.decision != Decision::Allow {
            wrong.push(format!("{strawman}: {line:?}: {:?}", said.reasons));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let trapped: Vec<&str> = TRAPS.iter().map(|trap| trap.strawman).collect();
    assert_eq!(trapped, Strawman::all().map(Strawman::short_name).collect::<Vec<_>>());
}

#[test]
fn each_trap_escapes_wherever_its_strawman_is_wrong() {
    let mut engine = engine();
    let mut wrong = Vec::new();
    for shell in shells() {
        for trap in TRAPS.iter().filter(|it| it.strawman().wrong_in().contains(shell.id.shell)) {
            let case = trap.case();
            let trace = engine.run(&case, &shell).unwrap();
            let found = match judge(&trap.strawman().predict(&case).unwrap(), &trace) {
                Judgement::Contradicted(found) => found,
                Judgement::Agree | Judgement::Inconclusive(_) => Vec::new(),
            };
            if !found.iter().any(|it| it.kind == FindingKind::TreeEscape) {
                wrong.push((trap.strawman, shell.id.name.clone(), found));
            }
            assert_eq!(judge(&Linked.predict(&case).unwrap(), &trace), Judgement::Agree);
        }
    }
    assert_eq!(wrong, []);
}

/// A wrong belief cuts both ways: it may make a strawman refuse what the shipped guard allows. But
/// where it does not bear, the two must be one and the same guard.
#[test]
fn a_strawman_is_the_shipped_guard_wherever_its_one_fault_does_not_bear() {
    let settings = Settings::default();
    let mut compared: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut wrong = BTreeMap::new();
    for index in 0..3_000 {
        let case = generate(7, index, &settings).case;
        let linked = Linked.predict(&case).unwrap();
        for trap in TRAPS {
            let (strawman, line) = (trap.strawman(), &case.line);
            if trap.bears(&case) {
                continue;
            }
            let said = strawman.predict(&case).unwrap();
            if (said.decision, said.plan) != (linked.decision, linked.plan.clone()) {
                wrong.entry(strawman.short_name()).or_insert_with(|| format!("7:{index} {line}"));
            }
            let allowed = linked.decision == Decision::Allow;
            compared.entry(strawman.short_name()).or_default()[usize::from(allowed)] += 1;
        }
    }
    assert_eq!(wrong, BTreeMap::new());
    assert_eq!(compared.len(), TRAPS.len() - 1, "all but the one that allows everything");
    let enough = compared.values().all(|counts| counts.iter().all(|count| *count >= 20));
    assert!(enough, "too few were compared (refused, allowed): {compared:?}");
}

#[test]
fn names_lead_back_to_their_guards() {
    for strawman in Strawman::all() {
        let name: GuardName = strawman.name().parse().unwrap();
        assert_eq!(name, GuardName::Strawman(strawman));
        assert_eq!(name.guard().name(), strawman.name());
        assert!(name.is_strawman() && !name.wrong_in().is_empty());
    }
    assert_eq!("linked".parse(), Ok(GuardName::Linked));
    for unknown in ["", "Linked", "strawman:", "strawman:linked", "any-segment"] {
        let error = unknown.parse::<GuardName>().unwrap_err();
        assert!(error.contains("expected"), "{error}");
    }
}

/// A campaign of refusals proves nothing: the generators must aim at what the guard allows.
#[test]
fn at_least_three_in_ten_generated_cases_are_allowed() {
    let mut by_family: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    for index in 0..2_000 {
        let generated = generate(0, index, &Settings::default());
        let prediction = Linked.predict(&generated.case).expect("the guard answers");
        let allowed = prediction.decision == Decision::Allow;
        by_family.entry(generated.family.name()).or_default()[usize::from(allowed)] += 1;
    }
    let share = |[refused, allowed]: [u32; 2]| 100 * allowed / (refused + allowed);
    let all = by_family.values().fold([0, 0], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
    assert!(share(all) >= 30, "allowed: {} %, {by_family:?}", share(all));
    // Each family, but those that are about what the guard does not understand, what it must
    // refuse, text that becomes code, and tools that it does not know, or know to leave.
    const REFUSED: [&str; 5] = ["code", "expansion", "repository", "system", "tools"];
    let poor = by_family.iter().filter(|(name, it)| !REFUSED.contains(name) && share(**it) < 30);
    assert_eq!(poor.collect::<Vec<_>>(), [], "{by_family:?}");
}
