//! The normal form of a finding: kind, effect, cause, construct.
//!
//! It is taken from the minimised case, in which everything that does not matter is gone, so that
//! what is still there is the cause.

use crate::judge::Contradiction;
use crate::trace::{TouchKind, Trace};
use serde::{Deserialize, Serialize};
use shfence_corpus::{Case, FindingKind, Signature, TOP};
use shfence_generators::constructs::constructs;

/// How a touch came to lie where it lies, as far as it shows by itself. A case keeps it while it
/// shrinks: otherwise one cause would turn into another on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The path as given leads elsewhere than its names say.
    Link,
    /// It lies below the look-alike of the project.
    LookAlike,
    /// Neither.
    Direct,
}

/// The way of a contradiction.
pub fn way(contradiction: &Contradiction) -> Way {
    if contradiction.effect != TouchKind::Exec && !ends_as_it_says(contradiction) {
        Way::Link
    } else if below(&contradiction.what, "proj-evil") {
        Way::LookAlike
    } else {
        Way::Direct
    }
}

/// Does the place end in the names of the path that led there, `..` taken by the letter?
fn ends_as_it_says(contradiction: &Contradiction) -> bool {
    let mut names: Vec<&[u8]> = Vec::new();
    for name in contradiction.text.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    let place: Vec<&[u8]> =
        contradiction.what.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).collect();
    place.ends_with(&names)
}

/// The signature of a contradiction that this trace of a minimised case shows.
pub fn signature(case: &Case, contradiction: &Contradiction, trace: &Trace) -> Signature {
    let parts = [
        contradiction.kind.name(),
        contradiction.effect.name(),
        &cause(case, contradiction, trace),
        &construct(case),
    ];
    Signature::new(&parts).expect("all parts are names of this file")
}

/// Why it went where it went: what the case still holds of what moves a path, all of it, since
/// nothing is left in a minimised case that does not matter. If it holds nothing of that, how the
/// path is written.
fn cause(case: &Case, contradiction: &Contradiction, trace: &Trace) -> String {
    let entered = |existed: bool| {
        trace.touches.iter().any(|it| it.kind == TouchKind::Enter && it.existed == existed)
    };
    let has_link =
        case.tree.entries().any(|(_, node)| matches!(node, shfence_corpus::Node::Link { .. }));
    let cdpath = case.env.get("CDPATH").is_some_and(Option::is_some);
    let variables = !case.env.is_empty() || case.pwd.is_some();
    let movers = [
        ("cdpath", cdpath),
        ("environment", variables && !cdpath),
        ("link", has_link),
        ("look-alike", below(&contradiction.what, "proj-evil")),
        ("cd-failed", entered(false)),
        ("cd", entered(true) && !entered(false)),
    ];
    let moved = joined(&movers);
    if !moved.is_empty() {
        return moved;
    }
    let written = if contradiction.kind != FindingKind::TreeEscape {
        "reading"
    } else if contradiction.text.starts_with(b"/") {
        "absolute"
    } else {
        "dot-dot"
    };
    written.to_owned()
}

/// The names of those that are there.
fn joined(all: &[(&str, bool)]) -> String {
    let names: Vec<&str> = all.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    names.join("-")
}

