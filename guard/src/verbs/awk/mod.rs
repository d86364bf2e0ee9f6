//! `awk`: a program, then the files that it reads.
//!
//! From mawk 1.3.4, gawk 5.2, the awk of BSD (2nd edition and before) and busybox 1.35. They read
//! the options up to the first operand. What reads a program from a file (`-f`), loads or runs
//! something, or writes (`-o`, `-p`, `-d`), is not declared.

mod program;
mod tokens;

use super::uses::{Objection, Use, Uses, Why, Word};
use crate::plan::Role;

/// What the words of an `awk` use.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    if words[1..] == [Word::Is(b"--version")] {
        return Ok(Uses::default());
    }
    let at = options(words)?;
    let Some(program) = words.get(at) else {
        return Err(Objection { word: 0, why: Why::Missing });
    };
    let object = |why| Objection { word: at, why };
    if !program::only_prints(program.whole().ok_or(object(Why::Unknown))?) {
        return Err(object(Why::Value));
    }
    let mut uses = Uses::default();
    for (word, operand) in words.iter().enumerate().skip(at + 1) {
        let object = |why| Objection { word, why };
        if let Some(good) = assigns(operand.known()) {
            if !good {
                return Err(object(Why::Value));
            }
            continue;
        }
        match operand.whole().ok_or(object(Why::UnknownPath))? {
            b"-" => uses.stdin = true,
            // busybox would take it for an option even here.
            [b'-', ..] => return Err(object(Why::Undeclared)),
            // gawk connects to what this names.
            path if path.starts_with(b"/inet") => return Err(object(Why::Undeclared)),
            path => uses.paths.push(Use::of(word, path, Role::Read)),
        }
    }
    uses.stdin |= uses.paths.is_empty();
    Ok(uses)
}

/// `-F SEPARATOR` and `-v NAME=VALUE`, up to the program: where that stands.
fn options(words: &[Word<'_>]) -> Result<usize, Objection> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let object = |why| Err(Objection { word: at, why });
        let text = word.known();
        let known = word.whole().is_some();
        match text {
            b"-F" | b"-v" if known => {
                let value = words.get(at + 1).copied().unwrap_or(Word::Is(b"n="));
                if text == b"-v" && assigns(value.known()) != Some(true) {
                    let why = if value.whole().is_some() { Why::Value } else { Why::Unknown };
                    return Err(Objection { word: at + 1, why });
                }
                at += 2;
            }
            [b'-', b'F', _, ..] => at += 1,
            [b'-', b'v', value @ ..] if assigns(value) == Some(true) => at += 1,
            b"--" if known => return Ok(at + 1),
            [b'-', ..] if known => return object(Why::Undeclared),
            [b'-', ..] | [] if !known => return object(Why::UnknownOption),
            _ => break,
        }
    }
    Ok(at)
}

/// Is this `NAME=VALUE`, and may that variable be set? Nothing if it is a path.
fn assigns(text: &[u8]) -> Option<bool> {
    let equals = text.iter().position(|byte| *byte == b'=')?;
    let name = &text[..equals];
    // `awk::ARGC=1` is one to gawk.
    let of_namespace = name.windows(2).any(|two| two == b"::");
    match tokens::is_name(name) {
        true => Some(program::may_be_named(name)),
        false if of_namespace => Some(false),
        false => None,
    }
}

#[cfg(test)]
mod tests;
