//! A shell that starts warm does what a shell does that is executed.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, config, engine, share, shells};
use shfence_corpus::{Case, Fixture, Shell, Text};
use shfence_generators::{Settings, generate};
use shfence_oracle::engine::{Engine, EngineConfig, Lane, Probes, RunError, Start};
use shfence_oracle::installations::Installation;
use shfence_oracle::startup::Startups;
use shfence_oracle::trace::{ShellId, Status, TouchKind, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Which generated cases, and how many.
const SEED: u64 = 20;
const CASES: u64 = 120;

/// How often a case is tried whose processes race.
const MOST_TRIES: usize = 50;

/// An engine, and what its shells do at their start. A warm shell does less there: what the loader
/// does was done before.
struct Bench {
    engine: Engine,
    startups: Startups,
}

impl Bench {
    fn new(start: Start, lane: Lane) -> Bench {
        Bench::of(&EngineConfig { start, lane, ..config() })
    }

    /// For lines that have to be stopped: each takes all its time.
    fn hasty(start: Start) -> Bench {
        let mut config = EngineConfig { start, lane: Lane::Real, ..config() };
        config.limits.wall = Duration::from_millis(700);
        Bench::of(&config)
    }

    fn of(config: &EngineConfig) -> Bench {
        let engine = Engine::start(config).unwrap_or_else(|error| panic!("{error}"));
        Bench { engine, startups: Startups::default() }
    }

    fn run(&mut self, case: &Case, shell: &Installation) -> Trace {
        let trace = self.engine.run(case, shell).unwrap();
        self.startups.strip(trace, case, shell, &mut self.engine).unwrap()
    }

    fn assert_none_cold(&self) {
        assert_eq!(self.engine.cold(), &BTreeMap::new());
    }
}

/// What must be the same of two traces. Processes that run at once are numbered as they come, so
/// only the shell itself is told from all the others.
#[derive(Debug, PartialEq)]
struct Essence {
    touches: BTreeSet<(bool, TouchKind, Text, Text)>,
    execs: Vec<(bool, Vec<Text>, Text, Text)>,
    status: Status,
    cut: bool,
    output: Vec<Text>,
}

impl From<Trace> for Essence {
    fn from(trace: Trace) -> Essence {
        // A run that was stopped got as far as it got.
        let stopped = trace.status == Status::TimedOut;
        let touches = trace.touches.into_iter().filter(|_| !stopped);
        let execs = trace.execs.into_iter().filter(|_| !stopped);
        let mut execs: Vec<_> =
            execs.map(|exec| (exec.pid == 1, exec.argv, exec.cwd, exec.path)).collect();
        execs.sort();
        Essence {
            touches: touches
                .map(|it| (it.pid == 1, it.kind, named(it.text), named(it.resolved)))
                .collect(),
            execs,
            status: trace.status,
            cut: trace.cut,
            output: if stopped { Vec::new() } else { lines(&trace.output) },
        }
    }
}

/// The lines of an output, sorted: processes that run at once write as they come.
fn lines(output: &Text) -> Vec<Text> {
    let lines = output.split_inclusive(|byte| *byte == b'\n');
    let mut lines: Vec<Text> = lines.map(Text::from).collect();
    lines.sort();
    lines
}

/// The file in which zsh keeps a here-document has a name of chance, and what the kernel says of a
/// process its number.
fn named(path: Text) -> Text {
    if path.starts_with(b"/tmp/zsh") {
        return Text::from("/tmp/zsh");
    }
    let Some(rest) = path.strip_prefix(b"/proc/") else { return path };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match digits {
        0 => path,
        _ => Text::from(&[b"/proc/*", &rest[digits..]].concat()[..]),
    }
}

/// Runs cases both ways, with probes that do nothing.
fn compare(cases: &[Case], lane: &Lane) {
    compare_with(cases, lane, |_| Probes::Silent);
}

/// Runs cases both ways. Where processes race, not even two executed shells do the same: such a
/// case is tried again until both ways have once done the same. There must be next to none.
fn compare_with(cases: &[Case], lane: &Lane, probes: impl Fn(u64) -> Probes) {
    let mut warm = Bench::new(Start::Warm, lane.clone());
    let mut exec = Bench::new(Start::Exec, lane.clone());
    let (mut compared, mut racing) = (0, Vec::new());
    for (index, case) in (0..).zip(cases) {
        warm.engine.set_probes(probes(index));
        exec.engine.set_probes(probes(index));
        for shell in shells().iter().filter(|shell| case.shells.contains(shell.id.shell)) {
            compared += 1;
            let (mut started_warm, mut executed) = (Vec::new(), Vec::new());
            while !started_warm.iter().any(|one| executed.contains(one)) {
                started_warm.push(Essence::from(warm.run(case, shell)));
                executed.push(Essence::from(exec.run(case, shell)));
                assert!(
                    started_warm.len() < MOST_TRIES,
                    "{}: {case:#?}\n{}",
                    shell.id.name,
                    differences(&executed[0], &started_warm[0])
                );
            }
            if started_warm.len() > 1 {
                racing.push((shell.id.name.clone(), case.line.clone()));
            }
        }
    }
    assert!(compared >= cases.len());
    assert!(racing.len() * 50 <= compared, "{compared} compared, racing: {racing:#?}");
    warm.assert_none_cold();
}

fn generated() -> Vec<Case> {
    let settings = Settings::default();
    let cases = share(0..CASES, 3).into_iter();
    let cases: Vec<Case> = cases.map(|index| generate(SEED, index, &settings).case).collect();
    for name in ["PWD", "OLDPWD", "CDPATH", "HOME"] {
        let has =
            |case: &&Case| case.env.contains_key(name) || (name == "PWD" && case.pwd.is_some());
        assert!(cases.iter().filter(has).count() > 0, "no case with its own {name}");
    }
    cases
}

#[test]
fn generated_cases_are_the_same_with_real_tools() {
    compare(&generated(), &Lane::Real);
}

#[test]
fn generated_cases_are_the_same_with_probes() {
    compare(&generated(), &Lane::probe());
}

#[test]
fn generated_cases_are_the_same_with_lively_probes() {
    compare_with(&share(generated(), 2), &Lane::probe(), Probes::Lively);
}

/// Both branches of `&&`, a substitution that says something, a pipe that is read to its end; in a
/// probe that is executed, and in one that a warm shell spares itself.
#[test]
fn a_probe_does_what_its_case_wants() {
    let line = "for i in 1 2 3 4 5 6 7 8 9; do cat $i && wc yes$i || wc no$i; done; \
                head \"$(head a)$(head b)$(head c)$(head d)\"; echo to | cat; (cat x; exec ls y)";
    for start in [Start::Warm, Start::Exec] {
        let mut bench = Bench::new(start, Lane::probe());
        for shell in shells() {
            bench.engine.set_probes(Probes::Silent);
            let silent = bench.run(&case(line), &shell);
            assert_eq!(silent.output, Text::default());
            assert_eq!(argvs(&silent, b"no"), 0, "silent probes succeed");
            bench.engine.set_probes(Probes::Lively(3));
            let lively = bench.run(&case(line), &shell);
            let (yes, no) = (argvs(&lively, b"yes"), argvs(&lively, b"no"));
            assert!(yes > 0 && no > 0 && yes + no >= 9, "{yes} {no}");
            assert!(
                argvs(&lively, b"src") + argvs(&lively, b"..") + argvs(&lively, b"a b") > 0
                    || argvs(&lively, b"/case/outside") > 0,
                "a substitution has output"
            );
            assert!(!lively.output.is_empty(), "{start:?} {}", shell.id.name);
            bench.engine.set_probes(Probes::Silent);
        }
        bench.assert_none_cold();
    }
}

/// How many programs were given a word that begins so.
fn argvs(trace: &Trace, begin: &[u8]) -> usize {
    trace.execs.iter().filter(|exec| exec.argv.iter().any(|it| it.starts_with(begin))).count()
}

#[test]
fn a_line_sees_a_fresh_process() {
    // What a shell can tell of its own start: its arguments, its environment, its session and its
    // parent, its descriptors, its signals.
    let seen = "echo $0 $#; tr '\\0' '\\n' < /proc/$$/cmdline; tr '\\0' '\\n' < /proc/$$/environ; \
                env; pwd; umask; ls /proc/$$/fd; \
                grep '^Sig\\|^Shd\\|^Seccomp' /proc/$$/status; \
                read p c s q g t r < /proc/$$/stat; \
                test $p = $$ && test $q = $PPID && test $g = $$ && test $t = $$ && echo own";
    let (mut warm, mut exec) =
        (Bench::new(Start::Warm, Lane::Real), Bench::new(Start::Exec, Lane::Real));
    for shell in shells() {
        let mut case = case(seen);
        case.env.insert("TWO".to_owned(), Some("lines\nof text".into()));
        case.env.insert("EMPTY".to_owned(), Some("".into()));
        let text = |trace: &Trace| String::from_utf8_lossy(&trace.output).into_owned();
        // While a child runs, zsh may or may not have closed what it shares with it.
        let mut both = (String::new(), "not run".to_owned());
        for _ in 0..MOST_TRIES {
            if both.0 != both.1 {
                both = (text(&warm.run(&case, &shell)), text(&exec.run(&case, &shell)));
            }
        }
        let (warm, exec) = both;
        assert_eq!(warm, exec, "{}", shell.id.name);
        assert!(warm.ends_with("own\n"), "{}: {warm}", shell.id.name);
        assert!(!warm.contains("LD_"), "{}", shell.id.name);
    }
}

/// The pieces of its files are joined, although it has a library more.
#[test]
fn a_warm_shell_has_fewer_mappings_than_one_that_is_executed() {
    let mappings = |bench: &mut Bench, shell: &Installation| -> usize {
        let line = "n=0; while read -r map; do n=$((n + 1)); done < /proc/self/maps; echo $n";
        let output = bench.run(&case(line), shell).output;
        output.lossy().trim().parse().unwrap_or_else(|_| panic!("{output:?}"))
    };
    let mut warm = Bench::new(Start::Warm, Lane::Real);
    let mut exec = Bench::new(Start::Exec, Lane::Real);
    for shell in shells() {
        let (warm, exec) = (mappings(&mut warm, &shell), mappings(&mut exec, &shell));
        assert!(warm < exec, "{}: {warm}, and {exec} executed", shell.id.name);
    }
    warm.assert_none_cold();
}

#[test]
fn runs_that_have_to_be_stopped_leave_warm_shells_usable() {
    let (mut warm, mut exec) = (Bench::hasty(Start::Warm), Bench::hasty(Start::Exec));
    // Each pid of the box: the servers of the other shells are among them.
    let kill = "i=2; while [ $i -lt $$ ]; do kill -9 $i; i=$((i+1)); done 2> /dev/null";
    let hostile = ["kill -9 $PPID; kill -9 -1", "while :; do :; done", "kill -STOP $$", kill];
    for shell in shells() {
        for line in hostile {
            let stopped = warm.run(&case(line), &shell);
            assert_eq!(stopped.status, exec.run(&case(line), &shell).status, "{line}");
            for other in shells() {
                let trace = warm.run(&case("cat x"), &other);
                assert_eq!(trace.output, Text::from("x\n"), "{} after {line}", other.id.name);
            }
        }
        let (left, right) = (case("(setsid sleep 9 &) ; exit 3"), &shell);
        let (warm, exec) = (warm.run(&left, right), exec.run(&left, right));
        assert_eq!((warm.status, warm.cut), (exec.status, exec.cut), "{}", shell.id.name);
    }
    warm.assert_none_cold();
}

#[test]
fn what_acts_before_main_is_executed_and_what_cannot_be_passed_is_refused() {
    let mut warm = Bench::new(Start::Warm, Lane::Real);
    let mut exec = engine();
    for shell in shells() {
        let mut early = case("echo $LD_BIND_NOW");
        early.env.insert("LD_BIND_NOW".to_owned(), Some("yes".into()));
        assert_eq!(warm.run(&early, &shell).output, Text::from("yes\n"));
        let longest = case(&format!(": {}", "x".repeat(128 * 1024 - 3)));
        assert_eq!(warm.run(&longest, &shell).status, Status::Exited(0));
        let too_long = case(&format!(": {}", "x".repeat(128 * 1024 - 2)));
        for engine in [&mut warm.engine, &mut exec] {
            let refused = engine.run(&too_long, &shell);
            assert!(matches!(refused, Err(RunError::NotStarted(_))), "{refused:?}");
        }
    }
}

/// The library cannot be loaded into a static program; `ldconfig` is one on every system, since it
/// has to work when the loader does not.
#[test]
fn a_static_program_is_executed_and_named() {
    let mut warm = Bench::new(Start::Warm, Lane::Real);
    let mut exec = Bench::new(Start::Exec, Lane::Real);
    let shell = Installation {
        id: ShellId { shell: Shell::Sh, name: "static".to_owned(), version: String::new() },
        program: "/sbin/ldconfig".into(),
        args: ["ldconfig", "--version"].map(Text::from).to_vec(),
        typed: Vec::new(),
    };
    for _ in 0..2 {
        let (warm, exec) = (warm.run(&case(":"), &shell), exec.run(&case(":"), &shell));
        assert!(warm.output.starts_with(b"ldconfig"), "{:?}", warm.output);
        assert_eq!(Essence::from(warm), Essence::from(exec));
    }
    assert_eq!(warm.engine.cold().keys().collect::<Vec<_>>(), ["static"]);
    assert!(exec.engine.cold().is_empty());
}

#[test]
fn fixtures_are_the_same_in_both_lanes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/regressions");
    let fixtures = Fixture::load_all(&[corpus]).unwrap();
    assert!(!fixtures.is_empty());
    let cases: Vec<Case> = share(fixtures, 5).into_iter().map(|fixture| fixture.case).collect();
    compare(&cases, &Lane::Real);
    compare(&cases, &Lane::probe());
}

/// What one has and the other has not.
fn differences(executed: &Essence, warm: &Essence) -> String {
    let lines = |essence: &Essence| -> Vec<String> {
        let Essence { touches, execs, status, cut, output } = essence;
        let touches = touches.iter().map(|touch| format!("{touch:?}"));
        let execs = execs.iter().map(|exec| format!("{exec:?}"));
        touches.chain(execs).chain([format!("{status:?}, cut: {cut}, {output:?}")]).collect()
    };
    let (executed, warm) = (lines(executed), lines(warm));
    let only = |whose: &str, mut these: Vec<String>, those: &[String]| -> String {
        for line in those {
            if let Some(place) = these.iter().position(|it| it == line) {
                these.remove(place);
            }
        }
        these.iter().map(|line| format!("{whose}: {line}\n")).collect()
    };
    only("executed", executed.clone(), &warm) + &only("warm", warm, &executed)
}
