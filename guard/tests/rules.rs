//! Rules, from the library's outside: what they may change about a verdict, and what never.

#[allow(dead_code)] // other tests need the rest of it
mod lines;

use lines::{noisy, render};
use proptest::prelude::*;
use shfence::rules::{Kind, Level, Pattern, Rule, Source, propose};
use shfence::{Code, Cwd, Cwds, Decision, Dialects, Env, Invocation, Limits, MemoryView, Policy};
use shfence::{Request, Role, Scope, Verdict};
use std::path::Path;

fn project() -> MemoryView {
    let mut view = MemoryView::default();
    view.file("/p/src/main.rs", "fn main() {}").file("/p/a/b/f", "").dir("/p/a/src");
    view.link("/p/link", "a/b").link("/p/out", "/etc").link("/p/loop", "loop");
    view.file("/etc/passwd", "").file("/p/AGENTS.md", "").file("/p/package.json", "{}");
    view.file("/p/.git/HEAD", "ref: refs/heads/x\n").file("/p/.git/config", "");
    view.dir("/p/.git/objects").dir("/p/.git/refs").file("/bin/rm", "").dir("/q/.git");
    view
}

fn rule(kind: Kind, text: &str) -> Rule {
    let pattern = Pattern::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let source = Source { level: Level::User, file: "c.toml".to_owned(), line: 1 };
    Rule { kind, pattern, reason: None, expires: None, source }
}

fn policy(rules: &[(Kind, &str)]) -> Policy {
    let rules = rules.iter().map(|(kind, text)| rule(*kind, text)).collect();
    Policy { rules, ..Policy::default() }
}

fn decide(line: &str, policy: &Policy) -> Verdict {
    let view = project();
    let scope = Scope::new(&["/p".into()], &view).expect("the project has a root");
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) },
        scope: &scope,
        home: Some(Path::new("/p/a")),
        env: &Env::new(),
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy,
        limits: Limits::default(),
    };
    shfence::decide(&request, &view)
}

fn codes(verdict: &Verdict) -> String {
    let mut codes: Vec<String> = verdict.reasons.iter().map(|it| it.code.name()).collect();
    codes.dedup();
    codes.join(" ")
}

/// What only a rule opens may read what comes in.
#[test]
fn a_rule_opens_nothing_that_takes_a_part_of_lines() {
    let tool = policy(&[(Kind::Allow, "mytool")]);
    for (line, decision) in [
        ("find src | while read f; do cat $f; mytool; done", Decision::Ask),
        ("find src | while read f; do cat $f; mytool < a; done", Decision::Allow),
        ("for f in $(find src); do cat $f; mytool; done", Decision::Allow),
    ] {
        assert_eq!(decide(line, &tool).decision, decision, "{line}");
    }
}

#[test]
fn a_deny_rule_matches_at_any_depth() {
    let rm = policy(&[(Kind::Deny, "rm"), (Kind::Allow, "rm")]);
    for line in [
        "rm a",
        "\\rm a",
        "'rm' a",
        "/bin/rm a",
        "command rm a",
        "ls | xargs rm",
        "env CI=1 rm a",
        "env X=1 rm a",
        "find src -exec rm {} +",
        "find . -newerXY x -exec rm {} +",
        "echo \"$(rm a)\"",
        "(cd src; rm a)",
        "for x in a b; do rm $x; done",
        "{ rm a; } >f",
        "if true; then ls; else rm a; fi",
        "case a in b) rm a;; esac",
        "timeout 5 nice rm a",
        "cat <<E\n$(rm a)\nE",
        "true || rm a",
        "rm a &",
        "sudo rm a",
        "bash -c 'rm a'",
        "[[ -f a ]] && rm a",
        "r=rm; $r a; rm b",
        "time rm a",
        "exit; rm a",
        "xargs -0 rm <a",
        "xargs --what rm",
        "nohup rm a",
        "eval rm a",
        "CI=1 rm a",
    ] {
        let verdict = decide(line, &rm);
        assert_eq!(verdict.decision, Decision::Deny, "{line}: {}", codes(&verdict));
        assert_eq!(verdict.reasons[0].code, Code::DenyRule, "{line}");
        assert!(verdict.root.is_none() && verdict.rules.len() == 1, "{line}");
    }
    for line in ["echo rm", "grep -e rm src/main.rs", "ls -- src # rm", "cat <<E\nrm a\nE"] {
        assert_eq!(decide(line, &rm).decision, Decision::Allow, "{line}");
    }
    for line in ["find . -name rm -newerXY x", "$r a", "\"$r\" a", "git commit -m 'rm a' ~~"] {
        assert_eq!(decide(line, &rm).decision, Decision::Ask, "{line}");
    }
}

