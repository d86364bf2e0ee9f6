//! The target `judged`.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

/// It stands beside the target.
static WORKER: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = std::env::current_exe().expect("a program knows where it is");
    program.with_file_name("judged_worker")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    shfence_fuzz::judged(bytes, &WORKER);
});
