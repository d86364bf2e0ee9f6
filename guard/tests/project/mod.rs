//! A project on disk, and the program run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A project with a link that leads out of it, in a scratch directory of its own.
pub struct Project {
    _scratch: tempfile::TempDir,
    /// The project's directory, `p`; beside it stands `outside`.
    pub root: PathBuf,
}

/// How the program ended.
pub struct Ended {
    /// Its exit code.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

impl Project {
    /// Makes one.
    pub fn plant() -> Project {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let top = scratch.path().canonicalize().expect("the scratch directory is there");
        let root = top.join("p");
        fs::create_dir_all(root.join("src/bin")).expect("the scratch directory can be written");
        fs::create_dir_all(root.join(".git")).expect("the scratch directory can be written");
        fs::create_dir_all(top.join("outside")).expect("the scratch directory can be written");
        fs::write(root.join("src/main.rs"), "").expect("the scratch directory can be written");
        symlink("../outside", root.join("out")).expect("the scratch directory can be written");
        Project { _scratch: scratch, root }
    }

    /// The project's directory as text.
    pub fn root(&self) -> &str {
        self.root.to_str().expect("the scratch directory's name is text")
    }

    /// Replaces the scratch directory's random name by `@`.
    pub fn anonymous(&self, text: &str) -> String {
        text.replace(self.root().strip_suffix("/p").expect("the root is p"), "@")
    }

    /// Runs the program in `dir` of the project, with no environment but `PWD` and what is given.
    pub fn run_in(&self, dir: &str, env: &[(&str, &str)], args: &[&OsStr], input: &[u8]) -> Ended {
        self.run_as(Path::new(env!("CARGO_BIN_EXE_shfence")), dir, env, args, input)
    }

    /// Runs the program under another name.
    pub fn run_as(
        &self,
        program: &Path,
        dir: &str,
        env: &[(&str, &str)],
        args: &[&OsStr],
        input: &[u8],
    ) -> Ended {
        let dir = self.root.join(dir);
        let mut child = Command::new(program)
            .args(args)
            .current_dir(&dir)
            .env_clear()
            .env("PWD", &dir)
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("its input is a pipe");
        let bytes = input.to_vec();
        // Written beside the reading: neither side may fill its pipe and wait for the other.
        let writing = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().expect("the program ends");
        writing.join().expect("the input was written");
        Ended {
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("the program prints text"),
            stderr: String::from_utf8(output.stderr).expect("the program prints text"),
        }
    }
}
