//! What the guard said the line of a finding would do, from the plan beside it.
//!
//! The plan is the oracle's. One that cannot be read is left out, as traces are.

use crate::layout;
use crate::visible::visible;
use serde::Deserialize;
use shfence_corpus::Text;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Plan {
    segments: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    cwd: Option<Vec<Text>>,
    argv: Vec<Word>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Is(Text),
    OneOf(Vec<Text>),
    One(#[expect(dead_code, reason = "it is always true")] bool),
    Many(#[expect(dead_code, reason = "it is always true")] bool),
}

impl Word {
    fn shown(&self) -> String {
        match self {
            Word::Is(word) => visible(word),
            Word::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| visible(word)).collect();
                format!("({})", words.join(" or "))
            }
            Word::One(_) => "(any word)".to_owned(),
            Word::Many(_) => "(any words)".to_owned(),
        }
    }
}

/// What the guard said the line would do, a command a line, as what was done is written.
pub(super) fn planned(folder: &Path) -> String {
    let json = fs::read(folder.join(layout::PLAN)).unwrap_or_default();
    let Ok(plan) = serde_json::from_slice::<Plan>(&json) else { return String::new() };
    let command = |it: &Segment| {
        let words: Vec<String> = it.argv.iter().map(Word::shown).collect();
        let cwds = it.cwd.as_ref().map(|all| all.iter().map(|cwd| visible(cwd)).collect());
        let cwds = cwds.map_or_else(|| "any directory".to_owned(), |all: Vec<_>| all.join(" or "));
        format!("run {}   in {cwds}", words.join(" "))
    };
    plan.segments.iter().map(command).collect::<Vec<_>>().join("\n")
}
