//! The abstract interpreter: states through lists, pipelines and groups.

use super::cd::{CdTargets, Surroundings};
use super::states::{Place, States};
use super::words::Variables;
use crate::path::Physical;
use crate::plan::PlanWord;
use crate::semantics::{Cd, Semantics};
use crate::syntax::tree::{
    AndOr, Argument, Command, Compound, Connector, Form, List, Piece, Pipeline, Redirection,
    Simple, Target,
};

/// One simple command, with where it may start.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The command.
    pub simple: &'a Simple,
    /// What is known of its words, the name first.
    pub words: Vec<PlanWord>,
    /// Where it may start.
    pub states: States,
    /// Redirections of groups that begin with this command, each with where the shell may be when
    /// it makes them: before the group, not before the command.
    pub of_groups: Vec<(&'a Redirection, States)>,
    /// For a `cd`: what it tries and looks at, from all of those places together.
    pub cd: Option<CdTargets>,
}

/// Follows a tree from the places in `entry` and returns its simple commands in the order of the
/// line. What cannot be reached is in it too, with no place: a policy may still object to it.
pub fn follow<'a>(
    tree: &'a List,
    entry: States,
    around: &Surroundings<'a>,
    semantics: &Semantics,
) -> Vec<Step<'a>> {
    let mut flow = Flow {
        around,
        semantics,
        of_groups: Vec::new(),
        descriptors_sure: true,
        variables: Variables::new(around.home),
        visits: 0,
        steps: Vec::new(),
    };
    flow.list(tree, entry);
    flow.steps
}

/// The states after a command.
#[derive(Clone, Debug, Default)]
struct Outcome {
    success: States,
    failure: States,
}

impl Outcome {
    /// The same states, whatever the exit status.
    fn either(states: States) -> Outcome {
        Outcome { success: states.clone(), failure: states }
    }

    fn any(self) -> States {
        let mut states = self.success;
        states.join(self.failure);
        states
    }
}

struct Flow<'a, 'r> {
    around: &'r Surroundings<'a>,
    semantics: &'r Semantics,
    /// Redirections of groups that no command has followed yet.
    of_groups: Vec<(&'a Redirection, States)>,
    /// Are descriptors 0, 1 and 2 open for certain?
    descriptors_sure: bool,
    variables: Variables<'a>,
    /// How many simple commands were followed, those of repeated passes included.
    visits: usize,
    steps: Vec<Step<'a>>,
}

/// How many simple commands are followed before loops are no longer looked at twice. Passes over
/// loops within loops multiply.
const VISITS_MAX: usize = 20_000;

/// How often a loop is followed for its states to settle before they are given up.
const PASSES_MAX: usize = 3;

impl<'a> Flow<'a, '_> {
    fn list(&mut self, list: &'a List, entry: States) -> Outcome {
        let mut outcome = Outcome::either(entry);
        for item in &list.items {
            outcome = self.and_or(item, outcome.any());
        }
        outcome
    }

    fn and_or(&mut self, and_or: &'a AndOr, entry: States) -> Outcome {
        let mut before = self.pipeline(&and_or.first, entry);
        for (connector, pipeline) in &and_or.rest {
            let Outcome { success, failure } = before;
            before = match connector {
                Connector::And => {
                    let mut after = self.pipeline(pipeline, success);
                    after.failure.join(failure);
                    after
                }
                Connector::Or => {
                    let mut after = self.pipeline(pipeline, failure);
                    after.success.join(success);
                    after
                }
            };
        }
        before
    }

    /// The stages run in copies of the shell, except that zsh, and bash with `lastpipe`, run the
    /// last one themselves: what it does to the state may or may not stay.
    fn pipeline(&mut self, pipeline: &'a Pipeline, entry: States) -> Outcome {
        let [stages @ .., last] = &pipeline.stages[..] else { return Outcome::either(entry) };
        for stage in stages {
            self.command(stage, entry.clone());
        }
        let mut outcome = self.command(last, entry.clone());
        if !stages.is_empty() {
            outcome.success.join(entry.clone());
            outcome.failure.join(entry);
        }
        match pipeline.negated {
            true => Outcome { success: outcome.failure, failure: outcome.success },
            false => outcome,
        }
    }

    fn command(&mut self, command: &'a Command, entry: States) -> Outcome {
        match command {
            Command::Simple(simple) => self.simple(simple, entry),
            Command::Compound(compound) => self.compound(compound, entry),
        }
    }

