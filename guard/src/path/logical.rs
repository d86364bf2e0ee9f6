//! Logical paths: what `$PWD` says.

use std::fmt;
use std::sync::Arc;

/// What a shell calls its working directory.
///
/// Where the inherited `$PWD` is not known, only what was entered since is: then the path is
/// relative to the start, and nothing above the start can be told.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Logical {
    anchor: Anchor,
    names: Vec<Arc<[u8]>>,
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
        Logical { anchor: Anchor::Start, names: Vec::new() }
    }

    /// From an absolute path as text. `..` in it removes names, as in a `cd`.
    pub fn absolute(text: &[u8]) -> Logical {
        let mut path = Logical { anchor: Anchor::Root, names: Vec::new() };
        for name in text.split(|byte| *byte == b'/') {
            path.step(name).expect("the root has no unknown above it");
        }
        path
    }

    /// Applies one component of an operand. `None`: it leads above the start, and where that is
    /// only the shell knows.
    pub fn step(&mut self, name: &[u8]) -> Option<()> {
        match name {
            b"" | b"." => {}
            b".." => {
                if self.names.pop().is_none() && self.anchor == Anchor::Start {
                    return None;
                }
            }
            name => self.names.push(Arc::from(name)),
        }
        Some(())
    }

    /// The text by which the kernel is asked for it, and whether that text is absolute: if not, it
    /// is relative to the start directory.
    pub fn text(&self) -> (bool, Vec<u8>) {
        let names: Vec<&[u8]> = self.names.iter().map(|name| &**name).collect();
        match self.anchor {
            Anchor::Root => (true, [b"/".to_vec(), names.join(&b'/')].concat()),
            Anchor::Start => (false, names.join(&b'/')),
        }
    }
}

impl fmt::Debug for Logical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (absolute, text) = self.text();
        write!(f, "{}{}", if absolute { "" } else { "(start)/" }, text.escape_ascii())
    }
}
