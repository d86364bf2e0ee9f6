//! What a hostile line must not change: a look at the host that shares nothing with the oracle.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};

/// Everything that tells a changed file from an unchanged one without reading it: inode, kind and
/// permissions, owner, size, and the times of the last change to content and to the rest.
type Facts = (u64, u32, u32, u32, u64, [i64; 4]);

/// Where the host keeps what is worth most.
const SYSTEM: [&str; 5] = ["/etc", "/usr/bin", "/usr/sbin", "/boot", "/dev"];

/// What root could have changed about the kernel.
const SETTINGS: [&str; 7] = [
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/sysrq",
    "/proc/sys/kernel/panic",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/overcommit_memory",
    "/proc/swaps",
];

/// A directory that anybody may write, and ports and a socket that anybody may connect to.
#[derive(Debug)]
pub struct Outside {
    scratch: tempfile::TempDir,
    port: TcpListener,
    /// Not every machine has IPv6.
    port6: Option<TcpListener>,
    datagrams: UdpSocket,
    name: String,
    abstract_socket: UnixListener,
    before: BTreeMap<PathBuf, Facts>,
    settings: Vec<Option<String>>,
}

impl Outside {
    pub fn new() -> Outside {
        let scratch = tempfile::tempdir().unwrap();
        let open = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        open(scratch.path(), 0o777);
        fs::write(scratch.path().join("file"), "untouched").unwrap();
        open(&scratch.path().join("file"), 0o666);
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        port.set_nonblocking(true).unwrap();
        let port6 = TcpListener::bind("[::1]:0").ok();
        if let Some(port) = &port6 {
            port.set_nonblocking(true).unwrap();
        }
        let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
        datagrams.set_nonblocking(true).unwrap();
        let name = format!("shfence-oracle-test-{}-{:p}", std::process::id(), &raw const scratch);
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let abstract_socket = UnixListener::bind_addr(&address).unwrap();
        abstract_socket.set_nonblocking(true).unwrap();
        let before = walk(scratch.path());
        let settings = settings();
        Outside { scratch, port, port6, datagrams, name, abstract_socket, before, settings }
    }

    /// What puts the names of all this into a line's environment.
    pub fn prologue(&self) -> String {
        let port = self.port.local_addr().unwrap().port();
        let port6 = self.port6.as_ref().map_or(port, |port| port.local_addr().unwrap().port());
        let udp = self.datagrams.local_addr().unwrap().port();
        let (host, name) = (self.scratch.path().display(), &self.name);
        format!(
            "PATH=$PATH:/usr/sbin:/sbin HOST={host} PORT={port} PORT6={port6} UDP={udp} \
             NAME={name}\nexport PORT PORT6 UDP NAME\n"
        )
    }

    /// Nothing has changed, and nobody has connected.
    pub fn assert_untouched(&self, after: &str) {
        assert_same(&self.before, &walk(self.scratch.path()), after);
        let text = fs::read_to_string(self.scratch.path().join("file")).unwrap();
        assert_eq!(text, "untouched", "after {after}");
        assert!(self.port.accept().is_err(), "IPv4 connected by {after}");
        assert!(self.port6.as_ref().is_none_or(|it| it.accept().is_err()), "IPv6 by {after}");
        assert!(self.datagrams.recv(&mut [0]).is_err(), "a datagram came after {after}");
        assert!(self.abstract_socket.accept().is_err(), "abstract socket connected by {after}");
        assert_eq!(settings(), self.settings, "after {after}");
    }
}

/// The look at the outside notices each kind of change, made here by the test itself.
#[test]
fn what_happens_outside_is_noticed() {
    use std::net::TcpStream;
    use std::os::unix::net::UnixStream;
    type Change = fn(&Outside);
    let changes: [(&str, Change); 8] = [
        ("a new file", |it| fs::write(it.scratch.path().join("new"), "").unwrap()),
        ("other text", |it| fs::write(it.scratch.path().join("file"), "uptouched").unwrap()),
        ("a removed file", |it| fs::remove_file(it.scratch.path().join("file")).unwrap()),
        ("other permissions", |it| {
            let mode = fs::Permissions::from_mode(0o600);
            fs::set_permissions(it.scratch.path().join("file"), mode).unwrap();
        }),
        ("a connection", |it| drop(TcpStream::connect(it.port.local_addr().unwrap()))),
        ("a connection by IPv6", |it| match &it.port6 {
            Some(port) => drop(TcpStream::connect(port.local_addr().unwrap())),
            None => drop(TcpStream::connect(it.port.local_addr().unwrap())),
        }),
        ("a datagram", |it| {
            let to = it.datagrams.local_addr().unwrap();
            UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"x", to).unwrap();
        }),
        ("a connection by name", |it| {
            let address = SocketAddr::from_abstract_name(&it.name).unwrap();
            drop(UnixStream::connect_addr(&address).unwrap());
        }),
    ];
    for (what, change) in changes {
        let outside = Outside::new();
        outside.assert_untouched("nothing");
        change(&outside);
        let noticed = std::panic::catch_unwind(|| outside.assert_untouched(what));
        assert!(noticed.is_err(), "{what} is not noticed");
    }
}

/// The host's own files.
#[derive(Debug)]
pub struct System(BTreeMap<PathBuf, Facts>);

impl System {
    pub fn walked() -> System {
        System(SYSTEM.iter().flat_map(|top| walk(Path::new(top))).collect())
    }

    pub fn assert_unchanged(&self, after: &str) {
        assert_same(&self.0, &System::walked().0, after);
    }
}

fn settings() -> Vec<Option<String>> {
    SETTINGS.iter().map(|path| fs::read_to_string(path).ok()).collect()
}

/// Everything below a directory, itself included. Of terminals and of other programs' shared
/// memory, which change by themselves, only the directories.
fn walk(top: &Path) -> BTreeMap<PathBuf, Facts> {
    let mut facts = BTreeMap::new();
    let mut todo = vec![top.to_owned()];
    while let Some(path) = todo.pop() {
        let Ok(it) = fs::symlink_metadata(&path) else { continue };
        let device = path.starts_with("/dev");
        let times = [it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec()];
        let times = if device { [0; 4] } else { times };
        let size = if device { 0 } else { it.size() };
        facts.insert(path.clone(), (it.ino(), it.mode(), it.uid(), it.gid(), size, times));
        let by_itself = ["/dev/pts", "/dev/shm", "/dev/mqueue"].map(Path::new);
        if it.is_dir() && !by_itself.contains(&path.as_path()) {
            let entries = fs::read_dir(&path).into_iter().flatten();
            todo.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        }
    }
    facts
}

fn assert_same(before: &BTreeMap<PathBuf, Facts>, now: &BTreeMap<PathBuf, Facts>, after: &str) {
    let of = |path| (before.get(path), now.get(path));
    let changed =
        before.keys().chain(now.keys()).filter(|path| before.get(*path) != now.get(*path));
    let changed: Vec<_> = changed.map(|path| (path, of(path))).collect();
    assert!(changed.is_empty(), "after {after}: {changed:?}");
}

/// The processes that descend from one, as the host sees them.
pub fn descendants(of: u32) -> Vec<u32> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // After the name, which may hold anything, come the state and the parent (proc(5)).
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let parent = rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok());
        parents.insert(pid, parent.unwrap_or(0));
    }
    let descends = |mut pid: u32| {
        while let Some(parent) = parents.get(&pid) {
            if *parent == of {
                return true;
            }
            pid = *parent;
        }
        false
    };
    parents.keys().copied().filter(|pid| descends(*pid)).collect()
}
