//! Linux on x86_64: `arch/x86/entry/syscalls/syscall_64.tbl`, complete up to [`LAST_KNOWN`].

use super::{Condition, Effect, Operand, PathCall, Refused};
use crate::system::files::Last;
use Condition::{Always, AnyBit, Is, IsNoneOf, SignalsUs};
use Effect::{Bind, Connect, Enter, Execute, Open, OpenHow, Test, Write};
use Last::{Follow, Keep};

/// `AUDIT_ARCH_X86_64`: calls through any other entry (`int 0x80`) are another architecture's.
pub(crate) const ARCHITECTURE: u32 = 0xc000_003e;

/// From this number on, calls are those of the x32 ABI, which would be a second table.
pub(crate) const FOREIGN_NUMBERS: u32 = 0x4000_0000;

/// The last call that the tables below know (`futex_requeue`). Later ones do not exist here
/// (ENOSYS), and programs fall back on what they used before: `statmount` (457) and the
/// `…xattrat` family (463 to 466) take paths.
pub(crate) const LAST_KNOWN: u32 = 456;

/// `acct`: needs a capability that nobody here has, so the servers use it to speak to the
/// supervisor.
pub(crate) const MARKER: u32 = 163;

/// Relative to the working directory.
const fn at_cwd(effect: Effect, path: u8, last: Last) -> Operand {
    Operand { effect, path: Some(path), dirfd: None, at_flags: None, last }
}

/// Relative to a descriptor.
const fn at(effect: Effect, dirfd: u8, path: u8, last: Last) -> Operand {
    Operand { effect, path: Some(path), dirfd: Some(dirfd), at_flags: None, last }
}

/// Relative to a descriptor, with `AT_…` flags.
const fn at_flags(effect: Effect, dirfd: u8, path: u8, flags: u8, last: Last) -> Operand {
    Operand { effect, path: Some(path), dirfd: Some(dirfd), at_flags: Some(flags), last }
}

/// A descriptor itself.
const fn fd(effect: Effect) -> Operand {
    Operand { effect, path: None, dirfd: Some(0), at_flags: None, last: Follow }
}

const fn call(number: u32, name: &'static str, operands: &'static [Operand]) -> PathCall {
    PathCall { number, name, operands }
}

