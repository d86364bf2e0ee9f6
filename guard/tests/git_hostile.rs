//! Configurations under which the real git runs a program for a form that looks: the guard asks.
//!
//! The program only makes a file in the scratch directory.

use shfence::{Cwd, Decision, Dialects, Env, FsView, Invocation, Limits, NoView, Policy, RealView};
use shfence::{Request, Scope};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A project of one commit with a change on top.
struct Project {
    top: PathBuf,
    _scratch: tempfile::TempDir,
}

impl Project {
    fn plant() -> Project {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let top = scratch.path().canonicalize().expect("the scratch directory is there");
        fs::create_dir_all(top.join("home")).expect("it can be made");
        let project = Project { top, _scratch: scratch };
        project.program("evil");
        project.write("p/a.txt", "one\n");
        project.write("p/b.bin", "two\n");
        project.write("p/.gitattributes", "*.txt diff=x\n*.bin filter=x\n");
        project.git("init -q -b main");
        project.git("add .");
        project.git("commit -q -m one");
        project.write("p/a.txt", "ONE\n");
        project.write("p/b.bin", "TWO\n");
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().expect("it is below the top")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    /// A program that says that it ran.
    fn program(&self, path: &str) {
        self.write(path, &format!("#!/bin/sh\n>{}/RAN\nexit 1\n", self.top.display()));
        let program = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.top.join(path), program).expect("it can be changed");
    }

    /// Makes git look at its files anew, and write what it found.
    fn touch(&self) {
        self.write("p/.gitattributes", "*.txt diff=x\n*.bin filter=x\n");
    }

    /// A git of which the configuration is only the project's.
    fn git(&self, words: &str) -> bool {
        let words = words.replace("@", self.top.to_str().expect("it is text"));
        Command::new("git")
            .args(words.split(' '))
            .current_dir(self.top.join("p"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.top.join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "n")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "e")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("git is installed")
            .success()
    }

    fn ran(&self) -> bool {
        fs::remove_file(self.top.join("RAN")).is_ok()
    }

    fn decide(&self, line: &str) -> (Decision, String) {
        self.decide_in("p", line, &Env::new(), &RealView)
    }

    fn decide_in(
        &self,
        root: &str,
        line: &str,
        env: &Env,
        view: &dyn FsView,
    ) -> (Decision, String) {
        let root = self.top.join(root);
        let scope = Scope::new(std::slice::from_ref(&root), view).expect("it is a directory");
        let verdict = shfence::decide(
            &Request {
                line: line.as_bytes(),
                cwd: Cwd { dir: &root, pwd: Some(&root) },
                scope: &scope,
                home: Some(Path::new("/nosuch")),
                env,
                dialects: Dialects::ALL,
                invocation: Invocation::C,
                policy: &Policy::default(),
                limits: Limits::default(),
            },
            view,
        );
        let notes: Vec<&str> = verdict.reasons.iter().map(|reason| &*reason.note).collect();
        (verdict.decision, notes.join("; "))
    }
}

/// How a project is made hostile: by commands of git, or with a hook. `@` is the scratch directory.
struct Hostile {
    git: &'static [&'static str],
    hook: Option<&'static str>,
    /// The form that looks, without `git`.
    form: &'static str,
    /// Part of what the guard says.
    note: &'static str,
}

const fn by_git(git: &'static [&'static str], form: &'static str, note: &'static str) -> Hostile {
    Hostile { git, hook: None, form, note }
}

