//! The two small programs that are shown to shells, as `build.rs` builds them from the sources
//! beside this file. They are here because they are unsafe from end to end.

/// The library that makes a shell warm.
pub(crate) const PRELOAD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

/// The program that stands in the place of a verb.
pub(crate) const PROBE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/probe"));
