//! The wall clock: a timer whose signal interrupts the one system call the supervisor blocks in.

use super::check;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static EXPIRED: AtomicBool = AtomicBool::new(false);

/// After the first signal the timer repeats at this interval. A signal that arrives between the
/// look at [`expired`] and the blocking call would otherwise be lost, and the call last for ever.
const AGAIN: Duration = Duration::from_millis(5);

extern "C" fn on_alarm(_signal: libc::c_int) {
    EXPIRED.store(true, Ordering::Relaxed);
}

/// Makes SIGALRM interrupt blocking calls (no `SA_RESTART`) and set the flag. Once per process.
pub(crate) fn install() -> io::Result<()> {
    // SAFETY: an all-zero sigaction is a valid value; the handler only stores to an atomic, which
    // is async-signal-safe.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_alarm as extern "C" fn(libc::c_int) as usize;
        check(libc::sigaction(libc::SIGALRM, &action, std::ptr::null_mut()))?;
    }
    Ok(())
}

/// Starts the clock: [`expired`] turns true `after` from now.
pub(crate) fn arm(after: Duration) -> io::Result<()> {
    EXPIRED.store(false, Ordering::Relaxed);
    set(after.max(Duration::from_micros(1)), AGAIN)
}

/// Stops the clock and forgets that it expired.
pub(crate) fn disarm() -> io::Result<()> {
    set(Duration::ZERO, Duration::ZERO)?;
    EXPIRED.store(false, Ordering::Relaxed);
    Ok(())
}

/// Has the time passed that [`arm`] was given?
pub(crate) fn expired() -> bool {
    EXPIRED.load(Ordering::Relaxed)
}

fn set(value: Duration, interval: Duration) -> io::Result<()> {
    let timeval = |time: Duration| libc::timeval {
        tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_usec: libc::suseconds_t::from(time.subsec_micros()),
    };
    let timer = libc::itimerval { it_interval: timeval(interval), it_value: timeval(value) };
    // SAFETY: both pointers are valid for the call; a null old value is allowed (setitimer(2)).
    unsafe { check(libc::setitimer(libc::ITIMER_REAL, &timer, std::ptr::null_mut()))? };
    Ok(())
}
