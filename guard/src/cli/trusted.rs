//! Files that the person trusts as they are: a copy of each lies in the person's state directory,
//! under the path of the file. Whatever changes the file ends the trust.

use super::configuration::{Places, Whose, read};
use std::path::{Path, PathBuf};

/// Does the person trust a file with just this text?
pub fn is_trusted(places: &Places, file: &Path, text: &str) -> bool {
    let copy = copy_of(places, file);
    let trusted = copy.and_then(|copy| read(&copy, Whose::Mine).ok().flatten());
    trusted.is_some_and(|trusted| trusted == text)
}

/// Where the copy lies. The file is known by where its directory really is.
pub fn copy_of(places: &Places, file: &Path) -> Option<PathBuf> {
    let directory = file.parent()?.canonicalize().ok()?;
    let below = directory.strip_prefix("/").ok()?.join(file.file_name()?);
    Some(places.trusted()?.join(below))
}
