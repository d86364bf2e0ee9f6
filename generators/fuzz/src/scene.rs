//! The one tree that all lines are decided in.

use shfence::{
    Cwd, Dialects, Env, Invocation, Limits, MemoryView, Policy, Request, Scope, Verdict,
};
use std::path::Path;
use std::sync::LazyLock;

static VIEW: LazyLock<MemoryView> = LazyLock::new(|| {
    let mut view = MemoryView::default();
    view.file("/p/a", "a\n")
        .file("/p/b.txt", "b\n")
        .file("/p/-n", "")
        .file("/p/a b", "")
        .file("/p/src/main.rs", "")
        .file("/p/src/deep/a", "")
        .link("/p/in", "src/deep")
        .link("/p/up", "..")
        .link("/p/out", "/etc")
        .link("/p/loop", "loop")
        .link("/p/nosuch", "missing")
        .file("/etc/passwd", "")
        .file("/evil/a", "")
        .dir("/home/u");
    view
});

static SCOPE: LazyLock<Scope> =
    LazyLock::new(|| Scope::new(&["/p".into()], &*VIEW).expect("the root is there"));

/// The verdict on a line, started in the project's root by any shell.
pub fn decide(line: &[u8]) -> Verdict {
    let request = Request {
        line,
        cwd: Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) },
        scope: &SCOPE,
        home: Some(Path::new("/home/u")),
        env: &Env::new(),
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    shfence::decide(&request, &*VIEW)
}
