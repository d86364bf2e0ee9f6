//! `cd` against live shells: where a shell really is afterwards must be where the plan says it may
//! be, for many directories, environments and operands.
//!
//! The directories that the plan gives for a `pwd` after some `cd`s must contain the one that the
//! shell is in: after `;` always, after `&&` if the last `cd` succeeded, after `||` if it failed.

mod shells;

use shells::{Ended, SHELLS, Shell};
use shfence::{Construct, Cwd, Cwds, Dialects, Env, Invocation, Limits, Policy, RealView};
use shfence::{Request, Scope};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The tree. `@` stands for its top, in this file's tables too.
fn plant(top: &Path) {
    let dirs = [
        "p/a/b/c", "p/a/x", "p/x", "p/-dash", "p/-1", "p/+plus", "p/+1", "p/..x", "p/...", "p/~",
        "p/sp ace", "p/a/..b", "out/x", "out/y", "out/a", "home/x", "home/y", "p/home",
    ];
    for dir in dirs {
        fs::create_dir_all(top.join(dir)).expect("the scratch directory can be written");
    }
    fs::write(top.join("p/a/f"), "").expect("the scratch directory can be written");
    let links = [
        ("p/link", "a/b"),
        ("p/abs", "@/out"),
        ("p/up", ".."),
        ("p/here", "."),
        ("p/dangling", "nowhere"),
        ("p/loop", "pool"),
        ("p/pool", "loop"),
        ("p/tofile", "a/f"),
        ("p/a/chain", "../link"),
        ("p/a/b/deep", "../../../out/x"),
        ("out/in", "@/p/a"),
        ("homelink", "home"),
        ("plink", "p"),
    ];
    for (at, to) in links {
        symlink(of(top, to), top.join(at)).expect("the scratch directory can be written");
    }
}

/// Replaces `@` by the top.
fn of(top: &Path, text: &str) -> String {
    text.replace('@', top.to_str().expect("the scratch directory's name is text"))
}

/// Where a shell starts, and with what in its environment.
#[derive(Debug)]
struct Setting {
    dir: &'static str,
    pwd: Option<&'static str>,
    home: Option<&'static str>,
    cdpath: Option<&'static str>,
}

const fn setting(
    dir: &'static str,
    pwd: Option<&'static str>,
    home: Option<&'static str>,
    cdpath: Option<&'static str>,
) -> Setting {
    Setting { dir, pwd, home, cdpath }
}

const SETTINGS: &[Setting] = &[
    // What `$PWD` says: the truth, another name for it, a lie, nothing.
    setting("@/p", Some("@/p"), Some("@/home"), None),
    setting("@/p", None, None, None),
    setting("@/p", Some("@/plink"), Some("@/homelink"), None),
    setting("@/p", Some("@/out"), Some("@/p"), None),
    setting("@/p/a/b", Some("@/p/link"), Some("home"), None),
    setting("@/p/a/b", Some("@/p/a/chain"), Some(""), None),
    setting("@/p/a", Some("@/out/in"), Some("@/nosuch"), None),
    setting("@/p", Some("@//p/"), Some("/"), None),
    setting("@/p", Some("@/p/a/.."), Some("@/home/x/.."), None),
    setting("@/p/a", Some("@/p/link/.."), Some("@/p/link/.."), None),
    setting("@/p/a/b", Some("@/p/./link"), Some("@/p/tofile"), None),
    setting("@/p", Some("."), Some("@/p/dangling"), None),
    // What `CDPATH` lists.
    setting("@/p", Some("@/p"), Some("@/home"), Some("")),
    setting("@/p", Some("@/p"), Some("@/home"), Some("@/out")),
    setting("@/p", Some("@/p"), Some("@/home"), Some(":@/out")),
    setting("@/p", Some("@/p"), Some("@/home"), Some("@/nosuch:@/p/a/f:@/out:")),
    setting("@/p", Some("@/plink"), Some("@/home"), Some("a:..:@/out/in")),
    setting("@/p/a/b", Some("@/p/link"), Some("@/home"), Some("..:.")),
    setting("@/p", Some("@/p"), Some("@/home"), Some("~")),
    setting("@/p", None, Some("@/home"), Some("~/..:link/..")),
    setting("@/p", Some("@/p"), None, Some("up::abs")),
];

