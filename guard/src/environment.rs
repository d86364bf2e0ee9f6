//! Inherited variables that make a declared verb, or the shell itself, do something else.
//!
//! A variable counts if the caller saw it set. The list is short on purpose: what is on it changes
//! what the verbs that are declared do, or what a shell reads before or instead of the line.

mod values;

use crate::path::Physical;
use crate::path::resolve::{Last, Unresolved, resolve};
use crate::request::Env;
use crate::scope::Scope;
use crate::syntax::tree::{Assignment, Piece};
use crate::verbs::{self, Class, Verb};
use crate::view::FsView;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Variables that may not be set at all, and what each does.
#[rustfmt::skip]
const GOVERNING: &[(&str, &str)] = &[
    ("BASHOPTS", "sets options of bash"),
    ("BASH_COMPAT", "makes bash read as older ones do"),
    ("BASH_ENV", "names a file that bash runs first"),
    ("ENV", "names a file that sh may run first"),
    ("FPATH", "names directories of zsh functions"),
    ("IFS", "changes where words end"),
    ("LOCPATH", "names directories that programs read"),
    ("NLSPATH", "names files that programs read"),
    ("POSIXLY_CORRECT", "makes bash another shell"),
    ("PS4", "is expanded by a shell that traces"),
    ("SHELLOPTS", "sets options of bash"),
    ("TZDIR", "names a directory that programs read"),
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
pub(crate) fn objection(
    env: &Env,
    home: Option<&Path>,
    scope: &Scope,
    view: &dyn FsView,
) -> Option<String> {
    env.iter().find_map(|(name, value)| {
        let shown = String::from_utf8_lossy(name);
        let what = match &name[..] {
            b"ZDOTDIR" if !is_own_place(value, home, scope, view) => {
                Some("names a directory of files that zsh runs")
            }
            _ => governs(name).or_else(|| value_governs(name, value, scope, view)),
        }?;
        Some(format!("the inherited variable {shown} {what}"))
    })
}

/// The first variable of an environment that changes what a verb does, as a sentence. `home` is
/// that of the person.
pub(crate) fn objection_to(verb: &Verb<'_>, env: &Env, home: Option<&[u8]>) -> Option<String> {
    if looks_in_home(verb) && home.is_some_and(is_relative) {
        let verb = verb.name;
        return Some(format!("HOME is relative, and '{verb}' looks for its settings below it"));
    }
    let governed_by = &verb.entry.governed_by;
    let (seen, _) = env.iter().find(|(name, value)| {
        let governs = governed_by.iter().any(|governing| verbs::is_named(governing, name));
        governs && !values::change_nothing(name, value, home)
    })?;
    let (seen, verb) = (String::from_utf8_lossy(seen), verb.name);
    Some(format!("the inherited variable {seen} changes what '{verb}' does"))
}

/// Has it settings, or a cache, in the home directory? What builds has. Files of which one is known
/// by its name are looked at where they stand.
fn looks_in_home(verb: &Verb<'_>) -> bool {
    verb.entry.class == Class::Build || verb.name == "git"
}

/// Does it lead from wherever a program is?
pub(crate) fn is_relative(path: &[u8]) -> bool {
    path.first().is_some_and(|byte| *byte != b'/')
}

/// Does a variable of this name have to be seen? For callers that look at an environment.
pub fn is_governing(name: &[u8]) -> bool {
    let governs = governs(name).is_some() || verbs::is_governed_by(name);
    let with_a_value = matches!(
        name,
        b"CDPATH" | b"HOME" | b"LANGUAGE" | b"LESSOPEN" | b"PAGER" | b"PATH" | b"TZ" | b"ZDOTDIR"
    );
    governs || name.starts_with(b"GIT_") || with_a_value
}

/// What git takes from variables that matters to none of the forms that look.
#[rustfmt::skip]
const NOT_FOR_LOOKING: &[&str] = &[
    "GIT_ASKPASS", "GIT_AUTHOR_DATE", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME", "GIT_EDITOR", "GIT_MERGE_AUTOEDIT",
    "GIT_OPTIONAL_LOCKS", "GIT_SEQUENCE_EDITOR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
    "GIT_TERMINAL_PROMPT",
];

/// The first variable that makes git look elsewhere, or run something, as a sentence. What it shows
/// on a terminal goes through a pager, which a shell starts.
pub(crate) fn changes_git(env: &Env) -> Option<String> {
    let harmless = |name: &[u8], value: &[u8]| match name {
        b"GIT_PAGER" => matches!(value, b"" | b"cat"),
        b"PAGER" => values::is_plain_program(value),
        b"LESSOPEN" => !values::opens_what_comes_in(value),
        _ => NOT_FOR_LOOKING.iter().any(|it| it.as_bytes() == name),
    };
    let is_read = |name: &[u8]| name.starts_with(b"GIT_") || matches!(name, b"PAGER" | b"LESSOPEN");
    let mut all = env.iter().filter(|(name, _)| is_read(name));
    let (name, _) = all.find(|(name, value)| !harmless(name, value))?;
    Some(format!("the inherited variable {} changes what git does", String::from_utf8_lossy(name)))
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
        // Catalogues of messages, which hold formats, are looked for by these names.
        b"LANGUAGE" if value.contains(&b'/') => Some("names files that programs read"),
        b"PATH" if !is_harmless_path(value, scope, view) => {
            Some("lets programs of the project, or of the working directory, stand for verbs")
        }
        _ => None,
    }
}

