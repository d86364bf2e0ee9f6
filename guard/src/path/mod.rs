//! The two kinds of path, which are never mixed.
//!
//! A **logical** path is what a shell calls its directory: `cd ..` removes its last name, whatever
//! the links in it lead to. A **physical** path is where the kernel goes: it holds no link and no
//! `..`. Only [`resolve`] makes one out of text.

mod links;
mod logical;
pub mod resolve;

pub use links::{Link, links_on_the_way};
pub use logical::{Logical, LogicalWay};

use serde::{Serialize, Serializer};
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// An absolute path without links, `.`, `..` and doubled slashes: where the kernel would go.
///
/// Cheap to copy: states and plans hold many of the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Physical(Arc<[u8]>);

impl Physical {
    /// The root of the file system.
    pub fn root() -> Physical {
        static ROOT: LazyLock<Physical> = LazyLock::new(|| Physical::from_resolved(b"/"));
        ROOT.clone()
    }

    /// From bytes that are already in this form. Only [`resolve`] and views know that they are.
    fn from_resolved(bytes: &[u8]) -> Physical {
        debug_assert!(bytes.first() == Some(&b'/') && (bytes.len() == 1 || !bytes.ends_with(b"/")));
        Physical(Arc::from(bytes))
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As a path of the standard library.
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// Is it `directory`, or does it stand below it? By whole names: `/p/evil` is not below `/p/e`.
    pub fn is_within(&self, directory: &Physical) -> bool {
        match self.0.strip_prefix(&*directory.0) {
            Some(rest) => rest.is_empty() || rest[0] == b'/' || directory.0.len() == 1,
            None => false,
        }
    }
}

impl fmt::Debug for Physical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl fmt::Display for Physical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl Serialize for Physical {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::json::bytes(&self.0, serializer)
    }
}
