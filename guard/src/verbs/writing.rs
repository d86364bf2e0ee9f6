//! What a command that edits leaves behind: the places that it writes, and what then stands there.

use super::grammar::Meaning;
use super::uses::{Use, Uses, Why};
use crate::plan::Role;
use crate::syntax::tree::Text;

/// A place that a command writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'w> {
    /// The index of the word that names it.
    pub word: usize,
    /// The path as text.
    pub text: Text<'w>,
    /// Is it the name itself that changes, even if it is that of a link?
    pub keep: bool,
    /// And everything below it?
    pub under: bool,
    /// Only possibly?
    pub may: bool,
    /// Not if a directory stands there, which then takes what is written?
    pub instead: bool,
    /// What stands there afterwards, if it was written.
    pub leaves: Leaves<'w>,
}

/// What stands where a command wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaves<'w> {
    /// A file or a directory, and no link.
    Plain,
    /// Nothing.
    Nothing,
    /// A link, perhaps.
    Anything,
    /// What stands at this path, and below it.
    Same(Text<'w>),
}

impl Written<'_> {
    /// Is it something under a name of chance?
    pub fn is_beside(&self) -> bool {
        self.under && self.leaves == Leaves::Plain
    }
}

impl Leaves<'_> {
    /// Is it put there from elsewhere?
    pub fn is_put_there(&self) -> bool {
        matches!(self, Leaves::Anything | Leaves::Same(_))
    }
}

/// An operand that names what is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'c, 'w> {
    pub(super) word: usize,
    pub(super) text: &'w [u8],
    pub(super) meaning: &'c Meaning,
}

impl<'w> Named<'_, 'w> {
    fn written(&self, text: impl Into<Text<'w>>, keep: bool, leaves: Leaves<'w>) -> Written<'w> {
        let (word, text) = (self.word, text.into());
        Written { word, text, keep, under: false, may: false, instead: false, leaves }
    }

    /// What takes the place of something has a name of chance beside it before.
    fn beside(&self, directory: impl Into<Text<'w>>) -> Written<'w> {
        let there = self.written(directory, false, Leaves::Plain);
        Written { under: true, may: true, ..there }
    }

    /// What an operand that stands for itself leaves.
    pub(super) fn alone(&self, all: &mut Vec<Written<'w>>) {
        let text = self.text;
        match self.meaning {
            Meaning::Make => all.extend(beginnings(text).map(|directory| Written {
                may: directory.len() < text.len(),
                ..self.written(directory, true, Leaves::Plain)
            })),
            Meaning::Rewrite => {} // with the names under which it is kept
            Meaning::Remove => all.push(self.written(text, true, Leaves::Nothing)),
            _ => all.push(self.written(text, false, Leaves::Plain)),
        }
    }
}

/// What is left of a file that another one takes the place of, and that is kept under its name with
/// these endings.
pub fn rewritten<'w>(word: usize, text: &'w [u8], suffixes: &[&[u8]]) -> Vec<Written<'w>> {
    let named = Named { word, text, meaning: &Meaning::Rewrite };
    let mut all: Vec<Written<'w>> =
        [true, false].map(|keep| named.written(text, keep, Leaves::Plain)).into();
    all.push(named.beside(directory_of(text)));
    all.extend(suffixes.iter().map(|suffix| {
        let kept = named.written([text, *suffix].concat(), true, Leaves::Same(text.into()));
        Written { under: true, may: true, instead: true, ..kept }
    }));
    all
}

/// What operands leave of which the last is where the others go, and what is looked at for that. A
/// directory takes each under its last name; anything else takes the place of the only one.
/// `relative`: is what a link leads to taken from where the command starts?
pub(super) fn into<'w>(
    sources: &[Named<'_, 'w>],
    target: &Named<'_, 'w>,
    relative: bool,
    uses: &mut Uses<'w>,
    paths: &mut Vec<Use<'w>>,
) -> Result<(), (usize, Why)> {
    uses.repeats |= sources.len() > 1;
    let all = &mut uses.written;
    for source in sources {
        let name = last_name(source.text).ok_or((source.word, Why::Value))?;
        let within = [target.text, b"/", name].concat();
        let mut places: Vec<(Text<'w>, bool)> = vec![(within.into(), false)];
        if let ([_], false) = (sources, matches!(target.meaning, Meaning::Into)) {
            places.push((target.text.into(), true));
        }
        if matches!(source.meaning, Meaning::Referent) {
            // From where the link stands, unless the tool works that out.
            if source.text.starts_with(b"/") && !relative {
                return Err((source.word, Why::Value));
            }
            for (place, _) in &places {
                all.push(target.beside(directory_of(place).to_vec()));
                let led_to = match relative {
                    true => source.text.to_vec(),
                    false => [directory_of(place), b"/", source.text].concat(),
                };
                paths.push(Use { may: true, ..Use::of(source.word, led_to, Role::Test) });
            }
        }
        let moves = matches!(source.meaning, Meaning::Remove);
        for (text, instead) in places {
            let leaves = match source.meaning {
                Meaning::Referent => Leaves::Anything,
                _ => Leaves::Same(source.text.into()),
            };
            // A copy may be written through a link, or take the place of one.
            let keeps =
                if moves || leaves == Leaves::Anything { &[true][..] } else { &[true, false] };
            for keep in keeps {
                let (text, leaves) = (text.clone(), leaves.clone());
                let under = leaves != Leaves::Anything;
                let (word, keep) = (target.word, *keep);
                all.push(Written { word, text, keep, under, may: true, instead, leaves });
            }
        }
        if moves {
            let gone = source.written(source.text, true, Leaves::Nothing);
            all.push(Written { under: true, ..gone });
        }
    }
    Ok(())
}

/// `a/b/c`: `a`, `a/b`, `a/b/c`.
fn beginnings(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().filter(|(at, byte)| *at > 0 && **byte == b'/');
    slashes.map(|(at, _)| &path[..at]).chain([path])
}

/// The directory that a path stands in, as text.
fn directory_of(path: &[u8]) -> &[u8] {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(0) => b"/",
        Some(at) => &path[..at],
        None => b".",
    }
}

/// The last name of a path, under which it is put into a directory. `..` and the root have none.
fn last_name(path: &[u8]) -> Option<&[u8]> {
    let name = path.rsplit(|byte| *byte == b'/').find(|name| !name.is_empty())?;
    (name != b"..").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        let all: Vec<&[u8]> = beginnings(b"/a/b//c").collect();
        assert_eq!(all, [&b"/a"[..], b"/a/b", b"/a/b/", b"/a/b//c"]);
        for (path, directory, name) in [
            ("a", ".", Some("a")),
            ("a/b/", "a", Some("b")),
            ("/a", "/", Some("a")),
            ("a/..", "a", None),
        ] {
            assert_eq!(directory_of(path.as_bytes()), directory.as_bytes(), "{path}");
            assert_eq!(last_name(path.as_bytes()), name.map(str::as_bytes), "{path}");
        }
    }
}
