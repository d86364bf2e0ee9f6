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
    // Without a branch for each byte: nearly every line has none.
    if line.iter().fold(false, |found, byte| found | is_control(*byte))
        && let Some(at) = line.iter().position(|byte| is_control(*byte))
    {
        return refuse(Construct::ControlCharacter, at, at + 1);
    }
    if let Some(at) = changed_by(invocation, line) {
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

/// The first character that does not reach the shell as it stands.
fn changed_by(invocation: Invocation, line: &[u8]) -> Option<usize> {
    let first = |changed: fn(u8) -> bool| line.iter().position(|byte| changed(*byte));
    match invocation {
        Invocation::C | Invocation::Eval => None,
        // `(` and a line that begins with one make `((`; a comment at the end hides the `)`.
        Invocation::Parens => {
            let start = line.iter().position(|byte| !b" \t".contains(byte))?;
            let last = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let comment = line[last..].iter().position(|byte| *byte == b'#').map(|at| last + at);
            if line[start] == b'(' { Some(start) } else { comment }
        }
        // The text stands between double quotes of another script, whose shell expands it first,
        // and JSON has written tabs and newlines as a backslash and a letter.
        Invocation::JsonEval => {
            first(|byte| matches!(byte, b'$' | b'`' | b'\\' | b'!' | b'\n' | b'\t'))
        }
        // A terminal turns newlines into blanks, completes on tab, and cuts a line at 4,095 bytes;
        // zsh reads no comments there.
        Invocation::Typed => first(|byte| matches!(byte, b'\n' | b'\t' | b'!' | b'#'))
            .or((line.len() > TERMINAL_LINE).then_some(TERMINAL_LINE)),
    }
}

/// The longest line that a terminal in canonical mode takes (`termios(3)`), without its newline.
const TERMINAL_LINE: usize = 4095;

/// C1 controls, no-break and zero-width characters, and those that change the direction of text.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0x80..=0xa0 | 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202f
        | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
}
