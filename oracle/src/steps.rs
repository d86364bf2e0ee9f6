//! What a plan said a line would do and what a shell did, as two lists of steps in the same words,
//! so that a difference of the two shows where they part. It is for people, and decides nothing.
//!
//! What happened as planned stands in both lists. Of what was planned and did not happen, only what
//! tells something: not what is merely possible, and not a program that never came to run.

use crate::judge::Contradiction;
use crate::prediction::{PathUse, Plan, Segment, Word};
use crate::trace::{Exec, Touch, TouchKind, Trace};
use shfence_corpus::{Case, FindingKind, Text};
use shfence_reports::Steps;

/// The steps of one run of an allowed line. Without a plan, what was planned is that nothing of
/// what contradicts the guard would happen.
pub fn steps(plan: Option<&Plan>, trace: &Trace, wrong: &[Contradiction]) -> Steps {
    let segments = plan.map_or(&[][..], |plan| &plan.segments);
    let mut done: Vec<Step> = Vec::new();
    for event in events(trace) {
        let step = event.step(segments, wrong);
        if let Some(step) = step.filter(|it| done.iter().all(|seen| seen.text != it.text)) {
            done.push(step);
        }
    }
    let mut planned: Vec<Step> = done.iter().filter(|it| !it.is_wrong).cloned().collect();
    for (index, segment) in segments.iter().enumerate() {
        for text in missed(index, segment, trace, &done) {
            if planned.iter().any(|it| it.text == text) {
                continue;
            }
            let later = |it: &Step| it.segment.is_some_and(|it| it > index);
            let place = planned.iter().position(later).unwrap_or(planned.len());
            planned.insert(place, Step { text, segment: Some(index), is_wrong: false });
        }
    }
    let texts = |steps: Vec<Step>| steps.into_iter().map(|it| Text::from(it.text)).collect();
    Steps { planned: texts(planned), done: texts(done) }
}

#[derive(Clone)]
struct Step {
    text: Vec<u8>,
    /// The first segment that says it.
    segment: Option<usize>,
    /// Does it contradict the guard?
    is_wrong: bool,
}

/// Something that happened.
enum Event<'t> {
    Ran(&'t Exec),
    Touched(&'t Touch),
}

/// Programs and touches in the order of the touches.
fn events(trace: &Trace) -> Vec<Event<'_>> {
    let mut execs: Vec<&Exec> = trace.execs.iter().collect();
    let mut events = Vec::new();
    for touch in &trace.touches {
        let is_it = |it: &&Exec| it.pid == touch.pid && it.path == touch.resolved;
        let ran = (touch.kind == TouchKind::Exec).then(|| execs.iter().position(is_it)).flatten();
        events.extend(ran.map(|at| Event::Ran(execs.remove(at))));
        events.push(Event::Touched(touch));
    }
    events.extend(execs.into_iter().map(Event::Ran));
    events
}

impl Event<'_> {
    /// Nothing, if it is not worth telling.
    fn step(&self, segments: &[Segment], wrong: &[Contradiction]) -> Option<Step> {
        match self {
            Event::Ran(exec) => {
                let admits = |it: &Segment| it.admits(&exec.argv) && it.may_start_in(&exec.cwd);
                Some(Step {
                    text: run_line(&joined(&exec.argv, b" "), &exec.cwd),
                    segment: segments.iter().position(admits),
                    is_wrong: wrong.iter().any(|it| is_program(it, exec)),
                })
            }
            Event::Touched(touch) => {
                let is_wrong = wrong.iter().any(|it| is_touch(it, touch));
                let names = |it: &Segment| it.paths.iter().any(|it| covers(it, touch));
                let segment = segments.iter().position(names);
                let enters = touch.kind == TouchKind::Enter;
                // What is not there is looked for, and neither entered nor read.
                let there = touch.existed || touch.kind == TouchKind::Write;
                let within = touch.resolved.starts_with(Case::root().as_bytes());
                let text = [touch.kind.name().as_bytes(), &touch.resolved].join(&b' ');
                (is_wrong || (there && within && (enters || segment.is_some()))).then_some(Step {
                    text,
                    segment,
                    is_wrong,
                })
            }
        }
    }
}

