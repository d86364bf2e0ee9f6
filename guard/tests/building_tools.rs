//! Upward discovery against the tools: what a tool looks for above the project, the catalogue says.
//!
//! Each runs in a project of its own that is harmless, watched with strace.

mod traced;

use shfence::verbs::{self, Part, Search, Word};
use std::path::{Path, PathBuf};
use traced::Scratch;

/// A line of words each, and the files of the project.
const COMMANDS: &[&str] = &[
    "cargo metadata --no-deps --offline",
    "cargo check --offline -q",
    "cargo clippy --offline -q",
    "cargo fmt --check",
    "cargo tree --offline",
    "npm test",
    "npm run x -- a",
    "npm ls",
    "npx tsc --noEmit",
    "node --check a.js",
    "node --test a.js",
    "make all",
    "make -s -C sub all",
    "python3 -m unittest",
    "python3 -m py_compile t.py",
    "mvn -q -o -DskipTests compile",
    "pnpm run x",
    "pnpm -v",
    "yarn run x",
    "yarn -v",
    "tsc --noEmit",
    "jest",
    "eslint .",
    "prettier --check .",
    "mocha a.js",
    "vitest run",
    "vite build",
    "turbo run x",
    "pytest -q",
    "pytest --cov=.",
    "ruff check .",
    "ruff format --check .",
    "mypy .",
    "black --check .",
    "flake8",
    "isort --check .",
];

const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
    ("src/lib.rs", ""),
    ("package.json", r#"{"name":"p","version":"1.0.0","scripts":{"test":"true","x":"true"}}"#),
    ("node_modules/.bin/tsc", "#!/bin/sh\n"),
    ("a.js", "0\n"),
    ("Makefile", "all:\n\t@true\n"),
    ("sub/Makefile", "all:\n\t@true\n"),
    ("t.py", "import unittest\n"),
    ("pom.xml", "<project/>"),
];

/// Where tools are, and what they keep for the person; that is no part of the scratch directory.
fn environment() -> Vec<(&'static str, String)> {
    let home = std::env::var("HOME").unwrap_or_default();
    let kept = |name, place: &str| {
        (name, std::env::var(name).unwrap_or_else(|_| format!("{home}/{place}")))
    };
    let path = std::env::var("PATH").unwrap_or_default();
    vec![("PATH", path), kept("CARGO_HOME", ".cargo"), kept("RUSTUP_HOME", ".rustup")]
}

/// Does a search look at this place in a directory: a file, one on the way to it, or one below?
fn looks_at(search: &Search, place: &Path) -> bool {
    search
        .files
        .iter()
        .map(Path::new)
        .any(|file| file.starts_with(place) || place.starts_with(file))
}

#[test]
fn tools_look_above_for_what_the_catalogue_says() {
    let scratch = Scratch::plant();
    FILES.iter().for_each(|(path, text)| scratch.file(path, text));
    let environment = environment();
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, &value[..])).collect();
    let (mut ran, mut above) = (Vec::new(), Vec::<PathBuf>::new());
    for line in COMMANDS {
        let argv: Vec<&str> = line.split(' ').collect();
        let words: Vec<Word<'_>> = argv.iter().map(|word| Word::Is(word.as_bytes())).collect();
        let verb = verbs::find(argv[0].as_bytes()).expect("it is declared");
        let mut uses = verbs::uses(&verb, &words).expect("it is declared so");
        // What npx runs looks for its own.
        for inner in std::mem::take(&mut uses.runs) {
            let Some(Part::Word(first)) = inner.0.first() else { continue };
            let words = &words[*first..];
            let verb = verbs::find(words[0].known()).expect("it is declared");
            uses.seeks.extend(verbs::uses(&verb, words).expect("it is declared so").seeks);
        }
        let Some(touches) = scratch.run(&argv, &environment) else { continue };
        ran.push(argv[0]);
        // A link of the project leads to `out`; Python follows it as it looks for tests.
        let places = touches.iter().filter_map(|touch| scratch.above(touch));
        for place in places.filter(|place| !place.starts_with("out")) {
            let declared = uses.seeks.iter().any(|search| looks_at(search, place));
            assert!(declared, "{line} looks for {} above the project", place.display());
            above.push(place.to_owned());
        }
    }
    // Enough that this could have failed.
    assert!(ran.contains(&"cargo") && ran.contains(&"python3"), "{ran:?}");
    assert!(above.contains(&PathBuf::from("Cargo.toml")), "{above:?}");
}
