//! The tree as the linked guard is shown it, and the same tree planted for real: the guard must not
//! be able to tell them apart, or its verdicts in a campaign are not those it gives to people.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

use shfence::{FsView, RealView};
use shfence_corpus::{Case, Fixture, Node, RelPath, TOP, TreeSpec};
use shfence_generators::{Settings, generate};
use shfence_oracle::guards::view_of;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// How many generated cases are planted.
const GENERATED: u64 = 200;

#[test]
fn fixtures_look_alike_in_memory_and_planted() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/regressions");
    let fixtures = Fixture::load_all(&[corpus]).unwrap();
    assert!(fixtures.len() >= 50, "only {} fixtures", fixtures.len());
    let cases: Vec<Case> = fixtures.into_iter().map(|fixture| fixture.case).collect();
    compare_all(&cases);
}

#[test]
fn generated_trees_look_alike_in_memory_and_planted() {
    let settings = Settings::default();
    let cases: Vec<Case> =
        (0..GENERATED).map(|index| generate(20_261_130, index, &settings).case).collect();
    let links = cases.iter().flat_map(|case| case.tree.entries());
    let links = links.filter(|(_, node)| matches!(node, Node::Link { .. })).count();
    assert!(links > 50, "only {links} links in all of them");
    compare_all(&cases);
}

fn compare_all(cases: &[Case]) {
    let mut seen = HashSet::new();
    for case in cases.iter().filter(|case| seen.insert(case.tree.clone())) {
        let planted = Planted::new(&case.tree);
        let nodes = case.tree.planted();
        let memory = view_of(case);
        for path in nodes.keys().cloned().chain(missing(&nodes)) {
            let answer = answers(&memory, &absolute(&path), nodes.get(&path));
            let real = answers(&RealView, &planted.path(&path), nodes.get(&path));
            assert_eq!(answer, real, "'{path}' in the tree of '{}'", case.line);
        }
        let top = |view: &dyn FsView, path: &Path| answers(view, path, Some(&Node::Dir));
        assert_eq!(top(&memory, Path::new(TOP)), top(&RealView, planted.0.path()));
    }
}

/// Every answer about one path as one text; of an error, its kind.
///
/// Paths that a link stands on are only looked at: a guard resolves links before it lists, reads or
/// enters what they lead to.
fn answers(view: &dyn FsView, path: &Path, node: Option<&Node>) -> Vec<String> {
    let mut all = vec![said("kind", view.kind(path)), said("link", view.read_link(path))];
    if matches!(node, Some(Node::Link { .. })) {
        return all;
    }
    for budget in [0, 1, 2, 100] {
        let list = view.list(path, budget).map(|mut names| {
            names.sort();
            names
        });
        all.push(said("list", list));
    }
    all.extend([1, 3, 1_000_000].map(|max| said("read", view.read(path, max))));
    all.push(format!("enterable: {}", view.enterable(path)));
    all
}

fn said<T: std::fmt::Debug>(question: &str, answer: io::Result<T>) -> String {
    match answer {
        Ok(answer) => format!("{question}: {answer:?}"),
        Err(error) => format!("{question}: {:?}", error.kind()),
    }
}

/// Paths that nothing stands on: beside, below a directory, below a file, below nothing.
fn missing(nodes: &BTreeMap<RelPath, Node>) -> Vec<RelPath> {
    let below = |path: &RelPath, name: &str| {
        RelPath::new([path.as_bytes(), b"/", name.as_bytes()].concat()).unwrap()
    };
    let top = RelPath::new("nothing here").unwrap();
    let mut paths = vec![below(&top, "x"), top];
    for (path, node) in nodes {
        let beside = RelPath::new([path.as_bytes(), b"-"].concat()).unwrap();
        paths.push(beside);
        match node {
            Node::Dir => paths.extend([below(path, "nosuch"), below(path, "no/such")]),
            Node::File { .. } => paths.push(below(path, "x")),
            Node::Link { .. } => {}
        }
    }
    paths.retain(|path| !nodes.contains_key(path));
    paths
}

/// A tree that really stands somewhere.
struct Planted(tempfile::TempDir);

impl Planted {
    /// A link's text stays as it is, whatever it says: nothing here follows one.
    fn new(tree: &TreeSpec) -> Planted {
        let planted = Planted(tempfile::tempdir().unwrap());
        for (path, node) in tree.planted() {
            let at = planted.path(&path);
            match node {
                Node::Dir => std::fs::create_dir(at).unwrap(),
                Node::File { text, .. } => std::fs::write(at, text.as_bytes()).unwrap(),
                Node::Link { to } => symlink(OsStr::from_bytes(&to), at).unwrap(),
            }
        }
        planted
    }

    fn path(&self, path: &RelPath) -> PathBuf {
        self.0.path().join(OsStr::from_bytes(path.as_bytes()))
    }
}

fn absolute(path: &RelPath) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(&path.absolute()))
}
