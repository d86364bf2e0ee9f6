//! The source of every choice: one stream of numbers, read by a few total operations.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

/// Choices that a generator makes one after another.
///
/// The sampling is written here rather than taken from a library, so that a case stays the same
/// case whatever other packages do. An operation never fails: out of an empty range comes 0.
///
/// The first alternative is the simplest by convention. A byte source that has run out answers 0
/// for ever, so that a generator under it ends, and ends in something plain.
#[derive(Debug)]
pub struct Choices<'a> {
    source: Source<'a>,
}

#[derive(Debug)]
enum Source<'a> {
    Stream(Box<ChaCha8Rng>),
    Bytes(&'a [u8]),
}

impl Choices<'static> {
    /// The choices of case `index` under `seed`: a stream of its own in ChaCha8 keyed by the seed,
    /// hence independent of every other index.
    pub fn seeded(seed: u64, index: u64) -> Choices<'static> {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut stream = ChaCha8Rng::from_seed(key);
        stream.set_stream(index);
        Choices { source: Source::Stream(Box::new(stream)) }
    }
}

impl<'a> Choices<'a> {
    /// Choices read from bytes, as a coverage-guided fuzzer hands them over.
    pub fn from_bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices { source: Source::Bytes(bytes) }
    }

    /// A number in `0..n`; 0 if `n` is 0.
    ///
    /// Of a stream it takes one 32-bit draw, whatever `n` is: the bias of at most `n / 2^32` does
    /// not matter to a generator. Of bytes it takes one where `n` is at most 256, otherwise four.
    pub fn below(&mut self, n: u32) -> u32 {
        match &mut self.source {
            Source::Stream(stream) => {
                ((u64::from(stream.next_u32()) * u64::from(n)) >> u32::BITS) as u32
            }
            Source::Bytes(bytes) => {
                let width = if n <= 256 { 1 } else { 4 };
                let (taken, rest) = bytes.split_at(width.min(bytes.len()));
                *bytes = rest;
                let drawn = taken.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
                drawn.checked_rem(n).unwrap_or(0)
            }
        }
    }

    /// True in `percent` of a hundred cases; never where the source has run out, unless certain.
    pub fn chance(&mut self, percent: u8) -> bool {
        self.below(100) + u32::from(percent) >= 100
    }

    /// One of `items`, each as likely as any other.
    ///
    /// # Panics
    /// If there are none: a generator that offers no alternative is wrong.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        assert!(!items.is_empty(), "a choice among nothing");
        &items[self.below(items.len() as u32) as usize]
    }

    /// One of `items`, or nothing if there are none.
    pub fn pick_any<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        if items.is_empty() { None } else { Some(self.pick(items)) }
    }

    /// The place of one of `weights`, as likely as its share of their sum; 0 if all are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let sum = weights.iter().fold(0u32, |sum, weight| sum.saturating_add(*weight));
        let mut left = self.below(sum);
        for (place, weight) in weights.iter().enumerate() {
            if left < *weight {
                return place;
            }
            left -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_n_occurs_and_no_other() {
        let mut choices = Choices::seeded(0, 0);
        let mut seen = [0u32; 7];
        for _ in 0..7_000 {
            seen[choices.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1_200).contains(count)), "{seen:?}");
        assert_eq!(choices.below(0), 0);
    }

    #[test]
    fn chance_is_never_at_0_and_always_at_100() {
        let mut choices = Choices::seeded(0, 1);
        assert!((0..1_000).all(|_| !choices.chance(0) && choices.chance(100)));
        let hits = (0..10_000).filter(|_| choices.chance(30)).count();
        assert!((2_800..3_200).contains(&hits), "{hits} of 10,000 at 30 %");
    }

    #[test]
    fn weights_are_kept_and_0_never_comes() {
        let mut choices = Choices::seeded(0, 2);
        let mut seen = [0u32; 4];
        for _ in 0..8_000 {
            seen[choices.weighted(&[1, 0, 4, 3])] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((800..1_200).contains(&seen[0]), "{seen:?}");
        assert!((3_700..4_300).contains(&seen[2]), "{seen:?}");
    }

    #[test]
    fn indices_have_streams_of_their_own() {
        let draw = |seed, index| {
            let mut choices = Choices::seeded(seed, index);
            [0; 4].map(|_: i32| choices.below(u32::MAX))
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn bytes_are_read_in_order_and_then_zeros() {
        let mut choices = Choices::from_bytes(&[5, 7, 0, 1, 0, 0]);
        assert_eq!(choices.below(10), 5);
        assert_eq!(choices.below(4), 3);
        assert_eq!(choices.below(1 << 20), 1 << 16);
        assert_eq!(choices.below(10), 0);
        assert!(!choices.chance(99));
    }
}
