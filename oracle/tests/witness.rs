//! The observer against the file system's own witness: after every line it is asked what happened
//! in the tree, and an engine whose record does not tell of it is lost (`verify`).
#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{case, config, share, shells};
use shfence_corpus::Fixture;
use shfence_oracle::engine::Engine;
use std::path::Path;
use std::time::Duration;

/// Lines that go to files in ways of which a table of calls could forget one.
const LINES: &[&str] = &[
    "./tool.sh; printf '#!/case/proj/tool.sh\\n' > over; chmod +x over; ./over",
    "cp /usr/bin/true mine; ./mine; /lib64/ld-linux-x86-64.so.2 ./mine; exec ./mine",
    "cp -a out/. copy; mv copy moved; cat moved/secret; rm -rf moved",
    "mv ../outside ../away; cat ../away/secret; echo a >> ../away/sub/k; mv ../away ../outside",
    "exec 3<> leak; rm ../outside/secret; echo b >&3; cat <&3; exec 3<&-; ln x hard; echo c > hard",
    "tar -cf all.tar src; tar -xf all.tar -C out; dd if=all.tar of=out/part count=1; sort -o x x",
    "sed -i s/x/y/ x; touch -d 2000-01-01 leak; truncate -s 0 leak; install -m 700 x out/x",
    "mkfifo out/pipe; (echo a > out/pipe &); read v < out/pipe; test \"$v\" = a && rmdir out/sub",
    "find -L . -type f -exec cat {} +; grep -r secret ..; du -a ..; ls -lR ..",
    "perl -e 'open(F, \"+<\", \"leak\"); truncate(F, 0); utime(1, 1, *F); chmod(0600, *F)'",
];

fn engine() -> Engine {
    let mut config = config();
    config.limits.wall = Duration::from_secs(10);
    Engine::start(&config).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn nothing_that_lines_do_to_files_is_unseen() {
    let mut engine = engine();
    for shell in shells() {
        for line in LINES {
            let trace = engine.run(&case(line), &shell);
            assert!(trace.is_ok(), "{} in {}: {trace:?}", line, shell.id.name);
        }
    }
}

#[test]
fn nothing_that_fixtures_do_to_files_is_unseen() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/regressions");
    let fixtures = Fixture::load_all(&[corpus]).unwrap();
    assert!(fixtures.len() > 10, "{}", fixtures.len());
    let mut engine = engine();
    for fixture in share(&fixtures, 2) {
        for shell in shells().iter().filter(|it| fixture.case.shells.contains(it.id.shell)) {
            let trace = engine.run(&fixture.case, shell);
            assert!(trace.is_ok(), "{:?} in {}: {trace:?}", fixture.case.line, shell.id.name);
        }
    }
}
