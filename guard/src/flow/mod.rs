//! Tree → steps: which simple commands may run, and in which directories they may start.
//!
//! An abstract interpreter. The state is a set of places in which the shell may be; every command
//! maps the states before it to those after it succeeded and those after it failed. Only `cd`
//! moves. Where the configured shells differ, both outcomes are in the set.

mod cd;
mod commands;
mod interpreter;
mod pending;
mod states;
mod step;
mod words;

pub use cd::{CdTargets, Surroundings};
pub use interpreter::{Followed, follow};
pub use states::{Place, Start, States};
pub(crate) use step::{DESCRIPTORS, INERT};
pub use step::{Look, Reading, Step, Word, argv};
pub use words::Room;

#[cfg(test)]
mod tests;
