//! `test` and `[`: one expression of up to four words, as POSIX reads them by their number. And one
//! test of `[[ … ]]`, of which the recogniser has told the operator from its words.
//!
//! With more words the shells do not agree on what is an operator (`-a`, `-o`, parentheses). zsh
//! and mksh take the operands of number tests for arithmetic, which may run commands: only
//! decimals. In `[[` bash does, too, and to it `08` is no number.

use super::meaning::is_decimal;
use super::uses::{Objection, Use, Uses, Why, Word};
use crate::plan::Role;

/// Tests of one file.
#[rustfmt::skip]
const OF_FILE: &[&[u8]] = &[
    b"-L", b"-S", b"-b", b"-c", b"-d", b"-e", b"-f", b"-g", b"-h", b"-k", b"-p", b"-r", b"-s",
    b"-u", b"-w", b"-x",
];

/// Comparisons of texts, of numbers, and of files.
const OF_TEXTS: &[&[u8]] = &[b"=", b"==", b"!="];
const OF_NUMBERS: &[&[u8]] = &[b"-eq", b"-ge", b"-gt", b"-le", b"-lt", b"-ne"];
const OF_FILES: &[&[u8]] = &[b"-ef", b"-nt", b"-ot"];

/// Comparisons of texts that only `[[` has.
const OF_TEXTS_IN_DOUBLE: &[&[u8]] = &[b"<", b"=~", b">"];

/// What the words of a test use, the command first.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let end = match words {
        [Word::Is(b"["), .., Word::Is(b"]")] => words.len() - 1,
        [Word::Is(b"[["), .., Word::Is(b"]]")] => words.len() - 1,
        [Word::Is(b"[" | b"[["), ..] => return Err(Objection { word: 0, why: Why::Missing }),
        _ => words.len(),
    };
    let double = words[0] == Word::Is(b"[[");
    let mut tested = Tested { words, double, uses: Uses::default() };
    tested.expression(1, end)?;
    Ok(tested.uses)
}

struct Tested<'r, 'w> {
    words: &'r [Word<'w>],
    /// Is it `[[`?
    double: bool,
    uses: Uses<'w>,
}

impl Tested<'_, '_> {
    fn expression(&mut self, start: usize, end: usize) -> Result<(), Objection> {
        let undeclared = |word| Err(Objection { word, why: Why::Undeclared });
        match self.words[start..end] {
            // Nothing, or a text that is asked whether it is empty.
            [] | [_] => Ok(()),
            [Word::Is(operator), _] => self.of_one(operator, start),
            [_, Word::Is(operator), _] if self.is_binary(operator) => self.of_two(operator, start),
            [Word::Is(b"!"), _, _] | [Word::Is(b"!"), _, _, _] => self.expression(start + 1, end),
            [first, ..] if first.whole().is_none() => {
                Err(Objection { word: start, why: Why::UnknownOption })
            }
            [_, second, _] if second.whole().is_none() => {
                Err(Objection { word: start + 1, why: Why::UnknownOption })
            }
            _ => undeclared(start),
        }
    }

    fn of_one(&mut self, operator: &[u8], at: usize) -> Result<(), Objection> {
        match operator {
            b"-n" | b"-z" | b"!" => Ok(()),
            b"-t" => self.number(at + 1),
            _ if OF_FILE.contains(&operator) => self.file(at + 1),
            // What stands on the left is missing: an error to all shells.
            _ if !self.double && is_comparison(operator) => Ok(()),
            _ => Err(Objection { word: at, why: Why::Undeclared }),
        }
    }

    fn of_two(&mut self, operator: &[u8], at: usize) -> Result<(), Objection> {
        if OF_NUMBERS.contains(&operator) {
            self.number(at)?;
            self.number(at + 2)?;
        } else if OF_FILES.contains(&operator) {
            self.file(at)?;
            self.file(at + 2)?;
        }
        Ok(())
    }

    fn number(&self, word: usize) -> Result<(), Objection> {
        match self.words[word] {
            Word::Is(b"0") => Ok(()),
            Word::Is([b'0', ..] | [b'-', b'0', ..]) if self.double => {
                Err(Objection { word, why: Why::Value })
            }
            Word::Is(text) if is_decimal(text) => Ok(()),
            Word::Is(_) => Err(Objection { word, why: Why::Value }),
            // Or nothing, which is an error, or zero.
            Word::Counts([]) | Word::Integer => Ok(()),
            Word::Counts(_) | Word::Begins(_) => Err(Objection { word, why: Why::Unknown }),
        }
    }

    fn is_binary(&self, operator: &[u8]) -> bool {
        is_comparison(operator)
            || OF_FILES.contains(&operator)
            || (self.double && OF_TEXTS_IN_DOUBLE.contains(&operator))
    }

    fn file(&mut self, word: usize) -> Result<(), Objection> {
        let text = self.words[word].whole().ok_or(Objection { word, why: Why::UnknownPath })?;
        self.uses.paths.push(Use::of(word, text, Role::Test));
        Ok(())
    }
}

fn is_comparison(operator: &[u8]) -> bool {
    [OF_TEXTS, OF_NUMBERS].iter().any(|list| list.contains(&operator))
}
