//! A list that nearly always holds one item, which then stands in it and not on the heap.

use std::ops::{Deref, DerefMut};

/// Any number of items, in order.
#[derive(Clone, Debug)]
pub enum Few<T> {
    /// One item, or none.
    Single(Option<T>),
    /// Any number of items.
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// No item.
    pub const fn new() -> Few<T> {
        Few::Single(None)
    }

    /// This item.
    pub const fn one(item: T) -> Few<T> {
        Few::Single(Some(item))
    }

    /// Adds an item behind the others.
    pub fn push(&mut self, item: T) {
        match self {
            Few::Single(none @ None) => *none = Some(item),
            Few::Single(one) => {
                let mut items = Vec::with_capacity(4);
                items.extend(one.take());
                items.push(item);
                *self = Few::Many(items);
            }
            Few::Many(items) => items.push(item),
        }
    }

    /// Adds an item before the one at `index`, or behind them all.
    pub fn insert(&mut self, index: usize, item: T) {
        self.push(item);
        self[index..].rotate_right(1);
    }

    /// Adds all items to a list.
    pub fn move_to(self, list: &mut Vec<T>) {
        match self {
            Few::Single(item) => list.extend(item),
            Few::Many(items) => list.extend(items),
        }
    }

    /// Takes all items out.
    pub fn clear(&mut self) {
        *self = Few::new();
    }
}

impl<T> Default for Few<T> {
    fn default() -> Few<T> {
        Few::new()
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Few::Single(item) => item.as_slice(),
            Few::Many(items) => items,
        }
    }
}

impl<T> DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Few::Single(item) => item.as_mut_slice(),
            Few::Many(items) => items,
        }
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Few<T>) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Few<T> {}

impl<T> From<Vec<T>> for Few<T> {
    fn from(items: Vec<T>) -> Few<T> {
        Few::Many(items)
    }
}

impl<T> Extend<T> for Few<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Few<T> {
        let mut few = Few::new();
        few.extend(items);
        few
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Few;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_holds_what_a_list_holds(
            items in prop::collection::vec((any::<u8>(), any::<prop::sample::Index>()), 0..6),
        ) {
            let (mut list, mut few) = (Vec::new(), Few::new());
            for (item, at) in items {
                let at = at.index(list.len() + 1);
                list.insert(at, item);
                few.insert(at, item);
                prop_assert_eq!(&list[..], &few[..]);
            }
            prop_assert_eq!(&list.iter().copied().collect::<Few<u8>>(), &few);
            let mut moved = vec![0];
            few.move_to(&mut moved);
            prop_assert_eq!(&moved[1..], &list[..]);
        }
    }
}
