//! Namespaces (namespaces(7)).

use super::check;
use std::io;

/// Leaves the mount, pid, net, ipc and uts namespaces of the caller for new ones, and its user
/// namespace too if `user` says so. The pid namespace is that of the children: the first
/// becomes its init.
pub(crate) fn leave_all(user: bool) -> io::Result<()> {
    let user = if user { libc::CLONE_NEWUSER } else { 0 };
    let others = libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS;
    // SAFETY: unshare takes a plain number.
    unsafe { check(libc::unshare(user | others))? };
    Ok(())
}

/// Maps one user and one group into the caller's new user namespace.
pub(crate) fn map_ids(inner: u32, outer_uid: u32, outer_gid: u32) -> io::Result<()> {
    // Without this first line the kernel lets no unprivileged process write a group map
    // (user_namespaces(7)).
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{inner} {outer_uid} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{inner} {outer_gid} 1"))
}

/// Names the machine, as the caller's uts namespace shows it.
pub(crate) fn set_host_name(name: &str) -> io::Result<()> {
    // SAFETY: the bytes are valid for the given length; no terminator is needed.
    unsafe { check(libc::sethostname(name.as_ptr().cast(), name.len()))? };
    Ok(())
}
