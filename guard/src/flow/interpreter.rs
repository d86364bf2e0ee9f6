//! The abstract interpreter: states through lists, pipelines and compound commands.

use super::cd::Surroundings;
use super::pending::Pending;
use super::states::States;
use super::step::Step;
use super::words::{Value, Words};
use crate::semantics::{LastStage, Or, Semantics, Subshells, Substitutions};
use crate::syntax::tree::{
    AndOr, Argument, Command, Compound, Connector, Form, List, Piece, Pipeline,
};
use crate::syntax::{Construct, NotUnderstood};
use crate::verdict::Reason;

/// What following a line has found.
#[derive(Debug)]
pub struct Followed<'a> {
    /// Its simple commands, in the order of the line. What cannot be reached is among them, with no
    /// place: a policy may still object to it.
    pub steps: Vec<Step<'a>>,
    /// What stands against what is no simple command.
    pub objections: Vec<Reason>,
    /// A place from which on it is not known what runs.
    pub stop: Option<NotUnderstood>,
}

/// Follows a tree from the places in `entry`.
pub fn follow<'a>(
    tree: &'a List<'a>,
    entry: States,
    around: &Surroundings<'a>,
    semantics: &Semantics,
) -> Followed<'a> {
    let words = Words::new(around.glance, around.home, around.shells, around.room);
    let followed = follow_with(words, tree, entry.clone(), around, semantics);
    // A file that the line makes is a name that a pattern matches: `ls >f; cat *`. That can be
    // before or behind it, in a loop or a background job.
    match !around.sees_changes && followed.steps.iter().any(Step::makes_a_file) {
        true => follow_with(words.with_new_names(), tree, entry, around, semantics),
        false => followed,
    }
}

fn follow_with<'a>(
    words: Words<'a>,
    tree: &'a List<'a>,
    entry: States,
    around: &Surroundings<'a>,
    semantics: &Semantics,
) -> Followed<'a> {
    around.room.clear();
    let mut flow = Flow {
        around,
        semantics,
        words,
        pending: Pending::default(),
        descriptors_sure: true,
        in_background: false,
        input: None,
        lines: None,
        line: None,
        fed: false,
        loops: Vec::new(),
        visits: 0,
        steps: Vec::with_capacity(4),
        objections: Vec::new(),
        stop: None,
    };
    flow.list(tree, entry);
    let stop = flow.stop.or_else(|| flow.pending.left());
    Followed { steps: flow.steps, objections: flow.objections, stop }
}

/// The states after a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) success: States,
    pub(super) failure: States,
}

impl Outcome {
    /// The same states, whatever the exit status.
    pub(super) fn either(states: States) -> Outcome {
        Outcome { success: states.clone(), failure: states }
    }

    fn any(self) -> States {
        let mut states = self.success;
        states.join(self.failure);
        states
    }

    fn join(&mut self, other: Outcome) {
        self.success.join(other.success);
        self.failure.join(other.failure);
    }
}

pub(super) struct Flow<'a, 'r> {
    pub(super) around: &'r Surroundings<'a>,
    pub(super) semantics: &'r Semantics,
    pub(super) words: Words<'a>,
    pub(super) pending: Pending<'a>,
    /// Are descriptors 0, 1 and 2 open for certain?
    pub(super) descriptors_sure: bool,
    pub(super) in_background: bool,
    /// The step whose output the next command reads.
    pub(super) input: Option<usize>,
    /// What each line is that comes into the loop which is followed next, if that is known.
    pub(super) lines: Option<Value>,
    /// The same, for the `read` that is the condition of a loop.
    pub(super) line: Option<Value>,
    /// Is this in the body of a loop that reads lines which are known? Whoever else reads there
    /// what comes in may leave a part of one.
    pub(super) fed: bool,
    /// The loops around, innermost last.
    pub(super) loops: Vec<Loop>,
    /// How many simple commands were followed, those of repeated passes included.
    pub(super) visits: usize,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) objections: Vec<Reason>,
    pub(super) stop: Option<NotUnderstood>,
}

