//! A probe: what stands in the place of every verb in the probe lane. That it was executed, with
//! which arguments and where, is seen by the observer; what is left for it to do is to read, say
//! and exit as the case wants, which it asks the supervisor by the marker call. Where nobody
//! answers, it exits with 0.
//!
//! It is built on its own by `build.rs`, without a library and without a loader: almost all of what
//! a verb costs is starting it.
#![no_std]
#![no_main]
#![no_builtins]

mod acting;

use acting::{MARKER, act, call};
use core::arch::global_asm;

/// What a probe says in the marker call; as in `observe/notified.rs`.
const ASKS: usize = 5;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

global_asm!(".globl _start", "_start:", "and rsp, -16", "call {run}", run = sym run);

extern "C" fn run() -> ! {
    // SAFETY: plain numbers.
    unsafe {
        let answer = call(MARKER, [ASKS, 0, 0, 0, 0]);
        act(if answer < 0 { 0 } else { answer as usize })
    }
}
