//! A list of plain items that stands in place as long as it is short, for what is made and gone
//! within one command.

use std::ops::{Deref, DerefMut};

/// Any number of items, in order; no more than `N` of them need no memory of their own.
#[derive(Clone, Debug)]
pub(crate) struct Short<T, const N: usize> {
    /// The items, as long as they fit.
    here: [T; N],
    length: usize,
    /// All items, once they did not.
    more: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Short<T, N> {
    /// No item.
    pub(crate) fn new() -> Short<T, N> {
        Short { here: [T::default(); N], length: 0, more: Vec::new() }
    }

    /// Adds an item behind the others.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.more.is_empty() && self.length < N {
            self.here[self.length] = item;
            self.length += 1;
        } else {
            self.extend_from_slice(&[item]);
        }
    }

    /// Adds items behind the others.
    pub(crate) fn extend_from_slice(&mut self, items: &[T]) {
        let length = self.length + items.len();
        if self.more.is_empty() && length <= N {
            self.here[self.length..length].copy_from_slice(items);
        } else {
            if self.more.is_empty() {
                self.more.reserve(2 * length);
                self.more.extend_from_slice(&self.here[..self.length]);
            }
            self.more.extend_from_slice(items);
        }
        self.length = length;
    }

    /// Takes all items behind the first `length` out.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.more.truncate(length);
    }

    /// Takes the last item out.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let last = self.last().copied();
        self.truncate(self.length.saturating_sub(1));
        last
    }
}

impl<T: Copy + Default, const N: usize> Default for Short<T, N> {
    fn default() -> Short<T, N> {
        Short::new()
    }
}

impl<T, const N: usize> Deref for Short<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.more.is_empty() { &self.here[..self.length] } else { &self.more }
    }
}

impl<T, const N: usize> DerefMut for Short<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.more.is_empty() { &mut self.here[..self.length] } else { &mut self.more }
    }
}

impl<T: Copy + Default, const N: usize> From<&[T]> for Short<T, N> {
    fn from(items: &[T]) -> Short<T, N> {
        let mut list = Short::new();
        list.extend_from_slice(items);
        list
    }
}

impl<T: Copy + Default, const N: usize> Extend<T> for Short<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

#[cfg(test)]
mod tests {
    use super::Short;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Act {
        Add(Vec<u8>),
        Cut(usize),
        Pop,
    }

    fn act() -> impl Strategy<Value = Act> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..4).prop_map(Act::Add),
            (0..9_usize).prop_map(Act::Cut),
            Just(Act::Pop),
        ]
    }

    proptest! {
        #[test]
        fn it_holds_what_a_list_holds(acts in prop::collection::vec(act(), 0..12)) {
            let (mut list, mut short) = (Vec::new(), Short::<u8, 4>::new());
            for act in acts {
                match act {
                    Act::Add(items) => {
                        list.extend_from_slice(&items);
                        short.extend_from_slice(&items);
                    }
                    Act::Cut(length) => {
                        list.truncate(length);
                        short.truncate(length);
                    }
                    Act::Pop => prop_assert_eq!(list.pop(), short.pop()),
                }
                prop_assert_eq!(&list[..], &short[..]);
            }
        }
    }
}
