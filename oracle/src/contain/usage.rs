//! How much memory a run uses.

use std::fs;

/// The bytes of memory, not of files, that all processes of the box hold together. Pages that
/// several share count for each of them.
///
/// Processes that end meanwhile count as nothing.
pub(crate) fn memory_in_use() -> u64 {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter(|entry| {
        entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit)
    });
    let status = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("status")).ok();
    processes.filter_map(status).map(|status| held(&status)).sum()
}

/// The bytes that the lines `RssAnon: N kB` and `RssShmem: N kB` of a process's status tell
/// (proc(5)).
fn held(status: &str) -> u64 {
    let kilobytes = |line: &str| {
        let rest = line.strip_prefix("RssAnon:").or_else(|| line.strip_prefix("RssShmem:"))?;
        rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    status.lines().filter_map(kilobytes).sum::<u64>().saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_counted_and_files_are_not() {
        let status =
            "Name:\tsh\nVmRSS:\t 9 kB\nRssAnon:\t 3 kB\nRssFile:\t 4 kB\nRssShmem:\t2 kB\n";
        assert_eq!(held(status), 5 * 1024);
        assert_eq!(held("Name:\tkthreadd\n"), 0);
    }
}
