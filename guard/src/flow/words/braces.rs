//! Braces: several words in bash and zsh, text in dash.

use super::Room;
use crate::few::Few;
use crate::request::Dialects;
use crate::syntax::tree::{Argument, Piece};
use std::borrow::Cow;

/// How many words braces may make of one word.
const WORDS_MAX: usize = 256;

/// The argument lists that shells make of these, each with the shells that do. Some that answer to
/// `sh` expand braces and some do not; mksh expands `{a,b}` and leaves `{1..3}` alone.
pub(super) fn expand<'r, 'a>(
    arguments: &'r [Argument<'a>],
    shells: Dialects,
    room: &Room,
) -> Vec<(Dialects, Cow<'r, [Argument<'a>]>)> {
    if !arguments.iter().any(has_braces) {
        return vec![(shells, Cow::Borrowed(arguments))];
    }
    let mut lists =
        vec![(shells, Cow::Owned(arguments.iter().flat_map(|it| words(it, room)).collect()))];
    if shells.sh {
        let only_sh = Dialects { bash: false, sh: true, zsh: false };
        let all = |_: &[Piece<'_>]| true;
        lists.push((only_sh, Cow::Owned(arguments.iter().map(|it| literal(it, all)).collect())));
        let ranges = arguments.iter().map(|it| literal(it, is_range));
        let without: Vec<Argument<'a>> = ranges.collect();
        if without != arguments && without.iter().any(has_braces) {
            lists.push((
                only_sh,
                Cow::Owned(without.iter().flat_map(|it| words(it, room)).collect()),
            ));
        }
    }
    lists
}

fn has_braces(argument: &Argument<'_>) -> bool {
    argument.pieces.iter().any(|piece| matches!(piece, Piece::Braces(_)))
}

/// The words that braces make, in their order. A word that would be empty, or too many of them, is
/// one that nothing is known of.
fn words<'a>(argument: &Argument<'a>, room: &Room) -> Vec<Argument<'a>> {
    let mut words: Vec<Vec<Piece<'a>>> = vec![Vec::new()];
    if !has_braces(argument) {
        return vec![argument.clone()];
    }
    for piece in &argument.pieces {
        let one = [std::slice::from_ref(piece)];
        let choices: Vec<&[Piece<'a>]> = match piece {
            Piece::Braces(braces) => braces.choices.iter().map(|it| &it[..]).collect(),
            _ => one.to_vec(),
        };
        let count = words.len() * choices.len();
        if count > WORDS_MAX || (count > 1 && !room.takes_items(2 * count)) {
            return vec![unknown(argument)];
        }
        let with = |word: &Vec<Piece<'a>>| {
            let join = |choice: &&[Piece<'a>]| [&word[..], *choice].concat();
            choices.iter().map(join).collect::<Vec<_>>()
        };
        words = words.iter().flat_map(with).collect();
    }
    if words.iter().any(Vec::is_empty) {
        return vec![unknown(argument)];
    }
    let argument = |pieces: Vec<Piece<'a>>| Argument { span: argument.span, pieces: pieces.into() };
    words.into_iter().map(argument).collect()
}

/// The word with those braces as text that a shell leaves alone.
fn literal<'a>(argument: &Argument<'a>, left_alone: fn(&[Piece<'_>]) -> bool) -> Argument<'a> {
    let pieces = argument.pieces.iter().flat_map(|piece| match piece {
        Piece::Braces(braces) if left_alone(&braces.literal) => braces.literal.clone(),
        other => vec![other.clone()],
    });
    Argument { span: argument.span, pieces: pieces.collect() }
}

/// Is it `{1..3}`? What has a comma is none.
fn is_range(literal: &[Piece<'_>]) -> bool {
    !literal.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(&b',')))
}

/// An unquoted parameter of which nothing is known: any number of words.
fn unknown<'a>(argument: &Argument<'a>) -> Argument<'a> {
    let any = Piece::Parameter { name: b"", quoted: false };
    Argument { span: argument.span, pieces: Few::one(any) }
}
