//! Braces: several words in bash and zsh, text in dash.

use crate::request::Dialects;
use crate::syntax::tree::{Argument, Piece};
use std::borrow::Cow;

/// How many words braces may make of one word.
const WORDS_MAX: usize = 256;

/// The argument lists that shells make of these, each with the shells that do. Some that answer to
/// `sh` expand braces and some do not; mksh expands `{a,b}` and leaves `{1..3}` alone.
pub(super) fn expand(
    arguments: &[Argument],
    shells: Dialects,
) -> Vec<(Dialects, Cow<'_, [Argument]>)> {
    if !arguments.iter().any(has_braces) {
        return vec![(shells, Cow::Borrowed(arguments))];
    }
    let mut lists = vec![(shells, Cow::Owned(arguments.iter().flat_map(words).collect()))];
    if shells.sh {
        let only_sh = Dialects { bash: false, sh: true, zsh: false };
        let all = |_: &[Piece]| true;
        lists.push((only_sh, Cow::Owned(arguments.iter().map(|it| literal(it, all)).collect())));
        let ranges = arguments.iter().map(|it| literal(it, is_range));
        let without: Vec<Argument> = ranges.collect();
        if without != arguments && without.iter().any(has_braces) {
            lists.push((only_sh, Cow::Owned(without.iter().flat_map(words).collect())));
        }
    }
    lists
}

fn has_braces(argument: &Argument) -> bool {
    argument.pieces.iter().any(|piece| matches!(piece, Piece::Braces { .. }))
}

/// The words that braces make, in their order. A word that would be empty, or too many of them, is
/// one that nothing is known of.
fn words(argument: &Argument) -> Vec<Argument> {
    let mut words: Vec<Vec<Piece>> = vec![Vec::new()];
    for piece in &argument.pieces {
        let one = [std::slice::from_ref(piece)];
        let choices: Vec<&[Piece]> = match piece {
            Piece::Braces { choices, .. } => choices.iter().map(|it| &it[..]).collect(),
            _ => one.to_vec(),
        };
        if words.len() * choices.len() > WORDS_MAX {
            return vec![unknown(argument)];
        }
        let with = |word: &Vec<Piece>| {
            let join = |choice: &&[Piece]| [&word[..], *choice].concat();
            choices.iter().map(join).collect::<Vec<_>>()
        };
        words = words.iter().flat_map(with).collect();
    }
    if words.iter().any(Vec::is_empty) {
        return vec![unknown(argument)];
    }
    words.into_iter().map(|pieces| Argument { span: argument.span, pieces }).collect()
}

/// The word with those braces as text that a shell leaves alone.
fn literal(argument: &Argument, left_alone: fn(&[Piece]) -> bool) -> Argument {
    let pieces = argument.pieces.iter().flat_map(|piece| match piece {
        Piece::Braces { literal, .. } if left_alone(literal) => literal.clone(),
        other => vec![other.clone()],
    });
    Argument { span: argument.span, pieces: pieces.collect() }
}

/// Is it `{1..3}`? What has a comma is none.
fn is_range(literal: &[Piece]) -> bool {
    !literal.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(&b',')))
}

/// An unquoted parameter of which nothing is known: any number of words.
fn unknown(argument: &Argument) -> Argument {
    let any = Piece::Parameter { name: Vec::new(), quoted: false };
    Argument { span: argument.span, pieces: vec![any] }
}
