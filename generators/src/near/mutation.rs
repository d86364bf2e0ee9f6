//! What becomes of a line when somebody's hand slips.

use super::alphabets::{BYTES, TOKENS};
use crate::Choices;

/// Inserts, takes away, doubles or swaps one or two tokens.
pub(super) fn tokens(choices: &mut Choices<'_>, tokens: &mut Vec<String>) {
    mutate(choices, tokens, |choices| (*choices.pick(TOKENS)).to_owned());
}

/// The same with bytes.
pub(super) fn bytes(choices: &mut Choices<'_>, line: &mut Vec<u8>) {
    mutate(choices, line, |choices| *choices.pick(BYTES));
}

fn mutate<T: Clone>(
    choices: &mut Choices<'_>,
    items: &mut Vec<T>,
    mut new: impl FnMut(&mut Choices<'_>) -> T,
) {
    for _ in 0..=choices.weighted(&[3, 1]) {
        let count = items.len() as u32;
        let at = choices.below(count) as usize;
        match choices.weighted(&[4, 2, 2, 2]) {
            0 => {
                let at = choices.below(count + 1) as usize;
                let item = new(choices);
                items.insert(at, item);
            }
            _ if items.is_empty() => {}
            1 => {
                items.remove(at);
            }
            2 => items.insert(at, items[at].clone()),
            _ => {
                let other = choices.below(count) as usize;
                items.swap(at, other);
            }
        }
    }
}
