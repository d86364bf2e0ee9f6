//! What the oracle needs of a system, each tried by itself, so that a refused tier can be
//! understood.

use crate::contain::{Cgroup, Limits, Refusal, Step};
use crate::system::attempt::{self, in_child};
use serde::Serialize;
use std::io;

/// One thing that the system offers or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facility {
    /// What it is.
    pub name: &'static str,
    /// What becomes of the oracle without it.
    pub without: &'static str,
    /// Why it is not there, if it is not.
    pub refusal: Option<Refusal>,
}

/// Tries all of them. Only for a process with a single thread: each is tried in a child.
pub fn facilities() -> Vec<Facility> {
    let facility = |name, without, tried: Result<(), Refusal>| Facility {
        name,
        without,
        refusal: tried.err(),
    };
    let tried = |step: &str, act: fn() -> io::Result<()>| in_child(act).step(step);
    vec![
        facility(
            "user namespaces",
            "only root can contain",
            tried("make and map a user namespace", attempt::leave_user_namespace),
        ),
        facility(
            "tmpfs",
            "nothing can be contained",
            tried("mount a file system in memory", attempt::mount_memory),
        ),
        facility("/proc", "nothing can be observed", process_file_system()),
        facility(
            "seccomp notification",
            "nothing can be observed",
            tried("install a filter with a listener", attempt::be_filtered),
        ),
        facility("ptrace", "no second witness", tried("be traced", attempt::be_traced)),
        facility("inotify", "no witness in tests", tried("watch files", attempt::watch_files)),
        facility(
            "control groups",
            "memory is bounded by looking at it, not by the kernel",
            Cgroup::make(&Limits::default()).map(drop),
        ),
    ]
}

fn process_file_system() -> Result<(), Refusal> {
    std::fs::read_link("/proc/self").step("read /proc/self").map(drop)
}
