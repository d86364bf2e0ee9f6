//! A file system in memory: what the oracle plants, and what tests say.

use super::{FsView, Kind};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::ops::Bound;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A tree of directories, files and links. It answers as the kernel would for a user who may do
/// everything in it.
#[derive(Clone, Debug)]
pub struct MemoryView {
    nodes: BTreeMap<PathBuf, Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Dir,
    File(Vec<u8>),
    Link(PathBuf),
}

impl Default for MemoryView {
    fn default() -> MemoryView {
        MemoryView { nodes: BTreeMap::from([(PathBuf::from("/"), Node::Dir)]) }
    }
}

impl MemoryView {
    /// Adds a directory at an absolute path, and those it stands in.
    pub fn dir(&mut self, path: impl AsRef<Path>) -> &mut MemoryView {
        self.put(path.as_ref(), Node::Dir)
    }

    /// Adds a file at an absolute path, and the directories it stands in.
    pub fn file(&mut self, path: impl AsRef<Path>, text: impl Into<Vec<u8>>) -> &mut MemoryView {
        self.put(path.as_ref(), Node::File(text.into()))
    }

    /// Adds a link at an absolute path, and the directories it stands in.
    pub fn link(&mut self, path: impl AsRef<Path>, to: impl Into<PathBuf>) -> &mut MemoryView {
        self.put(path.as_ref(), Node::Link(to.into()))
    }

    fn put(&mut self, path: &Path, node: Node) -> &mut MemoryView {
        for above in path.ancestors().skip(1) {
            self.nodes.entry(above.to_owned()).or_insert(Node::Dir);
        }
        self.nodes.insert(path.to_owned(), node);
        self
    }

    fn get(&self, path: &Path) -> io::Result<&Node> {
        if let Some(node) = self.nodes.get(path) {
            return Ok(node);
        }
        match path.parent().and_then(|parent| self.nodes.get(parent)) {
            Some(Node::File(_)) => Err(io::ErrorKind::NotADirectory.into()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl FsView for MemoryView {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(match self.get(path)? {
            Node::Dir => Kind::Dir,
            Node::File(_) => Kind::File,
            Node::Link(_) => Kind::Link,
        })
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        match self.get(path)? {
            Node::Link(to) => Ok(to.clone()),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        if !matches!(self.get(path)?, Node::Dir) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let after = (Bound::Excluded(path.to_owned()), Bound::Unbounded);
        let names: Vec<OsString> = self
            .nodes
            .range(after)
            .map(|(at, _)| at)
            .take_while(|at| at.as_os_str().as_bytes().starts_with(path.as_os_str().as_bytes()))
            .filter(|at| at.parent() == Some(path))
            .filter_map(|at| at.file_name().map(ToOwned::to_owned))
            .take(budget + 1)
            .collect();
        if names.len() > budget { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(names) }
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        match self.get(path)? {
            Node::File(text) => Ok(text[..text.len().min(max)].to_vec()),
            Node::Dir => Err(io::ErrorKind::IsADirectory.into()),
            Node::Link(_) => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn enterable(&self, path: &Path) -> bool {
        matches!(self.get(path), Ok(Node::Dir))
    }
}
