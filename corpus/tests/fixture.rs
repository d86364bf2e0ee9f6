//! Fixtures as files: what is rejected and where, and that nothing is lost on the way.

use proptest::prelude::*;
use shfence_corpus::{
    Accepted, Case, Decision, Entry, Env, FindingKind, Fixture, Found, Invocation, Node, RelPath,
    Shell, Shells, Text, TreeSpec,
};
use std::path::Path;

/// A fixture that is right, for the tests to spoil.
const RIGHT: &str = r#"schema = 1
title = "a cd that fails leaves the next command where it was"
shells = ["bash", "sh"]
line = 'cd nosuch; cat ../outside/secret'
expect = ["ask", "deny"]
escapes = ["bash"]
cwd = "proj/src"
unset = ["HOME"]

[env]
CDPATH = "/case/outside"

[[tree]]
dir = "proj/src"

[[tree]]
file = "outside/secret"
text = "marker:1"

[[tree]]
link = "proj/link"
to = "../outside"

[[accepted]]
kind = "tree-escape"
shells = ["bash"]
reason = "looked at"
"#;

/// Writes the text as a fixture and loads it.
fn load(source: &str) -> Result<Fixture, String> {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let path = folder.path().join("area.feature.detail.toml");
    std::fs::write(&path, source).expect("a file in it");
    Fixture::load(&path).map_err(|error| {
        let message = error.to_string();
        let file = path.display().to_string();
        message.strip_prefix(&file).expect("the message begins with the file").to_owned()
    })
}

/// What loading says when `right` is replaced by `wrong`.
fn complaint(right: &str, wrong: &str) -> String {
    assert_eq!(RIGHT.matches(right).count(), 1, "{right:?} is not there once");
    load(&RIGHT.replace(right, wrong)).expect_err("what is wrong must be rejected")
}

#[test]
fn what_is_right_is_understood() {
    let fixture = load(RIGHT).unwrap();
    assert_eq!(fixture.name, "area.feature.detail");
    assert_eq!(fixture.case.line, Text::from("cd nosuch; cat ../outside/secret"));
    assert_eq!(fixture.case.cwd.to_string(), "proj/src");
    assert_eq!(fixture.case.env.get("HOME"), Some(&None));
    assert_eq!(fixture.case.env.get("CDPATH"), Some(&Some(Text::from("/case/outside"))));
    assert_eq!(fixture.case.tree.len(), 3);
    assert_eq!(fixture.escapes, Shells::only(Shell::Bash));
    assert_eq!(fixture.expect, [Decision::Ask, Decision::Deny]);
}

/// Each with the line of the file that the message must name, and a part of what it must say.
#[test]
fn what_is_wrong_is_rejected_with_its_line() {
    let second_secret = "[[tree]]\nfile = \"outside/secret\"\ntext = \"again\"\n\n[[accepted]]";
    let below_link = "[[tree]]\nfile = \"proj/link/x\"\n\n[[accepted]]";
    let base = "[[tree]]\nfile = \"home\"\n\n[[accepted]]";
    let cases = [
        ("schema = 1", "schema = 2", 1, "schema 2"),
        ("title = ", "titel = ", 2, "titel"),
        ("text = \"marker:1\"", "content = \"marker:1\"", 18, "content"),
        ("reason = ", "because = ", 27, "because"),
        ("\"sh\"]", "\"fish\"]", 3, "fish"),
        ("\"sh\"]", "\"bash\"]", 3, "different shells"),
        ("[\"bash\", \"sh\"]", "[]", 3, "at least one"),
        ("\"ask\", ", "\"maybe\", ", 5, "maybe"),
        ("[\"ask\", \"deny\"]", "[]", 5, "expect"),
        ("escapes = [\"bash\"]", "escapes = [\"zsh\"]", 6, "zsh"),
        ("cwd = \"proj/src\"", "cwd = \"proj/nosuch\"", 7, "proj/nosuch"),
        ("cwd = \"proj/src\"", "cwd = \"proj/link\"", 7, "proj/link"),
        ("cwd = \"proj/src\"", "cwd = \"../proj\"", 7, ".."),
        ("unset = [\"HOME\"]", "unset = [\"CDPATH\"]", 8, "CDPATH"),
        ("unset = [\"HOME\"]", "unset = [\"A=B\"]", 8, "A=B"),
        ("CDPATH = \"/case/outside\"", "CDPATH = { hex = \"4\" }", 11, "hex"),
        ("CDPATH = \"/case/outside\"", "\"A=B\" = \"\"", 11, "A=B"),
        ("dir = \"proj/src\"", "dir = \"proj/../src\"", 14, ".."),
        ("dir = \"proj/src\"", "dir = \"/proj/src\"", 14, "absolute"),
        ("dir = \"proj/src\"", "dir = \"proj/src\"\nto = \"x\"", 13, "'dir'"),
        ("text = \"marker:1\"", "link = \"outside/secret\"", 16, "'file'"),
        ("to = \"../outside\"", "to = \"\"", 20, "target"),
        ("link = \"proj/link\"\nto = \"../outside\"", "", 20, "one of dir, file, link"),
        ("[[accepted]]", second_secret, 24, "twice"),
        ("[[accepted]]", below_link, 24, "no directory"),
        ("[[accepted]]", base, 24, "always a directory"),
        ("shells = [\"bash\"]\nreason", "shells = [\"zsh\"]\nreason", 24, "zsh"),
        ("line = 'cd nosuch; cat ../outside/secret'", "line = {hex = \"0g\"}", 4, "hex"),
        ("line = 'cd nosuch; cat ../outside/secret'", "line = \"\\u0000\"", 4, "NUL"),
        ("schema = 1", "schema = 1\nschema = 1", 2, "duplicate"),
    ];
    for (right, wrong, line, says) in cases {
        let message = complaint(right, wrong);
        let place = format!(":{line}: ");
        assert!(message.starts_with(&place), "{wrong:?} is in line {line}, not as in {message:?}");
        assert!(message.contains(says), "{wrong:?}: {message:?} does not say {says:?}");
    }
}

