//! Building and installing the one filter that every process of a worker runs under.
//!
//! A filter is a small program that the kernel runs before each system call (seccomp(2)). Ours
//! traps the path calls, refuses what leads round the trap or out of the box, and lets the rest
//! pass. The kernel notes for each number whether the answer depends on anything but the number, so
//! that the calls that simply pass cost almost nothing.

use super::syscalls::{self, ARCHITECTURE, Condition, FOREIGN_NUMBERS, LAST_KNOWN, MARKER};
use super::{Pid, check};
use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

// Classic BPF (linux/filter.h): what an instruction does.
const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const IF_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;

// Offsets in struct seccomp_data; arguments are little-endian 64-bit words, of which the low half
// is what the kernel takes of an `int`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

/// A filter program.
#[derive(Debug)]
pub(crate) struct Filter(Vec<libc::sock_filter>);

/// What a filter does with the calls that are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    /// It stops them, and tells its listener.
    Listener,
    /// Nothing: whoever follows the processes sees all their calls ([`super::ptrace`]). Only the
    /// marker is refused, as everywhere else.
    Follower,
    /// It stops the server's own marker alone, and lets through what one process needs that traces
    /// another: for measuring what the traps cost.
    Server,
}

/// The calls of a tracer that are refused otherwise.
const TRACING: [i64; 2] = [libc::SYS_ptrace, libc::SYS_process_vm_readv];

impl Filter {
    /// The filter for the children of `server`, which itself must not be signalled.
    pub(crate) fn for_children_of(server: Pid, trap: Trap) -> Filter {
        let marker = std::iter::once(MARKER);
        match trap {
            Trap::Listener => {
                Filter::new(server, syscalls::observed(), libc::SECCOMP_RET_USER_NOTIF, &[])
            }
            Trap::Follower => Filter::new(server, marker, errno(libc::EPERM), &[]),
            Trap::Server => Filter::new(server, marker, libc::SECCOMP_RET_USER_NOTIF, &TRACING),
        }
    }

    /// `trapped` calls end in `action`; `allowed` ones are not refused.
    fn new(
        server: Pid,
        trapped: impl Iterator<Item = u32>,
        action: u32,
        allowed: &[i64],
    ) -> Filter {
        let mut filter = Filter(Vec::new());
        filter.load(ARCH);
        filter.unless(IF_EQUAL, ARCHITECTURE, libc::SECCOMP_RET_KILL_PROCESS);
        filter.load(NUMBER);
        if let Some(first) = FOREIGN_NUMBERS {
            filter.when(IF_AT_LEAST, first, libc::SECCOMP_RET_KILL_PROCESS);
        }
        for number in trapped {
            filter.when(IF_EQUAL, number, action);
        }
        let is_allowed = |number: u32| allowed.contains(&i64::from(number));
        for (number, refused) in syscalls::refused().filter(|(number, _)| !is_allowed(*number)) {
            filter.refuse(number, refused.when, errno(refused.errno), server);
        }
        filter.when(IF_AT_LEAST, LAST_KNOWN + 1, errno(libc::ENOSYS));
        filter.push(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
        filter
    }

    /// Installs the filter for this process and all it will ever start, and gives its listener.
    /// Needs no_new_privs.
    pub(crate) fn install_with_listener(self) -> io::Result<OwnedFd> {
        let listener = self.set(libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
        // SAFETY: the descriptor is new and owned by nobody else.
        Ok(unsafe { OwnedFd::from_raw_fd(listener as i32) })
    }

    /// The same, without a listener: for a filter that stops nothing.
    pub(crate) fn install(self) -> io::Result<()> {
        self.set(0)?;
        Ok(())
    }

    fn set(mut self, flags: libc::c_ulong) -> io::Result<libc::c_long> {
        let length = u16::try_from(self.0.len()).map_err(io::Error::other)?;
        let program = libc::sock_fprog { len: length, filter: self.0.as_mut_ptr() };
        let set = libc::SECCOMP_SET_MODE_FILTER;
        // SAFETY: the program is valid for its length and is copied by the call.
        unsafe { check(libc::syscall(libc::SYS_seccomp, set, flags, &program)) }
    }

    fn push(&mut self, code: u16, if_true: u8, if_false: u8, k: u32) {
        self.0.push(libc::sock_filter { code, jt: if_true, jf: if_false, k });
    }

    fn load(&mut self, offset: u32) {
        self.push(LOAD, 0, 0, offset);
    }

    /// Ends with `action` if the test holds for the loaded word; goes on otherwise.
    fn when(&mut self, test: u16, k: u32, action: u32) {
        self.push(test, 0, 1, k);
        self.push(RETURN, 0, 0, action);
    }

    /// Ends with `action` unless the test holds; goes on otherwise.
    fn unless(&mut self, test: u16, k: u32, action: u32) {
        self.push(test, 1, 0, k);
        self.push(RETURN, 0, 0, action);
    }

    /// Refuses a call under a condition. Before and after, the loaded word is the call's number.
    fn refuse(&mut self, number: u32, condition: Condition, action: u32, server: Pid) {
        let mut tests = Filter(Vec::new());
        let argument = |index: u8| ARGUMENTS + 8 * u32::from(index);
        match condition {
            Condition::Always => return self.when(IF_EQUAL, number, action),
            Condition::AnyBit(index, bits) => {
                tests.load(argument(index));
                tests.when(IF_ANY_BIT, bits, action);
            }
            Condition::Is(index, value) => {
                tests.load(argument(index));
                tests.when(IF_EQUAL, value, action);
            }
            Condition::IsAndGiven(index, value, pointer) => {
                tests.load(argument(index));
                // Unless it is the value: over both halves of the pointer.
                tests.push(IF_EQUAL, 0, 6, value);
                for half in [argument(pointer), argument(pointer) + 4] {
                    tests.load(half);
                    tests.when(IF_ANY_BIT, u32::MAX, action);
                }
            }
            Condition::IsNoneOf(index, values) => {
                tests.load(argument(index));
                for (position, value) in values.iter().enumerate() {
                    // On a match: over the rest of the list and the return.
                    tests.push(IF_EQUAL, (values.len() - position) as u8, 0, *value);
                }
                tests.push(RETURN, 0, 0, action);
            }
            Condition::SignalsUs(index) => {
                tests.load(argument(index));
                for target in [-1, 1, server, -server] {
                    tests.when(IF_EQUAL, target.cast_unsigned(), action);
                }
            }
        }
        tests.load(NUMBER);
        self.push(IF_EQUAL, 0, tests.0.len() as u8, number);
        self.0.append(&mut tests.0);
    }
}

fn errno(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.cast_unsigned()
}
