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
//! There are two tiers, and a tier is available if **doing** all of this succeeds: on some systems
//! `unshare` is allowed and writing the id map is not, or mounting is not. Where neither can be had
//! nothing runs at all.

mod cgroup;
mod confine;
mod enter;
mod limits;
mod root;
mod usage;

pub use crate::engine::probe;
pub(crate) use cgroup::{Cgroup, Doors};
pub(crate) use confine::confine;
pub(crate) use enter::{CaseUser, Place, enter};
pub use limits::Limits;
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
}

impl Tier {
    /// Both, the better first.
    pub const ALL: [Tier; 2] = [Tier::Userns, Tier::Root];

    /// `userns`, `root`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Userns => "userns",
            Tier::Root => "root",
        }
    }

    /// What would make the tier available where it is not.
    pub fn remedy(self) -> &'static str {
        match self {
            Tier::Userns => {
                "allow user namespaces: sysctl user.max_user_namespaces above 0, on Ubuntu \
                 kernel.apparmor_restrict_unprivileged_userns=0, in a container \
                 --security-opt seccomp=unconfined"
            }
            Tier::Root => "run as root, in a container with --cap-add SYS_ADMIN",
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
            .ok_or_else(|| format!("unknown tier '{name}': expected userns or root"))
    }
}

/// Why a tier cannot be had here: the step that failed, and what the system said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What was being done.
    pub step: String,
    /// The system's error.
    pub error: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.step, self.error)
    }
}

/// Names the step in which an error happened.
pub(crate) trait Step<T> {
    /// `step` completes "cannot …".
    fn step(self, step: &str) -> Result<T, Refusal>;
}

impl<T, E: fmt::Display> Step<T> for Result<T, E> {
    fn step(self, step: &str) -> Result<T, Refusal> {
        self.map_err(|error| Refusal { step: step.to_owned(), error: error.to_string() })
    }
}

/// Whether a tier is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierReport {
    /// The tier.
    pub tier: Tier,
    /// Why it is not, if it is not.
    pub refusal: Option<Refusal>,
}

impl fmt::Display for TierReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.refusal {
            None => write!(f, "{}: available", self.tier),
            Some(refusal) => {
                write!(f, "{}: {refusal}; to have it, {}", self.tier, self.tier.remedy())
            }
        }
    }
}
