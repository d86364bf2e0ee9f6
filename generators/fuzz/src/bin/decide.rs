//! The target `decide`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shfence_fuzz::decide(bytes));
