//! What probes do beside being executed.

use serde::{Deserialize, Serialize};
use shfence_corpus::Text;

/// What the probes of a case do.
///
/// Each does what its arguments decide, so that it does the same in every shell and at every time.
/// What is not the verb's to choose stays: `true`, `echo` and `pwd` succeed and say nothing here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Probes {
    /// They exit with 0, print nothing and read nothing.
    #[default]
    Silent,
    /// One of four fails, half of them print a word that a substitution can use, half of them read
    /// what they are given. The number decides which.
    Lively(u64),
}

/// The verbs that always succeed in silence: lines are read in the knowledge that they do.
const STEADY: [&[u8]; 3] = [b"true", b"echo", b"pwd"];

// Bits of an answer, as `system/warm/acting.rs` reads them.
const TEXTS: u64 = 4;
const TEXT_SHIFT: u32 = 8;
const READS: u64 = 1 << 12;
/// Tells the answer to do nothing from no answer.
const ANSWERED: u64 = 1 << 16;

impl Probes {
    /// The probes of the case of `index` under `seed`: silent in every second, for the others as
    /// seed and index say.
    pub fn of(seed: u64, index: u64) -> Probes {
        let number = mix(seed ^ mix(index));
        if number & 1 == 0 { Probes::Silent } else { Probes::Lively(number) }
    }

    /// What a probe with these arguments is to do.
    pub(crate) fn answer(self, argv: &[Text]) -> i64 {
        let steady = argv.first().is_none_or(|name| STEADY.contains(&name.as_bytes()));
        let Probes::Lively(number) = self else { return ANSWERED as i64 };
        if steady {
            return ANSWERED as i64;
        }
        let bytes = argv.iter().flat_map(|word| word.iter().chain(&[0]));
        let drawn = mix(bytes.fold(number, |sum, byte| mix(sum ^ u64::from(*byte))));
        let code = u64::from(drawn.is_multiple_of(4));
        let text = if drawn >> 8 & 1 == 0 { 0 } else { 1 + (drawn >> 16) % TEXTS };
        let reads = if drawn >> 9 & 1 == 0 { 0 } else { READS };
        (ANSWERED | code | text << TEXT_SHIFT | reads) as i64
    }
}

/// Spreads a number over all bits (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(probes: Probes, name: &str) -> Vec<i64> {
        let argv = |n: u32| [Text::from(name), Text::from(n.to_string())];
        (0..1_000).map(|n| probes.answer(&argv(n))).collect()
    }

    #[test]
    fn lively_probes_take_both_branches_and_silent_ones_do_nothing() {
        let silent = ANSWERED as i64;
        assert!(answers(Probes::Silent, "cat").iter().all(|it| *it == silent));
        assert!(answers(Probes::Lively(7), "true").iter().all(|it| *it == silent));
        let lively = answers(Probes::Lively(7), "cat");
        assert_eq!(lively, answers(Probes::Lively(7), "cat"));
        let count = |is: &dyn Fn(u64) -> bool| lively.iter().filter(|it| is(**it as u64)).count();
        assert!((150..350).contains(&count(&|it| it & 0xff != 0)));
        assert!((400..600).contains(&count(&|it| it & READS != 0)));
        for text in 1..=TEXTS {
            assert!(count(&|it| it >> TEXT_SHIFT & 0xf == text) > 50);
        }
    }

    #[test]
    fn a_case_has_its_probes_and_half_of_them_are_silent() {
        let silent = (0..1_000).filter(|index| Probes::of(1, *index) == Probes::Silent).count();
        assert!((400..600).contains(&silent), "{silent}");
    }
}
