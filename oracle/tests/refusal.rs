//! The ways out of the box and round the observer, tried one by one as system calls.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]
#![cfg(target_arch = "x86_64")]

mod common;

use common::{case, engine, shells};
use shfence_corpus::{Case, Entry, Node, RelPath, Text, TreeSpec};
use shfence_oracle::trace::Status;

/// Errors that are expected (errno(3)).
const EPERM: i32 = 1;
const ENOSYS: i32 = 38;
const EAFNOSUPPORT: i32 = 97;

/// System calls of programs that call the kernel directly, as the arguments of perl's `syscall`,
/// and the errno that must come. `$z` is memory full of zeroes, `$p` the path of the tree, `$t` the
/// name of a file system.
const REFUSED_CALLS: &[(&str, i32)] = &[
    // Namespaces, each by both calls.
    ("272, 0x10000000", EPERM),   // unshare: CLONE_NEWUSER
    ("272, 0x00020000", EPERM),   // CLONE_NEWNS
    ("272, 0x20000000", EPERM),   // CLONE_NEWPID
    ("272, 0x40000000", EPERM),   // CLONE_NEWNET
    ("272, 0x08000000", EPERM),   // CLONE_NEWIPC
    ("272, 0x04000000", EPERM),   // CLONE_NEWUTS
    ("272, 0x02000000", EPERM),   // CLONE_NEWCGROUP
    ("272, 0x00000080", EPERM),   // CLONE_NEWTIME
    ("56, 0x10000011, 0", EPERM), // clone: the same
    ("56, 0x00020011, 0", EPERM),
    ("56, 0x20000011, 0", EPERM),
    ("56, 0x40000011, 0", EPERM),
    ("56, 0x08000011, 0", EPERM),
    ("56, 0x04000011, 0", EPERM),
    ("56, 0x02000011, 0", EPERM),
    ("435, $z, 88", ENOSYS), // clone3
    ("308, 0, 0", EPERM),    // setns
    // Mounts and root directories.
    ("165, $t, $p, $t, 0, 0", EPERM),    // mount
    ("166, $p, 2", EPERM),               // umount2
    ("161, $p", EPERM),                  // chroot
    ("155, $p, $p", EPERM),              // pivot_root
    ("428, -100, $p, 1", EPERM),         // open_tree
    ("429, 3, $p, -100, $p, 0", EPERM),  // move_mount
    ("430, $t, 0", EPERM),               // fsopen
    ("431, 3, 0, 0, 0, 0", EPERM),       // fsconfig
    ("432, 3, 0, 0", EPERM),             // fsmount
    ("433, -100, $p, 0", EPERM),         // fspick
    ("442, -100, $p, 0, $z, 32", EPERM), // mount_setattr
    ("457, $z, $z, 64, 0", ENOSYS),      // statmount
    ("458, $z, $z, 8, 0", ENOSYS),       // listmount
    // Files without a path.
    ("304, -100, $z, 0", EPERM),       // open_by_handle_at
    ("319, $t, 0", EPERM),             // memfd_create
    ("447, 0", ENOSYS),                // memfd_secret
    ("425, 8, $z", ENOSYS),            // io_uring_setup
    ("426, 3, 1, 1, 0, 0, 0", ENOSYS), // io_uring_enter
    ("427, 3, 0, 0, 0", ENOSYS),       // io_uring_register
    ("300, 0, 0", EPERM),              // fanotify_init
    // Other processes.
    ("101, 0, 0, 0, 0", EPERM),               // ptrace: PTRACE_TRACEME
    ("101, 16, $parent, 0, 0", EPERM),        // PTRACE_ATTACH
    ("101, 0x4206, 1, 0, 0", EPERM),          // PTRACE_SEIZE
    ("310, 1, $z, 1, $z, 1, 0", EPERM),       // process_vm_readv
    ("311, $parent, $z, 1, $z, 1, 0", EPERM), // process_vm_writev
    ("312, $$, 1, 0, 0, 0", EPERM),           // kcmp
    ("438, 3, 0, 0", EPERM),                  // pidfd_getfd
    ("424, 3, 9, 0, 0", EPERM),               // pidfd_send_signal
    ("440, 3, $z, 1, 8, 0", EPERM),           // process_madvise
    ("448, 3, 0", EPERM),                     // process_mrelease
    ("256, 1, 8, $z, $z", EPERM),             // migrate_pages
    ("279, 1, 0, 0, 0, 0, 0", EPERM),         // move_pages
    ("302, 1, 7, 0, $z", EPERM),              // prlimit64
    ("141, 0, 1, 19", EPERM),                 // setpriority: of a process
    ("141, 2, 0, 19", EPERM),                 // of everything of a user
    ("203, 1, 8, $z", EPERM),                 // sched_setaffinity
    ("144, 1, 0, $z", EPERM),                 // sched_setscheduler
    ("251, 1, 1, 0", EPERM),                  // ioprio_set
    // Signals to everybody, to the supervisor, to the server.
    ("62, -1, 0", EPERM),                // kill
    ("62, 1, 14", EPERM),                //
    ("62, $server, 9", EPERM),           //
    ("62, -$server, 19", EPERM),         //
    ("200, 1, 9", EPERM),                // tkill
    ("200, $server, 9", EPERM),          //
    ("234, 1, 1, 9", EPERM),             // tgkill
    ("234, $server, $server, 9", EPERM), //
    ("129, 1, 9, $z", EPERM),            // rt_sigqueueinfo
    ("297, 1, 1, 9, $z", EPERM),         // rt_tgsigqueueinfo
    // Filters under ours, and our own call.
    ("317, 0, 0, 0", EPERM),     // seccomp
    ("157, 22, 1, 0, 0", EPERM), // prctl: PR_SET_SECCOMP
    ("444, 0, 0, 1", ENOSYS),    // landlock_create_ruleset
    ("163, 0", EPERM),           // acct: the marker call, made by somebody else
    ("163, 1, 0, 0", EPERM),     // the server's news, forged
    // What outlives a process, or counts nowhere.
    ("29, 0, 4096, 01600", EPERM),     // shmget
    ("64, 0, 1, 01600", EPERM),        // semget
    ("68, 0, 01600", EPERM),           // msgget
    ("240, $t, 0102, 0600, 0", EPERM), // mq_open
    ("248, $t, $t, 0, 0, -3", EPERM),  // add_key
    ("249, $t, $t, 0, -3", EPERM),     // request_key
    ("250, 0, -3, 1", EPERM),          // keyctl
    // The kernel.
    ("321, 0, $z, 72", EPERM),                   // bpf
    ("298, $z, 0, -1, -1, 0", EPERM),            // perf_event_open
    ("323, 0", EPERM),                           // userfaultfd
    ("169, 0xfee1dead, 672274793, 0, 0", EPERM), // reboot
    ("246, 0, 0, 0, 0", EPERM),                  // kexec_load
    ("320, 0, 0, 0, 0, 0", EPERM),               // kexec_file_load
    ("175, $z, 256, $z", EPERM),                 // init_module
    ("313, 3, $z, 0", EPERM),                    // finit_module
    ("176, $t, 0", EPERM),                       // delete_module
    ("172, 3", EPERM),                           // iopl
    ("173, 0, 8, 1", EPERM),                     // ioperm
    ("154, 1, $z, 16", EPERM),                   // modify_ldt
    ("167, $p, 0", EPERM),                       // swapon
    ("168, $p", EPERM),                          // swapoff
    ("170, $t, 4", EPERM),                       // sethostname
    ("171, $t, 4", EPERM),                       // setdomainname
    ("164, $z, 0", EPERM),                       // settimeofday
    ("227, 0, $z", EPERM),                       // clock_settime
    ("103, 5, 0, 0", EPERM),                     // syslog: clear the log
    ("153", EPERM),                              // vhangup
    ("179, 0, 0, 0, 0", EPERM),                  // quotactl
    ("139, 3, 0, 0", EPERM),                     // sysfs
    // Sockets that leave the network namespace, or need a privilege.
    ("41, 40, 1, 0", EAFNOSUPPORT),     // socket: AF_VSOCK
    ("41, 38, 5, 0", EAFNOSUPPORT),     // AF_ALG
    ("41, 17, 3, 0", EAFNOSUPPORT),     // AF_PACKET
    ("41, 31, 3, 0", EAFNOSUPPORT),     // AF_BLUETOOTH
    ("41, 44, 3, 0", EAFNOSUPPORT),     // AF_XDP
    ("53, 40, 1, 0, $z", EAFNOSUPPORT), // socketpair
    ("41, 2, 3, 1", EPERM),             // a raw one
    // A device.
    ("259, -100, $dev, 0060600, 0x800", EPERM), // mknodat: a disk
    // Newer than the table.
    ("470, 0", ENOSYS),
    ("511, 0", ENOSYS),
];

