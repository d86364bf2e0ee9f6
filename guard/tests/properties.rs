//! What holds for every line: a verdict, in bounded work, and none that a harmless change of the
//! text turns from ask into allow.

mod lines;

use lines::{Part, line, noisy, render};
use proptest::prelude::*;
use shfence::{Cwd, Cwds, Decision, Dialects, Env, FsView, Invocation, Kind, Limits, MemoryView};
use shfence::{Glance, NoView, Plan, Policy, Request, Scope, Verdict, decide, decide_on};
use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A project with links in it, and something beside it.
fn project() -> MemoryView {
    let mut view = MemoryView::default();
    view.file("/p/src/main.rs", "fn main() {}").file("/p/a/b/f", "").dir("/p/a/src");
    view.link("/p/link", "a/b")
        .link("/p/out", "/etc")
        .link("/p/loop", "loop")
        .file("/etc/passwd", "");
    view
}

fn ask(line: &[u8], pwd: Option<&str>, invocation: Invocation, view: &dyn FsView) -> Verdict {
    let scope = Scope::new(&["/p".into()], view).expect("the project has a root");
    decide(&request(line, pwd, invocation, &scope), view)
}

fn request<'a>(
    line: &'a [u8],
    pwd: Option<&'a str>,
    invocation: Invocation,
    scope: &'a Scope,
) -> Request<'a> {
    static EMPTY: Env = Env::new();
    static POLICY: LazyLock<Policy> = LazyLock::new(Policy::default);
    Request {
        line,
        cwd: Cwd { dir: Path::new("/p"), pwd: pwd.map(Path::new) },
        scope,
        home: Some(Path::new("/p/a")),
        env: &EMPTY,
        dialects: Dialects::ALL,
        invocation,
        policy: &POLICY,
        limits: Limits::default(),
    }
}

fn judge(line: &str) -> Verdict {
    ask(line.as_bytes(), Some("/p"), Invocation::C, &project())
}

fn plan(line: &str) -> Plan {
    judge(line).plan.unwrap_or_else(|stop| panic!("{line:?} is not understood: {stop}"))
}

/// Counts how often it is asked, and insists on absolute paths.
struct Watched<V> {
    view: V,
    calls: Cell<usize>,
}

impl<V> Watched<V> {
    fn new(view: V) -> Watched<V> {
        Watched { view, calls: Cell::new(0) }
    }

    fn note(&self, path: &Path) {
        assert!(path.is_absolute(), "the view is asked for {path:?}");
        self.calls.set(self.calls.get() + 1);
    }
}

impl<V: FsView> FsView for Watched<V> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.note(path);
        self.view.kind(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(path);
        self.view.read_link(path)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        self.note(path);
        self.view.list(path, budget)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.note(path);
        self.view.read(path, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.note(path);
        self.view.enterable(path)
    }

    fn sees(&self) -> bool {
        self.view.sees()
    }
}

/// All spans of a verdict lie in the line, and cut no character of it.
fn check_spans(line: &[u8], verdict: &Verdict) {
    let plan = verdict.plan.as_ref();
    let segments = plan.map_or(&[][..], |plan| &plan.segments);
    let of_plan = segments
        .iter()
        .flat_map(|it| std::iter::once(it.span).chain(it.paths.iter().map(|path| path.span)));
    let of_reasons = verdict.reasons.iter().map(|reason| reason.span);
    let of_stop = verdict.plan.as_ref().err().map(|stop| stop.span);
    let text = std::str::from_utf8(line).ok();
    for span in of_plan.chain(of_reasons).chain(of_stop) {
        assert!(span.start <= span.end && span.end as usize <= line.len(), "{span:?}");
        assert!(text.is_none_or(|text| text.get(span.range()).is_some()), "{span:?}");
    }
}

const INVOCATIONS: [Invocation; 5] =
    [Invocation::C, Invocation::Eval, Invocation::Parens, Invocation::JsonEval, Invocation::Typed];

