//! Over-refusals, and their reasons: they say where a guard could be of more use.

use serde::{Deserialize, Serialize};
use shfence_corpus::Text;

/// How many examples are kept of one reason.
const EXAMPLES: usize = 10;

/// Lines that a guard refused for one reason although every shell stayed inside with declared verbs
/// only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// How many cases.
    pub count: u64,
    /// The shortest of their lines, the shortest first.
    pub shortest: Vec<RefusedLine>,
}

/// One such line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedLine {
    /// The line.
    pub line: Text,
    /// The index of its case.
    pub index: u64,
}

impl Refused {
    /// Adds a case.
    pub fn add(&mut self, line: &Text, index: u64) {
        self.count += 1;
        self.keep(RefusedLine { line: line.clone(), index });
    }

    /// Adds what another shard has counted. In whichever order, it comes to the same.
    pub fn merge(&mut self, other: &Refused) {
        self.count += other.count;
        other.shortest.iter().for_each(|it| self.keep(it.clone()));
    }

    fn keep(&mut self, one: RefusedLine) {
        let order = |it: &RefusedLine| (it.line.len(), it.line.to_vec());
        match self.shortest.binary_search_by_key(&order(&one), order) {
            // The same line again: the first case that has it.
            Ok(at) => self.shortest[at].index = self.shortest[at].index.min(one.index),
            Err(at) if at < EXAMPLES => {
                self.shortest.insert(at, one);
                self.shortest.truncate(EXAMPLES);
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_are_kept_whoever_comes_first() {
        let lines: Vec<Text> = (0..30).map(|n| Text::from("x".repeat(30 - n % 15))).collect();
        let add = |all: &mut Refused, at: usize| all.add(&lines[at], at as u64);
        let (mut whole, mut odd, mut even) =
            (Refused::default(), Refused::default(), Refused::default());
        for at in 0..lines.len() {
            add(&mut whole, at);
            add(if at % 2 == 0 { &mut even } else { &mut odd }, at);
        }
        odd.merge(&even);
        assert_eq!(whole, odd);
        assert_eq!((whole.count, whole.shortest.len()), (30, EXAMPLES));
        assert_eq!((whole.shortest[0].line.len(), whole.shortest[0].index), (16, 14));
    }
}
