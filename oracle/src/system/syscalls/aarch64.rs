//! Linux on aarch64: `include/uapi/asm-generic/unistd.h` with what arm64 adds to it. It has none of
//! the calls that were made only for old programs: no `open`, only `openat`.
//!
//! Compiled and compared with the table of `x86_64` in every test run, but not yet run.

use super::Abi;

/// The numbers of this architecture.
pub(crate) const ABI: Abi = Abi {
    // `AUDIT_ARCH_AARCH64`: 32-bit programs are another architecture.
    architecture: 0xc000_00b7,
    foreign_numbers: None,
    marker: 89,
    calls: CALLS,
};

const CALLS: &[(u32, &str)] = &[
    (0, "io_setup io_destroy io_submit io_cancel io_getevents setxattr lsetxattr fsetxattr"),
    (8, "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr lremovexattr"),
    (16, "fremovexattr getcwd lookup_dcookie eventfd2 epoll_create1 epoll_ctl epoll_pwait dup"),
    (24, "dup3 fcntl inotify_init1 inotify_add_watch inotify_rm_watch ioctl ioprio_set"),
    (31, "ioprio_get flock mknodat mkdirat unlinkat symlinkat linkat renameat umount2 mount"),
    (41, "pivot_root nfsservctl statfs fstatfs truncate ftruncate fallocate faccessat chdir"),
    (50, "fchdir chroot fchmod fchmodat fchownat fchown openat close vhangup pipe2 quotactl"),
    (61, "getdents64 lseek read write readv writev pread64 pwrite64 preadv pwritev sendfile"),
    (72, "pselect6 ppoll signalfd4 vmsplice splice tee readlinkat newfstatat fstat sync fsync"),
    (83, "fdatasync sync_file_range timerfd_create timerfd_settime timerfd_gettime utimensat"),
    (89, "acct capget capset personality exit exit_group waitid set_tid_address unshare futex"),
    (99, "set_robust_list get_robust_list nanosleep getitimer setitimer kexec_load init_module"),
    (106, "delete_module timer_create timer_gettime timer_getoverrun timer_settime timer_delete"),
    (112, "clock_settime clock_gettime clock_getres clock_nanosleep syslog ptrace sched_setparam"),
    (119, "sched_setscheduler sched_getscheduler sched_getparam sched_setaffinity"),
    (123, "sched_getaffinity sched_yield sched_get_priority_max sched_get_priority_min"),
    (127, "sched_rr_get_interval restart_syscall kill tkill tgkill sigaltstack rt_sigsuspend"),
    (134, "rt_sigaction rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigqueueinfo"),
    (139, "rt_sigreturn setpriority getpriority reboot setregid setgid setreuid setuid setresuid"),
    (148, "getresuid setresgid getresgid setfsuid setfsgid times setpgid getpgid getsid setsid"),
    (158, "getgroups setgroups uname sethostname setdomainname getrlimit setrlimit getrusage"),
    (166, "umask prctl getcpu gettimeofday settimeofday adjtimex getpid getppid getuid geteuid"),
    (176, "getgid getegid gettid sysinfo mq_open mq_unlink mq_timedsend mq_timedreceive"),
    (184, "mq_notify mq_getsetattr msgget msgctl msgrcv msgsnd semget semctl semtimedop semop"),
    (194, "shmget shmctl shmat shmdt socket socketpair bind listen accept connect getsockname"),
    (205, "getpeername sendto recvfrom setsockopt getsockopt shutdown sendmsg recvmsg readahead"),
    (214, "brk munmap mremap add_key request_key keyctl clone execve mmap fadvise64 swapon"),
    (225, "swapoff mprotect msync mlock munlock mlockall munlockall mincore madvise"),
    (234, "remap_file_pages mbind get_mempolicy set_mempolicy migrate_pages move_pages"),
    (240, "rt_tgsigqueueinfo perf_event_open accept4 recvmmsg"),
    (260, "wait4 prlimit64 fanotify_init fanotify_mark name_to_handle_at open_by_handle_at"),
    (266, "clock_adjtime syncfs setns sendmmsg process_vm_readv process_vm_writev kcmp"),
    (273, "finit_module sched_setattr sched_getattr renameat2 seccomp getrandom memfd_create bpf"),
    (281, "execveat userfaultfd membarrier mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect"),
    (289, "pkey_alloc pkey_free statx io_pgetevents rseq kexec_file_load"),
    (424, "pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree"),
    (429, "move_mount fsopen fsconfig fsmount fspick pidfd_open clone3 close_range openat2"),
    (438, "pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr quotactl_fd"),
    (444, "landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret"),
    (448, "process_mrelease futex_waitv set_mempolicy_home_node cachestat fchmodat2"),
    (453, "map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount"),
    (459, "lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal setxattrat getxattrat"),
    (465, "listxattrat removexattrat open_tree_attr file_getattr file_setattr"),
];
