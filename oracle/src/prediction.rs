//! What a guard said of a case, before anything ran.

use crate::trace::TouchKind;
use serde::{Deserialize, Serialize};
use shfence_corpus::{Decision, Text};
use std::fmt;

/// A verdict, and what the guard says the line will do. A guard that gives no plan can only be
/// shown to be wrong by what an allowed line touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The verdict.
    pub decision: Decision,
    /// The plan, if the guard gives one and understood the line.
    pub plan: Option<Plan>,
    /// Why it did not allow, for people.
    pub reasons: Vec<Reason>,
}

/// A reason not to allow a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What is said of all lines that are refused for it; empty if the guard has no such word.
    pub code: String,
    /// What is said of this one.
    pub note: String,
}

impl Reason {
    /// The code, or without one the note.
    pub fn name(&self) -> &str {
        if self.code.is_empty() { &self.note } else { &self.code }
    }
}

/// For people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.code, &*self.note) {
            ("", said) | (said, "") => f.write_str(said),
            (code, note) => write!(f, "{code}: {note}"),
        }
    }
}

/// The simple commands of a line, as a guard predicts them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// One per simple command.
    pub segments: Vec<Segment>,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its bytes in the line.
    pub span: [u32; 2],
    /// The directories it may start in, physically; none if any.
    pub cwd: Option<Vec<Text>>,
    /// Its words.
    pub argv: Vec<Word>,
    /// What it uses.
    pub paths: Vec<PathUse>,
}

/// What is known of one place in an argument list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Exactly this word.
    Is(Text),
    /// One of these words.
    OneOf(Vec<Text>),
    /// Exactly one word; the value is `true`.
    One(bool),
    /// Any number of words; the value is `true`.
    Many(bool),
}

impl Word {
    /// May it be this word?
    fn fits(&self, text: &Text) -> bool {
        match self {
            Word::Is(exactly) => exactly == text,
            Word::OneOf(texts) => texts.contains(text),
            Word::One(_) | Word::Many(_) => true,
        }
    }
}

/// One path that a segment uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathUse {
    /// Where it leads, physically.
    pub path: Text,
    /// For what.
    pub role: TouchKind,
    /// Everything below it as well?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub under: bool,
    /// Only possibly?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may: bool,
    /// The bytes of the line that name it.
    #[serde(default)]
    pub span: [u32; 2],
}

impl Segment {
    /// Does the segment's word list admit these arguments?
    pub fn admits(&self, argv: &[Text]) -> bool {
        admits(&self.argv, argv)
    }

    /// May this be the name of its command?
    pub fn may_be_called(&self, name: &Text) -> bool {
        self.argv.first().is_some_and(|word| word.fits(name))
    }

    /// May the segment start in this directory?
    pub fn may_start_in(&self, cwd: &Text) -> bool {
        self.cwd.as_ref().is_none_or(|list| list.contains(cwd))
    }
}

/// Word lists are short and hold at most a few `many`, so that trying every split is cheap.
fn admits(words: &[Word], argv: &[Text]) -> bool {
    let Some((word, words)) = words.split_first() else { return argv.is_empty() };
    if let Word::Many(_) = word {
        return (0..=argv.len()).any(|taken| admits(words, &argv[taken..]));
    }
    let Some((text, argv)) = argv.split_first() else { return false };
    word.fits(text) && admits(words, argv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(text: &str) -> Vec<Text> {
        text.split_whitespace().map(Text::from).collect()
    }

    #[test]
    fn a_word_list_admits_what_it_describes_and_nothing_else() {
        let words = [
            Word::Is("cat".into()),
            Word::Many(true),
            Word::OneOf(vec!["a".into(), "b".into()]),
            Word::One(true),
        ];
        for yes in ["cat a x", "cat x y b b"] {
            assert!(admits(&words, &argv(yes)), "{yes}");
        }
        for no in ["cat", "cat a", "cat x c y", "dog a x", "cat a x y z"] {
            assert!(!admits(&words, &argv(no)), "{no}");
        }
    }
}
