//! The root directory that lines see.

use super::enter::CaseUser;
use super::{Limits, Refusal, Step};
use crate::launch::Lane;
use crate::system::{mount, warm};
use shfence_corpus::{DECOYS, TOP};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Directories of the host that hold programs and libraries. On most systems all but `/usr` are
/// links into it; on others they are directories. Both are kept as they are.
const SYSTEM: [&str; 7] = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"];

/// Devices of the host that are shown. No terminal: what needs one must fail the same everywhere.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Links of `/dev` that programs and shells rely on.
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];

/// Where the new root is mounted before it becomes the root: any directory that is there on every
/// system. It is hidden only in the worker's own mount namespace.
const STAGES: [&str; 4] = ["/tmp", "/mnt", "/run", "/var"];

/// The directory for temporary files, writable like the tree; zsh keeps here-documents in it.
pub(crate) const SCRATCH: &str = "/tmp";

/// The library that makes shells warm; theirs alone, and in no environment that a line sees.
pub(crate) const WARM_LIBRARY: &str = "/oracle/warm.so";

/// The directory of the probes.
pub(crate) const PROBES: &str = "/oracle/probes";

/// Builds the root directory and makes it the root. Needs a mount namespace of its own, and a
/// process in the pid namespace whose processes `/proc` is to show.
pub(super) fn build_root(user: CaseUser, limits: &Limits, lane: &Lane) -> Result<(), Refusal> {
    mount::make_all_private().step("make the mounts private")?;
    let stage = STAGES
        .into_iter()
        .map(Path::new)
        .find(|stage| stage.is_dir())
        .ok_or("there is none of /tmp, /mnt, /run, /var")
        .step("find a directory to mount on")?;
    let loader_cache = fs::read("/etc/ld.so.cache").unwrap_or_default();
    mount::memory(stage, "size=4m,nr_inodes=512,mode=755").step("mount a file system")?;
    show_system(stage).step("show the system's programs")?;
    write_etc(stage, user, &loader_cache).step("write /etc")?;
    write_decoys(stage).step("write the decoys")?;
    show_devices(stage).step("show the devices")?;
    show_ours(stage, lane).step("show the oracle's own files")?;
    for empty in ["proc", "tmp", "case", "root", "home"] {
        fs::create_dir_all(stage.join(empty)).step("make an empty directory")?;
    }
    mount::processes(&stage.join("proc")).step("mount /proc")?;
    mount::replace_root(stage).step("change the root directory")?;
    let tree = format!("size={},nr_inodes={},mode=755", limits.tree_size, limits.tree_entries);
    mount_writable(Path::new(TOP), &tree, user, 0o755).step("mount /case")?;
    let scratch = "size=4m,nr_inodes=512,mode=1777";
    mount_writable(Path::new(SCRATCH), scratch, user, 0o1777).step("mount /tmp")?;
    // Not what is mounted below it: the programs are read-only already, devices must stay devices,
    // and the rest are the two writable places.
    mount::make_this_read_only(Path::new("/")).step("make the root directory read-only")
}

fn show_system(stage: &Path) -> io::Result<()> {
    for name in SYSTEM {
        let (source, target) = (Path::new("/").join(name), stage.join(name));
        let Ok(facts) = fs::symlink_metadata(&source) else { continue };
        if facts.is_symlink() {
            symlink(fs::read_link(&source)?, target)?;
        } else if facts.is_dir() {
            show_directory(&source, &target)?;
        }
    }
    Ok(())
}

fn show_directory(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir(target)?;
    mount::bind(source, target)?;
    mount::make_read_only(target)
}

/// The library that makes shells warm, and the probes, which are one file under many names.
fn show_ours(stage: &Path, lane: &Lane) -> io::Result<()> {
    let place = |path: &str| stage.join(path.trim_start_matches('/'));
    let show = |path: &Path, program: &[u8]| {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, program)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o555))
    };
    show(&place(WARM_LIBRARY), warm::PRELOAD)?;
    let Lane::Probe { verbs } = lane else { return Ok(()) };
    if warm::PROBE.is_empty() {
        return Err(io::Error::other("there are no probes for this architecture"));
    }
    let mut first: Option<PathBuf> = None;
    for verb in verbs {
        if Path::new(verb).file_name() != Some(verb.as_ref()) {
            return Err(io::Error::other(format!("'{verb}' is no name of a file")));
        }
        let path = place(PROBES).join(verb);
        match &first {
            Some(probe) => fs::hard_link(probe, path)?,
            None => {
                show(&path, warm::PROBE)?;
                first = Some(path);
            }
        }
    }
    Ok(())
}

/// An `/etc` with what programs cannot do without and nothing else: what a line can read here is
/// the same on every machine.
fn write_etc(stage: &Path, user: CaseUser, loader_cache: &[u8]) -> io::Result<()> {
    let (etc, id) = (stage.join("etc"), user.id);
    fs::create_dir_all(etc.join("zsh"))?;
    let passwd = format!("root:x:0:0::/root:/bin/sh\nagent:x:{id}:{id}::/home/agent:/bin/sh\n");
    fs::write(etc.join("passwd"), passwd)?;
    fs::write(etc.join("group"), format!("root:x:0:\nagent:x:{id}:\n"))?;
    fs::write(etc.join("nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files\n")?;
    fs::write(etc.join("hosts"), "127.0.0.1 localhost\n")?;
    fs::write(etc.join("ld.so.cache"), loader_cache)?;
    // Read even with `zsh -f`; that of some distributions rewrites PATH.
    fs::write(etc.join("zsh/zshenv"), "")?;
    // On Debian and others `awk` and its like are links to here.
    let alternatives = Path::new("/etc/alternatives");
    if alternatives.is_dir() {
        show_directory(alternatives, &etc.join("alternatives"))?;
    }
    Ok(())
}

/// What nobody has a reason to touch.
fn write_decoys(stage: &Path) -> io::Result<()> {
    for (path, text) in DECOYS {
        let place = stage.join(path.trim_start_matches('/'));
        place.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(place, text)?;
    }
    Ok(())
}

fn show_devices(stage: &Path) -> io::Result<()> {
    let dev = stage.join("dev");
    fs::create_dir(&dev)?;
    for name in DEVICES {
        fs::write(dev.join(name), "")?;
        mount::bind(&Path::new("/dev").join(name), &dev.join(name))?;
    }
    for (name, to) in DEVICE_LINKS {
        symlink(to, dev.join(name))?;
    }
    Ok(())
}

fn mount_writable(at: &Path, options: &str, user: CaseUser, mode: u32) -> io::Result<()> {
    mount::memory(at, options)?;
    fs::set_permissions(at, fs::Permissions::from_mode(mode))?;
    user.give(at)
}