fn has_parent(value: &[u8]) -> bool {
    value.split(|byte| *byte == b'/').any(|name| name == b"..")
}

/// Is it the home directory, or one in it whose name begins with a dot, such as `~/.config/zsh`?
/// What stands there the person has written, as what zsh would run without it.
fn is_own_place(value: &[u8], home: Option<&Path>, scope: &Scope, view: &dyn FsView) -> bool {
    let rest = home.and_then(|home| value.strip_prefix(home.as_os_str().as_bytes()));
    let is_hidden = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/."));
    is_hidden
        && value.starts_with(b"/")
        && !has_parent(value)
        && is_harmless_path(value, scope, view)
}

/// Directories outside the project are the person's own, wherever they are. One inside it, or one
/// that is relative, would let an agent's file be taken for `cat`.
fn is_harmless_path(value: &[u8], scope: &Scope, view: &dyn FsView) -> bool {
    value.split(|byte| *byte == b':').all(|directory| {
        directory.starts_with(b"/")
            && (is_of_the_system(directory, scope) || leads_elsewhere(directory, scope, view))
    })
}

/// Is it a directory of the system's, far from the project? Where these lead, only those change who
/// may change anything.
fn is_of_the_system(directory: &[u8], scope: &Scope) -> bool {
    const SYSTEM: [&[u8]; 4] = [b"/bin", b"/sbin", b"/usr/bin", b"/usr/sbin"];
    let is_near = |root: &Physical| {
        let top = root.as_bytes().split(|byte| *byte == b'/').nth(1);
        matches!(top, Some(b"" | b"bin" | b"sbin" | b"usr"))
    };
    SYSTEM.contains(&directory) && !scope.roots().iter().any(is_near)
}

/// Does it lead to no place of the project?
fn leads_elsewhere(directory: &[u8], scope: &Scope, view: &dyn FsView) -> bool {
    match resolve(view, &Physical::root(), directory, Last::Follow) {
        Ok(there) => scope.root_of(&there.path).is_none(),
        // What this person cannot enter runs nothing for them, unless a line opens it.
        Err(Unresolved::Unreadable) => {
            scope.roots().iter().all(|root| !directory.starts_with(root.as_bytes()))
        }
        Err(_) => false,
    }
}