/// Calls that would make the caller somebody else. Their error depends on the tier.
const NEW_USERS: [&str; 6] =
    ["105, 0", "106, 0", "117, 0, 0, 0", "119, 0, 0, 0", "113, -1, 0", "116, 1, $z"];

/// What the calls above find.
const GIVEN: &str = "$z = \"\\0\" x 4096; $p = \"/case\\0\"; $t = \"tmpfs\\0\"; \
     $dev = \"/case/proj/dev\\0\"; $server = $ENV{PPID} + 0; $parent = getppid; ";

#[test]
fn the_ways_out_and_round_the_observer_are_refused() {
    let mut engine = engine();
    let dash = &shells()[1];
    let calls = REFUSED_CALLS.iter().map(|(call, _)| *call).chain(NEW_USERS);
    let told: String = calls.map(call_and_tell).collect();
    // The server is the parent of the shell, and the shell that of the program.
    let line = format!("export PPID; perl -e '{GIVEN}{told}'");
    let trace = engine.run(&case(&line), dash).unwrap();
    let output = trace.output.lossy().into_owned();
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers.len(), REFUSED_CALLS.len() + NEW_USERS.len(), "{output}");
    for ((call, errno), answer) in REFUSED_CALLS.iter().zip(&answers) {
        assert_eq!(*answer, format!("-1 {errno}"), "{call}");
    }
    for (call, answer) in NEW_USERS.iter().zip(&answers[REFUSED_CALLS.len()..]) {
        assert!(answer.starts_with("-1 "), "{call}: {answer}");
    }
}

