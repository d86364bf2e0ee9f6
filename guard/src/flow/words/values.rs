//! What is known of values: of parameters, of what a variable is set to, of parts of words.

use super::printed::Printed;
use super::variables::{VALUES_MAX, Value};
use super::{Words, is_plain, product};
use crate::few::Few;
use crate::flow::states::{Place, States};
use crate::flow::step::{Looks, Word};
use crate::syntax::tree::{Argument, Operation, Piece, Text};
use crate::verbs::FoundNames;
use std::borrow::Cow;

/// What is known of a part of a word.
pub(super) enum Values<'a> {
    /// One of these.
    Known(Few<Text<'a>>),
    /// Any text, which makes no word of its own.
    One,
    /// A decimal number.
    Count,
    /// The same, perhaps a negative one.
    Integer,
    /// Like one of these.
    Like(Few<Text<'a>>),
    /// Any number of words.
    Many,
}

fn owned<'a>(texts: Vec<Vec<u8>>) -> Few<Text<'a>> {
    texts.into_iter().map(Text::Owned).collect()
}

impl<'a> Words<'a> {
    /// What is known of a value, which is one word whatever it says: `None` for any.
    pub(in crate::flow) fn value(&self, argument: &Argument<'a>, states: &States) -> Option<Value> {
        if let [piece] = &argument.pieces[..]
            && let Some(value) = self.whole_value(piece, states)
        {
            return Some(value);
        }
        let mut values = Few::one(Text::default());
        for piece in &argument.pieces {
            let known = match piece {
                Piece::Parameter { name, .. } => self.parameter(name, states)?,
                Piece::Substitution { list, .. } => match self.printed(list, states) {
                    Printed::Values(known) => known.into(),
                    _ => return None,
                },
                Piece::Computed { name, operation, .. } => {
                    self.computed(name, *operation, states)?
                }
                piece => match self.values(piece, states) {
                    Values::Known(known) => known,
                    _ => return None,
                },
            };
            if known.len() * values.len() > VALUES_MAX {
                return None;
            }
            values = product(values, known);
        }
        Some(Value::OneOf(values.iter().map(|value| value.to_vec()).collect()))
    }

    /// What is known of a value that is one piece, where that is not a list of texts.
    fn whole_value(&self, piece: &Piece<'a>, states: &States) -> Option<Value> {
        match piece {
            Piece::Count => Some(Value::Count),
            Piece::Arithmetic(arithmetic) => self.arithmetic(arithmetic, states),
            Piece::Statuses { .. } => Some(Value::Plain),
            Piece::Parameter { name, .. } => match states.variables().value(name)? {
                Value::OneOf(_) => None,
                value => Some(value.clone()),
            },
            Piece::Substitution { list, .. } => match self.printed(list, states) {
                Printed::Number => Some(Value::Count),
                Printed::Digits => Some(Value::Digits),
                Printed::Like(texts) => Some(Value::Like(texts)),
                Printed::Plain | Printed::Names(_) | Printed::Sequence(..) => Some(Value::Plain),
                Printed::Values(_) | Printed::Anything => None,
            },
            _ => None,
        }
    }

    /// What is known of each of the words that a loop goes through.
    pub(in crate::flow) fn items(
        &self,
        arguments: &'a [Argument<'a>],
        states: &States,
        looks: &mut Looks,
    ) -> Option<Value> {
        if let [Argument { pieces, .. }] = arguments
            && let [Piece::Substitution { list, quoted: false }] = &pieces[..]
        {
            match self.printed(list, states) {
                Printed::Names(found) => return Some(found_from(found, states)),
                Printed::Sequence(first, last) => return Some(sequence(first, last)),
                Printed::Plain | Printed::Like(_) | Printed::Number | Printed::Digits => {
                    return Some(Value::Plain);
                }
                Printed::Values(_) | Printed::Anything => {}
            }
        }
        let mut values = Vec::new();
        let any_of = Words { loose: true, ..*self };
        for reading in &any_of.readings(None, arguments, states, looks) {
            for word in &reading.words {
                match word {
                    Word::Is(text) => values.push(text.to_vec()),
                    Word::OneOf(texts) => values.extend(texts.iter().map(|it| it.to_vec())),
                    Word::Names(names) => values.extend(names.iter().map(|it| it.to_vec())),
                    Word::Unseen(_)
                    | Word::Found { .. }
                    | Word::Like { .. }
                    | Word::Pipe
                    | Word::One(_)
                    | Word::Count(_)
                    | Word::Integer
                    | Word::Many => return None,
                }
            }
        }
        values.sort();
        values.dedup();
        Some(Value::OneOf(values))
    }

    /// What is known of a piece between its neighbours.
    pub(super) fn values(&self, piece: &Piece<'a>, states: &States) -> Values<'a> {
        let (known, quoted) = match piece {
            Piece::Text(text) => return Values::Known(Few::one(text.clone())),
            Piece::Either(texts) => return Values::Known(texts.iter().cloned().collect()),
            Piece::Home => (self.home.map(|home| Few::one(home.into())), true),
            Piece::Parameter { name, quoted } => match states.variables().value(name) {
                Some(Value::Count) => return Values::Count,
                Some(Value::Integer) => return Values::Integer,
                Some(Value::Like(texts)) => return Values::Like(owned(texts.clone())),
                _ => (self.parameter(name, states), *quoted),
            },
            Piece::Substitution { list, quoted } => match self.printed(list, states) {
                Printed::Values(known) => (Some(known.into()), *quoted),
                Printed::Number => return Values::Count,
                Printed::Like(texts) => return Values::Like(owned(texts)),
                _ => (None, *quoted),
            },
            Piece::Computed { name, operation, quoted } => {
                (self.computed(name, *operation, states), *quoted)
            }
            Piece::Statuses { many, quoted } => match *quoted && !many {
                true => return Values::One,
                false => return Values::Many,
            },
            Piece::Number | Piece::Output(_) => (None, true),
            Piece::Arithmetic(arithmetic) => match self.arithmetic(arithmetic, states) {
                Some(Value::OneOf(values)) => return Values::Known(owned(values)),
                Some(Value::Integer) => return Values::Integer,
                _ => (None, true),
            },
            Piece::Count => return Values::Count,
            Piece::Pattern(_) | Piece::Braces(_) => (None, false),
        };
        match known {
            Some(known) if quoted || known.iter().all(|value| is_plain(value)) => {
                Values::Known(known)
            }
            _ if quoted => Values::One,
            _ => Values::Many,
        }
    }

    /// What is computed from the values a parameter may have, if they are known. What a byte beyond
    /// ASCII belongs to, the locale says.
    pub(super) fn computed(
        &self,
        name: &[u8],
        operation: Operation<'_>,
        states: &States,
    ) -> Option<Few<Text<'a>>> {
        let known =
            self.parameter(name, states).filter(|all| all.iter().all(|it| it.is_ascii()))?;
        let computed: Few<Text<'a>> = known.iter().map(|it| changed(it, operation)).collect();
        self.room.takes(&computed).then_some(computed)
    }

    /// The values a parameter may have, if they are known.
    pub(super) fn parameter(&self, name: &[u8], states: &States) -> Option<Few<Text<'a>>> {
        if self.room.is_full() {
            return None;
        }
        let known = self.parameter_in(name, states)?;
        self.room.takes(&known).then_some(known)
    }

    fn parameter_in(&self, name: &[u8], states: &States) -> Option<Few<Text<'a>>> {
        match name {
            b"HOME" => Some(Few::one(self.home?.into())),
            b"PWD" => working_directory(states),
            b"OLDPWD" if !states.is_anywhere() => {
                let name = |place: &Place| match place.previous.as_ref()?.text() {
                    (true, text) => Some(Cow::Owned(text.to_vec())),
                    (false, _) => None,
                };
                states.places().iter().map(name).collect()
            }
            _ => {
                let values = states.variables().get(name)?;
                Some(values.iter().map(|value| Cow::Owned(value.clone())).collect())
            }
        }
    }
}

