//! No view: lexical verdicts.

use super::{FsView, Kind};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Sees nothing. Every path is taken to exist and to be no link.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoView;

impl FsView for NoView {
    fn kind(&self, _: &Path) -> io::Result<Kind> {
        Ok(Kind::Unseen)
    }

    fn read_link(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn list(&self, _: &Path, _: usize) -> io::Result<Vec<OsString>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read(&self, _: &Path, _: usize) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn enterable(&self, _: &Path) -> bool {
        true
    }

    fn sees(&self) -> bool {
        false
    }
}
