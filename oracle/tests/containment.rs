//! Hostile lines. After each: nothing outside has changed, nothing is left running, and the next
//! case runs as if nothing had been.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, config, shells};
use shfence_corpus::Text;
use shfence_oracle::contain::{Tier, probe};
use shfence_oracle::engine::{Engine, EngineError, RunError};
use shfence_oracle::installations::Installation;
use shfence_oracle::trace::{Status, TouchKind, Trace};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

/// A place on the host that anybody may write, and a port that anybody may connect to.
struct Outside {
    scratch: tempfile::TempDir,
    port: TcpListener,
}

impl Outside {
    fn new() -> Outside {
        use std::os::unix::fs::PermissionsExt;
        let scratch = tempfile::tempdir().unwrap();
        let open = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        open(scratch.path(), 0o777);
        std::fs::write(scratch.path().join("file"), "untouched").unwrap();
        open(&scratch.path().join("file"), 0o666);
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        port.set_nonblocking(true).unwrap();
        Outside { scratch, port }
    }

    /// The lines, with a prologue that names what is outside.
    fn prologue(&self) -> String {
        let port = self.port.local_addr().unwrap().port();
        format!("HOST={} PORT={port}\n", self.scratch.path().display())
    }

    fn assert_untouched(&self, after: &str) {
        let names: Vec<_> = std::fs::read_dir(self.scratch.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["file"], "after {after}");
        let text = std::fs::read_to_string(self.scratch.path().join("file")).unwrap();
        assert_eq!(text, "untouched", "after {after}");
        assert!(self.port.accept().is_err(), "connected by {after}");
    }
}

/// A contained line that wants to end the engine, the host or the tree. For all shells.
const HOSTILE: &[&str] = &[
    // Processes.
    "f() { f | f & }; f",
    "while :; do sleep 100 & done",
    "while :; do :; done",
    "trap '' TERM INT HUP ALRM; while :; do test -e x; done",
    "kill -9 -1",
    "kill -9 1; kill -9 2; kill -9 $PPID; kill -9 -$PPID; kill -ALRM 1",
    "kill -STOP $$",
    "kill -9 0",
    "(setsid sh -c 'while :; do sleep 1; done' > /dev/null 2>&1 &)",
    "setsid setsid sh -c 'trap \"\" TERM HUP; sleep 1000 & sleep 1000' & exit 3",
    "nohup sleep 1000 & disown; exec setsid sleep 1000",
    "renice 19 -p 1 $PPID; renice 19 -u $(id -u); prlimit --pid $PPID --nproc=1 --nofile=3",
    // Memory and space.
    "yes > big",
    "yes > /dev/stdout",
    "i=0; while [ $i -lt 40 ]; do head -c 1000000 /dev/zero > big$i; i=$((i+1)); done",
    "i=0; while :; do : > file$i; i=$((i+1)); done",
    "head -c 1000000 /dev/zero > /tmp/a; cp /tmp/a /tmp/b; mkdir /tmp/d; chmod 000 /tmp/d",
    "ulimit -u 99999; ulimit -n 9999; ulimit -f unlimited; ulimit -t unlimited; yes > big",
    "ulimit -n 3; ulimit -u 1; ulimit -v 1000; ls",
    "x=a; while :; do x=$x$x; done",
    "dd if=/dev/zero of=/dev/shm/x; dd if=/dev/zero of=/dev/null",
    // The file system.
    "rm -rf --no-preserve-root /",
    "cd / && rm -rf *; rm -rf /case /tmp /usr /proc",
    "rm -rf \"$HOST\"; echo x > \"$HOST/file\"; echo x > \"$HOST/new\"",
    "for d in /proc/1/root /proc/$PPID/root /proc/$PPID/cwd; do echo x > $d$HOST/file; done",
    "echo x > /proc/sys/kernel/core_pattern; echo x > /proc/sys/kernel/hostname",
    "echo x > /proc/1/mem; echo x > /proc/$PPID/mem; echo 1000 > /proc/$PPID/oom_score_adj",
    "cat /etc/shadow /proc/1/environ /proc/$PPID/environ; ls -l /proc/1/fd /proc/$PPID/fd",
    "mount -t tmpfs none /case; unshare -r sh -c 'mount -t tmpfs none /tmp'; chroot / ls",
    "nsenter -t 1 -a ls; mknod dev b 8 0; mknod null c 1 3",
    "i=0; while [ $i -lt 400 ]; do mkdir d; cd d; i=$((i+1)); done; : > bottom",
    "while mkdir d && cd d; do :; done",
    "mkdir -p a/b; : > a/b/c; chmod 000 a/b a src x; chmod 000 /case",
    "chmod -R 000 /case",
    "mkdir 'a\nb' '\\' ' ' -- '-rf'; : > 'a\nb/c\nd'; mkdir cleared-0; : > cleared-1",
    "rm -rf \"$PWD\"; mkdir -p /case/proj/new; ln -s / root; ln -s loop loop; mkfifo fifo",
    "exec 2>&- 1>&- 0>&-; ls; echo x",
    "chmod 000 /dev/stdout; : > /dev/stderr; truncate -s 100 /dev/stdout",
    // The network.
    "echo x > /dev/tcp/127.0.0.1/$PORT; nc -w 1 127.0.0.1 $PORT < /dev/null",
    "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"127.0.0.1:$ENV{PORT}\")'",
];

