//! Which commands of a line run together, so that what one of them changes another may find
//! changed, whichever stands first.

use crate::span::Span;
use crate::syntax::tree::{
    Argument, Assignment, Command, Compound, Form, List, Piece, Pipeline, Redirection, Simple,
    Target,
};

/// The parts of a line whose commands run at once (pipelines), again and again (loops), or while
/// another one reads its words (substitutions). In the order of the line; none within another.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Units(Vec<Span>);

impl Units {
    /// Those of a line.
    pub(crate) fn of(tree: &List<'_>) -> Units {
        let mut units = Units::default();
        // What a here-document runs stands behind what may run after it.
        match any_in(tree, &has_running_text) {
            true => units.0.push(Span { start: 0, end: u32::MAX }),
            false => units.list(tree),
        }
        units
    }

    /// The part that this command is in, if it runs together with others, or again.
    pub(crate) fn of_command(&self, command: Span) -> Option<Span> {
        let has = |unit: &&Span| unit.start <= command.start && command.start < unit.end;
        self.0.iter().find(has).copied()
    }

    /// Adds what lies in a part of the line as one unit, if there is something.
    fn together(&mut self, part: impl FnOnce(&mut Extent)) {
        let mut extent = Extent(None);
        part(&mut extent);
        self.0.extend(extent.0);
    }

    fn list(&mut self, list: &List<'_>) {
        for pipeline in pipelines(list) {
            match &pipeline.stages[..] {
                [Command::Compound(compound)] => match &compound.form {
                    Form::Subshell(list) | Form::Braces(list) => self.list(list),
                    Form::If { arms, otherwise } => {
                        let arms = arms.iter().flat_map(|(condition, body)| [condition, body]);
                        arms.chain(otherwise).for_each(|list| self.list(list));
                    }
                    Form::Case { word, arms } => {
                        self.together(|extent| extent.argument(word));
                        arms.iter().for_each(|list| self.list(list));
                    }
                    Form::Loop { .. } | Form::For { .. } => {
                        self.together(|extent| extent.pipeline(pipeline));
                    }
                },
                [Command::Simple(simple)] if !runs_others(simple) => {}
                _ => self.together(|extent| extent.pipeline(pipeline)),
            }
        }
    }
}

/// From the first to the last byte of some commands.
struct Extent(Option<Span>);

impl Extent {
    fn add(&mut self, span: Span) {
        self.0 = Some(match self.0 {
            None => span,
            Some(known) => {
                Span { start: known.start.min(span.start), end: known.end.max(span.end) }
            }
        });
    }

    fn list(&mut self, list: &List<'_>) {
        pipelines(list).for_each(|pipeline| self.pipeline(pipeline));
    }

    fn pipeline(&mut self, pipeline: &Pipeline<'_>) {
        for stage in &pipeline.stages {
            match stage {
                Command::Simple(simple) => self.add(simple.span),
                Command::Assignments(all) => all.iter().for_each(|it| self.argument(&it.value)),
                Command::Compound(compound) => self.form(&compound.form),
            }
        }
    }

    fn form(&mut self, form: &Form<'_>) {
        match form {
            Form::Subshell(list) | Form::Braces(list) => self.list(list),
            Form::If { arms, otherwise } => {
                let arms = arms.iter().flat_map(|(condition, body)| [condition, body]);
                arms.chain(otherwise).for_each(|list| self.list(list));
            }
            Form::Loop { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
            Form::For { words, body, .. } => {
                words.iter().for_each(|word| self.argument(word));
                self.list(body);
            }
            Form::Case { word, arms } => {
                self.argument(word);
                arms.iter().for_each(|list| self.list(list));
            }
        }
    }

    /// An argument with a substitution: the commands in it are a part of it.
    fn argument(&mut self, argument: &Argument<'_>) {
        if argument.pieces.iter().any(is_substitution) {
            self.add(argument.span);
        }
    }
}

fn pipelines<'t, 'a>(list: &'t List<'a>) -> impl Iterator<Item = &'t Pipeline<'a>> {
    list.items.iter().flat_map(|item| {
        std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
    })
}

/// Do other commands run while it reads its words?
fn runs_others(simple: &Simple<'_>) -> bool {
    let has = |argument: &Argument<'_>| argument.pieces.iter().any(is_substitution);
    let assigned = |assignment: &Assignment<'_>| has(&assignment.value);
    simple.arguments.iter().any(has) || simple.assignments.iter().any(assigned)
}

/// Is there such a redirection anywhere in a list? What substitutions run has redirections of its
/// own.
fn any_in(list: &List<'_>, is: &dyn Fn(&Redirection<'_>) -> bool) -> bool {
    let in_words = |words: &[Argument<'_>]| {
        let mut pieces = words.iter().flat_map(|word| &word.pieces);
        pieces.any(|piece| match piece {
            Piece::Substitution { list, .. } => any_in(list, is),
            // It may still run when the command has ended that reads it.
            Piece::Output(_) => true,
            _ => false,
        })
    };
    let in_word = |word: &Argument<'_>| in_words(std::slice::from_ref(word));
    let assigned = |all: &[Assignment<'_>]| all.iter().any(|it| in_word(&it.value));
    pipelines(list).flat_map(|pipeline| &pipeline.stages).any(|stage| match stage {
        Command::Simple(Simple { assignments, arguments, redirections, .. }) => {
            redirections.iter().any(is) || in_words(arguments) || assigned(assignments)
        }
        Command::Assignments(all) => assigned(all),
        Command::Compound(Compound { form, redirections }) => {
            let inside = match form {
                Form::Subshell(list) | Form::Braces(list) => any_in(list, is),
                Form::If { arms, otherwise } => {
                    let arms = arms.iter().flat_map(|(condition, body)| [condition, body]);
                    arms.chain(otherwise).any(|list| any_in(list, is))
                }
                Form::Loop { condition, body, .. } => any_in(condition, is) || any_in(body, is),
                Form::For { words, body, .. } => in_words(words) || any_in(body, is),
                Form::Case { word, arms } => in_word(word) || arms.iter().any(|it| any_in(it, is)),
            };
            inside || redirections.iter().any(is)
        }
    })
}

/// Is it a here-document, or a here-string, with a substitution in it?
fn has_running_text(redirection: &Redirection<'_>) -> bool {
    match &redirection.target {
        Target::Document(text) | Target::Text(text) => text.pieces.iter().any(is_substitution),
        _ => false,
    }
}

fn is_substitution(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Substitution { .. } | Piece::Output(_))
}
