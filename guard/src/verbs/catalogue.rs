//! The tables that `build/` makes of `verbs/*.toml`.

use super::grammar::{
    Class, Effects, Entry, Grammar, Language, Meaning, Operands, Opt, Options, Otherwise, Parser,
    Search, Sub, Value, Verb,
};
use crate::plan::Role;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
