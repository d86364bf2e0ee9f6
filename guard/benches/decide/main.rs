//! How fast a decision is.
//!
//! `cargo bench -p shfence` tells decisions per second, the best of several rounds; `ci/bench` has
//! valgrind count instructions and allocations, which are the same on a busy machine.
//!
//! `SHFENCE_BENCH_LINES` names a file of other lines than those of agents that stand here: a
//! question of `shfence batch` in each, of which `command`, `cwd` and `root` are taken. The bench's
//! own project stands for their root, and has the directories that they start in.
#![forbid(unsafe_code)]

mod hostile;
mod lines;

use shfence::{Cwd, Dialects, Env, FsView, Invocation, Limits, NoView, Policy, RealView, Request};
use shfence::{Decision, Scope, Verdict};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A project to decide in.
struct Bench<'a> {
    view: &'a dyn FsView,
    scope: Scope,
}

/// A line, and the directory it starts in.
struct Line {
    text: String,
    cwd: PathBuf,
}

impl Bench<'_> {
    fn decide(&self, line: &Line) -> Verdict {
        let request = Request {
            line: line.text.as_bytes(),
            cwd: Cwd { dir: &line.cwd, pwd: Some(&line.cwd) },
            scope: &self.scope,
            home: Some(Path::new("/home/u")),
            env: &Env::new(),
            dialects: Dialects::ALL,
            invocation: Invocation::Eval,
            policy: &Policy::default(),
            limits: Limits::default(),
        };
        shfence::decide(&request, self.view)
    }

    fn all(&self, lines: &[Line]) {
        for line in lines {
            black_box(self.decide(black_box(line)));
        }
    }

    /// The shortest round of a second, or of as many as fit into it.
    fn best(&self, lines: &[Line]) -> Duration {
        let (begun, mut best) = (Instant::now(), Duration::MAX);
        while begun.elapsed() < Duration::from_secs(1) {
            let start = Instant::now();
            self.all(lines);
            best = best.min(start.elapsed());
        }
        best
    }
}

/// The tree that the lines are about.
fn plant(root: &Path) -> std::io::Result<()> {
    for file in lines::TREE {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().unwrap_or(root))?;
        std::fs::write(path, "text\n")?;
    }
    std::os::unix::fs::symlink("src", root.join("source"))
}

/// The lines of agents that start in this project.
fn lines(root: &Path) -> Vec<Line> {
    let Some(file) = std::env::var_os("SHFENCE_BENCH_LINES") else {
        let line = |text: &&str| Line { text: (*text).to_owned(), cwd: root.to_owned() };
        return lines::AGENTS.iter().map(line).collect();
    };
    let questions = std::fs::read_to_string(file).expect("the file of lines can be read");
    let here = root.to_str().expect("the scratch directory has a name");
    questions.lines().map(|question| of_question(question, here)).collect()
}

fn of_question(question: &str, here: &str) -> Line {
    let fields: serde_json::Value = serde_json::from_str(question).expect("a question is JSON");
    let field = |name: &str| fields[name].as_str().expect("command, cwd and root are texts");
    let moved = |text: &str| text.replace(field("root"), here);
    let cwd = PathBuf::from(moved(field("cwd")));
    std::fs::create_dir_all(&cwd).expect("a directory of the project can be made");
    Line { text: moved(field("command")), cwd }
}

fn main() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let root = scratch.path().canonicalize().expect("the scratch directory is there");
    plant(&root).expect("the scratch directory can be filled");
    let bench = |view| {
        let scope = Scope::new(std::slice::from_ref(&root), view).expect("the root is there");
        Bench { view, scope }
    };
    let agents = lines(&root);
    let one = |(name, text)| (name, [Line { text, cwd: root.clone() }]);
    let hostile: Vec<_> = hostile::lines(64 * 1024).into_iter().map(one).collect();
    let views = [("none", bench(&NoView)), ("real", bench(&RealView))];
    // For valgrind: only the work itself, so many times.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, view, what, rounds] = &arguments[..]
        && mode == "rounds"
    {
        let (_, bench) = views.iter().find(|(name, _)| name == view).expect("none or real");
        let line = hostile.iter().find(|(name, _)| name == what);
        let lines = line.map_or(&agents[..], |(_, line)| line);
        (0..rounds.parse().expect("a number")).for_each(|_| bench.all(lines));
        return;
    }
    for (name, bench) in &views {
        let is_allowed = |line: &&Line| bench.decide(line).decision == Decision::Allow;
        let allowed = agents.iter().filter(is_allowed).count();
        let (best, count) = (bench.best(&agents), agents.len());
        let per_second = count as f64 / best.as_secs_f64();
        println!("view {name}: {per_second:.0} decisions/s ({allowed} of {count} lines allowed)");
        for (what, line) in &hostile {
            println!("  {what:12} 64 KiB: {:.2} ms", bench.best(line).as_secs_f64() * 1e3);
        }
    }
}
