//! How fast a decision is.
//!
//! `cargo bench -p shfence` tells decisions per second, the best of several rounds; `ci/bench` has
//! valgrind count instructions and allocations, which are the same on a busy machine.
#![forbid(unsafe_code)]

mod hostile;
mod lines;

use shfence::{Cwd, Dialects, Env, FsView, Invocation, Limits, NoView, Policy, RealView, Request};
use shfence::{Decision, Scope, Verdict};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// A project to decide in.
struct Bench<'a> {
    view: &'a dyn FsView,
    scope: Scope,
    root: &'a Path,
}

impl Bench<'_> {
    fn decide(&self, line: &[u8]) -> Verdict {
        let request = Request {
            line,
            cwd: Cwd { dir: self.root, pwd: Some(self.root) },
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

    fn all(&self, lines: &[&str]) {
        for line in lines {
            black_box(self.decide(black_box(line.as_bytes())));
        }
    }

    /// The shortest round of a second, or of as many as fit into it.
    fn best(&self, lines: &[&str]) -> Duration {
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

fn main() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let root = scratch.path().canonicalize().expect("the scratch directory is there");
    plant(&root).expect("the scratch directory can be filled");
    let bench = |view| {
        let scope = Scope::new(std::slice::from_ref(&root), view).expect("the root is there");
        Bench { view, scope, root: &root }
    };
    let views = [("none", bench(&NoView)), ("real", bench(&RealView))];
    // For valgrind: only the work itself, so many times.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, view, what, rounds] = &arguments[..]
        && mode == "rounds"
    {
        let (_, bench) = views.iter().find(|(name, _)| name == view).expect("none or real");
        let hostile = hostile::lines(64 * 1024);
        let line = hostile.iter().find(|(name, _)| name == what).map(|(_, line)| &line[..]);
        let lines = line.map_or_else(|| lines::AGENTS.to_vec(), |line| vec![line]);
        (0..rounds.parse().expect("a number")).for_each(|_| bench.all(&lines));
        return;
    }
    for (name, bench) in &views {
        let allowed = |line: &&&str| bench.decide(line.as_bytes()).decision == Decision::Allow;
        let allowed = lines::AGENTS.iter().filter(allowed).count();
        let best = bench.best(lines::AGENTS);
        let count = lines::AGENTS.len();
        let per_second = count as f64 / best.as_secs_f64();
        println!("view {name}: {per_second:.0} decisions/s ({allowed} of {count} lines allowed)");
        for (what, line) in hostile::lines(64 * 1024) {
            let best = bench.best(&[&line]);
            println!("  {what:12} 64 KiB: {:.2} ms", best.as_secs_f64() * 1e3);
        }
    }
}
