//! What is known of the words of a command where it runs.

use super::states::States;
use crate::plan::PlanWord;
use crate::syntax::tree::{Argument, Piece};

/// How many values a word may have before it is taken as unknown.
const VALUES_MAX: usize = 16;

/// Variables whose values are known: `$HOME`, and those of the loops around.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables<'a> {
    home: Option<&'a [u8]>,
    /// Innermost last.
    loops: Vec<(&'a [u8], Vec<Vec<u8>>)>,
}

impl<'a> Variables<'a> {
    /// Only `$HOME`. One that is not absolute means something else to every shell.
    pub(super) fn new(home: Option<&'a [u8]>) -> Variables<'a> {
        Variables { home: home.filter(|home| home.starts_with(b"/")), loops: Vec::new() }
    }

    /// Enters a loop over these words. What it stands for is known if all of them are.
    pub(super) fn enter(&mut self, name: &'a [u8], words: &[PlanWord]) {
        let mut values = Vec::new();
        for word in words {
            match word {
                PlanWord::Is(text) => values.push(text.clone()),
                PlanWord::OneOf(texts) => values.extend(texts.iter().cloned()),
                PlanWord::One | PlanWord::Many => values.clear(),
            }
            if matches!(word, PlanWord::One | PlanWord::Many) {
                break;
            }
        }
        self.loops.push((name, values));
    }

    /// Leaves the loop. Its variable keeps a value, but which one is not tracked: not for a loop
    /// around it over the same name either.
    pub(super) fn leave(&mut self) {
        let Some((name, _)) = self.loops.pop() else { return };
        for (_, values) in self.loops.iter_mut().filter(|(outer, _)| *outer == name) {
            values.clear();
        }
    }

    /// The values a parameter may have, if they are known.
    fn values(&self, name: &[u8], states: &States) -> Option<Vec<Vec<u8>>> {
        if let Some((_, values)) = self.loops.iter().rev().find(|(it, _)| *it == name) {
            return (!values.is_empty()).then(|| values.clone());
        }
        match name {
            b"HOME" => Some(vec![self.home?.to_vec()]),
            b"PWD" if !states.is_anywhere() => {
                let name = |place: &super::states::Place| match place.logical.text() {
                    (true, text) => Some(text),
                    (false, _) => None,
                };
                states.places().iter().map(name).collect()
            }
            _ => None,
        }
    }

    /// What is known of an argument of a command that starts in one of these states.
    pub(super) fn evaluate(&self, argument: &Argument, states: &States) -> PlanWord {
        if let [Piece::Text(text)] = &argument.pieces[..] {
            return PlanWord::Is(text.clone());
        }
        let mut values = vec![Vec::new()];
        let mut one = false;
        for piece in &argument.pieces {
            let known = match piece {
                Piece::Text(text) => Some(vec![text.clone()]),
                Piece::Home => self.home.map(|home| vec![home.to_vec()]),
                Piece::Parameter { name, quoted } => {
                    let known = self.values(name, states);
                    let plain = known.as_ref().is_some_and(|all| all.iter().all(|it| is_plain(it)));
                    if !quoted && !plain {
                        return PlanWord::Many;
                    }
                    known
                }
                Piece::Substitution { quoted: false, .. } => return PlanWord::Many,
                Piece::Status | Piece::Substitution { quoted: true, .. } => None,
            };
            match known {
                Some(known) if known.len() * values.len() <= VALUES_MAX => {
                    values = product(&values, &known);
                }
                _ => one = true,
            }
        }
        match values.len() {
            _ if one => PlanWord::One,
            1 => PlanWord::Is(values.remove(0)),
            _ => PlanWord::OneOf(values),
        }
    }
}

/// Is it the same word, unquoted, in shells that split and expand it and in one that does not?
fn is_plain(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(|b| b.is_ascii_alphanumeric() || b"_./,:@%+-".contains(b))
}

fn product(before: &[Vec<u8>], after: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let join = |a: &Vec<u8>| after.iter().map(|b| [&a[..], b].concat()).collect::<Vec<_>>();
    before.iter().flat_map(join).collect()
}
