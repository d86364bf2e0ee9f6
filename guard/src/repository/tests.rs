//! Configuration files, index files, and the repositories that are found.

use super::config::{self, BadLine, Setting};
use super::{index, inert, toplevel, tracked, used_from};
use crate::glance::Glance;
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::plan::Role;
use crate::verbs::Form;
use crate::view::MemoryView;
use proptest::prelude::*;

fn setting(key: &str, value: Option<&str>) -> Setting {
    let (section, rest) = key.split_once('.').expect("a key has a section");
    let (subsection, name) = match rest.rsplit_once('.') {
        Some((subsection, name)) => (Some(subsection.as_bytes().to_vec()), name),
        None => (None, rest),
    };
    Setting {
        section: section.into(),
        subsection,
        name: name.into(),
        value: value.map(|value| value.as_bytes().to_vec()),
    }
}

#[test]
fn settings_are_read_as_git_reads_them() {
    let text = b"\xef\xbb\xbf# c\n[Core]\n\tBare = false ; c\n  eol\n\
        [remote \"a\\\"B.c\"] url = \"x # y\" z\\\n w  \r\n\
        [color]ui=\"a\\tb\"c\\\\\n\n[user]\nname =\nemail = a  b\t# c";
    let expected = [
        setting("core.bare", Some("false")),
        setting("core.eol", None),
        setting("remote.a\"B.c.url", Some("x # y z w")),
        setting("color.ui", Some("a\tbc\\")),
        setting("user.name", Some("")),
        setting("user.email", Some("a  b")),
    ];
    assert_eq!(config::read(text).expect("git takes it"), expected);
}

#[test]
fn what_git_does_not_take_is_refused() {
    for (text, line) in [
        ("a = b", 1),
        ("[a]\n1 = b", 2),
        ("[a b]\n", 1),
        ("[a.b]\nc = d", 1),
        ("[a \"b]\n", 2),
        ("[a \"b\"x]\n", 1),
        ("[]\na = b", 1),
        ("[a]\nb = \"c\nd = e", 3),
        ("[a]\nb = \\q", 2),
        ("[a]\nb c = d", 2),
        ("[a]\nb = c\0", 2),
        ("[a]\nb = c\\", 3),
        ("[a", 2),
        ("[a]\n= b", 2),
    ] {
        assert_eq!(config::read(text.as_bytes()), Err(BadLine(line)), "{text:?}");
    }
}

/// Programs and files that a configuration can name.
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "alias.x", "core.alternaterefscommand", "core.askpass", "core.attributesfile", "core.editor",
    "core.excludesfile", "core.fsmonitor", "core.gitproxy", "core.hookspath", "core.pager",
    "core.sshcommand", "credential.helper", "diff.external", "diff.orderfile", "diff.submodule",
    "diff.tool", "diff.x.cachetextconv", "diff.x.command", "diff.x.textconv", "difftool.x.cmd",
    "extensions.partialclone", "filter.x.clean", "filter.x.process", "filter.x.smudge",
    "format.pretty", "gpg.program", "gpg.ssh.program", "gpg.x509.program", "include.path",
    "includeif.gitdir:x.path", "interactive.difffilter", "log.showsignature", "mailmap.file",
    "man.x.cmd", "merge.x.driver", "mergetool.x.cmd", "pager.log", "pretty.x",
    "remote.x.partialclonefilter", "remote.x.promisor", "remote.x.proxy", "remote.x.uploadpack",
    "remote.x.vcs", "sequence.editor", "status.submodulesummary", "submodule.recurse",
    "submodule.x.update", "trace2.eventtarget", "uploadpack.packobjectshook", "web.browser",
];

#[test]
fn what_names_a_program_or_a_file_is_not_inert() {
    for key in HOSTILE {
        assert!(!inert::is_inert(&setting(key, Some("x"))), "{key}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any bytes get an answer.
    #[test]
    fn any_configuration_gets_an_answer(
        text in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(&b"[]\"\\#;= \t\r\nab.-"[..])], 0..80,
        ),
    ) {
        let _ = config::read(&text);
    }

    #[test]
    fn any_index_gets_an_answer(
        version in 1_u8..6,
        rest in prop::collection::vec(prop_oneof![3 => Just(0_u8), 1 => any::<u8>()], 0..300),
    ) {
        let head = [&b"DIRC\0\0\0"[..], &[version], &rest].concat();
        let _ = index::each(&head, 20, &mut |_, _| {});
        let _ = index::each(&rest, 32, &mut |_, _| {});
    }

    /// A key that nobody has looked at never passes, whatever it is in.
    #[test]
    fn an_unknown_key_is_not_inert(
        section in prop::sample::select(&["core", "diff", "log", "remote", "status", "new"][..]),
        subsection in proptest::option::of("[a-z.]{0,4}"),
        name in "zz[a-z]{0,6}",
    ) {
        let subsection = subsection.map(String::into_bytes);
        let (section, name) = (section.into(), name.into_bytes());
        let setting = Setting { section, subsection, name, value: None };
        prop_assert!(!inert::is_inert(&setting));
    }
}

