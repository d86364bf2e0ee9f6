//! The declared verbs: which programs and built-ins may run without a question, with which options,
//! and what they do with their operands.
//!
//! A verb that is not here is not dangerous, only not declared. An option that is not here may
//! write, execute or reach out; abbreviations of long options are not accepted, since what they
//! stand for changes with the tool's version.

mod catalogue;
mod grammar;

pub use grammar::{Undeclared, Verb, uses};

/// The verb of this name. Names are those typed without a directory: `./cat` is another program.
pub fn find(name: &[u8]) -> Option<&'static Verb> {
    catalogue::VERBS.iter().find(|verb| verb.name.as_bytes() == name)
}

/// Is a verb of this name declared?
pub fn declares(name: &[u8]) -> bool {
    find(name).is_some()
}
