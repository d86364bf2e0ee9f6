//! The lists of words that a reading may be, as verbs take them.

use crate::flow::Word as Read;
use crate::verbs::{Number, Word};

/// Words, and which word of the reading each comes from.
pub(super) struct Listed<'a> {
    pub(super) words: Vec<Word<'a>>,
    pub(super) origins: Vec<usize>,
}

/// The word lists that these words may be. Nothing if they are too many, or if it is not known how
/// many words there are.
pub(super) fn lists(words: &[Read]) -> Option<Vec<Listed<'_>>> {
    const MOST: usize = 256;
    let git = matches!(words.first(), Some(Read::Is(name)) if name == b"git");
    let mut lists = vec![Listed { words: Vec::new(), origins: Vec::new() }];
    for (index, word) in words.iter().enumerate() {
        let unknown = match word {
            Read::One(begins) => Some(Word::Begins(begins)),
            Read::Count(begins) => Some(Word::Counts(begins)),
            // To other commands the name of a revision is any word.
            Read::Like { vanishes: false, .. } if !git => Some(Word::UNKNOWN),
            Read::Like { .. } if !git => return None,
            _ => None,
        };
        if let Some(word) = unknown {
            lists.iter_mut().for_each(|list| list.add(word, index));
            continue;
        }
        // Each of these is a choice of some words, so many times.
        let choices: Vec<(&[Vec<u8>], usize)> = match word {
            Read::Is(text) | Read::Unseen(text) => vec![(std::slice::from_ref(text), 1)],
            Read::OneOf(texts) => texts.chunks(1).map(|text| (text, 1)).collect(),
            Read::Names(names) => vec![(names, 1)],
            Read::Like { texts, vanishes } => {
                let none = vanishes.then_some((&[][..], 0));
                none.into_iter().chain(texts.chunks(1).map(|text| (text, 1))).collect()
            }
            Read::Below { paths, number } => named(paths, *number),
            Read::One(_) | Read::Count(_) | Read::Many => return None,
        };
        if lists.len() * choices.len() > MOST {
            return None;
        }
        // Nearly every word has one choice: a line of thousands must not be copied for each.
        let (last, others) = choices.split_last()?;
        let more: Vec<Listed<'_>> = others
            .iter()
            .flat_map(|choice| lists.iter().map(|list| list.with(*choice, index)))
            .collect();
        lists.iter_mut().for_each(|list| list.push(*last, index));
        lists.extend(more);
    }
    Some(lists)
}

/// Names at or below these paths, so many times. The second may be something else to a tool than
/// the first: a file to write.
fn named(paths: &[Vec<u8>], number: Number) -> Vec<(&[Vec<u8>], usize)> {
    let times: &[usize] = match number {
        Number::One => &[1],
        Number::Some | Number::Any => &[1, 2],
    };
    let none = (number == Number::Any).then_some((&[][..], 0));
    let names = paths.chunks(1).flat_map(|path| times.iter().map(move |times| (path, *times)));
    none.into_iter().chain(names).collect()
}

impl<'a> Listed<'a> {
    /// The list with a word that is not known where this one stands.
    pub(super) fn unknown_at(&self, index: usize) -> Vec<Word<'a>> {
        let mut words = self.words.clone();
        words[index] = Word::Begins(words[index].known());
        words
    }

    fn push(&mut self, (choice, times): (&'a [Vec<u8>], usize), origin: usize) {
        for _ in 0..times {
            choice.iter().for_each(|text| self.add(Word::Is(text), origin));
        }
    }

    fn add(&mut self, word: Word<'a>, origin: usize) {
        self.words.push(word);
        self.origins.push(origin);
    }

    fn with(&self, choice: (&'a [Vec<u8>], usize), origin: usize) -> Listed<'a> {
        let mut list = Listed { words: self.words.clone(), origins: self.origins.clone() };
        list.push(choice, origin);
        list
    }
}
