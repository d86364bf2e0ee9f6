//! Inherited variables that make a declared verb, or the shell itself, do something else.
//!
//! A variable counts if the caller saw it set. The list is short on purpose: what is on it changes
//! what the verbs that are declared do, or what a shell reads before or instead of the line.

use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::request::Env;
use crate::scope::Scope;
use crate::verbs;
use crate::view::FsView;

/// Variables that may not be set at all, and what each does.
#[rustfmt::skip]
const GOVERNING: &[(&str, &str)] = &[
    ("BASHOPTS", "sets options of bash"),
    ("BASH_ENV", "names a file that bash runs first"),
    ("ENV", "names a file that sh may run first"),
    ("FPATH", "names directories of zsh functions"),
    ("IFS", "changes where words end"),
    ("LOCPATH", "names directories that programs read"),
    ("NLSPATH", "names files that programs read"),
    ("PS4", "is expanded by a shell that traces"),
    ("SHELLOPTS", "sets options of bash"),
    ("TZDIR", "names a directory that programs read"),
    ("ZDOTDIR", "names a directory of files that zsh runs"),
];

/// Beginnings of such names.
const GOVERNING_PREFIXES: &[(&str, &str)] = &[
    ("BASH_FUNC_", "defines a function of bash"),
    ("DYLD_", "changes what programs load"),
    ("GCONV_", "changes what programs load"),
    ("LD_", "changes what programs load"),
];

/// The first variable of an environment under which the declared verbs are not what they are, as a
/// sentence.
pub(crate) fn objection(env: &Env, scope: &Scope, view: &dyn FsView) -> Option<String> {
    env.iter().find_map(|(name, value)| {
        let shown = String::from_utf8_lossy(name);
        let what = governs(name).or_else(|| value_governs(name, value, scope, view))?;
        Some(format!("the inherited variable {shown} {what}"))
    })
}

/// The first variable of an environment that changes what the verb of this name does, as a
/// sentence.
pub(crate) fn objection_to(verb: &[u8], env: &Env) -> Option<String> {
    let governed_by = verbs::find(verb)?.entry.governed_by;
    let seen = governed_by.iter().find(|name| env.contains_key(name.as_bytes()))?;
    let verb = String::from_utf8_lossy(verb);
    Some(format!("the inherited variable {seen} changes what '{verb}' does"))
}

/// Does a variable of this name have to be seen? For callers that look at an environment.
pub fn is_governing(name: &[u8]) -> bool {
    let governs = governs(name).is_some() || verbs::is_governed_by(name);
    governs || matches!(name, b"CDPATH" | b"HOME" | b"PATH" | b"TZ")
}

fn governs(name: &[u8]) -> Option<&'static str> {
    let exact = GOVERNING.iter().find(|(governing, _)| governing.as_bytes() == name);
    let begins = |(prefix, _): &&(&str, &str)| name.starts_with(prefix.as_bytes());
    exact.or_else(|| GOVERNING_PREFIXES.iter().find(begins)).map(|(_, what)| *what)
}

/// Variables that are harmless with most values.
fn value_governs(
    name: &[u8],
    value: &[u8],
    scope: &Scope,
    view: &dyn FsView,
) -> Option<&'static str> {
    match name {
        // A zone name; anything else is a path (`tzset(3)`).
        b"TZ" if value.starts_with(b"/") || value.starts_with(b":") || has_parent(value) => {
            Some("names a file that programs read")
        }
        b"PATH" if !is_harmless_path(value, scope, view) => {
            Some("lets programs of the project, or of the working directory, stand for verbs")
        }
        _ => None,
    }
}

fn has_parent(value: &[u8]) -> bool {
    value.split(|byte| *byte == b'/').any(|name| name == b"..")
}

/// Directories outside the project are the person's own, wherever they are. One inside it, or one
/// that is relative, would let an agent's file be taken for `cat`.
fn is_harmless_path(value: &[u8], scope: &Scope, view: &dyn FsView) -> bool {
    value.split(|byte| *byte == b':').all(|directory| {
        directory.starts_with(b"/")
            && resolve(view, &Physical::root(), directory, Last::Follow)
                .is_ok_and(|there| scope.root_of(&there.path).is_none())
    })
}
