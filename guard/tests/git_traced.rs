//! The forms of git that the guard allows, against the real git: they run nothing but git, touch
//! nothing outside the project, and write nothing but what git remembers of its own.
//!
//! Random options and operands of the declared ones, in a scratch repository, watched with strace.

mod traced;

use shfence::verbs::{self, Class, Grammar, Meaning, Opt, Options, Value, Verb};
use shfence::{Cwd, Decision, Dialects, Env, Invocation, Limits, PathUse, Plan, Policy, RealView};
use shfence::{Request, Role, Scope};
use std::ffi::OsStr;
use std::path::Path;
use traced::{Scratch, Touch};

#[rustfmt::skip]
const OPERANDS: &[&str] = &[
    "HEAD", "HEAD~1", "main", "HEAD:a", "HEAD:dir", "HEAD~1..HEAD", "HEAD...main", "@{u}", ":/one",
    ":a", ":!a", ":(top)a", ":(exclude)../out", "stash@{0}", "refs/heads/main", "--", "a", "b",
    ":!../a", "dir", "dir/c", "link", "dirlink/c", "outside", "outside/secret", "../out",
    "../out/secret",
    ".", "..", "nosuch", "*", "dir/*", "../*", "blob", "tree", "-n", "commit:../out", "in/sub", "/",
    "core.bare", "origin", "GIT_EDITOR", ":/../out", ":!/../out/secret", "in/sub/s",
];

/// What stands before the sub-command.
#[rustfmt::skip]
const BEFORE: &[&[&str]] = &[
    &[], &[], &[], &["--no-pager"], &["-C", "dir"], &["-C", "outside"], &["-C", ".."],
    &["-C", "dir", "-C", ".."], &["-P", "--no-optional-locks"], &["-C", "in/sub"],
    &["-C", "dirlink"],
    &["-C", ".git"], &["-C", "in/bare"], &["-C", "in/linked"],
];

/// A small generator: the same commands at every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        // Knuth's MMIX constants; the upper bits are the good ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The words of one command.
fn command(name: &str, options: &Options, random: &mut Random) -> Vec<String> {
    let mut words = vec!["git".to_owned()];
    words.extend(random.pick(BEFORE).iter().map(ToString::to_string));
    words.extend(name.split(' ').skip(1).map(str::to_owned));
    for _ in 0..random.below(3) {
        if !options.options.is_empty() {
            words.extend(spelled(&options.options[random.below(options.options.len())], random));
        }
    }
    for required in options.required.iter() {
        let name = required.get(random.below(required.len())).expect("there are so many");
        words.push(name.to_owned());
    }
    for _ in 0..random.below(4) {
        words.push(random.pick(OPERANDS).to_owned());
    }
    words
}

/// An option and its value, in one of the ways to write them.
fn spelled(option: &Opt, random: &mut Random) -> Vec<String> {
    let equals = if option.name.starts_with("--") { "=" } else { "" };
    match (&option.value, random.below(2)) {
        (Value::None, _) | (Value::Optional(_), 0) => vec![option.name.to_string()],
        (Value::One(meaning), 0) => vec![option.name.to_string(), value(meaning, random)],
        (Value::One(meaning) | Value::Optional(meaning) | Value::Attached(meaning), _) => {
            vec![format!("{}{equals}{}", option.name, value(meaning, random))]
        }
    }
}

fn value(meaning: &Meaning, random: &mut Random) -> String {
    let text = match meaning {
        Meaning::OneOf(words) => words.get(random.below(words.len())).expect("there are so many"),
        Meaning::Chars(_) => random.pick(&["1", "20", "5"]),
        Meaning::GitFormat => random.pick(&["%H", "oneline", "%(refname)", "authordate", "%b"]),
        Meaning::Revision => random.pick(&["1,2:a", "1,1", "1,1:outside/secret", ":x:a"]),
        _ => {
            random.pick(&["a", "1", "HEAD", "main", "outside/secret", "../out", "iso", "core.bare"])
        }
    };
    text.to_owned()
}

/// Makes the project one with a submodule, a bare repository, and a linked worktree.
fn make_repository(scratch: &Scratch) {
    for words in [
        "init -q -b main",
        "init -q in/sub",
        "-C in/sub commit -q --allow-empty -m sub",
        "init -q --bare in/bare",
        "add a dir link outside in/sub",
        "commit -q -m one",
        "worktree add -q in/linked",
        "add .",
        "commit -q -m two",
        "remote add origin /nosuch",
        "rm -q --cached dir/c",
    ] {
        let who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "advice.addEmbeddedRepo=false"];
        let argv: Vec<&str> = ["git"].into_iter().chain(who).chain(words.split(' ')).collect();
        scratch.run(&argv, &[]).expect("git is installed");
    }
}

