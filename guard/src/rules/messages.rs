//! Words that a command takes as a text for people, whatever they say: no path, and need not be
//! known.

use super::pattern::base_name;
use crate::flow::Word;

/// Options of a command that takes texts: those without a value, and those whose value is a text.
struct Texts {
    command: &'static [&'static str],
    flags: &'static [&'static str],
    /// Letters without a value, which may stand before that of a text: `-am`.
    letters: &'static [u8],
    texts: &'static [&'static str],
}

// tidy: table
#[rustfmt::skip]
const COMMANDS: &[Texts] = &[
    Texts {
        command: &["git", "commit"],
        flags: &["--all", "--allow-empty", "--amend", "--no-edit", "--no-verify", "--quiet", "--signoff", "--verbose"],
        letters: b"aenqsv",
        texts: &["-m", "--message"],
    },
    Texts { command: &["git", "tag"], flags: &["--annotate", "--force"], letters: b"af", texts: &["-m", "--message"] },
    Texts {
        command: &["gh", "pr", "create"],
        flags: &["--draft", "--fill", "--web"],
        letters: b"dfw",
        texts: &["-b", "-t", "--body", "--title"],
    },
    Texts { command: &["gh", "issue", "create"], flags: &["--web"], letters: b"w", texts: &["-b", "-t", "--body", "--title"] },
];

/// The places of texts among the words of a command. Behind the first word that is neither an
/// option of these nor such a text, it is not known what anything is.
pub(crate) fn texts(words: &[Word<'_>]) -> Vec<usize> {
    let begins = |it: &&Texts| {
        let known = it.command.iter().zip(words).all(|(name, word)| is(word, name.as_bytes()));
        words.len() > it.command.len() && known
    };
    let Some(it) = COMMANDS.iter().find(begins) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = it.command.len();
    while let Some(Word::Is(word)) = words.get(at) {
        if it.takes_text(word) {
            // One word, which this option takes; any number of words may be anything.
            match words.get(at + 1) {
                Some(
                    Word::Is(_) | Word::OneOf(_) | Word::One(_) | Word::Count(_) | Word::Integer,
                ) => {
                    found.push(at + 1);
                }
                _ => break,
            }
            at += 2;
        } else if it.is_flag(word) {
            at += 1;
        } else {
            break;
        }
    }
    found
}

impl Texts {
    fn is_flag(&self, word: &[u8]) -> bool {
        let cluster = matches!(word, [b'-', rest @ ..] if !rest.is_empty() && self.letters(rest));
        cluster || self.flags.iter().any(|flag| flag.as_bytes() == word)
    }

    fn takes_text(&self, word: &[u8]) -> bool {
        self.texts.iter().map(|text| text.as_bytes()).any(|text| {
            let short = matches!(text, [b'-', letter] if *letter != b'-'
                && matches!(word, [b'-', rest @ .., last] if last == letter && self.letters(rest)));
            word == text || short
        })
    }

    fn letters(&self, letters: &[u8]) -> bool {
        letters.iter().all(|letter| self.letters.contains(letter))
    }
}

fn is(word: &Word<'_>, name: &[u8]) -> bool {
    matches!(word, Word::Is(text) if base_name(text) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_option_certainly_takes_is_a_text() {
        let found = |line: &str| {
            let word = |text: &str| match text {
                "?" => Word::One(Vec::new().into()),
                "…" => Word::Many,
                _ => Word::Is(text.as_bytes().to_vec().into()),
            };
            texts(&line.split(' ').map(word).collect::<Vec<_>>())
        };
        for (line, at) in [
            ("git commit -m ? -m x", &[3, 5][..]),
            ("git commit -qam ?", &[3]),
            ("git commit --amend --message ?", &[4]),
            ("git commit -F -m ?", &[]),
            ("git commit a -m ?", &[]),
            ("git commit -m … -m x", &[]),
            ("git commit -xm ?", &[]),
            ("git commit -m", &[]),
            ("git commit -- -m ?", &[]),
            ("git add -m ?", &[]),
            ("gh pr create --title ? --body ?", &[4, 6]),
            ("gh pr create --body-file ?", &[]),
        ] {
            assert_eq!(found(line), at, "{line}");
        }
    }
}