// tidy: table
#[rustfmt::skip]
const HOSTILE: &[Hostile] = &[
    by_git(&["config core.fsmonitor @/evil"], "status", "'core.fsmonitor' in"),
    by_git(&["config core.fsmonitor @/evil"], "diff", "'core.fsmonitor' in"),
    by_git(&["config core.fsmonitor @/evil"], "ls-files -m", "'core.fsmonitor' in"),
    by_git(&["config diff.external @/evil"], "diff", "'diff.external' in"),
    by_git(&["config diff.x.command @/evil"], "diff", "'diff.x.command' in"),
    by_git(&["config diff.x.textconv @/evil"], "diff", "'diff.x.textconv' in"),
    by_git(&["config diff.x.textconv @/evil"], "show", "'diff.x.textconv' in"),
    by_git(&["config diff.x.textconv @/evil"], "log -p", "'diff.x.textconv' in"),
    by_git(&["config diff.x.textconv @/evil"], "blame a.txt", "'diff.x.textconv' in"),
    by_git(&["config filter.x.clean @/evil"], "diff", "'filter.x.clean' in"),
    by_git(&["config filter.x.clean @/evil"], "status", "'filter.x.clean' in"),
    by_git(&["config core.hooksPath @/hooks"], "status", "git may run"),
    by_git(&["config include.path @/included"], "diff", "'include.path' in"),
    by_git(&["config includeIf.gitdir:**.path @/included"], "diff", "'includeif.gitdir:**.path' in"),
    by_git(
        &["config extensions.worktreeConfig true", "config --worktree core.fsmonitor @/evil"],
        "status", "'core.fsmonitor' in",
    ),
    // In another repository: one in the tree, bare or pointed to, or a submodule's.
    by_git(
        &["init -q --bare in/bare", "-C in/bare config core.fsmonitor @/evil",
          "-C in/bare config core.bare false", "-C in/bare config core.worktree @/p"],
        "-C in/bare/refs status", "'core.fsmonitor' in",
    ),
    by_git(
        &["init -q --separate-git-dir @/p/hidden in/work", "-C in/work config core.fsmonitor @/evil"],
        "-C in/work status", "'core.fsmonitor' in",
    ),
    by_git(
        &["init -q in/sub", "-C in/sub commit -q --allow-empty -m sub", "add in/sub",
          "-C in/sub config core.fsmonitor @/evil"],
        "status", "'core.fsmonitor' in",
    ),
    by_git(
        &["init -q in/sub", "-C in/sub commit -q --allow-empty -m sub", "add in/sub",
          "-C in/sub config core.fsmonitor @/evil"],
        "diff", "'core.fsmonitor' in",
    ),
    // What is not there is fetched.
    by_git(
        &["config remote.o.url @/p", "config remote.o.promisor true",
          "config core.repositoryformatversion 1", "config extensions.partialClone o",
          "config remote.o.uploadpack @/evil"],
        "cat-file -p 1234567890123456789012345678901234567890", "in",
    ),
    Hostile {
        git: &[],
        hook: Some("p/.git/hooks/post-index-change"),
        form: "status",
        note: "git may run",
    },
];

#[test]
fn what_runs_a_program_asks() {
    for hostile in HOSTILE {
        let project = Project::plant();
        let (allowed, notes) = project.decide(&format!("git {}", hostile.form));
        // Until then, the same form is allowed, or has not the directory that it needs.
        assert!(allowed == Decision::Allow, "{}: {notes}", hostile.form);
        project.write("included", &format!("[diff]\nexternal = {}/evil\n", project.top.display()));
        project.program("hooks/post-index-change");
        for words in hostile.git {
            assert!(project.git(words), "git {words}");
        }
        if let Some(path) = hostile.hook {
            project.program(path);
        }
        // Making it may have run it already.
        project.ran();
        let form = hostile.form;
        project.touch();
        project.git(form);
        assert!(project.ran(), "git {form} runs nothing after {:?}", hostile.git);
        let (decision, notes) = project.decide(&format!("git {form}"));
        assert_eq!(decision, Decision::Ask, "git {form} after {:?}", hostile.git);
        assert!(notes.contains(hostile.note), "git {form}: {notes}");
    }
}

/// The same from every directory in which the command may start.
#[test]
fn the_directory_decides_which_repository_it_is() {
    let project = Project::plant();
    assert!(project.git("init -q in/a"));
    assert!(project.git("-C in/a config core.fsmonitor @/evil"));
    for (line, expected) in [
        ("git status", Decision::Allow),
        ("cd in && git status", Decision::Allow),
        ("cd in/a && git status", Decision::Ask),
        ("git -C in/a status", Decision::Ask),
        ("cd in; cd a && true; git log", Decision::Ask),
        ("git -C in -C a log", Decision::Ask),
        ("cd in/a; cd ../.. && git status", Decision::Allow),
    ] {
        assert_eq!(project.decide(line).0, expected, "{line}: {}", project.decide(line).1);
    }
    // Found upwards, above the project.
    let (decision, notes) = project.decide_in("p/in", "git log", &Env::new(), &RealView);
    assert!(decision == Decision::Ask && notes.contains("/p/.git, outside"), "{notes}");
    // What only a view can refute.
    for (line, expected) in
        [("cd in/a && git status", Decision::Allow), ("git -p log", Decision::Ask)]
    {
        assert_eq!(project.decide_in("p", line, &Env::new(), &NoView).0, expected, "{line}");
    }
}

#[test]
fn variables_that_move_git_ask() {
    let project = Project::plant();
    for (name, value, expected) in [
        ("GIT_DIR", "/x", Decision::Ask),
        ("GIT_CONFIG_COUNT", "1", Decision::Ask),
        ("GIT_NEW", "", Decision::Ask),
        ("GIT_PAGER", "less", Decision::Ask),
        ("GIT_PAGER", "cat", Decision::Allow),
        ("GIT_EDITOR", "true", Decision::Allow),
        ("GITHUB_SHA", "x", Decision::Allow),
    ] {
        assert!(!name.starts_with("GIT_") || shfence::is_governing(name.as_bytes()), "{name}");
        let env = Env::from([(name.as_bytes().to_vec(), value.as_bytes().to_vec())]);
        let (decision, notes) = project.decide_in("p", "git diff", &env, &RealView);
        assert_eq!(decision, expected, "{name}={value}: {notes}");
        assert_eq!(project.decide_in("p", "ls", &env, &RealView).0, Decision::Allow, "{name}");
    }
}
