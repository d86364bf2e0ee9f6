//! Who a process is and what it may do: ids, capabilities, resource limits.

use super::check;
use std::io;

/// The effective user id.
pub(crate) fn effective_uid() -> u32 {
    // SAFETY: geteuid has no arguments and cannot fail.
    unsafe { libc::geteuid() }
}

/// The effective group id.
pub(crate) fn effective_gid() -> u32 {
    // SAFETY: getegid has no arguments and cannot fail.
    unsafe { libc::getegid() }
}

/// Becomes this user and group for good, with no supplementary groups.
pub(crate) fn become_user(uid: u32, gid: u32) -> io::Result<()> {
    // SAFETY: a null list of zero groups is allowed (setgroups(2)); the others take plain numbers.
    unsafe {
        check(libc::setgroups(0, std::ptr::null()))?;
        check(libc::setresgid(gid, gid, gid))?;
        check(libc::setresuid(uid, uid, uid))?;
    }
    Ok(())
}

/// Empties the bounding set: no `execve` will ever give a capability, not even as root.
pub(crate) fn drop_bounding_set() -> io::Result<()> {
    for capability in 0_u64.. {
        // SAFETY: plain numbers.
        let dropped = unsafe { check(libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0)) };
        match dropped {
            Ok(_) => {}
            // Past the kernel's last capability.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Empties the ambient, permitted, effective and inheritable sets.
pub(crate) fn drop_capabilities() -> io::Result<()> {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let none = [0_u32; 6];
    // SAFETY: plain numbers; header and data have the layout of capset(2), version 3: a version and
    // a process, and twice three words.
    unsafe {
        check(libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))?;
        check(libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()))?;
    }
    Ok(())
}

/// From now on no `execve` of this process or its children gives it anything more.
pub(crate) fn set_no_new_privileges() -> io::Result<()> {
    // SAFETY: plain numbers; the unused arguments must be zero (prctl(2)).
    unsafe { check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1_u64, 0_u64, 0_u64, 0_u64))? };
    Ok(())
}

/// May processes of the same user look into this one, and does `/proc/self` belong to it?
pub(crate) fn set_dumpable(dumpable: bool) -> io::Result<()> {
    // SAFETY: plain numbers.
    unsafe { check(libc::prctl(libc::PR_SET_DUMPABLE, u64::from(dumpable), 0, 0, 0))? };
    Ok(())
}

/// What a resource limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Processes of the user, in its user namespace.
    Processes,
    /// Bytes of one file.
    FileSize,
    /// Seconds of processor time, per process.
    CpuSeconds,
    /// Bytes of a core file.
    Core,
    /// Open descriptors, per process.
    OpenFiles,
    /// Bytes of address space, per process.
    AddressSpace,
    /// Bytes of locked memory.
    LockedMemory,
    /// Bytes in message queues.
    MessageQueues,
    /// Signals queued for the user.
    PendingSignals,
}

/// How many descriptors this process may ever have open.
pub(crate) fn limit_on_descriptors() -> io::Result<u64> {
    let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is valid for the call.
    unsafe { check(libc::getrlimit(libc::RLIMIT_NOFILE, &mut limits))? };
    Ok(limits.rlim_max)
}

/// Sets the soft and the hard limit.
pub(crate) fn limit(resource: Resource, to: u64) -> io::Result<()> {
    let resource = match resource {
        Resource::Processes => libc::RLIMIT_NPROC,
        Resource::FileSize => libc::RLIMIT_FSIZE,
        Resource::CpuSeconds => libc::RLIMIT_CPU,
        Resource::Core => libc::RLIMIT_CORE,
        Resource::OpenFiles => libc::RLIMIT_NOFILE,
        Resource::AddressSpace => libc::RLIMIT_AS,
        Resource::LockedMemory => libc::RLIMIT_MEMLOCK,
        Resource::MessageQueues => libc::RLIMIT_MSGQUEUE,
        Resource::PendingSignals => libc::RLIMIT_SIGPENDING,
    };
    let mut old = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are valid for the calls.
    unsafe {
        check(libc::getrlimit(resource, &mut old))?;
        // A limit that is already lower stays: raising it would need a capability.
        let to = to.min(old.rlim_max);
        check(libc::setrlimit(resource, &libc::rlimit { rlim_cur: to, rlim_max: to }))?;
    }
    Ok(())
}