/// What the real git reads in a file; nothing if it does not take it.
fn real_settings(file: &std::path::Path) -> Option<Vec<u8>> {
    let mut git = std::process::Command::new("git");
    git.args(["config", "--list", "-z", "--no-includes", "--file"]).arg(file);
    let output = git.env("LC_ALL", "C").output().expect("git is installed");
    output.status.success().then_some(output.stdout)
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "[core]\n", "[Core]", "[remote \"a B\"]\n", "[x \"a\\\"\\q\"]", "[x  \"\"]", "[a.b]\n",
    "[a-1]\n", "name = value\n", "Name2=value\n", "flag\n", "n-n = a # b\n", "q = \"a;b\" ; c\n",
    "c = a \\\n b\n", "# c\n", "; [x]\n", "e =\n", "t = a\\tb\\n\\\\\n", "w =  a  b  \n",
    "u = \"  a\"  \"b  \"\n", "r = a\r\n",
    "\"", "=", " ", "\t", "\n", "\r", "\\", "a", "1", "-", "[", "]", "#", "\x0b", "\x0c", "é", ".",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// What is read is what git reads: git's errors may be read as anything.
    #[test]
    fn git_reads_the_same(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        let text = pieces.concat();
        let Ok(settings) = config::read(text.as_bytes()) else { return Ok(()) };
        let folder = tempfile::tempdir().expect("there is a scratch directory");
        let file = folder.path().join("config");
        std::fs::write(&file, &text).expect("it can be written");
        let mut ours = Vec::new();
        for setting in &settings {
            ours.extend(setting.key());
            if let Some(value) = &setting.value {
                ours.push(b'\n');
                ours.extend(value);
            }
            ours.push(0);
        }
        if let Some(real) = real_settings(&file) {
            let real = real.escape_ascii().to_string();
            prop_assert_eq!(ours.escape_ascii().to_string(), real, "{:?}", text);
        }
    }
}

/// A repository without settings.
fn plant(view: &mut MemoryView, own: &str) {
    view.file(format!("{own}/HEAD"), "ref: refs/heads/main\n").file(format!("{own}/config"), "");
    view.dir(format!("{own}/objects")).dir(format!("{own}/refs"));
}

/// The places that git uses from a directory, or what stands against it.
fn used(view: &MemoryView, from: &str) -> Result<Vec<String>, String> {
    let from =
        resolve(view, &Physical::root(), from.as_bytes(), Last::Follow).expect("it is there");
    let form = Form { worktrees: true, refreshes: true, ..Form::default() };
    let mut places = used_from(view, &from.path, form)?;
    places.retain(|place| place.role != Role::Keep);
    let mut places: Vec<String> = places.iter().map(|place| place.path.to_string()).collect();
    places.sort();
    places.dedup();
    Ok(places)
}

fn placed(places: &[&str]) -> Result<Vec<String>, String> {
    Ok(places.iter().map(ToString::to_string).collect())
}

#[test]
fn the_nearest_repository_is_found() {
    let mut view = MemoryView::default();
    view.dir("/p/a/b").dir("/p/empty/.git").dir("/q");
    assert_eq!(used(&view, "/p/a"), placed(&[]));
    plant(&mut view, "/p/.git");
    for from in ["/p", "/p/a/b", "/p/.git", "/p/.git/refs", "/p/empty"] {
        let expected: &[&str] = match from.contains(".git") {
            true => &["/p/.git"],
            false => &["/p", "/p/.git"],
        };
        assert_eq!(used(&view, from), placed(expected), "{from}");
    }
    assert_eq!(used(&view, "/q"), placed(&[]));
    // A bare one in the tree comes first.
    plant(&mut view, "/p/a");
    assert_eq!(used(&view, "/p/a/b"), placed(&["/p/a"]));
}

/// A form that does not refresh the index runs no hook.
#[test]
fn hooks_matter_to_forms_that_refresh() {
    let mut view = MemoryView::default();
    plant(&mut view, "/p/.git");
    view.file("/p/.git/config", "[core]\nhooksPath = .husky")
        .file("/p/.git/hooks/post-index-change", "");
    let at = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there").path;
    for refreshes in [true, false] {
        let form = Form { refreshes, ..Form::default() };
        assert_eq!(used_from(&view, &at, form).is_err(), refreshes);
    }
}

