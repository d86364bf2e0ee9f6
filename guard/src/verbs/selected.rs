//! Which names a command finds, as far as its words say it.

use crate::protected::{is_secret_file, may_select};
use crate::syntax::tree::Text;
use std::sync::Arc;

/// Names that one command finds and another one gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNames<'a> {
    /// They stand at or below these paths.
    pub paths: Arc<[Text<'a>]>,
    /// Which of those.
    pub which: Selected,
}

impl FoundNames<'_> {
    /// The same names, but taken from elsewhere than where they were found: there any of the
    /// directories in them may be a link.
    pub(crate) fn elsewhere(self) -> Self {
        let which = Selected { links: None, follow: true, ..self.which };
        FoundNames { which, ..self }
    }

    /// The same, for when the words are gone.
    pub fn into_owned(self) -> FoundNames<'static> {
        let paths = self.paths.iter().map(|path| Text::Owned(path.to_vec())).collect();
        FoundNames { paths, which: self.which }
    }
}

/// Which of the names at and below some paths a command finds. It never finds others, but need not
/// find all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// How the name of each link ends that is found, in whatever case; `None` for anyhow.
    links: Option<Vec<Vec<u8>>>,
    /// And how each name does.
    names: Option<Vec<Vec<u8>>>,
    /// One of these globs matches the name; without any it is any name.
    globs: Vec<Vec<u8>>,
    /// Are names passed over that begin with a dot, and what stands below them?
    no_hidden: bool,
    /// Is it known that none of them is a secret's?
    no_secrets: bool,
    /// Do none of them stand in a `.git`?
    no_git: bool,
    /// Do they all stand in the directories themselves, and not below?
    pub flat: bool,
    /// Are links followed, so that names behind them are found?
    pub follow: bool,
}

/// A secret that stands where names are found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Secret {
    /// Its last name.
    pub(crate) name: Vec<u8>,
    /// Does this name, or one on the way to it, begin with a dot?
    pub(crate) hidden: bool,
    /// Is it one because the person says so?
    pub(crate) named: bool,
}

impl Default for Selected {
    fn default() -> Selected {
        Selected::ANY
    }
}

impl Selected {
    /// Any name, behind links as well.
    pub const ANY: Selected = Selected::any(true, false, false);

    /// Any name, but none behind a link.
    pub const HERE: Selected = Selected::any(false, false, false);

    /// Any name, but none of a link.
    pub(super) const NO_LINKS: Selected = Selected {
        links: Some(Vec::new()),
        names: None,
        globs: Vec::new(),
        no_hidden: false,
        no_secrets: false,
        no_git: false,
        flat: false,
        follow: false,
    };

    /// Any name without a dot in front.
    pub(crate) const SEEN: Selected = Selected::any(true, true, false);

    /// Any name that is not a secret's.
    pub(crate) const NO_SECRETS: Selected = Selected::any(true, false, true);

    const fn any(follow: bool, no_hidden: bool, no_secrets: bool) -> Selected {
        let globs = Vec::new();
        let (no_git, flat) = (false, false);
        Selected { links: None, names: None, globs, no_hidden, no_secrets, no_git, flat, follow }
    }

    /// Any name that git tracks.
    pub(crate) const TRACKED: Selected = Selected {
        links: None,
        names: None,
        globs: Vec::new(),
        no_hidden: false,
        no_secrets: false,
        no_git: true,
        flat: false,
        follow: true,
    };

    /// Those of them that stand in the directories themselves.
    pub(super) fn flat(self) -> Selected {
        Selected { flat: true, ..self }
    }

    /// Names that end so.
    pub(super) fn ending(endings: Vec<Vec<u8>>) -> Selected {
        let any = endings.iter().any(Vec::is_empty);
        let endings = (!any).then_some(endings);
        Selected { links: endings.clone(), names: endings, ..Selected::ANY }
    }

    /// Names that this glob matches.
    pub(super) fn like(glob: &[u8]) -> Selected {
        let ending = vec![ending_of_glob(glob)];
        Selected { globs: vec![glob.to_vec()], ..Selected::ending(ending) }
    }

