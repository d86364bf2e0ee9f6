//! The tree of a case while it is made, and where a path in it leads.

use shfence_corpus::{BASE_DIRS, Entry, Node, PROJ, RelPath, TOP, Text, TreeSpec};
use std::collections::BTreeMap;

/// How many links a path may pass before it counts as looping (Linux: 40).
const LINK_BUDGET: u32 = 40;

/// A tree that grows. Paths stand below the top, without a slash before them; `""` is the top.
#[derive(Clone, Debug)]
pub(crate) struct World {
    nodes: BTreeMap<String, Planted>,
    entries: usize,
    limit: usize,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Planted {
    Dir,
    File,
    /// With its target as written.
    Link(String),
}

/// Where a path leads, as the kernel resolves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Landing {
    Dir(String),
    File(String),
    /// Nothing stands there, though its directory is there.
    Missing(String),
    /// It ends early: a missing or unsuitable component, a loop, or above the top.
    Broken,
}

impl Landing {
    /// Does the path lead into the project, or to a name that could be created in it?
    pub(crate) fn is_inside(&self) -> bool {
        match self {
            Landing::Dir(at) | Landing::File(at) | Landing::Missing(at) => is_inside(at),
            Landing::Broken => false,
        }
    }

    /// Does the path lead out of the project? A broken one leads nowhere.
    pub(crate) fn is_outside(&self) -> bool {
        *self != Landing::Broken && !self.is_inside()
    }
}

/// Is this path, already resolved, the project or below it?
pub(crate) fn is_inside(path: &str) -> bool {
    path.strip_prefix(PROJ).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `directory/name`, where the top is `""`.
pub(crate) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

impl World {
    /// What may be planted in any case. Names repeat at several levels and inside and outside, so
    /// that a path read from the wrong directory still finds something.
    pub(crate) const STOCK: [&str; 12] = [
        "proj/a.txt",
        "proj/src/main.txt",
        "proj/src/deep/main.txt",
        "proj/lib/main.txt",
        "proj/outside/secret",
        "proj/src/outside/secret",
        "outside/dir/main.txt",
        "outside/main.txt",
        "proj-evil/secret",
        "home/secret",
        "proj/proj-evil/secret",
        "main.txt",
    ];

    /// The base directories, a file inside and a file outside, and room for more.
    pub(crate) fn new(limit: usize) -> World {
        let nodes = BASE_DIRS.map(|base| (base.to_owned(), Planted::Dir)).into_iter().collect();
        let mut world = World { nodes, entries: 0, limit };
        world.plant("proj/main.txt", Planted::File);
        world.plant("proj/src/main.txt", Planted::File);
        world.plant("outside/secret", Planted::File);
        world
    }

    /// Plants an entry and the directories it stands in. Says no, and plants nothing, if the tree
    /// is full, the path is taken, or it would stand below something that is no directory.
    pub(crate) fn plant(&mut self, path: &str, planted: Planted) -> bool {
        let above: Vec<&str> = path.match_indices('/').map(|(at, _)| &path[..at]).collect();
        let blocked = |at: &&str| self.nodes.get(*at).is_some_and(|node| *node != Planted::Dir);
        let taken = self.nodes.contains_key(path);
        if self.entries >= self.limit || taken || above.iter().any(blocked) {
            return false;
        }
        for at in above {
            self.nodes.insert(at.to_owned(), Planted::Dir);
        }
        self.nodes.insert(path.to_owned(), planted);
        self.entries += 1;
        true
    }

    /// Room for so many entries, and so many files below a directory inside and one outside.
    pub(crate) fn enlarge(&mut self, limit: usize) {
        self.limit = limit.max(self.limit);
        for number in 0..limit.saturating_sub(self.entries) {
            let base = if number % 4 == 0 { "outside" } else { PROJ };
            let directory = ["gen", "gen/a", "gen/b/c"][number % 3];
            self.plant(&format!("{base}/{directory}/file-{number}.txt"), Planted::File);
        }
    }

    /// Every path of the tree with what stands there, in order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (&str, &Planted)> {
        self.nodes.iter().map(|(path, planted)| (path.as_str(), planted))
    }

    /// The names in a directory.
    pub(crate) fn names_in<'w>(&'w self, directory: &'w str) -> impl Iterator<Item = &'w str> {
        self.nodes.keys().filter_map(move |path| {
            let below = match directory {
                "" => path,
                _ => path.strip_prefix(directory)?.strip_prefix('/')?,
            };
            (!below.contains('/')).then_some(below)
        })
    }

    /// Where `text` leads from the directory `from`, which is physical.
    pub(crate) fn resolve(&self, from: &str, text: &str) -> Landing {
        let mut budget = LINK_BUDGET;
        self.follow(from, text, &mut budget)
    }

    fn follow(&self, from: &str, text: &str, budget: &mut u32) -> Landing {
        let (mut at, path) = match text.strip_prefix(TOP) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => (String::new(), rest),
            _ if text.starts_with('/') || text.is_empty() => return Landing::Broken,
            _ => (from.to_owned(), text),
        };
        let mut names = path.split('/').filter(|name| !matches!(*name, "" | ".")).peekable();
        while let Some(name) = names.next() {
            if name == ".." {
                let Some(up) = above(&at) else { return Landing::Broken };
                at = up;
                continue;
            }
            let next = join(&at, name);
            let landing = match self.nodes.get(&next) {
                Some(Planted::Dir) => Landing::Dir(next),
                Some(Planted::File) => Landing::File(next),
                None => Landing::Missing(next),
                Some(Planted::Link(_)) if *budget == 0 => Landing::Broken,
                Some(Planted::Link(to)) => {
                    *budget -= 1;
                    self.follow(&at, to, budget)
                }
            };
            match landing {
                Landing::Dir(directory) => at = directory,
                Landing::File(_) if path.ends_with('/') => return Landing::Broken,
                end if names.peek().is_none() => return end,
                _ => return Landing::Broken,
            }
        }
        Landing::Dir(at)
    }

    /// The logical directory after `cd text` from the logical directory `from`, if that is one.
    pub(crate) fn enter(&self, from: &str, text: &str) -> Option<String> {
        let to = walk(from, text)?;
        self.directory(&to).is_some().then_some(to)
    }

    /// The physical directory of a logical one.
    pub(crate) fn physical(&self, logical: &str) -> String {
        self.directory(logical).unwrap_or_else(|| logical.to_owned())
    }

    /// The physical directory that a path below the top leads to, if it does lead to one.
    fn directory(&self, path: &str) -> Option<String> {
        if path.is_empty() {
            return Some(String::new());
        }
        match self.resolve("", path) {
            Landing::Dir(at) => Some(at),
            _ => None,
        }
    }

    /// The tree as a case holds it, with what no path of the case names.
    pub(crate) fn into_tree(self, more: Vec<Entry>) -> TreeSpec {
        let nodes = &self.nodes;
        let implied = |path: &str, planted: &Planted| {
            let below = format!("{path}/");
            *planted == Planted::Dir
                && (BASE_DIRS.contains(&path) || nodes.keys().any(|at| at.starts_with(&below)))
        };
        let entries = nodes.iter().filter(|(path, planted)| !implied(path, planted)).map(
            |(path, planted)| Entry {
                path: RelPath::new(path.as_str()).expect("a planted path has plain names"),
                node: match planted {
                    Planted::Dir => Node::Dir,
                    Planted::File => Node::File { text: Text::from("text\n"), executable: false },
                    Planted::Link(to) => Node::Link { to: Text::from(to.as_str()) },
                },
            },
        );
        TreeSpec::new(entries.chain(more)).expect("nothing is planted below a file or twice")
    }
}

