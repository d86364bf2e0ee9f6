//! Logical paths: what `$PWD` says.

use crate::short::Short;
use std::fmt;
use std::sync::Arc;

/// What a shell calls its working directory.
///
/// Where the inherited `$PWD` is not known, only what was entered since is: then the path is
/// relative to the start, and nothing above the start can be told.
///
/// Cheap to copy: states hold many of the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Logical {
    anchor: Anchor,
    /// The names, with a slash between them; before the first as well, if the anchor is the root.
    text: Arc<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Anchor {
    /// The root of the file system.
    Root,
    /// The directory the line started in, under whatever name.
    Start,
}

impl Logical {
    /// The start, under an unknown name.
    pub fn start() -> Logical {
        Logical { anchor: Anchor::Start, text: Arc::default() }
    }

    /// From an absolute path as text. `..` in it removes names, as in a `cd`.
    pub fn absolute(text: &[u8]) -> Logical {
        let mut way = LogicalWay::from_root();
        for name in text.split(|byte| *byte == b'/') {
            way.step(name).expect("the root has no unknown above it");
        }
        way.end()
    }

    /// Where a relative path leads by its text. `None`: above a start whose name is not known.
    pub fn walk(&self, text: &[u8]) -> Option<LogicalWay> {
        let mut way = LogicalWay::from(self);
        for name in text.split(|byte| *byte == b'/') {
            way.step(name)?;
        }
        Some(way)
    }

    /// The text by which the kernel is asked for it, and whether that text is absolute: if not, it
    /// is relative to the start directory.
    pub fn text(&self) -> (bool, &[u8]) {
        (self.anchor == Anchor::Root, &self.text)
    }
}

/// A logical path on which names are added and taken away.
pub struct LogicalWay {
    anchor: Anchor,
    text: Short<u8, 128>,
}

impl LogicalWay {
    /// At the root of the file system.
    pub fn from_root() -> LogicalWay {
        LogicalWay { anchor: Anchor::Root, text: b"/"[..].into() }
    }

    /// Where this path has led to.
    pub fn from(path: &Logical) -> LogicalWay {
        LogicalWay { anchor: path.anchor, text: path.text[..].into() }
    }

    /// Applies one component of an operand. `None`: it leads above the start, and where that is
    /// only the shell knows.
    pub fn step(&mut self, name: &[u8]) -> Option<()> {
        match name {
            b"" | b"." => {}
            b".." => {
                if self.anchor == Anchor::Start && self.text.is_empty() {
                    return None;
                }
                let slash = self.text.iter().rposition(|byte| *byte == b'/');
                // The slash of the root is no part of a name.
                let least = usize::from(self.anchor == Anchor::Root);
                self.text.truncate(slash.unwrap_or(0).max(least));
            }
            name => {
                if !self.text.is_empty() && *self.text != *b"/" {
                    self.text.push(b'/');
                }
                self.text.extend_from_slice(name);
            }
        }
        Some(())
    }

    /// As [`Logical::text`] has it.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The path as it is now.
    pub fn end(self) -> Logical {
        Logical { anchor: self.anchor, text: Arc::from(&*self.text) }
    }
}

impl fmt::Debug for Logical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (absolute, text) = self.text();
        write!(f, "{}{}", if absolute { "" } else { "(start)/" }, text.escape_ascii())
    }
}