    /// Those that both select.
    pub fn and(self, other: Selected) -> Selected {
        // Either is true of each of them.
        let links = match (self.links, other.links) {
            (Some(none), _) | (_, Some(none)) if none.is_empty() => Some(none),
            (these, those) => these.or(those),
        };
        Selected {
            links,
            names: self.names.or(other.names),
            globs: if self.globs.is_empty() { other.globs } else { self.globs },
            no_hidden: self.no_hidden || other.no_hidden,
            no_secrets: self.no_secrets || other.no_secrets,
            no_git: self.no_git || other.no_git,
            flat: self.flat || other.flat,
            follow: self.follow && other.follow,
        }
    }

    /// Those that either selects.
    pub(super) fn or(self, other: Selected) -> Selected {
        let both = |(mut these, mut those): (Vec<Vec<u8>>, Vec<Vec<u8>>)| {
            these.append(&mut those);
            these
        };
        let any = self.globs.is_empty() || other.globs.is_empty();
        Selected {
            links: self.links.zip(other.links).map(both),
            names: self.names.zip(other.names).map(both),
            globs: if any { Vec::new() } else { both((self.globs, other.globs)) },
            no_hidden: self.no_hidden && other.no_hidden,
            no_secrets: self.no_secrets && other.no_secrets,
            no_git: self.no_git && other.no_git,
            flat: self.flat && other.flat,
            follow: self.follow || other.follow,
        }
    }

    /// May the link of this name, the last of a path, be among them?
    pub(crate) fn may_be_link(&self, name: &[u8]) -> bool {
        ends_like_one(name, self.links.as_deref())
    }

    /// May this secret be among them?
    pub(crate) fn may_be_secret(&self, secret: &Secret) -> bool {
        let Secret { name, hidden, named } = secret;
        let passed_over = (self.no_secrets && !named) || (self.no_hidden && *hidden);
        !passed_over && self.has_name(name)
    }

    /// May the file of this name be among them, where none that they pass over is on the way?
    pub(crate) fn may_be_file(&self, name: &[u8]) -> bool {
        !(self.no_secrets && is_secret_file(name)) && self.has_name(name)
    }

    /// Is this name none of theirs, nor what stands below it?
    pub(crate) fn passes_over(&self, name: &[u8]) -> bool {
        self.no_hidden && name.starts_with(b".") || self.no_git && name == b".git"
    }

    fn has_name(&self, name: &[u8]) -> bool {
        let like_one = |globs: &[Vec<u8>]| globs.iter().any(|glob| may_select(glob, name));
        ends_like_one(name, self.names.as_deref())
            && (self.globs.is_empty() || like_one(&self.globs))
    }
}

fn ends_like_one(name: &[u8], endings: Option<&[Vec<u8>]>) -> bool {
    let ends = |ending: &Vec<u8>| {
        let at = name.len().checked_sub(ending.len());
        at.is_some_and(|at| name[at..].eq_ignore_ascii_case(ending))
    };
    endings.is_none_or(|all| all.iter().any(ends))
}

/// How every name ends that a glob matches, whoever reads the glob: what stands behind the last
/// byte that may mean something.
pub(super) fn ending_of_glob(glob: &[u8]) -> Vec<u8> {
    let plain = |byte: &&u8| !b"*?[]{}()|!+@\\/".contains(byte);
    let count = glob.iter().rev().take_while(plain).count();
    glob[glob.len() - count..].to_vec()
}

/// How every line ends that a regular expression matches, with one ending for each alternative at
/// its end: `\.(c|h)$`. `extended`: are parentheses and bars operators as they stand?
pub(super) fn endings_of_regex(regex: &[u8], extended: bool) -> Vec<Vec<u8>> {
    let any = || vec![Vec::new()];
    let Some(rest) = regex.strip_suffix(b"$") else { return any() };
    let group = rest.strip_suffix(b")").filter(|_| extended);
    let parts = group.and_then(|rest| {
        let open = rest.iter().rposition(|byte| *byte == b'(')?;
        let inside = &rest[open + 1..];
        let literal = inside.iter().all(|byte| is_literal(*byte) || *byte == b'|');
        // An escaped parenthesis is one of the name's own.
        (literal && !rest[..open].ends_with(b"\\")).then_some((&rest[..open], inside))
    });
    let (before, ends): (&[u8], Vec<&[u8]>) = match parts {
        Some((before, inside)) => (before, inside.split(|byte| *byte == b'|').collect()),
        None => (rest, vec![&b""[..]]),
    };
    // A bar elsewhere has another expression on its other side.
    if before.contains(&b'|') || before.contains(&b'\n') {
        return any();
    }
    let tail = literal_tail(before);
    ends.into_iter().map(|end| last_name(&[&tail[..], end].concat())).collect()
}

