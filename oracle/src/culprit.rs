//! Which pieces of a line a contradiction comes from: the words that name what was touched, or else
//! the segments that did it. It is for people, who see carets there, and decides nothing.

use crate::judge::Contradiction;
use crate::prediction::{PathUse, Plan, Segment};
use crate::trace::{Exec, TouchKind, Trace};
use shfence_corpus::{FindingKind, Text};

/// Ranges of bytes of the line, in its order and apart from each other; none if it is not known.
pub fn culprits(
    line: &[u8],
    plan: Option<&Plan>,
    trace: &Trace,
    seen: &Contradiction,
) -> Vec<[u32; 2]> {
    let is_program = seen.effect == TouchKind::Exec && seen.kind != FindingKind::TreeEscape;
    let Some(plan) = plan else {
        return if is_program { Vec::new() } else { named_in(line, &seen.text).collect() };
    };
    let suspects = suspects(plan, trace, seen);
    let whole = || suspects.iter().map(|it| it.span).collect();
    if is_program {
        return in_order(whole());
    }
    let uses = || suspects.iter().flat_map(|it| &it.paths);
    let names = |it: &&PathUse| slice(line, it.span).is_some_and(|word| names(word, &seen.text));
    let named: Vec<[u32; 2]> = uses().filter(names).map(|it| it.span).collect();
    let alike = || uses().filter(|it| it.role == seen.effect).map(|it| it.span);
    match (named.is_empty(), program_of(trace, seen.pid)) {
        (false, _) => in_order(named),
        (true, Some(_)) => in_order(whole()),
        // Of what the shell itself did: whatever does the like.
        (true, None) => in_order(alike().collect()),
    }
}

/// The segments that may be what did it: those that admit the program, or at least its name. What a
/// shell did itself may be of any.
fn suspects<'p>(plan: &'p Plan, trace: &Trace, seen: &Contradiction) -> Vec<&'p Segment> {
    let Some(exec) = program_of(trace, seen.pid) else { return plan.segments.iter().collect() };
    let admitting = |argv: &dyn Fn(&Segment) -> bool| {
        plan.segments.iter().filter(|it| argv(it)).collect::<Vec<_>>()
    };
    let exactly = admitting(&|it| it.admits(&exec.argv));
    match exactly.is_empty() {
        true => admitting(&|it| exec.argv.first().is_some_and(|name| it.may_be_called(name))),
        false => exactly,
    }
}

/// What a process last executed, or the nearest of those that made it; nothing of a shell.
pub(crate) fn program_of(trace: &Trace, mut pid: u32) -> Option<&Exec> {
    // A process has a number that is higher than that of the one that made it.
    loop {
        if let Some(exec) = trace.execs.iter().rev().find(|it| it.pid == pid) {
            return Some(exec);
        }
        let process = trace.process(pid)?;
        pid = process.parent.filter(|parent| *parent < pid)?;
    }
}

fn slice(line: &[u8], [start, end]: [u32; 2]) -> Option<&[u8]> {
    line.get(start as usize..end as usize)
}

