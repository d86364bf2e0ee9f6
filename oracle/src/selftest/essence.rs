//! What must be the same of two traces of one case.

use crate::trace::{Status, Touch, TouchKind, Trace};
use shfence_corpus::Text;
use std::collections::BTreeMap;

/// What must be the same of two traces of one case, however they were made.
///
/// Processes that run at once have no order, and one that was orphaned before it was seen has no
/// known place among the others: so only the shell itself is told from all others. What one process
/// did stays in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Essence {
    processes: Vec<Deeds>,
    execs: Vec<(bool, Vec<Text>, Text, Text)>,
    status: Status,
    cut: bool,
    output: Text,
    doubts: Vec<String>,
}

/// What one process did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deeds {
    is_shell: bool,
    touches: Vec<Deed>,
}

type Deed = (TouchKind, Text, Text, bool);

impl Essence {
    /// Of a whole trace.
    pub fn of(trace: &Trace) -> Essence {
        Essence::with(trace, |_| true)
    }

    /// Of what the shell itself did and started, whatever stands behind the verbs.
    pub fn of_the_shell(trace: &Trace) -> Essence {
        let mut started = Vec::new();
        let essence = Essence::with(trace, |touch| {
            if touch.kind == TouchKind::Exec {
                started.push(touch.pid);
            }
            !started.contains(&touch.pid) && !is_search(touch)
        });
        let execs = essence
            .execs
            .into_iter()
            .map(|(is_shell, argv, cwd, _)| (is_shell, argv, cwd, Text::default()));
        let execs = execs.collect();
        Essence { execs, status: Status::Exited(0), output: Text::default(), ..essence }
    }

    fn with(trace: &Trace, mut keep: impl FnMut(&Touch) -> bool) -> Essence {
        // A run that was stopped got as far as it got.
        let stopped = trace.status == Status::TimedOut;
        let mut by_process: BTreeMap<u32, Vec<Deed>> = BTreeMap::new();
        for touch in trace.touches.iter().filter(|touch| !stopped && keep(touch)) {
            let (text, resolved) = (named(&touch.text), named(&touch.resolved));
            let deed = (touch.kind, text, resolved, touch.existed);
            by_process.entry(touch.pid).or_default().push(deed);
        }
        let deeds = |(pid, touches)| Deeds { is_shell: pid == 1, touches };
        let mut processes: Vec<Deeds> = by_process.into_iter().map(deeds).collect();
        processes.sort();
        let execs = trace.execs.iter().filter(|_| !stopped);
        let mut execs: Vec<_> = execs
            .map(|it| (it.pid == 1, it.argv.clone(), it.cwd.clone(), it.path.clone()))
            .collect();
        execs.sort();
        Essence {
            processes,
            execs,
            status: trace.status,
            cut: trace.cut,
            output: if stopped { Text::default() } else { trace.output.clone() },
            doubts: trace.doubts.clone(),
        }
    }

    /// What one has and the other has not, a line each; `us` and `them` say whose.
    pub fn differences(&self, us: &str, other: &Essence, them: &str) -> String {
        let (ours, theirs) = (self.lines(), other.lines());
        only(us, ours.clone(), &theirs) + &only(them, theirs, &ours)
    }

    fn lines(&self) -> Vec<String> {
        let touch = |is_shell: bool, (kind, text, resolved, existed): &Deed| {
            let who = if is_shell { "shell" } else { "child" };
            let missing = if *existed { "" } else { ", missing" };
            format!("{who}: {} {text:?} -> {resolved:?}{missing}", kind.name())
        };
        let touches = self
            .processes
            .iter()
            .flat_map(|it| it.touches.iter().map(move |deed| touch(it.is_shell, deed)));
        let execs = self
            .execs
            .iter()
            .map(|(_, argv, cwd, path)| format!("started {path:?} with {argv:?} in {cwd:?}"));
        let doubts = self.doubts.iter().map(|doubt| format!("doubted: {doubt}"));
        let Essence { status, cut, output, .. } = self;
        let end = [format!("{status:?}, cut: {cut}, {output:?}")];
        touches.chain(execs).chain(doubts).chain(end).collect()
    }
}

/// The lines that only one of two lists has; if both have the same in another order, that.
fn only(whose: &str, mut these: Vec<String>, those: &[String]) -> String {
    for line in those {
        if let Some(place) = these.iter().position(|it| it == line) {
            these.remove(place);
        }
    }
    these.iter().map(|line| format!("  {whose}: {line}\n")).collect()
}

