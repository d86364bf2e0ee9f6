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
    view.link("/w/p/dd/f", "../../outside/f").link("/w/p/k", "x/y").dir("/w/p/w2/s");
    view.file("/w/p/.github/dependabot.yml", "").file("/w/p/.github/hooks/x", "");
    view.link("/w/p/links/a.py", "../src/a.js").file("/w/p/node_modules/.bin/eslint", "");
    view.file("/w/p/node_modules/.bin/prettier", "");
    view.file("/w/p/outside/ms", "").dir("/w/p/x/outside").dir("/w/p/w");
    view
}

fn decision(line: &str) -> Decision {
    decided(line, &tree())
}

fn decided(line: &str, view: &MemoryView) -> Decision {
    decision_with(Policy::default(), line, view)
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

/// A line whose later commands look at what earlier ones change is gone through again from there:
/// what stands before is objected to all the same.
#[test]
fn what_stands_before_a_change_is_not_forgotten() {
    for line in [
        "cp a1 s/3; cat s/*",
        "ln -s s made && cat made/1",
        "mkdir -p made/deep && cd made/deep && touch x",
        "rm -rf w; ls w",
        "mv s moved; cat moved/1",
        "touch made; for f in *; do cat \"$f\"; done",
    ] {
        for before in ["A=$API_TOKEN", "A=$API_TOKEN; touch x2"] {
            let line = format!("{before}; {line}");
            assert_eq!(decision(&line), Decision::Ask, "{line}");
        }
    }
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

/// A place that steers, or a secret, is one by the name of a link as well, wherever that leads.
#[test]
fn what_links_are_called_counts() {
    let mut view = tree();
    view.file("/w/p/docs/guide.md", "").file("/w/p/dot/settings.json", "").file("/w/p/plain", "");
    view.link("/w/p/CLAUDE.md", "docs/guide.md").link("/w/p/.claude", "dot");
    view.link("/w/p/.env", "plain").link("/w/p/n", "docs");
    for line in [
        "echo x > CLAUDE.md",
        "tee CLAUDE.md < a1",
        "touch .claude/settings.json",
        "cp a1 .claude/",
        "mv a1 .claude/n",
        "rm .claude/settings.json",
        "sed -i 1d .claude/settings.json",
        "cd .claude && echo x > settings.json",
        "echo x > .env",
        "prettier --write CLAUDE.md",
        // What the line makes of it is not known.
        "ln -s s .vscode",
        "ln -s ../s t/.github; mkdir s/hooks",
    ] {
        assert_eq!(decided(line, &view), Decision::Ask, "{line}");
    }
    for line in ["echo x > n/guide.md", "cd n && touch guide.md", "touch dot/settings.json"] {
        assert_eq!(decided(line, &view), Decision::Allow, "{line}");
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
    // So do those of the tree that took the place of an empty directory.
    "mv s w2; cat w2/s/1",
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
    // What stands in the place of a device is none.
    "mv a1 /dev/null",
    "cp -a a1 /dev/null",
    "cp a1 s/1 /dev/null",
    "cp ../f /dev/null",
    "ln -s a1 /dev/null",
    // A link whose target is worked out leads there from wherever it stands.
    "ln -sr ../f t/one",
    "ln -sr dd/f t/one",
    "ln -sr a1 .git/one",
    "ln -sr src t/s && cat t/s/a.js",
    // Where an option says where it goes.
    "cp -t ../outside a1",
    "mv -t tmpl/.github/hooks a1",
    "cp -t t -t s a1",
    "cp -a -t w x/y/l && cat w/l/f",
    "mv -t $x a1",
    // A directory that may be gone.
    "rmdir w; cd w/..; cat ../f",
    "rmdir x/y/a && mv x/y/m x/y/a",
    "rmdir ../outside",
    "cd w && rmdir ../w && cat ../f",
    // In a directory that may hold what steers, and to what steers.
    "sed -i s/a/b/ .github/hooks/x",
    "sed -i s/a/b/ .github/copilot-instructions.md",
    // What is found and rewritten is as if it were named: links, what steers, secrets.
    "grep -rl a x | xargs sed -i s/a/b/",
    "find dd -name 'f*' -exec sed -i s/a/b/ {} +",
    "find x -type l | xargs sed -i s/a/b/",
    "grep -rl a tm | xargs sed -i s/a/b/",
    "find . -name CLAUDE.md -exec sed -i s/a/b/ {} \\;",
    "sed -i s/a/b/ $(grep -rl a .github)",
    "find home -type f | xargs sed -i s/a/b/",
    "rg -l --hidden a home | xargs sed -i s/a/b/",
    "for f in $(grep -rl a tm); do sed -i s/a/b/ $f; done",
    "grep -rl a ../outside | xargs sed -i s/a/b/",
    "mv x/y/ms s/ms; find s -type f | xargs sed -i s/a/b/",
    "mkdir n; cp -r x/y n; grep -rl a n | xargs sed -i s/a/b/",
    "grep -rl a src | xargs sed -i s/a/b/w",
    "grep -rl a src | xargs rm",
    "find src -name '*.js' -exec mv {} t \\;",
    // What moves may be a tree, or be none of what a pattern matched.
    "for f in x/y/*; do mv $f t/; done; cat t/ms",
    "for f in x/*; do mv $f \"t/$(basename $f)\"; done; cat t/y/ms",
    "for f in t/*; do mv $f \"../${f##*/}\"; done",
    "for f in x/y/m*; do mv $f ${f%?}; done",
    "cp -r x/y n; mv n n2; cat n2/ms",
    "for f in s/*; do mv $f x/y/l/; done",
    // What it was is kept under another name, as what it was.
    "sed -i.pem s/a/b/ a1",
    "sed -i.md s/a/b/ tm/CLAUDE",
    "cp -a x/y/ms s/ms; sed -i.b s/a/b/ s/ms; cat s/ms.b",
    "sed -i.b s/a/b/ ../f",
];

/// What formatters must not be given: what steers, what is a link, what leaves.
// tidy: table
const NOT_FORMATTED: &[&str] = &[
    "prettier --write .",
    "prettier --write tm",
    "prettier --write tm/CLAUDE.md",
    "prettier --write tmpl/**/*",
    "prettier --write x/y",
    "prettier --write ../f",
    "prettier --write home/.ssh/deploy",
    "prettier --plugin=a --write src",
    "npx ruff format src",
    "eslint --fix .",
    "ruff format links",
    "ruff check --fix links",
    "black links",
    "shfmt -w ../f",
    "clang-format -i ../f",
    "terraform fmt ..",
    "rubocop -a ..",
    "gofmt -w ../outside",
    "cargo fmt --manifest-path ../Cargo.toml",
    "black src > src/a.py; cat ../f",
    "ls | xargs prettier --write",
];

/// Formatters.
// tidy: table
const FORMATTED: &[&str] = &[
    // A link to another place of what is formatted.
    "ruff format",
    "clang-format -i src/a.c",
    "terraform fmt src && git diff",
    "prettier --write src",
    "prettier --write src/a.js 'src/**/*.js'",
    "./node_modules/.bin/prettier --write src",
    "npx prettier --write src",
    "cargo fmt && git diff",
    "cargo fmt --all && git diff --stat",
    "npx eslint --fix src",
    "eslint --fix src --ext .js",
    "black src",
    "black tm",
    "cd src && ruff format && ruff check --fix .",
    "isort src s",
    "gofmt -l -w .",
    "cd src && prettier -w . && git diff",
];

/// What follows an ordinary change.
// tidy: table
const ALLOWED: &[&str] = &[
    // The words are there before the files go.
    "mv src/*.js t/",
    "for f in src/*.js; do cp \"$f\" t/; done",
    "mkdir -p /w/p/q/e && touch q/e/f && ls q",
    "mkdir \"$PWD/q\" && ls q",
    "echo no > /dev/stderr",
    "mv src/d d2 && ls d2",
    "cp -r src lib && ls lib",
    "mv src/d . && ls",
    "sort a1 > t3 && mv t3 a1 && cat a1",
    "echo x > t3 && cp t3 s/t2 && cat s/t2",
    "mv s/1 s/2 t/",
    "mkdir -p q/w && touch q/w/e && ls q/w",
    "cp a1 /dev/null",
    "ln -sr a1 t/one && ls t",
    "ln -sr src/d t/",
    "cp -t t a1 s/1 && cat t/a1",
    "cp --target-directory=t a1",
    "mv -t t s/1 s/2 && ls t",
    "rmdir w && ls",
    "mkdir -p q/w && rmdir q/w q",
    "sed -i s/a/b/ .github/dependabot.yml",
    "touch .github/a && ls .github",
    "mkdir new && cd new && touch a && cat a",
    "echo a > new && cat new && rm new",
    "for f in src/*.js; do sed -i s/a/b/ \"$f\"; done",
    "grep -rl a src | xargs sed -i s/a/b/g && git diff",
    "rg -l a src | xargs -I{} sed -i s/a/b/ {}",
    "for f in src/*.js src/d/*.js; do mv \"$f\" \"${f%.js}.ts\"; done; ls src",
    "for f in src/d/*; do mv \"$f\" \"t/$(basename \"$f\")\"; done && ls t",
    "for f in src/*.js; do mv \"$f\" t/; done; ls t",
    "mv a1 a2; mv a2 a3; cat a3",
    "find . -name '*.js' -type f -exec sed -i s/a/b/ {} + && ls src",
    "find . -name '*.js' -not -path './links/*' | xargs sed -i '1i // x'",
    "find s t -type f | xargs sed -i -e 1d && cat s/1",
    "sed -i s/a/b/ $(grep -rl --include='*.js' a src)",
    "for f in $(grep -rl a s t); do sed -i s/a/b/ $f; done; cat s/*",
    "sed -i.bak '$a x' a1 && cat a1.bak && rm a1.bak",
    "sed -i '2a\\  x' a1; sed -i '/x/c\\ny' a1",
];

/// Code that a line writes and then builds: it is the project's, as if another line had written it.
// tidy: table
const BUILT: &[&str] = &[
    "echo x > src/main.rs && cargo test",
    "printf x > conftest.py && pytest",
    "mkdir -p tests/a && echo x > tests/a/t.py && python3 -m pytest tests",
    "cp src/a.js src/b.js && eslint src",
    "sed -i s/a/b/ src/a.js && node --test src",
    "echo {} > package.json && npm test",
    "printf x > Makefile && make all",
    "rm src/a.js && tsc --noEmit",
    "cargo fmt && cargo test",
    "mv src/d/c.js src/e.js && tsc --noEmit -p src",
];

/// The same, where what is written says which program it is that runs, or where what is there may
/// be a link by now.
// tidy: table
const NOT_BUILT: &[&str] = &[
    "echo {} > package.json && yarn run build",
    "echo x > .envrc && make all",
    "echo x > node_modules/.bin/tsc && npx tsc",
    "cp -r x/y t2 && pytest",
    "mv x/y t2 && tsc --noEmit",
    "ln -s ../f src/x.ts && tsc --noEmit",
    "ln -s ../outside target && cargo test",
    "mv src/d src/e && tsc --noEmit -p src",
];

#[test]
fn what_a_line_writes_it_may_build() {
    let wrong: Vec<_> = BUILT.iter().filter(|it| decision(it) != Decision::Allow).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let wrong: Vec<_> = NOT_BUILT.iter().filter(|it| decision(it) != Decision::Ask).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_may_have_changed_is_not_taken_for_what_it_was() {
    for line in ASKED {
        assert_eq!(decision(line), Decision::Ask, "{line}");
    }
}

#[test]
fn formatters_rewrite_sources_and_nothing_that_steers() {
    for line in NOT_FORMATTED {
        assert_eq!(decision(line), Decision::Ask, "{line}");
    }
    for line in FORMATTED {
        assert_eq!(decision(line), Decision::Allow, "{line}");
    }
}

/// What cargo's formatter goes on to: crates that manifests name, modules behind links.
#[test]
fn cargo_formats_what_manifests_name() {
    let with = |file: &str, text: &str, line: &str| {
        let mut view = tree();
        view.file("/w/p/Cargo.toml", "[workspace]\nmembers = ['c/*']\n");
        view.file("/w/p/c/a/Cargo.toml", "[package]\ninclude = ['/src']\n");
        view.file("/w/p/c/b/Cargo.toml", "[dependencies]\na = { path = \"../a\" }\n");
        view.file("/w/out/Cargo.toml", "").file("/w/out/m/mod.rs", "").dir("/w/p/c/a/src");
        match text {
            "" => view.link(file, "/w/out/m"),
            _ => view.file(file, text),
        };
        decided(line, &view)
    };
    for (file, text, decision) in [
        ("/w/p/README.md", "..", Decision::Allow),
        ("/w/p/c/c/Cargo.toml", "[dependencies.x]\n\"path\" = '../../../out'", Decision::Ask),
        ("/w/p/c/c/Cargo.toml", "[dependencies]\nx = {path = \"/w/out\"}", Decision::Ask),
        ("/w/p/Cargo.toml", "[workspace]\nmembers = ['../*']", Decision::Ask),
        ("/w/p/c/c/Cargo.toml", "[dependencies]\nx = {path = \"\\u002e./b\"}", Decision::Ask),
        (
            "/w/p/target/c/Cargo.toml",
            "[dependencies]\nx = {path = \"../../../out\"}",
            Decision::Allow,
        ),
        ("/w/p/c/a/src/m", "", Decision::Ask),
    ] {
        assert_eq!(with(file, text, "cargo fmt --all"), decision, "{file}: {text}");
        let late = format!("{}{text}", "# x\n".repeat(20_000));
        let late = if text.is_empty() { text } else { &late };
        let seen = if file.ends_with(".toml") && !file.contains("target") {
            Decision::Ask
        } else {
            decision
        };
        assert_eq!(with(file, late, "cargo fmt --all"), seen, "{file}: late {text}");
        assert_eq!(with(file, text, "cargo fmt"), decision, "{file}: {text}");
    }
}

/// A repository without an index, and in it another one, secrets that are ignored, and some that
/// are not.
fn repository() -> MemoryView {
    let mut view = MemoryView::default();
    for top in ["/w/p", "/w/p/with/sub"] {
        view.file(format!("{top}/.git/HEAD"), "ref: refs/heads/main\n").file(
            format!("{top}/.git/config"),
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
        );
        view.dir(format!("{top}/.git/objects")).dir(format!("{top}/.git/refs"));
    }
    view.file("/w/p/src/a.js", "").file("/w/p/src/b.js", "").file("/w/p/with/f", "");
    view.file("/w/p/.env", "").file("/w/p/.gitignore", ".env\n").file("/w/p/keys/x.pem", "");
    view
}

// tidy: table
const ADDED: &[&str] = &[
    "git add src && git commit -m x",
    "git add src/a.js src/b.js; git commit -qm 'x y'",
    "git add src && git status && git diff --cached && git log",
    "git switch -c new && git add src && git commit -m x && git show --stat",
    "git add src && git commit -m x && git add with/f && git commit -qm y",
    "touch src/c.js && git add src/c.js && git commit -m x",
    "cd src && git add . && git commit -m x",
    "git -C src add a.js && git commit -m x",
    "git add src .gitignore && git commit -am x",
];

// tidy: table
const NOT_ADDED: &[&str] = &[
    // Another repository: git would go on in it.
    "git add with && git status",
    "git add with/sub; git commit -m x",
    "git add with/*; git diff",
    "git commit -am x && git status",
    // Names that are tracked only now are not known.
    "git add src && git grep x",
    "git add src && cat $(git ls-files)",
    "git restore --staged src && git commit -m x",
    // Secrets, unless they are ignored.
    "git add -A",
    "git add keys",
    "git add keys/x.pem",
    "echo > .gitignore && git add .gitignore .env",
    "rm .gitignore; git add .env",
    "echo x > .git/hooks/pre-commit; git add src",
];

#[test]
fn git_goes_on_behind_what_it_has_added() {
    let view = repository();
    for line in ADDED {
        assert_eq!(decided(line, &view), Decision::Allow, "{line}");
    }
    for line in NOT_ADDED {
        assert_eq!(decided(line, &view), Decision::Ask, "{line}");
    }
    let mut tracking = repository();
    tracking.file("/w/p/.git/index", [&b"DIRC\0\0\0\x02\0\0\0\0"[..], &[0; 20]].concat());
    assert_eq!(decided("git ls-files | xargs cat", &tracking), Decision::Allow);
    let more = "git add src && git ls-files | xargs cat";
    assert_eq!(decided(more, &tracking), Decision::Ask);
    let mut view = MemoryView::default();
    view.file("/w/p/.git/HEAD", "ref: refs/heads/main\n").dir("/w/p/.git/objects");
    view.dir("/w/p/.git/refs").file("/w/p/.gitignore", ".env\n").file("/w/p/.env", "");
    view.file("/w/p/a/x", "");
    assert_eq!(decided("git add -A && git commit -m x", &view), Decision::Allow);
    view.file("/w/p/a/.gitignore", "!.env\n").file("/w/p/a/.env", "");
    assert_eq!(decided("git add -A && git commit -m x", &view), Decision::Ask);
}

/// A repository with an index of one file (gitformat-index(5), version 2).
fn tracking(name: &str) -> MemoryView {
    let mut view = MemoryView::default();
    view.file("/w/p/.git/HEAD", "ref: refs/heads/main\n").dir("/w/p/.git/objects");
    view.dir("/w/p/.git/refs").file(format!("/w/p/{name}"), "");
    let length = u16::try_from(name.len()).expect("a short name");
    let mut entry = [&[0; 24][..], &0o100_644_u32.to_be_bytes(), &[0; 32]].concat();
    entry.extend([&length.to_be_bytes()[..], name.as_bytes()].concat());
    entry.resize(entry.len() / 8 * 8 + 8, 0);
    let index = [&b"DIRC\0\0\0\x02\0\0\0\x01"[..], &entry, &[0; 20]].concat();
    view.file("/w/p/.git/index", index);
    view
}

#[test]
fn a_stash_changes_what_is_tracked() {
    for (tracked, untracked, line, decision) in [
        ("src/a.js", "x", "git stash", Decision::Allow),
        ("src/a.js", "x", "git stash push -u -m 'x y'", Decision::Allow),
        ("src/a.js", "x", "git log -1; git stash pop", Decision::Allow),
        ("src/a.js", "x", "git checkout -b new && git stash", Decision::Allow),
        // What stands there afterwards is not known.
        ("src/a.js", "x", "git stash && cat src/a.js", Decision::Ask),
        ("src/a.js", "x", "git stash pop; cat x", Decision::Ask),
        // What steers, and secrets.
        ("AGENTS.md", "x", "git stash", Decision::Ask),
        ("AGENTS.md", "x", "git stash pop", Decision::Ask),
        (".env", "x", "git stash", Decision::Ask),
        ("src/a.js", ".claude/settings.json", "git stash", Decision::Allow),
        ("src/a.js", ".claude/settings.json", "git stash -u", Decision::Ask),
        ("src/a.js", ".env", "git stash --include-untracked", Decision::Ask),
    ] {
        let mut view = tracking(tracked);
        view.file(format!("/w/p/{untracked}"), "");
        assert_eq!(decided(line, &view), decision, "{line} with {tracked} and {untracked}");
    }
}

#[test]
fn what_has_changed_can_be_used() {
    for line in ALLOWED {
        assert_eq!(decision(line), Decision::Allow, "{line}");
    }
}
