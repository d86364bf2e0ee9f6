//! What a pattern matches: names in the directories that the view shows (POSIX 2.13.3).
//!
//! Where shells, options or locales could see a match differently, nothing is known of the words.

mod component;

use super::super::states::States;
use super::super::step::{Look, Looks, Word};
use super::Room;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Resolved, resolve};
use crate::plan::Role;
use crate::request::Dialects;
use crate::span::Span;
use crate::syntax::tree::{Pattern, Text};
use crate::view::{FsView, Kind};
use component::{Match, Token};
use std::cell::Cell;
use std::os::unix::ffi::OsStrExt;

/// How many names a directory may hold to be matched, and how many words a pattern may make.
const NAMES_MAX: usize = 4_096;

/// What a listing takes of the room beside its names.
const LISTING: usize = 16;

/// How deep `**` is followed.
const DEPTH_MAX: usize = 32;

/// A part of a word with a pattern in it.
#[derive(Clone, Debug)]
pub(super) enum Element<'a, 'r> {
    /// Characters that stand for themselves.
    Text(Text<'a>),
    /// What matches.
    Pattern(&'r Pattern<'a>),
}

/// Where a pattern is expanded.
pub(super) struct Around<'a> {
    pub(super) view: &'a dyn FsView,
    pub(super) room: &'a Room,
    pub(super) states: &'a States,
    pub(super) shells: Dialects,
    /// Is it enough to know which names may be among those that match, where the line itself
    /// changes them?
    pub(super) loose: bool,
}

/// What the word may be, from the one place of these states: one list of names for every way in
/// which the shells expand it. What matches nothing is itself, but to zsh an error.
pub(super) fn expand<'a>(
    around: &Around<'_>,
    elements: &[Element<'a, '_>],
    span: Span,
    looks: &mut Looks,
) -> Vec<Word<'a>> {
    let Around { view, room, states, shells, loose } = *around;
    let Some(components) = deepen(split(elements)) else {
        looks.anywhere.push(span);
        return vec![Word::Many];
    };
    let absolute = matches!(elements.first(), Some(Element::Text(text)) if text.starts_with(b"/"));
    let from = match states.places() {
        _ if absolute => Physical::root(),
        [place] => place.physical.clone(),
        _ => {
            looks.anywhere.push(span);
            return vec![Word::Many];
        }
    };
    let is_deep = |component: &Vec<Token<'_>>| matches!(component[..], [Token::Deep]);
    let deep = components.iter().any(is_deep);
    let mut ways = Vec::new();
    if !deep || shells.bash || shells.sh {
        ways.push(false);
    }
    if deep && shells.zsh {
        ways.push(true);
    }
    let text = original(elements);
    let mut expand = |deep: bool| {
        let search = Search { view, room, from: &from, deep, span, loose, met: Cell::new(false) };
        match search.run(&components, looks) {
            Ok(mut names) if search.met.get() => {
                // It may also match nothing.
                names.push(text.clone());
                names.sort();
                names.dedup();
                Word::OneOf(names.into_iter().map(Into::into).collect())
            }
            Ok(names) if names.is_empty() => Word::Is(text.clone().into()),
            Ok(names) if !room.takes_items(2 * names.len()) => {
                looks.anywhere.push(span);
                Word::Many
            }
            Ok(mut names) => {
                names.sort();
                Word::Names(names.into_iter().map(Into::into).collect())
            }
            Err(Stop::Unseen) => Word::Unseen(text.clone().into()),
            Err(Stop::Unknown) => {
                looks.anywhere.push(span);
                Word::Many
            }
        }
    };
    let mut words: Vec<Word<'a>> = ways.into_iter().map(&mut expand).collect();
    words.dedup();
    words
}

/// The word as it stands in the line, without its quotes.
fn original(elements: &[Element<'_, '_>]) -> Vec<u8> {
    let mut original = Vec::new();
    for element in elements {
        original.extend_from_slice(match element {
            Element::Text(text) => text,
            Element::Pattern(pattern) => pattern.text(),
        });
    }
    original
}

/// Names between slashes. A word that begins with a slash begins with an empty one.
fn split<'r>(elements: &[Element<'_, 'r>]) -> Vec<Vec<Token<'r>>> {
    let mut components = vec![Vec::new()];
    for element in elements {
        match element {
            Element::Text(text) => {
                for (index, part) in text.split(|byte| *byte == b'/').enumerate() {
                    if index > 0 {
                        components.push(Vec::new());
                    }
                    let last = components.last_mut().expect("there is always one");
                    last.extend(part.iter().map(|byte| Token::Byte(*byte)));
                }
            }
            Element::Pattern(pattern) => {
                let last = components.last_mut().expect("there is always one");
                last.push(Token::of(pattern));
            }
        }
    }
    components
}

