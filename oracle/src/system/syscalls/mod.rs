//! What system calls do to paths, as tables.
//!
//! What a call does ([`observed`], [`refused`]) is the same on every architecture, and stands there
//! by name. What differs is the numbers, and which calls there are ([`x86_64`], [`aarch64`]). Every
//! call up to [`LAST_KNOWN`] is in exactly one of three lists: observed, refused, or passed
//! ([`refused::PASSED`]); a test says so, so that none can be forgotten. Later ones do not exist
//! here (ENOSYS), and programs fall back on what they used before.

#[cfg(any(target_arch = "aarch64", test))]
mod aarch64;
mod observed;
mod refused;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86_64", test))]
mod x86_64;

#[cfg(target_arch = "aarch64")]
use aarch64::ABI;
#[cfg(target_arch = "x86_64")]
use x86_64::ABI;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!(
    "the oracle observes shells on Linux on x86_64 and aarch64: it has no other call table yet"
);

use super::files::Last;
use std::sync::LazyLock;

/// The last call that the tables know (`file_setattr`, Linux 6.17). From 424 on, a number means the
/// same call on every architecture.
pub(crate) const LAST_KNOWN: u32 = 469;

/// `acct`: needs a capability that nobody here has, so the servers use it to speak to the
/// supervisor.
pub(crate) const MARKER: u32 = ABI.marker;

/// `AUDIT_ARCH_…`: that of calls through the only entry that is allowed.
pub(crate) const ARCHITECTURE: u32 = ABI.architecture;

/// From this number on, calls belong to a second table, which is not allowed.
pub(crate) const FOREIGN_NUMBERS: Option<u32> = ABI.foreign_numbers;

/// The numbers of an architecture.
#[derive(Debug)]
pub(crate) struct Abi {
    architecture: u32,
    foreign_numbers: Option<u32>,
    /// The number of `acct`.
    marker: u32,
    /// Every call: the number of a first one, and its name and those that follow it, separated by
    /// spaces.
    calls: &'static [(u32, &'static str)],
}

impl Abi {
    /// Every call, by number.
    fn calls(&self) -> impl Iterator<Item = (u32, &'static str)> {
        self.calls.iter().flat_map(|(first, names)| (*first..).zip(names.split(' ')))
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.calls().find_map(|(number, it)| (it == name).then_some(number))
    }
}

/// The tables with the numbers of an architecture.
#[derive(Debug)]
struct Table {
    /// The observed calls, the most frequent first.
    observed: Vec<(u32, &'static PathCall)>,
    refused: Vec<(u32, &'static Refused)>,
    /// The observed call of each number.
    by_number: Vec<Option<&'static PathCall>>,
}

impl Table {
    fn of(abi: &Abi) -> Table {
        let mut table = Table {
            observed: Vec::new(),
            refused: Vec::new(),
            by_number: vec![None; LAST_KNOWN as usize + 1],
        };
        for call in observed::PATH_CALLS {
            if let Some(number) = abi.number(call.name) {
                table.observed.push((number, call));
                table.by_number[number as usize] = Some(call);
            }
        }
        for call in refused::REFUSED {
            if let Some(number) = abi.number(call.name) {
                table.refused.push((number, call));
            }
        }
        table
    }
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(&ABI));

/// A system call that takes a path, or acts on the place of a descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathCall {
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
    /// Where flags say how the path is meant.
    pub(crate) flags: Flags,
    /// Is a link in the last component followed, if the flags say nothing else?
    pub(crate) last: Last,
}

/// Where a call has flags that say how its path is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    /// Nowhere.
    None,
    /// In this argument, as `AT_…`.
    At(u8),
    /// In this argument, as `IN_…` (inotify_add_watch(2)).
    Watch(u8),
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
    /// Creates the socket that the address names, if it names a path; the argument of this number
    /// is the address's length.
    Bind(u8),
    /// Speaks to the socket that the address names, if it names a path; the argument of this number
    /// is the address's length.
    Connect(u8),
    /// Speaks to the socket that the address in a `struct msghdr` names.
    Send,
    /// The same for an array of `struct mmsghdr`, of which this argument is the length.
    SendMany(u8),
}

/// A call that fails without being executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    /// Its name.
    pub(crate) name: &'static str,
    /// When it is refused.
    pub(crate) when: Condition,
    /// What the caller is told; 0 for success.
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
    /// The first argument is this, and the other, a pointer, is not null.
    IsAndGiven(u8, u32, u8),
    /// The argument is none of these.
    IsNoneOf(u8, &'static [u32]),
    /// The argument names everybody, the supervisor, or the server that starts the shells.
    SignalsUs(u8),
}

/// The numbers of all observed calls, the most frequent first.
pub(crate) fn observed() -> impl Iterator<Item = u32> {
    TABLE.observed.iter().map(|(number, _)| *number)
}

/// The names of all observed calls, without the marker.
pub(crate) fn observed_names() -> impl Iterator<Item = &'static str> {
    TABLE.observed.iter().map(|(_, call)| call.name).filter(|name| *name != observed::MARKER)
}

/// All refused calls, with their numbers. A call stands once for each of its conditions.
pub(crate) fn refused() -> impl Iterator<Item = (u32, &'static Refused)> {
    TABLE.refused.iter().copied()
}

/// What the call of a number does, if it is observed.
pub(crate) fn path_call(number: u32) -> Option<&'static PathCall> {
    TABLE.by_number.get(number as usize).copied().flatten()
}

/// Makes the marker call. Under a filter the supervisor answers it; elsewhere it fails.
pub(crate) fn call_marker(what: u64, first: u64, second: u64) -> std::io::Result<i64> {
    // SAFETY: whoever is under no filter passes `acct` a first argument below the first page, which
    // is no address (EFAULT), or null, which turns accounting off and needs a capability that a
    // server has given up.
    unsafe { super::check(libc::syscall(libc::c_long::from(MARKER), what, first, second)) }
}
