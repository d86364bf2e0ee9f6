//! `NAME=VALUE` before a command, and as one.

use super::names::{Assignable, assignable};
use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{Assignment, Piece};
use super::word::Holds;
use crate::span::Span;

impl<'a> Recogniser<'a> {
    /// The assignments that stand here. `NAME+=`, `NAME[…]=` and `NAME=(…)` are not among them.
    pub(super) fn assignments(&mut self) -> Result<Vec<Assignment<'a>>> {
        let mut assignments = Vec::new();
        while let Some(length) = self.assigned_name() {
            let start = self.at;
            let name = self.slice(start, start + length);
            self.at += length + 1;
            let value = self.argument(Holds::Assigned)?;
            let span = Span::new(start, self.at);
            assignments.push(Assignment { span, name, value });
            self.blanks()?;
        }
        Ok(assignments)
    }

    /// Stops at an assignment to a parameter that is the shell's own: it would change how the rest
    /// is read or run, or be computed.
    pub(super) fn no_special(
        &self,
        assignments: &[Assignment<'_>],
        before_command: bool,
        before_read: bool,
    ) -> Result<()> {
        for Assignment { span, name, value } in assignments {
            let harmless = match assignable(name) {
                Assignable::Anywhere => true,
                Assignable::BeforeCommand => before_command,
                Assignable::DecimalBeforeCommand => before_command && is_decimal(&value.pieces),
                // `read` takes its line apart at other bytes then, and nobody else does.
                Assignable::Nowhere => before_read && *name == b"IFS" && is_literal(&value.pieces),
            };
            if !harmless {
                let start = span.start as usize;
                let named = Span::new(start, start + name.len());
                return self.refuse_at(Construct::Assignment, named);
            }
        }
        Ok(())
    }

    /// The length of the name, if an assignment stands here.
    fn assigned_name(&self) -> Option<usize> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let length = (0..).take_while(|ahead| is_name(self.peek(*ahead))).count();
        let starts = length > 0 && !self.peek(0).is_ascii_digit();
        (starts && self.peek(length) == b'=').then_some(length)
    }
}

fn is_literal(pieces: &[Piece<'_>]) -> bool {
    matches!(pieces, [] | [Piece::Text(_)])
}

fn is_decimal(pieces: &[Piece<'_>]) -> bool {
    matches!(pieces, [Piece::Text(text)] if text.len() < 6 && text.iter().all(u8::is_ascii_digit))
}
