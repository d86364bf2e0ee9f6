//! Verbs that a configuration declares: what they open, and what they never do.

#[allow(dead_code)] // other tests need the rest of it
mod project;

use project::Project;
use shfence::config::{Configuration, Layer};
use shfence::rules::Level;
use shfence::{Cwd, Dialects, Env, Invocation, Limits, MemoryView, Profile, Request, Scope};
use std::path::Path;

const VERBS: &str = r#"
[[verb]]
names = ["mytool"]
class = "read"
flags = ["-q --quiet"]
texts = ["-m --message"]
governed-by = ["MYTOOL_*"]
ask = ["mytool", "mytool fix a"]

[[verb.sub]]
names = ["check"]
flags = ["--strict"]
values = { "--config" = "config" }
operands = { rest = "read", min = 1 }
allow = ["mytool check --strict a b"]
ask = ["mytool check", "mytool check --other a"]

[[verb]]
names = ["dotenv"]
class = "read"
parser = "stopping"
values = { "-f" = "read" }
operands = { rest = "run", min = 1 }
allow = ["dotenv -- ls", "dotenv -f a ls"]

[[verb]]
names = ["gen", "gen2"]
class = "build"
flags = ["-n"]
operands = { rest = "text" }

[[verb]]
names = ["poke"]
class = "edit"
operands = { rest = "write", min = 1 }

[[verb]]
names = ["gh"]
class = "read"
operands = { rest = "text" }
"#;

fn layer(level: Level, text: &str) -> Layer {
    Layer::read(level, Path::new("c.toml"), text)
}

fn decide(line: &str, configuration: &Configuration, env: &Env) -> String {
    let mut view = MemoryView::default();
    view.file("/p/src/a", "").file("/p/.env", "").file("/p/AGENTS.md", "").link("/p/out", "/etc");
    view.dir("/p/.git").file("/etc/passwd", "");
    let scope = Scope::new(&["/p".into()], &view).expect("the project has a root");
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) },
        scope: &scope,
        home: None,
        env,
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &configuration.policy,
        limits: Limits::default(),
    };
    let verdict = shfence::decide(&request, &view);
    let mut shown = vec![verdict.decision.to_string()];
    shown.extend(verdict.reasons.iter().map(|it| it.code.name()));
    shown.dedup();
    shown.join(" ")
}

// tidy: table
#[rustfmt::skip]
const LINES: &[(&str, &str)] = &[
    ("mytool check src/a", "allow"), ("mytool -q check --strict src", "allow"),
    ("cd src && mytool check a", "allow"), ("mytool check --config=src/a src", "allow"),
    ("mytool -m hello check src/a", "allow"), ("timeout 5 mytool check src/a", "allow"),
    ("find src -name a | xargs mytool check src/a", "allow"),
    ("find src -name a | xargs gen", "ask word-unknown"), ("find . -name out | xargs mytool check a", "ask path-outside"),
    ("gen src/*", "allow"), ("gen *", "ask protected path-outside"), ("mytool check *", "ask path-outside"),
    // Not declared.
    ("mytool", "ask undeclared-option"), ("mytool fix a", "ask undeclared-option"),
    ("mytool check --fix a", "ask undeclared-option"), ("./mytool check a", "ask undeclared-verb"),
    ("mytool check --stri a", "ask undeclared-option"),
    // The scope, secrets: whatever the entry says of a word.
    ("mytool check ../x", "ask path-outside"), ("mytool check out/passwd", "ask path-outside"),
    ("mytool -m /etc/passwd check a", "ask path-outside"), ("mytool check .env", "ask protected"),
    ("mytool -m x=../x check a", "ask path-outside"), ("mytool -m $x check a", "ask word-unknown"),
    ("gen ../x", "ask path-outside"), ("gen .env", "ask protected"), ("gen -n text", "allow"),
    ("gen2 --no", "ask undeclared-option"), ("gen $x", "ask word-unknown"),
    ("gen AGENTS.md", "ask protected"), ("gen .git/config", "ask protected"),
    ("poke a", "ask undeclared-verb"),
    // A wrapper: what it runs is judged.
    ("dotenv -- cat src/a", "allow"), ("dotenv cat src/a", "allow"), ("dotenv -f src/a ls", "allow"),
    ("dotenv -- mytool check src/a", "allow"), ("dotenv -f .env ls", "ask protected"),
    ("dotenv -- rm -r src", "ask undeclared-verb"), ("dotenv -- cat /etc/passwd", "ask path-outside"),
    ("dotenv -- sh -c ls", "ask not-understood"), ("dotenv $x", "ask word-unknown"), ("dotenv", "ask undeclared-option"),
    ("dotenv -x ls", "ask undeclared-option"), ("dotenv -- ls > src/b", "ask writes"),
    // What no rule opens.
    ("gh pr merge 1", "ask ceiling"), ("gh pr view 1", "allow"),
    ("mytool check a > src/b", "ask writes"), ("mytool check a &", "ask background"),
];

