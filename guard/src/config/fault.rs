//! What cannot be read of a configuration, and where.

use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Something in a file that is not what it must be. Until it is mended every line asks: what cannot
/// be read may be a denial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    file: String,
    /// The line, from 1, its text, and the characters of it that are meant. Nothing if the whole
    /// file is.
    place: Option<(usize, String, Range<usize>)>,
    what: String,
}

impl Fault {
    /// A fault of a whole file. `what` is a sentence without a full stop.
    pub fn of(file: &Path, what: impl Into<String>) -> Fault {
        Fault { file: file.display().to_string(), place: None, what: what.into() }
    }

    /// A fault in these bytes of the text of a file.
    pub fn at(file: &Path, text: &str, bytes: Range<usize>, what: impl Into<String>) -> Fault {
        let whole = |at: usize| (0..=at.min(text.len())).rfind(|at| text.is_char_boundary(*at));
        let start = whole(bytes.start).unwrap_or(0);
        let end = whole(bytes.end).unwrap_or(start).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let column = text[line_start..start].chars().count();
        let width = text[start..end.min(line_end).max(start)].chars().count().max(1);
        let line = text[line_start..line_end].trim_end().to_owned();
        let place = Some((line_of(text, start), line, column..column + width));
        Fault { file: file.display().to_string(), place, what: what.into() }
    }

    /// In one line: `FILE:LINE: what is wrong`.
    pub fn line(&self) -> String {
        match &self.place {
            Some((line, ..)) => format!("{}:{line}: {}", self.file, self.what),
            None => format!("{}: {}", self.file, self.what),
        }
    }
}

/// The line, then the text that is meant with carets under it.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())?;
        if let Some((_, line, marked)) = &self.place {
            let shown = |c: char| if c.is_control() { ' ' } else { c };
            let line: String = line.chars().map(shown).collect();
            let (blanks, carets) = (" ".repeat(marked.start), "^".repeat(marked.len()));
            write!(f, "\n  {line}\n  {blanks}{carets}")?;
        }
        Ok(())
    }
}

/// The line, from 1, in which a byte stands.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    text.as_bytes()[..byte.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}