/// Programs that call the kernel directly: the number, arguments, and the errno that must come.
const REFUSED_CALLS: &[(&str, i32)] = &[
    ("272, 0x10000000", 1),       // unshare(CLONE_NEWUSER)
    ("56, 0x10000011, 0", 1),     // clone(CLONE_NEWUSER)
    ("435, 0, 0", 38),            // clone3
    ("425, 8, 0", 38),            // io_uring_setup
    ("101, 0, 0, 0, 0", 1),       // ptrace(PTRACE_TRACEME)
    ("310, 1, 0, 0, 0, 0, 0", 1), // process_vm_readv
    ("319, 0, 0", 1),             // memfd_create
    ("317, 0, 0, 0", 1),          // seccomp
    ("321, 0, 0, 0", 1),          // bpf
    ("163, 0", 1),                // acct: the marker call, made by somebody else
    ("163, 1, 0, 0", 1),          // acct: the server's news, forged
    ("41, 40, 1, 0", 97),         // socket(AF_VSOCK)
    ("62, -1, 0", 1),             // kill everybody
    ("62, 1, 14", 1),             // SIGALRM to the supervisor
    ("470, 0", 38),               // newer than the table
];

#[test]
fn hostile_lines_change_nothing_and_leave_nothing() {
    let outside = Outside::new();
    let shells = shells();
    let mut config = config();
    config.limits.wall = Duration::from_millis(700);
    let mut engine = Engine::start(&config).unwrap_or_else(|error| panic!("{error}"));
    for shell in shells.iter().filter(|s| ["bash", "dash", "zsh"].contains(&s.id.name.as_str())) {
        for line in HOSTILE {
            let started = Instant::now();
            let text = outside.prologue() + "export PORT\n" + line;
            let trace = engine.run(&case(&text), shell);
            let took = started.elapsed();
            let what = format!("{} in {}: {trace:?}", line, shell.id.name);
            assert!(trace.is_ok(), "{what}");
            assert!(took < Duration::from_secs(8), "took {took:?}: {line} in {}", shell.id.name);
            assert_as_new(&mut engine, &shells[1], line);
            outside.assert_untouched(line);
        }
    }
}

/// The next case runs right, in a whole tree, with nobody else there.
fn assert_as_new(engine: &mut Engine, dash: &Installation, after: &str) {
    let line = "cat src/main.txt; echo /proc/[0-9]*; echo /tmp/*; echo *; exit 5";
    let Trace { status, output, touches, .. } = engine.run(&case(line), dash).unwrap();
    assert_eq!(status, Status::Exited(5), "after {after}: {output:?}");
    let output = output.lossy().into_owned();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "main", "after {after}");
    assert_eq!(
        lines[1].split(' ').count(),
        3,
        "supervisor, server, shell; after {after}: {output}"
    );
    assert_eq!(lines[2], "/tmp/*", "after {after}");
    assert_eq!(lines[3], "dangling leak out src tool.sh x", "after {after}");
    let read = |place: &str| {
        touches.iter().any(|t| t.kind == TouchKind::Read && t.resolved == Text::from(place))
    };
    assert!(read("/case/proj/src/main.txt"), "after {after}");
}

#[test]
fn the_ways_round_the_observer_are_refused() {
    let mut engine = common::engine();
    let dash = &shells()[1];
    for (call, errno) in REFUSED_CALLS {
        let line = format!("perl -e '$r = syscall({call}); print \"$r \", $!+0, \"\\n\"'");
        let trace = engine.run(&case(&line), dash).unwrap();
        assert_eq!(trace.output, Text::from(format!("-1 {errno}\n")), "{call}");
    }
    // The 32-bit numbers of x32 are a second table: the process is killed (SIGSYS is 31).
    let trace = engine.run(&case("exec perl -e 'syscall(0x40000027)'"), dash).unwrap();
    assert_eq!(trace.status, Status::Signalled(31));
}

