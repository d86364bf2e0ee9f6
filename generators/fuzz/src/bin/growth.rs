//! The target `growth`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shfence_fuzz::growth(bytes));
