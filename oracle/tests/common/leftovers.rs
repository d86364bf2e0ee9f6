//! The program under a name of its own, so that what it leaves behind can be told from what other
//! tests do at the same time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A copy of the program, with a directory for its scripts.
#[derive(Debug)]
pub struct Own {
    scratch: TempDir,
    program: PathBuf,
}

impl Own {
    pub fn new() -> Own {
        let built = env!("CARGO_BIN_EXE_shfence-oracle");
        let scratch = tempfile::tempdir().unwrap();
        let program = scratch.path().join("oracle");
        // Another file system has no links to this one.
        fs::hard_link(built, &program).or_else(|_| fs::copy(built, &program).map(drop)).unwrap();
        Own { scratch, program }
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    pub fn dir(&self) -> &Path {
        self.scratch.path()
    }

    /// The command, told where program and directory are, and nothing of what the surroundings of
    /// the tests demand.
    pub fn surround<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("ORACLE", &self.program)
            .env("DIR", self.dir())
            .env_remove("ORACLE_TIER")
            .env_remove("REQUIRE_SHELLS")
            .current_dir(self.dir())
    }

    /// No process of the program is left, and nothing is mounted in its directory. A process that
    /// was killed may take a moment to end, and a run that nobody waits for its two seconds.
    #[track_caller]
    pub fn assert_nothing_left(&self, after: &str) {
        let started = Instant::now();
        while !self.running().is_empty() {
            let waited = started.elapsed();
            assert!(waited < Duration::from_secs(15), "after {after}: {:?}", self.running());
            std::thread::sleep(Duration::from_millis(5));
        }
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let here = self.dir().to_str().unwrap();
        assert!(!mounts.contains(here), "after {after}: {mounts}");
    }

    /// The processes that run the program, workers and supervisors included: each is called as it
    /// was started.
    pub fn running(&self) -> Vec<u32> {
        let path = self.program.as_os_str().as_encoded_bytes();
        let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let called = fs::read(entry.path().join("cmdline")).ok()?;
            let is_own = called.split(|byte| *byte == 0).next() == Some(path);
            is_own.then_some(pid)
        });
        pids.collect()
    }
}
