//! `${PIPESTATUS[0]}`, outside quotes: a number, or no word.

use crate::few::Few;
use crate::request::Dialects;
use crate::syntax::tree::{Argument, Piece};
use std::borrow::Cow;

/// How many of them in one command are looked at both ways.
const STATUSES_MAX: usize = 3;

/// Is it such a word, and nothing else?
pub(super) fn may_vanish(argument: &Argument<'_>) -> bool {
    matches!(&argument.pieces[..], [Piece::Statuses { many: false, quoted: false }])
}

/// The argument lists of these shells, with and without each of those words.
pub(super) fn expand<'r, 'a>(
    (shells, arguments): (Dialects, Cow<'r, [Argument<'a>]>),
) -> Vec<(Dialects, Cow<'r, [Argument<'a>]>)> {
    if !(1..=STATUSES_MAX).contains(&arguments.iter().filter(|it| may_vanish(it)).count()) {
        return vec![(shells, arguments)];
    }
    let mut lists: Vec<Vec<Argument<'a>>> = vec![Vec::new()];
    for argument in arguments.iter() {
        let without = if may_vanish(argument) { lists.clone() } else { Vec::new() };
        let there = match may_vanish(argument) {
            true => Argument { span: argument.span, pieces: Few::one(Piece::Count) },
            false => argument.clone(),
        };
        lists.iter_mut().for_each(|list| list.push(there.clone()));
        lists.extend(without);
    }
    lists.into_iter().map(|list| (shells, Cow::Owned(list))).collect()
}
