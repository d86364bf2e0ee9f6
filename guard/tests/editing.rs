//! The profile `edit`: what a line changes, what follows in it finds changed.

use shfence::{
    Cwd, Decision, Dialects, Env, Invocation, Limits, MemoryView, Policy, Profile, Request, Scope,
    decide,
};
use std::path::Path;

/// Links that lead within the project from where they stand, and out of it from elsewhere.
fn tree() -> MemoryView {
    let mut view = MemoryView::default();
    for file in
        ["s/1", "s/2", "a1", "t/f", "t/ms", "tm/CLAUDE.md", "names", "src/a.js", "src/d/c.js"]
    {
        view.file(format!("/w/p/{file}"), "");
    }
    view.file("/w/p/home/.ssh/deploy", "").file("/w/p/tmpl/.github/hooks/h", "");
    view.file("/w/f", "")
        .file("/w/outside/f", "")
        .file("/w/outside/ms", "")
        .file("/w/Rakefile", "");
    view.link("/w/p/x/y/m", "../../outside").link("/w/p/x/y/ms", "../../outside/ms");
    view.link("/w/p/x/y/a/l", "../../outside").link("/w/p/x/y/l", "../outside");
    view.link("/w/p/dd/f", "../../outside/f").link("/w/p/k", "x/y");
    view.file("/w/p/outside/ms", "").dir("/w/p/x/outside").dir("/w/p/w");
    view
}

fn decision(line: &str) -> Decision {
    decision_with(Policy::default(), line, &tree())
}

fn decision_with(policy: Policy, line: &str, view: &MemoryView) -> Decision {
    let scope = Scope::new(&["/w/p".into()], view).expect("the project is there");
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: Path::new("/w/p"), pwd: Some(Path::new("/w/p")) },
        scope: &scope,
        home: Some(Path::new("/h")),
        env: &Env::new(),
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy { profile: Profile::Edit, ..policy },
        limits: Limits::default(),
    };
    decide(&request, view).decision
}

/// Where the guard itself is configured, in the project under whatever names, nothing is changed
/// without a question: not the files, not what they stand in, not the links that lead there.
#[test]
fn the_guards_own_files_are_not_changed() {
    let mut view = tree();
    view.file("/w/p/conf/shfence/config.toml", "").file("/w/p/dots/guard.toml", "");
    view.link("/h/conf/shfence/config.toml", "/w/p/dots/guard.toml").link("/w/p/st", "state");
    view.dir("/w/p/state/shfence").file("/w/p/conf/other", "");
    let own = ["/w/p/conf/shfence", "/w/p/st/shfence", "/h/conf/shfence/config.toml"];
    let guarded: Vec<_> = own.iter().map(Into::into).collect();
    let with = |line: &str, guarded: &[std::path::PathBuf]| {
        decision_with(Policy { guarded: guarded.to_vec(), ..Policy::default() }, line, &view)
    };
    for line in [
        "echo x > conf/shfence/config.toml",
        "touch conf/shfence/new",
        "cp a1 conf/shfence",
        "rm conf/shfence/config.toml",
        "mv conf/shfence n",
        "mv conf n",
        "echo x > CONF/Shfence/config.toml",
        "touch state/shfence/events.jsonl",
        "cd st && touch shfence/events.jsonl",
        "sed -i s/a/b/ dots/guard.toml",
        "mv a1 dots/guard.toml",
        "grep -rn x . > conf/shfence/config.toml",
    ] {
        assert_eq!(with(line, &guarded), Decision::Ask, "{line}");
    }
    for line in ["touch conf/other", "cat conf/shfence/config.toml", "rm conf/other", "touch n"] {
        assert_eq!(with(line, &guarded), Decision::Allow, "{line}");
    }
    // That it is its place makes the difference.
    for line in ["touch state/shfence/events.jsonl", "mv a1 dots/guard.toml", "mv conf n"] {
        assert_eq!(with(line, &[]), Decision::Allow, "{line}");
    }
}

/// One or two lines of each kind in which what is looked at is not what stood there before.
// tidy: table
const ASKED: &[&str] = &[
    // What goes to a place told from the root is still told from here.
    "mv x /w/p/z; cat z/y/ms",
    "cp -r x/. /w/p/w; cat w/y/ms",
    // Names of both trees stand where one was copied into another.
    "cp -r t w; cp -r s w/t; cat w/t/1",
    // A link to a directory is replaced, not entered.
    "cd k; ln -sfn ../s /w/p/k; cd .; ls ../..",
    // A directory that may be none is not certainly entered.
    "touch s/n; cd s/n/..; cat ../f",
    "rm s/1; cd s/1/..; cat ../f",
    "false && mkdir s/n; cd s/n/..; cat ../f",
    "cd s/n/.. || mkdir s/n; cat ../f",
    // A file that may not be there ends no search upward.
    "touch -c Rakefile; rake test",
    "false && touch Rakefile; rake test",
    // What stands in a directory that the line made is looked into.
    "mkdir n; mv x/y/ms n/ms; grep -R a n",
    "mkdir n; mv x/y/ms n/ms; find n -exec cat {} +",
    "mkdir n; mv x/y/m n/m; find -L n",
    "mkdir n; mv x/y/ms n/ms; cp -r t/. n",
    // A here-document runs when its command does, wherever it stands.
    "for i in 1; do cat <<E; cat a/l/f; done\n$(mv x/y/a a)\nE",
    "{ cat <<E; cat a/l/f; } | cat\n$(mv x/y/a a)\nE",
    // What is run again finds what it has changed.
    "find s -exec cp -a x/y/l w \\;",
    "xargs -I{} cp -a x/y/l w < names",
    "find s -type f -exec mv x/y/a a \\; -exec cat a/l/f \\;",
    "find -L s -exec mv x/y/m s/m \\;",
    // So does the next of several operands.
    "mv x/y/a a/l/f .",
    "cp -a x/y/a a/l/f .",
    "cp -a x/y/ms t/. s",
    // What is found has a name of its own.
    "find tm -type f -exec ln -sf {} . \\;",
    "find s -type f -exec cp {} a1 dd \\;",
    // Trees may hold secrets, and what steers.
    "mv home h2",
    "cp -r tmpl/. s",
    "echo x > gh/pre-commit",
    "mv a1 agent\u{17f}.md",
];

/// What follows an ordinary change.
// tidy: table
const ALLOWED: &[&str] = &[
    "mv src/d d2 && ls d2",
    "cp -r src lib && ls lib",
    "mv src/d . && ls",
    "sort a1 > t3 && mv t3 a1 && cat a1",
    "echo x > t3 && cp t3 s/t2 && cat s/t2",
    "mv s/1 s/2 t/",
    "mkdir -p q/w && touch q/w/e && ls q/w",
    "mkdir new && cd new && touch a && cat a",
    "echo a > new && cat new && rm new",
    "for f in src/*.js; do sed -i s/a/b/ \"$f\"; done",
];

#[test]
fn what_may_have_changed_is_not_taken_for_what_it_was() {
    for line in ASKED {
        assert_eq!(decision(line), Decision::Ask, "{line}");
    }
}

#[test]
fn what_has_changed_can_be_used() {
    for line in ALLOWED {
        assert_eq!(decision(line), Decision::Allow, "{line}");
    }
}