/// Makes one token of two stars that are all there is before a slash, also where empty quotes or an
/// empty value stand between or beside them: `''**/a`. Three of them follow links in zsh.
fn deepen(mut components: Vec<Vec<Token<'_>>>) -> Option<Vec<Vec<Token<'_>>>> {
    let stars = |component: &[Token<'_>]| {
        let count = component.iter().map(|token| match token {
            Token::Star => Some(1),
            Token::Deep => Some(2),
            _ => None,
        });
        count.sum::<Option<u32>>()
    };
    let (_, before_a_slash) = components.split_last_mut()?;
    for component in before_a_slash {
        match stars(component) {
            Some(2) => *component = vec![Token::Deep],
            Some(3..) => return None,
            _ => {}
        }
    }
    Some(components)
}

/// Why there is no list of names.
enum Stop {
    /// There is no view.
    Unseen,
    /// The view cannot tell, or the shells may not agree.
    Unknown,
}

struct Search<'a> {
    view: &'a dyn FsView,
    room: &'a Room,
    from: &'a Physical,
    /// Is `**` any number of directories?
    deep: bool,
    span: Span,
    /// See [`Around::loose`].
    loose: bool,
    /// Was something met that may be there or not?
    met: Cell<bool>,
}

impl Search<'_> {
    /// The words that match, in no order.
    fn run(&self, components: &[Vec<Token<'_>>], looks: &mut Looks) -> Result<Vec<Vec<u8>>, Stop> {
        let mut found: Vec<Vec<u8>> = vec![Vec::new()];
        let mut matched = false;
        let mut slashed = true;
        // bash takes one of two slashes behind a pattern away.
        let first = components.iter().position(|it| component::literal(it).is_none());
        let inside = components.get(first.unwrap_or(0)..components.len() - 1).unwrap_or_default();
        if inside.iter().any(Vec::is_empty) {
            return Err(Stop::Unknown);
        }
        for component in components {
            if !slashed {
                found.iter_mut().for_each(|path| path.push(b'/'));
            }
            slashed = false;
            if let Some(text) = component::literal(component) {
                // bash looks first whether what has matched so far is a directory.
                if matched {
                    self.keep_directories(&mut found, looks)?;
                }
                found.iter_mut().for_each(|path| path.extend_from_slice(&text));
                // Behind a pattern a shell looks whether it is there.
                if matched {
                    self.keep_existing(&mut found, looks)?;
                }
                continue;
            }
            matched = true;
            found = match component[..] {
                [Token::Deep] if self.deep => {
                    slashed = true;
                    self.descend(found, looks)?
                }
                _ => self.matching(component, found, looks)?,
            };
            if found.len() > NAMES_MAX {
                return Err(Stop::Unknown);
            }
        }
        // Of `**/`, the directory itself has no name.
        found.retain(|path| !path.is_empty());
        Ok(found)
    }

    /// Adds to each directory the names in it that match.
    fn matching(
        &self,
        component: &[Token<'_>],
        directories: Vec<Vec<u8>>,
        looks: &mut Looks,
    ) -> Result<Vec<Vec<u8>>, Stop> {
        let hidden = matches!(component.first(), Some(Token::Byte(b'.')));
        // `.*` is `.` and `..` as well, to some shells.
        let may_be = |name: &[u8]| component::compare(component, name) != Match::No;
        if hidden && (may_be(b"..") || may_be(b".")) {
            return Err(Stop::Unknown);
        }
        let mut found = Vec::new();
        for directory in directories {
            for name in self.names(&directory, looks)? {
                if name.starts_with(b".") && !hidden {
                    continue;
                }
                match component::compare(component, &name) {
                    Match::Yes => found.push([&directory[..], &name].concat()),
                    Match::No => {}
                    Match::Unsure => return Err(Stop::Unknown),
                }
            }
            if found.len() > NAMES_MAX {
                return Err(Stop::Unknown);
            }
        }
        Ok(found)
    }

    /// The directories at and below each of these, without hidden ones and without following
    /// links. Each ends with a slash, as those given do, if they are not empty.
    fn descend(&self, directories: Vec<Vec<u8>>, looks: &mut Looks) -> Result<Vec<Vec<u8>>, Stop> {
        let mut found = Vec::new();
        let mut level = directories;
        for _ in 0..DEPTH_MAX {
            let mut next = Vec::new();
            for directory in level {
                for name in self.names(&directory, looks)? {
                    let path = [&directory[..], &name].concat();
                    let is_directory = !name.starts_with(b".")
                        && resolve(self.view, self.from, &path, Last::Keep)
                            .is_ok_and(|it| it.end == End::Found(Kind::Dir));
                    if is_directory {
                        next.push([&path[..], b"/"].concat());
                    }
                }
                found.push(directory);
            }
            if next.is_empty() {
                return Ok(found);
            }
            if found.len() + next.len() > NAMES_MAX {
                break;
            }
            level = next;
        }
        Err(Stop::Unknown)
    }

    /// The names in a directory; none if there is no such directory.
    fn names(&self, path: &[u8], looks: &mut Looks) -> Result<Vec<Vec<u8>>, Stop> {
        if self.room.is_full() {
            return Err(Stop::Unknown);
        }
        self.look(path, Role::List, looks);
        let directory = resolve(self.view, self.from, path, Last::Follow);
        let Ok(directory) = directory else { return Err(Stop::Unknown) };
        if !self.view.sees() {
            return Err(Stop::Unseen);
        }
        // `nosuch/..` is no directory to a shell.
        if directory.unchecked {
            return Err(Stop::Unknown);
        }
        // What the line makes may have come or not when the shell looks.
        let made = directory.end == End::Found(Kind::Perhaps) || directory.unsure;
        let steady = self.view.is_steady(directory.path.as_path());
        if made || (!steady && !self.loose) {
            return Err(Stop::Unknown);
        }
        self.met.set(self.met.get() || !steady);
        if directory.end != End::Found(Kind::Dir) {
            return Ok(Vec::new());
        }
        let names = self.view.list(directory.path.as_path(), NAMES_MAX);
        let names = names.map_err(|_| Stop::Unknown)?;
        if !self.room.takes_items(LISTING + names.len()) {
            return Err(Stop::Unknown);
        }
        Ok(names.into_iter().map(|name| name.as_bytes().to_vec()).collect())
    }

    fn keep_directories(&self, found: &mut Vec<Vec<u8>>, looks: &mut Looks) -> Result<(), Stop> {
        let mut unknown = false;
        found.retain(|path| {
            self.look(path, Role::Test, looks);
            let directory = resolve(self.view, self.from, path, Last::Follow);
            if self.may_be_there(directory.as_ref().ok()) {
                return true;
            }
            unknown |= !directory.as_ref().is_ok_and(|it| it.end != End::Found(Kind::Perhaps));
            directory.is_ok_and(|it| it.end.is_directory())
        });
        if unknown { Err(Stop::Unknown) } else { Ok(()) }
    }

    fn keep_existing(&self, found: &mut Vec<Vec<u8>>, looks: &mut Looks) -> Result<(), Stop> {
        let mut unknown = false;
        found.retain(|path| {
            self.look(path, Role::Test, looks);
            match resolve(self.view, self.from, path, Last::Keep) {
                // To yash a link that leads nowhere is not there.
                Ok(there) if there.end == End::Found(Kind::Link) => {
                    let target = resolve(self.view, self.from, path, Last::Follow);
                    unknown |= !target.is_ok_and(|it| matches!(it.end, End::Found(_)));
                    true
                }
                Ok(there) if self.may_be_there(Some(&there)) => true,
                Ok(there) if there.end == End::Found(Kind::Perhaps) || there.unsure => {
                    unknown = true;
                    true
                }
                Ok(there) if path.ends_with(b"/") => there.end.is_directory(),
                Ok(there) => there.end != End::Missing && !there.unchecked,
                Err(_) => {
                    unknown = true;
                    false
                }
            }
        });
        if unknown { Err(Stop::Unknown) } else { Ok(()) }
    }

    /// May it be there or not, and is it enough to know that?
    fn may_be_there(&self, there: Option<&Resolved>) -> bool {
        let may = |it: &Resolved| it.end == End::Found(Kind::Perhaps) && !it.unsure;
        let enough = self.loose && there.is_some_and(may);
        self.met.set(self.met.get() || enough);
        enough
    }

    fn look(&self, path: &[u8], role: Role, looks: &mut Looks) {
        let text = if path.is_empty() { b".".to_vec() } else { path.to_vec() };
        let look = Look { text, from: self.from.clone(), role, span: self.span };
        if looks.known.last() != Some(&look) {
            looks.known.push(look);
        }
    }
}
