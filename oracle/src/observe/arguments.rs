//! A call's arguments, read from the registers and the memory of its caller.

use super::resolve::Base;
use super::session::Call;
use crate::system::files::Last;
use crate::system::memory::Memory;
use crate::system::syscalls::{Effect, Flags, Operand};
use shfence_corpus::Text;
use std::io;

/// The longest path that the kernel takes, in bytes (`PATH_MAX`).
const LONGEST_PATH: usize = 4096;

/// More than an argument list can be under the stack limit that the lines run with.
const LONGEST_ARGUMENTS: usize = 4 << 20;

/// The most messages that the kernel takes of one `sendmmsg` (`UIO_MAXIOV`).
const MOST_MESSAGES: u64 = 1024;

/// The size of a `struct mmsghdr`: a `struct msghdr` and a count.
const MESSAGE: u64 = size_of::<libc::mmsghdr>() as u64;

/// A call's arguments, and the memory they point into.
pub(super) struct Arguments<'a> {
    memory: Memory,
    values: &'a [u64; 6],
}

impl Arguments<'_> {
    pub(super) fn of(call: &Call) -> Arguments<'_> {
        Arguments { memory: Memory(call.thread), values: &call.arguments }
    }

    fn value(&self, index: u8) -> u64 {
        self.values[usize::from(index)]
    }

    fn int(&self, index: u8) -> i32 {
        self.value(index) as i32
    }

    pub(super) fn path_is_null(&self, operand: &Operand) -> bool {
        operand.path.is_some_and(|index| self.value(index) == 0)
    }

    /// The operand's paths: one, but for a call that sends many messages. Empty where the call
    /// names none.
    pub(super) fn paths(&self, operand: &Operand) -> io::Result<Vec<Vec<u8>>> {
        let Some(index) = operand.path else { return Ok(vec![Vec::new()]) };
        let address = self.value(index);
        let path = match operand.effect {
            Effect::Bind(length) | Effect::Connect(length) => {
                self.socket_path(address, self.int(length))?
            }
            Effect::Send => self.message_path(address)?,
            Effect::SendMany(count) => {
                let count = u64::from(self.int(count).cast_unsigned()).min(MOST_MESSAGES);
                let starts = (0..count).map(|n| address.wrapping_add(n * MESSAGE));
                return starts.map(|start| self.message_path(start)).collect();
            }
            _ if address == 0 => Vec::new(),
            _ => self.memory.string(address, LONGEST_PATH)?,
        };
        Ok(vec![path])
    }

    /// The path in a socket address (unix(7)); empty for other families and for abstract names.
    fn socket_path(&self, address: u64, length: i32) -> io::Result<Vec<u8>> {
        let mut bytes = [0_u8; size_of::<libc::sockaddr_un>()];
        let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
        self.memory.read(address, &mut bytes[..length])?;
        let family = libc::sa_family_t::from_ne_bytes([bytes[0], bytes[1]]);
        if i32::from(family) != libc::AF_UNIX {
            return Ok(Vec::new());
        }
        let path = &bytes[size_of::<libc::sa_family_t>()..length.max(2)];
        let end = path.iter().position(|byte| *byte == 0).unwrap_or(path.len());
        Ok(path[..end].to_vec())
    }

    /// The path of the address in a `struct msghdr`, which begins with the address and its length.
    fn message_path(&self, message: u64) -> io::Result<Vec<u8>> {
        let (address, length) = (self.memory.word(message)?, self.memory.word(message + 8)?);
        if address == 0 { Ok(Vec::new()) } else { self.socket_path(address, length as i32) }
    }

    pub(super) fn base(&self, operand: &Operand) -> Base {
        match operand.dirfd.map(|index| self.int(index)) {
            None | Some(libc::AT_FDCWD) => Base::Cwd,
            Some(number) => Base::Descriptor(number),
        }
    }

    /// Do the flags say that an empty path means the descriptor?
    pub(super) fn may_be_empty(&self, operand: &Operand) -> bool {
        self.at_flags(operand) & libc::AT_EMPTY_PATH != 0
    }

    fn at_flags(&self, operand: &Operand) -> i32 {
        match operand.flags {
            Flags::At(index) => self.int(index),
            Flags::None | Flags::Watch(_) => 0,
        }
    }

    /// Is a link in the last component followed?
    pub(super) fn last(&self, operand: &Operand, open_flags: i32) -> Last {
        let flags = self.at_flags(operand);
        if let Flags::Watch(index) = operand.flags
            && self.value(index) as u32 & libc::IN_DONT_FOLLOW != 0
        {
            return Last::Keep;
        }
        if flags & libc::AT_SYMLINK_NOFOLLOW != 0 {
            return Last::Keep;
        }
        if flags & libc::AT_SYMLINK_FOLLOW != 0 {
            return Last::Follow;
        }
        // What must be new must not be a link either (open(2), O_EXCL).
        let new = libc::O_CREAT | libc::O_EXCL;
        if open_flags & libc::O_NOFOLLOW != 0 || open_flags & new == new {
            return Last::Keep;
        }
        operand.last
    }

    /// The flags of an open; 0 for other calls.
    pub(super) fn open_flags(&self, effect: Effect) -> io::Result<i32> {
        match effect {
            Effect::Open(index) => Ok(self.int(index)),
            Effect::OpenHow(index) => Ok(self.memory.word(self.value(index))? as i32),
            _ => Ok(0),
        }
    }

    /// Is the descriptor to be taken for the root directory, as `openat2` can ask for
    /// (`RESOLVE_IN_ROOT`)? The third word of a `struct open_how` says so.
    pub(super) fn in_root(&self, effect: Effect) -> io::Result<bool> {
        let Effect::OpenHow(index) = effect else { return Ok(false) };
        let resolve = self.memory.word(self.value(index).wrapping_add(16))?;
        Ok(resolve & libc::RESOLVE_IN_ROOT != 0)
    }

    pub(super) fn list(&self, index: u8) -> io::Result<Vec<Text>> {
        let strings = self.memory.strings(self.value(index), LONGEST_ARGUMENTS)?;
        Ok(strings.into_iter().map(Text::from).collect())
    }
}
