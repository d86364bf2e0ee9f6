//! Lines without the secrets in them, for a record that outlives the line.
//!
//! What is covered is found by its structure, never by guessing at randomness: values whose
//! **name** says that they are secret, operands of options that take one, what stands before the
//! `@` of a URL, headers that authorise, and tokens of known **shapes**. Names and options are
//! looked for in the words of the tree where the line is understood, and in what looks like words
//! otherwise; shapes in the bytes, since a token may stand anywhere.

mod names;
mod shapes;
mod words;

use crate::request::{Dialects, Invocation, Limits};
use std::ops::Range;

/// What stands where a secret stood.
const COVER: &str = "[redacted]";

/// The line as text, every secret in it replaced by `[redacted]`. Bytes that are no UTF-8 are
/// replaced as well.
pub fn redact(line: &[u8], invocation: Invocation) -> String {
    let commands = match crate::syntax::read(line, invocation, Dialects::ALL, &Limits::default()) {
        Ok(tree) => words::of_tree(&tree),
        Err(_) => words::of_bytes(line),
    };
    let mut secrets = shapes::secrets(line);
    for words in commands.iter().chain(&words::in_quotes(line)) {
        words::secrets(line, words, &mut secrets);
    }
    cover(line, secrets)
}

/// The line with these ranges covered. Those that touch become one.
fn cover(line: &[u8], mut secrets: Vec<Range<usize>>) -> String {
    secrets.retain(|it| it.start < it.end);
    secrets.sort_by_key(|it| it.start);
    let mut text = String::with_capacity(line.len());
    let mut shown = 0;
    let mut rest = secrets.into_iter().peekable();
    while let Some(mut secret) = rest.next() {
        while let Some(next) = rest.next_if(|next| next.start <= secret.end) {
            secret.end = secret.end.max(next.end);
        }
        text.push_str(&String::from_utf8_lossy(&line[shown..secret.start]));
        text.push_str(COVER);
        shown = secret.end;
    }
    text.push_str(&String::from_utf8_lossy(&line[shown..]));
    text
}

#[cfg(test)]
mod tests;