/// The words after `cd`.
const WORDS: &[&str] = &[
    "",
    "--",
    "-L",
    "-P",
    "a",
    "a/b/c",
    "./a",
    "a/",
    "a//b/",
    "a/.",
    "a/..",
    "a/../a",
    "a/../x",
    ".",
    "./",
    "..",
    "../",
    "../..",
    "../p",
    "../out",
    "..x",
    "...",
    "a/..b",
    "@",
    "@/p/a",
    "@//p",
    "/",
    "//",
    "@/../..",
    "x",
    "y",
    "'sp ace'",
    "'~'",
    "link",
    "link/",
    "link/..",
    "link/../x",
    "link/../b",
    "link/c/..",
    "abs",
    "abs/x",
    "abs/..",
    "abs/in",
    "abs/in/..",
    "up",
    "up/out",
    "here",
    "here/..",
    "here/a",
    "a/chain",
    "a/chain/..",
    "link/deep",
    "link/deep/..",
    "link/deep/../y",
    "../link",
    "../chain",
    "../in/..",
    "nosuch",
    "nosuch/..",
    "nosuch/../a",
    "a/f",
    "a/f/..",
    "a/f/../x",
    "a/f/",
    "tofile",
    "tofile/..",
    "dangling",
    "dangling/..",
    "dangling/../a",
    "loop",
    "loop/..",
    "loop/../a",
    "''",
    "-- ''",
    "-P ''",
    "-L ''",
    "-",
    "-- -",
    "-P -",
    "-L -",
    "-L link",
    "-P link",
    "-P link/..",
    "-L link/..",
    "-P ..",
    "-L ..",
    "-P ../x",
    "-P abs/..",
    "-P a/f/..",
    "-P nosuch/..",
    "-P dangling/../a",
    "-P -- link",
    "-L -- link/..",
    "-- link",
    "-P -L link/..",
    "-L -P link/..",
    "-LP link/..",
    "-PL link/..",
    "-- -- a",
    "-P /",
    "-P .",
    "-dash",
    "-- -dash",
    "./-dash",
    "-1",
    "-- -1",
    "-- -L",
    "+plus",
    "-- +plus",
    "+1",
    "-- +1",
    "./+1",
    "a x",
    "a b",
    "p out",
    "-- a x",
    "a --",
    "a -P",
];

/// `cd`s that others follow.
const FIRST: &[&str] = &["link", "-P link", "''", "abs/in", "..", "nosuch", "x"];

/// `cd`s that follow.
const SECOND: &[&str] = &["..", "-", "-P -", "''", "-P ''", "-P .", "", "../x"];

/// The `cd`s that are run and judged.
fn lines(top: &Path) -> Vec<String> {
    let mut lines: Vec<String> = WORDS.iter().map(|words| format!("cd {words}")).collect();
    for first in FIRST {
        for second in SECOND {
            lines.push(format!("cd {first}; cd {second}"));
            lines.push(format!("cd {first}; cd {second} && cd .."));
            lines.push(format!("cd {first}; cd {second}; cd -"));
        }
    }
    lines.iter().map(|line| of(top, line)).collect()
}

/// The directories that a plan gives for what follows a line of `cd`s.
struct Planned {
    always: Cwds,
    success: Cwds,
    failure: Cwds,
}

impl Setting {
    fn plan(&self, line: &str, top: &Path, dialects: Dialects) -> Planned {
        let of_last = |connector| self.last_cwds(&format!("{line} {connector} pwd"), top, dialects);
        Planned { always: of_last(";"), success: of_last("&&"), failure: of_last("||") }
    }

