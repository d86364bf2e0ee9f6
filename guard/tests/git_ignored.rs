//! What the guard takes for ignored, the real git does not add.

mod random;

use random::Random;
use shfence::{
    Cwd, Decision, Dialects, Env, Invocation, Limits, Policy, Profile, RealView, Request, Scope,
    decide,
};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Pieces of lines: patterns, what stands around them, and what ends a line.
// tidy: table
const PIECES: &[&str] = &[
    ".env", ".env", ".env*", "*.pem", "*", "**", "/", "!", "a", "a/", "a/b", "?", "[.]env",
    "\\.env", "x.pem", ".ENV", " ", "\t", "\r", "#", "\u{feff}", "\u{c}", "\n", "\n", "\n", "\n",
];

/// How many sets of rules are tried.
const ROUNDS: usize = 150;

fn text(random: &mut Random) -> String {
    let count = 1 + random.below(9);
    let mut text: String = (0..count).map(|_| random.pick(PIECES)).collect();
    // Mostly what leaves something out is there.
    if random.below(3) > 0 {
        text = format!("{text}\n.env\n*.pem\n");
    }
    text
}

fn git(top: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .args(words)
        .current_dir(top)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", top.join("nowhere"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git is installed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn decision(top: &Path, line: &str) -> Decision {
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: top, pwd: Some(top) },
        scope: &Scope::new(&[top.to_owned()], &RealView).expect("the project has a root"),
        home: Some(Path::new("/nowhere")),
        env: &Env::new(),
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy { profile: Profile::Edit, ..Policy::default() },
        limits: Limits::default(),
    };
    decide(&request, &RealView).decision
}

#[test]
fn what_is_taken_for_ignored_git_does_not_add() {
    let scratch = tempfile::tempdir().expect("there is a scratch directory");
    let top = scratch.path().canonicalize().expect("the scratch directory is there");
    let write = |path: &str, text: &str| fs::write(top.join(path), text).expect("it can be made");
    fs::create_dir_all(top.join("a/b")).expect("it can be made");
    git(&top, &["init", "-q", "-b", "main"]);
    for secret in [".env", "a/.env", "a/b/x.pem"] {
        write(secret, "");
    }
    let mut random = Random(7);
    let mut allowed = 0;
    for round in 0..ROUNDS {
        for rules in [".gitignore", "a/.gitignore", ".git/info/exclude"] {
            let _ = fs::remove_file(top.join(rules));
            match random.below(12) {
                0..=3 => write(rules, &text(&mut random)),
                4 if rules == ".gitignore" => {
                    write("rules", ".env\n*.pem\n");
                    symlink("rules", top.join(rules)).expect("it can be made");
                }
                _ if rules == ".gitignore" => write(rules, ".env\n*.pem\n"),
                _ => {}
            }
        }
        if decision(&top, "git add -A") == Decision::Allow {
            allowed += 1;
            let added = git(&top, &["add", "-An"]);
            let secret = added.lines().find(|it| it.contains(".env'") || it.contains(".pem'"));
            assert_eq!(secret, None, "round {round}");
        }
    }
    assert!(allowed > ROUNDS / 5 && allowed < ROUNDS, "{allowed} of {ROUNDS} allowed");
}
