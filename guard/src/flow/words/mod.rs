//! What is known of the words of a command where it runs.

mod arithmetic;
mod braces;
mod pattern;
mod printed;
mod room;
mod statuses;
mod values;
mod variables;

pub use room::Room;
pub use variables::Variables;
pub(super) use variables::{VALUES_MAX, Value};

use super::states::{Place, States};
use super::step::{Looks, Reading, Word};
use crate::few::Few;
use crate::glance::Glance;
use crate::request::Dialects;
use crate::span::Span;
use crate::syntax::tree::{Argument, Piece, Text, Word as Name};
use crate::verbs::Number;
use crate::view::FsView;
use pattern::Element;
use printed::Printed;
use std::rc::Rc;
use values::Values;

/// In how many ways the words of one command may be read before they are taken as unknown.
const READINGS_MAX: usize = 64;

/// Evaluates words.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    glance: &'a Glance<'a>,
    /// What that shows.
    view: &'a dyn FsView,
    home: Option<&'a [u8]>,
    shells: Dialects,
    room: &'a Room,
    /// May there be names that the view does not show?
    new_names: bool,
    /// Is it enough to know which names may be among those that a pattern matches?
    loose: bool,
}

impl<'a> Words<'a> {
    /// A `$HOME` that is not absolute means something else to every shell.
    pub(super) fn new(
        glance: &'a Glance<'a>,
        home: Option<&'a [u8]>,
        shells: Dialects,
        room: &'a Room,
    ) -> Words<'a> {
        let home = home.filter(|home| home.starts_with(b"/"));
        Words { glance, view: glance.view(), home, shells, room, new_names: false, loose: false }
    }

    /// The same for a line that makes files.
    pub(super) fn with_new_names(self) -> Words<'a> {
        Words { new_names: true, ..self }
    }

    /// The ways in which shells expand these words, of a command that starts in one of these
    /// states. What they look at on the way is added to `looks`. Never empty.
    pub(super) fn readings(
        &self,
        name: Option<&Name<'a>>,
        arguments: &[Argument<'a>],
        states: &States,
        looks: &mut Looks,
    ) -> Few<Reading<'a>> {
        if let Some(words) = plain(name, arguments) {
            let (states, shells) = (states.clone(), self.shells);
            return Few::one(Reading { words, spans: None, states, shells });
        }
        let anywhere = arguments.iter().filter(|it| self.may_list_anything(it, states));
        looks.anywhere.extend(anywhere.map(|it| it.span));
        let first = name.map(|name| Word::Is(name.text.clone()));
        let is = |wanted: fn(&Piece<'_>) -> bool| {
            arguments.iter().any(|it| it.pieces.iter().any(wanted))
        };
        let braces = is(|piece| matches!(piece, Piece::Braces(_)));
        let patterns = braces || is(|piece| matches!(piece, Piece::Pattern(_)));
        if !patterns && !arguments.iter().any(statuses::may_vanish) {
            let words = first.into_iter().chain(arguments.iter().map(|it| self.word(it, states)));
            let (words, states) = (words.collect(), states.clone());
            return Few::one(Reading { words, spans: None, states, shells: self.shells });
        }
        let mut readings = Few::new();
        let lists = braces::expand(arguments, self.shells, self.room);
        for (shells, arguments) in lists.into_iter().flat_map(statuses::expand) {
            let spans =
                name.map(|it| it.span).into_iter().chain(arguments.iter().map(|it| it.span));
            let spans: Rc<[Span]> = spans.collect();
            // What a pattern matches depends on the place.
            let places: Vec<States> = match states.is_anywhere() || states.is_none() {
                true => vec![states.clone()],
                false => states.places().iter().map(|place| states.only(place)).collect(),
            };
            for states in places {
                let lists = self.lists(first.as_ref(), &arguments, &states, shells, looks);
                for words in lists {
                    let (states, spans) = (states.clone(), Some(spans.clone()));
                    add(&mut readings, Reading { words, spans, states, shells });
                }
            }
        }
        readings
    }

    /// The word lists that arguments with patterns make from one place.
    fn lists(
        &self,
        first: Option<&Word<'a>>,
        arguments: &[Argument<'a>],
        states: &States,
        shells: Dialects,
        looks: &mut Looks,
    ) -> Vec<Vec<Word<'a>>> {
        let mut lists: Vec<Vec<Word<'a>>> = vec![first.cloned().into_iter().collect()];
        for argument in arguments {
            let mut words = self.patterned(argument, states, shells, looks);
            if words.len() * lists.len() > READINGS_MAX {
                words = vec![Word::Many];
            }
            // Nearly every word is one: a list of thousands must not be copied for each.
            let Some(last) = words.pop() else { return Vec::new() };
            let with = |word: &Word<'a>| {
                let word = [word.clone()];
                lists.iter().map(move |list| [&list[..], &word].concat())
            };
            let mut longer: Vec<Vec<Word<'a>>> = words.iter().flat_map(with).collect();
            lists.iter_mut().for_each(|list| list.push(last.clone()));
            longer.append(&mut lists);
            lists = longer;
        }
        lists
    }

    /// What a word with a pattern in it may be: one for each value of what else is in it.
    fn patterned(
        &self,
        argument: &Argument<'a>,
        states: &States,
        shells: Dialects,
        looks: &mut Looks,
    ) -> Vec<Word<'a>> {
        if !argument.pieces.iter().any(|piece| matches!(piece, Piece::Pattern(_))) {
            return vec![self.word(argument, states)];
        }
        let mut all: Vec<Vec<Element<'a, '_>>> = vec![Vec::new()];
        for piece in &argument.pieces {
            let values = match piece {
                Piece::Pattern(pattern) => {
                    all.iter_mut().for_each(|elements| elements.push(Element::Pattern(pattern)));
                    continue;
                }
                _ => match self.values(piece, states) {
                    Values::Known(values) if values.len() * all.len() <= READINGS_MAX => values,
                    _ => {
                        looks.anywhere.push(argument.span);
                        return vec![Word::Many];
                    }
                },
            };
            if let [value] = &values[..] {
                all.iter_mut().for_each(|elements| elements.push(Element::Text(value.clone())));
                continue;
            }
            let with = |value: &Text<'a>| {
                let text = [Element::Text(value.clone())];
                all.iter().map(move |elements| [&elements[..], &text].concat())
            };
            all = values.iter().flat_map(with).collect();
        }
        let expand = |elements: Vec<Element<'a, '_>>| {
            let Words { view, room, loose, .. } = *self;
            let around = pattern::Around { view, room, states, shells, loose };
            pattern::expand(&around, &elements, argument.span, looks)
        };
        let words: Vec<Word<'a>> = all.into_iter().flat_map(expand).collect();
        if self.new_names { vec![Word::Many] } else { words }
    }

    /// May a shell take a value in this word for a pattern? All but zsh do, outside quotes, and
    /// list what it names.
    fn may_list_anything(&self, argument: &Argument<'a>, states: &States) -> bool {
        let is_pattern = |value: &Text<'a>| value.iter().any(|byte| b"*?[\\".contains(byte));
        let may_be = |piece: &Piece<'a>| match piece {
            Piece::Computed { name, operation, quoted: false } => {
                let known = self.computed(name, *operation, states);
                known.is_none_or(|known| known.iter().any(is_pattern))
            }
            Piece::Parameter { name, quoted: false } => {
                let no_pattern = |it: &Value| !matches!(it, Value::OneOf(_));
                let known = self.parameter(name, states);
                !states.variables().value(name).is_some_and(no_pattern)
                    && known.is_none_or(|known| known.iter().any(is_pattern))
            }
            Piece::Substitution { list, quoted: false } => match self.printed(list, states) {
                Printed::Values(known) => known.iter().any(is_pattern),
                Printed::Anything => true,
                _ => false,
            },
            _ => false,
        };
        (self.shells.bash || self.shells.sh) && argument.pieces.iter().any(may_be)
    }

    /// What is known of a word that is one piece of certain kinds.
    fn whole(&self, argument: &Argument<'a>, states: &States) -> Option<Word<'a>> {
        let [piece] = &argument.pieces[..] else { return None };
        match piece {
            Piece::Text(text) => Some(Word::Is(text.clone())),
            Piece::Output(_) => Some(Word::Pipe),
            // A word without a byte is no number, and no option either.
            Piece::Statuses { many: false, quoted: true } => Some(Word::Count(Text::default())),
            Piece::Substitution { list, quoted: false } => match self.printed(list, states) {
                Printed::Names(found) => {
                    Some(Word::Found { found: found.into(), number: Number::Any })
                }
                _ => None,
            },
            Piece::Parameter { name, quoted } => match states.variables().value(name)? {
                Value::Digits if *quoted => Some(Word::Count(Text::default())),
                Value::Found(found, from) => {
                    let there = |it: &Place| from.as_ref() == Some(&it.physical);
                    let found = found.clone().into_owned();
                    let is_there = states.places().iter().all(there);
                    let found = Rc::new(if is_there { found } else { found.elsewhere() });
                    Some(Word::Found { found, number: Number::One })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What is known of a word without patterns and braces.
    pub(super) fn word(&self, argument: &Argument<'a>, states: &States) -> Word<'a> {
        if let Some(word) = self.whole(argument, states) {
            return word;
        }
        let mut values = Few::one(Text::default());
        let mut begins: Option<Text<'a>> = None;
        let mut count = false;
        let mut like = false;
        for (index, piece) in argument.pieces.iter().enumerate() {
            match self.values(piece, states) {
                Values::Count if begins.is_none() && index + 1 == argument.pieces.len() => {
                    let known = if let [one] = &values[..] { one.clone() } else { Text::default() };
                    begins = Some(known);
                    count = values.len() == 1;
                }
                Values::Known(known) if known.len() * values.len() <= VALUES_MAX => {
                    values = product(values, known);
                }
                Values::Like(texts) if texts.len() * values.len() <= VALUES_MAX => {
                    like = true;
                    values = product(values, texts);
                }
                Values::Integer if argument.pieces.len() == 1 => return Word::Integer,
                Values::Known(_)
                | Values::Like(_)
                | Values::One
                | Values::Count
                | Values::Integer => {
                    let known = if let [one] = &values[..] { one.clone() } else { Text::default() };
                    begins.get_or_insert(known);
                }
                Values::Many => return Word::Many,
            }
        }
        match (begins, values) {
            (Some(begins), _) if count => Word::Count(begins),
            (Some(begins), _) => Word::One(begins),
            (None, values) if like => {
                let vanishes = matches!(&argument.pieces[..], [piece] if !piece.is_quoted());
                let texts = values.iter().filter(|text| !text.is_empty() || !vanishes);
                Word::Like { texts: texts.cloned().collect(), vanishes }
            }
            (None, Few::Single(Some(value))) => Word::Is(value),
            (None, values) => match &values[..] {
                [value] => Word::Is(value.clone()),
                values => Word::OneOf(values.to_vec()),
            },
        }
    }
}

/// The words, if all of them are text: of nearly all commands.
fn plain<'a>(name: Option<&Name<'a>>, arguments: &[Argument<'a>]) -> Option<Vec<Word<'a>>> {
    let mut words = Vec::with_capacity(1 + arguments.len());
    words.extend(name.map(|name| Word::Is(name.text.clone())));
    for argument in arguments {
        let [Piece::Text(text)] = &argument.pieces[..] else { return None };
        words.push(Word::Is(text.clone()));
    }
    Some(words)
}

/// Adds a reading. The same words from another place are the same reading.
fn add<'a>(readings: &mut Few<Reading<'a>>, reading: Reading<'a>) {
    let same = |it: &&mut Reading<'a>| it.words == reading.words && it.shells == reading.shells;
    match readings.iter_mut().find(same) {
        Some(known) => known.states.join(reading.states),
        None => readings.push(reading),
    }
}

/// Is it the same word, unquoted, in shells that split and expand it and in one that does not?
fn is_plain(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(|b| b.is_ascii_alphanumeric() || b"_./,:@%+-".contains(b))
}

fn product<'a>(mut before: Few<Text<'a>>, after: Few<Text<'a>>) -> Few<Text<'a>> {
    if let [none] = &before[..]
        && none.is_empty()
    {
        return after;
    }
    // Nearly every piece is one: a word of thousands must not be copied for each.
    if let [one] = &after[..] {
        before.iter_mut().for_each(|value| value.to_mut().extend_from_slice(one));
        return before;
    }
    let join = |a: &Text<'a>| {
        let joined = |b: &Text<'a>| Text::Owned([&a[..], b].concat());
        after.iter().map(joined).collect::<Vec<_>>()
    };
    before.iter().flat_map(join).collect()
}