#[test]
fn a_file_that_is_named_or_encoded_wrongly_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let error = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Fixture::load(&path).unwrap_err().to_string()
    };
    assert!(error("a b.toml", RIGHT.as_bytes()).contains("area.feature.detail"));
    assert!(error("a..b.toml", RIGHT.as_bytes()).contains("area.feature.detail"));
    assert!(error("a.b.c.toml", b"schema = \xff").contains("a.b.c.toml"));
    let missing = Fixture::load(&folder.path().join("no.such.file.toml")).unwrap_err();
    assert!(missing.to_string().contains("no.such.file.toml: cannot be read"));
}

#[test]
fn the_example_of_the_readme_is_a_fixture() {
    let readme = include_str!("../README.md");
    let (_, example) = readme.split_once("```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let fixture = load(example).unwrap();
    assert!(fixture.found.is_some(), "it shows every field but one");
    let accepted = readme.split("```toml\n").find(|it| it.starts_with("[[accepted]]")).unwrap();
    let (accepted, _) = accepted.split_once("```").unwrap();
    let fixture = load(&format!("{example}\n{accepted}")).unwrap();
    assert!(!fixture.accepted.is_empty());
}

#[test]
fn every_fixture_of_the_corpus_stands_where_its_name_says_and_keeps_the_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let fixtures = Fixture::load_all(std::slice::from_ref(&folder)).unwrap();
    let mut never = 0;
    for fixture in &fixtures {
        let name = &fixture.name;
        let area = name.split('.').next().unwrap();
        assert!(
            folder.join(area).join(format!("{name}.toml")).is_file(),
            "{name} stands elsewhere"
        );
        assert_eq!(name.split('.').count(), 3, "{name} is not area.feature.detail");
        let title = &fixture.title;
        assert!(title.ends_with('.') && !title.contains('\n'), "{name}: the title is no sentence");
        let must_ask = fixture.expect == [Decision::Ask, Decision::Deny];
        assert!(must_ask || fixture.expect == [Decision::Allow], "{name} expects something else");
        assert!(must_ask || fixture.escapes.is_empty(), "{name} escapes and is to be allowed");
        never += usize::from(must_ask);
    }
    assert!(never >= 25 && fixtures.len() - never >= 15, "{never} of {}", fixtures.len());
}

