//! What one run did, as it is being recorded.

use crate::system::{Pid, process};
use crate::trace::{Exec, Touch};

/// The record of one run.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Programs started after the shell itself.
    pub(crate) execs: Vec<Exec>,
    /// Path operations after the shell's own start.
    pub(crate) touches: Vec<Touch>,
    /// The processes, in the order in which they were first seen.
    processes: Vec<Pid>,
    /// Threads that are not their process's first, with their process.
    threads: Vec<(Pid, Pid)>,
}

impl Record {
    /// How many events were recorded.
    pub(crate) fn len(&self) -> usize {
        self.execs.len() + self.touches.len()
    }

    /// The number of a thread's process, from 1.
    pub(crate) fn number(&mut self, thread: Pid) -> u32 {
        let process = self.process_of(thread);
        let place = self.processes.iter().rposition(|seen| *seen == process);
        let place = place.unwrap_or_else(|| {
            self.processes.push(process);
            self.processes.len() - 1
        });
        place as u32 + 1
    }

    /// The process a thread belongs to.
    fn process_of(&mut self, thread: Pid) -> Pid {
        if self.processes.contains(&thread) {
            return thread;
        }
        if let Some((_, process)) = self.threads.iter().find(|(seen, _)| *seen == thread) {
            return *process;
        }
        if process::is_process(thread) {
            return thread;
        }
        let process = group_of(thread).unwrap_or(thread);
        self.threads.push((thread, process));
        process
    }
}

/// The process of a thread, from its status file.
fn group_of(thread: Pid) -> Option<Pid> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()
}
