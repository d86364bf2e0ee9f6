//! Names that one command prints and another reads: what comes out of `find` and into `xargs`.

use super::Planner;
use crate::flow::{Step, Word};
use crate::path::resolve::{End, Last, resolve};
use crate::protected::selects_secrets;
use crate::reach::all_plain_below;
use crate::syntax::tree::{Redirection, Target};
use crate::verbs;
use crate::view::Kind;

impl Planner<'_> {
    /// What the words are that `xargs` makes of what this step prints. `exact`: are names ended by
    /// NUL? Otherwise none may hold what `xargs` takes apart.
    pub(super) fn printed(&self, step: Option<usize>, exact: bool, many: bool) -> Word {
        let unknown = if many { Word::Many } else { Word::One };
        let Some(step) = step.map(|step| &self.steps[step]) else { return unknown };
        let Some(paths) = self.names(step, exact) else { return unknown };
        let plain = |path: &Vec<u8>| {
            step.states.places().iter().all(|place| {
                let top = resolve(self.view, &place.physical, path, Last::Follow);
                top.is_ok_and(|top| all_plain_below(self.view, &top.path))
            })
        };
        match exact || paths.iter().all(plain) {
            true => Word::Below { paths, many },
            false => unknown,
        }
    }

    /// The paths at or below which all names stand that a step prints, one per line.
    fn names(&self, step: &Step<'_>, exact: bool) -> Option<Vec<Vec<u8>>> {
        if step.simple.redirections.iter().any(mixes_in) || step.states.is_anywhere() {
            return None;
        }
        let [reading] = &step.readings[..] else { return None };
        let mut words: Vec<&[u8]> = Vec::new();
        let mut names: Vec<&[u8]> = Vec::new();
        for word in &reading.words {
            match word {
                Word::Is(text) => words.push(text),
                Word::Names(all) => names.extend(all.iter().map(Vec::as_slice)),
                Word::Unseen(text) => names.push(text),
                _ => return None,
            }
        }
        let options = || words[1..].iter().filter(|word| word.starts_with(b"-"));
        let has = |list: &[&[u8]]| words.iter().any(|word| list.contains(word));
        match words[0] {
            b"find" => {
                const OTHER: &[&[u8]] = &[b"-printf", b"-ls", b"-exec"];
                if has(OTHER) || has(&[b"-print0"]) != exact || !names.is_empty() {
                    return None;
                }
                let known: Vec<_> = words.iter().map(|word| verbs::Word::Is(word)).collect();
                let uses = verbs::uses(verbs::find(b"find")?, &known).ok()?;
                if uses.prints_secrets {
                    return None;
                }
                let starts = uses.paths.into_iter().filter(|it| it.under);
                Some(starts.map(|it| it.text).collect())
            }
            // Names alone, of what is here or was named: below a directory they would lack its own.
            b"ls" if !exact && words.len() == 1 + options().count() => {
                let harmless = |word: &&[u8]| word[1..].iter().all(|byte| b"1rtSdA".contains(byte));
                if !options().all(|word| harmless(&word)) {
                    return None;
                }
                match names.is_empty() {
                    true => Some(vec![b".".to_vec()]),
                    false if has(&[b"-d"]) || names.iter().all(|name| self.is_file(step, name)) => {
                        Some(names.iter().map(|name| name.to_vec()).collect())
                    }
                    false => None,
                }
            }
            // Names of files with a match, among those that it reads.
            b"grep" | b"egrep" | b"fgrep" if !exact && lists_files(&words) => {
                let known: Vec<_> = words.iter().map(|word| verbs::Word::Is(word)).collect();
                let uses = verbs::uses(verbs::find(words[0])?, &known).ok()?;
                let named = uses.paths.into_iter().map(|it| it.text);
                let patterns = names.iter().map(|name| name.to_vec());
                Some(named.chain(patterns).collect())
            }
            // Whole lines, some of them, in some order.
            b"head" | b"tail" | b"sort" | b"uniq" | b"grep" | b"egrep" | b"fgrep"
                if names.is_empty() && !exact =>
            {
                let harmless = |word: &&[u8]| match words[0] {
                    b"head" | b"tail" => word[1..].iter().all(|b| b.is_ascii_digit() || *b == b'n'),
                    b"sort" => word[1..].iter().all(|byte| b"ruVnfbd".contains(byte)),
                    b"uniq" => false,
                    _ => word[1..].iter().all(|byte| b"viEFwxG".contains(byte)),
                };
                let operands = words.len() - 1 - options().count();
                let drops = words[1..].iter().any(|it| it.starts_with(b"-") && it.contains(&b'v'));
                if !drops && words[1..].iter().any(|pattern| selects_secrets(pattern)) {
                    return None;
                }
                let reads_input = match words[0] {
                    b"head" | b"tail" => {
                        let number = |word: &&[u8]| word.iter().all(u8::is_ascii_digit);
                        words[1..].iter().all(|word| word.starts_with(b"-") || number(word))
                            && operands == usize::from(has(&[b"-n"]))
                    }
                    b"sort" | b"uniq" => operands == 0,
                    _ => operands == 1,
                };
                if !reads_input || !options().all(|word| harmless(&word)) {
                    return None;
                }
                self.names(&self.steps[step.input?], exact)
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

/// Is this a `grep -l`, and nothing that prints lines?
fn lists_files(words: &[&[u8]]) -> bool {
    let clusters = || words[1..].iter().filter(|word| word.starts_with(b"-") && word[1..] != *b"-");
    let letters = |word: &[u8]| word[1..].iter().all(|letter| b"rRlinEFwxvGIs".contains(letter));
    let plain = |word: &&[u8]| {
        word.starts_with(b"--include=") || word.starts_with(b"--exclude") || letters(word)
    };
    clusters().any(|word| letters(word) && word.contains(&b'l')) && clusters().all(plain)
}

/// Does a redirection change what is read, or add messages to what is printed?
fn mixes_in(redirection: &Redirection) -> bool {
    match &redirection.target {
        Target::Write(word) => redirection.descriptor != 2 || word.text != b"/dev/null",
        Target::Duplicate(_) | Target::Close => true,
        Target::Read(_) | Target::Document(_) | Target::Text(_) => true,
    }
}
