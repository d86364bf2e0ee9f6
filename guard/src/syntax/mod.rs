//! Bytes → tree: a total recogniser of the text that every configured shell reads alike.
//!
//! It is no parser of one shell's language. It accepts, byte class by byte class, what bash, sh and
//! zsh were seen to read the same way, and stops at the first byte that is not on the list of the
//! state it is in. Everything it does not accept is a [`NotUnderstood`] with a span and a reason.
//!
//! One pass over the bytes; the caps on length, depth and number of commands hold before any
//! recursion, so that no input can overflow the stack or take more than linear time.

mod arithmetic;
mod assignment;
mod command;
mod conditional;
mod control;
mod document;
mod expansion;
mod names;
mod not_understood;
mod pattern;
mod quotes;
mod recogniser;
mod redirection;
mod text;
pub mod tree;
mod word;

pub(crate) use names::{is_conditional, may_be_run, may_run_its_words, runs_its_words};
pub use not_understood::{Construct, NotUnderstood};

use crate::request::{Dialects, Invocation, Limits};
use tree::List;

/// Reads a line as all of these shells do. The limits are in bytes, levels and simple commands.
pub fn read<'a>(
    line: &'a [u8],
    invocation: Invocation,
    shells: Dialects,
    limits: &Limits,
) -> Result<List<'a>, NotUnderstood> {
    text::check(line, limits.length, invocation)?;
    recogniser::Recogniser::new(line, shells, *limits).line()
}

#[cfg(test)]
mod tests;
