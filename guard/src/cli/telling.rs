//! What people and agents are told: what can be written instead, and no character that a terminal
//! obeys.

use shfence::{Code, Construct};

/// How a line says the same so that it can be judged, as a sentence without a full stop; where it
/// is not the form but what it does that asks, there is nothing.
pub fn instead_of(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::NotUnderstood(Construct::Backquote) => "write $(…) instead",
        Code::CwdUnknown => "write the directory out, so that it can be followed",
        Code::WordUnknown => "write the value out",
        Code::PatternOption => "write './*' instead of '*'",
        Code::Background => "leave the '&' out",
        _ => return None,
    })
}

/// A character as a terminal may have it: nothing that it obeys, and nothing that turns the order
/// of what stands beside it.
pub fn visible(c: char) -> char {
    match c {
        '\t' | '\n' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
        c if c.is_control() => '?',
        c => c,
    }
}
