//! Mounts of the caller's own mount namespace.

use super::check;
use super::files::c_string;
use std::ffi::CStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

fn mount(
    source: &CStr,
    target: &Path,
    kind: &CStr,
    flags: libc::c_ulong,
    options: &str,
) -> io::Result<()> {
    let target = c_string(target.as_os_str().as_bytes())?;
    let options = c_string(options)?;
    // SAFETY: all four are C strings that outlive the call; the options of every file system used
    // here are text.
    unsafe {
        check(libc::mount(
            source.as_ptr(),
            target.as_ptr(),
            kind.as_ptr(),
            flags,
            options.as_ptr().cast(),
        ))?;
    }
    Ok(())
}

/// Cuts every mount off from the namespace it was copied from: nothing done here is seen there.
pub(crate) fn make_all_private() -> io::Result<()> {
    mount(c"none", Path::new("/"), c"", libc::MS_REC | libc::MS_PRIVATE, "")
}

/// A new file system in memory.
pub(crate) fn memory(target: &Path, options: &str) -> io::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOATIME;
    mount(c"tmpfs", target, c"tmpfs", flags, options)
}

/// The process file system of this pid namespace: only processes, none of the kernel's settings.
pub(crate) fn processes(target: &Path) -> io::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
    mount(c"proc", target, c"proc", flags, "subset=pid")
}

/// Shows `source`, with whatever is mounted below it, at `target` as well.
pub(crate) fn bind(source: &Path, target: &Path) -> io::Result<()> {
    let source = c_string(source.as_os_str().as_bytes())?;
    mount(&source, target, c"", libc::MS_BIND | libc::MS_REC, "")
}

/// Makes a mount read-only, without devices and set-user-id programs, and so everything that is
/// mounted below it where the kernel can do that (5.12).
pub(crate) fn make_read_only(target: &Path) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let path = c_string(target.as_os_str().as_bytes())?;
    // SAFETY: the path is a C string, the attributes have the size that is given.
    let whole = unsafe {
        check(libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::AT_RECURSIVE,
            &attributes,
            size_of::<libc::mount_attr>(),
        ))
    };
    match whole {
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => make_this_read_only(target),
        other => other.map(drop),
    }
}

/// The same for one mount, without what is mounted below it.
pub(crate) fn make_this_read_only(target: &Path) -> io::Result<()> {
    let restricted = libc::MS_RDONLY | libc::MS_NOSUID | libc::MS_NODEV;
    mount(c"none", target, c"", libc::MS_BIND | libc::MS_REMOUNT | restricted, "")
}

/// Makes `root` the root directory and takes the old root, with all its mounts, out of the
/// namespace. The working directory is the new root afterwards.
pub(crate) fn replace_root(root: &Path) -> io::Result<()> {
    std::env::set_current_dir(root)?;
    // SAFETY: C strings. The old root comes to stand on top of the new one (pivot_root(2)), and is
    // then detached, which uncovers the new one.
    unsafe {
        check(libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()))?;
        check(libc::umount2(c".".as_ptr(), libc::MNT_DETACH))?;
    }
    std::env::set_current_dir("/")
}
