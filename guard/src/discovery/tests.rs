//! What tools find, and how far they go.

use super::found;
use crate::path::Physical;
use crate::path::resolve::{Last, Unresolved, resolve};
use crate::verbs::{Search, SearchIn};
use crate::view::{MemoryView, NoView};
use std::collections::BTreeSet;

const FIRST: Search = Search { files: &["p.json"], ends: &["p.json"], reach: SearchIn::Above };
const ALL: Search = Search { files: &[".rc/c"], ends: &[], reach: SearchIn::Above };
const UNTIL: Search =
    Search { files: &["x.cfg", "t.ini"], ends: &["t.ini"], reach: SearchIn::Above };
const HERE: Search = Search { files: &["Makefile"], ends: &[], reach: SearchIn::Here };

/// The search, the files and links of the tree, where it starts, and what it finds. A link is
/// `PATH>TARGET`.
type Row = (&'static Search, &'static [&'static str], &'static [&'static str], &'static str);

// tidy: table
#[rustfmt::skip]
const ROWS: &[Row] = &[
    (&FIRST, &["/r/p/p.json", "/r/p.json", "/p.json"], &["/r/p/a/b"], "/r/p/p.json"),
    (&FIRST, &["/r/p/x", "/p.json"], &["/r/p"], "/p.json"),
    (&FIRST, &["/r/p/x"], &["/r/p"], ""),
    // Each start goes its own way, and no directory is looked at twice.
    (&FIRST, &["/r/p/a/p.json", "/r/p.json"], &["/r/p/a", "/r/p/b"], "/r/p.json /r/p/a/p.json"),
    (&FIRST, &["/r/p.json"], &["/r/p/nosuch/x", "/r/p/f"], "/r/p.json"),
    // Links: a file is where it leads, and a directory may have a second name.
    (&FIRST, &["/r/p/p.json>/out/p.json", "/out/p.json"], &["/r/p"], "/out/p.json"),
    (&FIRST, &["/r/p/p.json>nosuch", "/r/p.json"], &["/r/p"], "/r/p.json"),
    (&FIRST, &["/r/p/x", "/h/l>/r/p", "/h/p.json"], &["/r/p", "/h/l"], "/h/p.json"),
    // What stands in the home directory counts only where the search ends with it.
    (&ALL, &["/r/.rc/c", "/r/p/.rc/c", "/home/.rc/c"], &["/r/p"], "/r/.rc/c /r/p/.rc/c"),
    (&ALL, &["/home/.rc/c", "/home/r/.rc/c", "/.rc/c"], &["/home/r/p"], "/.rc/c /home/r/.rc/c"),
    (&FIRST, &["/home/p.json"], &["/home/r/p"], "/home/p.json"),
    (&UNTIL, &["/home/x.cfg", "/home/r/y"], &["/home/r"], ""),
    (&UNTIL, &["/r/x.cfg", "/r/p/t.ini", "/r/p/a/x.cfg"], &["/r/p/a"], "/r/p/a/x.cfg /r/p/t.ini"),
    (&UNTIL, &["/r/x.cfg", "/x.cfg"], &["/r/p"], "/r/x.cfg /x.cfg"),
    (&HERE, &["/r/Makefile", "/r/p/x"], &["/r/p"], ""),
    (&HERE, &["/r/Makefile", "/r/p/x"], &["/r"], "/r/Makefile"),
];

fn tree(entries: &[&str]) -> MemoryView {
    let mut view = MemoryView::default();
    for entry in entries {
        match entry.split_once('>') {
            Some((link, to)) => view.link(link, to),
            None => view.file(entry, ""),
        };
    }
    view
}

fn physical(view: &MemoryView, path: &[u8]) -> Physical {
    resolve(view, &Physical::root(), path, Last::Follow).expect("it can be resolved").path
}

#[test]
fn searches_find_what_the_table_says() {
    for (search, entries, starts, expected) in ROWS {
        let view = tree(entries);
        let home = physical(&view, b"/home");
        let starts: BTreeSet<Vec<u8>> =
            starts.iter().map(|start| start.as_bytes().to_vec()).collect();
        let found = found(&view, search, &starts, Some(&home)).expect("it can be followed");
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), *expected, "{entries:?} from {starts:?}");
        assert!(super::found(&NoView, search, &starts, None).is_ok_and(|found| found.is_empty()));
    }
}

#[test]
fn what_cannot_be_followed_is_an_error() {
    let view = tree(&["/r/p/p.json>p.json"]);
    let error = found(&view, &FIRST, &BTreeSet::from([b"/r/p".to_vec()]), None)
        .expect_err("it is a circle");
    assert_eq!(error, (b"p.json".to_vec(), Unresolved::Loop));
}
