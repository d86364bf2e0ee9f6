//! The supervisor's end of seccomp user notification (seccomp_unotify(2)).

use super::{Pid, check};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// The listener of one filter: every trapped call of every process under it arrives here.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

/// A trapped call. Its caller waits until it is answered or dies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notification {
    id: u64,
    /// The thread that called.
    pub(crate) thread: Pid,
    /// The call's number.
    pub(crate) number: u32,
    /// Its six arguments, as they stand in the registers.
    pub(crate) arguments: [u64; 6],
}

/// What happens to a trapped call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The kernel executes it as if nothing had been.
    Continue,
    /// It is not executed and returns this.
    Value(i64),
    /// It is not executed and fails with this errno.
    Error(i32),
}

/// What waiting for a trapped call gave.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A call.
    Call(Notification),
    /// Nothing: a signal arrived, or the caller died before its call could be read.
    Nothing,
}

impl Listener {
    /// Takes the descriptor that installing a filter gave.
    pub(crate) fn new(descriptor: OwnedFd) -> Listener {
        let listener = Listener(descriptor);
        // Tells the scheduler that caller and supervisor take turns (Linux 6.6). Older kernels
        // refuse the request and work all the same.
        // SAFETY: this request takes a plain number.
        unsafe { libc::ioctl(listener.0.as_raw_fd(), SET_FLAGS, SYNC_WAKE_UP) };
        listener
    }

    /// Waits for a trapped call. The only place where the supervisor blocks while a case runs.
    pub(crate) fn receive(&self) -> io::Result<Arrival> {
        // SAFETY: an all-zero notification is what the kernel asks for, and it fills it.
        let (result, raw) = unsafe {
            let mut raw: libc::seccomp_notif = std::mem::zeroed();
            (check(libc::ioctl(self.0.as_raw_fd(), RECEIVE, &mut raw)), raw)
        };
        match result {
            Ok(_) => Ok(Arrival::Call(Notification {
                id: raw.id,
                thread: raw.pid as Pid,
                number: raw.data.nr as u32,
                arguments: raw.data.args,
            })),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EINTR | libc::ENOENT)) => {
                Ok(Arrival::Nothing)
            }
            Err(error) => Err(error),
        }
    }

    /// Answers a call, and says whether its caller was still waiting. If it was, what was read of
    /// it since the call arrived was its own; if not, it died, which is no error.
    pub(crate) fn answer(&self, call: &Notification, answer: Answer) -> io::Result<bool> {
        let mut response = libc::seccomp_notif_resp { id: call.id, val: 0, error: 0, flags: 0 };
        match answer {
            Answer::Continue => response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
            Answer::Value(value) => response.val = value,
            Answer::Error(errno) => response.error = -errno,
        }
        // SAFETY: the pointer is valid for the call.
        match unsafe { check(libc::ioctl(self.0.as_raw_fd(), SEND, &response)) } {
            Ok(_) => Ok(true),
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

// ioctl request numbers of <linux/seccomp.h>: direction, size of the argument, '!', number.
const RECEIVE: libc::c_ulong = 0xc050_2100;
const SEND: libc::c_ulong = 0xc018_2101;
const SET_FLAGS: libc::c_ulong = 0x4008_2104;
/// `SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP`.
const SYNC_WAKE_UP: u64 = 1;
