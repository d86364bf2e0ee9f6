//! What is true of a line as a whole, before any of it is read: its length, its bytes, and what the
//! way to the shell makes of them.

use super::not_understood::{Construct, NotUnderstood};
use crate::request::Invocation;
use crate::span::Span;

/// Checks the text as a whole. Every later step may rely on it: valid UTF-8, no control characters
/// but newline and tab, nothing invisible.
pub fn check(line: &[u8], max_len: usize, invocation: Invocation) -> Result<(), NotUnderstood> {
    let refuse =
        |construct, start, end| Err(NotUnderstood { construct, span: Span::new(start, end) });
    if line.len() > max_len {
        return refuse(Construct::TooLong, max_len, line.len());
    }
    if let Some(at) = line.iter().position(|&byte| is_control(byte)) {
        return refuse(Construct::ControlCharacter, at, at + 1);
    }
    if let Some(at) = line.iter().position(|&byte| changed_by(invocation, byte)) {
        return refuse(Construct::InvocationCharacter, at, at + 1);
    }
    if line.is_ascii() {
        return Ok(());
    }
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            return refuse(Construct::InvalidUtf8, at, at + 1);
        }
    };
    match text.char_indices().find(|(_, c)| is_invisible(*c)) {
        Some((at, c)) => refuse(Construct::InvisibleCharacter, at, at + c.len_utf8()),
        None => Ok(()),
    }
}

/// A carriage return is a word byte in every shell, but not for the people and programs that look
/// at the line; NUL cannot be in an argument at all.
fn is_control(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7f
}

/// Characters that do not reach the shell as they stand.
fn changed_by(invocation: Invocation, byte: u8) -> bool {
    match invocation {
        Invocation::C | Invocation::Eval | Invocation::Parens => false,
        // The text stands between double quotes of another script, whose shell expands it first.
        Invocation::JsonEval => matches!(byte, b'$' | b'`' | b'\\' | b'!' | b'\n'),
        // A terminal turns newlines into blanks and completes on tab; zsh reads no comments there.
        Invocation::Typed => matches!(byte, b'\n' | b'\t' | b'!' | b'#'),
    }
}

/// C1 controls, no-break and zero-width characters, and those that change the direction of text.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0x80..=0xa0 | 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202f
        | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
}