/// Is it this directory below the top, or does it stand in it?
fn below(path: &[u8], directory: &str) -> bool {
    let rest = path.strip_prefix(format!("{TOP}/{directory}").as_bytes());
    rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// What is no construct of the text, or says only which path it is: the cause speaks of these.
const NOT_OF_THE_TEXT: [&str; 8] =
    ["cd", "dot-dot", "absolute", "quotes", "links", "environment", "pwd", "start-below"];

/// So many are named. A minimised case holds fewer.
const MOST_CONSTRUCTS: usize = 8;

/// The constructs of the line, each once, in the order of their list.
fn construct(case: &Case) -> String {
    let mut names = constructs(case);
    names.retain(|name| !NOT_OF_THE_TEXT.contains(name));
    if names.len() > MOST_CONSTRUCTS {
        names.truncate(MOST_CONSTRUCTS);
        names.push("more");
    }
    if names.is_empty() { "plain".to_owned() } else { names.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{ShellId, Status, Touch};
    use shfence_corpus::{Entry, Node, RelPath, Shell, Text, TreeSpec};

    fn contradiction(effect: TouchKind, what: &str, text: &str) -> Contradiction {
        let kind = FindingKind::TreeEscape;
        Contradiction { kind, effect, what: what.into(), text: text.into(), existed: true, pid: 1 }
    }

    #[test]
    fn constructs_are_those_of_the_text_outside_quotes() {
        let table = [
            ("cat a", "plain"),
            ("cd a; cat ../b", "semicolon"),
            ("cd a && cat 'b;c' || ls \"|\"", "and-or"),
            ("true | (cd a)", "pipe-subshell"),
            ("ls || ls", "or"),
            ("ls || ls | ls", "or-pipe"),
            ("{ cd a; } <b\ncat \\;", "semicolon-newline-group-input"),
            ("echo \"\\\"|\" '\\' | cat # a", "pipe-comment"),
            ("cat *", "pattern"),
            ("cat \"$(ls)\"", "substitution"),
            (
                "a && b || c; d\ne | f & (g) | { h; } >i *",
                "and-or-semicolon-newline-pipe-\
                background-subshell-group-more",
            ),
        ];
        for (line, expected) in table {
            assert_eq!(construct(&Case::new(line, TreeSpec::default())), expected, "{line}");
        }
    }

    #[test]
    fn the_way_is_a_link_a_look_alike_or_direct() {
        use TouchKind::{Enter, Exec, Read};
        let table = [
            (Read, "/case/outside/secret", "leak", Way::Link),
            (Read, "/case/outside/secret", "/case/proj/leak", Way::Link),
            (Enter, "/case/outside", "/case/proj/out", Way::Link),
            (Read, "/case/proj-evil/a", "link/a/..", Way::Link),
            (Read, "/case/outside/secret", "../outside/secret", Way::Direct),
            (Read, "/case/outside/secret", "secret", Way::Direct),
            (Read, "/case/outside/secret", "x/.././/secret", Way::Direct),
            (Enter, "/case", "..", Way::Direct),
            (Enter, "/", "/", Way::Direct),
            (Read, "/case/proj-evil/a", "../proj-evil/a", Way::LookAlike),
            (Enter, "/case/proj-evil", "/case/proj-evil", Way::LookAlike),
            (Read, "/case/proj-evil-2/a", "../proj-evil-2/a", Way::Direct),
            // Of a program, the place is its directory and the text its arguments.
            (Exec, "/case/outside", "cat a", Way::Direct),
            (Exec, "/case/proj-evil", "cat a", Way::LookAlike),
        ];
        for (effect, what, text, expected) in table {
            assert_eq!(way(&contradiction(effect, what, text)), expected, "{text} at {what}");
        }
    }

    /// A run in which a shell entered this, which was there or was not.
    fn trace(entered: Option<bool>) -> Trace {
        let enter = |existed| Touch {
            pid: 1,
            kind: TouchKind::Enter,
            text: "a".into(),
            resolved: "/case/proj/a".into(),
            existed,
        };
        Trace {
            processes: Vec::new(),
            doubts: Vec::new(),
            shell: ShellId { shell: Shell::Bash, name: "bash".into(), version: "1".into() },
            execs: Vec::new(),
            touches: entered.map(enter).into_iter().collect(),
            status: Status::Exited(0),
            cut: false,
            output: Text::default(),
        }
    }

    #[test]
    fn the_cause_is_what_the_case_still_holds() {
        let link = Node::Link { to: "../outside".into() };
        let entry = Entry { path: RelPath::new("proj/l").expect("a path"), node: link };
        let tree = TreeSpec::new([entry]).expect("a tree");
        let plain = Case::new("cat a; true", TreeSpec::default());
        let with_link = Case { tree, ..plain.clone() };
        let with_pwd = Case { pwd: Some("/case/x".into()), ..with_link.clone() };
        let with_env = |name: &str, value: Option<&str>| {
            let env = [(name.to_owned(), value.map(Text::from))].into();
            Case { env, ..with_link.clone() }
        };
        let evil = ("/case/proj-evil/a", "../proj-evil/a");
        let outside = ("/case/outside/a", "../outside/a");
        let absolute = ("/case/outside/a", "/case/outside/a");
        let table = [
            (with_env("CDPATH", Some("..")), evil, Some(false), "cdpath-link-look-alike-cd-failed"),
            (with_env("CDPATH", None), outside, Some(true), "environment-link-cd"),
            (with_env("HOME", Some("/")), outside, None, "environment-link"),
            (with_pwd, outside, None, "environment-link"),
            (with_link.clone(), outside, Some(false), "link-cd-failed"),
            (with_link, outside, None, "link"),
            (plain.clone(), evil, None, "look-alike"),
            (plain.clone(), absolute, Some(false), "cd-failed"),
            (plain.clone(), absolute, Some(true), "cd"),
            (plain.clone(), absolute, None, "absolute"),
            (plain.clone(), outside, None, "dot-dot"),
        ];
        for (case, (what, text), entered, expected) in table {
            let seen = contradiction(TouchKind::Read, what, text);
            let signature = signature(&case, &seen, &trace(entered));
            assert_eq!(signature.as_str(), format!("tree-escape/read/{expected}/semicolon"));
        }
        let kind = FindingKind::PlanMismatch;
        let other = Contradiction { kind, ..contradiction(TouchKind::Exec, "cat b", "cat b") };
        let signature = signature(&plain, &other, &trace(None));
        assert_eq!(signature.as_str(), "plan-mismatch/exec/reading/semicolon");
    }
}
