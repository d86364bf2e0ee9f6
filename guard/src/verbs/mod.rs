//! The declared verbs: which programs and built-ins may run without a question, with which options,
//! and what they do with their operands.
//!
//! A verb that is not here is not dangerous, only not declared. An option that is not here may
//! write, execute or reach out; abbreviations of long options are not accepted, since what they
//! stand for changes with the tool's version.

mod awk;
#[allow(clippy::init_numbered_fields)] // between braces, parts live as long as the table
mod catalogue;
mod declared;
mod find;
mod free;
mod git;
mod grammar;
mod joined;
mod jq;
mod lists;
mod meaning;
mod output;
mod printf;
mod reading;
pub(crate) mod schema;
mod sed;
mod selected;
mod test;
mod uses;
mod well_formed;
mod wrappers;
mod writing;
mod xargs;

use crate::index::Index;

#[cfg(test)]
mod tests;

pub use declared::Declared;
pub(crate) use declared::declared;
pub(crate) use free::paths as may_be_paths;
pub use grammar::{
    Class, Effects, Entry, Grammar, Language, Meaning, Operands, Opt, Options, Otherwise, Parser,
    Search, SearchIn, Sub, Value, Verb,
};
pub use lists::{List, Texts};
pub use output::{Output, output};
pub(crate) use selected::Secret;
pub use selected::{FoundNames, Selected};
pub use uses::{
    Adds, Form, InRepository, Inner, Number, Objection, Part, Use, Uses, Why, Word, uses,
};
pub use writing::{Leaves, Written, rewritten};

/// All declared verbs, sorted by name.
pub fn all() -> &'static [Verb<'static>] {
    catalogue::VERBS
}

/// The verb of this name. Names are those typed without a directory: `./cat` is another program.
/// A name of several words is a sub-command, and no program.
pub fn find(name: &[u8]) -> Option<Verb<'static>> {
    if name.contains(&b' ') { None } else { find_any(name) }
}

/// The form of the verb of this name in which it edits, where it has others as well.
pub(crate) fn find_edit(name: &[u8]) -> Option<Verb<'static>> {
    if name.contains(&b' ') { None } else { find_any(&[name, b" +edit"].concat()) }
}

/// The verb, or sub-command, of this name.
fn find_any(name: &[u8]) -> Option<Verb<'static>> {
    let at = INDEX.find(name, |at| catalogue::VERBS[at].name)?;
    Some(catalogue::VERBS[at])
}

static INDEX: Index<4096> = {
    let mut names = [""; catalogue::VERBS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = catalogue::VERBS[at].name;
        at += 1;
    }
    Index::of(&names)
};

/// Is a verb of this name declared, in other profiles than `edit` as well?
pub fn declares(name: &[u8]) -> bool {
    find(name).is_some_and(|verb| verb.entry.class != Class::Edit)
}

/// Does this variable change what some verb does?
pub(crate) fn is_governed_by(variable: &[u8]) -> bool {
    GOVERNING.find(variable, |at| catalogue::GOVERNING[at]).is_some()
        || catalogue::GOVERNING_STARTS.iter().any(|it| variable.starts_with(it.as_bytes()))
        || catalogue::GOVERNING_SETTINGS.iter().any(|it| is_setting(it.as_bytes(), variable))
}

static GOVERNING: Index<1024> = Index::of(catalogue::GOVERNING);

/// Is this the variable's name, or, with a star behind it, how it begins? One in small letters is
/// that of a setting.
pub(crate) fn is_named(governing: &str, variable: &[u8]) -> bool {
    match governing.strip_suffix('*') {
        Some(start) => variable.starts_with(start.as_bytes()),
        None if governing.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            governing.as_bytes() == variable
        }
        None => is_setting(governing.as_bytes(), variable),
    }
}

/// Is this the variable for a setting of npm's? In whatever case, and with `-` for `_`, as it takes
/// them.
fn is_setting(governing: &[u8], variable: &[u8]) -> bool {
    let plain = |byte: u8| if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() };
    governing.len() == variable.len()
        && governing.iter().zip(variable).all(|(one, other)| plain(*one) == plain(*other))
}

impl Verb<'_> {
    /// Does it take any words at all, since none of them is a path or an option that matters?
    pub fn takes_any_words(&self) -> bool {
        matches!(self.entry.grammar, Grammar::Words | Grammar::Cd)
    }
}
