//! The steps from an ordinary process to a supervisor in its box.

use super::confine::confine;
use super::root::build_root;
use super::{Limits, Refusal, Step, Tier, WHY_NO_LANDLOCK};
use crate::launch::Lane;
use crate::system::process::Forked;
use crate::system::{Pid, alarm, attempt, credentials, namespace, process};
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::lchown;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

/// The user that lines run as, inside a user namespace.
const INNER_ID: u32 = 1000;

/// `nobody`, as almost every system numbers it: whom root becomes before it makes a user namespace.
const NOBODY: u32 = 65534;

/// The steps that need another user than the caller.
pub(super) const BECOME_NOBODY: &str = "become an unprivileged user";
pub(super) const CLAIM_USER: &str = "find a user that no other worker runs lines as";

/// The step that needs a number of descriptors.
pub(super) const OPEN_FILES: &str = "open files enough";

/// Whom the lines run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CaseUser {
    /// User and group, as the supervisor sees them.
    pub(crate) id: u32,
    /// Is that somebody else than the supervisor itself?
    pub(crate) other: bool,
}

impl CaseUser {
    /// Gives what the supervisor has made to the lines' user. Changing the supervisor's own
    /// file-system ids while it makes it would be shorter, but the kernel then forgets that the
    /// supervisor is to die with its parent (prctl(2), `PR_SET_PDEATHSIG`).
    pub(crate) fn give(self, path: &Path) -> io::Result<()> {
        if self.other { lchown(path, Some(self.id), Some(self.id)) } else { Ok(()) }
    }
}

/// Where a worker stands after the fork.
#[derive(Debug)]
pub(crate) enum Place {
    /// Outside, as the parent of the supervisor with this id.
    Outside(Pid),
    /// Inside, as the supervisor.
    Inside(CaseUser),
}

/// Shuts the worker in. The order of the steps, and why, is in the module's description. A refusal
/// may be met on either side of the fork.
pub(crate) fn enter(tier: Tier, limits: &Limits, lane: &Lane) -> Result<Place, Refusal> {
    std::env::set_current_dir("/").step("enter /")?;
    let user = match tier {
        Tier::Userns => leave_with_user_namespace()?,
        Tier::Root => leave_as_root()?,
        Tier::Landlock => Err(WHY_NO_LANDLOCK).step("contain without namespaces")?,
    };
    if let Forked::Parent(supervisor) = process::fork().step("fork")? {
        return Ok(Place::Outside(supervisor));
    }
    process::die_with_parent().step("tie the supervisor to its parent")?;
    process::new_session();
    process::set_umask(0o022);
    namespace::set_host_name("shfence").step("name the machine")?;
    build_root(user, limits, lane)?;
    credentials::set_dumpable(false).step("shut the supervisor's memory")?;
    alarm::install().step("install the clock")?;
    enough_descriptors().step(OPEN_FILES)?;
    // What the servers will do, where it can be told what failed.
    let confined = || confine(user, limits).and_then(|()| attempt::be_filtered());
    attempt::in_child(confined).step("confine a process under a system-call filter")?;
    Ok(Place::Inside(user))
}

fn leave_with_user_namespace() -> Result<CaseUser, Refusal> {
    if credentials::effective_uid() == 0 && !is_somebody_outside() {
        credentials::become_user(NOBODY, NOBODY).step(BECOME_NOBODY)?;
        // Changing the user made /proc/self root's; the id map is written there.
        credentials::set_dumpable(true).step("keep /proc/self")?;
    }
    let (uid, gid) = (credentials::effective_uid(), credentials::effective_gid());
    namespace::leave_all(true).step("make user, mount, pid, net, ipc and uts namespaces")?;
    namespace::map_ids(INNER_ID, uid, gid).step("map a user into the user namespace")?;
    Ok(CaseUser { id: INNER_ID, other: false })
}

/// The descriptors of a server are moved to numbers from 64 on while they are sorted.
fn enough_descriptors() -> Result<(), String> {
    const LEAST: u64 = 96;
    match credentials::limit_on_descriptors() {
        Ok(most) if most < LEAST => {
            Err(format!("the limit on open files is {most}, and it takes {LEAST} (ulimit -n)"))
        }
        _ => Ok(()),
    }
}

/// Is this process, though it is root, an ordinary user outside of the user namespace it is in?
/// Then it owns none of the host's settings, and there may be no other user for it to become.
fn is_somebody_outside() -> bool {
    ids_outside(0).is_some_and(|outside| outside != 0)
}

/// Which user of the parent namespace an id of this one is, from `/proc/self/uid_map`
/// (user_namespaces(7)): each line has the first id inside, the first outside, and how many.
/// `None` if the id is nobody's.
fn ids_outside(id: u32) -> Option<u32> {
    let map = std::fs::read_to_string("/proc/self/uid_map").ok()?;
    map.lines().find_map(|line| {
        let mut numbers = line.split_whitespace().map_while(|number| number.parse::<u32>().ok());
        let (inside, outside, count) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let offset = id.checked_sub(inside).filter(|offset| *offset < count)?;
        outside.checked_add(offset)
    })
}

fn leave_as_root() -> Result<CaseUser, Refusal> {
    if credentials::effective_uid() != 0 {
        return Err("the user is not root").step("contain without a user namespace");
    }
    let id = claim_user().step(CLAIM_USER)?;
    namespace::leave_all(false).step("make mount, pid, net, ipc and uts namespaces")?;
    Ok(CaseUser { id, other: true })
}

/// A user that belongs to nobody, for this worker alone.
///
/// The limit on processes counts all processes of a user, on the whole machine: a fork bomb in one
/// worker must starve none of the others. The claim is an abstract socket (unix(7)) in the host's
/// network namespace: it needs no file, and is given up when the last process of the worker ends.
fn claim_user() -> io::Result<u32> {
    // Reserved, and given to nobody (Debian policy 9.2.2).
    const FREE: std::ops::Range<u32> = 65_000..65_534;
    if ids_outside(FREE.start).is_none() || ids_outside(FREE.end - 1).is_none() {
        return Err(io::Error::other("this user namespace has none of the users 65000 to 65533"));
    }
    let first = FREE.start + std::process::id() % (FREE.end - FREE.start);
    for id in (first..FREE.end).chain(FREE.start..first) {
        let name = SocketAddr::from_abstract_name(format!("shfence-oracle-user-{id}"))?;
        match UnixListener::bind_addr(&name) {
            Ok(claim) => {
                std::mem::forget(claim);
                return Ok(id);
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AddrInUse.into())
}