/// The path that `cd text` means from `from`, by its text alone: `..` takes a name away.
pub(crate) fn walk(from: &str, text: &str) -> Option<String> {
    let (start, path) = match text.strip_prefix(TOP) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => ("", rest),
        _ if text.starts_with('/') => return None,
        _ => (from, text),
    };
    let mut at = start.to_owned();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        at = if name == ".." { above(&at)? } else { join(&at, name) };
    }
    Some(at)
}

/// The directory above; nothing above the top.
pub(crate) fn above(path: &str) -> Option<String> {
    match path.rsplit_once('/') {
        Some((up, _)) => Some(up.to_owned()),
        None => (!path.is_empty()).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    /// Plants a real tree. Absolute targets are moved below its top.
    fn plant_for_real(world: &World, top: &Path) {
        for (path, planted) in world.nodes() {
            let at = top.join(path);
            match planted {
                Planted::Dir => std::fs::create_dir(at).unwrap(),
                Planted::File => std::fs::write(at, "").unwrap(),
                Planted::Link(to) => match to.strip_prefix(TOP) {
                    Some(rest) => symlink(format!("{}{rest}", top.display()), at).unwrap(),
                    None => symlink(to, at).unwrap(),
                },
            }
        }
    }

    #[test]
    fn paths_lead_where_the_kernel_says() {
        let mut world = World::new(40);
        for (path, to) in [
            ("proj/in", "src"),
            ("proj/src/out", "../../outside"),
            ("proj/up", ".."),
            ("proj/src/abs", "/case/outside/secret"),
            ("proj/chain", "src/out"),
            ("proj/dangling", "../outside/new"),
            ("proj/src/loop-a", "loop-b"),
            ("proj/src/loop-b", "loop-a"),
        ] {
            assert!(world.plant(path, Planted::Link(to.to_owned())));
        }
        let top = tempfile::tempdir().unwrap();
        plant_for_real(&world, top.path());
        let starts = ["proj", "proj/src", "outside"];
        let names =
            ["in", "src", "out", "up", "..", "abs", "chain", "dangling", "loop-a", "secret"];
        for from in starts {
            for first in names {
                for text in names.map(|second| format!("{first}/{second}")) {
                    let real = top.path().join(from).join(&text).canonicalize();
                    let real = real.ok().and_then(|at| {
                        Some(at.strip_prefix(top.path()).ok()?.to_str()?.to_owned())
                    });
                    let ours = match world.resolve(from, &text) {
                        Landing::Dir(at) | Landing::File(at) => Some(at),
                        Landing::Missing(_) | Landing::Broken => None,
                    };
                    assert_eq!(ours, real, "{text} from {from}");
                }
            }
        }
    }

    #[test]
    fn cd_takes_names_away_where_operands_go_up() {
        let mut world = World::new(40);
        world.plant("proj/src/deep/x", Planted::File);
        world.plant("proj/l", Planted::Link("src/deep".to_owned()));
        assert_eq!(world.enter("proj", "l/.."), Some("proj".to_owned()));
        assert_eq!(world.resolve("proj", "l/.."), Landing::Dir("proj/src".to_owned()));
        assert_eq!(world.enter("proj", "nosuch"), None);
        assert_eq!(walk("proj", "nosuch/../../outside"), Some("outside".to_owned()));
    }

    #[test]
    fn a_full_or_impossible_place_takes_nothing() {
        let mut world = World::new(4);
        assert!(!world.plant("proj/main.txt/x", Planted::File));
        assert!(!world.plant("proj/main.txt", Planted::Dir));
        assert!(world.plant("proj/x", Planted::File));
        assert!(!world.plant("proj/y", Planted::File));
        assert_eq!(world.into_tree(Vec::new()).len(), 4);
    }
}
