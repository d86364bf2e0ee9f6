//! What entries are made of: lists that are static in the shipped catalogue, and owned where a
//! configuration declares a verb.

use std::fmt;
use std::ops::Deref;

/// Words.
#[derive(Clone)]
pub enum Texts {
    /// Of a table.
    Shipped(&'static [&'static str]),
    /// Of a configuration.
    Own(Vec<String>),
}

impl Texts {
    /// None.
    pub const NONE: Texts = Texts::Shipped(&[]);

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Texts::Shipped(all) => all.len(),
            Texts::Own(all) => all.len(),
        }
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word with this number, from 0.
    pub fn get(&self, at: usize) -> Option<&str> {
        match self {
            Texts::Shipped(all) => all.get(at).copied(),
            Texts::Own(all) => all.get(at).map(String::as_str),
        }
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        (0..self.len()).map(|at| self.get(at).unwrap_or_default())
    }

    /// Is this one of them?
    pub fn contains(&self, word: &str) -> bool {
        self.iter().any(|it| it == word)
    }

    /// All of them, with this between two.
    pub fn join(&self, between: &str) -> String {
        self.iter().collect::<Vec<_>>().join(between)
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Parts of an entry.
#[derive(Clone)]
pub enum List<T: 'static> {
    /// Of a table.
    Shipped(&'static [T]),
    /// Of a configuration.
    Own(Vec<T>),
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            List::Shipped(all) => all,
            List::Own(all) => all,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