fn call_and_tell(call: &str) -> String {
    format!("$! = 0; $r = syscall({call}); print \"$r \", $!+0, \"\\n\"; ")
}

#[test]
fn a_second_table_of_calls_ends_the_process() {
    const SIGSYS: u8 = 31;
    let mut engine = engine();
    let dash = &shells()[1];
    // The numbers of x32 (asm/unistd_x32.h).
    let trace = engine.run(&case("exec perl -e 'syscall(0x40000027)'"), dash).unwrap();
    assert_eq!(trace.status, Status::Signalled(SIGSYS));
    // The entry of 32-bit programs, from a 64-bit one: mov $20, %eax (getpid); int $0x80; then
    // mov $60, %eax; xor %edi, %edi; syscall (exit with 0).
    let getpid = [0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05];
    let trace = engine.run(&with_program("int80", &getpid), dash).unwrap();
    assert_eq!(trace.status, Status::Signalled(SIGSYS));
    // The program is one: without those two instructions it ends as it should.
    let trace = engine.run(&with_program("exit", &getpid[7..]), dash).unwrap();
    assert_eq!(trace.status, Status::Exited(0));
}

/// Where the host has a program for core files, the kernel starts it outside of every box, unless
/// the limit on core files is one byte. A limit of none at all that was there before stays.
#[test]
fn a_crash_reaches_no_program_of_the_host() {
    let own = std::fs::read_to_string("/proc/self/limits").unwrap();
    let own = own.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let one = if own.split_whitespace().nth(5) == Some("0") { "0" } else { "1" };
    let mut engine = engine();
    let line = "grep core /proc/self/limits; ulimit -c 0; grep core /proc/self/limits; \
                prlimit --core; prlimit --core=0 grep core /proc/self/limits; kill -SEGV $$";
    for shell in shells() {
        let trace = engine.run(&case(line), &shell).unwrap();
        let output = trace.output.lossy().into_owned();
        let limits = output.lines().filter(|line| line.starts_with("Max core file size"));
        let limits: Vec<Vec<&str>> = limits.map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(limits.len(), 3, "{}: {output}", shell.id.name);
        for limit in limits {
            assert_eq!(limit[4..6], [one, one], "{}: {output}", shell.id.name);
        }
        assert!(output.lines().any(|it| it.starts_with("CORE")), "prlimit reads no more: {output}");
        assert_eq!(trace.status, Status::Signalled(11), "{}", shell.id.name);
    }
}

/// A case that executes a static program of these instructions, planted in its tree.
fn with_program(name: &str, instructions: &[u8]) -> Case {
    let mut case = case(&format!("exec ./{name}"));
    let path = RelPath::new(format!("proj/{name}")).unwrap();
    let node = Node::File { text: Text::from(elf(instructions)), executable: true };
    let others = case.tree.entries().map(|(path, node)| (path.clone(), node.clone()));
    let entry = |(path, node)| Entry { path, node };
    case.tree = TreeSpec::new(others.chain([(path, node)]).map(entry)).unwrap();
    case
}

/// A static ELF program of these instructions (elf(5)): a header, one segment that is all of the
/// file, and the instructions.
fn elf(instructions: &[u8]) -> Vec<u8> {
    const HEADERS: u64 = 64 + 56;
    const BASE: u64 = 0x40_0000;
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    let size = HEADERS + instructions.len() as u64;
    for half in [2_u16, 62] {
        file.extend(half.to_le_bytes()); // an executable for x86-64
    }
    file.extend(1_u32.to_le_bytes());
    for place in [BASE + HEADERS, 64, 0] {
        file.extend(place.to_le_bytes()); // entry, segments, sections
    }
    file.extend(0_u32.to_le_bytes());
    for half in [64_u16, 56, 1, 0, 0, 0] {
        file.extend(half.to_le_bytes()); // sizes and numbers of headers
    }
    for word in [1_u32, 5] {
        file.extend(word.to_le_bytes()); // to be loaded; read and execute
    }
    for place in [0, BASE, BASE, size, size, 0x1000] {
        file.extend(place.to_le_bytes());
    }
    file.extend(instructions);
    file
}
