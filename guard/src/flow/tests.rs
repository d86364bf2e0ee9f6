//! Where each command of a line may start, as a table. What `cd` itself does is held against live
//! shells in `tests/cd_table.rs`; this is about what carries its effect, and what does not.

use super::{Room, Start, States, Step, Surroundings, follow};
use crate::glance::Glance;
use crate::plan::Cwds;
use crate::request::{Cwd, Dialects, Env, Invocation, Limits};
use crate::semantics::Semantics;
use crate::syntax;
use crate::view::MemoryView;
use std::path::Path;

/// The directories of the last command, below `/p`; `?` for unknown, `-` for unreachable.
fn last(line: &str) -> String {
    let mut view = MemoryView::default();
    view.dir("/p/a/b").dir("/p/c").file("/p/f", "").link("/p/l", "a/b");
    let tree = syntax::read(line.as_bytes(), Invocation::C, Dialects::ALL, &Limits::default())
        .unwrap_or_else(|stop| panic!("{line:?} is not understood: {stop}"));
    let cwd = Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) };
    let start = Start::new(cwd, &view).expect("the start is a directory");
    let around = Surroundings {
        glance: &Glance::at(&view),
        start: &start,
        home: None,
        cdpath: None,
        falls_back: true,
        shells: Dialects::ALL,
        exit_is_sure: true,
        room: &Room::new(),
        sees_changes: false,
        inherited: &Env::new(),
    };
    let steps =
        follow(&tree, States::one(start.place.clone()), &around, &Semantics::MEASURED).steps;
    let Step { states, .. } = steps.last().expect("a line has commands");
    match states.cwds() {
        Cwds::Unknown => "?".to_owned(),
        Cwds::Known(list) if list.is_empty() => "-".to_owned(),
        Cwds::Known(list) => {
            let names = list.iter().map(|cwd| cwd.to_string().replacen("/p", ".", 1));
            names.collect::<Vec<_>>().join(" ")
        }
    }
}

// tidy: table
#[rustfmt::skip]
const LAST: &[(&str, &str)] = &[
    ("x", "."),
    // A `cd` that certainly succeeds moves; one that may fail may move.
    ("cd a; x", "./a"), ("cd a\nx", "./a"), ("cd a && x", "./a"), ("cd a || x", "-"),
    ("cd nosuch; x", "."), ("cd nosuch && x", "-"), ("cd nosuch || x", "."),
    ("cd f && x", "-"), ("cd f; x", "."),
    ("cd a && cd b && x", "./a/b"), ("cd a; cd ..; x", "."), ("cd l; cd ..; x", "."),
    ("cd -P l; cd ..; x", "./a"), ("cd a; cd -; x", "."),
    ("cd -; x", "?"), ("cd; x", "?"), ("cd -; cd /p/a; x", "?"), ("cd - || x", "."),
    // And-or lists bind to the left.
    ("y && cd a; x", ". ./a"), ("y || cd a; x", ". ./a"), ("y && cd a || x", "."),
    ("cd a && y || x", "./a"), ("cd nosuch || cd a; x", "./a"), ("cd a || cd c; x", "./a"),
    ("y && cd a && x", "./a"), ("y || cd a && x", ". ./a"), ("y && cd a || cd c; x", "./a ./c"),
    // Subshells and pipelines keep it to themselves, but zsh runs the last stage in the shell.
    ("(cd a); x", "."), ("(cd a; x)", "./a"), ("cd a; (cd b); x", "./a"), ("(cd a) && x", "."),
    ("cd a | x", "."), ("cd a | y; x", "."), ("y | cd a; x", ". ./a"), ("y | cd a && x", ". ./a"),
    ("y | (cd a); x", "."), ("y | { cd a; }; x", ". ./a"), ("y | { cd a; x; }", "./a"),
    ("{ cd a; }; x", "./a"), ("{ cd a; } | x", "."), ("{ cd a; (cd b); }; x", "./a"),
    ("{ cd nosuch; } && x", "-"), ("(cd nosuch) && x", "."),
    // A redirection that may fail keeps the command from running.
    ("cd a >g; x", ". ./a"), ("cd a >g && x", "./a"), ("cd a <f || x", "."),
    ("cd a >/dev/null; x", "./a"), ("cd a 2>&1; x", "./a"), ("cd a 2>&3; x", ". ./a"),
    ("cd a 1>&- 2>&1; x", ". ./a"), ("cd a 1>&-; x", "./a"),
    ("{ cd a; } >g; x", ". ./a"), ("{ cd a; } >/dev/null 2>&1; x", "./a"),
    ("{ cd a 2>&1; } >&-; x", ". ./a"), ("{ y; } >&-; cd a 2>&1; x", "./a"),
    ("(cd a; x) >g", "./a"),
    // zsh runs all but the last pipeline of a background job in the shell itself.
    ("cd a & x", "."), ("cd a && y & x", ". ./a"), ("y && cd a & x", "."), ("{ y & } || x", "-"),
    // Loops are left by one level or more.
    ("for i in y; do for j in y; do cd a; break 2; done; cd /p/c; done; x", ". ./a ./c"),
    ("for i in y; do for j in y; do cd a; break; done; cd /p/c; done; x", ". ./c"),
    // A loop that does not settle in three rounds is given up.
    ("while y; do cd ..; done; x", "/ ."), ("cd a; while y; do cd ..; done; x", "?"),
    // What a variable holds stays where a `cd` leads, and where ways meet it is what both say.
    ("d=b; cd a; cd $d; x", "./a/b"), ("d=a; y && d=c; cd $d; x", "./a ./c"),
    // A file that the line makes may be what a pattern matches.
    ("cd ?/b; x", "./a/b"), ("cd ?/b; y >g; x", "?"),
    // What is set before a special built-in may stay or not; arithmetic and patterns do not move.
    ("d=a; for i in y; do d=c break; done; cd $d; x", "?"), ("cd a; y $((1+2)); x", "./a"),
];

