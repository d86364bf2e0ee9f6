//! SIGINT and SIGTERM: noted, not obeyed at once, so that what is open can be closed.

use super::check;
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

static SIGNAL: AtomicI32 = AtomicI32::new(0);

extern "C" fn on_signal(signal: libc::c_int) {
    if SIGNAL.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: a plain number; async-signal-safe (signal-safety(7)).
        unsafe { libc::_exit(128 + signal) }
    }
}

/// Notes the two signals from now on. A second one ends the process at once, with the exit code
/// that a first of its kind would have led to: for people who do not want to wait.
pub(crate) fn install() -> io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: an all-zero sigaction is a valid value; the handler only swaps an atomic and ends
        // the process, which is async-signal-safe.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_RESTART;
            check(libc::sigaction(signal, &action, std::ptr::null_mut()))?;
        }
    }
    Ok(())
}

/// The last of the two signals that arrived, 0 if none did.
pub(crate) fn pending() -> i32 {
    SIGNAL.load(Ordering::Relaxed)
}
