//! Names that one command prints and another reads: what comes out of `find` and into `xargs`.

use super::Planner;
use crate::flow::{Step, Word};
use crate::path::resolve::{End, Last, resolve};
use crate::reach::all_plain_below;
use crate::syntax::tree::{Redirection, Target};
use crate::verbs;
use crate::view::Kind;

/// What a command prints: names, one per line or each ended by NUL.
struct Printed {
    /// They stand at or below these paths.
    below: Vec<Vec<u8>>,
    /// Do they not begin with these paths, so that one may look like an option?
    bare: bool,
}

/// A command whose words are known, but for the names that patterns match.
struct Known<'a> {
    words: Vec<&'a [u8]>,
    names: Vec<&'a [u8]>,
}

impl Planner<'_> {
    /// What the words are that `xargs` makes of what this step prints. `exact`: are names ended by
    /// NUL? Otherwise none may hold what `xargs` takes apart.
    pub(super) fn printed(&self, step: Option<usize>, exact: bool, many: bool) -> Word {
        let unknown = if many { Word::Many } else { Word::One };
        let Some(step) = step.map(|step| &self.steps[step]) else { return unknown };
        let Some(Printed { below: paths, bare }) = self.names(step, exact) else { return unknown };
        let plain = |path: &Vec<u8>| {
            step.states.places().iter().all(|place| {
                let top = resolve(self.view, &place.physical, path, Last::Follow);
                top.is_ok_and(|top| all_plain_below(self.view, &top.path, bare))
            })
        };
        match exact || paths.iter().all(plain) {
            true => Word::Below { paths, many },
            false => unknown,
        }
    }

    /// The names that a step prints.
    fn names(&self, step: &Step<'_>, exact: bool) -> Option<Printed> {
        if step.simple.redirections.iter().any(mixes_in) || step.states.is_anywhere() {
            return None;
        }
        let [reading] = &step.readings[..] else { return None };
        let command = Known::of(&reading.words)?;
        match command.words[0] {
            b"find" => command.found(exact),
            _ if exact => None,
            b"ls" => self.listed(step, &command),
            b"grep" | b"egrep" | b"fgrep" if command.lists_files() => command.matched(),
            _ if command.passes_lines() => self.names(&self.steps[step.input?], exact),
            _ => None,
        }
    }

    /// What `ls` prints: names of what is here or was named. Of what stands in a directory that was
    /// named it would not say where it stands.
    fn listed(&self, step: &Step<'_>, command: &Known<'_>) -> Option<Printed> {
        let Known { words, names } = command;
        let harmless = |word: &&[u8]| word[1..].iter().all(|byte| b"1rtSdA".contains(byte));
        if words.len() != 1 + command.options().count() || !command.options().all(harmless) {
            return None;
        }
        if names.is_empty() {
            return Some(Printed { below: vec![b".".to_vec()], bare: true });
        }
        let as_named = words.iter().any(|word| word.starts_with(b"-") && word.contains(&b'd'));
        let below: Vec<Vec<u8>> = names.iter().map(|name| name.to_vec()).collect();
        match as_named || names.iter().all(|name| self.is_file(step, name)) {
            true if !names.iter().any(|name| name.starts_with(b"-")) => {
                Some(Printed { below, bare: false })
            }
            _ => None,
        }
    }

    fn is_file(&self, step: &Step<'_>, name: &[u8]) -> bool {
        step.states.places().iter().all(|place| {
            resolve(self.view, &place.physical, name, Last::Follow)
                .is_ok_and(|it| matches!(it.end, End::Found(Kind::File | Kind::Unseen)))
        })
    }
}

impl<'a> Known<'a> {
    fn of(all: &'a [Word]) -> Option<Known<'a>> {
        let mut known = Known { words: Vec::new(), names: Vec::new() };
        for word in all {
            match word {
                Word::Is(text) => known.words.push(text),
                Word::Names(all) => known.names.extend(all.iter().map(Vec::as_slice)),
                Word::Unseen(text) => known.names.push(text),
                _ => return None,
            }
        }
        Some(known)
    }

    fn options(&self) -> impl Iterator<Item = &&'a [u8]> {
        self.words[1..].iter().filter(|word| word.starts_with(b"-"))
    }

    fn has(&self, list: &[&[u8]]) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    fn uses(&self) -> Option<verbs::Uses> {
        let words: Vec<_> = self.words.iter().map(|word| verbs::Word::Is(word)).collect();
        verbs::uses(verbs::find(self.words[0])?, &words).ok()
    }

    /// What `find` prints: names that begin with where it starts.
    fn found(&self, exact: bool) -> Option<Printed> {
        const OTHER: &[&[u8]] = &[b"-printf", b"-ls", b"-exec"];
        if self.has(OTHER) || self.has(&[b"-print0"]) != exact || !self.names.is_empty() {
            return None;
        }
        let starts = self.uses()?.paths.into_iter().filter(|it| it.under);
        Some(Printed { below: starts.map(|it| it.text).collect(), bare: false })
    }

    /// What `grep -l` prints: names of files that it reads.
    fn matched(&self) -> Option<Printed> {
        let read = self.uses()?.paths.into_iter().map(|it| it.text);
        let names = self.names.iter().map(|name| name.to_vec());
        // Without an operand they do not begin with where it looks.
        Some(Printed { below: read.chain(names).collect(), bare: true })
    }

    /// Is this a `grep -l`, and nothing that prints lines?
    fn lists_files(&self) -> bool {
        let letters =
            |word: &[u8]| word[1..].iter().all(|letter| b"rRlinEFwxvGIs".contains(letter));
        let plain = |word: &&[u8]| {
            word.starts_with(b"--include=") || word.starts_with(b"--exclude") || letters(word)
        };
        self.options().any(|word| letters(word) && word.contains(&b'l'))
            && self.options().all(plain)
    }

    /// Does it print some of the lines that come in, whole, in some order?
    fn passes_lines(&self) -> bool {
        let operands = self.words.len() - 1 - self.options().count();
        let letters = |known: &'static [u8]| {
            move |word: &&[u8]| word[1..].iter().all(|letter| known.contains(letter))
        };
        let lines = match self.words[0] {
            b"head" | b"tail" => {
                let number = |word: &&&[u8]| word.iter().all(u8::is_ascii_digit);
                let numbers = self.words[1..].iter().filter(number).count();
                operands == numbers
                    && operands == usize::from(self.has(&[b"-n"]))
                    && self.options().all(letters(b"n0123456789"))
            }
            b"sort" => operands == 0 && self.options().all(letters(b"ruVnfbd")),
            b"uniq" => self.words.len() == 1,
            b"grep" | b"egrep" | b"fgrep" => {
                operands == 1 && self.options().all(letters(b"viEFwxG"))
            }
            _ => false,
        };
        lines && self.names.is_empty()
    }
}

/// Does a redirection change what is read, or add messages to what is printed?
fn mixes_in(redirection: &Redirection) -> bool {
    match &redirection.target {
        Target::Write(word) => redirection.descriptor != 2 || word.text != b"/dev/null",
        Target::Duplicate(_)
        | Target::Close
        | Target::Read(_)
        | Target::Document(_)
        | Target::Text(_) => true,
    }
}
