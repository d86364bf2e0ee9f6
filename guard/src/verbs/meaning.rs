//! What a value or an operand is, and whether a word can be that.

use super::grammar::Meaning;
use super::uses::{Why, Word};
use super::{git, sed};
use crate::plan::Role;
use crate::protected::{is_secret_variable, selects_secrets};

/// What a word turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken<'a> {
    /// Something that names nothing.
    Text,
    /// Standard input.
    Stdin,
    /// A path.
    Path(&'a [u8], Role),
    /// Text that may be a path, or hold one.
    Free(&'a [u8]),
    /// A path that is written, in the way that its meaning says.
    Written(&'a [u8]),
}

impl Meaning {
    /// Takes a word for this.
    pub(super) fn take<'w>(&self, word: Word<'w>) -> Result<Taken<'w>, Why> {
        match (self, word) {
            (Meaning::Text | Meaning::Run | Meaning::RunBin, _) => Ok(Taken::Text),
            (Meaning::Begins(start), _) if word.known().starts_with(start.as_bytes()) => {
                Ok(Taken::Text)
            }
            (Meaning::Number, Word::Integer) => Ok(Taken::Text),
            (
                Meaning::Path { .. }
                | Meaning::Command
                | Meaning::Config
                | Meaning::Free
                | Meaning::Pathspec(_),
                Word::Begins(_) | Word::Counts(_) | Word::Integer,
            ) => Err(Why::UnknownPath),
            (_, word) if word.whole().is_none() && self.is_written() => Err(Why::UnknownPath),
            // Few digits: a count of processors, of lines.
            (Meaning::Number, Word::Counts(start)) if start.is_empty() || is_decimal(start) => {
                Ok(Taken::Text)
            }
            (_, Word::Begins(_) | Word::Counts(_) | Word::Integer) => Err(Why::Unknown),
            (_, Word::Is(text)) => self.take_text(text),
        }
    }

    /// Is it a place that is written?
    fn is_written(&self) -> bool {
        use Meaning::{Into, Make, Referent, Remove, Rewrite, Write};
        matches!(self, Write | Rewrite | Make | Into | Remove | Referent)
    }

    fn take_text<'w>(&self, text: &'w [u8]) -> Result<Taken<'w>, Why> {
        let is = |word: &str, it: &[u8]| word.as_bytes() == it;
        let good = match self {
            Meaning::Path { dash: true, .. } if text == b"-" => return Ok(Taken::Stdin),
            Meaning::Path { role, .. } => return Ok(Taken::Path(text, *role)),
            Meaning::Command if text.contains(&b'/') => return Ok(Taken::Path(text, Role::Test)),
            Meaning::Free => return Ok(Taken::Free(text)),
            _ if self.is_written() => return Ok(Taken::Written(text)),
            // A Makefile may hand it to a shell.
            Meaning::Goal if !text.iter().any(|it| SPECIAL.contains(it)) && !installs(text) => {
                return Ok(Taken::Free(text));
            }
            Meaning::Config if text != b"-" && !text.iter().any(|byte| b"{=".contains(byte)) => {
                return Ok(Taken::Path(text, Role::Read));
            }
            Meaning::Report => return Ok(behind(text, first_colon(text), Role::Build)),
            Meaning::Goal | Meaning::Config | Meaning::Begins(_) => false,
            Meaning::Text | Meaning::Command | Meaning::Run | Meaning::RunBin => true,
            Meaning::Write | Meaning::Rewrite | Meaning::Make | Meaning::Into => false,
            Meaning::Remove | Meaning::Referent => false,
            Meaning::Number => is_decimal(text),
            Meaning::Name => is_name(text),
            Meaning::Variable if is_name(text) && is_secret_variable(text) => {
                return Err(Why::Secret);
            }
            Meaning::Variable => is_name(text) && !text[0].is_ascii_digit(),
            Meaning::Selection if selects_secrets(text) => return Err(Why::Secret),
            Meaning::Selection => true,
            Meaning::SedScript => sed::only_prints(text),
            Meaning::Suffix => is_suffix(text),
            Meaning::StatFormat => !asks_for_mount(text),
            Meaning::GitFormat => git::words::runs_nothing(text),
            Meaning::Revision | Meaning::LineRange | Meaning::Pathspec(_)
                if git::words::names_secret(text) =>
            {
                return Err(Why::Secret);
            }
            Meaning::LineRange => return Ok(behind(text, last_colon(text), Role::Test)),
            Meaning::Revision => true,
            Meaning::Pathspec(_) if git::words::leads_up_from_top(text) => false,
            // Without a pattern it is a path, and the path is looked at.
            Meaning::Pathspec(Role::Read)
                if text.iter().any(|byte| b"*?[".contains(byte))
                    && selects_secrets(git::words::path(text)) =>
            {
                return Err(Why::Secret);
            }
            Meaning::Pathspec(role) => return Ok(Taken::Path(git::words::path(text), *role)),
            Meaning::OneOf(words) => words.iter().any(|word| is(word, text)),
            Meaning::ListOf(words) => text.split(|byte| *byte == b',').all(|item| {
                let item = item.strip_suffix(b"=").unwrap_or(item);
                words.iter().any(|word| is(word, item))
            }),
            Meaning::Except(words) | Meaning::Script(words) => {
                let plain = !text.iter().any(|byte| b"./~".contains(byte)) && !text.is_empty();
                plain && !text.starts_with(b"-") && !words.iter().any(|word| is(word, text))
            }
            Meaning::LastOf(words) => {
                let last = text.rsplit(|byte| *byte == b':').next().unwrap_or_default();
                !text.starts_with(b"-") && words.iter().any(|word| is(word, last))
            }
            Meaning::Without(part) => !text.windows(part.len()).any(|it| is(part, it)),
            Meaning::Chars(set) => {
                text.iter().all(|byte| set.as_bytes().contains(byte)) && !text.starts_with(b"-")
            }
        };
        if good { Ok(Taken::Text) } else { Err(Why::Value) }
    }
}

fn first_colon(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| *byte == b':')
}

fn last_colon(text: &[u8]) -> Option<usize> {
    text.iter().rposition(|byte| *byte == b':')
}

/// The path behind a colon, if there is one.
fn behind(text: &[u8], colon: Option<usize>, role: Role) -> Taken<'_> {
    colon.map_or(Taken::Text, |colon| Taken::Path(&text[colon + 1..], role))
}

/// Has a format of `stat` a `%m`, perhaps with flags and a width?
fn asks_for_mount(format: &[u8]) -> bool {
    format
        .split(|byte| *byte == b'%')
        .skip(1)
        .any(|part| part.iter().find(|byte| !b"-+ #'0123456789.IHL".contains(byte)) == Some(&b'm'))
}

/// Decimal digits, perhaps behind a minus: few enough that no shell takes them for anything else.
pub(super) fn is_decimal(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

/// What no goal holds: an assignment, and what a shell takes for more than text.
const SPECIAL: &[u8] = b"=;|&$`()<>\"'\\ \t\n*?[]{}";

/// Is it a goal that by convention, and in what is generated, writes to the system?
fn installs(goal: &[u8]) -> bool {
    let name = goal.strip_prefix(b"un").unwrap_or(goal);
    let rest = name.strip_prefix(b"install");
    rest.is_some_and(|rest| rest.first().is_none_or(|byte| b"-/".contains(byte)))
}

/// Is it an end of a name, and no more? `*` stands for the name, and `/` leads elsewhere.
fn is_suffix(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._~-".contains(byte))
}

fn is_name(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
