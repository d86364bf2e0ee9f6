//! What the system calls of an architecture do to paths, as a table.
//!
//! Everything else in the oracle is the same on every architecture. To support another, write its
//! table: numbers, and the calls that exist there (arm64, say, has no `open`, only `openat`).

use super::files::Last;

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{ARCHITECTURE, FOREIGN_NUMBERS, LAST_KNOWN, MARKER, PATH_CALLS, REFUSED};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "the oracle observes shells on Linux on x86_64 only: it has no other call table yet"
);

/// A system call that takes a path, or acts on the place of a descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathCall {
    /// Its number.
    pub(crate) number: u32,
    /// Its name.
    pub(crate) name: &'static str,
    /// What it acts on; two for a rename.
    pub(crate) operands: &'static [Operand],
}

impl PathCall {
    /// Is it one that executes its operand?
    pub(crate) fn executes(&self) -> bool {
        self.operands.iter().any(|operand| matches!(operand.effect, Effect::Execute(_)))
    }
}

/// One thing that a call acts on. The numbers are those of the call's arguments, from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    /// What the call does to it.
    pub(crate) effect: Effect,
    /// The argument that is the path; `None` if the call has only a descriptor.
    pub(crate) path: Option<u8>,
    /// The argument that is the directory a relative path starts in, or the descriptor itself;
    /// `None` for the working directory.
    pub(crate) dirfd: Option<u8>,
    /// The argument that holds `AT_…` flags, if any.
    pub(crate) at_flags: Option<u8>,
    /// Is a link in the last component followed, if the flags say nothing else?
    pub(crate) last: Last,
}

/// What a call does to an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Looks at it.
    Test,
    /// Creates, changes, renames or removes it.
    Write,
    /// Makes it the working directory.
    Enter,
    /// Opens it as the argument of this number says.
    Open(u8),
    /// Opens it as the `struct open_how` that the argument of this number points to says.
    OpenHow(u8),
    /// Executes it, with the argument list in the argument of this number.
    Execute(u8),
    /// Creates the socket that the address in this argument names, if it names a path.
    Bind(u8),
    /// Connects to the socket that the address in this argument names, if it names a path.
    Connect(u8),
}

/// A call that fails without being executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    /// Its number.
    pub(crate) number: u32,
    /// When it is refused.
    pub(crate) when: Condition,
    /// What the caller is told.
    pub(crate) errno: i32,
}

/// When a call is refused. The first number is that of an argument, of which the low 32 bits count.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    /// Whatever its arguments are.
    Always,
    /// The argument has any of these bits.
    AnyBit(u8, u32),
    /// The argument is this.
    Is(u8, u32),
    /// The argument is none of these.
    IsNoneOf(u8, &'static [u32]),
    /// The argument names everybody, the supervisor, or the server that starts the shells.
    SignalsUs(u8),
}

/// The entry for a call number.
pub(crate) fn path_call(number: u32) -> Option<&'static PathCall> {
    PATH_CALLS.iter().find(|call| call.number == number)
}

/// Makes the marker call. Under a filter the supervisor answers it; elsewhere it fails.
pub(crate) fn call_marker(what: u64, first: u64, second: u64) -> std::io::Result<i64> {
    // SAFETY: whoever is under no filter passes `acct` a first argument below the first page, which
    // is no address (EFAULT), or null, which turns accounting off and needs a capability that a
    // server has given up.
    unsafe { super::check(libc::syscall(libc::c_long::from(MARKER), what, first, second)) }
}