/// Does the byte mean itself in every regular expression, whatever stands before it?
fn is_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-/".contains(&byte)
}

/// The text that every match of a regular expression ends in: `\.` is a dot, any other byte behind
/// a backslash something else.
fn literal_tail(regex: &[u8]) -> Vec<u8> {
    let mut tail = Vec::new();
    let mut rest = regex;
    loop {
        rest = match rest {
            [before @ .., b'\\', b'.'] if !before.ends_with(b"\\") => {
                tail.push(b'.');
                before
            }
            [before @ .., byte] if is_literal(*byte) && !before.ends_with(b"\\") => {
                tail.push(*byte);
                before
            }
            _ => break,
        };
    }
    tail.reverse();
    tail
}

/// What stands behind the last slash.
fn last_name(text: &[u8]) -> Vec<u8> {
    text.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[Vec<u8>]) -> Vec<String> {
        all.iter().map(|it| String::from_utf8_lossy(it).into_owned()).collect()
    }

    #[test]
    fn what_a_glob_matches_ends_in_its_last_plain_bytes() {
        for (glob, ending) in [
            ("*.py", ".py"),
            ("a/b.c", "b.c"),
            ("*", ""),
            ("a?", ""),
            ("*.[ch]", ""),
            ("\\*", ""),
            ("[a]x", "x"),
            ("*.{c,h}", ""),
        ] {
            assert_eq!(ending_of_glob(glob.as_bytes()), ending.as_bytes(), "{glob}");
        }
    }

    #[test]
    fn what_a_regex_matches_ends_in_its_last_literals() {
        for (regex, extended, endings) in [
            (r"\.py$", true, &[".py"][..]),
            (r"\.(c|h)$", true, &[".c", ".h"]),
            (r"\.(c|h)$", false, &[""]),
            (r"a.py$", true, &["py"]),
            (r"\.py", true, &[""]),
            (r"a|\.py$", true, &[""]),
            (r"(a|b)x$", true, &[""]),
            (r"a*$", true, &[""]),
            (r"[.]ts$", true, &["ts"]),
            (r"src/a$", true, &["a"]),
            (r"\.py\$", true, &[""]),
            (r"\\.py$", true, &["py"]),
            (r"\w$", true, &[""]),
            (r"\(c|h)$", true, &[""]),
            (r"(c|)$", true, &["c", ""]),
            (r"\.(c|h)?$", true, &[""]),
        ] {
            let found = texts(&endings_of_regex(regex.as_bytes(), extended));
            assert_eq!(found, endings, "{regex}");
        }
    }

    #[test]
    fn both_and_either_select_what_they_say() {
        let py = Selected::ending(vec![b".py".to_vec()]);
        let rs = Selected::ending(vec![b".rs".to_vec()]);
        assert!(py.may_be_link(b"a.PY") && !py.may_be_link(b"a.rs"));
        let either = py.clone().or(rs);
        assert!(either.may_be_link(b"a.rs") && either.may_be_link(b"a.py"));
        assert!(
            !either.may_be_link(b"a.c") && !py.clone().and(Selected::HERE).may_be_link(b"a.rs")
        );
        assert!(!py.clone().and(Selected::NO_LINKS).may_be_link(b"a.py"));
        assert!(!py.clone().or(Selected::NO_LINKS).may_be_link(b"a.rs"));
        assert!(py.clone().or(Selected::HERE).may_be_link(b"a.c"));
        assert!(!py.and(Selected::HERE).follow);
        assert!(Selected::ending(vec![b"x".to_vec(), Vec::new()]).may_be_link(b"y"));
    }
}
