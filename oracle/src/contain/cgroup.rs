//! A bound on what all processes of a box use together (cgroups(7)).
//!
//! Resource limits count per process: 64 processes with a gigabyte each are more than most machines
//! have. A control group counts them together, with what the kernel keeps for them. It can be had
//! as root, or where a part of the hierarchy was handed to the user; elsewhere the supervisor's own
//! look at the memory ([`super::usage`]) is all there is.
//!
//! The engine makes the group and removes it, since a worker soon has neither the path nor the
//! right. The servers of shells enter it through a **door**: the open `cgroup.procs` of the group,
//! for which the kernel asks who opened it, not who writes (since 5.16, and in older series that
//! are kept up). The supervisor stays outside: it must not be what the kernel kills when the group
//! is full.

use super::{Limits, Refusal, Step};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What is counted, by the name of its controller.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// How the names of groups begin; the process id of the engine follows.
const PREFIX: &str = "shfence-oracle-";

/// A control group, in one hierarchy (version 2) or one per controller (version 1). Removed when
/// dropped: by then all its processes must have ended.
#[derive(Debug)]
pub(crate) struct Cgroup {
    directories: Vec<PathBuf>,
    doors: Vec<File>,
}

impl Cgroup {
    /// Makes a group with these limits, below the caller's own or the nearest ancestor where that
    /// is allowed.
    pub(crate) fn make(limits: &Limits) -> Result<Cgroup, Refusal> {
        let own = read("/proc/self/cgroup")?;
        let mounts = read("/proc/self/mountinfo")?;
        let mut group = Cgroup { directories: Vec::new(), doors: Vec::new() };
        for hierarchy in hierarchies(&own, &mounts)? {
            let directory = hierarchy.make(limits)?;
            group.directories.push(directory.clone());
            let door = OpenOptions::new().write(true).open(directory.join("cgroup.procs"));
            group.doors.push(door.step("open a control group for processes")?);
        }
        Ok(group)
    }

    /// What a process enters the group by.
    pub(crate) fn doors(&self) -> &[File] {
        &self.doors
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(1);
        let asked = Instant::now();
        for directory in &self.directories {
            // The last process may be ending still.
            while fs::remove_dir(directory).is_err_and(|e| e.kind() == io::ErrorKind::ResourceBusy)
                && asked.elapsed() < PATIENCE
            {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// The ways into a group, if there is one, as a worker holds them.
#[derive(Debug, Default)]
pub(crate) struct Doors(pub(crate) Vec<File>);

impl Doors {
    /// Moves the calling process into the group; its children will be there as well.
    pub(crate) fn enter(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|mut door| door.write_all(b"0"))
    }
}

fn read(path: &str) -> Result<String, Refusal> {
    fs::read_to_string(path).step(&format!("read {path}"))
}

/// A tree of groups, and the caller's place in it.
#[derive(Debug, PartialEq, Eq)]
struct Hierarchy {
    version: Version,
    controllers: Vec<&'static str>,
    /// Where it is mounted.
    top: PathBuf,
    /// The caller's own group.
    own: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// The hierarchies that the controllers are in, from `/proc/self/cgroup` and `/proc/self/mountinfo`
/// (cgroups(7), proc(5)).
fn hierarchies(own: &str, mounts: &str) -> Result<Vec<Hierarchy>, Refusal> {
    let mut all: Vec<Hierarchy> = Vec::new();
    for controller in CONTROLLERS {
        let hierarchy = hierarchy(controller, own, mounts)
            .ok_or_else(|| format!("no hierarchy with the controller '{controller}' is mounted"))
            .step("find the control groups")?;
        match all.iter_mut().find(|it| it.own == hierarchy.own) {
            Some(known) => known.controllers.push(controller),
            None => all.push(hierarchy),
        }
    }
    Ok(all)
}

fn hierarchy(controller: &'static str, own: &str, mounts: &str) -> Option<Hierarchy> {
    // Each line is `ID:CONTROLLERS:PATH`; without controllers it is that of version 2.
    let place = |wanted: &dyn Fn(&str) -> bool| {
        own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?);
            wanted(controllers).then_some(path)
        })
    };
    let has = |list: &str| list.split(',').any(|it| it == controller);
    let (version, path) = match place(&has) {
        Some(path) => (Version::One, path),
        None => (Version::Two, place(&str::is_empty)?),
    };
    // `ID PARENT DEV ROOT MOUNTPOINT OPTIONS … - TYPE SOURCE OPTIONS`
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (root, top) = (mount.next()?, PathBuf::from(mount.next()?));
        let mut kind = kind.split(' ');
        let (kind, options) = (kind.next()?, kind.nth(1)?);
        let right = match version {
            Version::One => kind == "cgroup" && has(options),
            Version::Two => kind == "cgroup2",
        };
        let below = Path::new(path).strip_prefix(root).ok()?;
        let own = top.join(below);
        right.then(|| Hierarchy { version, controllers: vec![controller], top, own })
    })
}

