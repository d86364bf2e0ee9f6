//! What would make a tier available where it is not.

use super::enter::{BECOME_NOBODY, CLAIM_USER, OPEN_FILES};
use super::{Refusal, Tier};
use serde::Serialize;
use std::fmt;
use std::fs;
use std::path::Path;

/// Something to do about a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// What stands in the way.
    pub because: String,
    /// The command that takes it out of the way.
    pub command: String,
}

impl Remedy {
    fn new(because: &str, command: &str) -> Remedy {
        Remedy { because: because.to_owned(), command: command.to_owned() }
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.because, self.command)
    }
}

/// What the kernel and the surroundings of this process allow, as far as they say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Is the user root, here at least?
    pub root: bool,
    /// Settings that limit a kind of namespace to none at all (namespaces(7)).
    pub no_namespaces: Vec<&'static str>,
    /// Debian's own switch forbids user namespaces to unprivileged users.
    pub debian_restricts: bool,
    /// Ubuntu's AppArmor takes the privileges out of unprivileged user namespaces.
    pub apparmor_restricts: bool,
    /// The process is under somebody else's system-call filter, as in a container.
    pub filtered: bool,
    /// It seems to be in a container.
    pub container: bool,
}

/// The kinds of namespaces that a box is made of.
const KINDS: [&str; 6] = [
    "user.max_user_namespaces",
    "user.max_mnt_namespaces",
    "user.max_pid_namespaces",
    "user.max_net_namespaces",
    "user.max_ipc_namespaces",
    "user.max_uts_namespaces",
];

impl Surroundings {
    /// Those of this process.
    pub fn here() -> Surroundings {
        let setting = |name: &str| {
            let path = Path::new("/proc/sys").join(name.replace('.', "/"));
            fs::read_to_string(path).ok()?.trim().parse::<u64>().ok()
        };
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let field = |name: &str| {
            let rest = status.lines().find_map(|line| line.strip_prefix(name))?;
            rest.split_whitespace().nth(1).or_else(|| rest.split_whitespace().next())
        };
        let marks = ["/.dockerenv", "/run/.containerenv"];
        Surroundings {
            // The second number is the effective id.
            root: field("Uid:") == Some("0"),
            no_namespaces: KINDS.into_iter().filter(|kind| setting(kind) == Some(0)).collect(),
            debian_restricts: setting("kernel.unprivileged_userns_clone") == Some(0),
            apparmor_restricts: setting("kernel.apparmor_restrict_unprivileged_userns") == Some(1),
            filtered: field("Seccomp:") == Some("2"),
            container: marks.iter().any(|mark| Path::new(mark).exists())
                || std::env::var_os("KUBERNETES_SERVICE_HOST").is_some(),
        }
    }
}

/// What to do to have a tier that was refused, the likeliest first. Never empty but for the tier
/// that cannot be had anywhere.
pub fn remedies(tier: Tier, refusal: &Refusal, here: &Surroundings) -> Vec<Remedy> {
    let forbidden = matches!(refusal.errno, Some(libc::EPERM | libc::EACCES));
    let mut all = Vec::new();
    for kind in &here.no_namespaces {
        if tier == Tier::Userns || *kind != KINDS[0] {
            let command = format!("sudo sysctl -w {kind}=10000");
            all.push(Remedy::new("a setting allows none of a kind of namespace", &command));
        }
    }
    match tier {
        Tier::Landlock => return Vec::new(),
        Tier::Root if !here.root => {
            all.push(Remedy::new("it needs root", "sudo shfence-oracle …"));
            return all;
        }
        Tier::Userns if forbidden || all.is_empty() => all.extend(for_user_namespaces(here)),
        _ => {}
    }
    if refusal.step == OPEN_FILES {
        return vec![Remedy::new("a limit of this session", "ulimit -n 1024")];
    }
    if [BECOME_NOBODY, CLAIM_USER].contains(&refusal.step.as_str()) {
        let because = "this user namespace has no users but its root";
        let command = "run it as an ordinary user, or in a namespace with a range of users";
        return vec![Remedy::new(because, command)];
    }
    if forbidden && (here.filtered || here.container) {
        all.push(in_container(tier, refusal));
    }
    if matches!(refusal.errno, Some(libc::EINVAL | libc::ENOSYS)) {
        all.push(Remedy::new(
            "the kernel lacks it (CONFIG_USER_NS, CONFIG_SECCOMP_FILTER, Linux 5.9 or later)",
            "uname -r; zgrep -E 'USER_NS|SECCOMP|NAMESPACES' /proc/config.gz",
        ));
    }
    if all.is_empty() {
        let command = "capsh --print; sudo dmesg | tail";
        all.push(Remedy::new("it is not known what stands in the way", command));
    }
    all
}

