//! Simple commands: their words, their redirections, and the few that change the state.

use super::cd::CdTargets;
use super::interpreter::{Flow, Outcome};
use super::states::{Place, States};
use super::step::{Looks, Reading, Step, Word};
use super::words::Value;
use crate::environment::is_read_by_tools;
use crate::few::Few;
use crate::path::Logical;
use crate::protected::is_secret_variable;
use crate::semantics::{Cd, Redirections};
use crate::span::Span;
use crate::syntax::tree::{Argument, Assignment, Piece, Redirection, Simple, Target};
use crate::verdict::{Code, Reason, object};

impl<'a> Flow<'a, '_> {
    pub(super) fn simple(&mut self, simple: &'a Simple<'a>, entry: States) -> Outcome {
        self.visits += 1;
        // What is redirected does not come from the stage before.
        let redirected = simple.redirections.iter().any(|it| it.descriptor == 0);
        let input = self.input.take().filter(|_| !redirected);
        let pending = std::mem::take(&mut self.pending);
        let unset = self.prefix(&simple.assignments, &entry);
        self.substitutions(&simple.arguments, &entry);
        self.here_texts(&simple.redirections, &entry);
        let sure_outside = self.descriptors_sure;
        let may_fail = self.redirect(&simple.redirections);
        self.descriptors_sure = sure_outside;
        // Some shells see what is assigned in front, and some do not.
        let mut opened = pending.opened;
        opened.extend(self.opened(&simple.redirections, &unset));
        let mut looks = pending.looks;
        let readings =
            self.words.readings(Some(&simple.name), &simple.arguments, &entry, &mut looks);
        self.no_look_anywhere(&looks, &entry);
        let looks = looks.known;
        let (mut outcome, cd) = match &simple.name.text[..] {
            b"cd" if self.semantics.cd != Cd::NoEffect => self.cd(&readings, may_fail),
            b"exit" if self.ends(&readings, may_fail) => (Outcome::default(), None),
            b"read" => {
                let line = self.line.take();
                (self.read(simple, entry.clone(), line.as_ref()), None)
            }
            b"[[" => (Self::matches(simple, entry.clone()), None),
            b"pwd" => (self.pwd(&readings, entry.clone()), None),
            b"break" | b"continue" => (self.leave_loops(simple, &unset, may_fail), None),
            _ => (Outcome::either(entry.clone()), None),
        };
        if simple.prefix.is_some() {
            // A shell that runs no built-in behind it, or has no such prefix, stays and fails.
            outcome.failure.join(entry.clone());
        }
        for assignment in &simple.assignments {
            outcome.success.assign(assignment.name, None);
            outcome.failure.assign(assignment.name, None);
        }
        let of_groups = pending.redirections;
        let background = self.in_background;
        let step = Step {
            simple,
            states: entry,
            readings,
            opened,
            of_groups,
            looks,
            cd,
            background,
            input,
            fed: self.fed && !simple.redirections.iter().any(comes_from_elsewhere),
        };
        self.steps.push(step);
        outcome
    }

    /// `NAME=VALUE`: from here on, in this shell.
    pub(super) fn assignments(&mut self, all: &'a [Assignment<'a>], entry: States) -> Outcome {
        let mut states = entry;
        for assignment in all {
            self.substitutions(std::slice::from_ref(&assignment.value), &states);
            self.no_copy_of_secrets(std::slice::from_ref(&assignment.value), &states);
            let values = self.words.value(&assignment.value, &states);
            states.assign(assignment.name, values);
            self.no_inherited(assignment.name, assignment.span);
        }
        Outcome::either(states)
    }

    /// Objects to setting a variable that every program inherits, or would if it were in the
    /// environment of whoever runs the line, which is not seen in full.
    pub(super) fn no_inherited(&mut self, name: &[u8], span: Span) {
        let shown = String::from_utf8_lossy(name);
        let note = if self.around.inherited.contains_key(name) {
            format!("'{shown}' is in the environment, so this reaches every program")
        } else if is_read_by_tools(name) {
            format!("'{shown}' is a variable that tools read")
        } else {
            return;
        };
        object(&mut self.objections, Reason { code: Code::Assignment, span, note });
    }

    /// What a variable gets must not be what only a person should see: by another name nobody would
    /// know it. What the line itself has set is none.
    pub(super) fn no_copy_of_secrets(&mut self, words: &[Argument<'_>], states: &States) {
        for word in words.iter().filter(|_| !states.is_none()) {
            for piece in &word.pieces {
                let (Piece::Parameter { name, .. } | Piece::Computed { name, .. }) = piece else {
                    continue;
                };
                if is_secret_variable(name) && states.variables().value(name).is_none() {
                    let shown = String::from_utf8_lossy(name);
                    let note = format!("'{shown}' looks like the name of a secret");
                    let reason = Reason { code: Code::Secret, span: word.span, note };
                    object(&mut self.objections, reason);
                }
            }
        }
    }

    /// Objects to words for which a shell may list any directory, in a command that can be reached.
    fn no_look_anywhere(&mut self, looks: &Looks, entry: &States) {
        for span in looks.anywhere.iter().filter(|_| !entry.is_none()) {
            let note =
                "this may be a pattern, and where it looks is not known before the line runs";
            let (code, span, note) = (Code::WordUnknown, *span, note.to_owned());
            object(&mut self.objections, Reason { code, span, note });
        }
    }

    /// Objects to a `~` where `HOME` is not known to be set: bash then asks the system's list of
    /// people whose it is.
    pub(super) fn no_unknown_home(&mut self, arguments: &[Argument<'_>], entry: &States) {
        if self.around.home.is_some() || entry.is_none() {
            return;
        }
        for argument in arguments.iter().filter(|it| it.pieces.contains(&Piece::Home)) {
            let note = "where '~' leads is not known: no HOME was given".to_owned();
            let (code, span) = (Code::WordUnknown, argument.span);
            object(&mut self.objections, Reason { code, span, note });
        }
    }

    /// With `-P`, `bash --posix` sets `$PWD` to what it prints (bash(1), POSIX mode), and so with
    /// the next `cd` `$OLDPWD` as well: from here on the directory may have that name.
    fn pwd(&self, readings: &[Reading<'a>], mut states: States) -> Outcome {
        let may_be_physical = |word: &Word<'_>| match word {
            Word::Is(text) => text.starts_with(b"-") && text.contains(&b'P'),
            _ => true,
        };
        let words = readings.iter().flat_map(|reading| reading.words.iter().skip(1));
        if self.around.shells.sh && words.into_iter().any(may_be_physical) {
            for mut place in states.places().to_vec() {
                place.logical = Logical::absolute(place.physical.as_bytes());
                states.add(place);
            }
        }
        Outcome::either(states)
    }

    /// Does this `exit` certainly end the shell?
    fn ends(&self, readings: &[Reading<'a>], redirection_may_fail: bool) -> bool {
        let number = |text: &[u8]| text.len() < 4 && text.iter().all(u8::is_ascii_digit);
        let plain = |words: &[Word<'_>]| match words {
            [_] => true,
            [_, Word::Is(text)] => !text.is_empty() && number(text),
            _ => false,
        };
        self.around.exit_is_sure
            && !redirection_may_fail
            && readings.iter().all(|reading| plain(&reading.words))
    }

    /// `[[ … ]]`: zsh puts what a regular expression has matched into variables.
    fn matches(simple: &Simple<'_>, mut states: States) -> Outcome {
        if simple.arguments.iter().any(|it| it.literal().is_some_and(|text| **text == *b"=~")) {
            for name in [&b"match"[..], b"mbegin", b"mend"] {
                states.assign(name, None);
            }
        }
        Outcome::either(states)
    }

    /// `read`: what comes in is not known, if it is not this line, and at its end nothing does.
    fn read(
        &mut self,
        simple: &'a Simple<'a>,
        mut failure: States,
        line: Option<&Value>,
    ) -> Outcome {
        let mut success = failure.clone();
        for argument in &simple.arguments {
            if let [Piece::Text(name)] = &argument.pieces[..] {
                failure.assign(name, None);
                success.assign(name, line.cloned());
                self.no_inherited(name, argument.span);
            }
        }
        Outcome { success, failure }
    }

    /// Assignments before a command. Gives the states in which nothing is known of their variables:
    /// before a special built-in they stay, in some shells. What one of them runs may see the value
    /// of the one before it, which in mksh it does not.
    fn prefix(&mut self, all: &'a [Assignment<'a>], entry: &States) -> States {
        let mut unset = entry.clone();
        for assignment in all {
            self.substitutions(std::slice::from_ref(&assignment.value), &unset);
            unset.assign(assignment.name, None);
        }
        unset
    }

    /// `break` and `continue`: the shell goes on behind a loop, or at its start.
    fn leave_loops(&mut self, simple: &Simple<'_>, entry: &States, may_fail: bool) -> Outcome {
        let levels = match simple.arguments.first().map(|it| &it.pieces[..]) {
            Some([Piece::Text(text)]) => usize::from(text[0].saturating_sub(b'0')),
            _ => 1,
        };
        let mut direct = !self.loops.is_empty() && !may_fail;
        for around in self.loops.iter_mut().rev().take(levels) {
            around.left.join(entry.clone());
            direct &= around.direct;
        }
        if direct { Outcome::default() } else { Outcome::either(entry.clone()) }
    }

    /// Follows what here-documents and here-strings run.
    pub(super) fn here_texts(&mut self, redirections: &'a [Redirection<'a>], entry: &States) {
        for redirection in redirections {
            if let Target::Text(text) | Target::Document(text) = &redirection.target {
                self.substitutions(std::slice::from_ref(text), entry);
            }
        }
    }

    /// The files that redirections open, of those whose names hold variables.
    pub(super) fn opened(
        &self,
        redirections: &'a [Redirection<'a>],
        states: &States,
    ) -> Vec<(&'a Redirection<'a>, Word<'a>)> {
        let file = |it: &'a Redirection<'a>| match &it.target {
            Target::Read(file) | Target::Write(file) if file.literal().is_none() => {
                Some((it, self.words.word(file, states)))
            }
            _ => None,
        };
        redirections.iter().filter_map(file).collect()
    }

    /// Makes redirections: may one of them fail, so that the command does not run? Only
    /// `/dev/null` and copies of open descriptors cannot.
    pub(super) fn redirect(&mut self, redirections: &[Redirection<'_>]) -> bool {
        let believed = self.semantics.redirections == Redirections::MayFail;
        let mut may_fail = false;
        for redirection in redirections {
            match &redirection.target {
                Target::Read(file) | Target::Write(file) => {
                    may_fail |= file.literal().is_none_or(|text| **text != *b"/dev/null");
                }
                Target::Duplicate(descriptor) => {
                    may_fail |= *descriptor > 2 || !self.descriptors_sure;
                }
                Target::Close => self.descriptors_sure = false,
                // Some shells make a file for it, which can fail.
                Target::Document(_) | Target::Text(_) => may_fail = true,
            }
        }
        may_fail && believed
    }

    fn cd(
        &mut self,
        readings: &[Reading<'a>],
        redirection_may_fail: bool,
    ) -> (Outcome, Option<Box<CdTargets>>) {
        let mut outcome = Outcome::default();
        let mut all = CdTargets::default();
        for Reading { words, states, .. } in readings {
            let Some(alternatives) = alternatives(&words[1..]) else {
                all.unknown = true;
                let mut anywhere = states.clone();
                anywhere.give_up();
                outcome.success.join(anywhere.clone());
                outcome.failure.join(anywhere);
                continue;
            };
            for words in &alternatives {
                for place in states.places() {
                    let targets = self.targets(words, place);
                    outcome.add(&targets, states, place, redirection_may_fail);
                    merge(&mut all, targets);
                }
                if states.is_anywhere() {
                    let (success, targets) = self.leaving_anywhere(words, states);
                    outcome.success.join(success);
                    outcome.failure.join(states.clone());
                    merge(&mut all, targets);
                }
            }
        }
        (outcome, Some(Box::new(all)))
    }

    fn targets(&self, words: &[&[u8]], place: &Place) -> CdTargets {
        let of = |words: &[&[u8]]| CdTargets::of(words, place, self.around);
        match (self.semantics.cd, words) {
            (Cd::AlwaysSucceeds, _) => of(words).assume_success(words, place, self.around),
            (Cd::Physical, [.., operand]) => of(&[b"-P", operand]),
            (Cd::NeverBack, [b"-"]) => CdTargets::of_no_move(place),
            _ => of(words),
        }
    }

    /// From an unknown directory an absolute operand still leads to a known one.
    fn leaving_anywhere(&self, words: &[&[u8]], from: &States) -> (States, CdTargets) {
        let absolute = words.last().is_some_and(|operand| operand.starts_with(b"/"))
            || (words.is_empty() && self.around.home.is_some());
        if !absolute {
            return (from.clone(), CdTargets { unknown: true, ..CdTargets::default() });
        }
        let targets = self.targets(words, &self.around.start.place);
        let mut states = from.nowhere();
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
    /// Adds what a `cd` from `place`, one of these states, leads to.
    fn add(
        &mut self,
        targets: &CdTargets,
        states: &States,
        place: &Place,
        redirection_may_fail: bool,
    ) {
        let mut reached = states.nowhere();
        targets.reached.iter().cloned().for_each(|place| reached.add(place));
        if targets.prints {
            // It has moved by the time it finds that it cannot print where it is.
            self.failure.join(reached.clone());
        }
        if targets.unknown {
            reached.give_up();
        }
        self.success.join(reached);
        if targets.may_fail || redirection_may_fail {
            self.failure.join(states.only(place));
        }
    }
}

/// Does what comes in come from a file, or from the line itself? That file may be what comes in.
fn comes_from_elsewhere(redirection: &Redirection<'_>) -> bool {
    let elsewhere = match &redirection.target {
        Target::Document(_) | Target::Text(_) => true,
        Target::Read(file) => file.literal().is_some_and(|text| !text.starts_with(b"/dev/")),
        Target::Write(_) | Target::Duplicate(_) | Target::Close => false,
    };
    elsewhere && redirection.descriptor == 0
}

/// The word lists that these words may be, if they are known and few.
fn alternatives<'r>(words: &'r [Word<'_>]) -> Option<Few<Few<&'r [u8]>>> {
    const MOST: usize = 64;
    let mut lists: Few<Few<&[u8]>> = Few::one(Few::new());
    for word in words {
        let texts = word.texts()?;
        if lists.len() * texts.len() > MOST {
            return None;
        }
        // Nearly every word is one.
        if let [text] = texts {
            lists.iter_mut().for_each(|list| list.push(text));
            continue;
        }
        let with = |text| {
            lists.iter().map(move |list| {
                let mut list = list.clone();
                list.push(text);
                list
            })
        };
        lists = texts.iter().flat_map(|text| with(&text[..])).collect();
    }
    Some(lists)
}

/// Joins what a plan says of a `cd`; where the shell then is, the states say.
fn merge(all: &mut CdTargets, one: CdTargets) {
    for path in &one.tried {
        if !all.tried.contains(path) {
            all.tried.push(path.clone());
        }
    }
    for path in one.looked_at {
        if !all.looked_at.contains(&path) {
            all.looked_at.push(path);
        }
    }
    all.unknown |= one.unknown;
    all.unresolved = all.unresolved.or(one.unresolved);
}
