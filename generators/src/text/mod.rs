//! A model of shell text: what a generator says, before it is bytes.
//!
//! It covers what the families need and is written only to be rendered. It shares nothing with any
//! parser: where both sides read the shell's grammar, each has read it for itself.

mod line;
mod render;
mod word;

pub(crate) use line::{Body, Command, Join, List, Pipeline, Redirect, Target};
pub(crate) use render::{Layout, render};
pub(crate) use word::{Style, Word};