/// A loop that is being followed.
pub(super) struct Loop {
    /// Where it was left by `break`, or gone round by `continue`.
    pub(super) left: States,
    /// Does `break` certainly leave it from here? Not from a copy of the shell.
    pub(super) direct: bool,
}

/// How many simple commands are followed before loops are no longer looked at twice. Passes over
/// loops within loops multiply.
const VISITS_MAX: usize = 20_000;

/// How often a loop is followed for its states to settle before they are given up.
const PASSES_MAX: usize = 3;

impl<'a> Flow<'a, '_> {
    pub(super) fn list(&mut self, list: &'a List<'a>, entry: States) -> Outcome {
        let mut outcome = Outcome::either(entry);
        for item in &list.items {
            let entry = outcome.any();
            outcome = match item.background {
                true => self.background(item, entry),
                false => self.and_or(item, &entry, None),
            };
        }
        outcome
    }

    /// A job of its own, in a copy of the shell. That it was started is a success. But zsh starts
    /// only the last pipeline of an and-or list so: the others run in the shell itself, and if they
    /// end the list, its status is theirs.
    fn background(&mut self, and_or: &'a AndOr<'a>, entry: States) -> Outcome {
        let around = std::mem::replace(&mut self.in_background, true);
        let mut before_last = entry.clone();
        self.copy(|flow| flow.and_or(and_or, &entry, Some(&mut before_last)));
        self.in_background = around;
        match self.around.shells.zsh && !and_or.rest.is_empty() {
            true => Outcome::either(before_last),
            false => Outcome { success: entry, failure: States::none() },
        }
    }

    /// Follows what runs in a copy of the shell, from which no loop of the shell is left.
    fn copy(&mut self, follow: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let direct = self.loops.last_mut().map(|it| std::mem::take(&mut it.direct));
        let outcome = follow(self);
        if let (Some(it), Some(direct)) = (self.loops.last_mut(), direct) {
            it.direct = direct;
        }
        outcome
    }

    /// Adds to `before_last` where the shell may be before the last pipeline, if that matters.
    fn and_or(
        &mut self,
        and_or: &'a AndOr<'a>,
        entry: &States,
        mut before_last: Option<&mut States>,
    ) -> Outcome {
        let mut before = self.part(&and_or.first, entry.clone(), entry);
        for (connector, pipeline) in &and_or.rest {
            if let Some(states) = &mut before_last {
                states.join(before.clone().any());
            }
            let Outcome { success, failure } = before;
            before = match connector {
                Connector::And => {
                    let mut after = self.part(pipeline, success, entry);
                    after.failure.join(failure);
                    after
                }
                Connector::Or => {
                    let (runs, skipped) = match self.semantics.or {
                        Or::RunsAfterFailure => (failure, States::none()),
                        Or::NeverRuns => (States::none(), failure),
                    };
                    let mut after = self.part(pipeline, runs, entry);
                    after.success.join(success);
                    after.failure.join(skipped);
                    after
                }
            };
        }
        before
    }

    /// A pipeline of an and-or list that starts in `start`. Where `&>` is no redirection, it makes
    /// a job of everything from there on, and the list goes on after a success.
    fn part(&mut self, pipeline: &'a Pipeline<'a>, entry: States, start: &States) -> Outcome {
        let mut outcome = self.pipeline(pipeline, entry);
        if pipeline.silenced && self.around.shells.sh {
            outcome.success.join(start.clone());
        }
        outcome
    }

    /// The stages run in copies of the shell, except that zsh, and bash with `lastpipe`, run the
    /// last one themselves: what it does to the state may or may not stay.
    fn pipeline(&mut self, pipeline: &'a Pipeline<'a>, entry: States) -> Outcome {
        let [stages @ .., last] = &pipeline.stages[..] else { return Outcome::either(entry) };
        let fed_outside = self.fed;
        for (at, stage) in stages.iter().enumerate() {
            self.lines = self.lines_into(stage, &stages[..at], &entry);
            self.copy(|flow| flow.command(stage, entry.clone()));
            let single = matches!(stage, Command::Simple(_));
            self.input = if single { self.steps.len().checked_sub(1) } else { None };
            // What comes in now comes from here.
            self.fed = false;
        }
        self.lines = self.lines_into(last, stages, &entry);
        let mut outcome = match stages {
            [] => self.command(last, entry.clone()),
            _ => self.copy(|flow| flow.command(last, entry.clone())),
        };
        self.input = None;
        self.lines = None;
        self.fed = fed_outside;
        if !stages.is_empty() {
            match self.semantics.last_stage {
                LastStage::Either => outcome.join(Outcome::either(entry)),
                LastStage::Copy => outcome = Outcome::either(entry),
            }
        }
        match pipeline.negated {
            true => Outcome { success: outcome.failure, failure: outcome.success },
            false => outcome,
        }
    }

    /// What each line is that comes into this stage, if it is a loop, from those before.
    fn lines_into(
        &self,
        stage: &Command<'a>,
        before: &[Command<'a>],
        entry: &States,
    ) -> Option<Value> {
        match stage {
            Command::Compound(Compound { form: Form::Loop { .. }, redirections })
                if redirections.iter().all(|it| it.descriptor != 0) && !before.is_empty() =>
            {
                self.words.lines(before, entry)
            }
            _ => None,
        }
    }

    fn command(&mut self, command: &'a Command<'a>, entry: States) -> Outcome {
        match command {
            Command::Simple(simple) => self.simple(simple, entry),
            Command::Compound(compound) => self.compound(compound, entry),
            Command::Assignments(assignments) => self.assignments(assignments, entry),
        }
    }

    fn compound(&mut self, compound: &'a Compound<'a>, entry: States) -> Outcome {
        let sure_outside = self.descriptors_sure;
        if compound.redirections.iter().any(|it| it.descriptor == 0) {
            self.input = None;
        }
        self.here_texts(&compound.redirections, &entry);
        let may_fail = self.redirect(&compound.redirections);
        let opened = self.opened(&compound.redirections, &entry);
        self.pending.opened.extend(opened);
        let before = compound.redirections.iter().map(|it| (it, entry.clone()));
        self.pending.redirections.extend(before);
        let mut outcome = self.form(&compound.form, entry.clone());
        self.descriptors_sure = sure_outside;
        if may_fail {
            outcome.failure.join(entry);
        }
        outcome
    }

    fn form(&mut self, form: &'a Form<'a>, entry: States) -> Outcome {
        match form {
            Form::Subshell(body) => {
                let inside = self.copy(|flow| flow.list(body, entry.clone()));
                match self.semantics.subshells {
                    Subshells::Copies => Outcome::either(entry),
                    Subshells::TheShell => inside,
                }
            }
            Form::Braces(body) => self.list(body, entry),
            Form::If { arms, otherwise } => self.choice(arms, otherwise.as_ref(), entry),
            Form::Loop { until, condition, body } => {
                let line = self.lines.take().filter(|_| !until && reads_a_line(condition));
                let fed_outside = self.fed;
                let outcome = self.settle(entry, |flow, entry| {
                    flow.fed = fed_outside;
                    flow.line.clone_from(&line);
                    let tested = flow.copy(|flow| flow.list(condition, entry));
                    let (goes_on, ends) = match until {
                        true => (tested.failure, tested.success),
                        false => (tested.success, tested.failure),
                    };
                    flow.fed |= line.is_some();
                    (flow.list(body, goes_on).any(), ends)
                });
                self.fed = fed_outside;
                outcome
            }
            Form::For { name, words, body } => {
                self.substitutions(words, &entry);
                self.no_inherited(&name.text, name.span);
                self.no_copy_of_secrets(words, &entry);
                let values = self.words.items(words, &entry, &mut self.pending.looks);
                self.settle(entry, |flow, entry| {
                    let mut inside = entry.clone();
                    inside.assign(&name.text, values.clone());
                    (flow.list(body, inside).any(), entry)
                })
            }
            Form::Case { word, arms } => {
                self.substitutions(std::slice::from_ref(word), &entry);
                // No arm at all: that is a success.
                let mut outcome = Outcome { success: entry.clone(), failure: States::none() };
                for arm in arms {
                    let after = self.list(arm, entry.clone());
                    outcome.join(after);
                }
                outcome
            }
        }
    }

    fn choice(
        &mut self,
        arms: &'a [(List<'a>, List<'a>)],
        otherwise: Option<&'a List<'a>>,
        entry: States,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let mut untested = entry;
        for (condition, body) in arms {
            let tested = self.list(condition, untested);
            outcome.join(self.list(body, tested.success));
            untested = tested.failure;
        }
        match otherwise {
            Some(body) => outcome.join(self.list(body, untested)),
            // Nothing ran: that is a success.
            None => outcome.success.join(untested),
        }
        outcome
    }

    /// Follows a loop until the states at its start no longer grow. One pass gives the states from
    /// which it may go round again, and those in which it may end.
    fn settle(
        &mut self,
        entry: States,
        mut pass: impl FnMut(&mut Self, States) -> (States, States),
    ) -> Outcome {
        let (mark, objections) = (self.steps.len(), self.objections.len());
        let pending = self.pending.clone();
        let mut start = entry;
        let mut before = start.clone();
        for round in 0.. {
            // What counts has no end.
            let counts = |start: &mut States| round < PASSES_MAX * 2 && start.widen(&before);
            if self.visits > VISITS_MAX || (round >= PASSES_MAX && !counts(&mut start)) {
                start.forget();
            }
            before.clone_from(&start);
            self.steps.truncate(mark);
            self.objections.truncate(objections);
            self.pending.clone_from(&pending);
            self.loops.push(Loop { left: States::none(), direct: true });
            let (mut again, ended) = pass(self, start.clone());
            let left = self.loops.pop().map_or_else(States::none, |it| it.left);
            again.join(left);
            let mut grown = start.clone();
            grown.join(again.clone());
            if grown == start {
                let mut after = ended;
                after.join(again);
                return Outcome::either(after);
            }
            start = grown;
        }
        unreachable!("states that are given up do not grow")
    }

    /// Follows what command substitutions in these words run: in copies of the shell. What
    /// arithmetic computes must be numbers.
    pub(super) fn substitutions(&mut self, arguments: &'a [Argument<'a>], entry: &States) {
        self.no_unknown_home(arguments, entry);
        for argument in arguments.iter().filter(|_| !entry.is_none() && self.stop.is_none()) {
            let harmless = |piece: &Piece<'a>| match piece {
                Piece::Arithmetic(it) => self.words.arithmetic(it, entry).is_some(),
                _ => true,
            };
            if !argument.pieces.iter().all(harmless) {
                let (construct, span) = (Construct::ArithmeticValue, argument.span);
                self.stop = Some(NotUnderstood { construct, span });
                return;
            }
        }
        let run = self.semantics.substitutions == Substitutions::Run;
        for piece in arguments.iter().flat_map(|argument| &argument.pieces).filter(|_| run) {
            if let Piece::Substitution { list, .. } | Piece::Output(list) = piece {
                self.copy(|flow| flow.list(list, entry.clone()));
            }
        }
    }
}

/// Is it one `read` of one variable, and nothing else? Without separators, or with the usual ones,
/// that gets all of a line.
fn reads_a_line(condition: &List<'_>) -> bool {
    let [AndOr { first, rest, background: false }] = &condition.items[..] else { return false };
    let [Command::Simple(simple)] = &first.stages[..] else { return false };
    let is_raw = |it: &Argument<'_>| it.literal().is_some_and(|text| **text == *b"-r");
    let names = simple.arguments.iter().filter(|it| !is_raw(it)).count();
    let whole = simple.assignments.iter().all(|it| it.name == b"IFS" && it.value.pieces.is_empty());
    let plain = rest.is_empty() && !first.negated && simple.redirections.is_empty();
    plain && *simple.name.text == *b"read" && simple.prefix.is_none() && names == 1 && whole
}
