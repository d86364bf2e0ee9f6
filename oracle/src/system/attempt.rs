//! Trying what would change this process for ever, in a child that ends at once.

use super::process::{Forked, Waited, fork, wait};
use super::{check, credentials, mount, namespace, seccomp};
use std::io;
use std::path::Path;

/// Does this in a child and gives its error. Only for a process with a single thread, as
/// [`fork`] is.
pub(crate) fn in_child(act: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match fork()? {
        Forked::Child => {
            let errno =
                act().map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0);
            // SAFETY: a plain number; ends the process without running what the parent left to be
            // run at its end.
            unsafe { libc::_exit(errno) }
        }
        Forked::Parent(child) => match wait(child, true)? {
            Waited::Ended(status) if status.exit_code() == Some(0) => Ok(()),
            // No errno is above 255 (errno(3)).
            Waited::Ended(status) => Err(match status.exit_code() {
                Some(errno) => io::Error::from_raw_os_error(errno.into()),
                None => io::Error::other("the attempt was killed by a signal"),
            }),
            Waited::Running | Waited::None => Err(io::Error::other("the attempt is lost")),
        },
    }
}

/// Has its parent trace it.
pub(crate) fn be_traced() -> io::Result<()> {
    // SAFETY: this request takes no further arguments; the caller has nothing to lose by a stop.
    unsafe { check(libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0))? };
    Ok(())
}

/// Comes under a filter with a listener, as every shell does.
pub(crate) fn be_filtered() -> io::Result<()> {
    credentials::set_no_new_privileges()?;
    seccomp::Filter::for_children_of(1, seccomp::Trap::Listener).install_with_listener().map(drop)
}

/// Mounts a file system in memory, in a mount namespace of its own.
pub(crate) fn mount_memory() -> io::Result<()> {
    leave_namespaces()?;
    mount::make_all_private()?;
    mount::memory(Path::new("/"), "size=64k")
}

/// Leaves every namespace that a box is made of, with a user namespace unless root has no need of
/// one.
pub(crate) fn leave_namespaces() -> io::Result<()> {
    namespace::leave_all(credentials::effective_uid() != 0)
}

/// Leaves every namespace that a box is made of, and the user namespace.
pub(crate) fn leave_user_namespace() -> io::Result<()> {
    let (uid, gid) = (credentials::effective_uid(), credentials::effective_gid());
    namespace::leave_all(true)?;
    namespace::map_ids(1000, uid, gid)
}

/// Makes an inotify instance.
pub(crate) fn watch_files() -> io::Result<()> {
    super::watch::Watcher::new().map(drop)
}
