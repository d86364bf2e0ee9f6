//! The simple commands of a line as its shell says them (`set -x`), built-ins included.
//!
//! The observers see a built-in only by what it touches; `echo` or `export` leaves no trace. Where
//! that matters the line is run once more, with the shell telling of each command before it runs
//! it, and `PS4` holding the directory. This is the shell's own word, and no observation: a line
//! that sets `PS4` or `set +x`, or prints what looks like it, is believed.

use crate::engine::{Engine, RunError};
use crate::installations::Installation;
use shfence_corpus::{Case, Shell, Text};

/// A simple command, as the shell has said it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    /// The directory it ran in, as the shell calls it (`$PWD`): links on the way are not resolved.
    pub cwd: Text,
    /// Its words after expansion, separated by blanks. All shells but dash quote what needs it; of
    /// a word with a newline dash shows the first line.
    pub words: Text,
}

// Bytes that no shell and hardly any line prints, around the directory.
const BEFORE: u8 = 0x1e;
const AFTER: u8 = 0x1f;

/// Runs a case in a shell and returns the commands it has said, in the order of their output. For
/// processes that run at once that is the order of chance, and busybox, which writes word by word,
/// may mix theirs. Output is cut, so of many commands only the first are returned; shells that the
/// line starts say nothing.
pub fn commands(
    engine: &mut Engine,
    case: &Case,
    shell: &Installation,
) -> Result<Vec<Said>, RunError> {
    let mut shell = shell.clone();
    // Before the option that takes the line.
    let last = shell.args.len().saturating_sub(1);
    shell.args.insert(last, Text::from("-x"));
    let directory = match shell.id.shell {
        // It expands parameters there only if it is told to, but this always.
        Shell::Zsh => "%d",
        Shell::Bash | Shell::Sh => "$PWD",
    };
    let prompt = [b"+", &[BEFORE][..], directory.as_bytes(), &[AFTER]].concat();
    let mut case = case.clone();
    case.env.insert("PS4".to_owned(), Some(Text::from(prompt)));
    Ok(said(&engine.run(&case, &shell)?.output))
}

fn said(output: &[u8]) -> Vec<Said> {
    let mut all = Vec::new();
    for part in output.split(|byte| *byte == BEFORE).skip(1) {
        let Some(end) = part.iter().position(|byte| *byte == AFTER) else { continue };
        let (cwd, words) = (&part[..end], &part[end + 1..]);
        let words = words.split(|byte| *byte == b'\n').next().unwrap_or_default();
        all.push(Said { cwd: Text::from(cwd), words: Text::from(words) });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_output() {
        let output = b"+\x1e/a\nb\x1fecho x\nx\nno end++\x1e/c\x1fcat\n+\x1ecut";
        let one = |cwd: &str, words: &str| Said { cwd: cwd.into(), words: words.into() };
        assert_eq!(said(output), [one("/a\nb", "echo x"), one("/c", "cat")]);
    }
}
