//! Real shells, asked for nothing but `cd`, `pwd` and `echo`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A shell, and how to start it without files of anybody's own.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    pub name: &'static str,
    /// Does it stand for `sh`?
    pub is_sh: bool,
    /// The program and its arguments before `-c`.
    start: &'static [&'static str],
    /// The Debian package that holds it.
    package: &'static str,
}

pub const SHELLS: [Shell; 5] = [
    Shell { name: "bash", is_sh: false, start: &["/bin/bash"], package: "bash" },
    Shell { name: "dash", is_sh: true, start: &["/bin/dash"], package: "dash" },
    Shell { name: "busybox sh", is_sh: true, start: &["/bin/busybox", "sh"], package: "busybox" },
    Shell { name: "bash --posix", is_sh: true, start: &["/bin/bash", "--posix"], package: "bash" },
    Shell { name: "zsh", is_sh: false, start: &["/bin/zsh", "-f"], package: "zsh" },
];

/// How some `cd`s ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Did the last one succeed?
    pub success: bool,
    /// What `pwd -P` says after it.
    pub cwd: PathBuf,
}

impl Shell {
    /// Runs each line of `cd`s in a subshell of one shell, started in `dir` with this environment
    /// and no other. Subshells, because tens of thousands of starts would take minutes.
    pub fn run(&self, dir: &Path, env: &[(&str, &OsStr)], lines: &[String]) -> Vec<Ended> {
        assert!(
            Path::new(self.start[0]).exists(),
            "{} is needed by this test: apt-get install {}",
            self.start[0],
            self.package
        );
        let script: String =
            lines.iter().map(|line| format!("( {line}; echo \"=$?\"; pwd -P )\n")).collect();
        let output = Command::new(self.start[0])
            .args(&self.start[1..])
            .args(["-c", &script])
            .current_dir(dir)
            .env_clear()
            .envs(env.iter().copied())
            .output()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", self.name));
        let stdout = String::from_utf8(output.stdout).expect("all paths of the tree are ASCII");
        // A `cd` may print where it went, before its status.
        let mut printed = stdout.lines();
        let mut ended = Vec::with_capacity(lines.len());
        while let Some(status) = printed.find_map(|line| line.strip_prefix('=')) {
            let cwd = printed.next().expect("pwd prints a line").into();
            ended.push(Ended { success: status == "0", cwd });
        }
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert_eq!(ended.len(), lines.len(), "{} stopped early: {complaints}", self.name);
        ended
    }
}
