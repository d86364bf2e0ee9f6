//! `jq`: a filter, then the files that it reads.
//!
//! From jq 1.6 and 1.7. Options stand anywhere, letters clustered, long ones never abbreviated and
//! never with `=`. What reads a filter from a file (`-f`) or looks for modules (`-L`) is not
//! declared. Where a person has definitions of their own
//! (`~/.jq`), no name is what it is here.

mod filter;

use super::uses::{Objection, Use, Uses, Why, Word};
use crate::plan::Role;

/// Letters that may stand together.
const LETTERS: &[u8] = b"CMRSacejnrs";

/// Long options without a value.
#[rustfmt::skip]
const PLAIN: &[&[u8]] = &[
    b"--ascii-output", b"--color-output", b"--compact-output", b"--exit-status", b"--join-output",
    b"--monochrome-output", b"--null-input", b"--raw-input", b"--raw-output", b"--raw-output0",
    b"--seq", b"--slurp", b"--sort-keys", b"--stream", b"--stream-errors", b"--tab",
    b"--unbuffered",
];

/// Forms that stand alone.
const ALONE: &[&[u8]] = &[b"--help", b"--version", b"-V", b"-h"];

/// What the words of a `jq` use.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    if matches!(words, [_, Word::Is(text)] if ALONE.contains(text)) {
        return Ok(Uses::default());
    }
    let uses = Uses::default();
    let mut reading =
        Reading { words, at: 1, filter: false, files: true, reads_files: false, uses };
    let mut only_operands = false;
    while let Some(word) = words.get(reading.at) {
        match word {
            Word::Is(b"--") if !only_operands => only_operands = true,
            Word::Is([b'-', _, ..]) if !only_operands => reading.option()?,
            Word::Begins([] | [b'-', ..]) if !only_operands => {
                return reading.object(Why::UnknownOption);
            }
            _ => reading.operand(*word)?,
        }
        reading.at += 1;
    }
    reading.uses.stdin |= !reading.reads_files;
    Ok(reading.uses)
}

struct Reading<'r, 'w> {
    words: &'r [Word<'w>],
    at: usize,
    /// Has the filter been there?
    filter: bool,
    /// Are operands files? Otherwise they are values.
    files: bool,
    /// Has there been one?
    reads_files: bool,
    uses: Uses<'w>,
}

impl<'w> Reading<'_, 'w> {
    fn object<T>(&self, why: Why) -> Result<T, Objection> {
        Err(Objection { word: self.at, why })
    }

    /// An option that is known, and the words that belong to it.
    fn option(&mut self) -> Result<(), Objection> {
        match self.words[self.at].known() {
            b"--arg" | b"--argjson" => self.at += 2,
            b"--indent" => self.at += 1,
            b"--args" | b"--jsonargs" => self.files = false,
            b"--argfile" | b"--rawfile" | b"--slurpfile" => {
                self.at += 2;
                if let Some(word) = self.words.get(self.at) {
                    self.path(*word)?;
                }
            }
            long if PLAIN.contains(&long) => {}
            [_, letters @ ..] if letters.iter().all(|letter| LETTERS.contains(letter)) => {}
            _ => return self.object(Why::Undeclared),
        }
        Ok(())
    }

    fn operand(&mut self, word: Word<'w>) -> Result<(), Objection> {
        if !self.filter {
            self.filter = true;
            return match word.whole() {
                None => self.object(Why::Unknown),
                Some(text) if filter::only_computes(text) => Ok(()),
                Some(_) => self.object(Why::Value),
            };
        }
        match word {
            _ if !self.files => Ok(()),
            Word::Is(b"-") => {
                self.uses.stdin = true;
                Ok(())
            }
            _ => {
                self.reads_files = true;
                self.path(word)
            }
        }
    }

    fn path(&mut self, word: Word<'w>) -> Result<(), Objection> {
        let Some(text) = word.whole() else { return self.object(Why::UnknownPath) };
        self.uses.paths.push(Use::of(self.at, text, Role::Read));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
