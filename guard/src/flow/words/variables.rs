//! What is known of the variables that a line sets.

use crate::verbs::FoundNames;

/// How many values a variable, or a word made of several, may have before it is taken as unknown.
pub(in crate::flow) const VALUES_MAX: usize = 256;

/// What is known of the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::flow) enum Value {
    /// One of these.
    OneOf(Vec<Vec<u8>>),
    /// Decimal digits, or nothing.
    Count,
    /// Text like one of these, none of which is a pattern.
    Like(Vec<Vec<u8>>),
    /// Text that is no pattern.
    Plain,
    /// One of the names, plain text, that a command finds.
    Found(FoundNames<'static>),
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
            Value::Count | Value::Like(_) | Value::Plain | Value::Found(_) => None,
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
            Value::Count | Value::Like(_) | Value::Plain | Value::Found(_) => true,
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
                return value == other;
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

    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.known.binary_search_by(|(known, _)| known.as_slice().cmp(name))
    }
}