    fn compound(&mut self, compound: &'a Compound, entry: States) -> Outcome {
        let sure_outside = self.descriptors_sure;
        let may_fail = self.redirect(&compound.redirections);
        let before = compound.redirections.iter().map(|it| (it, entry.clone()));
        self.of_groups.extend(before);
        let mut outcome = match &compound.form {
            Form::Subshell(body) => {
                self.list(body, entry.clone());
                Outcome::either(entry.clone())
            }
            Form::Braces(body) => self.list(body, entry.clone()),
            Form::If { arms, otherwise } => self.choice(arms, otherwise.as_ref(), entry.clone()),
            Form::Loop { until, condition, body } => self.settle(entry.clone(), |flow, entry| {
                let tested = flow.list(condition, entry);
                let (goes_on, ends) = match until {
                    true => (tested.failure, tested.success),
                    false => (tested.success, tested.failure),
                };
                (flow.list(body, goes_on).any(), ends)
            }),
            Form::For { name, words, body } => {
                self.substitutions(words, &entry);
                let words: Vec<PlanWord> =
                    words.iter().map(|word| self.variables.evaluate(word, &entry)).collect();
                self.variables.enter(name, &words);
                let outcome = self.settle(entry.clone(), |flow, entry| {
                    (flow.list(body, entry.clone()).any(), entry)
                });
                self.variables.leave();
                outcome
            }
        };
        self.descriptors_sure = sure_outside;
        if may_fail {
            outcome.failure.join(entry);
        }
        outcome
    }