/// A value that is set, by an operation.
fn changed<'a>(value: &[u8], Operation { operator, word }: Operation<'_>) -> Text<'a> {
    let empty = value.is_empty();
    let kept = match operator {
        b"-" => value,
        b":-" if empty => word,
        b"+" => word,
        b":+" if !empty => word,
        b":-" => value,
        b"#" | b"##" => {
            let (from, any) = match word {
                [b'*', rest @ ..] => (rest, true),
                [rest @ .., b'*'] if operator.len() == 2 && value.starts_with(rest) => {
                    (value, false)
                }
                [rest @ .., b'*'] => (rest, false),
                all => (all, false),
            };
            let at = match (any, operator.len()) {
                (false, _) => value.starts_with(from).then_some(0),
                (true, 1) => find(value, from),
                (true, _) => find_last(value, from),
            };
            at.map_or(value, |at| &value[at + from.len()..])
        }
        b"%" | b"%%" => {
            let (to, any) = match word {
                [rest @ .., b'*'] => (rest, true),
                [b'*', rest @ ..] if operator.len() == 2 && value.ends_with(rest) => (value, false),
                [b'*', rest @ ..] => (rest, false),
                all => (all, false),
            };
            let at = match (any, operator.len()) {
                (false, _) => value.ends_with(to).then(|| value.len() - to.len()),
                (true, 1) => find_last(value, to),
                (true, _) => find(value, to),
            };
            at.map_or(value, |at| &value[..at])
        }
        _ => b"",
    };
    Text::Owned(kept.to_vec())
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|it| it == part)
}

fn find_last(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).rposition(|it| it == part)
}

/// One of these names, found in one of these states.
pub(super) fn found_from(found: FoundNames<'_>, states: &States) -> Value {
    let places = states.places();
    let first = places.first().map(|it| &it.physical);
    let one = first.filter(|first| places.iter().all(|it| it.physical == **first));
    Value::Found(found.into_owned(), one.cloned())
}

/// What each of the numbers from one to another may be, those that a step leaves out included.
pub(super) fn sequence(first: i64, last: i64) -> Value {
    let (least, most) = (first.min(last), first.max(last));
    match usize::try_from(most - least) {
        Ok(count) if count < VALUES_MAX => {
            let mut values: Vec<_> = (least..=most).map(|it| it.to_string().into_bytes()).collect();
            values.sort();
            Value::OneOf(values)
        }
        _ => Value::Integer,
    }
}

/// `$PWD` in these states.
pub(super) fn working_directory<'a>(states: &States) -> Option<Few<Text<'a>>> {
    if states.is_anywhere() {
        return None;
    }
    let name = |place: &Place| match place.logical.text() {
        (true, text) => Some(Cow::Owned(text.to_vec())),
        (false, _) => None,
    };
    states.places().iter().map(name).collect()
}
