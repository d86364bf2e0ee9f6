use super::observed::{MARKER, PATH_CALLS};
use super::refused::{PASSED, REFUSED};
use super::{Abi, Condition, LAST_KNOWN, Table, aarch64, x86_64};
use std::collections::BTreeSet;

const ABIS: [&Abi; 2] = [&x86_64::ABI, &aarch64::ABI];

fn observed() -> BTreeSet<&'static str> {
    PATH_CALLS.iter().map(|call| call.name).collect()
}

/// The calls that are refused whatever their arguments are.
fn never() -> BTreeSet<&'static str> {
    let always = REFUSED.iter().filter(|call| matches!(call.when, Condition::Always));
    always.map(|call| call.name).collect()
}

fn passed() -> BTreeSet<&'static str> {
    PASSED.iter().flat_map(|names| names.split(' ')).collect()
}

#[test]
fn every_call_is_observed_or_refused_or_passed_and_only_one_of_these() {
    let lists = [observed(), never(), passed()];
    let mut all = BTreeSet::new();
    for abi in ABIS {
        for (number, name) in abi.calls() {
            let times = lists.iter().filter(|list| list.contains(name)).count();
            assert_eq!(times, 1, "{name} ({number}) stands in {times} of the lists");
            all.insert(name);
        }
    }
    for name in lists.iter().flatten() {
        assert!(all.contains(name), "{name} is no call of any architecture");
    }
    assert_eq!(observed().len(), PATH_CALLS.len(), "an observed call stands twice");
    for refused in REFUSED {
        let conditional = !matches!(refused.when, Condition::Always);
        assert!(!conditional || passed().contains(refused.name), "{}", refused.name);
    }
}

#[test]
fn numbers_go_up_without_overlap_to_the_last_known() {
    for abi in ABIS {
        let numbers: Vec<u32> = abi.calls().map(|(number, _)| number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{:#x}", abi.architecture);
        assert_eq!(numbers.last(), Some(&LAST_KNOWN), "{:#x}", abi.architecture);
        assert_eq!(abi.number(MARKER), Some(abi.marker), "{:#x}", abi.architecture);
    }
}

#[test]
fn the_only_unused_numbers_are_those_that_the_kernel_reserves() {
    let unused = |abi: &Abi| -> Vec<u32> {
        let used: BTreeSet<u32> = abi.calls().map(|(number, _)| number).collect();
        (0..=LAST_KNOWN).filter(|number| !used.contains(number)).collect()
    };
    assert_eq!(unused(&x86_64::ABI), (337..424).collect::<Vec<u32>>());
    // 244 to 259 are for calls of a single architecture; arm64 has none. 295 is where 32-bit
    // architectures begin to differ.
    assert_eq!(unused(&aarch64::ABI), (244..260).chain(295..424).collect::<Vec<u32>>());
}

#[test]
fn from_424_on_a_number_means_the_same_everywhere() {
    for (number, name) in aarch64::ABI.calls().filter(|(number, _)| *number >= 424) {
        assert_eq!(x86_64::ABI.number(name), Some(number), "{name}");
    }
}

/// Whatever can be said on x86_64 with one of the old calls can be said on both with a newer one,
/// so what aarch64 lacks is exactly what has an `…at` beside it, or is older still.
#[test]
fn aarch64_lacks_only_what_newer_calls_replace() {
    let table = Table::of(&aarch64::ABI);
    let present: BTreeSet<&str> = table.observed.iter().map(|(_, call)| call.name).collect();
    let lacking: Vec<&str> =
        PATH_CALLS.iter().map(|call| call.name).filter(|name| !present.contains(name)).collect();
    let expected = "access stat lstat readlink open creat mkdir rmdir unlink rename link symlink \
                    mknod chmod chown lchown utime utimes futimesat";
    assert_eq!(lacking, expected.split_whitespace().collect::<Vec<_>>());
}

/// A few numbers of each, as the C library knows them.
#[test]
fn the_numbers_are_the_kernels() {
    let here = [
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
        ("sendmmsg", libc::SYS_sendmmsg),
        ("ptrace", libc::SYS_ptrace),
        ("clone3", libc::SYS_clone3),
        ("kexec_file_load", libc::SYS_kexec_file_load),
        ("mseal", libc::SYS_mseal),
    ];
    for (name, number) in here {
        assert_eq!(super::ABI.number(name).map(i64::from), Some(number), "{name}");
    }
    let aarch64 = [
        ("setxattr", 5),
        ("faccessat", 48),
        ("openat", 56),
        ("readlinkat", 78),
        ("newfstatat", 79),
        ("utimensat", 88),
        ("clone", 220),
        ("execve", 221),
        ("renameat2", 276),
        ("execveat", 281),
        ("statx", 291),
    ];
    for (name, number) in aarch64 {
        assert_eq!(aarch64::ABI.number(name), Some(number), "{name}");
    }
}
