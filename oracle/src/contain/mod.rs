//! The box that every line runs in.
//!
//! A worker shuts itself in before it reads the first case, in this order:
//!
//! 1. As root, it becomes an ordinary user first (in the `userns` tier). Root mapped to root in a
//!    user namespace, even without a capability, would still own the host's `/proc/sys` files.
//! 2. It leaves the user, mount, pid, net, ipc and uts namespaces, and maps one user and one group.
//! 3. It forks: the child is process 1 of the new pid namespace, the **supervisor**. When it ends,
//!    however it ends, the kernel kills everything in the namespace.
//! 4. The supervisor builds a root directory in memory: the system's programs read-only, an `/etc`
//!    of its own, four devices, its own processes; then `pivot_root`, and the old root is detached:
//!    from here on no path leads to the host's files. Only `/case` and `/tmp`, both small and in
//!    memory, stay writable.
//! 5. It forks the **server**, which starts the shells: resource limits, a session of its own, no
//!    capabilities, no_new_privs, and last the system-call filter, which traps path calls for the
//!    observer and refuses the ways out. Last, because what comes before needs calls that the
//!    filter refuses; and in a child, because a filter is for ever and the supervisor must not be
//!    under it.
//!
//! There are two tiers that hold, and a tier is available if **doing** all of this succeeds: on
//! some systems `unshare` is allowed and writing the id map is not, or mounting is not. Where
//! neither can be had nothing runs at all. A third, without namespaces, is named only to say why it
//! is not there.

mod cgroup;
mod confine;
mod enter;
mod limits;
mod refusal;
mod remedy;
mod root;
mod usage;

pub use crate::engine::probe;
pub(crate) use cgroup::{Cgroup, Doors};
pub(crate) use confine::confine;
pub(crate) use enter::{CaseUser, Place, enter};
pub use limits::Limits;
pub use refusal::Refusal;
pub(crate) use refusal::Step;
pub use remedy::{Remedy, Surroundings, remedies};
pub(crate) use root::{PROBES, SCRATCH, WARM_LIBRARY};
pub(crate) use usage::memory_in_use;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A way to be contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// In a user namespace: needs no privilege.
    Userns,
    /// As root without a user namespace: the lines run as an unprivileged user.
    Root,
    /// By Landlock and the system-call filter alone, without any namespace. Not built, and always
    /// refused: see [`WHY_NO_LANDLOCK`].
    Landlock,
}

/// Why the tier without namespaces is refused everywhere.
pub(crate) const WHY_NO_LANDLOCK: &str = "it would not hold. Landlock lets chmod, chown, utimes, \
    setxattr, stat and chdir pass everywhere, and a filter's listener that reads a path and lets \
    the call go on cannot stop them: the path can be another by the time the kernel reads it \
    (seccomp_unotify(2))";

impl Tier {
    /// All, the better first.
    pub const ALL: [Tier; 3] = [Tier::Userns, Tier::Root, Tier::Landlock];

    /// `userns`, `root`, `landlock`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Userns => "userns",
            Tier::Root => "root",
            Tier::Landlock => "landlock",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tier {
    type Err = String;
    fn from_str(name: &str) -> Result<Tier, String> {
        Tier::ALL
            .into_iter()
            .find(|tier| tier.name() == name)
            .ok_or_else(|| format!("unknown tier '{name}': expected userns, root or landlock"))
    }
}

/// Whether a tier is available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TierReport {
    /// The tier.
    pub tier: Tier,
    /// Why it is not, if it is not.
    pub refusal: Option<Refusal>,
    /// What would make it available.
    pub remedies: Vec<Remedy>,
}

impl TierReport {
    /// The report of a tier that was tried here, with what to do if it was refused.
    pub(crate) fn new(tier: Tier, refusal: Option<Refusal>) -> TierReport {
        let advise = |refusal: &Refusal| remedies(tier, refusal, &Surroundings::here());
        let remedies = refusal.as_ref().map(advise).unwrap_or_default();
        TierReport { tier, refusal, remedies }
    }
}

impl fmt::Display for TierReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.refusal {
            None => write!(f, "{}: available", self.tier)?,
            Some(refusal) => write!(f, "{}: {refusal}", self.tier)?,
        }
        self.remedies.iter().try_for_each(|remedy| write!(f, "\n    {remedy}"))
    }
}
