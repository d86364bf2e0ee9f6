//! The target `hook_payload`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shfence_fuzz::hook_payload(bytes));
