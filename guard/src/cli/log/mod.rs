//! The event log: what hooks were asked and what they answered, one JSON object per line, in files
//! that only their owner can read.

mod event;
mod file;
mod names;
#[cfg(feature = "cli")]
mod reading;
#[cfg(feature = "cli")]
pub mod show;
#[cfg(feature = "cli")]
pub mod stats;

pub use event::Event;
pub use file::append;

use std::path::PathBuf;

/// What is logged, and how much of it is kept.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// Is anything logged at all?
    pub enabled: bool,
    /// The text of lines as well, their secrets covered? Without it there is only a hash.
    pub text: bool,
    /// The size at which a file is put aside, in bytes.
    pub file_bytes: u64,
    /// How many files are kept aside. The oldest goes first.
    pub files: usize,
}

impl Default for LogSettings {
    fn default() -> LogSettings {
        LogSettings { enabled: true, text: false, file_bytes: 4 << 20, files: 4 }
    }
}

/// The directory of the log: `$XDG_STATE_HOME/shfence`, or else `~/.local/state/shfence` (XDG Base
/// Directory Specification, which has relative paths ignored). `None`: there is no home.
pub fn directory() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name).map(PathBuf::from).filter(|directory| directory.is_absolute())
    };
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("shfence"))
}
