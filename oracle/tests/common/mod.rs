//! What the tests of the engine share: an engine that checks itself, and a tree with ways out.

use shfence_corpus::{Case, Entry, Node, RelPath, TreeSpec};
use shfence_oracle::engine::{Backend, Engine, EngineConfig, Start};
use shfence_oracle::installations::{Installation, installations};
use std::time::Duration;

/// The configuration of all tests: the built program as the worker, and after each run that is said
/// to have changed nothing, a look whether that is true.
pub fn config() -> EngineConfig {
    let mut config = EngineConfig::new(env!("CARGO_BIN_EXE_shfence-oracle"));
    config.verify = true;
    config
}

/// An engine. Where nothing can be contained the test fails: a skipped test proves nothing.
#[allow(dead_code, reason = "each test uses a part of it")]
pub fn engine() -> Engine {
    Engine::start(&config()).unwrap_or_else(|error| panic!("{error}"))
}

/// Every `nth` of these; all of them where `SHFENCE_TESTS=all`, as in the nightly job. For what is
/// compared in many ways: a part of it shows a fault of the harness, and a fault that only one of
/// them shows is found in the night.
#[allow(dead_code, reason = "each test uses a part of it")]
pub fn share<T>(all: impl IntoIterator<Item = T>, nth: usize) -> Vec<T> {
    let whole = std::env::var_os("SHFENCE_TESTS").is_some_and(|extent| extent == "all");
    all.into_iter().step_by(if whole { 1 } else { nth }).collect()
}

/// Every way to start a shell with every way to observe it, each based on this configuration, and
/// what to call it.
#[allow(dead_code, reason = "each test uses a part of it")]
pub fn ways(config: &EngineConfig) -> Vec<(String, EngineConfig)> {
    let mut ways = Vec::new();
    for start in [Start::Exec, Start::Warm] {
        for backend in [Backend::Notify, Backend::Ptrace] {
            let config = EngineConfig { start, backend, ..config.clone() };
            ways.push((format!("{start:?} {backend:?}"), config));
        }
    }
    ways
}

/// The configuration for lines that must come to their end, however busy the machine is.
#[allow(dead_code, reason = "each test uses a part of it")]
pub fn patient() -> EngineConfig {
    let mut config = config();
    (config.limits.wall, config.limits.grace) = (Duration::from_secs(20), Duration::from_secs(10));
    config
}

/// The five shells that cases ask for; a test that lacks one fails.
#[allow(dead_code, reason = "each test uses a part of it")]
pub fn shells() -> Vec<Installation> {
    let mut shells = installations();
    shells.retain(|shell| !shell.id.is_extra());
    let names: Vec<&str> = shells.iter().map(|shell| shell.id.name.as_str()).collect();
    assert_eq!(names, ["bash", "dash", "busybox", "bash-posix", "zsh"], "install what is missing");
    shells
}

/// A case in the tests' tree: a project with links that lead out of it.
#[allow(dead_code, reason = "each test uses a part of it")]
pub fn case(line: &str) -> Case {
    Case::new(line, tree())
}

#[allow(dead_code, reason = "each test uses a part of it")]
fn tree() -> TreeSpec {
    let file = |text: &str| Node::File { text: text.into(), executable: false };
    let link = |to: &str| Node::Link { to: to.into() };
    let entries = [
        ("proj/src/main.txt", file("main\n")),
        ("proj/src/sub/deep.txt", file("deep\n")),
        ("proj/x", file("x\n")),
        ("proj/tool.sh", Node::File { text: "#!/bin/sh\necho tool\n".into(), executable: true }),
        ("proj/out", link("../outside")),
        ("proj/leak", link("/case/outside/secret")),
        ("proj/dangling", link("/case/outside/missing")),
        ("proj/src/up", link("../../outside/sub")),
        ("outside/secret", file("secret\n")),
        ("outside/e.sh", file("sourced=yes\n")),
        ("outside/sub/k", file("k\n")),
    ];
    let entry = |(path, node)| Entry { path: RelPath::new(path).unwrap(), node };
    TreeSpec::new(entries.map(entry)).unwrap()
}
