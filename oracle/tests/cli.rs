//! The command line: what each command answers, and the code it ends with.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

#[path = "common/program.rs"]
mod program;

use program::{Ended, ends_with, oracle, run};
use serde_json::Value;
use shfence_corpus::Fixture;
use shfence_oracle::installations::installations;
use shfence_oracle::trace::Trace;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const SHELLS: [&str; 5] = ["bash", "dash", "busybox", "bash-posix", "zsh"];

const ANYTHING: [&str; 2] = ["--guard", "strawman:allow-everything"];

#[test]
fn what_is_not_understood_is_usage() {
    let table: &[(&[&str], &str)] = &[
        (&[], "Usage"),
        (&["nonsense"], "nonsense"),
        (&["try"], "LINE"),
        (&["try", "ls"], "--"),
        (&["try", "--guard", "nobody", "--", "ls"], "expected linked, linked-edit, strawman:NAME"),
        (&["try", "--guard", "strawman:nobody", "--", "ls"], "any-segment"),
        (&["try", "--root", "/tmp", "--", "ls"], "/case/proj"),
        (&["try", "--cwd", "/case/nosuch", "--", "ls"], "no directory"),
        (&["try", "--cwd", "/case/../etc", "--", "ls"], "'..'"),
        (&["try", "--link", "proj/l", "--", "ls"], "PATH=TARGET"),
        (&["try", "--file", "proj/a", "--file", "proj/a/b", "--", "ls"], "proj/a/b"),
        (&["try", "--shells", "ksh", "--", "ls"], "expected bash, sh or zsh"),
        (&["campaign", "--shard", "3/3"], "K from 0 to N-1"),
        (&["campaign", "--shard", "0/0"], "K from 0 to N-1"),
        (&["campaign", "--shard", "-1/2"], "-1"),
        (&["campaign", "--shard", "1"], "K/N"),
        (&["campaign", "--cases", "0"], "--cases"),
        (&["campaign", "--jobs", "0"], "--jobs"),
        (&["campaign", "--cases", "1", "--seconds", "1"], "--seconds"),
        (&["campaign", "--seed", "today"], "today"),
        (&["campaign", "--small", "7"], "none of 1 to 6"),
        (&["campaign", "--profile", "hourly"], "expected smoke, pr, nightly, weekly"),
        (&["campaign", "--profile", "./none.toml"], "./none.toml"),
        (&["campaign", "--profile", "smoke", "--resume", "run"], "--profile"),
        (&["repro", "tree-escape/read"], "--run"),
        (&["repro", "1:x"], "SEED:INDEX"),
        (&["minimize"], "FILE"),
        (&["bench", "--lines", "0"], "--lines"),
        (&["selftest", "--lane", "fast"], "expected probe, tools or executed"),
    ];
    for (arguments, what) in table {
        let ended = ends_with(64, arguments);
        assert!(ended.stderr.contains(what), "{arguments:?}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--help"][..], &["--version"], &["try", "--help"]] {
        let ended = ends_with(0, arguments);
        assert!(!ended.stdout.is_empty() && ended.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_names_every_form_of_a_guard() {
    for command in ["try", "campaign", "compare", "replay", "minimize"] {
        let help = ends_with(0, &[command, "--help"]).stdout;
        for form in ["linked-edit", "strawman:NAME", "cmd:PROGRAM", "batch:PROGRAM"] {
            assert!(help.contains(form), "{command}: {form}");
        }
    }
}

#[test]
fn variables_that_are_not_understood_are_usage() {
    for (name, value) in [
        ("ORACLE_TIER", "nonsense"),
        ("ORACLE_TIER", ""),
        ("REQUIRE_SHELLS", "bash,ksh"),
        ("REQUIRE_SHELLS", ""),
    ] {
        let ended = run(oracle(&["try", "--", "ls"]).env(name, value));
        assert_eq!(ended.code, Some(64), "{name}={value}: {ended:#?}");
        assert!(ended.stderr.contains(name), "{}", ended.stderr);
    }
}

/// Runs a script in a mount namespace of its own, where it may hide programs from the oracle. With
/// it a user namespace, if there is any to be had.
fn in_own_namespace(script: &str) -> Ended {
    let user = ["--user", "--map-root-user"];
    let namespace = |options: &[&str], script: &str| {
        let mut command = Command::new("unshare");
        command.args(options).args(["--mount", "sh", "-ec", script]);
        command.env("ORACLE", env!("CARGO_BIN_EXE_shfence-oracle"));
        run(command.env_remove("ORACLE_TIER").env_remove("REQUIRE_SHELLS"))
    };
    let options = if namespace(&user, "true").code == Some(0) { &user[..] } else { &[] };
    let ready = namespace(options, "mount --bind /dev/null /dev/zero");
    assert_eq!(ready.code, Some(0), "this test needs user namespaces, or root: {ready:#?}");
    namespace(options, script)
}

#[test]
fn a_missing_shell_is_told_and_a_required_one_ends_all() {
    let hide = "for zsh in /bin/zsh /usr/bin/zsh; do
                    ! test -f $zsh || mount --bind /dev/null $zsh; done;";
    let doctor = in_own_namespace(&format!("{hide} exec $ORACLE doctor"));
    assert_eq!(doctor.code, Some(69), "{doctor:#?}");
    assert!(doctor.stdout.contains("zsh: none installed"), "{}", doctor.stdout);
    for command in ["try -- ls", "campaign --cases 1 --out /nonexistent/run"] {
        let required = in_own_namespace(&format!("{hide} REQUIRE_SHELLS=sh,zsh $ORACLE {command}"));
        assert_eq!(required.code, Some(69), "{required:#?}");
        assert!(required.stderr.contains("not installed: zsh"), "{}", required.stderr);
        assert!(required.stderr.contains("apt-get install"), "{}", required.stderr);
        assert_eq!(required.stdout, "");
    }
    let others = in_own_namespace(&format!("{hide} REQUIRE_SHELLS=bash,sh $ORACLE doctor"));
    assert!(others.stdout.contains("bash: bash"), "{}", others.stdout);
}

/// Namespaces may be forbidden below a user namespace: there nothing can be contained. Where there
/// are none to begin with, that tier cannot be had either.
#[test]
fn nothing_runs_where_nothing_can_be_contained() {
    let scratch = TempDir::new().unwrap();
    let out = scratch.path().join("run");
    // All ids of the machine are mapped only where no user namespace was left.
    let forbid = "if grep -q 4294967295 /proc/self/uid_map
                  then export ORACLE_TIER=userns
                  else echo 0 >/proc/sys/user/max_user_namespaces
                       echo 0 >/proc/sys/user/max_mnt_namespaces; fi;";
    let campaign = format!("campaign --cases 1 --out {}", out.display());
    for command in ["try -- ls", "selftest", &campaign] {
        let refused = in_own_namespace(&format!("{forbid} $ORACLE {command}"));
        assert_eq!(refused.code, Some(69), "{command}: {refused:#?}");
        assert!(refused.stderr.contains("cannot be contained"), "{}", refused.stderr);
        assert_eq!(refused.stdout, "", "{command}");
    }
    assert!(!out.exists(), "a campaign that runs nothing leaves nothing");
}

/// A terminal is drawn on; a log is not.
#[test]
fn a_bar_is_for_terminals_alone() {
    let scratch = TempDir::new().unwrap();
    let campaign = |name: &str| {
        let out = scratch.path().join(name);
        let what = ["campaign", "--cases", "40", "--seed", "3", "--jobs", "1", "--out"];
        [&what[..], &[out.to_str().unwrap()]].concat().join(" ")
    };
    let program = env!("CARGO_BIN_EXE_shfence-oracle");
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &format!("{program} {}", campaign("bar")), "/dev/null"]);
    let drawn = run(terminal.env("TERM", "xterm").env_remove("ORACLE_TIER"));
    assert!(drawn.stdout.contains("\u{1b}[2K") && drawn.stdout.contains("left"), "{drawn:?}");
    let log = ends_with(0, &campaign("log").split(' ').collect::<Vec<_>>());
    assert!(!log.stderr.contains('\u{1b}') && log.stderr.contains("seed 3, 1 worker\n"), "{log:?}");
}

#[test]
fn doctor_names_shells_and_tiers() {
    let ended = ends_with(0, &["doctor"]);
    for name in SHELLS.into_iter().chain(["userns", "root"]) {
        assert!(ended.stdout.contains(name), "no {name}: {}", ended.stdout);
    }
}

/// `try` in a tree with a link out, by this guard.
fn tried(code: i32, guard: &str, more: &[&str], line: &str) -> Ended {
    let tree = ["--file", "proj/a.txt=a", "--file", "outside/b=b", "--link", "proj/o=../outside"];
    ends_with(code, &[&["try", "--guard", guard], &tree[..], more, &["--", line]].concat())
}

#[test]
fn try_ends_with_1_only_if_an_allow_was_wrong() {
    let escape = "cat o/b";
    let wrong = tried(1, ANYTHING[1], &[], escape);
    assert!(wrong.stdout.contains("strawman:allow-everything says allow"), "{}", wrong.stdout);
    let shells = installations().len();
    assert!(shells >= SHELLS.len());
    assert_eq!(wrong.stdout.matches("** tree-escape: read /case/outside/b").count(), shells);
    let refused = tried(0, "linked", &[], escape);
    assert!(refused.stdout.contains("linked says ask"), "{}", refused.stdout);
    assert!(!refused.stdout.contains("**"), "{}", refused.stdout);
    let allowed = tried(0, "linked", &[], "cat a.txt");
    assert!(allowed.stdout.contains("linked says allow"), "{}", allowed.stdout);
    assert_eq!(allowed.stdout.matches("prints a").count(), shells, "{}", allowed.stdout);
    for shell in SHELLS {
        assert!(allowed.stdout.contains(&format!("\n{shell} ")), "{shell}: {}", allowed.stdout);
    }
}

#[test]
fn try_runs_the_line_where_it_is_told() {
    let place = [
        ["--cwd", "/case/outside"],
        ["--pwd", "/case/proj/o"],
        ["--home", "/case/proj"],
        ["--env", "A=1 2"],
        ["--shells", "bash,zsh"],
        ["--dir", "proj/new"],
    ];
    let line = "echo \"$PWD,$HOME,$A\"; ls ~/new; cat b";
    let ended = tried(0, "linked", &place.concat(), line);
    let prints = r"prints $'/case/proj/o,/case/proj,1 2\nb'";
    assert_eq!(ended.stdout.matches(prints).count(), 2, "{}", ended.stdout);
}

#[test]
fn try_json_holds_the_whole_comparison() {
    let more = ["--json"];
    for (code, guard, line, decision) in [
        (1, ANYTHING[1], "cat o/b", "allow"),
        (0, "linked", "cat o/b", "ask"),
        (0, "linked", "cat a.txt", "allow"),
    ] {
        let ended = tried(code, guard, &more, line);
        let json: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(json["line"], line);
        assert_eq!(json["guard"], guard);
        assert_eq!(json["decision"], decision);
        assert_eq!(json["wrong"], code == 1);
        assert_eq!(json["reasons"].as_array().unwrap().is_empty(), decision == "allow");
        assert_eq!(json["plan"].is_object(), guard == "linked");
        let shells = json["shells"].as_array().unwrap();
        assert_eq!(shells.len(), installations().len());
        for (shell, name) in shells.iter().zip(SHELLS) {
            let trace: Trace = serde_json::from_value(shell["trace"].clone()).unwrap();
            assert_eq!(trace.shell.name, name);
            assert_eq!(trace.execs.len(), 1);
            let findings = shell["findings"].as_array().unwrap();
            assert_eq!(findings.is_empty(), code == 0, "{name}: {findings:?}");
            for finding in findings {
                assert_eq!(finding["kind"], "tree-escape");
                assert_eq!(finding["effect"], "read");
                assert_eq!(finding["what"], "/case/outside/b");
                assert_eq!(finding["existed"], true);
            }
        }
    }
}

#[test]
fn a_line_may_hold_any_bytes() {
    let mut command = oracle(&["try", "--json", "--"]);
    let ended = run(command.arg(OsStr::from_bytes(b"echo \xff")));
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let json: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(json["line"]["hex"], "6563686f20ff");
}

/// A fixture in a file of its own.
struct File {
    path: PathBuf,
    _scratch: TempDir,
}

impl File {
    /// A fixture whose line reads a file outside through a link, with this beside it.
    fn reading_outside(more: &str) -> File {
        let tree = "[[tree]]\nlink = 'proj/o'\nto = '../outside'\n\
                    [[tree]]\nfile = 'outside/b'\ntext = 'b'\n";
        File::new(&format!(
            "schema = 1\ntitle = 'a test'\nshells = ['bash', 'sh', 'zsh']\n\
             line = 'true; cat o/b && true; echo done'\n{more}\n{tree}"
        ))
    }

    fn new(text: &str) -> File {
        let scratch = TempDir::new().unwrap();
        let path = scratch.path().join("test.of.cli.toml");
        std::fs::write(&path, text).unwrap();
        File { path, _scratch: scratch }
    }

    fn name(&self) -> &str {
        self.path.to_str().unwrap()
    }
}

#[test]
fn replay_says_what_no_longer_holds() {
    let accepted = "expect = ['allow', 'ask']\n[[accepted]]\nkind = 'tree-escape'\n\
                    shells = ['bash', 'sh', 'zsh']\nreason = 'a test'";
    let [asked, allowed] = ["expect = ['ask']", "expect = ['allow']"];
    let escapes = "expect = ['ask']\nescapes = ['bash', 'sh', 'zsh']";
    let some = "expect = ['ask']\nescapes = ['bash', 'sh']";
    let table = [
        ("linked", asked, 0, "1 passed, 0 failed"),
        ("linked", allowed, 1, "the guard says ask, expected allow"),
        ("linked", escapes, 0, "1 passed, 0 failed"),
        ("linked", some, 1, "zsh: the line escapes here, which is not expected"),
        // It is accepted, and does not happen.
        ("linked", accepted, 1, "the accepted tree-escape no longer happens"),
        (ANYTHING[1], accepted, 0, "1 passed, 0 failed"),
        (ANYTHING[1], allowed, 1, "tree-escape: read /case/outside/b"),
    ];
    for (guard, more, code, what) in table {
        let file = File::reading_outside(more);
        let ended = ends_with(code, &["replay", "--guard", guard, file.name()]);
        assert!(ended.stdout.contains(what), "{guard}, {more}: {}", ended.stdout);
    }
    let quiet = "schema = 1\ntitle = 'a test'\nshells = ['zsh']\nline = 'ls'\n\
                 expect = ['allow']\nescapes = ['zsh']\n";
    let ended = ends_with(1, &["replay", File::new(quiet).name()]);
    assert!(ended.stdout.contains("zsh: the line does not escape here"), "{}", ended.stdout);
}

#[test]
fn a_fixture_that_is_not_understood_is_usage_with_its_place() {
    let unknown = File::reading_outside("expect = ['ask']\nsurprise = 1");
    let never = File::reading_outside("expect = ['never']");
    for (file, line) in [(&unknown, 6), (&never, 5)] {
        let place = format!("{}:{line}:", file.name());
        for command in ["replay", "minimize"] {
            let ended = ends_with(64, &[command, file.name()]);
            assert!(ended.stderr.contains(&place), "{place} {}", ended.stderr);
        }
        let ended = ends_with(64, &["try", "--tree", file.name(), "--", "ls"]);
        assert!(ended.stderr.contains(&place), "{place} {}", ended.stderr);
    }
    let empty = TempDir::new().unwrap();
    let ended = ends_with(64, &["replay", empty.path().to_str().unwrap()]);
    assert!(ended.stderr.contains("no fixture"), "{}", ended.stderr);
}

#[test]
fn a_fixture_may_be_typed() {
    let typed = File::reading_outside("expect = ['ask']\ninvocation = 'typed'");
    let ended = ends_with(0, &["replay", typed.name()]);
    assert!(ended.stdout.contains("1 passed"), "{}", ended.stdout);
}

#[test]
fn minimize_prints_a_smaller_fixture_of_the_same_sort() {
    let file = File::reading_outside("expect = ['ask']");
    let ended = ends_with(0, &[&["minimize", file.name()], &ANYTHING[..]].concat());
    assert!(ended.stderr.contains("tree-escape/read/link/plain"), "{}", ended.stderr);
    let small = File::new(&ended.stdout);
    let fixture = Fixture::load(&small.path).unwrap();
    assert!(fixture.case.line.starts_with(b"cat "), "{}", fixture.case.line);
    assert!(!fixture.case.line.contains(&b';'), "{}", fixture.case.line);
    ends_with(0, &["replay", small.name()]);
    ends_with(1, &[&["replay", small.name()], &ANYTHING[..]].concat());
    // The shipped guard refuses it: there is nothing to show.
    let ended = ends_with(64, &["minimize", file.name()]);
    assert!(ended.stderr.contains("nothing to minimise"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

#[test]
fn bench_measures_every_way_on_the_same_lines() {
    let ended = ends_with(0, &["bench", "--json", "--lines", "4", "--naive-every", "2"]);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    for way in ["probe", "warm_real", "real", "naive", "floor", "floor_real"] {
        for figure in ["cases_per_s", "ratio_to_naive", "p50_us", "p99_us"] {
            let value = report[way][figure].as_f64();
            assert!(value.is_some_and(|it| it > 0.0), "{way} {figure}: {report}");
        }
    }
    assert_eq!(report["naive"]["ratio_to_naive"], 1.0);
    assert_eq!(report["lines"], 4);
}
