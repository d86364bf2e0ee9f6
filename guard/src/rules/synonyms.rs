//! Sub-commands by more than one name, and options in a cluster: a rule that closes means what a
//! command does, not which of its names it was called by.

use crate::plan::PlanWord;

/// Programs, and the names that each of their sub-commands has: npm(1) under "aliases" of each
/// page (10), pnpm(1) (9), `cargo --list` (1.88), yarn(1) (1.22).
#[rustfmt::skip] // tidy: table
const NAMES: &[(&[&str], &[&[&str]])] = &[
    (&["npm"], &[
        &["ci", "clean-install", "ic", "install-clean", "isntall-clean"],
        &["exec", "x"],
        &["init", "create", "innit"],
        &["install", "add", "i", "in", "ins", "inst", "insta", "instal", "isnt", "isnta", "isntal",
          "isntall"],
        &["link", "ln"],
        &["run", "run-script", "rum", "urn"],
        &["test", "t", "tst"],
        &["uninstall", "r", "remove", "rm", "un", "unlink"],
        &["update", "u", "up", "upgrade", "udpate"],
    ]),
    (&["pnpm"], &[
        &["install", "i"],
        &["remove", "rm", "un", "uninstall"],
        &["run", "run-script"],
        &["test", "t", "tst"],
        &["update", "up", "upgrade"],
    ]),
    (&["cargo"], &[
        &["build", "b"],
        &["check", "c"],
        &["doc", "d"],
        &["remove", "rm"],
        &["run", "r"],
        &["test", "t"],
    ]),
];

/// Do both name one sub-command of this program? npm takes the beginning of a name for it as well.
pub(super) fn same_sub_command(program: &[u8], one: &[u8], other: &[u8]) -> bool {
    let mut of_program = NAMES.iter().filter(|(names, _)| has(names, program));
    let begins = program == b"npm" && other.len() >= 3 && one.starts_with(other);
    begins
        || of_program.any(|(_, all)| all.iter().any(|names| has(names, one) && has(names, other)))
}

/// May an option of a rule be among these words? The letters of a cluster may stand apart, a letter
/// may be short for a name that begins with it, and the beginning of a name for the name.
pub(super) fn may_be_given(option: &[u8], words: &[PlanWord]) -> bool {
    let any = |may_be: &dyn Fn(&[u8]) -> bool| {
        words.iter().any(|word| match word {
            PlanWord::Is(text) => may_be(text),
            PlanWord::OneOf(texts) => texts.iter().any(|text| may_be(text)),
            PlanWord::One | PlanWord::Many => true,
        })
    };
    match option.strip_prefix(b"--") {
        Some(name) => any(&|word| may_be_name(name, word)),
        None => option.iter().skip(1).all(|letter| any(&|word| may_be_letter(*letter, word))),
    }
}

/// May this word be the option of this long name?
fn may_be_name(name: &[u8], word: &[u8]) -> bool {
    let Some(there) = word.strip_prefix(b"--") else {
        return name.first().is_some_and(|first| may_be_letter(*first, word));
    };
    let there = there.split(|byte| *byte == b'=').next().unwrap_or_default();
    !there.is_empty() && name.starts_with(there)
}

/// May this word be the option of this letter, or a cluster with it?
fn may_be_letter(letter: u8, word: &[u8]) -> bool {
    let is = |it: &u8| it.eq_ignore_ascii_case(&letter);
    match word {
        [b'-', b'-', rest @ ..] => rest.first().is_some_and(is),
        [b'-', letters @ ..] => letters.iter().any(is),
        _ => false,
    }
}

/// Is every letter of `rule`, a cluster of options (`-rf`), in this word, a cluster as well? With
/// others beside them, of which one may take the rest as its value, that is not sure.
pub(super) fn holds_letters(rule: &[u8], word: &[u8]) -> Option<Letters> {
    let letters = |text: &[u8]| -> Option<Vec<u8>> {
        let mut letters = text.strip_prefix(b"-").filter(|it| !it.is_empty())?.to_vec();
        letters.sort_unstable();
        letters.iter().all(u8::is_ascii_alphabetic).then_some(letters)
    };
    let (wanted, there) = (letters(rule)?, letters(word)?);
    let all = wanted.iter().all(|letter| there.contains(letter));
    all.then(|| if wanted == there { Letters::Same } else { Letters::MoreToo })
}

/// How a cluster of letters holds those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// It has just those, in whatever order.
    Same,
    /// It has others as well.
    MoreToo,
}

fn has(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|it| it.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_for_two_sub_commands() {
        for (programs, all) in NAMES {
            let mut names: Vec<&str> = all.concat();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{programs:?}");
        }
    }
}
