//! Being told to stop.

use crate::system::interrupt;
use shfence_reports::Ended;
use std::io;

/// Takes note of SIGINT and SIGTERM instead of dying of them.
pub fn install() -> io::Result<()> {
    interrupt::install()
}

/// How the run ends, if it was told to.
pub fn pending() -> Option<Ended> {
    match interrupt::pending() {
        0 => None,
        libc::SIGTERM => Some(Ended::Terminated),
        _ => Some(Ended::Interrupted),
    }
}