/// Bytes that shells take for more than themselves, more often than others.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let special =
        prop::sample::select(&b"'\"\\`$;&|<>(){}[]*?~#!=^ \t\n\0-./:azAZ09cd\xc3\xa9"[..]);
    prop::collection::vec(prop_oneof![4 => special, 1 => any::<u8>()], 0..80)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        // A counterexample becomes a test of its own, by hand.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_text_gets_a_verdict(line in bytes(), pwd in prop::option::of(Just("/p"))) {
        let view = Watched::new(project());
        for invocation in INVOCATIONS {
            for view in [&view as &dyn FsView, &NoView] {
                let verdict = ask(&line, pwd, invocation, view);
                check_spans(&line, &verdict);
                prop_assert_eq!(verdict.reasons.is_empty(), verdict.decision == Decision::Allow);
            }
        }
    }

    #[test]
    fn every_line_gets_a_verdict(parts in noisy(), pwd in prop::option::of(Just("/p"))) {
        let line = render(&parts);
        let verdict = ask(line.as_bytes(), pwd, Invocation::C, &Watched::new(project()));
        check_spans(line.as_bytes(), &verdict);
        prop_assert_eq!(verdict.reasons.is_empty(), verdict.decision == Decision::Allow);
    }

    /// The generated lines are what they are meant to be: without noise, the guard reads them.
    #[test]
    fn lines_without_noise_are_understood(parts in line()) {
        plan(&render(&parts));
    }

    #[test]
    fn more_commands_never_make_it_better(parts in line(), more in line()) {
        let (line, more) = (render(&parts), render(&more));
        let joined = judge(&format!("{line}; {more}"));
        if judge(&line).decision == Decision::Ask {
            prop_assert_eq!(joined.decision, Decision::Ask);
        }
        // A file that is made later may be a name that a pattern matches: in a loop, say.
        if line.contains(['*', '[']) && more.contains('>') { return Ok(()) }
        let (alone, joined) = (plan(&line).segments, joined.plan.expect("both are understood"));
        prop_assert_eq!(&alone[..], &joined.segments[..alone.len()]);
    }

    #[test]
    fn grouping_never_makes_it_better(parts in line()) {
        let line = render(&parts);
        // `((` is arithmetic for some.
        let groups =
            [format!("{{ {line}; }}"), format!("{{ {line}\n}}"), format!("(true; {line})")];
        for grouped in groups {
            prop_assert_eq!(judge(&grouped).decision, judge(&line).decision, "{}", grouped);
        }
        if !line.starts_with('(') {
            prop_assert_eq!(judge(&format!("( {line} )")).decision, judge(&line).decision);
        }
    }

    #[test]
    fn a_glance_that_has_served_others_answers_alike(first in noisy(), second in noisy()) {
        let view = project();
        let glance = Glance::at(&view);
        let scope = Scope::new(&["/p".into()], &view).expect("the project has a root");
        for parts in [&first, &second, &first] {
            let line = render(parts);
            let request = request(line.as_bytes(), Some("/p"), Invocation::C, &scope);
            let (alone, shared) = (decide(&request, &view), decide_on(&request, &glance));
            prop_assert_eq!(format!("{alone:?}"), format!("{shared:?}"), "{:?}", line);
        }
    }

    #[test]
    fn a_newline_is_a_semicolon(parts in line()) {
        let newlines: Vec<Part> = parts
            .iter()
            .map(|part| if *part == Part::Semicolon { Part::Text("\n") } else { part.clone() })
            .collect();
        let (before, after) = (plan(&render(&parts)), plan(&render(&newlines)));
        prop_assert_eq!(before, after);
    }

    #[test]
    fn quoting_never_makes_it_better(parts in noisy(), at in any::<prop::sample::Index>()) {
        let at = at.index(parts.len());
        let Part::Word(word) = &parts[at] else { return Ok(()) };
        // Inside quotes that the noise has opened, quotes are no quotes.
        if render(&parts).contains(['"', '\'', '\\']) { return Ok(()) }
        let mut quoted = parts.clone();
        quoted[at] = Part::Word(format!("'{word}'"));
        if judge(&render(&parts)).decision == Decision::Ask {
            prop_assert_eq!(judge(&render(&quoted)).decision, Decision::Ask);
        }
    }

    /// `a && b` runs `b` in fewer places than `a; b`, and so does `a || b`.
    #[test]
    fn places_grow_where_an_exit_status_no_longer_counts(
        parts in line(),
        last in lines::command(),
        or in any::<bool>(),
    ) {
        let (line, last) = (render(&parts), render(&last));
        // What a pattern stands for depends on the place: other segments, then. So does `$(pwd)`,
        // which makes more of them where braces do.
        let braces = |it: &str| it.contains("$(pwd)") && it.contains(',');
        let depends = |it: &str| it.contains(['*', '[']) || braces(it);
        if depends(&line) || depends(&last) { return Ok(()) }
        let fewer = plan(&format!("{line} {} {last}", if or { "||" } else { "&&" }));
        let more = plan(&format!("{line} ; {last}"));
        prop_assert_eq!(fewer.segments.len(), more.segments.len());
        for (fewer, more) in fewer.segments.iter().zip(&more.segments) {
            match (&fewer.cwd, &more.cwd) {
                (_, Cwds::Unknown) => {}
                (Cwds::Unknown, Cwds::Known(list)) => prop_assert!(false, "unknown in {list:?}"),
                (Cwds::Known(fewer), Cwds::Known(more)) => {
                    prop_assert!(fewer.iter().all(|cwd| more.contains(cwd)), "{fewer:?} {more:?}");
                }
            }
        }
    }

    /// Where there is no link and everything is there, seeing changes nothing.
    #[test]
    fn without_links_a_lexical_verdict_is_the_verdict(parts in lines::of_paths_that_are_there()) {
        let mut view = MemoryView::default();
        view.file("/p/src/main.rs", "").file("/p/a/b/f", "").file("/q/f", "");
        let line = render(&parts);
        let with = |view: &dyn FsView| ask(line.as_bytes(), Some("/p"), Invocation::C, view);
        let (lexical, seeing) = (with(&NoView), with(&view));
        prop_assert_eq!(lexical.decision, seeing.decision, "{}", line);
        prop_assert!(lexical.lexical && !seeing.lexical);
    }
}

