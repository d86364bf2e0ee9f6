//! The only unsafe code of the workspace: safe wrappers over the system calls that containment and
//! observation need and the standard library does not offer. Nothing here knows what a case is.
//!
//! A wrapper takes owned or borrowed values that cannot be wrong (descriptors, C strings, slices),
//! makes one system call, and gives an `io::Result`. Policy, such as which call is refused and why,
//! stands in tables ([`syscalls`]) or with the callers.
#![allow(unsafe_code)]

pub(crate) mod alarm;
pub(crate) mod attempt;
pub(crate) mod credentials;
pub(crate) mod files;
pub(crate) mod handover;
pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod mount;
pub(crate) mod namespace;
pub(crate) mod notify;
pub(crate) mod process;
pub(crate) mod ptrace;
pub(crate) mod seccomp;
pub(crate) mod syscalls;
pub(crate) mod terminal;
pub(crate) mod warm;
pub(crate) mod watch;

use std::io;

/// A process id as the caller's pid namespace shows it.
pub(crate) type Pid = libc::pid_t;

/// Turns the kernel's -1 into the error that `errno` tells.
fn check<T: PartialEq + From<i8>>(result: T) -> io::Result<T> {
    if result == T::from(-1) { Err(io::Error::last_os_error()) } else { Ok(result) }
}