    fn choice(
        &mut self,
        arms: &'a [(List, List)],
        otherwise: Option<&'a List>,
        entry: States,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let mut untested = entry;
        for (condition, body) in arms {
            let tested = self.list(condition, untested);
            let after = self.list(body, tested.success);
            outcome.success.join(after.success);
            outcome.failure.join(after.failure);
            untested = tested.failure;
        }
        match otherwise {
            Some(body) => {
                let after = self.list(body, untested);
                outcome.success.join(after.success);
                outcome.failure.join(after.failure);
            }
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
        let mark = self.steps.len();
        let of_groups = self.of_groups.clone();
        let mut start = entry;
        for round in 0.. {
            if round == PASSES_MAX || self.visits > VISITS_MAX {
                start.give_up();
            }
            self.steps.truncate(mark);
            self.of_groups.clone_from(&of_groups);
            let (again, ended) = pass(self, start.clone());
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

    /// Follows what command substitutions in these words run: in copies of the shell.
    fn substitutions(&mut self, arguments: &'a [Argument], entry: &States) {
        for piece in arguments.iter().flat_map(|argument| &argument.pieces) {
            if let Piece::Substitution { list, .. } = piece {
                self.list(list, entry.clone());
            }
        }
    }

    fn simple(&mut self, simple: &'a Simple, entry: States) -> Outcome {
        self.visits += 1;
        let of_groups = std::mem::take(&mut self.of_groups);
        self.substitutions(&simple.arguments, &entry);
        let sure_outside = self.descriptors_sure;
        let may_fail = self.redirect(&simple.redirections);
        self.descriptors_sure = sure_outside;
        let evaluate = |argument| self.variables.evaluate(argument, &entry);
        let words: Vec<PlanWord> = std::iter::once(PlanWord::Is(simple.name.text.clone()))
            .chain(simple.arguments.iter().map(evaluate))
            .collect();
        let is_cd = simple.name.text == b"cd" && self.semantics.cd != Cd::NoEffect;
        let (outcome, cd) = match is_cd {
            true => self.cd(&words[1..], &entry, may_fail),
            false => (Outcome::either(entry.clone()), None),
        };
        self.steps.push(Step { simple, words, states: entry, of_groups, cd });
        outcome
    }

    /// Makes redirections: may one of them fail, so that the command does not run? Only
    /// `/dev/null` and copies of open descriptors cannot.
    fn redirect(&mut self, redirections: &[Redirection]) -> bool {
        let mut may_fail = false;
        for redirection in redirections {
            match &redirection.target {
                Target::Read(word) | Target::Write(word) => may_fail |= word.text != b"/dev/null",
                Target::Duplicate(descriptor) => {
                    may_fail |= *descriptor > 2 || !self.descriptors_sure;
                }
                Target::Close => self.descriptors_sure = false,
                // Some shells make a file for it, which can fail.
                Target::Document => may_fail = true,
            }
        }
        may_fail
    }

    fn cd(
        &mut self,
        words: &[PlanWord],
        entry: &States,
        redirection_may_fail: bool,
    ) -> (Outcome, Option<CdTargets>) {
        let Some(alternatives) = alternatives(words) else {
            let unknown = CdTargets { unknown: true, ..CdTargets::default() };
            return (Outcome::either(States::anywhere()), Some(unknown));
        };
        let mut outcome = Outcome::default();
        let mut all = CdTargets::default();
        for words in &alternatives {
            for place in entry.places() {
                let targets = self.targets(words, place);
                outcome.add(&targets, place, redirection_may_fail);
                merge(&mut all, targets);
            }
            if entry.is_anywhere() {
                let (success, targets) = self.leaving_anywhere(words);
                outcome.success.join(success);
                outcome.failure.give_up();
                merge(&mut all, targets);
            }
        }
        (outcome, Some(all))
    }

    fn targets(&self, words: &[&[u8]], place: &Place) -> CdTargets {
        let targets = CdTargets::of(words, place, self.around);
        match self.semantics.cd {
            Cd::AlwaysSucceeds => targets.assume_success(words, place, self.around),
            Cd::Measured | Cd::NoEffect => targets,
        }
    }

    /// From an unknown directory an absolute operand still leads to a known one.
    fn leaving_anywhere(&self, words: &[&[u8]]) -> (States, CdTargets) {
        let absolute = words.last().is_some_and(|operand| operand.starts_with(b"/"))
            || (words.is_empty() && self.around.home.is_some());
        if !absolute {
            return (States::anywhere(), CdTargets { unknown: true, ..CdTargets::default() });
        }
        let targets = self.targets(words, &self.around.start.place);
        let mut states = States::none();
        for place in &targets.reached {
            states.add(Place { previous: None, ..place.clone() });
        }
        if targets.unknown {
            states.give_up();
        }
        (states, targets)
    }
}

impl Outcome {
    /// Adds what a `cd` from `place` leads to.
    fn add(&mut self, targets: &CdTargets, place: &Place, redirection_may_fail: bool) {
        if targets.unknown {
            self.success.give_up();
        }
        targets.reached.iter().cloned().for_each(|place| self.success.add(place));
        if targets.may_fail || redirection_may_fail {
            self.failure.add(place.clone());
        }
        // It has moved by the time it finds that it cannot print where it is.
        if targets.prints {
            targets.reached.iter().cloned().for_each(|place| self.failure.add(place));
        }
    }
}

/// The word lists that these words may be, if they are known and few.
pub(crate) fn alternatives(words: &[PlanWord]) -> Option<Vec<Vec<&[u8]>>> {
    const MOST: usize = 64;
    let mut lists: Vec<Vec<&[u8]>> = vec![Vec::new()];
    for word in words {
        let texts: &[Vec<u8>] = match word {
            PlanWord::Is(text) => std::slice::from_ref(text),
            PlanWord::OneOf(texts) => texts,
            PlanWord::One | PlanWord::Many => return None,
        };
        if lists.len() * texts.len() > MOST {
            return None;
        }
        // Nearly every word has one text: a line of thousands of words must not be copied for each.
        let (last, others) = texts.split_last()?;
        let with = |text| lists.iter().map(move |list| [&list[..], &[text]].concat());
        let more: Vec<Vec<&[u8]>> = others.iter().flat_map(|text| with(&text[..])).collect();
        lists.iter_mut().for_each(|list| list.push(last));
        lists.extend(more);
    }
    Some(lists)
}

/// Joins what a plan says of a `cd`; where the shell then is, the states say.
fn merge(all: &mut CdTargets, one: CdTargets) {
    let add = |to: &mut Vec<Physical>, from: Vec<Physical>| {
        for path in from {
            if !to.contains(&path) {
                to.push(path);
            }
        }
    };
    add(&mut all.tried, one.tried);
    add(&mut all.looked_at, one.looked_at);
    all.unknown |= one.unknown;
    all.unresolved = all.unresolved.or(one.unresolved);
}

impl Step<'_> {
    /// Does a redirection of it, or of a group that begins with it, open a file?
    pub fn opens_a_file(&self) -> bool {
        let own = self.simple.redirections.iter();
        own.chain(self.of_groups.iter().map(|(redirection, _)| *redirection)).any(|redirection| {
            match &redirection.target {
                Target::Read(word) | Target::Write(word) => word.text != b"/dev/null",
                Target::Duplicate(_) | Target::Close | Target::Document => false,
            }
        })
    }
}
