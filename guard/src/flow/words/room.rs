//! How much the expansions of a line may come to.

use std::cell::Cell;

/// What is left of that, in bytes. A short line can stand for a great deal of text: each `x=$x$x`
/// doubles what is known of `x`, and each `*` is a whole directory. Where there is no room left,
/// nothing is known of what is expanded.
pub struct Room(Cell<usize>);

impl Room {
    /// All of it: many times the longest line, and as much as takes a few milliseconds to look at.
    const BYTES: usize = 1 << 19;

    /// What one value or one word takes beside its text.
    const ITEM: usize = 32;

    /// With nothing in it.
    pub fn new() -> Room {
        Room(Cell::new(Room::BYTES))
    }

    /// The line is followed from its start.
    pub(in crate::flow) fn clear(&self) {
        self.0.set(Room::BYTES);
    }

    /// Is there room for these texts? Then they take it.
    pub(super) fn takes<T: AsRef<[u8]>>(&self, texts: &[T]) -> bool {
        let bytes = texts.iter().map(|text| Room::ITEM + text.as_ref().len()).sum();
        self.take(bytes)
    }

    /// Is there room for so many words, or names that are looked through?
    pub(super) fn takes_items(&self, count: usize) -> bool {
        self.take(count * Room::ITEM)
    }

    /// Is there none left?
    pub(super) fn is_full(&self) -> bool {
        self.0.get() == 0
    }

    fn take(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}