    /// The directories that the plan gives for the last segment of a line.
    fn last_cwds(&self, line: &str, top: &Path, dialects: Dialects) -> Cwds {
        let real = |text: &str| PathBuf::from(of(top, text));
        let (dir, pwd, home) = (real(self.dir), self.pwd.map(real), self.home.map(real));
        let cdpath = self.cdpath.map(|text| (b"CDPATH".to_vec(), of(top, text).into_bytes()));
        let request = Request {
            line: line.as_bytes(),
            cwd: Cwd { dir: &dir, pwd: pwd.as_deref() },
            scope: &Scope::new(&[top.to_owned()], &RealView).expect("the top is a directory"),
            home: home.as_deref(),
            env: &Env::from_iter(cdpath),
            dialects,
            invocation: Invocation::C,
            policy: &Policy::default(),
            limits: Limits::default(),
        };
        match shfence::decide(&request, &RealView).plan {
            Ok(plan) => plan.segments.last().expect("every line ends in pwd").cwd.clone(),
            Err(stop) if stop.construct == Construct::StartDirectory => Cwds::Unknown,
            Err(stop) => panic!("`{line}` is not understood: {stop}"),
        }
    }

    /// What a shell does with the lines.
    fn run(&self, shell: &Shell, top: &Path, lines: &[String]) -> Vec<Ended> {
        let named = [("PWD", self.pwd), ("HOME", self.home), ("CDPATH", self.cdpath)];
        let set = named.map(|(name, value)| (name, value.map(|text| of(top, text))));
        let env: Vec<(&str, &OsStr)> = set
            .iter()
            .filter_map(|(name, value)| Some((*name, OsStr::new(value.as_ref()?))))
            .collect();
        shell.run(Path::new(&of(top, self.dir)), &env, lines)
    }
}

/// How often a plan was held against a shell, and what the shell did that the plan does not say.
#[derive(Default)]
struct Found {
    known: usize,
    unknown: usize,
    contradictions: Vec<String>,
}

impl Found {
    fn hold(&mut self, cwds: &Cwds, real: &Path, describe: impl Fn() -> String) {
        match cwds {
            Cwds::Unknown => self.unknown += 1,
            Cwds::Known(list) if list.iter().any(|cwd| cwd.as_path() == real) => self.known += 1,
            Cwds::Known(list) => self.contradictions.push(format!(
                "{} and is then in {}, not in {list:?}",
                describe(),
                real.display()
            )),
        }
    }
}

fn compare(setting: &Setting, top: &Path) -> Found {
    let lines = lines(top);
    let plans = |dialects| -> Vec<Planned> {
        lines.iter().map(|line| setting.plan(line, top, dialects)).collect()
    };
    let (of_all, of_sh) = (plans(Dialects::ALL), plans(SH));
    let mut found = Found::default();
    for shell in &SHELLS {
        let ended = setting.run(shell, top, &lines);
        for (at, Ended { success, cwd }) in ended.into_iter().enumerate() {
            let outcome = if success { "succeeds" } else { "fails" };
            let describe = || format!("{setting:?}\n    {}: `{}` {outcome}", shell.name, lines[at]);
            for plan in [Some(&of_all[at]), shell.is_sh.then_some(&of_sh[at])].iter().flatten() {
                let of_outcome = if success { &plan.success } else { &plan.failure };
                found.hold(&plan.always, &cwd, describe);
                found.hold(of_outcome, &cwd, describe);
            }
        }
    }
    found
}

const SH: Dialects = Dialects { bash: false, sh: true, zsh: false };

#[test]
fn every_shell_ends_up_where_the_plan_says() {
    let scratch = tempfile::tempdir().expect("there is a scratch directory");
    let top = scratch.path().canonicalize().expect("the scratch directory is there");
    plant(&top);
    let mut all = Found::default();
    std::thread::scope(|threads| {
        let top = &top;
        let compare = |it| threads.spawn(move || compare(it, top));
        for comparison in SETTINGS.iter().map(compare).collect::<Vec<_>>() {
            let found = comparison.join().expect("the comparison came to its end");
            all.known += found.known;
            all.unknown += found.unknown;
            all.contradictions.extend(found.contradictions);
        }
    });
    let Found { known, unknown, contradictions } = all;
    let shown = contradictions.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(contradictions.is_empty(), "{} contradictions:\n{shown}", contradictions.len());
    // A plan that knows nothing contradicts nothing.
    assert!(known > unknown, "{known} plans know a directory, {unknown} do not");
    println!("{known} plans know a directory, {unknown} do not");
}
