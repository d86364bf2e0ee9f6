//! What the server that starts the shells gives up before its first shell.

use super::Limits;
use super::enter::CaseUser;
use crate::system::credentials::{self, Resource};
use crate::system::process;
use std::io;

/// Confines the calling process and everything it will start: limits, no capabilities, no way to
/// regain any. The system-call filter comes after this.
pub(crate) fn confine(user: CaseUser, limits: &Limits) -> io::Result<()> {
    process::reset_signals()?;
    process::new_session();
    process::adopt_orphans()?;
    // The order matters twice: changing the user clears the capabilities that dropping the bounding
    // set needs, and the limit on processes must count for the user the lines run as.
    credentials::drop_bounding_set()?;
    if user.other {
        credentials::become_user(user.id, user.id)?;
    }
    for (resource, most) in [
        (Resource::Processes, limits.processes),
        (Resource::FileSize, limits.file_size),
        (Resource::CpuSeconds, limits.cpu_seconds),
        (Resource::OpenFiles, limits.open_files),
        (Resource::AddressSpace, limits.address_space),
        (Resource::PendingSignals, limits.processes),
        // Not 0: where the host pipes core files to a program of its own, that program is started
        // all the same, outside of the box. A limit of one byte is the kernel's mark for a process
        // whose core goes nowhere (core(5) and fs/coredump.c).
        (Resource::Core, 1),
        (Resource::LockedMemory, 0),
        (Resource::MessageQueues, 0),
    ] {
        credentials::limit(resource, most)?;
    }
    credentials::drop_capabilities()?;
    credentials::set_no_new_privileges()?;
    // Its memory and its descriptors are nobody's business, though it is of the same user as the
    // lines. What it executes becomes readable again.
    credentials::set_dumpable(false)
}
