//! What rules open in a line, and what that does to the rest of it.

use super::Rule;
use crate::plan::Segment;
use crate::span::Span;
use crate::verdict::{Code, Reason};

/// What rules open in a line.
#[derive(Default)]
pub(crate) struct Opened {
    /// The rules that open something, each once.
    pub(crate) rules: Vec<Rule>,
    /// Where a command stands that puts links or other files where what comes after it may look.
    moved: Option<Span>,
}

impl Opened {
    /// In a loop, what comes before such a command comes behind it as well. A loop ends with
    /// `done`.
    pub(crate) fn in_a_loop(&self, line: &[u8]) -> Option<Reason> {
        let span = self.moved.filter(|_| line.windows(4).any(|part| part == b"done"))?;
        let note = "a loop holds a command, which only a rule opens, that puts other files here";
        Some(Reason { code: Code::PathUnresolved, span, note: note.to_owned() })
    }

    /// Adds the rules of a step, and what stands against it because of those before it.
    pub(crate) fn step(
        &mut self,
        segments: &[Segment],
        rules: Vec<Rule>,
        moves_names: bool,
        objections: &mut Vec<Reason>,
    ) {
        let mut named = segments.iter().flat_map(|it| &it.paths).filter(|it| !it.text.is_empty());
        if let Some(used) = self.moved.and_then(|_| named.next()) {
            let note = "a command before it, which only a rule opens, may have put something else \
                        here";
            let (code, span) = (Code::PathUnresolved, used.span);
            crate::verdict::object(objections, Reason { code, span, note: note.to_owned() });
        }
        if moves_names && self.moved.is_none() {
            self.moved = segments.first().map(|it| it.span);
        }
        for rule in rules {
            if !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
    }
}
