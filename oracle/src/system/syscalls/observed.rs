//! The calls that are observed: every call that takes a path, and those that act on a descriptor's
//! place without having opened it for that.

use super::{Effect, Flags, Operand, PathCall};
use crate::system::files::Last;
use Effect::{Bind, Connect, Enter, Execute, Open, OpenHow, Send, SendMany, Test, Write};
use Last::{Follow, Keep};

/// The name of the marker call.
pub(super) const MARKER: &str = "acct";

/// Relative to the working directory.
const fn at_cwd(effect: Effect, path: u8, last: Last) -> Operand {
    Operand { effect, path: Some(path), dirfd: None, flags: Flags::None, last }
}

/// Relative to a descriptor.
const fn at(effect: Effect, dirfd: u8, path: u8, last: Last) -> Operand {
    Operand { effect, path: Some(path), dirfd: Some(dirfd), flags: Flags::None, last }
}

/// Relative to a descriptor, with `AT_…` flags.
const fn at_flags(effect: Effect, dirfd: u8, path: u8, flags: u8, last: Last) -> Operand {
    Operand { effect, path: Some(path), dirfd: Some(dirfd), flags: Flags::At(flags), last }
}

/// A descriptor itself.
const fn fd(effect: Effect) -> Operand {
    Operand { effect, path: None, dirfd: Some(0), flags: Flags::None, last: Follow }
}

/// What an inotify instance is to watch.
const fn watched(path: u8, mask: u8) -> Operand {
    Operand { flags: Flags::Watch(mask), ..at_cwd(Test, path, Follow) }
}

const fn call(name: &'static str, operands: &'static [Operand]) -> PathCall {
    PathCall { name, operands }
}

/// The most frequent come first: the filter tests them in this order.
pub(super) const PATH_CALLS: &[PathCall] = &[
    call("openat", &[at(Open(2), 0, 1, Follow)]),
    call("newfstatat", &[at_flags(Test, 0, 1, 3, Follow)]),
    call("access", &[at_cwd(Test, 0, Follow)]),
    call("execve", &[at_cwd(Execute(1), 0, Follow)]),
    call("stat", &[at_cwd(Test, 0, Follow)]),
    call("lstat", &[at_cwd(Test, 0, Keep)]),
    call("statx", &[at_flags(Test, 0, 1, 2, Follow)]),
    call("readlink", &[at_cwd(Test, 0, Keep)]),
    call("readlinkat", &[at(Test, 0, 1, Keep)]),
    call("faccessat", &[at(Test, 0, 1, Follow)]),
    call("faccessat2", &[at_flags(Test, 0, 1, 3, Follow)]),
    call("chdir", &[at_cwd(Enter, 0, Follow)]),
    call("fchdir", &[fd(Enter)]),
    call(MARKER, &[]),
    call("open", &[at_cwd(Open(1), 0, Follow)]),
    call("openat2", &[at(OpenHow(2), 0, 1, Follow)]),
    call("creat", &[at_cwd(Write, 0, Follow)]),
    call("execveat", &[at_flags(Execute(2), 0, 1, 4, Follow)]),
    call("mkdir", &[at_cwd(Write, 0, Keep)]),
    call("mkdirat", &[at(Write, 0, 1, Keep)]),
    call("rmdir", &[at_cwd(Write, 0, Keep)]),
    call("unlink", &[at_cwd(Write, 0, Keep)]),
    call("unlinkat", &[at(Write, 0, 1, Keep)]),
    call("rename", &[at_cwd(Write, 0, Keep), at_cwd(Write, 1, Keep)]),
    call("renameat", &[at(Write, 0, 1, Keep), at(Write, 2, 3, Keep)]),
    call("renameat2", &[at(Write, 0, 1, Keep), at(Write, 2, 3, Keep)]),
    // A hard link changes its source as well: the link count, and who can reach it.
    call("link", &[at_cwd(Write, 0, Keep), at_cwd(Write, 1, Keep)]),
    call("linkat", &[at_flags(Write, 0, 1, 4, Keep), at(Write, 2, 3, Keep)]),
    call("symlink", &[at_cwd(Write, 1, Keep)]),
    call("symlinkat", &[at(Write, 1, 2, Keep)]),
    call("mknod", &[at_cwd(Write, 0, Keep)]),
    call("mknodat", &[at(Write, 0, 1, Keep)]),
    call("chmod", &[at_cwd(Write, 0, Follow)]),
    call("fchmod", &[fd(Write)]),
    call("fchmodat", &[at(Write, 0, 1, Follow)]),
    call("fchmodat2", &[at_flags(Write, 0, 1, 3, Follow)]),
    call("chown", &[at_cwd(Write, 0, Follow)]),
    call("fchown", &[fd(Write)]),
    call("lchown", &[at_cwd(Write, 0, Keep)]),
    call("fchownat", &[at_flags(Write, 0, 1, 4, Follow)]),
    call("truncate", &[at_cwd(Write, 0, Follow)]),
    call("utime", &[at_cwd(Write, 0, Follow)]),
    call("utimes", &[at_cwd(Write, 0, Follow)]),
    call("futimesat", &[at(Write, 0, 1, Follow)]),
    call("utimensat", &[at_flags(Write, 0, 1, 3, Follow)]),
    call("statfs", &[at_cwd(Test, 0, Follow)]),
    call("setxattr", &[at_cwd(Write, 0, Follow)]),
    call("lsetxattr", &[at_cwd(Write, 0, Keep)]),
    call("fsetxattr", &[fd(Write)]),
    call("getxattr", &[at_cwd(Test, 0, Follow)]),
    call("lgetxattr", &[at_cwd(Test, 0, Keep)]),
    call("listxattr", &[at_cwd(Test, 0, Follow)]),
    call("llistxattr", &[at_cwd(Test, 0, Keep)]),
    call("removexattr", &[at_cwd(Write, 0, Follow)]),
    call("lremovexattr", &[at_cwd(Write, 0, Keep)]),
    call("fremovexattr", &[fd(Write)]),
    call("inotify_add_watch", &[watched(1, 2)]),
    call("name_to_handle_at", &[at_flags(Test, 0, 1, 4, Keep)]),
    call("bind", &[at_cwd(Bind(2), 1, Keep)]),
    call("connect", &[at_cwd(Connect(2), 1, Follow)]),
    call("sendto", &[at_cwd(Connect(5), 4, Follow)]),
    call("sendmsg", &[at_cwd(Send, 1, Follow)]),
    call("sendmmsg", &[at_cwd(SendMany(2), 1, Follow)]),
    call("getxattrat", &[at_flags(Test, 0, 1, 2, Follow)]),
    call("listxattrat", &[at_flags(Test, 0, 1, 2, Follow)]),
    call("setxattrat", &[at_flags(Write, 0, 1, 2, Follow)]),
    call("removexattrat", &[at_flags(Write, 0, 1, 2, Follow)]),
    call("file_getattr", &[at_flags(Test, 0, 1, 4, Follow)]),
    call("file_setattr", &[at_flags(Write, 0, 1, 4, Follow)]),
];