fn any_text() -> impl Strategy<Value = Text> {
    let bytes = prop::collection::vec(1..=255u8, 0..12).prop_map(Text::from);
    let shell = "[a-z'\"\\\\\\n\\r\\t#\u{1}\u{7f}é ]{0,12}".prop_map(Text::from);
    let marks = prop::sample::select(vec!["'''", "\"\"\"", "\n'''", "\\", "\r\n", "''''\"\"\"\""]);
    let quotes = prop::collection::vec(marks, 0..4).prop_map(|parts| Text::from(parts.concat()));
    prop_oneof![bytes, shell, quotes]
}

fn any_shells() -> impl Strategy<Value = Shells> {
    prop::sample::subsequence(Shell::ALL.to_vec(), 1..=3)
        .prop_map(|list| list.into_iter().collect())
}

fn any_tree() -> impl Strategy<Value = TreeSpec> {
    let name = prop_oneof!["[a-c]{1,2}".prop_map(Text::from), any_text()];
    let path =
        (prop::sample::select(vec!["proj", "outside", "new"]), prop::collection::vec(name, 1..3))
            .prop_filter_map("no path", |(top, names)| {
                let names = names.iter().flat_map(|name| [b"/", &name[..]].concat());
                RelPath::new(top.bytes().chain(names).collect::<Vec<u8>>()).ok()
            });
    let node = prop_oneof![
        Just(Node::Dir),
        (any_text(), any::<bool>()).prop_map(|(text, executable)| Node::File { text, executable }),
        any_text().prop_filter("a target", |to| !to.is_empty()).prop_map(|to| Node::Link { to }),
    ];
    prop::collection::vec((path, node), 0..5).prop_map(|entries| {
        // What makes no tree together with the entries before it is left out.
        let mut kept: Vec<Entry> = Vec::new();
        for (path, node) in entries {
            kept.push(Entry { path, node });
            if TreeSpec::new(kept.clone()).is_err() {
                kept.pop();
            }
        }
        TreeSpec::new(kept).expect("each entry was tried")
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    let env = prop::collection::btree_map("[A-Z_.é-]{1,3}", prop::option::of(any_text()), 0..3);
    let cwd = any::<prop::sample::Index>();
    let setting = (env, prop::option::of(any_text()), cwd, 0..Invocation::ALL.len(), any_shells());
    (any_text(), any_tree(), setting).prop_map(
        |(line, tree, (env, pwd, cwd, invocation, shells)): (_, _, (Env, _, _, usize, _))| {
            let planted = tree.planted();
            let dirs: Vec<&RelPath> =
                planted.iter().filter(|(_, n)| **n == Node::Dir).map(|(path, _)| path).collect();
            let cwd = (*cwd.get(&dirs)).clone();
            let invocation = Invocation::ALL[invocation];
            Case { env, pwd, cwd, invocation, shells, ..Case::new(line, tree) }
        },
    )
}

fn any_fixture() -> impl Strategy<Value = Fixture> {
    let decision = prop::sample::select(vec![Decision::Allow, Decision::Ask, Decision::Deny]);
    let expect = prop::collection::vec(decision, 1..4);
    let found = prop::option::of((any::<u64>(), any::<u64>(), ".{0,8}"));
    let accepted = (prop::sample::select(FindingKind::ALL.to_vec()), ".{0,8}");
    (any_case(), ".{0,12}", expect, found, prop::collection::vec(accepted, 0..2), any::<bool>())
        .prop_map(|(case, title, expect, found, accepted, escapes)| Fixture {
            name: "area.feature.detail".to_owned(),
            title,
            expect,
            escapes: if escapes { case.shells } else { Shells::NONE },
            accepted: accepted
                .into_iter()
                .map(|(kind, reason)| Accepted { kind, shells: case.shells, reason })
                .collect(),
            found: found.map(|(seed, index, repro)| Found { seed, index, repro }),
            case,
        })
}

proptest! {
    #[test]
    fn any_fixture_survives_being_saved(fixture in any_fixture()) {
        let folder = tempfile::tempdir().unwrap();
        let path = fixture.save(folder.path()).map_err(|error| {
            TestCaseError::fail(format!("{error}\n{}", fixture.to_toml()))
        })?;
        prop_assert!(path.ends_with("area/area.feature.detail.toml"));
        let all = Fixture::load_all(&[folder.path().to_owned()]).unwrap();
        prop_assert_eq!(all, vec![fixture]);
    }

    #[test]
    fn any_text_is_a_fixture_or_an_error(source in "(schema = 1\n)?[ -~\n]{0,60}") {
        let _ = load(&source);
    }
}