#[test]
fn background_jobs_are_observed_during_grace_and_then_ended() {
    let mut config = config();
    config.limits.grace = Duration::from_secs(1);
    let mut engine = Engine::start(&config).unwrap();
    for shell in shells() {
        let line = "(sleep 0.05; cat leak; sleep 100; cat x) & exit 4";
        let trace = engine.run(&case(line), &shell).unwrap();
        assert_eq!(trace.status, Status::Exited(4), "{}", shell.id.name);
        let read = |place: &str| trace.touches.iter().any(|t| t.resolved == Text::from(place));
        assert!(read("/case/outside/secret"), "{}: {trace:?}", shell.id.name);
        assert!(!read("/case/proj/x"), "{}: {trace:?}", shell.id.name);
    }
}

#[test]
fn time_and_output_are_bounded() {
    let mut config = config();
    config.limits.wall = Duration::from_millis(300);
    let mut engine = Engine::start(&config).unwrap();
    for shell in shells() {
        let trace = engine.run(&case("cat leak; while :; do :; done"), &shell).unwrap();
        assert_eq!(trace.status, Status::TimedOut, "{}", shell.id.name);
        assert_eq!(trace.output, Text::from("secret\n"), "{}", shell.id.name);
        let trace = engine.run(&case("sleep 100"), &shell).unwrap();
        assert_eq!(trace.status, Status::TimedOut, "{}", shell.id.name);
        let trace = engine.run(&case("head -c 100000 /dev/zero"), &shell).unwrap();
        assert_eq!(trace.output.len(), shfence_oracle::trace::OUTPUT_MAX);
    }
}

#[test]
fn every_tier_contains_or_says_why_not() {
    let shells = shells();
    for report in probe(&config()).unwrap() {
        let mut config = config();
        config.tier = Some(report.tier);
        match (Engine::start(&config), report.refusal) {
            (Ok(mut engine), None) => {
                assert_eq!(engine.tier(), report.tier);
                let line = "id -u; grep -E 'Cap|NoNew|Seccomp:' /proc/self/status";
                let trace = engine.run(&case(line), &shells[0]).unwrap();
                let output = trace.output.lossy().into_owned();
                assert!(!output.starts_with("0\n"), "{}: {output}", report.tier);
                let powerless = output.lines().filter(|l| l.ends_with("0000000000000000")).count();
                assert_eq!(powerless, 5, "{}: {output}", report.tier);
                assert!(
                    output.contains("NoNewPrivs:\t1\nSeccomp:\t2"),
                    "{}: {output}",
                    report.tier
                );
                engine.run(&case("chmod -R 000 /case; f() { f | f & }; f"), &shells[0]).unwrap();
                assert_as_new(&mut engine, &shells[1], report.tier.name());
            }
            (Err(EngineError::CannotContain(reports)), Some(refusal)) => {
                assert_eq!(reports[0].refusal.as_ref(), Some(&refusal));
                // Only the root tier may be missing, and only without root.
                assert_eq!((report.tier, is_root()), (Tier::Root, false), "{refusal}");
            }
            (engine, refusal) => panic!("{}: {engine:?}, {refusal:?}", report.tier),
        }
    }
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().any(|line| line.starts_with("Uid:\t0\t0"))
}

#[test]
fn a_lost_worker_is_an_error_and_never_silence() {
    let mut engine = common::engine();
    let worker = engine.worker();
    assert!(Path::new(&format!("/proc/{worker}")).exists());
    let killed = std::process::Command::new("kill").args(["-9", &worker.to_string()]).status();
    assert!(killed.unwrap().success());
    std::thread::sleep(Duration::from_millis(50));
    for _ in 0..2 {
        let lost = engine.run(&case("echo"), &shells()[0]);
        assert!(matches!(lost, Err(RunError::Engine(EngineError::WorkerLost(_)))), "{lost:?}");
    }
    let mut config = config();
    config.worker_program = "/bin/true".into();
    assert!(matches!(Engine::start(&config), Err(EngineError::WorkerLost(_))));
    config.worker_program = "/nonexistent".into();
    assert!(matches!(Engine::start(&config), Err(EngineError::NoWorker { .. })));
}

#[test]
fn an_engine_that_is_dropped_leaves_no_process() {
    let engine = common::engine();
    let worker = engine.worker();
    drop(engine);
    assert!(!Path::new(&format!("/proc/{worker}")).exists());
}