fn is_program(one: &Contradiction, exec: &Exec) -> bool {
    let of_plan = one.effect == TouchKind::Exec && one.kind != FindingKind::TreeEscape;
    of_plan && one.pid == exec.pid && one.text.as_bytes() == joined(&exec.argv, b" ")
}

fn is_touch(one: &Contradiction, touch: &Touch) -> bool {
    let of_plan = touch.kind == TouchKind::Exec && one.kind != FindingKind::TreeEscape;
    !of_plan
        && one.pid == touch.pid
        && one.effect == touch.kind
        && one.what == touch.resolved
        && one.text == touch.text
}

/// Is this touch what the plan says of that path? A look at it is not worth a line.
fn covers(it: &PathUse, touch: &Touch) -> bool {
    let below = || {
        let rest = touch.resolved.strip_prefix(it.path.as_bytes());
        it.under && rest.is_some_and(|rest| rest.starts_with(b"/"))
    };
    let alike = it.role == touch.kind && touch.kind != TouchKind::Test;
    alike && (it.path == touch.resolved || below())
}

/// What a segment says that did not happen.
fn missed(index: usize, segment: &Segment, trace: &Trace, done: &[Step]) -> Vec<Vec<u8>> {
    let as_planned = |exec: &Exec| segment.admits(&exec.argv) && segment.may_start_in(&exec.cwd);
    if trace.execs.iter().any(as_planned) {
        return Vec::new();
    }
    let mut missed = Vec::new();
    let like_it = |exec: &Exec| exec.argv.first().is_some_and(|it| segment.may_be_called(it));
    if trace.execs.iter().any(like_it) {
        missed.push(planned_run(segment));
    }
    let happened = |it: &PathUse| {
        let of_it = |step: &&Step| step.segment == Some(index) && !step.is_wrong;
        done.iter().filter(of_it).any(|step| step.text.ends_with(&it.path))
    };
    // To look at something is worth a line where looking at something is what is wrong.
    let looks = done.iter().any(|step| step.is_wrong && step.text.starts_with(b"test "));
    let tells = |it: &PathUse| !it.may && (looks || it.role != TouchKind::Test);
    let certain = |it: &&PathUse| tells(it) && !happened(it);
    missed.extend(segment.paths.iter().filter(certain).map(|it| {
        let below: &[u8] = if it.under { b" and below" } else { b"" };
        [it.role.name().as_bytes(), b" ", &it.path, below].concat()
    }));
    missed
}

fn planned_run(segment: &Segment) -> Vec<u8> {
    let words: Vec<Vec<u8>> = segment.argv.iter().map(shown).collect();
    let cwds = segment.cwd.as_ref().map(|all| joined(all, b" or "));
    run_line(&words.join(&b' '), &cwds.unwrap_or_else(|| b"any directory".to_vec()))
}

fn joined(texts: &[Text], between: &[u8]) -> Vec<u8> {
    texts.iter().map(Text::as_bytes).collect::<Vec<_>>().join(between)
}

fn run_line(argv: &[u8], cwd: &[u8]) -> Vec<u8> {
    [b"run ", argv, b"   in ", cwd].concat()
}

