//! The processors that workers are put on.

use crate::system::process;

/// The numbers of the processors that this process may run on, from the line
/// `Cpus_allowed_list: 0-3,8` of its status (proc(5)). In a container they need not start at 0.
/// None if the system does not say: then the scheduler decides.
pub(crate) fn usable() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    };
    list.unwrap_or_default().trim().split(',').filter_map(range).flatten().collect()
}

/// Keeps this thread on a processor, if it is given one: whoever waits for a worker does so where
/// the worker runs. Waking a thread on another processor costs more than a short line does.
pub(crate) fn stay_on(cpu: Option<usize>) {
    // Where that is not allowed, all is the same but slower.
    let _ = cpu.map(process::pin);
}
