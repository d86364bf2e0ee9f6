//! The target `reading_agrees`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shfence_fuzz::reading_agrees(bytes));