/// Is this a shell looking for a verb in the directories of PATH? Typed into, zsh lists them.
fn is_search(touch: &Touch) -> bool {
    let programs = ["/usr/bin", "/bin", crate::contain::PROBES].map(str::as_bytes);
    match touch.kind {
        TouchKind::Test => {
            let below = |dir: &&[u8]| touch.text.strip_prefix(*dir);
            programs.iter().filter_map(below).any(|rest| rest.starts_with(b"/"))
        }
        TouchKind::List => programs.contains(&touch.text.as_bytes()),
        _ => false,
    }
}

/// A path without what is by chance: the number of a process or terminal, and the name of the file
/// in which zsh or mksh keeps a here-document.
fn named(path: &Text) -> Text {
    if path.starts_with(b"/tmp/zsh") {
        return Text::from("/tmp/zsh");
    }
    if path.starts_with(b"/tmp/sh") && path.ends_with(b".tmp") {
        return Text::from("/tmp/sh.tmp");
    }
    if path.strip_prefix(b"/dev/pts/").is_some_and(|number| !number.is_empty()) {
        return Text::from("/dev/pts/N");
    }
    let Some(below) = path.strip_prefix(b"/proc/") else { return path.clone() };
    let digits = below.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { path.clone() } else { Text::from([b"/proc/PID", &below[digits..]].concat()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Exec, ShellId};
    use shfence_corpus::Shell;

    fn touch(pid: u32, kind: TouchKind, place: &str) -> Touch {
        Touch { pid, kind, text: place.into(), resolved: place.into(), existed: true }
    }

    fn trace(touches: &[Touch]) -> Trace {
        let id = ShellId { shell: Shell::Sh, name: "dash".to_owned(), version: String::new() };
        let exec = |argv: &str| Exec {
            pid: 2,
            argv: vec![argv.into()],
            cwd: "/case/proj".into(),
            path: "/usr/bin/cat".into(),
        };
        Trace {
            shell: id,
            processes: Vec::new(),
            execs: vec![exec("cat")],
            touches: touches.to_vec(),
            status: Status::Exited(0),
            cut: false,
            output: Text::default(),
            doubts: Vec::new(),
        }
    }

    fn usual() -> Trace {
        trace(&[
            touch(1, TouchKind::Enter, "/case/proj/a"),
            touch(2, TouchKind::Exec, "/usr/bin/cat"),
            touch(2, TouchKind::Read, "/case/outside/b"),
            touch(3, TouchKind::Test, "/case/proj/c"),
        ])
    }

    /// Every mistake that an observer can make must make a difference, and say which.
    #[test]
    fn whatever_is_missed_or_wrong_differs() {
        type Mistake = fn(&mut Trace);
        let mistakes: [Mistake; 10] = [
            |it| drop(it.touches.remove(2)),
            |it| it.touches.swap(1, 2),
            |it| it.touches[0].resolved = "/case/outside".into(),
            |it| it.touches[0].kind = TouchKind::Test,
            |it| it.touches[2].existed = false,
            |it| it.touches[2].pid = 1,
            |it| drop(it.execs.remove(0)),
            |it| it.execs[0].cwd = "/case/outside".into(),
            |it| it.output = "a".into(),
            |it| it.doubts.push("another place".to_owned()),
        ];
        let right = Essence::of(&usual());
        for (number, mistake) in mistakes.iter().enumerate() {
            let mut trace = usual();
            mistake(&mut trace);
            let wrong = Essence::of(&trace);
            assert_ne!(right, wrong, "{number}");
            let said = right.differences("right", &wrong, "wrong");
            assert!(number == 1 || !said.is_empty(), "{number}: {said}");
        }
    }

    #[test]
    fn who_came_first_makes_no_difference() {
        let mut other = usual();
        for touch in &mut other.touches {
            touch.pid = [1, 3, 2][touch.pid as usize - 1];
        }
        other.touches.rotate_right(1);
        assert_eq!(Essence::of(&usual()), Essence::of(&other));
    }

    #[test]
    fn what_a_verb_touches_is_not_the_shells() {
        let mut probed = usual();
        probed.touches.remove(2);
        probed.touches[1].resolved = "/oracle/probes/cat".into();
        probed.execs[0].path = "/oracle/probes/cat".into();
        let (real, probed) = (usual(), probed);
        assert_ne!(Essence::of(&real), Essence::of(&probed));
        assert_eq!(Essence::of_the_shell(&real), Essence::of_the_shell(&probed));
    }

    #[test]
    fn numbers_of_processes_and_names_of_chance_are_no_difference() {
        let of = |place| Essence::of(&trace(&[touch(1, TouchKind::Read, place)]));
        assert_eq!(of("/proc/17/loginuid"), of("/proc/4/loginuid"));
        assert_ne!(of("/proc/17/loginuid"), of("/proc/17/stat"));
        assert_eq!(of("/tmp/zshAbc"), of("/tmp/zshXyz"));
    }
}
