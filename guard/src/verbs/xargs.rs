//! `xargs`: a command that gets words from standard input.
//!
//! From GNU findutils 4.9 and busybox 1.35. Without a command it is `echo`. What BSD adds (`-J`,
//! `-R`) and what reads a file (`-a`) is not declared.

use super::uses::{Inner, Number, Objection, Part, Uses, Why, Word};

/// Options with a number behind them that change nothing but how many words a command gets.
const NUMBERED: &[u8] = b"LPns";

/// Options without a value. `-t` prints what it runs.
const PLAIN: &[u8] = b"0rtx";

/// What the words of an `xargs` use.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let mut at = 1;
    let mut exact = false;
    // GNU runs the command once if nothing comes in.
    let mut number = Number::Any;
    let mut replaced: Option<&[u8]> = None;
    while let Some(word) = words.get(at) {
        let object = |why| Err(Objection { word: at, why });
        let Some(text) = word.whole() else { return object(Why::UnknownOption) };
        let value = || words.get(at + 1).and_then(|word| word.whole());
        // GNU then forgets what it was to replace, but for `-n 1`: names come last.
        let forgets = |letter: u8, number: &[u8]| {
            replaced.is_some() && (letter == b'L' || (letter == b'n' && number != b"1"))
        };
        match text {
            b"--null" => exact = true,
            b"--no-run-if-empty" => number = Number::Some,
            b"-I" => {
                let Some(pattern) = value().filter(|it| !it.is_empty()) else {
                    return object(Why::Unknown);
                };
                replaced = Some(pattern);
                at += 1;
            }
            [b'-', b'I', pattern @ ..] => replaced = Some(pattern),
            [b'-', letter] if NUMBERED.contains(letter) => {
                if !value().is_some_and(|number| is_number(number) && !forgets(*letter, number)) {
                    return object(Why::Value);
                }
                at += 1;
            }
            [b'-', letter, number @ ..] if NUMBERED.contains(letter) && is_number(number) => {
                if forgets(*letter, number) {
                    return object(Why::Value);
                }
            }
            [b'-', letters @ ..] if !letters.is_empty() => {
                if !letters.iter().all(|letter| PLAIN.contains(letter)) {
                    return object(Why::Undeclared);
                }
                exact |= letters.contains(&b'0');
                number = if letters.contains(&b'r') { Number::Some } else { number };
            }
            _ => break,
        }
        at += 1;
    }
    if at >= words.len() {
        // `echo`, which takes any words.
        return Ok(Uses { stdin: true, ..Uses::default() });
    }
    let mut parts = inner(words, at, replaced, exact)?;
    if replaced.is_none() {
        parts.push(Part::Input { number, exact });
    }
    let runs = vec![Inner(parts)];
    Ok(Uses { runs, stdin: true, repeats: true, ..Uses::default() })
}

/// The words of the command that begins at `at`. `replaced`: what stands for a name in them.
fn inner<'w>(
    words: &[Word<'w>],
    at: usize,
    replaced: Option<&[u8]>,
    exact: bool,
) -> Result<Vec<Part<'w>>, Objection> {
    let mut parts = Vec::new();
    for (index, word) in words.iter().enumerate().skip(at) {
        let holds = |pattern: &[u8]| word.known().windows(pattern.len()).any(|it| it == pattern);
        match replaced {
            Some(pattern) if *word == Word::Is(pattern) && index > at => {
                parts.push(Part::Input { number: Number::One, exact });
            }
            Some(pattern) if index > at && word.whole().is_some() && holds(pattern) => {
                let known = word.known();
                let begins = known.windows(pattern.len()).position(|it| it == pattern);
                parts.push(Part::Holding(known[..begins.unwrap_or_default()].into()));
            }
            // What is run must be known, and whether the name is a part of a word.
            Some(pattern) if holds(pattern) || word.whole().is_none() => {
                return Err(Objection { word: index, why: Why::Value });
            }
            _ => parts.push(Part::Word(index)),
        }
    }
    Ok(parts)
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.len() < 8 && text.iter().all(u8::is_ascii_digit)
}
