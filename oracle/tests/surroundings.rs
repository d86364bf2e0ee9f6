//! Bad surroundings: each gives a clear message and an exit code, and leaves nothing behind.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/leftovers.rs"]
mod leftovers;
#[allow(dead_code, reason = "these tests start the program through something else")]
#[path = "common/program.rs"]
mod program;

use leftovers::Own;
use program::{Ended, run};
use serde_json::Value;
use std::process::Command;

/// The oracle under a name of its own, and a directory to be run in.
fn own() -> Own {
    Own::new()
}

/// Runs a script of `sh`. `$ORACLE` is the program, `$DIR` a directory that is the script's.
fn script(own: &Own, text: &str) -> Ended {
    let mut command = Command::new("sh");
    let ended = run(own.surround(command.args(["-c", text])));
    own.assert_nothing_left(text);
    ended
}

/// The same in a mount namespace, with a user namespace where one is needed to have that. Below it
/// the userns tier must do without the change of user, and the root tier without other users.
fn in_mount_namespace(own: &Own, text: &str) -> Ended {
    let as_root = script(own, "unshare --mount true").code == Some(0);
    let options = if as_root { "--mount" } else { "--user --map-root-user --mount" };
    script(own, &format!("unshare {options} sh -ec '{text}'"))
}

/// A program of perl that refuses one system call to the program that it becomes, as runtimes of
/// containers do: the arguments are the call's number, the errno, and the program's words.
#[cfg(target_arch = "x86_64")]
const REFUSE: &str = r#"
    sub step { pack "SCCL", @_ }
    ($number, $errno) = splice @ARGV, 0, 2;
    $steps = step(0x20, 0, 0, 0)              # load the number
        . step(0x15, 0, 1, $number)           # is it this one?
        . step(0x06, 0, 0, 0x50000 | $errno)  # SECCOMP_RET_ERRNO
        . step(0x06, 0, 0, 0x7fff0000);       # SECCOMP_RET_ALLOW
    $filter = pack "SxxxxxxP", 4, $steps;
    syscall(157, 38, 1, 0, 0, 0) == 0 or die; # prctl: PR_SET_NO_NEW_PRIVS
    syscall(157, 22, 2, $filter) == 0 or die; # PR_SET_SECCOMP
    exec @ARGV or die"#;

/// The oracle, where a system call is refused.
#[cfg(target_arch = "x86_64")]
fn refusing(own: &Own, number: u32, errno: i32, arguments: &[&str]) -> Ended {
    let mut command = Command::new("perl");
    command.args(["-e", REFUSE, &number.to_string(), &errno.to_string()]).arg(own.program());
    let ended = run(own.surround(command.args(arguments)));
    own.assert_nothing_left(&format!("call {number} refused"));
    ended
}

/// What is missing, by the call that gives it: its name, its number, the errno, what the message
/// says of it, and a part of the command that it gives.
#[cfg(target_arch = "x86_64")]
const NEEDED: &[(&str, u32, i32, &str, &str)] = &[
    ("namespaces", 272, 1, "namespaces: Operation not permitted", ""),
    ("namespaces in the kernel", 272, 38, "namespaces: Function not implemented", "uname -r"),
    ("mounting", 165, 1, "the mounts private: Operation not permitted", ""),
    ("pivot_root", 155, 1, "change the root directory: Operation not permitted", ""),
    ("filters", 317, 1, "under a system-call filter: Operation not permitted", ""),
    ("filters in the kernel", 317, 38, "filter: Function not implemented", "SECCOMP"),
    ("memfd_create", 319, 1, "Operation not permitted", ""),
];