/// Does a word, as it stands in the line, name this path, or a directory above it?
fn names(word: &[u8], path: &[u8]) -> bool {
    let bare: Vec<u8> = word.iter().copied().filter(|it| !b"'\"\\".contains(it)).collect();
    let redirected = bare.iter().take_while(|it| b"0123456789<>&| ".contains(it)).count();
    let [bare, target] = [&bare[..], &bare[redirected..]];
    let begins = |word: &[u8]| {
        let rest = path.strip_prefix(word.strip_suffix(b"/").unwrap_or(word));
        !word.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    let value = bare.iter().position(|it| *it == b'=').map(|at| &bare[at + 1..]);
    begins(bare) || begins(target) || value.is_some_and(begins)
}

/// Where the path stands in the line as it is, first of all.
fn named_in<'l>(line: &'l [u8], path: &'l Text) -> impl Iterator<Item = [u32; 2]> + 'l {
    let all = line.windows(path.len().max(1)).enumerate();
    let found = all.filter(|(_, part)| *part == path.as_bytes()).take(1);
    found.filter_map(|(at, part)| {
        Some([u32::try_from(at).ok()?, u32::try_from(at + part.len()).ok()?])
    })
}

fn in_order(mut spans: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    spans.sort_unstable();
    let mut apart: Vec<[u32; 2]> = Vec::new();
    for [start, end] in spans {
        match apart.last_mut() {
            Some(last) if start <= last[1] => last[1] = last[1].max(end),
            _ => apart.push([start, end]),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prediction::Word;
    use crate::trace::{Process, ShellId, Status};
    use shfence_corpus::Shell;

    const LINE: &str = "cd nosuch; cat ../outside/secret >'o u'; cat b";

    fn span(piece: &str) -> [u32; 2] {
        let at = LINE.find(piece).expect("a piece of the line") as u32;
        [at, at + piece.len() as u32]
    }

    fn segment(piece: &str, argv: &str, uses: &[(TouchKind, &str)]) -> Segment {
        let argv = argv.split(' ').map(|word| Word::Is(word.into())).collect();
        let paths = uses.iter().map(|(role, word)| PathUse {
            path: "/case/proj/x".into(),
            role: *role,
            span: span(word),
            ..PathUse::default()
        });
        Segment { span: span(piece), cwd: None, argv, paths: paths.collect() }
    }

    fn plan() -> Plan {
        let cat = "cat ../outside/secret";
        let uses = [(TouchKind::Read, "../outside/secret"), (TouchKind::Write, "'o u'")];
        Plan {
            segments: vec![
                segment("cd nosuch", "cd nosuch", &[(TouchKind::Enter, "nosuch")]),
                segment("cat ../outside/secret >'o u'", cat, &uses),
                segment("cat b", "cat b", &[(TouchKind::Read, "b")]),
            ],
        }
    }

    /// The shell is process 1, `cat …` process 2, and what that started without a program 3.
    fn trace(argv: &str) -> Trace {
        let process = |parent| Process { parent, cwd: Text::default(), ended: None };
        let argv = argv.split(' ').map(Text::from).collect();
        Trace {
            processes: vec![process(None), process(Some(1)), process(Some(2))],
            doubts: Vec::new(),
            shell: ShellId { shell: Shell::Bash, name: "bash".into(), version: "1".into() },
            execs: vec![Exec { pid: 2, argv, cwd: Text::default(), path: "/bin/cat".into() }],
            touches: Vec::new(),
            status: Status::Exited(0),
            cut: false,
            output: Text::default(),
        }
    }

    fn pieces(plan: Option<&Plan>, argv: &str, seen: &Contradiction) -> Vec<String> {
        let spans = culprits(LINE.as_bytes(), plan, &trace(argv), seen);
        let text = |[start, end]: &[u32; 2]| LINE[*start as usize..*end as usize].to_owned();
        spans.iter().map(text).collect()
    }

    fn seen(pid: u32, kind: FindingKind, effect: TouchKind, text: &str) -> Contradiction {
        Contradiction { kind, effect, what: "/case".into(), text: text.into(), existed: true, pid }
    }

    #[test]
    fn the_word_that_names_it_is_the_culprit_or_else_who_did_it() {
        use FindingKind::{GroupEscape, PlanMismatch, TreeEscape};
        use TouchKind::{Enter, Exec, List, Read, Write};
        let cat = "cat ../outside/secret";
        type Row<'a> = (&'a str, Contradiction, &'a [&'a str]);
        let table: [Row<'_>; 10] = [
            (cat, seen(2, TreeEscape, Read, "../outside/secret"), &["../outside/secret"]),
            (cat, seen(3, TreeEscape, Read, "../outside/secret/x"), &["../outside/secret"]),
            (cat, seen(2, TreeEscape, Read, "/etc/x"), &["cat ../outside/secret >'o u'"]),
            (cat, seen(1, TreeEscape, Write, "o u"), &["'o u'"]),
            (cat, seen(1, GroupEscape, Enter, "nosuch"), &["nosuch"]),
            (cat, seen(1, GroupEscape, Enter, "/case/x"), &["nosuch"]),
            (cat, seen(1, TreeEscape, List, "/case/x"), &[]),
            (cat, seen(2, GroupEscape, Exec, cat), &["cat ../outside/secret >'o u'"]),
            (
                "cat c",
                seen(2, PlanMismatch, Exec, "cat c"),
                &["cat ../outside/secret >'o u'", "cat b"],
            ),
            ("ls", seen(2, PlanMismatch, Exec, "ls"), &[]),
        ];
        for (argv, seen, expected) in table {
            assert_eq!(pieces(Some(&plan()), argv, &seen), expected, "{argv}: {seen:?}");
        }
    }

    #[test]
    fn without_a_plan_it_is_the_path_as_it_stands_in_the_line() {
        use FindingKind::TreeEscape;
        let of = |text| pieces(None, "cat b", &seen(2, TreeEscape, TouchKind::Read, text));
        assert_eq!(of("../outside/secret"), ["../outside/secret"]);
        assert_eq!(of("/etc/x"), [""; 0]);
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn spans_beyond_the_line_name_nothing() {
        let mut plan = plan();
        plan.segments[1].paths[0].span = [40, 4_000];
        let seen = seen(2, FindingKind::TreeEscape, TouchKind::Read, "../outside/secret");
        assert_eq!(pieces(Some(&plan), "cat ../outside/secret", &seen).len(), 1);
    }
}
