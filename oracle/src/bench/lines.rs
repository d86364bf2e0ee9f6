//! The lines that are measured.

use shfence_corpus::{Case, Invocation, Shells};
use shfence_generators::{Settings, generate};

/// Decides the lines: the same everywhere and for ever, as long as the generators are the same.
const SEED: u64 = 20_261_130;

/// The first so many cases of the seed, as a campaign would run them, but for those that would make
/// the share of cases with an environment of their own smaller than a fifth.
pub(super) fn lines(count: usize) -> Vec<Case> {
    let settings = Settings::default();
    let (mut lines, mut own) = (Vec::new(), 0);
    for index in 0.. {
        if lines.len() == count {
            break;
        }
        let case = generate(SEED, index, &settings).case;
        let is_own = has_own_environment(&case);
        let is_usual = case.shells == Shells::ALL && case.invocation == Invocation::C;
        if is_usual && (is_own || own * 5 > lines.len()) {
            own += usize::from(is_own);
            lines.push(case);
        }
    }
    lines
}

/// Does the case start with a `PWD`, `OLDPWD`, `CDPATH` or `HOME` of its own?
pub(super) fn has_own_environment(case: &Case) -> bool {
    let own = ["OLDPWD", "CDPATH", "HOME", "PWD"];
    case.pwd.is_some() || own.iter().any(|name| case.env.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_the_lines_have_an_environment_of_their_own() {
        for count in [1, 7, 100, 300, 1_000] {
            let lines = lines(count);
            assert_eq!(lines.len(), count);
            let own = lines.iter().filter(|case| has_own_environment(case)).count();
            assert!(own * 5 >= count, "{own} of {count}");
        }
    }
}