/// Every call that takes a path, and those that act on a descriptor's place without having opened
/// it for that. The most frequent come first: the filter tests them in this order.
pub(crate) const PATH_CALLS: &[PathCall] = &[
    call(257, "openat", &[at(Open(2), 0, 1, Follow)]),
    call(262, "newfstatat", &[at_flags(Test, 0, 1, 3, Follow)]),
    call(21, "access", &[at_cwd(Test, 0, Follow)]),
    call(59, "execve", &[at_cwd(Execute(1), 0, Follow)]),
    call(4, "stat", &[at_cwd(Test, 0, Follow)]),
    call(6, "lstat", &[at_cwd(Test, 0, Keep)]),
    call(332, "statx", &[at_flags(Test, 0, 1, 2, Follow)]),
    call(89, "readlink", &[at_cwd(Test, 0, Keep)]),
    call(267, "readlinkat", &[at(Test, 0, 1, Keep)]),
    call(269, "faccessat", &[at(Test, 0, 1, Follow)]),
    call(439, "faccessat2", &[at_flags(Test, 0, 1, 3, Follow)]),
    call(80, "chdir", &[at_cwd(Enter, 0, Follow)]),
    call(81, "fchdir", &[fd(Enter)]),
    call(MARKER, "acct", &[]),
    call(2, "open", &[at_cwd(Open(1), 0, Follow)]),
    call(437, "openat2", &[at(OpenHow(2), 0, 1, Follow)]),
    call(85, "creat", &[at_cwd(Write, 0, Follow)]),
    call(322, "execveat", &[at_flags(Execute(2), 0, 1, 4, Follow)]),
    call(83, "mkdir", &[at_cwd(Write, 0, Keep)]),
    call(258, "mkdirat", &[at(Write, 0, 1, Keep)]),
    call(84, "rmdir", &[at_cwd(Write, 0, Keep)]),
    call(87, "unlink", &[at_cwd(Write, 0, Keep)]),
    call(263, "unlinkat", &[at(Write, 0, 1, Keep)]),
    call(82, "rename", &[at_cwd(Write, 0, Keep), at_cwd(Write, 1, Keep)]),
    call(264, "renameat", &[at(Write, 0, 1, Keep), at(Write, 2, 3, Keep)]),
    call(316, "renameat2", &[at(Write, 0, 1, Keep), at(Write, 2, 3, Keep)]),
    // A hard link changes its source as well: the link count, and who can reach it.
    call(86, "link", &[at_cwd(Write, 0, Keep), at_cwd(Write, 1, Keep)]),
    call(265, "linkat", &[at_flags(Write, 0, 1, 4, Keep), at(Write, 2, 3, Keep)]),
    call(88, "symlink", &[at_cwd(Write, 1, Keep)]),
    call(266, "symlinkat", &[at(Write, 1, 2, Keep)]),
    call(133, "mknod", &[at_cwd(Write, 0, Keep)]),
    call(259, "mknodat", &[at(Write, 0, 1, Keep)]),
    call(90, "chmod", &[at_cwd(Write, 0, Follow)]),
    call(91, "fchmod", &[fd(Write)]),
    call(268, "fchmodat", &[at(Write, 0, 1, Follow)]),
    call(452, "fchmodat2", &[at_flags(Write, 0, 1, 3, Follow)]),
    call(92, "chown", &[at_cwd(Write, 0, Follow)]),
    call(93, "fchown", &[fd(Write)]),
    call(94, "lchown", &[at_cwd(Write, 0, Keep)]),
    call(260, "fchownat", &[at_flags(Write, 0, 1, 4, Follow)]),
    call(76, "truncate", &[at_cwd(Write, 0, Follow)]),
    call(132, "utime", &[at_cwd(Write, 0, Follow)]),
    call(235, "utimes", &[at_cwd(Write, 0, Follow)]),
    call(261, "futimesat", &[at(Write, 0, 1, Follow)]),
    call(280, "utimensat", &[at_flags(Write, 0, 1, 3, Follow)]),
    call(137, "statfs", &[at_cwd(Test, 0, Follow)]),
    call(188, "setxattr", &[at_cwd(Write, 0, Follow)]),
    call(189, "lsetxattr", &[at_cwd(Write, 0, Keep)]),
    call(190, "fsetxattr", &[fd(Write)]),
    call(191, "getxattr", &[at_cwd(Test, 0, Follow)]),
    call(192, "lgetxattr", &[at_cwd(Test, 0, Keep)]),
    call(194, "listxattr", &[at_cwd(Test, 0, Follow)]),
    call(195, "llistxattr", &[at_cwd(Test, 0, Keep)]),
    call(197, "removexattr", &[at_cwd(Write, 0, Follow)]),
    call(198, "lremovexattr", &[at_cwd(Write, 0, Keep)]),
    call(199, "fremovexattr", &[fd(Write)]),
    call(254, "inotify_add_watch", &[at_cwd(Test, 1, Follow)]),
    call(303, "name_to_handle_at", &[at_flags(Test, 0, 1, 4, Keep)]),
    call(49, "bind", &[at_cwd(Bind(2), 1, Keep)]),
    call(42, "connect", &[at_cwd(Connect(2), 1, Follow)]),
];

const fn refused(number: u32, when: Condition, errno: i32) -> Refused {
    Refused { number, when, errno }
}

const fn never(number: u32) -> Refused {
    refused(number, Always, libc::EPERM)
}

const fn absent(number: u32) -> Refused {
    refused(number, Always, libc::ENOSYS)
}

/// Every flag of `clone` that makes a namespace (`CLONE_NEW…`; the bit of `CLONE_NEWTIME` is part
/// of the exit signal here).
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET)
    .cast_unsigned();

/// Families of sockets that stay inside a network namespace. Others do not: a VM's `AF_VSOCK`
/// reaches its host.
const SOCKETS: &[u32] = &[
    libc::AF_UNIX.cast_unsigned(),
    libc::AF_INET.cast_unsigned(),
    libc::AF_INET6.cast_unsigned(),
    libc::AF_NETLINK.cast_unsigned(),
];

const ITSELF: &[u32] = &[0];