#[test]
fn what_may_be_what_a_rule_names_asks() {
    let echo = policy(&[(Kind::Deny, "echo secret"), (Kind::Ask, "ls -l")]);
    for line in ["echo \"$x\"", "echo -n \"$x\" secret", "ls -l src", "ls -a -l", "ls -la"] {
        assert_eq!(decide(line, &echo).decision, Decision::Ask, "{line}");
    }
    for line in ["echo a \"$x\"", "ls src", "ls -a"] {
        assert_eq!(decide(line, &echo).decision, Decision::Allow, "{line}");
    }
    assert_eq!(codes(&decide("echo \"$x\"", &echo)), "rule-unsure");
    assert_eq!(codes(&decide("ls -l", &echo)), "ask-rule");
}

// tidy: table
#[test]
#[rustfmt::skip]
fn an_allow_rule_opens_a_verb_and_nothing_else() {
    let opens = policy(&[
        (Kind::Allow, "frob"),
        (Kind::Allow, "npm install"),
        (Kind::Allow, "git commit"),
        (Kind::Allow, "git push"),
        (Kind::Allow, "git merge"),
        (Kind::Allow, "mv"), (Kind::Allow, "rm"),
        (Kind::Allow, "sed"),
        (Kind::Allow, "python3"),
        (Kind::Allow, "awk"),
        (Kind::Allow, "env"),
        (Kind::Allow, "timeout"),
        (Kind::Allow, "bash"),
        (Kind::Allow, "ln"),
        (Kind::Allow, "find"),
        (Kind::Allow, "grep"),
    ]);
    for line in [
        "frob",
        "cd src && frob main.rs",
        "timeout 5 frob a",
        "frob src/*.rs",
        "npm install x",
        "git commit -m hello",
        "git push origin x:y",
        "mv a b",
        "frob https://x.example/../y",
        "sed -i s/a/b/ src/main.rs",
        "python3 src/gen.py",
        "frob a | head",
        "cat a/b/f | frob",
        "frob --x=src -oa",
        "frob --",
    ] {
        let verdict = decide(line, &opens);
        assert_eq!(verdict.decision, Decision::Allow, "{line}: {:?}", verdict.reasons);
        assert_eq!(verdict.rules.len(), 1, "{line}");
    }
    for (line, code) in [
        ("frob ../x", "path-outside"),
        ("frob out/passwd", "path-outside"),
        ("frob loop", "path-unresolved"),
        ("frob -I/etc", "path-outside"),
        ("frob -ro../x", "path-outside"), ("frob -roout/x", "path-outside"), ("frob -abcdefghijklmnopqr", "path-unresolved"),
        ("frob --to-command=a", "ceiling"), ("frob SHELL=a", "ceiling"),
        ("frob --x=/etc", "path-outside"),
        ("frob a:/etc", "path-outside"),
        ("frob @/etc/x", "path-outside"),
        ("frob file:///etc", "path-outside"),
        ("frob '~/x'", "path-unresolved"),
        ("cd ..; frob", "cwd-outside"),
        ("frob \"$x\"", "word-unknown"),
        ("frob $x", "word-unknown"),
        ("frob >f", "writes"),
        ("frob >out/f", "path-outside"),
        ("frob .env", "protected"),
        ("frob AGENTS.md", "protected"),
        ("frob .git/config", "protected"),
        ("X=1 frob", "assignment"),
        ("frob &", "background"),
        ("./frob", "undeclared-verb"),
        ("/bin/frob", "undeclared-verb path-outside"),
        ("frob; nosuch", "undeclared-verb"),
        ("git push", "ceiling"), ("git commit -F -m \"$x\"", "word-unknown"), ("git commit -m $x", "word-unknown"),
        ("git push origin main", "ceiling"),
        ("git merge x", "ceiling"),
        ("mv . x", "protected"), ("mv -t a/b .", "protected"), ("mv ../p x", "protected"),
        ("git -c alias.x=push commit", "undeclared-option"),
        ("cd /q && git commit", "cwd-outside"),
        ("mv a b; cat b", "path-unresolved"),
        ("ln -s ../.. a/b/up; cat a/b/up", "path-outside path-unresolved"),
        ("sed 1w/etc/x a", "ceiling"),
        ("sed -i 'e x' a", "ceiling"),
        ("python3 -c x", "ceiling"),
        ("echo x | python3", "ceiling"),
        ("awk 'BEGIN{system(1)}'", "not-understood/opaque-command"),
        ("timeout 5 nosuch", "undeclared-verb"),
        ("env -i ls", "not-understood/opaque-command"),
        ("bash x", "not-understood/opaque-command"),
        ("find . -delete", "not-understood/opaque-command"),
        ("grep --frob .env a", "protected"),
    ] {
        let verdict = decide(line, &opens);
        assert_eq!(verdict.decision, Decision::Ask, "{line}");
        assert!(codes(&verdict).contains(code), "{line}: {}", codes(&verdict));
    }
}