/// What one form found out is not what another one uses: `git log; git commit -m x` runs the hook.
#[test]
fn a_glance_tells_forms_apart() {
    let mut view = MemoryView::default();
    plant(&mut view, "/p/.git");
    view.file("/p/.git/hooks/pre-commit", "");
    let at = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there").path;
    let glance = Glance::at(&view);
    let reads = Form::default();
    let one_more = [
        Form { worktrees: true, ..reads },
        Form { refreshes: true, ..reads },
        Form { writes: true, ..reads },
        Form { opens: true, ..reads },
        Form { attributes: true, ..reads },
        Form { history: true, ..reads },
    ];
    for form in [reads].into_iter().chain(one_more) {
        assert_eq!(*glance.repository(&at, form), used_from(&view, &at, form), "{form:?}");
    }
    assert!(glance.repository(&at, Form { writes: true, ..reads }).is_err());
}

#[test]
fn pointers_are_followed() {
    let mut view = MemoryView::default();
    plant(&mut view, "/m/.git");
    view.file("/w/.git", "gitdir: ../m/.git/worktrees/w\n").dir("/w/a");
    view.file("/m/.git/worktrees/w/HEAD", "ref: refs/heads/w")
        .file("/m/.git/worktrees/w/commondir", "../..\n");
    view.file("/m/.git/worktrees/w/gitdir", "/w/.git\n");
    let own = "/m/.git/worktrees/w";
    assert_eq!(used(&view, "/w/a"), placed(&["/m/.git", own, "/w", "/w/.git"]));
    assert_eq!(used(&view, "/m"), placed(&["/m", "/m/.git", "/w/.git"]));
    // Borrowed objects, and those that these borrow.
    view.file("/m/.git/objects/info/alternates", "# c\n/o/objects\n../../../n\n");
    view.file("/o/objects/info/alternates", "/r\n");
    let all = ["/m", "/m/.git", "/n", "/o/objects", "/r", "/w/.git"];
    assert_eq!(used(&view, "/m"), placed(&all));
    // Links, and another worktree.
    view.link("/m/.git/refs/x", "/l").file("/m/.git/config", "[core]\nworktree = /v\n");
    view.file("/m/.git/config.worktree", "[core]\nworktree = ..").link("/m/.git/objects/ab", "/k");
    let all = ["/k", "/l", "/m", "/m/.git", "/n", "/o/objects", "/r", "/v", "/w/.git"];
    assert_eq!(used(&view, "/m"), placed(&all));
}

#[test]
fn what_is_not_understood_is_said() {
    type Change = fn(&mut MemoryView);
    let changes: [(&str, Change); 14] = [
        ("/out/objects is not there", |view| {
            view.file("/p/.git/commondir", "/out\n").dir("/out");
        }),
        ("'core.pager' in /p/.git/config may", |view| {
            view.file("/p/.git/config", "[core]\n\tpager = evil");
        }),
        ("'diff.x.textconv' in /p/.git/config.worktree may", |view| {
            view.file("/p/.git/config.worktree", "[diff \"x\"] textconv = evil");
        }),
        ("line 1 of /p/.git/config is not", |view| {
            view.file("/p/.git/config", "evil");
        }),
        ("/p/.git/config is too large", |view| {
            view.file("/p/.git/config", vec![b'\n'; 300 << 10]);
        }),
        ("git may run /p/.git/hooks/post-index-change", |view| {
            view.file("/p/.git/hooks/post-index-change", "#!/bin/sh");
        }),
        ("/p/.git/HEAD is not as git", |view| {
            view.file("/p/.git/HEAD", "x");
        }),
        ("/p/a/.git/refs is not as git makes it", |view| {
            view.file("/p/a/.git/HEAD", "ref: refs/heads/main").dir("/p/a/.git/objects");
            view.file("/p/a/.git/refs", "");
        }),
        ("/p/.git/index is not understood", |view| {
            view.file("/p/.git/index", "x");
        }),
        ("a path in /p/.git/objects/info/alternates is quoted", |view| {
            view.file("/p/.git/objects/info/alternates", "\"/x\"");
        }),
        ("leads through too many repositories", |view| {
            view.file("/p/.git/objects/info/alternates", ".");
        }),
        ("'x' in /p/.git/refs leads", |view| {
            view.link("/p/.git/refs/x", "x");
        }),
        ("/p/a/.git is odd", |view| {
            view.file("/p/a/.git", "x");
        }),
        ("/p/.git  is no git repository", |view| {
            view.file("/p/a/.git", "gitdir: ../.git \r\n\n");
        }),
    ];
    for (expected, change) in changes {
        let mut view = MemoryView::default();
        plant(&mut view, "/p/.git");
        change(view.dir("/p/a"));
        let answer = used(&view, "/p/a");
        let note = answer.expect_err(expected);
        assert!(note.contains(expected), "{note:?}, not {expected:?}");
    }
}