#[test]
#[cfg(target_arch = "x86_64")]
fn what_is_needed_and_refused_is_named() {
    let own = own();
    for (what, number, errno, message, command) in NEEDED {
        for arguments in [&["try", "--", "ls"][..], &["campaign", "--cases", "1"]] {
            let ended = refusing(&own, *number, *errno, arguments);
            assert_eq!(ended.code, Some(69), "without {what}: {ended:#?}");
            assert!(ended.stderr.contains("cannot be contained"), "without {what}: {ended:#?}");
            assert!(ended.stderr.contains(message), "without {what}: {ended:#?}");
            assert!(ended.stderr.contains(command), "without {what}: {ended:#?}");
            assert_eq!(ended.stdout, "", "without {what}");
        }
        let doctor = refusing(&own, *number, *errno, &["doctor"]);
        assert_eq!(doctor.code, Some(69), "without {what}: {doctor:#?}");
        assert!(doctor.stdout.contains(message), "without {what}: {doctor:#?}");
        assert!(doctor.stdout.contains("nothing is run"), "without {what}: {doctor:#?}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn what_is_not_needed_is_told_by_doctor_alone() {
    let own = own();
    for (facility, number) in [("ptrace", 101), ("inotify", 294)] {
        let doctor = refusing(&own, number, 1, &["doctor", "--json"]);
        assert_eq!(doctor.code, Some(0), "without {facility}: {doctor:#?}");
        let told: Value = serde_json::from_str(&doctor.stdout).unwrap();
        let facilities = told["facilities"].as_array().unwrap();
        let lacking: Vec<&str> = facilities
            .iter()
            .filter(|it| !it["refusal"].is_null() && it["name"] != "control groups")
            .map(|it| it["name"].as_str().unwrap())
            .collect();
        assert_eq!(lacking, [facility]);
        assert_eq!(refusing(&own, number, 1, &["try", "--", "ls"]).code, Some(0));
    }
}

#[test]
fn doctor_says_as_json_what_it_says_in_words() {
    let own = own();
    let words = script(&own, "$ORACLE doctor");
    let json = script(&own, "$ORACLE doctor --json");
    assert_eq!((words.code, json.code), (Some(0), Some(0)), "{words:#?}");
    let told: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(told["usable"], true);
    for shell in told["shells"].as_array().unwrap() {
        for field in ["shell", "name", "version", "program"] {
            let value = shell[field].as_str().unwrap();
            assert!(words.stdout.contains(value), "{value}: {}", words.stdout);
        }
    }
    let tiers = told["tiers"].as_array().unwrap();
    for tier in tiers {
        let refusal = &tier["refusal"];
        let said = if refusal.is_null() { "available" } else { refusal["error"].as_str().unwrap() };
        assert!(words.stdout.contains(said), "{said}: {}", words.stdout);
        let commands = tier["remedies"].as_array().unwrap();
        assert!(commands.iter().all(|it| words.stdout.contains(it["command"].as_str().unwrap())));
    }
    let names: Vec<_> = tiers.iter().map(|tier| tier["tier"].as_str().unwrap()).collect();
    assert_eq!(names, ["userns", "root", "landlock"]);
    let used = told["tier"].as_str().unwrap();
    assert!(words.stdout.contains(&format!("used: {used}")), "{}", words.stdout);
}

#[test]
fn the_tier_that_would_not_hold_is_refused_with_its_reason() {
    let own = own();
    let ended = script(&own, "ORACLE_TIER=landlock exec $ORACLE try -- ls");
    assert_eq!(ended.code, Some(69), "{ended:#?}");
    assert!(ended.stderr.contains("it would not hold"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

/// A setting of the kernel's, which root of a user namespace may turn for all below it.
#[test]
fn namespaces_that_a_setting_forbids_are_named_with_the_setting() {
    let own = own();
    let off = "echo 0 > /proc/sys/user/max_user_namespaces && exec $ORACLE doctor";
    let ended = script(&own, &format!("unshare --user --map-root-user sh -c '{off}'"));
    if ended.stdout.is_empty() {
        eprintln!("SKIPPED: there are no user namespaces here: {}", ended.stderr);
        return;
    }
    assert_eq!(ended.code, Some(69), "{ended:#?}");
    assert!(ended.stdout.contains("userns: cannot"), "{ended:#?}");
    let command = "sudo sysctl -w user.max_user_namespaces=10000";
    let unmapped = "run it as an ordinary user";
    assert!(ended.stdout.contains(command) || ended.stdout.contains(unmapped), "{ended:#?}");
}

/// As in a container: a process namespace, an unprivileged user, no capability to be had.
#[test]
fn a_container_without_privileges_contains_by_user_namespaces_or_refuses() {
    let own = own();
    let options = "--user --map-root-user --mount --pid --fork --mount-proc";
    let powerless = "setpriv --bounding-set=-all --inh-caps=-all --no-new-privs";
    let line = format!("unshare {options} {powerless} $ORACLE try -- \"cat a.txt\"");
    let ended = script(&own, &line);
    match ended.code {
        Some(0) => assert!(ended.stdout.contains("/case/proj/a.txt"), "{ended:#?}"),
        Some(69) => assert!(ended.stderr.contains("cannot be contained"), "{ended:#?}"),
        _ if ended.stderr.starts_with("unshare:") => {
            eprintln!("SKIPPED: no container can be made here: {}", ended.stderr);
        }
        _ => panic!("{ended:#?}"),
    }
}

#[test]
fn without_proc_nothing_runs() {
    let own = own();
    for command in ["try -- ls", "doctor", "campaign --cases 1"] {
        let ended = in_mount_namespace(&own, &format!("umount -l /proc; exec $ORACLE {command}"));
        if ended.stderr.contains("umount:") {
            // Below a user namespace /proc is locked (mount_namespaces(7)); it can be covered.
            let cover = "mount -t tmpfs none /proc";
            let ended = in_mount_namespace(&own, &format!("{cover}; exec $ORACLE {command}"));
            assert_eq!(ended.code, Some(69), "{command}: {ended:#?}");
            continue;
        }
        assert_eq!(ended.code, Some(69), "{command}: {ended:#?}");
        assert!(ended.stderr.contains("Is /proc mounted?"), "{command}: {ended:#?}");
    }
}

#[test]
fn the_mask_of_permissions_changes_nothing_in_the_box() {
    let own = own();
    let line = "ls -l a.txt src; mkdir d; : > f; umask";
    let usual = script(&own, &format!("umask 022; exec $ORACLE try -- '{line}'"));
    assert_eq!(usual.code, Some(0), "{usual:#?}");
    for mask in ["0000", "0777", "0077"] {
        let ended = script(&own, &format!("umask {mask}; exec $ORACLE try -- '{line}'"));
        assert_eq!(ended.code, Some(0), "{mask}: {ended:#?}");
        assert_eq!(without_times(&ended.stdout), without_times(&usual.stdout), "{mask}");
        let run = format!("umask {mask}; exec $ORACLE campaign --cases 3 --out $DIR/{mask}");
        let ended = script(&own, &run);
        // Who is not root cannot write into a directory that nobody may write.
        let unwritable = ended.code == Some(74) && ended.stderr.contains("Permission denied");
        assert!(ended.code == Some(0) || mask == "0777" && unwritable, "{mask}: {ended:#?}");
    }
}

/// What `ls -l` prints has the time at which a tree was planted.
fn without_times(text: &str) -> String {
    let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
    text.lines().filter(|line| !line.contains("prints")).flat_map(str::chars).map(digits).collect()
}

#[test]
fn a_full_disk_ends_a_campaign_and_names_the_file() {
    let own = own();
    let guard = "--guard strawman:cd-always-succeeds --seed 3 --seconds 600";
    for size in ["size=24k", "size=1m,nr_inodes=4"] {
        let mount = format!("mkdir -p $DIR/full; mount -t tmpfs -o {size} none $DIR/full");
        let run = format!("{mount}; exec $ORACLE campaign {guard} --out $DIR/full/run");
        let ended = in_mount_namespace(&own, &run);
        assert_eq!(ended.code, Some(74), "{size}: {ended:#?}");
        assert!(ended.stderr.contains("No space left on device"), "{size}: {ended:#?}");
        assert!(ended.stderr.contains("/full/run"), "{size}: {ended:#?}");
    }
}

#[test]
fn a_directory_that_cannot_be_written_stops_what_writes_there_alone() {
    let own = own();
    let mount = "mkdir -p $DIR/still; mount -t tmpfs -o ro none $DIR/still; cd $DIR/still";
    let ended = in_mount_namespace(&own, &format!("{mount}; exec $ORACLE campaign --cases 1"));
    assert_eq!(ended.code, Some(74), "{ended:#?}");
    assert!(ended.stderr.contains("Read-only file system"), "{ended:#?}");
    let ended = in_mount_namespace(&own, &format!("{mount}; exec $ORACLE try -- ls"));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    // A directory that is gone.
    let gone = "mkdir $DIR/gone; cd $DIR/gone; rmdir $DIR/gone; exec $ORACLE try -- ls";
    assert_eq!(script(&own, gone).code, Some(0));
}

#[test]
fn closed_and_full_outputs_are_no_panic() {
    let own = own();
    for (streams, code) in [
        ("<&-", 0),
        (">&-", 0),
        ("2>&-", 0),
        ("<&- >&- 2>&-", 0),
        ("2>/dev/full", 0),
        (">/dev/full", 74),
        (">/dev/full 2>&1", 74),
    ] {
        for command in ["try -- ls", "doctor", "doctor --json", "campaign --cases 1 --out $DIR/$$"]
        {
            let ended = script(&own, &format!("exec $ORACLE {command} {streams}"));
            assert_eq!(ended.code, Some(code), "{command} {streams}: {ended:#?}");
            assert!(!ended.stderr.contains("panicked"), "{command} {streams}: {ended:#?}");
        }
    }
    let ended = script(&own, "{ $ORACLE doctor; echo $? >&2; } | exec true");
    assert!(["0\n", "74\n"].contains(&ended.stderr.as_str()), "{ended:#?}");
}

#[test]
fn few_descriptors_are_told() {
    let own = own();
    for (most, code) in [(4, 69), (8, 69), (12, 69), (20, 69), (64, 69), (95, 69), (96, 0)] {
        let ended = script(&own, &format!("ulimit -n {most}; exec $ORACLE try -- ls"));
        assert_eq!(ended.code, Some(code), "{most}: {ended:#?}");
        assert!(!ended.stderr.contains("panicked"), "{most}: {ended:#?}");
        let named = ended.stderr.contains("ulimit -n") || ended.stderr.contains("Too many open");
        assert!(code == 0 || named, "{most}: {ended:#?}");
    }
}

#[test]
fn no_variable_is_needed() {
    let own = own();
    let usual = script(&own, "exec $ORACLE try -- ls");
    for bare in ["env -i $ORACLE try -- ls", "env -u HOME -u PATH -u USER $ORACLE try -- ls"] {
        let ended = script(&own, bare);
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        assert_eq!(ended.stdout, usual.stdout, "{bare}");
    }
}
