//! Real shells, asked for nothing but `cd`, `pwd` and `echo`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A shell, and how to start it without files of anybody's own.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    pub name: &'static str,
    /// The program and its arguments before `-c`.
    start: &'static [&'static str],
    /// The Debian package that holds it.
    package: &'static str,
    /// The shell in the guard's list of dialects.
    pub dialect: &'static str,
}

pub const SHELLS: [Shell; 5] = [
    Shell { name: "bash", start: &["/bin/bash"], package: "bash", dialect: "bash" },
    Shell { name: "dash", start: &["/bin/dash"], package: "dash", dialect: "sh" },
    Shell {
        name: "busybox sh",
        start: &["/bin/busybox", "sh"],
        package: "busybox",
        dialect: "sh",
    },
    Shell {
        name: "bash --posix",
        start: &["/bin/bash", "--posix"],
        package: "bash",
        dialect: "sh",
    },
    Shell { name: "zsh", start: &["/bin/zsh", "-f"], package: "zsh", dialect: "zsh" },
];

/// How a line ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Was the status of its last command 0?
    pub success: bool,
    /// The last line it printed.
    pub last: Option<PathBuf>,
}

impl Shell {
    /// Runs each line in a subshell of one shell started in `dir` with this environment and no
    /// other. Subshells, because hundreds of lines in five shells would be thousands of starts.
    pub fn run(&self, dir: &Path, env: &[(&str, &OsStr)], lines: &[String]) -> Vec<Ended> {
        assert!(
            Path::new(self.start[0]).exists(),
            "{} is needed by this test: apt-get install {}",
            self.start[0],
            self.package
        );
        let script: String =
            lines.iter().map(|line| format!("( {line} )\necho \"=$?\"\n")).collect();
        let output = Command::new(self.start[0])
            .args(&self.start[1..])
            .args(["-c", &script])
            .current_dir(dir)
            .env_clear()
            .envs(env.iter().copied())
            .output()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", self.name));
        let stdout = String::from_utf8(output.stdout).expect("all paths of the tree are ASCII");
        let mut ended = Vec::with_capacity(lines.len());
        let mut last = None;
        for printed in stdout.lines() {
            match printed.strip_prefix('=') {
                Some(status) => ended.push(Ended { success: status == "0", last: last.take() }),
                None => last = Some(PathBuf::from(printed)),
            }
        }
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert_eq!(ended.len(), lines.len(), "{} stopped early: {complaints}", self.name);
        ended
    }
}