#[test]
fn deny_beats_ask_beats_allow_and_a_fault_asks() {
    let all = |kinds: &[Kind]| {
        let rules: Vec<(Kind, &str)> = kinds.iter().map(|kind| (*kind, "frob")).collect();
        policy(&rules)
    };
    use Kind::{Allow, Ask, Deny};
    for (kinds, decision) in [
        (&[Allow, Ask, Deny][..], Decision::Deny),
        (&[Ask, Allow], Decision::Ask),
        (&[Deny, Allow], Decision::Deny),
        (&[Allow], Decision::Allow),
    ] {
        assert_eq!(decide("frob", &all(kinds)).decision, decision, "{kinds:?}");
        let faulty = Policy { faults: vec!["c.toml:1: wrong".to_owned()], ..all(kinds) };
        let wanted = decision.max(Decision::Ask);
        assert_eq!(decide("frob", &faulty).decision, wanted, "{kinds:?}");
        assert_eq!(decide("ls", &faulty).decision, Decision::Ask);
        assert_eq!(decide("ls (", &faulty).reasons[0].code, Code::Configuration);
    }
}

#[test]
fn protected_names_ask_wherever_they_stand() {
    let policy =
        Policy { protected_names: vec!["*.db".to_owned()], ..policy(&[(Kind::Allow, "frob")]) };
    for line in ["cat x.db", "cat a/X.DB", "cat <y.db", "frob z.db", "cat x.db/y"] {
        assert_eq!(decide(line, &policy).decision, Decision::Ask, "{line}");
    }
    for line in ["ls x.db", "cat x.dbx", "frob z"] {
        assert_eq!(decide(line, &policy).decision, Decision::Allow, "{line}");
    }
}

// tidy: table
#[test]
#[rustfmt::skip]
fn the_narrowest_useful_rule_is_proposed() {
    let proposed = |line: &str| {
        let proposals = propose(&decide(line, &Policy::default())).into_iter();
        let texts =
            proposals.map(|it| it.map_or_else(|why| format!("! {why}"), |it| it.to_string()));
        texts.collect::<Vec<_>>().join(", ")
    };
    for (line, rule) in [
        ("npm install left-pad", "npm install"),
        ("cd src && npm ci 2>&1 | tail", "npm ci"),
        ("git add -A && git commit -m 'a b'", "git add, git commit"),
        ("git -C a push", "git -C a push"),
        ("git stash push x", "git stash push"),
        ("docker compose up -d", "docker compose up"),
        ("gh pr create --fill", "gh pr create"),
        ("mkdir -p a/b", "mkdir"),
        ("rm a", "rm"),
        ("bd list --json", "bd list"),
        ("bd ../x", "bd"),
        ("timeout 5 frob run a", "frob run"),
        ("cargo install x", "cargo install"),
        ("python3 src/gen.py a", "python3 src/gen.py"),
        ("python3 -m http.server", "python3 -m http.server"),
        ("uv run frob x", "uv run frob"),
        ("sort -o a b", "sort -o"),
        ("sed -i s/a/b/ f", "sed -i"),
        ("./run.sh a", "./run.sh a"),
        ("echo $(frob a)", "frob a"),
        ("for f in a b; do frob $f; done", "frob"),
        ("ls", ""),
        ("npx frob x", "npx frob"),
        ("frob X", "frob"),
        ("terraform apply -auto-approve", "terraform apply"),
    ] {
        assert_eq!(proposed(line), rule, "{line}");
    }
    for line in [
        "python3 -c x",
        "node",
        "python3",
        "ssh host ls",
        "git",
        "git --frob",
        "npx --yes x",
        "perl -e x",
        "vim a",
        "npm exec",
        "docker run",
        "kubectl get pods",
        "uv run",
        "crontab a",
    ] {
        assert!(proposed(line).starts_with("! "), "{line}: {}", proposed(line));
    }
}

const NAMES: &[&str] =
    &["cat", "ls", "nosuch", "nosuch", "./x", "cd", "echo", "head", "wc", "pwd", "true", "*"];
