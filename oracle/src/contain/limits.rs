//! What a run may use.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The bounds of every run. They are there to stop a hostile line, not to measure a harmless one:
/// the defaults are far above what any shell or core tool needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time from the start of the shell to its end.
    pub wall: Duration,
    /// How long background jobs may go on, still observed, after the shell has ended.
    pub grace: Duration,
    /// Processes and threads at a time.
    pub processes: u64,
    /// Bytes of one file, and so of the output.
    pub file_size: u64,
    /// Seconds of processor time, per process.
    pub cpu_seconds: u64,
    /// Open descriptors, per process.
    pub open_files: u64,
    /// Bytes of address space, per process.
    pub address_space: u64,
    /// Bytes of memory of all processes together. A run that has more is stopped as one that takes
    /// too long is.
    pub memory: u64,
    /// Bytes of all files of the tree together.
    pub tree_size: u64,
    /// Files and directories of the tree.
    pub tree_entries: u64,
    /// Touches and execs that are recorded. A run that makes more is stopped as one that takes too
    /// long is.
    pub events: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        const MIB: u64 = 1 << 20;
        Limits {
            wall: Duration::from_secs(2),
            grace: Duration::from_millis(30),
            processes: 64,
            file_size: MIB,
            cpu_seconds: 5,
            open_files: 256,
            address_space: 1024 * MIB,
            memory: 1024 * MIB,
            tree_size: 16 * MIB,
            tree_entries: 4096,
            events: 20_000,
        }
    }
}

impl Limits {
    /// Where the kernel bounds the memory by itself. Above the limit at which a run is stopped,
    /// since the kernel ends any process it likes, and the line then goes on without that.
    pub(crate) fn memory_backstop(&self) -> u64 {
        self.memory.saturating_add(self.memory / 4).saturating_add(self.tree_size)
    }

    /// Where the kernel bounds the processes by itself: with room for the servers.
    pub(crate) fn processes_backstop(&self) -> u64 {
        self.processes.saturating_add(32)
    }
}
