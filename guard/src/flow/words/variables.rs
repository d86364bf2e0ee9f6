//! What is known of the variables that a line sets.

use super::arithmetic::integer;
use crate::path::Physical;
use crate::verbs::FoundNames;

/// How many values a variable, or a word made of several, may have before it is taken as unknown.
pub(in crate::flow) const VALUES_MAX: usize = 256;

/// What is known of the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::flow) enum Value {
    /// One of these.
    OneOf(Vec<Vec<u8>>),
    /// Decimal digits, at least one.
    Count,
    /// Decimal digits, or nothing.
    Digits,
    /// A decimal number, perhaps negative, as a shell prints it.
    Integer,
    /// Text like one of these, none of which is a pattern.
    Like(Vec<Vec<u8>>),
    /// Text that is no pattern.
    Plain,
    /// One of the names, plain text, that a command finds, and where it was when it found them, if
    /// that is one place.
    Found(FoundNames<'static>, Option<Physical>),
}

impl Value {
    /// Is it certainly a decimal number as shells print it?
    fn is_integer(&self) -> bool {
        match self {
            Value::OneOf(values) => values.iter().all(|it| integer(it).is_some()),
            Value::Integer => true,
            Value::Count | Value::Digits => false,
            Value::Like(_) | Value::Plain | Value::Found(..) => false,
        }
    }
}

/// The variables of whose values something is known. What is not among them may have any value, or
/// none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Sorted by name; few, so that a list is quicker than a map.
    known: Vec<(Vec<u8>, Value)>,
}

impl Variables {
    /// Nothing is known of any.
    pub(in crate::flow) const fn new() -> Variables {
        Variables { known: Vec::new() }
    }

    /// Is nothing known of any?
    pub(in crate::flow) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The values that the variable may have, if they are known.
    pub(in crate::flow) fn get(&self, name: &[u8]) -> Option<&[Vec<u8>]> {
        match self.value(name)? {
            Value::OneOf(values) => Some(values),
            _ => None,
        }
    }

    /// What is known of the variable.
    pub(in crate::flow) fn value(&self, name: &[u8]) -> Option<&Value> {
        let at = self.find(name).ok()?;
        Some(&self.known[at].1)
    }

    /// From here on it has this value; `None` for any.
    pub(in crate::flow) fn set(&mut self, name: &[u8], value: Option<Value>) {
        let value = value.filter(|value| match value {
            Value::OneOf(values) => values.len() <= VALUES_MAX,
            _ => true,
        });
        match (self.find(name), value) {
            (Ok(at), Some(value)) => self.known[at].1 = value,
            (Ok(at), None) => {
                self.known.remove(at);
            }
            (Err(at), Some(value)) => self.known.insert(at, (name.to_vec(), value)),
            (Err(_), None) => {}
        }
    }

    /// What is known whichever of two ways the shell has come.
    pub(in crate::flow) fn join(&mut self, other: &Variables) {
        self.known.retain_mut(|(name, value)| {
            let Some(other) = other.value(name) else { return false };
            let (Value::OneOf(values), Value::OneOf(others)) = (&mut *value, other) else {
                if value.is_integer() && other.is_integer() {
                    *value = Value::Integer;
                }
                return value == other || *value == Value::Integer && other.is_integer();
            };
            for value in others {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
            values.sort();
            values.len() <= VALUES_MAX
        });
    }

    /// Of numbers that have changed since, takes it that they may be any: counting ends nowhere.
    /// Has anything changed?
    pub(in crate::flow) fn widen(&mut self, before: &Variables) -> bool {
        let mut widened = false;
        for (name, value) in &mut self.known {
            if *value != Value::Integer && value.is_integer() && before.value(name) != Some(value) {
                *value = Value::Integer;
                widened = true;
            }
        }
        widened
    }

    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.known.binary_search_by(|(known, _)| known.as_slice().cmp(name))
    }
}