/// What stands for `nosuch` in lines and rules: programs that rules treat in ways of their own.
const PROGRAMS: &[&str] = &["nosuch", "mv", "rm", "git", "sed", "python3", "npm", "tar", "timeout"];

/// A line, and another text, in which `nosuch` is one of these.
fn with_program(line: &str, text: &str, program: &str) -> (String, String) {
    (line.replace("nosuch", program), text.replace("nosuch", program))
}
const WORDS: &[&str] = &["src", "a", "-l", "link", "..", "/etc/passwd", "*", "out/passwd", "-"];

/// A rule's text that is likely to be about a random line.
fn rule_text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS);
    (prop::sample::select(NAMES), prop::collection::vec(word, 0..2), any::<bool>()).prop_map(
        |(name, words, end)| {
            let end = if end { " $" } else { "" };
            format!("{name} {}{end}", words.join(" "))
        },
    )
}

fn some_rules() -> impl Strategy<Value = Policy> {
    let kind = prop::sample::select(&[Kind::Deny, Kind::Ask, Kind::Allow][..]);
    prop::collection::vec((kind, rule_text()), 0..4).prop_map(|rules| Policy {
        rules: rules.iter().map(|(kind, text)| rule(*kind, text)).collect(),
        ..Policy::default()
    })
}

/// The policy and one rule more.
fn plus(policy: &Policy, kind: Kind, text: &str) -> Policy {
    let rules = policy.rules.iter().cloned().chain([rule(kind, text)]).collect();
    Policy { rules, ..policy.clone() }
}

/// Is everything that the plan uses in the project?
fn stays_inside(verdict: &Verdict) -> bool {
    let is_inside = |path: &shfence::Physical| path.as_path().starts_with("/p");
    verdict.plan.as_ref().is_ok_and(|plan| {
        plan.segments.iter().all(|segment| {
            let cwds = matches!(&segment.cwd, Cwds::Known(list) if list.iter().all(is_inside));
            cwds && segment.paths.iter().all(|it| it.role == Role::Test || is_inside(&it.path))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_rule_that_closes_never_loosens(
        parts in noisy(), rules in some_rules(), text in rule_text(), asks in any::<bool>(),
        program in prop::sample::select(PROGRAMS),
    ) {
        let (line, text) = with_program(&render(&parts), &text, program);
        let kind = if asks { Kind::Ask } else { Kind::Deny };
        let before = decide(&line, &rules).decision;
        prop_assert!(decide(&line, &plus(&rules, kind, &text)).decision >= before, "{line}");
    }

    #[test]
    fn a_rule_that_opens_lifts_no_denial_and_leaves_no_scope(
        parts in noisy(), rules in some_rules(), text in rule_text(),
        program in prop::sample::select(PROGRAMS),
    ) {
        prop_assume!(!text.starts_with('*'));
        let (line, text) = with_program(&render(&parts), &text, program);
        let before = decide(&line, &rules);
        let after = decide(&line, &plus(&rules, Kind::Allow, &text));
        let may_change = before.decision == Decision::Ask && after.decision == Decision::Allow;
        prop_assert!(before.decision == after.decision || may_change, "{line}");
        if after.decision == Decision::Allow {
            prop_assert!(stays_inside(&after), "{line}: {:?}", after.plan);
            prop_assert!(after.reasons.is_empty());
            prop_assert!(after.rules.iter().all(|it| it.kind == Kind::Allow));
        } else if after.decision == Decision::Deny {
            prop_assert!(after.rules.iter().any(|it| it.kind == Kind::Deny), "{line}");
        }
    }

    #[test]
    fn a_proposed_rule_opens_its_line_or_something_else_stands_against_it(parts in noisy()) {
        let line = render(&parts);
        let before = decide(&line, &Policy::default());
        let proposals: Vec<Pattern> = propose(&before).into_iter().flatten().collect();
        let source = Source { level: Level::User, file: String::new(), line: 1 };
        let rules = proposals.into_iter().map(|pattern| Rule {
            kind: Kind::Allow, pattern, reason: None, expires: None, source: source.clone(),
        });
        let after = decide(&line, &Policy { rules: rules.collect(), ..Policy::default() });
        let left = before.reasons.iter().filter(|it| it.code != Code::UndeclaredVerb).count();
        prop_assert!(after.decision == Decision::Allow || left > 0 || !after.reasons.is_empty());
        let undeclared = |it: &&shfence::Reason| it.code == Code::UndeclaredVerb;
        let new = after.reasons.iter().filter(undeclared).find(|it| !before.reasons.contains(it));
        prop_assert!(new.is_none(), "{line}: {new:?}");
    }
}
