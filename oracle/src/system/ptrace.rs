//! Following processes from stop to stop (ptrace(2)).
//!
//! A followed process stops when it enters a system call and when it leaves it, when a signal
//! reaches it, and when it has forked or executed; and stands still until it is resumed. Whatever
//! it forks is followed from its first instruction on.

use super::process::WaitStatus;
use super::{Pid, check};
use libc::{c_int, c_uint, c_ulong, c_void};
use std::io;
use std::ptr;

/// Why a followed thread stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is about to make a system call.
    Entered {
        /// The architecture of the call, as `AUDIT_ARCH_…`.
        architecture: u32,
        /// The call's number.
        number: u32,
        /// Its six arguments, as they stand in the registers.
        arguments: [u64; 6],
    },
    /// It has made one, which returned this: an error is a negative errno.
    Left(i64),
    /// It has made this process or thread.
    Made(Pid),
    /// It was made, or goes on after having been stopped by a signal.
    Begins,
    /// It has executed a program.
    Executed,
    /// A signal is about to reach it.
    Signal(c_int),
    /// A signal has stopped its whole process, until another lets it go on.
    Halted,
}

/// What waiting for followed threads gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// This thread stands still.
    Stopped(Pid, Stop),
    /// This thread, or child, has ended like this.
    Ended(Pid, WaitStatus),
    /// Nothing: a signal interrupted the waiting, or a thread died before it could be asked.
    Nothing,
    /// There is nobody to wait for.
    Nobody,
}

/// Begins to follow a process: it stops as soon as it can ([`Stop::Begins`]). It ends when its
/// follower does.
pub(crate) fn seize(process: Pid) -> io::Result<()> {
    const OPTIONS: c_int = libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_EXITKILL;
    // SAFETY: these requests take plain numbers.
    unsafe {
        request(libc::PTRACE_SEIZE as c_uint, process, ptr::null_mut(), OPTIONS as c_ulong)?;
        request(libc::PTRACE_INTERRUPT as c_uint, process, ptr::null_mut(), 0)?;
    }
    Ok(())
}

/// Waits for the next event of any followed thread or child.
pub(crate) fn next() -> io::Result<Event> {
    let mut status = 0;
    // SAFETY: the pointer is valid for the call.
    let thread = match unsafe { check(libc::waitpid(-1, &mut status, libc::__WALL)) } {
        Ok(thread) => thread,
        Err(error) => match error.raw_os_error() {
            Some(libc::EINTR) => return Ok(Event::Nothing),
            Some(libc::ECHILD) => return Ok(Event::Nobody),
            _ => return Err(error),
        },
    };
    if !libc::WIFSTOPPED(status) {
        return Ok(Event::Ended(thread, WaitStatus(status)));
    }
    match stop(thread, WaitStatus(status)) {
        Ok(stop) => Ok(Event::Stopped(thread, stop)),
        Err(error) if is_gone(&error) => Ok(Event::Nothing),
        Err(error) => Err(error),
    }
}

/// Lets a thread run to its next stop, and gives it this signal first; 0 is none.
pub(crate) fn resume(thread: Pid, signal: c_int) -> io::Result<()> {
    // SAFETY: this request takes plain numbers.
    unless_gone(unsafe {
        request(libc::PTRACE_SYSCALL as c_uint, thread, ptr::null_mut(), signal as c_ulong)
    })
}

/// Leaves a halted thread halted, until a signal lets it go on.
pub(crate) fn stay(thread: Pid) -> io::Result<()> {
    // SAFETY: this request takes plain numbers.
    unless_gone(unsafe { request(libc::PTRACE_LISTEN as c_uint, thread, ptr::null_mut(), 0) })
}

/// Changes what the call returns that a thread has just left.
pub(crate) fn set_result(thread: Pid, value: i64) -> io::Result<()> {
    // SAFETY: all-zero registers are a valid value; the vector describes them exactly.
    unless_gone(unsafe {
        let mut registers: libc::user_regs_struct = std::mem::zeroed();
        let mut vector = libc::iovec {
            iov_base: (&raw mut registers).cast(),
            iov_len: size_of::<libc::user_regs_struct>(),
        };
        let (kind, at) = (ptr::without_provenance_mut(NT_PRSTATUS), &raw mut vector);
        request(libc::PTRACE_GETREGSET as c_uint, thread, kind, at as c_ulong).and_then(|_| {
            *result_register(&mut registers) = value.cast_unsigned();
            request(libc::PTRACE_SETREGSET as c_uint, thread, kind, at as c_ulong)
        })
    })
}

