//! `shfence batch` as a program talks to it: one question, one answer, and then the next.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

/// Whoever has seen an answer may have changed the tree since.
#[test]
fn batch_looks_again_for_a_question_that_comes_later() {
    let scratch = tempfile::tempdir().expect("there is a scratch directory");
    let root = scratch.path().join("p");
    std::fs::create_dir(&root).expect("the scratch directory can be written");
    let question = json!({"id": 1, "command": "cat new", "cwd": root, "root": root});
    let mut child = Command::new(env!("CARGO_BIN_EXE_shfence"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it has an input");
    let output = BufReader::new(child.stdout.take().expect("it has an output"));
    let mut answers = output.lines().map(|line| {
        let line = line.expect("an answer is text");
        serde_json::from_str::<Value>(&line).expect("an answer is JSON")["decision"].clone()
    });
    let mut ask = || {
        writeln!(input, "{question}").expect("it reads");
        answers.next().expect("it answers at once")
    };
    assert_eq!(ask(), "allow");
    symlink("../x", root.join("new")).expect("a link can be made");
    assert_eq!(ask(), "ask");
    std::fs::remove_file(root.join("new")).expect("the link can be removed");
    assert_eq!(ask(), "allow");
    drop(input);
    assert!(child.wait().expect("it ends").success());
}