fn ours() -> Configuration {
    let layer = layer(Level::User, VERBS);
    assert_eq!(layer.faults(), []);
    Configuration::of(vec![layer], None)
}

#[test]
fn lines_are_judged_as_the_table_says() {
    let ours = ours();
    let wrong: Vec<String> = LINES
        .iter()
        .map(|(line, expected)| (line, decide(line, &ours, &Env::new()), *expected))
        .filter(|(_, found, expected)| !found.starts_with(expected))
        .map(|(line, found, expected)| format!("{line:?}: {found}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn profiles_hold_for_them() {
    let mut ours = ours();
    ours.policy.profile = Profile::Edit;
    for (line, expected) in [
        ("poke src/a", "allow"),
        ("poke src/new && cat src/new", "allow"),
        ("poke ../x", "ask"),
        ("poke AGENTS.md", "ask"),
        ("poke .git/config", "ask"),
        ("poke out/x", "ask"),
    ] {
        let found = decide(line, &ours, &Env::new());
        assert!(found.starts_with(expected), "{line}: {found}");
    }
    ours.policy.profile = Profile::Read;
    assert!(decide("gen x", &ours, &Env::new()).starts_with("ask"));
    assert_eq!(decide("mytool check src/a", &ours, &Env::new()), "allow");
}

#[test]
fn variables_that_govern_them_ask() {
    let env = Env::from([(b"MYTOOL_CONFIG".to_vec(), b"x".to_vec())]);
    assert_eq!(decide("mytool check src/a", &ours(), &env), "ask environment");
    assert_eq!(decide("gen x", &ours(), &env), "allow");
    assert!(ours().policy.verbs.is_governed_by(b"MYTOOL_X"));
}

#[test]
fn rules_hold_for_them() {
    let closed =
        format!("{VERBS}\n[[deny]]\ncommand = \"rm\"\n[[ask]]\ncommand = \"mytool check\"");
    let ours = Configuration::of(vec![layer(Level::User, &closed)], None);
    for (line, expected) in
        [("dotenv -- rm src/a", "deny"), ("mytool check a", "ask"), ("dotenv -- ls", "allow")]
    {
        let found = decide(line, &ours, &Env::new());
        assert!(found.starts_with(expected), "{line}: {found}");
    }
}

#[test]
fn a_project_declares_none_until_it_is_trusted() {
    let project = layer(Level::Project, VERBS);
    let whole = Configuration::of(vec![project.clone()], None);
    assert!(decide("mytool check src/a", &whole, &Env::new()).starts_with("ask"));
    assert!(whole.notes[0].starts_with("it declares 5 verbs, which does not count"));
    let whole = Configuration::of(vec![project.trusted()], None);
    assert_eq!(decide("mytool check src/a", &whole, &Env::new()), "allow");
    // What the person has said of a name stays.
    let person = layer(Level::User, "[[verb]]\nnames = [\"gen\"]\nclass = \"read\"");
    let project = layer(Level::Project, VERBS).trusted();
    let whole = Configuration::of(vec![person, project], None);
    assert!(decide("gen x", &whole, &Env::new()).starts_with("ask"));
    assert_eq!(whole.notes, ["c.toml: the verb 'gen' is declared already, and stays as it is"]);
}

// tidy: table
#[rustfmt::skip]
const WRONG: &[(&str, &str)] = &[
    ("names = [\"x\"]", "c.toml:1: the verb 'x': it has no class"),
    ("names = []\nclass = \"read\"", "it has no name"),
    ("class = \"read\"", "missing field `names`"),
    ("names = [\"cat\"]\nclass = \"read\"", "it is among the shipped verbs"),
    ("names = [\"sed\"]\nclass = \"edit\"", "it is among the shipped verbs"),
    ("names = [\"mkdir\"]\nclass = \"edit\"", "it is among the shipped verbs"),
    ("names = [\"./x\"]\nclass = \"read\"", "a name is one word"),
    ("names = [\"git log\"]\nclass = \"read\"", "a name is one word"),
    ("names = [\"-x\"]\nclass = \"read\"", "a name is one word"),
    ("names = [\"\"]\nclass = \"read\"", "a name is one word"),
    ("names = [\"eval\"]\nclass = \"read\"", "know what this name means"),
    ("names = [\"sudo\"]\nclass = \"read\"", "know what this name means"),
    ("names = [\"if\"]\nclass = \"read\"", "know what this name means"),
    ("names = [\"export\"]\nclass = \"read\"", "know what this name means"),
    ("names = [\"x\"]\nclass = \"write\"", "unknown variant `write`"),
    ("names = [\"x\"]\nclass = \"read\"\nlanguage = \"words\"", "for shipped verbs"),
    ("names = [\"x\"]\nclass = \"read\"\nedits-as-well = true", "for shipped verbs"),
    ("names = [\"x\"]\nclass = \"read\"\nflag = []", "unknown field `flag`"),
    ("names = [\"x\"]\nclass = \"read\"\nflags = [\"x\"]", "flags: \"x\" is no option"),
    ("names = [\"x\"]\nclass = \"read\"\nflags = [\"-a\"]\ntexts = [\"-a\"]", "texts: -a is declared twice"),
    ("names = [\"x\"]\nclass = \"read\"\nsets = [\"no\"]", "there is no set"),
    ("names = [\"x\"]\nclass = \"read\"\nseeks = [\"no\"]", "seeks: nothing says what no is"),
    ("names = [\"x\"]\nclass = \"read\"\nvalues = { \"-a\" = \"no\" }", "expected what a word is"),
    ("names = [\"x\"]\nclass = \"read\"\nsub = [{ names = [\"a\"], like = \"nosuch\" }]", "is no verb"),
    ("names = [\"x\"]\nclass = \"read\"\nallow = [\"x -a\"]", "the example 'x -a': '-a' is not declared"),
    ("names = [\"x\"]\nclass = \"read\"\nask = [\"x\"]", "'x' is declared, but stands under 'ask'"),
    ("names = [\"x\"]\nclass = \"read\"\nallow = [\"y\"]", "is of another verb"),
    ("names = [\"x\"]\nclass = \"read\"\n[[verb]]\nnames = [\"x\"]\nclass = \"read\"", "c.toml:4: this file declares the verb 'x' twice"),
];

/// A verb that cannot be read: every line asks, with the file, the line and what is wrong.
#[test]
fn what_is_wrong_is_said() {
    for (text, expected) in WRONG {
        let layer = layer(Level::User, &format!("[[verb]]\n{text}\n"));
        let faults: Vec<String> = layer.faults().iter().map(ToString::to_string).collect();
        let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
        assert!(fault.starts_with("c.toml:") && fault.contains(expected), "{text}: {fault}");
        let whole = Configuration::of(vec![layer], None);
        let found = decide("ls", &whole, &Env::new());
        assert!(found.starts_with("ask"), "{text}: {found}");
    }
}

#[test]
fn they_are_shown() {
    let project = Project::plant();
    let home = project.root.join("../home");
    std::fs::create_dir_all(home.join(".config/shfence")).expect("it can be made");
    std::fs::write(home.join(".config/shfence/config.toml"), VERBS).expect("it can be written");
    let env = [("HOME", home.to_str().expect("it is text"))];
    let run = |args: &[&str]| {
        let args: Vec<_> = args.iter().map(std::ffi::OsStr::new).collect();
        project.run_in(".", &env, &args, b"")
    };
    let shown = run(&["verbs", "mytool"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    for part in ["mytool (class read)", "declared in", "config.toml:2", "then          check"] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    assert!(run(&["verbs"]).stdout.contains("your own:\n  dotenv gen gen2 gh mytool poke"));
    assert!(run(&["rules"]).stdout.contains("verb  dotenv"));
    assert_eq!(run(&["check", "--", "mytool check src/main.rs"]).code, 0);
    assert_eq!(run(&["check", "--no-config", "--", "mytool check src/main.rs"]).code, 1);
}