/// The general registers, among the sets of registers (`linux/elf.h`).
const NT_PRSTATUS: usize = 1;

#[cfg(target_arch = "x86_64")]
fn result_register(registers: &mut libc::user_regs_struct) -> &mut u64 {
    &mut registers.rax
}

#[cfg(target_arch = "aarch64")]
fn result_register(registers: &mut libc::user_regs_struct) -> &mut u64 {
    &mut registers.regs[0]
}

/// Why a thread stopped, from what waiting for it gave.
fn stop(thread: Pid, status: WaitStatus) -> io::Result<Stop> {
    const SYSTEM_CALL: c_int = libc::SIGTRAP | 0x80;
    const AFTER_FORK: [c_int; 3] =
        [libc::PTRACE_EVENT_FORK, libc::PTRACE_EVENT_VFORK, libc::PTRACE_EVENT_CLONE];
    let (signal, event) = (libc::WSTOPSIG(status.0), status.0 >> 16);
    match event {
        0 if signal == SYSTEM_CALL => system_call(thread),
        0 => Ok(Stop::Signal(signal)),
        libc::PTRACE_EVENT_EXEC => Ok(Stop::Executed),
        PTRACE_EVENT_STOP if signal == libc::SIGTRAP => Ok(Stop::Begins),
        PTRACE_EVENT_STOP => Ok(Stop::Halted),
        event if AFTER_FORK.contains(&event) => {
            let mut made: c_ulong = 0;
            // SAFETY: the request writes one word.
            unsafe {
                let at = (&raw mut made) as c_ulong;
                request(libc::PTRACE_GETEVENTMSG as c_uint, thread, ptr::null_mut(), at)?;
            }
            Ok(Stop::Made(made as Pid))
        }
        other => Err(io::Error::other(format!("an event that was not asked for: {other}"))),
    }
}

/// Not in the C libraries' headers of every architecture (`linux/ptrace.h`).
const PTRACE_EVENT_STOP: c_int = 128;
const PTRACE_GET_SYSCALL_INFO: c_uint = 0x420e;

/// `struct ptrace_syscall_info`: at an entry `rest` is the number and the arguments, at an exit the
/// result.
#[repr(C)]
#[derive(Default)]
struct SystemCall {
    op: u8,
    reserved: u8,
    flags: u16,
    architecture: u32,
    instruction_pointer: u64,
    stack_pointer: u64,
    rest: [u64; 8],
}

fn system_call(thread: Pid) -> io::Result<Stop> {
    const ENTRY: u8 = 1;
    const EXIT: u8 = 2;
    let mut call = SystemCall::default();
    let room = ptr::without_provenance_mut(size_of::<SystemCall>());
    // SAFETY: the request writes at most as much as it is told there is room for.
    unsafe { request(PTRACE_GET_SYSCALL_INFO, thread, room, (&raw mut call) as c_ulong)? };
    let [number, arguments @ .., _] = call.rest;
    match call.op {
        ENTRY => {
            Ok(Stop::Entered { architecture: call.architecture, number: number as u32, arguments })
        }
        EXIT => Ok(Stop::Left(number.cast_signed())),
        other => Err(io::Error::other(format!("a stop at no system call: {other}"))),
    }
}

/// Makes a request.
///
/// # Safety
///
/// `address` and `data` must be what the request takes.
unsafe fn request(
    what: c_uint,
    thread: Pid,
    address: *mut c_void,
    data: c_ulong,
) -> io::Result<libc::c_long> {
    // The C library's wrapper treats some requests differently; the system call none of these.
    // SAFETY: the caller vouches for the arguments.
    unsafe {
        check(libc::syscall(
            libc::SYS_ptrace,
            c_ulong::from(what),
            c_ulong::from(thread.cast_unsigned()),
            address,
            data,
        ))
    }
}

/// Does this error say that the thread was killed meanwhile?
fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ESRCH)
}

fn unless_gone(result: io::Result<libc::c_long>) -> io::Result<()> {
    match result {
        Err(error) if !is_gone(&error) => Err(error),
        _ => Ok(()),
    }
}
