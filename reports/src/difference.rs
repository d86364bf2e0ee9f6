//! What a guard said a line would do against what each shell did, as a difference.

use crate::visible::visible;
use crate::{Recorded, Steps};
use similar::{ChangeTag, TextDiff};
use std::cmp::Reverse;

/// As many steps of each list as are compared, and as many characters of one: a person reads no
/// more, and comparing takes time that grows with the square.
const STEPS: usize = 60;
const CHARACTERS: usize = 300;

/// The difference that one shell showed, or several alike.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) shells: Vec<String>,
    pub(crate) steps: Vec<Step>,
    /// Steps that are not shown.
    pub(crate) left_out: usize,
}

/// A step of the plan, of what was done, or of both.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// `-` for what was only planned, `+` for what was only done, and a blank for both.
    pub(crate) sign: char,
    /// Visible text in pieces: does this one make the difference?
    pub(crate) pieces: Vec<(bool, String)>,
}

impl Step {
    /// The sign and the text.
    pub(crate) fn text(&self) -> String {
        let pieces = self.pieces.iter().map(|(_, text)| text.as_str());
        std::iter::once(self.sign.to_string().as_str()).chain([" "]).chain(pieces).collect()
    }
}

/// Shells that did the same stand together, and what most of them did comes first.
pub(crate) fn differences(recorded: &Recorded) -> Vec<Difference> {
    let mut alike: Vec<(Vec<&str>, &Steps)> = Vec::new();
    for (shell, steps) in &recorded.steps {
        match alike.iter_mut().find(|(_, known)| *known == steps) {
            Some((shells, _)) => shells.push(shell),
            None => alike.push((vec![shell], steps)),
        }
    }
    alike.sort_by_key(|(shells, _)| Reverse(shells.len()));
    alike.into_iter().map(|(shells, steps)| difference(&shells, steps)).collect()
}

fn difference(shells: &[&str], steps: &Steps) -> Difference {
    let shown = |all: &[shfence_corpus::Text]| -> Vec<String> {
        let cut = |text: String| match text.char_indices().nth(CHARACTERS) {
            Some((end, _)) => text[..end].to_owned() + "…",
            None => text,
        };
        all.iter().take(STEPS).map(|step| cut(visible(step))).collect()
    };
    let (planned, done) = (shown(&steps.planned), shown(&steps.done));
    let [old, new] =
        [&planned, &done].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&old, &new);
    // Without a deadline: the same evidence always gives the same page.
    let changes = diff.ops().iter().flat_map(|it| diff.iter_inline_changes_deadline(it, None));
    let step = |change: similar::InlineChange<'_, str>| Step {
        sign: match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        },
        pieces: pieces(change.values()),
    };
    let over = |all: &[_]| all.len().saturating_sub(STEPS);
    Difference {
        shells: shells.iter().map(|it| visible(it.as_bytes())).collect(),
        steps: changes.map(step).collect(),
        left_out: over(&steps.planned) + over(&steps.done),
    }
}

/// Of a step that is another one altogether, no word is marked.
fn pieces(values: &[(bool, &str)]) -> Vec<(bool, String)> {
    let all = values.iter().all(|(differs, text)| *differs || text.trim().is_empty());
    values.iter().map(|(differs, text)| (*differs && !all, (*text).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(planned: &[&str], done: &[&str]) -> Vec<String> {
        let texts = |all: &[&str]| all.iter().map(|it| (*it).into()).collect();
        let steps = Steps { planned: texts(planned), done: texts(done) };
        difference(&[], &steps).steps.iter().map(Step::text).collect()
    }

    #[test]
    fn what_is_planned_and_done_is_said_once() {
        let planned = ["enter /p/a", "run cat x   in /p/a", "read /p/a/x"];
        let done = ["enter /p/a", "run cat x   in /p", "read /p/a/x"];
        let expected =
            ["  enter /p/a", "- run cat x   in /p/a", "+ run cat x   in /p", "  read /p/a/x"];
        assert_eq!(of(&planned, &done), expected);
        assert_eq!(of(&[], &[]), [""; 0]);
    }

    #[test]
    fn the_words_that_differ_are_marked_and_no_others() {
        let texts = |step: &str| vec![step.into()];
        let steps = Steps { planned: texts("run cat x   in a"), done: texts("run cat x   in b") };
        let step = &difference(&[], &steps).steps[1];
        let marked: Vec<&str> =
            step.pieces.iter().filter(|it| it.0).map(|(_, text)| text.as_str()).collect();
        assert_eq!((step.sign, marked), ('+', vec!["b"]));
    }

    #[test]
    fn of_another_step_altogether_nothing_is_marked() {
        let texts = |steps: &[&str]| steps.iter().map(|it| (*it).into()).collect();
        let steps = Steps {
            planned: texts(&["enter /p/nosuch", "enter /p/a"]),
            done: texts(&["test /p", "enter /p"]),
        };
        let all = difference(&[], &steps).steps;
        let marked = |step: &Step| step.pieces.iter().any(|(differs, _)| *differs);
        assert_eq!(all.iter().map(marked).collect::<Vec<_>>(), [false, true, false, true]);
    }

    #[test]
    fn long_lists_and_steps_are_cut_and_it_is_said() {
        let many: Vec<_> = (0..100).map(|at| format!("read {at}").into()).collect();
        let steps = Steps { planned: many, done: vec!["x".repeat(1_000).into()] };
        let difference = difference(&[], &steps);
        assert_eq!((difference.steps.len(), difference.left_out), (STEPS + 1, 40));
        assert!(difference.steps.iter().all(|it| it.text().chars().count() <= CHARACTERS + 3));
    }

    #[test]
    fn no_text_is_obeyed_or_breaks_a_line() {
        assert_eq!(of(&["read \x1b[2J\n+ x"], &[]), ["- read ␛[2J↵+ x"]);
    }
}