#[test]
fn commands_start_where_the_table_says() {
    for (line, expected) in LAST {
        assert_eq!(last(line), *expected, "{line:?}");
    }
}

/// A set that grows too large becomes any place: `$OLDPWD` makes places of the same directory many.
#[test]
fn many_places_are_any_place() {
    let to_and_fro = |times| "y && cd a; y && cd -; y && cd l;".repeat(times);
    assert_eq!(last(&format!("{} x", to_and_fro(0))), ".");
    assert_eq!(last(&format!("{} x", to_and_fro(6))), "?");
}

/// Words that may be too much, together or one by one, lead anywhere.
#[test]
fn many_words_are_any_word() {
    let names = |count| (0..count).map(|it| format!(" n{it}")).collect::<String>();
    let one = |count| last(&format!("for i in{}; do cd $i; x; done", names(count)));
    assert_eq!((&*one(64), &*one(65)), (".", "?"));
    let two = |count| {
        last(&format!("for o in -P -L; do for i in{}; do cd $o $i; x; done; done", names(count)))
    };
    assert_eq!((&*two(32), &*two(33)), (".", "?"));
}

/// A `$PWD` that is not tidy, and leads where it would if it were, is none of the shell's names for
/// its directory; one that leads elsewhere then makes shells differ.
#[test]
fn a_pwd_that_is_not_tidy_is_no_name_or_no_start() {
    let mut view = MemoryView::default();
    view.dir("/p/a/b").link("/p/l", "a/b").dir("/a");
    let start = |dir, pwd| {
        let cwd = Cwd { dir: Path::new(dir), pwd: Some(Path::new(pwd)) };
        Start::new(cwd, &view).map(|start| start.place.logical)
    };
    let none = start("/p/a", "/nowhere").expect("a name that leads nowhere is ignored");
    assert_eq!(start("/p/a", "/p/./a").expect("it is tidied"), none);
    assert_ne!(start("/p/a", "/p/a").expect("it is tidy"), none);
    let differs = start("/p/a", "/p/l/..").expect_err("by its text it is /p");
    assert!(differs.contains("does not mean the same"), "{differs}");
}