/// Why this must not be set in front of a command, as a sentence. Few variables may, each with
/// values that make no tool read or run anything else.
pub(crate) fn may_not_be_set(assignment: &Assignment<'_>) -> Option<String> {
    let Assignment { name, value, .. } = assignment;
    let shown = String::from_utf8_lossy(name);
    let value: &[u8] = match &value.pieces[..] {
        [] => b"",
        [Piece::Text(text)] => text,
        _ => return Some(format!("the value of '{shown}' is not known before the line runs")),
    };
    // Nothing but `read` is understood behind it.
    if *name == b"IFS" {
        return None;
    }
    let Some(grammar) = settable(name) else {
        return Some(format!("'{shown}' may change what the command does"));
    };
    match grammar.takes(value) {
        true => None,
        false => Some(format!("'{shown}' is not declared with this value")),
    }
}

/// Does a variable of this name tell tools what to do?
pub(crate) fn is_read_by_tools(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    is_governing(name)
        || lower.ends_with(b"_proxy")
        || lower.starts_with(b"npm_config_")
        || settable(name).is_some()
}

/// May this be set in front of a command?
pub(crate) fn may_be_set(name: &[u8], value: &[u8]) -> bool {
    settable(name).is_some_and(|grammar| grammar.takes(value))
}

/// The values that a variable may be set to.
#[derive(Clone, Copy)]
enum Grammar {
    /// A switch: lower case letters and digits, at most eight.
    Switch,
    /// Names and lists of names, without `..`.
    Names,
    /// A time zone: not a path out of the zone directory.
    Zone,
    /// A decimal number.
    Decimal,
    /// One of two modes in which go does not fetch.
    GoFlags,
}

fn settable(name: &[u8]) -> Option<Grammar> {
    Some(match name {
        b"CI"
        | b"NO_COLOR"
        | b"FORCE_COLOR"
        | b"CLICOLOR"
        | b"VERBOSE"
        | b"PYTHONDONTWRITEBYTECODE"
        | b"PYTHONUNBUFFERED"
        | b"RUST_BACKTRACE"
        | b"HUSKY"
        | b"CGO_ENABLED" => Grammar::Switch,
        b"NODE_ENV" | b"TERM" | b"LANG" | b"GOOS" | b"GOARCH" | b"CARGO_TERM_COLOR" | b"DEBUG"
        | b"RUST_LOG" => Grammar::Names,
        _ if name.starts_with(b"LC_") => Grammar::Names,
        b"TZ" => Grammar::Zone,
        b"GOFLAGS" => Grammar::GoFlags,
        b"COLUMNS" | b"LINES" => Grammar::Decimal,
        _ => return None,
    })
}

impl Grammar {
    fn takes(self, value: &[u8]) -> bool {
        let all = |also: &[u8]| value.iter().all(|b| b.is_ascii_alphanumeric() || also.contains(b));
        let parent = value.windows(2).any(|two| two == b"..");
        match self {
            Grammar::Switch => {
                let switch = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
                value.len() <= 8 && value.iter().all(switch)
            }
            Grammar::Names => !value.is_empty() && all(b"_.:,*@=-") && !parent,
            Grammar::Zone => {
                !value.is_empty() && all(b"_/+-") && !value.starts_with(b"/") && !parent
            }
            Grammar::Decimal => !value.is_empty() && value.iter().all(u8::is_ascii_digit),
            Grammar::GoFlags => matches!(value, b"-mod=readonly" | b"-mod=vendor"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MemoryView;

    #[test]
    fn zsh_may_have_its_files_where_the_person_keeps_them() {
        let mut view = MemoryView::default();
        view.dir("/h/.config/zsh").dir("/h/p/.z").link("/h/.zsh", "p/.z");
        let scope = Scope::new(&["/h/p".into()], &view).expect("the project has a root");
        let asks = |value: &str, home: Option<&str>| {
            let env = Env::from([(b"ZDOTDIR".to_vec(), value.as_bytes().to_vec())]);
            objection(&env, home.map(Path::new), &scope, &view).is_some()
        };
        for value in ["/h", "/h/.config/zsh", "/h/.nosuch"] {
            assert!(!asks(value, Some("/h")) && asks(value, None), "{value}");
        }
        for value in ["", ".", "/h/p/.z", "/h/.zsh", "/h/.config/../p", "/h/zsh", "/q", "/hx"] {
            assert!(asks(value, Some("/h")), "{value}");
        }
    }
}
