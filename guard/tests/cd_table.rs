//! `cd` against live shells: where a shell really is afterwards must be where the plan says it may
//! be, for many directories, environments and operands.
//!
//! Every line is run and judged as the same text. It ends in `pwd -P`, so that its last segment's
//! set of directories in the plan must contain what the shell printed; with `&&` before it that is
//! the claim about success, with `||` the claim about failure.

mod shells;

use shells::{Ended, SHELLS, Shell};
use shfence::{Cwd, Cwds, Dialects, Env, Invocation, Limits, Policy, RealView, Request, Scope};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
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
    "", "--", "-L", "-P", "a", "a/b/c", "./a", "a/", "a//b/", "a/.", "a/..", "a/../a", "a/../x", ".",
    "./", "..", "../", "../..", "../p", "../out", "..x", "...", "a/..b", "@", "@/p/a", "@//p", "/",
    "//", "@/../..", "x", "y", "'sp ace'", "~nosuch/x", "'~'",
    "link", "link/", "link/..", "link/../x", "link/../b", "link/c/..", "abs", "abs/x", "abs/..",
    "abs/in", "abs/in/..", "up", "up/out", "here", "here/..", "here/a", "a/chain", "a/chain/..",
    "link/deep", "link/deep/..", "link/deep/../y", "../link", "../chain", "../in/..",
    "nosuch", "nosuch/..", "nosuch/../a", "a/f", "a/f/..", "a/f/../x", "a/f/", "tofile", "tofile/..",
    "dangling", "dangling/..", "dangling/../a", "loop", "loop/..", "loop/../a",
    "''", "-- ''", "-P ''", "-L ''", "-", "-- -", "-P -", "-L -",
    "-L link", "-P link", "-P link/..", "-L link/..", "-P ..", "-L ..", "-P ../x", "-P abs/..",
    "-P a/f/..", "-P nosuch/..", "-P dangling/../a", "-P -- link", "-L -- link/..", "-- link",
    "-P -L link/..", "-L -P link/..", "-LP link/..", "-PL link/..", "-- -- a", "-P /", "-P .",
    "-dash", "-- -dash", "./-dash", "-1", "-- -1", "-- -L", "+plus", "-- +plus", "+1", "-- +1",
    "./+1", "a x", "a b", "p out", "-- a x", "a --", "a -P",
];

/// `cd`s that others follow.
const FIRST: &[&str] = &["link", "a", "-P link", "''", "abs/in", "..", "nosuch", "-", "x"];

/// `cd`s that follow.
const SECOND: &[&str] = &["..", "-", "-P -", "''", "-P ''", "-P ..", ".", "-P .", "", "../x", "x"];

/// The lines, `@` not yet replaced.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for words in WORDS.iter().filter(|words| !words.starts_with('~')) {
        for before in [";", " &&", " ||"] {
            lines.push(format!("cd {words}{before} pwd -P"));
        }
    }
    for first in FIRST {
        for second in SECOND {
            lines.push(format!("cd {first}; cd {second}; pwd -P"));
            lines.push(format!("cd {first}; cd {second} && cd ..; pwd -P"));
            lines.push(format!("cd {first}; cd {second}; cd - && pwd -P"));
        }
    }
    lines
}

/// The set of directories that the plan gives for the last segment.
fn planned(line: &str, setting: &Setting, top: &Path, shells: Dialects) -> Cwds {
    let real = |text: &str| PathBuf::from(of(top, text));
    let (dir, pwd) = (real(setting.dir), setting.pwd.map(real));
    let home = setting.home.map(real);
    let cdpath = setting.cdpath.map(|text| (b"CDPATH".to_vec(), of(top, text).into_bytes()));
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: &dir, pwd: pwd.as_deref() },
        scope: &Scope::new(&[top.to_owned()], &RealView).expect("the top is a directory"),
        home: home.as_deref(),
        env: &Env::from_iter(cdpath),
        dialects: shells,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    let plan = shfence::decide(&request, &RealView).plan;
    let plan = plan.unwrap_or_else(|stop| panic!("{line} is not understood: {stop}"));
    plan.segments.last().expect("every line ends in pwd").cwd.clone()
}

fn run(shell: &Shell, setting: &Setting, top: &Path, lines: &[String]) -> Vec<Ended> {
    let all = [("PWD", setting.pwd), ("HOME", setting.home), ("CDPATH", setting.cdpath)];
    let values = all.map(|(name, value)| (name, value.map(|text| of(top, text))));
    let env: Vec<(&str, &OsStr)> = values
        .iter()
        .filter_map(|(name, value)| Some((*name, OsStr::new(value.as_ref()?))))
        .collect();
    shell.run(Path::new(&of(top, setting.dir)), &env, lines)
}

/// What a shell did that the plan does not say. The last command of every line is `pwd -P`: it ran
/// exactly if the line succeeded.
fn contradictions(
    shell: &Shell,
    setting: &Setting,
    top: &Path,
    lines: &[String],
    shells: Dialects,
) -> Vec<String> {
    let mut found = Vec::new();
    for (line, ended) in lines.iter().zip(run(shell, setting, top, lines)) {
        let Some(real) = ended.last.filter(|_| ended.success && !is_skipped(line)) else { continue };
        if let Cwds::Known(list) = planned(line, setting, top, shells) {
            if !list.iter().any(|cwd| cwd.as_path() == real) {
                let (dir, pwd) = (setting.dir, setting.pwd);
                let (home, cdpath) = (setting.home, setting.cdpath);
                found.push(format!(
                    "{}: in {dir}, PWD {pwd:?}, HOME {home:?}, CDPATH {cdpath:?}: `{line}` is in {} \
                     and not in {list:?}",
                    shell.name,
                    real.display()
                ));
            }
        }
    }
    found
}
