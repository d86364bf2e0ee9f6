//! Lists of names that are searched for every command of every line.

/// Where each of some names stands in its list: a hash table with open addressing, made when the
/// guard is built. `SLOTS` is a power of two, and more than twice as many as there are names.
pub(crate) struct Index<const SLOTS: usize> {
    /// The number of the name, from 1; 0 for none.
    slots: [u16; SLOTS],
    longest: usize,
}

impl<const SLOTS: usize> Index<SLOTS> {
    /// Of these names.
    pub(crate) const fn of(names: &[&str]) -> Index<SLOTS> {
        assert!(SLOTS.is_power_of_two() && names.len() * 2 < SLOTS && SLOTS <= 1 << 16);
        let mut index = Index { slots: [0; SLOTS], longest: 0 };
        let mut at = 0;
        while at < names.len() {
            let mut slot = hash(names[at].as_bytes()) % SLOTS;
            while index.slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            at += 1;
            index.slots[slot] = at as u16;
            if names[at - 1].len() > index.longest {
                index.longest = names[at - 1].len();
            }
        }
        index
    }

    /// The number of this name, from 0. `name_at` gives the name of a number.
    pub(crate) fn find(
        &self,
        name: &[u8],
        name_at: impl Fn(usize) -> &'static str,
    ) -> Option<usize> {
        if name.len() > self.longest {
            return None;
        }
        let mut slot = hash(name) % SLOTS;
        loop {
            let at = usize::from(self.slots[slot]).checked_sub(1)?;
            if name_at(at).as_bytes() == name {
                return Some(at);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// FNV-1a: few instructions for names of a few bytes.
const fn hash(name: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 16)) as usize
}

#[cfg(test)]
mod tests {
    use super::Index;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const NAMES: &[&str] = &["cat", "", "act", "ls", "git diff", "tac", "é"];
    static INDEX: Index<16> = Index::of(NAMES);

    proptest! {
        #[test]
        fn finds_what_is_in_the_list_and_nothing_else(name in "[act]{0,3}|ls|git diff|é|.{0,9}") {
            let names: BTreeSet<&str> = NAMES.iter().copied().collect();
            let found = INDEX.find(name.as_bytes(), |at| NAMES[at]);
            prop_assert_eq!(found.map(|at| NAMES[at]), names.get(&*name).copied());
        }
    }
}
