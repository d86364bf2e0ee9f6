//! The abstract interpreter: states through lists, pipelines and groups.

use super::cd::{CdTargets, Surroundings};
use super::states::{Place, States};
use crate::path::Physical;
use crate::semantics::{Cd, Semantics};
use crate::syntax::tree::{
    AndOr, Command, Compound, Connector, Grouping, List, Pipeline, Redirection, Simple, Target,
};

/// One simple command, with where it may start.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The command.
    pub simple: &'a Simple,
    /// Where it may start.
    pub states: States,
    /// Redirections of groups that begin with this command, each with where the shell may be when
    /// it makes them: before the group, not before the command.
    pub of_groups: Vec<(&'a Redirection, States)>,
    /// For a `cd`: where it may lead, from all of those places together.
    pub cd: Option<CdTargets>,
}

/// Follows a tree from the places in `entry` and returns its simple commands in the order of the
/// line. What cannot be reached is in it too, with no place: a policy may still object to it.
pub fn follow<'a>(
    tree: &'a List,
    entry: States,
    around: &Surroundings<'_>,
    semantics: &Semantics,
) -> Vec<Step<'a>> {
    let mut flow = Flow {
        around,
        semantics,
        of_groups: Vec::new(),
        descriptors_sure: true,
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
    around: &'r Surroundings<'r>,
    semantics: &'r Semantics,
    /// Redirections of groups that no command has followed yet.
    of_groups: Vec<(&'a Redirection, States)>,
    /// Are descriptors 0, 1 and 2 open for certain?
    descriptors_sure: bool,
    steps: Vec<Step<'a>>,
}

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
        if stages.is_empty() {
            return self.command(last, entry);
        }
        let mut outcome = self.command(last, entry.clone());
        outcome.success.join(entry.clone());
        outcome.failure.join(entry);
        outcome
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
        let mut outcome = self.list(&compound.body, entry.clone());
        self.descriptors_sure = sure_outside;
        if compound.grouping == Grouping::Subshell {
            return Outcome::either(entry);
        }
        if may_fail {
            outcome.failure.join(entry);
        }
        outcome
    }

    fn simple(&mut self, simple: &'a Simple, entry: States) -> Outcome {
        let sure_outside = self.descriptors_sure;
        let may_fail = self.redirect(&simple.redirections);
        self.descriptors_sure = sure_outside;
        let is_cd = simple.words[0].text == b"cd" && self.semantics.cd != Cd::NoEffect;
        let (outcome, cd) = match is_cd {
            true => self.cd(simple, &entry, may_fail),
            false => (Outcome::either(entry.clone()), None),
        };
        let of_groups = std::mem::take(&mut self.of_groups);
        self.steps.push(Step { simple, states: entry, of_groups, cd });
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
            }
        }
        may_fail
    }

    fn cd(
        &mut self,
        simple: &'a Simple,
        entry: &States,
        redirection_may_fail: bool,
    ) -> (Outcome, Option<CdTargets>) {
        let words: Vec<&[u8]> = simple.words[1..].iter().map(|word| &*word.text).collect();
        let mut outcome = Outcome::default();
        let mut all = CdTargets::default();
        for place in entry.places() {
            let targets = self.targets(&words, place);
            if targets.unknown {
                outcome.success.give_up();
            }
            targets.reached.iter().cloned().for_each(|place| outcome.success.add(place));
            if targets.may_fail || redirection_may_fail {
                outcome.failure.add(place.clone());
            }
            // It has moved by the time it finds that it cannot print where it is.
            if targets.prints {
                targets.reached.iter().cloned().for_each(|place| outcome.failure.add(place));
            }
            merge(&mut all, targets);
        }
        if entry.is_anywhere() {
            let (success, targets) = self.leaving_anywhere(&words);
            outcome.success.join(success);
            outcome.failure.give_up();
            merge(&mut all, targets);
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

fn merge(all: &mut CdTargets, one: CdTargets) {
    all.reached.extend(one.reached);
    let add = |to: &mut Vec<Physical>, from: Vec<Physical>| {
        for path in from {
            if !to.contains(&path) {
                to.push(path);
            }
        }
    };
    add(&mut all.tried, one.tried);
    add(&mut all.looked_at, one.looked_at);
    all.may_fail |= one.may_fail;
    all.prints |= one.prints;
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
                Target::Duplicate(_) | Target::Close => false,
            }
        })
    }
}
