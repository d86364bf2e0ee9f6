//! `printf`: its format says what its operands are.
//!
//! zsh, mksh and bash evaluate the operand of a number conversion as arithmetic, and arithmetic may
//! run commands: `printf %d 'PWD[$(cmd)]'` runs cmd in zsh.

use super::meaning::is_decimal;
use super::uses::{Objection, Uses, Why, Word};

/// What a conversion does with its operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    /// Prints it as text.
    Text,
    /// Evaluates it.
    Number,
}

/// Takes a format of text conversions, or one whose numbers are literal decimals.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let at = if words.get(1) == Some(&Word::Is(b"--")) { 2 } else { 1 };
    let Some(format) = words.get(at) else {
        return Err(Objection { word: 0, why: Why::Missing });
    };
    let object = |why| Objection { word: at, why };
    let format = format.whole().ok_or(object(Why::Unknown))?;
    if at == 1 && format.starts_with(b"-") {
        return Err(object(Why::Undeclared));
    }
    let conversions = conversions(format).ok_or(object(Why::Value))?;
    // The format is used again until no operand is left.
    let of = |position: usize| match conversions.len() {
        0 => Conversion::Text,
        count => conversions[position % count],
    };
    for (position, word) in words[at + 1..].iter().enumerate() {
        if of(position) == Conversion::Number && *word != Word::Integer {
            let object = |why| Objection { word: at + 1 + position, why };
            let text = word.whole().ok_or(object(Why::Unknown))?;
            let (whole, fraction) = match text.iter().position(|byte| *byte == b'.') {
                Some(dot) => (&text[..dot], &text[dot + 1..]),
                None => (text, &b"0"[..]),
            };
            if !is_decimal(whole) || !is_decimal(fraction) || fraction.starts_with(b"-") {
                return Err(object(Why::Value));
            }
        }
    }
    Ok(Uses::default())
}

/// The conversions of a format. Nothing if it holds one that is not declared: `%n` and `%(…)T`,
/// `*` for a width, `1$` for a position.
fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut conversions = Vec::new();
    let mut rest = format.iter();
    while let Some(byte) = rest.next() {
        if *byte == b'\\' {
            harmless_escape(&mut rest)?;
        }
        if *byte != b'%' {
            continue;
        }
        let mut next = rest.next();
        if next == Some(&b'%') {
            continue;
        }
        while let Some(b'0'..=b'9' | b'.' | b'-' | b'+' | b' ' | b'#') = next {
            next = rest.next();
        }
        conversions.push(match next? {
            b's' | b'b' | b'c' | b'q' => Conversion::Text,
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                Conversion::Number
            }
            _ => return None,
        });
    }
    Some(conversions)
}

/// Skips what follows a backslash. Nothing if it may stand for a `%`: a character by its number,
/// unless that is an escape character's.
fn harmless_escape(rest: &mut std::slice::Iter<'_, u8>) -> Option<()> {
    match rest.as_slice() {
        [b'a' | b'b' | b'e' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'"' | b'\'', ..] => {
            rest.next();
        }
        [b'0', b'3', b'3', after @ ..] | [b'x', b'1', b'b' | b'B', after @ ..] => {
            *rest = after.iter();
        }
        _ => return None,
    }
    Some(())
}