/// A name, and a text of about so many bytes.
type Hostile = (&'static str, fn(usize) -> String);

/// Texts that cost a careless reader more than their length.
const HOSTILE: &[Hostile] = &[
    ("parentheses", |n| "(".repeat(n)),
    ("braces", |n| "{ ".repeat(n / 2)),
    ("closed groups", |n| "{ (a);};".repeat(n / 8)),
    ("quotes", |n| format!("echo {}", "'a'b".repeat(n / 4))),
    ("open quotes", |n| format!("echo {}", "\"'\" ".repeat(n / 4))),
    ("commands", |n| "a;".repeat(n / 2)),
    ("pipes", |n| format!("{}a", "a|".repeat(n / 2))),
    ("comments", |n| format!("{}a", "# a\n".repeat(n / 4))),
    ("blank comments", |n| format!("{}a", "   # a\n".repeat(n / 7))),
    ("continuations", |n| format!("a {}b", " \\\n ".repeat(n / 4))),
    ("words", |n| format!("cat {}", "a ".repeat(n / 2))),
    ("words outside", |n| format!("cat {}", "/x ".repeat(n / 3))),
    ("redirections", |n| format!("cat {}", "</x ".repeat(n / 4))),
    ("an option behind operands", |n| format!("cat {}-n", "a ".repeat(n / 2))),
    ("operands of a tool without options", |n| format!("realpath {}", "a ".repeat(n / 2))),
    ("a pattern of many pieces", |n| format!("cat {}", "'a'*".repeat(n / 4))),
    ("a word of many values", |n| format!("echo \"{}\"", "$HOME".repeat(n / 5))),
    ("patterns", |n| format!("cat {}", "a/*b ".repeat(n / 5))),
    ("a deep path", |n| format!("cat {}", "a/".repeat(n / 2))),
    ("a climb", |n| format!("cat {}", "../".repeat(n / 3))),
    ("a cd of a climb", |n| format!("cd {}", "../".repeat(n / 3))),
    ("a cd up and down", |n| format!("cd {}", "a/../".repeat(n / 5))),
    ("cds to and fro", |n| "cd a;cd ..;".repeat(n / 11)),
    ("places times paths", |n| {
        format!("{}cat {}", "true|cd a;".repeat(12), "../../../../../../x ".repeat(n / 20))
    }),
];

/// Every `cd` of these makes the path longer that the next one walks: quadratic, up to the cap on
/// the number of commands.
const DEEPER: &[Hostile] = &[
    ("cds ever deeper", |n| "cd a;".repeat(n / 5)),
    ("cds that may fail", |n| "true|cd a;".repeat(n / 10)),
];

/// Twice the text, hardly more than twice the looks: counted, since a clock also measures others.
#[test]
fn the_view_is_asked_in_proportion_to_the_text() {
    for (name, text) in HOSTILE {
        for pwd in [Some("/p"), None] {
            let calls = |length| {
                let (seeing, lexical) = (Watched::new(project()), Watched::new(NoView));
                ask(text(length).as_bytes(), pwd, Invocation::C, &seeing);
                ask(text(length).as_bytes(), pwd, Invocation::C, &lexical);
                seeing.calls.get() + lexical.calls.get()
            };
            let (once, twice) = (calls(2_000), calls(4_000));
            assert!(twice <= 3 * once + 200, "{name}, pwd {pwd:?}: {once}, then {twice}");
        }
    }
}

/// The worst take a tenth of a second unoptimised: what does not scale takes minutes.
#[test]
fn the_longest_texts_are_judged_in_time() {
    for (name, text) in HOSTILE.iter().chain(DEEPER) {
        // More commands than are allowed end the reading: both sides of that cap are tried.
        for (length, pwd) in [(64 * 1024 - 200, None), (4_800, None), (4_800, Some("/p"))] {
            for view in [&project() as &dyn FsView, &NoView] {
                let line = text(length);
                let start = Instant::now();
                ask(line.as_bytes(), pwd, Invocation::C, view);
                let took = start.elapsed();
                println!("{name}: {took:?}");
                assert!(took < Duration::from_secs(5), "{name}, pwd {pwd:?}: {took:?}");
            }
        }
    }
}
