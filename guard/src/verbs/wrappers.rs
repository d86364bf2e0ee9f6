//! Commands that run their words as another command: `command`, `env`, `time`.
//!
//! What they run is judged like any other command. Those whose own words are plain options
//! (`nice`, `stdbuf`, `timeout`) are data.

use super::uses::{Inner, Objection, Part, Use, Uses, Why, Word};
use crate::environment;
use crate::plan::Role;

/// `command NAME …` runs it, in zsh only if it is a program; `command -v NAME …` looks for names.
pub(super) fn command<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    match words.get(1) {
        Some(Word::Is(b"-v" | b"-V")) => names(words),
        // Along a PATH of the system's own, in which everything that is declared stands as well.
        Some(Word::Is(b"-p")) if words.get(2).is_some_and(|it| may_begin(*it)) => {
            Ok(runs(2, words))
        }
        Some(Word::Is(text)) if !text.starts_with(b"-") => Ok(runs(1, words)),
        Some(Word::Is(_)) => Err(Objection { word: 1, why: Why::Undeclared }),
        Some(Word::Begins(_) | Word::Counts(_) | Word::Integer) => {
            Err(Objection { word: 1, why: Why::UnknownOption })
        }
        None => Err(Objection { word: 0, why: Why::Missing }),
    }
}

/// Is it a name, and no option?
fn may_begin(word: Word<'_>) -> bool {
    word.whole().is_some_and(|text| !text.starts_with(b"-"))
}

/// Names of commands: one with a slash is looked at where it stands, others along `PATH`.
fn names<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let mut uses = Uses::default();
    for (word, name) in words.iter().enumerate().skip(2) {
        let text = name.whole().ok_or(Objection { word, why: Why::UnknownPath })?;
        if text.starts_with(b"-") {
            return Err(Objection { word, why: Why::Undeclared });
        }
        if text.contains(&b'/') {
            uses.paths.push(Use::of(word, text, Role::Test));
        }
    }
    Ok(uses)
}

/// `env NAME=VALUE … COMMAND …`, with variables that may be set in front of a command.
pub(super) fn env<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    for (at, word) in words.iter().enumerate().skip(1) {
        let object = |why| Err(Objection { word: at, why });
        let Some(text) = word.whole() else { return object(Why::Unknown) };
        match text.iter().position(|byte| *byte == b'=') {
            Some(equals) if environment::may_be_set(&text[..equals], &text[equals + 1..]) => {}
            Some(_) => return object(Why::Value),
            None if text.starts_with(b"-") => return object(Why::Undeclared),
            None => return Ok(runs(at, words)),
        }
    }
    // It prints the environment, with what is secret in it.
    Err(Objection { word: 0, why: Why::Missing })
}

/// `time COMMAND …`: without options, of which the shells and the program have different ones.
pub(super) fn time<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    match words.get(1) {
        Some(Word::Is(text)) if !text.starts_with(b"-") => Ok(runs(1, words)),
        Some(_) => Err(Objection { word: 1, why: Why::Undeclared }),
        None => Err(Objection { word: 0, why: Why::Missing }),
    }
}

fn runs<'w>(from: usize, words: &[Word<'w>]) -> Uses<'w> {
    let inner = Inner((from..words.len()).map(Part::Word).collect());
    Uses { runs: vec![inner], ..Uses::default() }
}
