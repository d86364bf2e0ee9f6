//! The throwaway tree a case runs in.

use crate::Text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Where the top of a case's tree stands, in every container and in every view built from a
/// [`TreeSpec`]. One fixed place, so that a line may hold absolute paths and stay the same line.
pub const TOP: &str = "/case";

/// The name below the top of the directory that is root and, unless a case says otherwise, cwd.
pub const PROJ: &str = "proj";

/// What every top holds, whatever the [`TreeSpec`] says: the project, a place outside it, a home,
/// and a look-alike whose name has the project's as a prefix.
pub const BASE_DIRS: [&str; 4] = [PROJ, "outside", "home", "proj-evil"];

/// A path below the top: relative, without `.`, `..` and empty components, never empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "Text")]
pub struct RelPath(Text);

impl RelPath {
    /// Checks the form. The error says what is wrong with the path.
    pub fn new(path: impl Into<Text>) -> Result<RelPath, String> {
        let path = path.into();
        for name in path.split(|byte| *byte == b'/') {
            match name {
                b"" => return Err(format!("{path:?} is empty or absolute, or has an empty name")),
                b"." | b".." => return Err(format!("{path:?} has a component '.' or '..'")),
                name if name.len() > 255 => return Err(format!("{path:?} has an over-long name")),
                name if name.contains(&0) => return Err(format!("{path:?} holds a NUL byte")),
                _ => {}
            }
        }
        Ok(RelPath(path))
    }

    /// The bytes, without the top.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The absolute path below [`TOP`].
    pub fn absolute(&self) -> Text {
        Text::from([TOP.as_bytes(), b"/", self.as_bytes()].concat())
    }

    /// The directory it stands in, if that is not the top itself.
    pub fn parent(&self) -> Option<RelPath> {
        let cut = self.as_bytes().iter().rposition(|byte| *byte == b'/')?;
        Some(RelPath(Text::from(&self.as_bytes()[..cut])))
    }

    /// All directories it stands in, outermost first.
    pub fn ancestors(&self) -> Vec<RelPath> {
        let mut list: Vec<RelPath> =
            std::iter::successors(self.parent(), RelPath::parent).collect();
        list.reverse();
        list
    }
}

impl TryFrom<Text> for RelPath {
    type Error = String;
    fn try_from(path: Text) -> Result<RelPath, String> {
        RelPath::new(path)
    }
}

impl From<RelPath> for Text {
    fn from(path: RelPath) -> Text {
        path.0
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// What stands at one path of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// A directory.
    Dir,
    /// A regular file.
    File {
        /// What it holds.
        text: Text,
        /// Has it the executable bits?
        executable: bool,
    },
    /// A symbolic link.
    Link {
        /// Its target, as written: relative to the link's directory, or absolute (`/case/…`).
        to: Text,
    },
}

/// One entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// Where it stands, below the top.
    pub path: RelPath,
    /// What it is.
    pub node: Node,
}

/// A tree below the top, in canonical order. The four [`BASE_DIRS`] and the directories that an
/// entry stands in are implied and need not be listed.
///
/// No entry stands below a file or a link, and none replaces a base directory: such a tree cannot
/// be built, so it cannot be said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct TreeSpec {
    entries: BTreeMap<RelPath, Node>,
}

/// Why entries make no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// Two entries have this path.
    Twice(RelPath),
    /// This entry stands below something that is no directory.
    BelowNoDirectory(RelPath),
    /// This base directory is given as a file or link.
    ReplacesBase(RelPath),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::Twice(path) => write!(f, "'{path}' is there twice"),
            TreeError::BelowNoDirectory(path) => {
                write!(f, "'{path}' stands below something that is no directory")
            }
            TreeError::ReplacesBase(path) => write!(f, "'{path}' is always a directory"),
        }
    }
}

impl std::error::Error for TreeError {}

impl TreeSpec {
    /// Builds a tree from entries in any order.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Result<TreeSpec, TreeError> {
        let mut tree = TreeSpec::default();
        for Entry { path, node } in entries {
            if tree.entries.insert(path.clone(), node).is_some() {
                return Err(TreeError::Twice(path));
            }
        }
        for (path, node) in &tree.entries {
            let base = BASE_DIRS.iter().any(|base| base.as_bytes() == path.as_bytes());
            if base && *node != Node::Dir {
                return Err(TreeError::ReplacesBase(path.clone()));
            }
            for above in path.ancestors() {
                if tree.entries.get(&above).is_some_and(|node| *node != Node::Dir) {
                    return Err(TreeError::BelowNoDirectory(path.clone()));
                }
            }
        }
        Ok(tree)
    }

    /// The entries as given, in canonical order, without what is implied.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&RelPath, &Node)> {
        self.entries.iter()
    }

    /// How many entries were given.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there only the base directories?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Everything that stands below the top once the tree is planted, implied directories
    /// included, each directory before what it holds.
    pub fn planted(&self) -> BTreeMap<RelPath, Node> {
        let mut all = BTreeMap::new();
        for base in BASE_DIRS {
            all.insert(RelPath(Text::from(base)), Node::Dir);
        }
        for (path, node) in &self.entries {
            for above in path.ancestors() {
                all.insert(above, Node::Dir);
            }
            all.insert(path.clone(), node.clone());
        }
        all
    }

    /// The tree without the entry at `path` and what stands below it.
    #[must_use]
    pub fn without(&self, path: &RelPath) -> TreeSpec {
        let below = [path.as_bytes(), b"/"].concat();
        let entries = self
            .entries
            .iter()
            .filter(|(at, _)| *at != path && !at.as_bytes().starts_with(&below))
            .map(|(at, node)| (at.clone(), node.clone()))
            .collect();
        TreeSpec { entries }
    }
}

impl TryFrom<Vec<Entry>> for TreeSpec {
    type Error = TreeError;
    fn try_from(entries: Vec<Entry>) -> Result<TreeSpec, TreeError> {
        TreeSpec::new(entries)
    }
}

impl From<TreeSpec> for Vec<Entry> {
    fn from(tree: TreeSpec) -> Vec<Entry> {
        tree.entries.into_iter().map(|(path, node)| Entry { path, node }).collect()
    }
}