/// An index of one file.
fn index_of(path: &str) -> Vec<u8> {
    let mut entry = vec![0; 62];
    entry.extend(path.bytes());
    entry.resize((entry.len() / 8 + 1) * 8, 0);
    [&b"DIRC\0\0\0\x02\0\0\0\x01"[..], &entry, &[0; 20]].concat()
}

#[test]
fn an_index_that_names_what_is_above_is_not_understood() {
    assert_eq!(index::each(&index_of("a/..b"), 20, &mut |_, _| {}), Some(()));
    for path in ["../a", "a/../b", "/a", ".."] {
        assert_eq!(index::each(&index_of(path), 20, &mut |_, _| {}), None, "{path}");
    }
}

/// The file need not be there: `xargs` gets its name all the same.
#[test]
fn a_name_of_the_index_may_look_like_an_option() {
    let plain = |path: &str| {
        let mut view = MemoryView::default();
        plant(&mut view, "/p/.git");
        view.file("/p/.git/index", String::from_utf8(index_of(path)).expect("it is ASCII"));
        let from = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
        tracked(&view, &from.path).is_some()
    };
    for path in ["a", "a/b-c.rs", ".x/y", "a=b"] {
        assert!(plain(path), "{path}");
    }
    for path in ["-o", "a/-f", "@a", ":a", "a b", "a'b", "a*", "a\\b"] {
        assert!(!plain(path), "{path}");
    }
}

/// git looks beside what is tracked, behind whatever is there now, however deep.
#[test]
fn what_is_tracked_may_stand_behind_a_link_now() {
    let index = String::from_utf8(index_of("a/b/c")).expect("it is ASCII");
    let reads = Form::default();
    for (link, to) in [("/p/a", "/out"), ("/p/a/b", "/out/b")] {
        let mut view = MemoryView::default();
        plant(&mut view, "/p/.git");
        view.file("/p/.git/index", &index[..]).link(link, to).dir("/out/b");
        let from = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
        let reaches = |form| {
            let places = used_from(&view, &from.path, form).expect("it is understood");
            places.iter().any(|it| it.path.to_string() == "/out/b")
        };
        assert!(reaches(Form { attributes: true, ..reads }), "{link}");
        assert!(reaches(Form { opens: true, ..reads }), "{link}");
        assert!(reaches(Form { refreshes: true, ..reads }), "{link}");
        assert!(!reaches(reads) && !reaches(Form { history: true, ..reads }), "{link}");
    }
}

/// What is tracked as a link may have been a directory.
#[test]
fn history_goes_through_what_is_a_link_now() {
    let mut index = index_of("l");
    // Its mode, behind the header and the times, device and number.
    index[12 + 24..12 + 28].copy_from_slice(&index::LINK.to_be_bytes());
    for (to, reaches) in [("/out", true), ("/out/f", false), ("/p/a", false), ("/nosuch", false)] {
        let mut view = MemoryView::default();
        plant(&mut view, "/p/.git");
        view.file("/p/.git/index", index.clone()).link("/p/l", to).file("/out/f", "").dir("/p/a");
        let from = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
        for history in [true, false] {
            let form = Form { history, ..Form::default() };
            let places = used_from(&view, &from.path, form).expect("it is understood");
            let outside = places.iter().any(|it| it.path.to_string() == to);
            assert_eq!(outside, reaches && history, "{to}");
        }
    }
}

#[test]
fn the_top_of_the_worktree_is_where_git_says_it_is() {
    let mut view = MemoryView::default();
    plant(&mut view, "/p/.git");
    view.dir("/p/a/b").dir("/q");
    let top = |view: &MemoryView, from: &str| {
        let from = resolve(view, &Physical::root(), from.as_bytes(), Last::Follow);
        toplevel(view, &from.expect("it is there").path).map(|top| top.to_string())
    };
    assert_eq!(top(&view, "/p/a/b"), Some("/p".to_owned()));
    assert_eq!(top(&view, "/q"), None);
    assert_eq!(top(&view, "/p/.git"), None);
    view.file("/p/.git/config", "[core]\nworktree = /q\n");
    assert_eq!(top(&view, "/p/a"), None);
}
