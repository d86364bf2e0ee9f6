//! Resolution against the kernel: the same random trees in memory and in a scratch directory, the
//! same random paths through both.

use super::{End, Last, Resolved, Unresolved, resolve};
use crate::path::Physical;
use crate::view::{FsView, Kind, MemoryView, RealView};
use proptest::prelude::*;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Component, Path, PathBuf};

/// Linux's `O_PATH` and `O_NOFOLLOW`: open for nothing but asking where it leads.
const O_PATH: i32 = 0o10_000_000;
const O_NOFOLLOW: i32 = if cfg!(target_arch = "aarch64") { 0o100_000 } else { 0o400_000 };

/// Where the kernel goes.
fn kernel(path: &Path, last: Last) -> io::Result<PathBuf> {
    let flags = if last == Last::Keep { O_PATH | O_NOFOLLOW } else { O_PATH };
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

fn is_loop(error: &io::Error) -> bool {
    const ELOOP: i32 = 40;
    error.raw_os_error() == Some(ELOOP)
}

/// Where the kernel would go if it took what is no directory for an empty one: one step at a time,
/// `None` after more than 40 links.
fn stepwise(mut at: PathBuf, text: &Path, links: &mut usize) -> Option<PathBuf> {
    for step in text.components() {
        match step {
            Component::RootDir => at = PathBuf::from("/"),
            Component::ParentDir => {
                at.pop();
            }
            Component::Normal(name) => {
                let next = at.join(name);
                at = match fs::read_link(&next) {
                    Ok(target) => {
                        *links = links.checked_sub(1)?;
                        stepwise(at, &target, links)?
                    }
                    Err(_) => next,
                };
            }
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    Some(at)
}

#[derive(Clone, Debug)]
enum Node {
    Dir,
    File,
    /// To this text; `@` at its start stands for the top.
    Link(String),
}

/// A tree: what is to be made at which path below the top, as far as it can be.
type Tree = Vec<(Vec<&'static str>, Node)>;

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["n1", "n2", "n3"][..])
}

/// A path as text: names, dots, slashes doubled and at the end.
fn text() -> impl Strategy<Value = String> {
    let step = prop_oneof![6 => name(), 2 => Just(".."), 1 => Just("."), 1 => Just("")];
    let start = prop_oneof![4 => Just(""), 1 => Just("@/")];
    (start, prop::collection::vec(step, 1..6)).prop_filter_map(
        "names something",
        |(start, steps)| {
            let text = steps.join("/");
            // A link to nothing cannot be made, and a leading slash would leave the tree.
            (!text.is_empty() && !text.starts_with('/')).then(|| format!("{start}{text}"))
        },
    )
}

fn tree() -> impl Strategy<Value = Tree> {
    let node =
        prop_oneof![2 => Just(Node::Dir), 1 => Just(Node::File), 3 => text().prop_map(Node::Link)];
    prop::collection::vec((prop::collection::vec(name(), 1..4), node), 0..14)
}

/// The same tree twice.
struct Twice {
    scratch: tempfile::TempDir,
    memory: MemoryView,
    made: Vec<PathBuf>,
}

impl Twice {
    fn plant(tree: &Tree) -> Twice {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let mut twice = Twice { scratch, memory: MemoryView::default(), made: Vec::new() };
        twice.memory.dir(twice.top());
        for (names, node) in tree {
            twice.put(names, node);
        }
        twice
    }

    fn top(&self) -> PathBuf {
        self.scratch.path().canonicalize().expect("the scratch directory is there")
    }

    /// Leaves out what is there already, and what would stand below a file or behind a link.
    fn put(&mut self, names: &[&str], node: &Node) {
        let mut path = self.top();
        for name in &names[..names.len() - 1] {
            path.push(name);
            match RealView.kind(&path) {
                Ok(Kind::Dir) => {}
                Ok(_) => return,
                Err(_) => self.make(&path, &Node::Dir),
            }
        }
        path.push(names[names.len() - 1]);
        if RealView.kind(&path).is_err() {
            self.make(&path, node);
        }
    }

    fn make(&mut self, path: &Path, node: &Node) {
        let made = match node {
            Node::Dir => fs::create_dir(path).map(|()| self.memory.dir(path)),
            Node::File => fs::write(path, "text").map(|()| self.memory.file(path, "text")),
            Node::Link(to) => {
                let to = self.absolute(to);
                symlink(&to, path).map(|()| self.memory.link(path, to))
            }
        };
        made.expect("the scratch directory can be written");
        self.made.push(path.to_owned());
    }

    fn absolute(&self, text: &str) -> PathBuf {
        match text.strip_prefix('@') {
            Some(rest) => PathBuf::from(format!("{}{rest}", self.top().display())),
            None => PathBuf::from(text),
        }
    }

    fn resolve(&self, view: &dyn FsView, text: &str, last: Last) -> Result<Resolved, Unresolved> {
        let text = self.absolute(text);
        let from = Physical::from_resolved(self.top().as_os_str().as_bytes());
        resolve(view, &from, text.as_os_str().as_bytes(), last)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Where the kernel gets somewhere, resolution gets there, and says what is there.
    #[test]
    fn resolves_as_the_kernel_does(tree in tree(), texts in prop::collection::vec(text(), 1..12)) {
        let twice = Twice::plant(&tree);
        for text in texts {
            for last in [Last::Follow, Last::Keep] {
                let path = twice.top().join(twice.absolute(&text));
                let resolved = twice.resolve(&twice.memory, &text, last);
                prop_assert_eq!(&resolved, &twice.resolve(&RealView, &text, last));
                match kernel(&path, last) {
                    Ok(there) => {
                        let resolved = resolved.expect("the kernel gets there");
                        prop_assert_eq!(resolved.path.as_path(), &there, "{}", text);
                        prop_assert_eq!(
                            resolved.end,
                            End::Found(RealView.kind(&there).expect("the kernel was there"))
                        );
                        prop_assert!(!resolved.unchecked);
                    }
                    Err(error) if is_loop(&error) => {
                        prop_assert_eq!(resolved, Err(Unresolved::Loop), "{}", text);
                    }
                    Err(_) if last == Last::Follow => {
                        let there = stepwise(twice.top(), &path, &mut 40);
                        let resolved = resolved.map(|it| it.path.as_path().to_owned());
                        prop_assert_eq!(resolved, there.ok_or(Unresolved::Loop), "{}", text);
                    }
                    Err(_) => {}
                }
            }
        }
    }

    /// The view of the same tree in memory tells the same.
    #[test]
    fn views_of_the_same_tree_agree(tree in tree()) {
        let twice = Twice::plant(&tree);
        let missing = twice.made.iter().map(|path| path.join("none"));
        for path in twice.made.iter().cloned().chain(missing).chain([twice.top()]) {
            let (real, memory): (&dyn FsView, &dyn FsView) = (&RealView, &twice.memory);
            let kind = |view: &dyn FsView| view.kind(&path).map_err(|error| error.kind());
            let link = |view: &dyn FsView| view.read_link(&path).map_err(|error| error.kind());
            let read = |view: &dyn FsView| view.read(&path, 3).map_err(|error| error.kind());
            let list = |view: &dyn FsView, budget| {
                let mut names = view.list(&path, budget).map_err(|error| error.kind())?;
                names.sort();
                Ok::<_, io::ErrorKind>(names)
            };
            // Below a link there is nothing to ask for: its path is not resolved.
            if path.parent().is_some_and(Path::is_symlink) {
                continue;
            }
            prop_assert_eq!(kind(real), kind(memory), "{:?}", path);
            prop_assert_eq!(link(real), link(memory), "{:?}", path);
            if kind(real) != Ok(Kind::Link) {
                prop_assert_eq!(read(real), read(memory), "{:?}", path);
                for budget in 0..4 {
                    prop_assert_eq!(list(real, budget), list(memory, budget), "{:?}", path);
                }
                prop_assert_eq!(real.enterable(&path), memory.enterable(&path), "{:?}", path);
            }
        }
    }
}

/// Links that lead through other links: the kernel follows forty, and no forty-first.
#[test]
fn the_link_budget_is_the_kernels() {
    let mut twice = Twice::plant(&vec![(vec!["n1"], Node::Dir)]);
    let mut previous = "n1".to_owned();
    for count in 1..=super::LINK_BUDGET + 1 {
        let link = format!("link{count}");
        twice.put(&[&link], &Node::Link(previous));
        let there = kernel(&twice.top().join(&link), Last::Follow);
        let resolved = twice.resolve(&twice.memory, &link, Last::Follow);
        assert_eq!(there.is_ok(), resolved.is_ok(), "{count} links");
        assert_eq!(there.is_ok(), count <= super::LINK_BUDGET, "{count} links");
        previous = link;
    }
}

#[test]
fn paths_longer_than_the_kernel_takes_are_not_resolved() {
    let twice = Twice::plant(&Vec::new());
    let long = |bytes: usize| "./".repeat(bytes / 2);
    assert!(twice.resolve(&twice.memory, &long(4_094), Last::Follow).is_ok());
    assert_eq!(twice.resolve(&twice.memory, &long(4_098), Last::Follow), Err(Unresolved::TooLong));
}

/// `/proc` is another directory in every process, and so is whatever leads there.
#[test]
fn what_leads_through_proc_is_not_resolved() {
    let mut memory = MemoryView::default();
    memory.link("/p/fd", "/proc/self/fd").link("/p/up", "../proc").dir("/p/proc");
    let magic = |text: &[u8]| {
        let from = Physical::from_resolved(b"/p");
        resolve(&memory, &from, text, Last::Follow) == Err(Unresolved::Magic)
    };
    for text in [&b"/proc"[..], b"/proc/self/cwd", b"fd", b"fd/0", b"up", b"../proc", b"/x/../proc"]
    {
        assert!(magic(text), "{}", text.escape_ascii());
    }
    assert!(!magic(b"proc"));
}