fn for_user_namespaces(here: &Surroundings) -> Vec<Remedy> {
    let mut all = Vec::new();
    if here.debian_restricts {
        let command = "sudo sysctl -w kernel.unprivileged_userns_clone=1";
        all.push(Remedy::new("this system forbids user namespaces to users", command));
    }
    if here.apparmor_restricts {
        let command = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        let because = "AppArmor takes the privileges out of user namespaces, as on Ubuntu";
        all.push(Remedy::new(because, command));
    }
    all
}

/// A container's runtime forbids by a filter what its capabilities would allow, and hides parts of
/// `/proc`, which keeps a new one from being mounted (mount_namespaces(7)).
fn in_container(tier: Tier, refusal: &Refusal) -> Remedy {
    let options = match tier {
        _ if refusal.step.contains("/proc") => "--security-opt systempaths=unconfined",
        // Without SYS_PTRACE shells run, but their paths cannot be looked up.
        Tier::Root => {
            "--cap-add SYS_ADMIN --cap-add SYS_PTRACE --security-opt seccomp=unconfined \
             --security-opt apparmor=unconfined"
        }
        _ => "--security-opt seccomp=unconfined --security-opt apparmor=unconfined",
    };
    Remedy::new("the container's runtime forbids it", &format!("docker run {options} …"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(step: &str, errno: i32) -> Refusal {
        let error = std::io::Error::from_raw_os_error(errno).to_string();
        Refusal { step: step.to_owned(), error, errno: Some(errno) }
    }

    /// The first command, for this tier and refusal.
    fn first(tier: Tier, step: &str, errno: i32, here: &Surroundings) -> String {
        remedies(tier, &refusal(step, errno), here)[0].command.clone()
    }

    #[test]
    fn each_obstacle_has_its_command() {
        let none = Surroundings::default();
        let limited = Surroundings { no_namespaces: vec![KINDS[0]], ..none.clone() };
        let ubuntu = Surroundings { apparmor_restricts: true, ..none.clone() };
        let debian = Surroundings { debian_restricts: true, ..none.clone() };
        let docker = Surroundings { root: true, filtered: true, container: true, ..none.clone() };
        let (userns, root) = (Tier::Userns, Tier::Root);
        for (tier, step, errno, here, command) in [
            (userns, "make", libc::ENOSPC, &limited, "user.max_user_namespaces=10000"),
            (userns, "map", libc::EPERM, &ubuntu, "apparmor_restrict_unprivileged_userns=0"),
            (userns, "make", libc::EPERM, &debian, "unprivileged_userns_clone=1"),
            (userns, "make", libc::EPERM, &docker, "seccomp=unconfined"),
            (userns, "mount /proc", libc::EPERM, &docker, "systempaths=unconfined"),
            (userns, "make", libc::EINVAL, &none, "uname -r"),
            (root, "make", libc::EPERM, &docker, "--cap-add SYS_ADMIN"),
            (root, "make", libc::EPERM, &none, "sudo shfence-oracle"),
            (root, "make", libc::EPERM, &limited, "sudo shfence-oracle"),
            (userns, BECOME_NOBODY, libc::EPERM, &docker, "as an ordinary user"),
        ] {
            let given = first(tier, step, errno, here);
            assert!(given.contains(command), "{tier} {step} {errno} {here:?}: {given}");
        }
    }

    #[test]
    fn there_is_always_something_to_do_but_for_the_tier_that_is_not_built() {
        for errno in [libc::EPERM, libc::EACCES, libc::ENOSPC, libc::EINVAL, libc::EIO] {
            for root in [false, true] {
                let here = Surroundings { root, ..Surroundings::default() };
                for tier in Tier::ALL {
                    let all = remedies(tier, &refusal("fork", errno), &here);
                    assert_eq!(all.is_empty(), tier == Tier::Landlock, "{tier} {errno}");
                }
            }
        }
    }
}
