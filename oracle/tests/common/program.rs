//! The built program, run as people and scripts run it.

use std::process::{Command, Output};

/// How it ended and what it said.
#[derive(Debug)]
#[allow(dead_code, reason = "each test uses a part of it")]
pub struct Ended {
    /// The exit code; nothing if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Ended {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

/// The program with these arguments, whatever the surroundings of the tests demand of shells, and
/// whichever shard of all tests this is.
pub fn oracle(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shfence-oracle"));
    command.args(arguments).env_remove("ORACLE_TIER").env_remove("REQUIRE_SHELLS");
    for (name, _) in std::env::vars_os() {
        let is = |word| name.to_string_lossy().contains(word);
        if is("SHARD") || is("NODE_INDEX") || is("JOB") || is("TASK") {
            command.env_remove(name);
        }
    }
    command
}

/// Runs it to its end.
pub fn run(command: &mut Command) -> Ended {
    command.output().expect("the program starts").into()
}

/// Runs it, and fails unless it ends with this code.
#[track_caller]
pub fn ends_with(code: i32, arguments: &[&str]) -> Ended {
    let ended = run(&mut oracle(arguments));
    assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:#?}");
    ended
}