impl Hierarchy {
    /// Makes a group with limits. The error is that of the caller's own group.
    fn make(&self, limits: &Limits) -> Result<PathBuf, Refusal> {
        let mut first = None;
        for parent in self.own.ancestors().take_while(|it| it.starts_with(&self.top)) {
            match self.make_in(parent, limits) {
                Ok(directory) => return Ok(directory),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
            .step(&format!("make a control group in {}", self.own.display()))
    }

    fn make_in(&self, parent: &Path, limits: &Limits) -> io::Result<PathBuf> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        remove_left_over(parent);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let directory = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir(&directory)?;
        self.bound(parent, &directory, limits).inspect_err(|_| {
            // It is the first error that says something.
            let _ = fs::remove_dir(&directory);
        })?;
        Ok(directory)
    }

    fn bound(&self, parent: &Path, group: &Path, limits: &Limits) -> io::Result<()> {
        for controller in &self.controllers {
            let (file, most) = match (*controller, self.version) {
                ("memory", Version::One) => ("memory.limit_in_bytes", limits.memory_backstop()),
                ("memory", Version::Two) => ("memory.max", limits.memory_backstop()),
                _ => ("pids.max", limits.processes_backstop()),
            };
            let file = group.join(file);
            if !file.exists() {
                // In version 2 a group's children have the controllers that it passes on.
                write(&parent.join("cgroup.subtree_control"), &format!("+{controller}"))?;
            }
            write(&file, &most.to_string())?;
        }
        // Where there is swap it would be filled next. Not every kernel counts it.
        if self.version == Version::Two && self.controllers.contains(&"memory") {
            let _ = write(&group.join("memory.swap.max"), "0");
        }
        Ok(())
    }
}

/// Writes to a file of the kernel's, which must be there.
fn write(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
}

/// Removes the groups of engines that were killed. One that has processes cannot be removed.
fn remove_left_over(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let engine = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        if engine.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(own: &str, mounts: &str) -> Vec<(Version, usize, String)> {
        let all = hierarchies(own, mounts).unwrap();
        let own = |it: &Hierarchy| it.own.display().to_string();
        all.iter().map(|it| (it.version, it.controllers.len(), own(it))).collect()
    }

    const V2: &str = "35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

    #[test]
    fn version_2_is_one_hierarchy() {
        let own = "0::/user.slice/user-1000.slice/session-2.scope\n";
        let place = "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope";
        assert_eq!(found(own, V2), [(Version::Two, 2, place.to_owned())]);
        assert_eq!(found("0::/\n", V2), [(Version::Two, 2, "/sys/fs/cgroup/".to_owned())]);
    }

    #[test]
    fn version_1_has_a_hierarchy_per_controller_also_beside_version_2() {
        let own = "9:pids:/\n5:cpu,memory:/jobs/a\n0::/b\n";
        let mounts = "35 31 0:33 / /cg/memory rw - cgroup cgroup rw,cpu,memory\n\
                      39 31 0:36 / /cg/pids rw - cgroup cgroup rw,pids\n\
                      41 31 0:38 / /cg/unified rw - cgroup2 cgroup2 rw\n";
        let expected =
            [(Version::One, 1, "/cg/memory/jobs/a".into()), (Version::One, 1, "/cg/pids/".into())];
        assert_eq!(found(own, mounts), expected);
    }

    #[test]
    fn a_mount_that_shows_a_part_is_understood() {
        let mounts = "35 24 0:30 /docker/x /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        let expected = [(Version::Two, 2, "/sys/fs/cgroup/sub".to_owned())];
        assert_eq!(found("0::/docker/x/sub\n", mounts), expected);
    }

    #[test]
    fn what_is_not_mounted_is_told() {
        for (own, mounts) in
            [("0::/\n", ""), ("", V2), ("4:memory:/\n0::/\n", V2), ("nonsense", V2)]
        {
            let refusal = hierarchies(own, mounts).unwrap_err();
            assert!(refusal.error.contains("memory"), "{refusal}");
        }
    }
}