fn shown(word: &Word) -> Vec<u8> {
    match word {
        Word::Is(text) => text.to_vec(),
        Word::OneOf(texts) => [b"(", &joined(texts, b" or ")[..], b")"].concat(),
        Word::One(_) => b"(any word)".to_vec(),
        Word::Many(_) => b"(any words)".to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::uncovered;
    use crate::trace::{ShellId, Status};
    use shfence_corpus::Shell;

    fn exec(argv: &str, cwd: &str) -> Exec {
        let argv: Vec<Text> = argv.split(' ').map(Text::from).collect();
        Exec { pid: 2, argv, cwd: cwd.into(), path: "/bin/cat".into() }
    }

    fn touch(kind: TouchKind, resolved: &str) -> Touch {
        Touch { pid: 1, kind, text: "x".into(), resolved: resolved.into(), existed: true }
    }

    fn trace(touches: Vec<Touch>, execs: Vec<Exec>) -> Trace {
        Trace {
            processes: Vec::new(),
            doubts: Vec::new(),
            shell: ShellId { shell: Shell::Bash, name: "bash".into(), version: "1".into() },
            execs,
            touches,
            status: Status::Exited(0),
            cut: false,
            output: Text::default(),
        }
    }

    fn segment(argv: &str, cwd: &[&str], uses: &[(TouchKind, &str)]) -> Segment {
        let paths = uses.iter().map(|(role, path)| PathUse {
            path: (*path).into(),
            role: *role,
            ..PathUse::default()
        });
        Segment {
            span: [0, 0],
            cwd: Some(cwd.iter().map(|it| Text::from(*it)).collect()),
            argv: argv.split(' ').map(|word| Word::Is(word.into())).collect(),
            paths: paths.collect(),
        }
    }

    /// `cd a; cat x`, planned with a cd that always succeeds.
    fn plan() -> Plan {
        let a = "/case/proj/a";
        let read = [(TouchKind::Read, "/case/proj/a/x"), (TouchKind::Test, "/case/proj/a/y")];
        let cd = segment("cd a", &["/case/proj"], &[(TouchKind::Enter, a)]);
        Plan { segments: vec![cd, segment("cat x", &[a], &read)] }
    }

    fn texts(steps: &[Text]) -> Vec<String> {
        steps.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_happens_as_planned_stands_in_both() {
        let trace = trace(
            vec![
                touch(TouchKind::Enter, "/case/proj/a"),
                touch(TouchKind::Exec, "/bin/cat"),
                touch(TouchKind::Read, "/lib/libc.so.6"),
                touch(TouchKind::Test, "/case/proj/a/y"),
                touch(TouchKind::Read, "/case/proj/a/x"),
                touch(TouchKind::Read, "/case/proj/a/x"),
            ],
            vec![exec("cat x", "/case/proj/a")],
        );
        let steps = steps(Some(&plan()), &trace, &uncovered(&plan(), &trace));
        let expected = ["enter /case/proj/a", "read /case/proj/a/x", "run cat x   in /case/proj/a"];
        assert_eq!(texts(&steps.done), expected);
        assert_eq!(steps.planned, steps.done);
    }

    #[test]
    fn what_parts_stands_in_one() {
        let ran = Exec { pid: 1, ..exec("cat x", "/case/proj") };
        let trace = trace(vec![touch(TouchKind::Exec, "/bin/cat")], vec![ran]);
        let wrong = uncovered(&plan(), &trace);
        assert_eq!(wrong.len(), 1);
        let steps = steps(Some(&plan()), &trace, &wrong);
        assert_eq!(texts(&steps.done), ["run cat x   in /case/proj"]);
        let planned = ["enter /case/proj/a", "run cat x   in /case/proj/a", "read /case/proj/a/x"];
        assert_eq!(texts(&steps.planned), planned);
    }

    #[test]
    fn without_a_plan_only_what_is_wrong_is_not_planned() {
        let escape = touch(TouchKind::Read, "/case/outside/x");
        let wrong = Contradiction {
            kind: FindingKind::TreeEscape,
            effect: escape.kind,
            what: escape.resolved.clone(),
            text: escape.text.clone(),
            existed: true,
            pid: 1,
        };
        let trace = trace(vec![escape], vec![exec("cat x", "/case/proj")]);
        let steps = steps(None, &trace, &[wrong]);
        assert_eq!(texts(&steps.done), ["read /case/outside/x", "run cat x   in /case/proj"]);
        assert_eq!(texts(&steps.planned), ["run cat x   in /case/proj"]);
    }
}