/// The plan for a command that is allowed.
fn allowed_plan(words: &[String], project: &Path) -> Option<Plan> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let scope = Scope::new(&[project.to_owned()], &RealView).expect("it is a directory");
    let line = quoted.join(" ");
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: project, pwd: Some(project) },
        scope: &scope,
        home: Some(Path::new("/nosuch")),
        env: &Env::new(),
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    let verdict = shfence::decide(&request, &RealView);
    verdict.plan.ok().filter(|_| verdict.decision == Decision::Allow)
}

/// What a form that looks must not do.
fn complaint(touch: &Touch, plan: &Plan, scratch: &Scratch) -> Option<&'static str> {
    let uses = || plan.segments.iter().flat_map(|segment| &segment.paths);
    let named = |it: &PathUse| match it.under {
        true => touch.path.starts_with(it.path.as_path()),
        false => touch.path == it.path.as_path(),
    };
    let project = scratch.project();
    // It looks for a repository upwards, and finds none here.
    let looked_for = || {
        let name = |part: &OsStr| part == ".git" || part == "HEAD";
        !touch.path.exists() && touch.path.iter().any(name)
    };
    if touch.runs {
        let name = touch.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let git = name == "git" || name.starts_with("git-") || name == "timeout";
        (!git).then_some("runs")
    } else if !scratch.counts(&touch.path) || looked_for() {
        None
    } else if touch.writes {
        let written = |it: &PathUse| matches!(it.role, Role::Keep) && named(it);
        (!uses().any(written)).then_some("writes")
    } else {
        let on_the_way = |it: &PathUse| it.path.as_path().starts_with(&touch.path);
        let covered = uses().any(|it| named(it) || on_the_way(it));
        (!touch.path.starts_with(&project) || !covered).then_some("touches")
    }
}

/// The forms of git that look.
fn forms() -> impl Iterator<Item = &'static Verb<'static>> {
    let looks = |verb: &&Verb<'_>| verb.name.starts_with("git ") && verb.entry.class == Class::Read;
    verbs::all().iter().filter(looks)
}

fn compare(tries: usize, seed: u64, scratch: &Scratch) {
    let mut random = Random(seed);
    let (mut allowed, mut touched) = (0, 0);
    let mut complaints = Vec::new();
    for verb in forms() {
        let Grammar::Options(options) = &verb.entry.grammar else { continue };
        for _ in 0..tries {
            let words = command(verb.name, options, &mut random);
            let Some(plan) = allowed_plan(&words, &scratch.project()) else { continue };
            allowed += 1;
            let argv: Vec<&str> = words.iter().map(String::as_str).collect();
            let touches = scratch.all(&argv, &[]).expect("git is installed");
            touched += touches.iter().filter(|touch| scratch.counts(&touch.path)).count();
            complaints.extend(touches.iter().filter_map(|touch| {
                let what = complaint(touch, &plan, scratch)?;
                Some(format!("{} {what} {}", argv.join(" "), touch.path.display()))
            }));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    // Enough that a form cannot have escaped notice by never being allowed.
    assert!(allowed > 15 * tries && touched > 5 * allowed, "{allowed} touched {touched} places");
}

#[test]
fn what_is_allowed_stays_in_the_repository() {
    let scratch = Scratch::plant();
    make_repository(&scratch);
    compare(6, 5, &scratch);
}

#[test]
#[ignore = "minutes: for the night"]
fn what_is_allowed_stays_in_the_repository_for_long() {
    let scratch = Scratch::plant();
    make_repository(&scratch);
    compare(80, 9, &scratch);
}

/// What we take for the value of an option must not be an operand to git, which looks at those.
#[test]
fn values_are_no_operands() {
    let scratch = Scratch::plant();
    make_repository(&scratch);
    let (mut tried, mut complaints) = (0, Vec::new());
    for verb in forms() {
        let Grammar::Options(options) = &verb.entry.grammar else { continue };
        let valued = |option: &&Opt| matches!(option.value, Value::One(Meaning::Text));
        for option in options.options.iter().filter(valued) {
            let argv: Vec<&str> = verb.name.split(' ').chain([&*option.name, "v/alue"]).collect();
            let touches = scratch.all(&argv, &[]).expect("git is installed");
            tried += 1;
            if touches.iter().any(|touch| touch.path == scratch.project().join("v/alue")) {
                complaints.push(argv.join(" "));
            }
        }
    }
    assert!(tried > 200, "{tried}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Two operands of `git diff` are files where there is no repository.
#[test]
fn what_is_allowed_stays_in_a_project_without_a_repository() {
    compare(2, 7, &Scratch::plant());
}
