//! The tables that `build/` makes of `verbs/*.toml`.

use super::grammar::{
    Class, Effects, Entry, Grammar, Language, Meaning, Operands, Opt, Options, Otherwise, Parser,
    Search, SearchIn, Sub, Value, Verb,
};
use super::lists::{List, Texts};
use crate::plan::Role;
use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
