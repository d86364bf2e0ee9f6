//! Braces: several words in bash and zsh, text in dash.

use crate::request::Dialects;
use crate::syntax::tree::{Argument, Piece};
use std::borrow::Cow;

/// How many words braces may make of one word.
const WORDS_MAX: usize = 256;

/// The argument lists that shells make of these, each with the shells that do. Some that answer to
/// `sh` expand braces and some do not.
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
        lists.push((only_sh, Cow::Owned(arguments.iter().map(literal).collect())));
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

/// The word as text, for shells that leave braces alone.
fn literal(argument: &Argument) -> Argument {
    let pieces = argument.pieces.iter().flat_map(|piece| match piece {
        Piece::Braces { literal, .. } => literal.clone(),
        other => vec![other.clone()],
    });
    Argument { span: argument.span, pieces: pieces.collect() }
}

/// An unquoted parameter of which nothing is known: any number of words.
fn unknown(argument: &Argument) -> Argument {
    let any = Piece::Parameter { name: Vec::new(), quoted: false };
    Argument { span: argument.span, pieces: vec![any] }
}
