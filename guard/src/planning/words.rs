//! The lists of words that a reading may be, as verbs take them.

use crate::few::Few;
use crate::flow::Word as Read;
use crate::short::Short;
use crate::syntax::tree::Text;
use crate::verbs::{Number, Word};

/// Few commands have more.
type Words<'a> = Short<Word<'a>, 8>;

/// What verbs are told of the name of a pipe. Its last part may be another number.
pub(super) const PIPE: &[u8] = b"/dev/fd/63";
const PIPES: [Text<'static>; 1] = [Text::Borrowed(PIPE)];

/// Words, and which word of the reading each comes from.
pub(super) struct Listed<'a> {
    pub(super) words: Words<'a>,
    /// Nothing where each is that of its own place.
    origins: Option<Vec<usize>>,
}

/// The word lists that these words may be. Nothing if they are too many, or if it is not known how
/// many words there are.
pub(super) fn lists<'r>(words: &'r [Read<'_>]) -> Option<Few<Listed<'r>>> {
    const MOST: usize = 256;
    let mut known = Words::new();
    known.extend(words.iter().map_while(one));
    if known.len() == words.len() {
        return Some(Few::one(Listed { words: known, origins: None }));
    }
    let git = matches!(words.first(), Some(Read::Is(name)) if **name == *b"git");
    let mut lists = Few::one(Listed { words: Words::new(), origins: Some(Vec::new()) });
    for (index, word) in words.iter().enumerate() {
        let unknown = match word {
            Read::One(begins) => Some(Word::Begins(begins)),
            Read::Count(begins) => Some(Word::Counts(begins)),
            Read::Integer => Some(Word::Integer),
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
        let choices: Few<(&[Text<'_>], usize)> = match word {
            Read::Is(text) | Read::Unseen(text) => Few::one((std::slice::from_ref(text), 1)),
            Read::Pipe => Few::one((&PIPES[..], 1)),
            Read::OneOf(texts) => texts.chunks(1).map(|text| (text, 1)).collect(),
            Read::Names(names) => Few::one((&names[..], 1)),
            Read::Like { texts, vanishes } => {
                let none = vanishes.then_some((&[][..], 0));
                none.into_iter().chain(texts.chunks(1).map(|text| (text, 1))).collect()
            }
            Read::Found { found, number } => named(&found.paths, *number),
            Read::One(_) | Read::Count(_) | Read::Integer | Read::Many => return None,
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

/// The word, if it is one and not one of several.
fn one<'r>(word: &'r Read<'_>) -> Option<Word<'r>> {
    match word {
        Read::Is(text) | Read::Unseen(text) => Some(Word::Is(text)),
        Read::Pipe => Some(Word::Is(PIPE)),
        Read::One(begins) => Some(Word::Begins(begins)),
        Read::Count(begins) => Some(Word::Counts(begins)),
        Read::Integer => Some(Word::Integer),
        Read::OneOf(_) | Read::Names(_) | Read::Found { .. } | Read::Like { .. } | Read::Many => {
            None
        }
    }
}

/// Names at or below these paths, so many times. The second may be something else to a tool than
/// the first: a file to write.
fn named<'r, 'a>(paths: &'r [Text<'a>], number: Number) -> Few<(&'r [Text<'a>], usize)> {
    let times: &[usize] = match number {
        Number::One => &[1],
        Number::Some | Number::Any => &[1, 2],
    };
    let none = (number == Number::Any).then_some((&[][..], 0));
    let names = paths.chunks(1).flat_map(|path| times.iter().map(move |times| (path, *times)));
    none.into_iter().chain(names).collect()
}

impl<'a> Listed<'a> {
    /// Which word of the reading this one is, or comes from.
    pub(super) fn origin(&self, word: usize) -> usize {
        match &self.origins {
            None if word < self.words.len() => word,
            None => 0,
            Some(origins) => origins.get(word).copied().unwrap_or(0),
        }
    }

    /// The list with a word that is not known where this one stands.
    pub(super) fn unknown_at(&self, index: usize) -> Words<'a> {
        let mut words = self.words.clone();
        words[index] = Word::Begins(words[index].known());
        words
    }

    fn push(&mut self, (choice, times): (&'a [Text<'_>], usize), origin: usize) {
        for _ in 0..times {
            choice.iter().for_each(|text| self.add(Word::Is(text), origin));
        }
    }

    fn add(&mut self, word: Word<'a>, origin: usize) {
        self.words.push(word);
        self.origins.get_or_insert_default().push(origin);
    }

    fn with(&self, choice: (&'a [Text<'_>], usize), origin: usize) -> Listed<'a> {
        let mut list = Listed { words: self.words.clone(), origins: self.origins.clone() };
        list.push(choice, origin);
        list
    }
}