/// The ways round the table, out of the box, or to us.
pub(crate) const REFUSED: &[Refused] = &[
    // Another process's memory and descriptors.
    never(101), // ptrace
    never(310), // process_vm_readv
    never(311), // process_vm_writev
    never(312), // kcmp
    never(438), // pidfd_getfd
    never(440), // process_madvise
    never(448), // process_mrelease
    // Another view of the file system.
    never(155),                                          // pivot_root
    never(161),                                          // chroot
    never(165),                                          // mount
    never(166),                                          // umount2
    never(272),                                          // unshare
    never(308),                                          // setns
    never(428),                                          // open_tree
    never(429),                                          // move_mount
    never(430),                                          // fsopen
    never(431),                                          // fsconfig
    never(432),                                          // fsmount
    never(433),                                          // fspick
    never(442),                                          // mount_setattr
    refused(56, AnyBit(0, NEW_NAMESPACES), libc::EPERM), // clone
    // A filter cannot look at flags in memory; C libraries fall back on clone.
    absent(435), // clone3
    // Files without a path, and calls that are never made.
    absent(425), // io_uring_setup
    absent(426), // io_uring_enter
    absent(427), // io_uring_register
    never(304),  // open_by_handle_at
    never(319),  // memfd_create: memory that no limit counts
    never(300),  // fanotify_init
    never(301),  // fanotify_mark
    // A filter, or a Landlock domain, under ours.
    never(317),                                                             // seccomp
    refused(157, Is(0, libc::PR_SET_SECCOMP.cast_unsigned()), libc::EPERM), // prctl
    absent(444), // landlock_create_ruleset
    absent(445), // landlock_add_rule
    absent(446), // landlock_restrict_self
    absent(447), // memfd_secret
    // What outlives a process, and memory that no limit counts.
    never(29),  // shmget
    never(64),  // semget
    never(68),  // msgget
    never(240), // mq_open
    never(248), // add_key
    never(249), // request_key
    never(250), // keyctl
    // The kernel itself.
    never(134),                                            // uselib
    never(139),                                            // sysfs
    never(153),                                            // vhangup
    never(154),                                            // modify_ldt
    never(156),                                            // _sysctl
    never(167),                                            // swapon
    never(168),                                            // swapoff
    never(169),                                            // reboot
    never(172),                                            // iopl
    never(173),                                            // ioperm
    never(175),                                            // init_module
    never(176),                                            // delete_module
    never(179),                                            // quotactl
    never(212),                                            // lookup_dcookie
    never(246),                                            // kexec_load
    never(256),                                            // migrate_pages
    never(279),                                            // move_pages
    never(298),                                            // perf_event_open
    never(313),                                            // finit_module
    never(320),                                            // kexec_file_load
    never(321),                                            // bpf
    never(323),                                            // userfaultfd
    never(443),                                            // quotactl_fd
    refused(41, IsNoneOf(0, SOCKETS), libc::EAFNOSUPPORT), // socket
    refused(53, IsNoneOf(0, SOCKETS), libc::EAFNOSUPPORT), // socketpair
    // Signals to everybody, to the supervisor, to the server.
    refused(62, SignalsUs(0), libc::EPERM),  // kill
    refused(200, SignalsUs(0), libc::EPERM), // tkill
    refused(234, SignalsUs(0), libc::EPERM), // tgkill
    refused(234, SignalsUs(1), libc::EPERM), // tgkill
    never(129),                              // rt_sigqueueinfo
    never(297),                              // rt_tgsigqueueinfo
    never(424),                              // pidfd_send_signal
    // Limits, priorities and processors of anybody else.
    refused(302, IsNoneOf(0, ITSELF), libc::EPERM), // prlimit64
    refused(141, IsNoneOf(0, ITSELF), libc::EPERM), // setpriority: which
    refused(141, IsNoneOf(1, ITSELF), libc::EPERM), // setpriority: who
    refused(142, IsNoneOf(0, ITSELF), libc::EPERM), // sched_setparam
    refused(144, IsNoneOf(0, ITSELF), libc::EPERM), // sched_setscheduler
    refused(203, IsNoneOf(0, ITSELF), libc::EPERM), // sched_setaffinity
    refused(314, IsNoneOf(0, ITSELF), libc::EPERM), // sched_setattr
    refused(251, IsNoneOf(1, ITSELF), libc::EPERM), // ioprio_set
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_either_observed_or_refused_and_stands_once() {
        for (place, call) in PATH_CALLS.iter().enumerate() {
            assert!(
                PATH_CALLS[..place].iter().all(|other| other.number != call.number),
                "{} stands twice",
                call.name
            );
            assert!(
                REFUSED.iter().all(|refused| refused.number != call.number),
                "{} is observed and refused",
                call.name
            );
        }
    }

    #[test]
    fn the_numbers_are_the_kernels() {
        let numbers = [
            ("openat", libc::SYS_openat),
            ("newfstatat", libc::SYS_newfstatat),
            ("execve", libc::SYS_execve),
            ("execveat", libc::SYS_execveat),
            ("statx", libc::SYS_statx),
            ("chdir", libc::SYS_chdir),
            ("fchdir", libc::SYS_fchdir),
            ("acct", libc::SYS_acct),
            ("unlinkat", libc::SYS_unlinkat),
            ("renameat2", libc::SYS_renameat2),
            ("utimensat", libc::SYS_utimensat),
            ("name_to_handle_at", libc::SYS_name_to_handle_at),
            ("fchmod", libc::SYS_fchmod),
            ("fsetxattr", libc::SYS_fsetxattr),
            ("bind", libc::SYS_bind),
            ("connect", libc::SYS_connect),
        ];
        for (name, number) in numbers {
            let call = PATH_CALLS.iter().find(|call| call.name == name).unwrap();
            assert_eq!(i64::from(call.number), number, "{name}");
        }
    }
}
