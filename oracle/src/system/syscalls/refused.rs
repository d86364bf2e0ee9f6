//! The calls that are refused, and those that are let pass unseen.

use super::{Condition, Refused};
use Condition::{Always, AnyBit, Is, IsAndGiven, IsNoneOf, SignalsUs};

const fn refused(name: &'static str, when: Condition, errno: i32) -> Refused {
    Refused { name, when, errno }
}

const fn never(name: &'static str) -> Refused {
    refused(name, Always, libc::EPERM)
}

const fn absent(name: &'static str) -> Refused {
    refused(name, Always, libc::ENOSYS)
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
pub(super) const REFUSED: &[Refused] = &[
    // Another process's memory and descriptors.
    never("ptrace"),
    never("process_vm_readv"),
    never("process_vm_writev"),
    never("kcmp"),
    never("pidfd_getfd"),
    never("process_madvise"),
    never("process_mrelease"),
    // Another view of the file system.
    never("pivot_root"),
    never("chroot"),
    never("mount"),
    never("umount2"),
    never("unshare"),
    never("setns"),
    never("open_tree"),
    never("move_mount"),
    never("fsopen"),
    never("fsconfig"),
    never("fsmount"),
    never("fspick"),
    never("mount_setattr"),
    absent("open_tree_attr"),
    // They tell of mounts, by number.
    absent("statmount"),
    absent("listmount"),
    refused("clone", AnyBit(0, NEW_NAMESPACES), libc::EPERM),
    // A filter cannot look at flags in memory; C libraries fall back on clone.
    absent("clone3"),
    // Files without a path, and calls that are never made.
    absent("io_uring_setup"),
    absent("io_uring_enter"),
    absent("io_uring_register"),
    never("open_by_handle_at"),
    never("memfd_create"), // memory that no limit counts
    never("fanotify_init"),
    never("fanotify_mark"),
    // A filter, or a Landlock domain, under ours.
    never("seccomp"),
    refused("prctl", Is(0, libc::PR_SET_SECCOMP.cast_unsigned()), libc::EPERM),
    absent("landlock_create_ruleset"),
    absent("landlock_add_rule"),
    absent("landlock_restrict_self"),
    absent("memfd_secret"),
    // What outlives a process, and memory that no limit counts.
    never("shmget"),
    never("semget"),
    never("msgget"),
    never("mq_open"),
    never("add_key"),
    never("request_key"),
    never("keyctl"),
    // The kernel itself.
    never("uselib"),
    never("sysfs"),
    never("vhangup"),
    never("modify_ldt"),
    never("_sysctl"),
    never("swapon"),
    never("swapoff"),
    never("reboot"),
    never("iopl"),
    never("ioperm"),
    never("init_module"),
    never("delete_module"),
    never("quotactl"),
    never("lookup_dcookie"),
    never("kexec_load"),
    never("migrate_pages"),
    never("move_pages"),
    never("perf_event_open"),
    never("finit_module"),
    never("kexec_file_load"),
    never("bpf"),
    never("userfaultfd"),
    never("quotactl_fd"),
    absent("lsm_set_self_attr"),
    absent("uretprobe"),
    absent("uprobe"),
    refused("socket", IsNoneOf(0, SOCKETS), libc::EAFNOSUPPORT),
    refused("socketpair", IsNoneOf(0, SOCKETS), libc::EAFNOSUPPORT),
    // Signals to everybody, to the supervisor, to the server.
    refused("kill", SignalsUs(0), libc::EPERM),
    refused("tkill", SignalsUs(0), libc::EPERM),
    refused("tgkill", SignalsUs(0), libc::EPERM),
    refused("tgkill", SignalsUs(1), libc::EPERM),
    never("rt_sigqueueinfo"),
    never("rt_tgsigqueueinfo"),
    never("pidfd_send_signal"),
    // Limits, priorities and processors of anybody else.
    refused("prlimit64", IsNoneOf(0, ITSELF), libc::EPERM),
    // The limit that keeps core files from the host's own program for them: a line that sets it is
    // told that it has.
    refused("prlimit64", IsAndGiven(1, libc::RLIMIT_CORE, 2), 0),
    refused("setrlimit", Is(0, libc::RLIMIT_CORE), 0),
    refused("setpriority", IsNoneOf(0, ITSELF), libc::EPERM),
    refused("setpriority", IsNoneOf(1, ITSELF), libc::EPERM),
    refused("sched_setparam", IsNoneOf(0, ITSELF), libc::EPERM),
    refused("sched_setscheduler", IsNoneOf(0, ITSELF), libc::EPERM),
    refused("sched_setaffinity", IsNoneOf(0, ITSELF), libc::EPERM),
    refused("sched_setattr", IsNoneOf(0, ITSELF), libc::EPERM),
    refused("ioprio_set", IsNoneOf(1, ITSELF), libc::EPERM),
];

/// The calls that are let pass, some of them only under a condition: they name no path, and lead
/// neither round the table nor out of the box. Nothing but a test reads this list.
#[cfg(test)]
pub(super) const PASSED: &[&str] = &[
    // Open descriptors: the place was seen when it was opened.
    "read write close fstat poll lseek ioctl pread64 pwrite64 readv writev pipe select dup dup2",
    "sendfile fcntl flock fsync fdatasync ftruncate getdents fstatfs sync readahead fgetxattr",
    "flistxattr io_setup io_destroy io_getevents io_submit io_cancel epoll_create epoll_ctl_old",
    "epoll_wait_old getdents64 fadvise64 epoll_wait epoll_ctl inotify_init inotify_rm_watch",
    "pselect6 ppoll splice tee sync_file_range vmsplice epoll_pwait signalfd timerfd_create",
    "eventfd fallocate timerfd_settime timerfd_gettime signalfd4 eventfd2 epoll_create1 dup3",
    "pipe2 inotify_init1 preadv pwritev syncfs copy_file_range preadv2 pwritev2 io_pgetevents",
    "close_range epoll_pwait2 cachestat ustat getcwd",
    // Sockets, but for addresses.
    "socket accept recvfrom recvmsg shutdown listen getsockname getpeername socketpair setsockopt",
    "getsockopt accept4 recvmmsg",
    // Its own memory.
    "mmap mprotect munmap brk mremap msync mincore madvise mlock munlock mlockall munlockall",
    "remap_file_pages mbind set_mempolicy get_mempolicy mlock2 pkey_mprotect pkey_alloc pkey_free",
    "set_mempolicy_home_node map_shadow_stack mseal",
    // Processes, threads and signals.
    "rt_sigaction rt_sigprocmask rt_sigreturn sched_yield pause getpid clone fork vfork exit",
    "wait4 kill setpgid getppid getpgrp setsid getpgid getsid rt_sigpending rt_sigtimedwait",
    "rt_sigsuspend sigaltstack personality prctl arch_prctl gettid tkill futex set_thread_area",
    "get_thread_area set_tid_address restart_syscall exit_group tgkill waitid set_robust_list",
    "get_robust_list membarrier rseq pidfd_open futex_waitv futex_wake futex_wait futex_requeue",
    // Who it is, what it may use.
    "getrlimit getrusage getuid getgid setuid setgid geteuid getegid setreuid setregid getgroups",
    "setgroups setresuid getresuid setresgid getresgid setfsuid setfsgid capget capset umask",
    "getpriority setpriority sched_setparam sched_getparam sched_setscheduler sched_getscheduler",
    "sched_get_priority_max sched_get_priority_min sched_rr_get_interval setrlimit",
    "sched_setaffinity sched_getaffinity ioprio_set ioprio_get prlimit64 getcpu sched_setattr",
    "sched_getattr lsm_get_self_attr lsm_list_modules",
    // Time, and the machine.
    "nanosleep getitimer alarm setitimer uname gettimeofday sysinfo times syslog adjtimex",
    "settimeofday sethostname setdomainname time timer_create timer_settime timer_gettime",
    "timer_getoverrun timer_delete clock_settime clock_gettime clock_getres clock_nanosleep",
    "clock_adjtime getrandom",
    // Objects that nobody here can make.
    "shmat shmctl shmdt semop semctl semtimedop msgsnd msgrcv msgctl mq_unlink mq_timedsend",
    "mq_timedreceive mq_notify mq_getsetattr",
    // Numbers without a call behind them.
    "create_module get_kernel_syms query_module nfsservctl getpmsg putpmsg afs_syscall tuxcall",
    "security vserver",
];
