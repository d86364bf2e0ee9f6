//! Steps: a `cd`, or a verb with its operands, and what stands around them.

use crate::paths::{Reader, Want};
use crate::scene::Scene;
use crate::text::{Body, Command, Join, List, Pipeline, Redirect, Style, Target, Word};
use crate::verbs::{Operands, VERBS, Verb};
use crate::world::Landing;

/// Comments that any reader may skip.
const COMMENTS: [&str; 4] = ["# then", "# see src/main.txt", "# cd ..", "# step 2: read it"];

/// Comments that lead a reader astray who looks for quotes and operators first.
const ODD_COMMENTS: [&str; 4] = ["# it's", "# a \"b", "# done; cd src", "# (not $HOME) && \\"];

/// Redirections that reach nothing.
const QUIET: [&[(&str, &str)]; 6] = [
    &[("2>", "/dev/null")],
    &[(">", "/dev/null")],
    &[("2>&", "1")],
    &[(">", "/dev/null"), ("2>&", "1")],
    &[("<", "/dev/null")],
    &[(">&", "2")],
];

/// What a verb is piped into.
const FILTERS: [&[&str]; 5] =
    [&["head", "-n", "5"], &["wc", "-l"], &["cat"], &["head", "-n1"], &["wc", "-lw"]];

impl Scene<'_, '_> {
    /// `text` as a word, quoted now and then.
    pub(crate) fn word(&mut self, text: &str) -> Word {
        if self.choices.chance(self.knobs.quoted) {
            return self.quoted(text);
        }
        Word::plain(text)
    }

    fn quoted(&mut self, text: &str) -> Word {
        if self.choices.chance(self.knobs.mixed_quotes) {
            let at = self.choices.below(text.len() as u32) as usize;
            let (first, second) =
                (*self.choices.pick(&Style::ALL), *self.choices.pick(&Style::ALL));
            return Word::mixed(text, at, first, second);
        }
        Word::styled(text, *self.choices.pick(&Style::ALL[1..]))
    }

    fn first_word(&mut self, name: &str) -> Word {
        if self.choices.chance(self.knobs.quoted_verb) {
            return self.quoted(name);
        }
        Word::plain(name)
    }

    /// What stands between this step and the next.
    pub(crate) fn join(&mut self) -> Join {
        match self.choices.weighted(&self.settings.joins) {
            0 => Join::And,
            1 => Join::Semicolon,
            2 => Join::Newline(self.comment()),
            _ => Join::Or,
        }
    }

    /// A line that is a comment, now and then.
    pub(crate) fn comment(&mut self) -> Option<&'static str> {
        if !self.choices.chance(self.knobs.comment) {
            return None;
        }
        let odd = self.choices.chance(self.knobs.odd_comment);
        Some(*self.choices.pick(if odd { &ODD_COMMENTS } else { &COMMENTS }))
    }

    /// A verb, perhaps piped into another, perhaps in a group of its own.
    pub(crate) fn step(&mut self) -> Pipeline {
        let mut stages = vec![self.verb()];
        if self.choices.chance(self.knobs.piped) {
            stages.push(self.filter());
        }
        let pipeline = Pipeline(stages);
        if !self.choices.chance(self.knobs.grouped) {
            return pipeline;
        }
        let list = List::of(pipeline);
        let body =
            if self.choices.below(2) == 0 { Body::Subshell(list) } else { Body::Braces(list) };
        self.quiet(Command::new(body)).into()
    }

    /// A verb that reads what is piped into it.
    pub(crate) fn filter(&mut self) -> Command {
        let words = *self.choices.pick(&FILTERS);
        Command::simple(words.iter().map(|word| Word::plain(word)).collect())
    }

    /// A verb with options and operands.
    pub(crate) fn verb(&mut self) -> Command {
        let verb = &VERBS[self.choices.weighted(&self.settings.verbs)];
        let mut words = vec![self.first_word(verb.name)];
        self.options(verb, &mut words);
        match verb.operands {
            Operands::None => {}
            Operands::Words => {
                let text = *self.choices.pick(&["done", "a b", "../outside/secret", "cd ..", ""]);
                words.push(self.word(text));
            }
            Operands::Files => self.operands(Want::File, &mut words),
            Operands::Anything => self.operands(Want::Anything, &mut words),
        }
        self.quiet(Command::simple(words))
    }

    fn options(&mut self, verb: &Verb, words: &mut Vec<Word>) {
        let mut chosen: Vec<&[&str]> = Vec::new();
        if self.choices.chance(self.knobs.option) {
            chosen.extend(self.choices.pick_any(verb.options));
        }
        if self.choices.chance(self.knobs.odd_option) {
            chosen.extend(self.choices.pick_any(verb.odd_options));
        }
        for text in chosen.into_iter().flatten() {
            let value = if text.ends_with('=') { self.operand(Want::File) } else { String::new() };
            let text = format!("{text}{value}");
            words.push(self.word(&text));
        }
    }

    fn operands(&mut self, want: Want, words: &mut Vec<Word>) {
        if self.choices.chance(self.knobs.double_dash) {
            words.push(Word::plain("--"));
        }
        let more = self.choices.chance(self.knobs.second_operand);
        for _ in 0..=u32::from(more) {
            let text = self.operand(want);
            words.push(self.word(&text));
        }
    }

    /// The command with a redirection that reaches nothing, now and then.
    pub(crate) fn quiet(&mut self, command: Command) -> Command {
        if self.choices.chance(self.knobs.quiet) { self.quieted(command) } else { command }
    }

    /// The command with a redirection that reaches nothing.
    pub(crate) fn quieted(&mut self, mut command: Command) -> Command {
        for (operator, target) in *self.choices.pick(&QUIET) {
            let target = match operator.ends_with('&') {
                true => Target::Descriptor(target),
                false => Target::File(Word::plain(target)),
            };
            command.redirects.push(Redirect { operator, target });
        }
        command.redirects_first = self.choices.chance(self.knobs.redirect_first);
        command
    }

    /// A `cd` that works, to somewhere; the shell is there from now on.
    pub(crate) fn go(&mut self) -> Command {
        let text = self.directory();
        self.go_to(&text)
    }

    /// `cd text`. The shell is there from now on, wherever it can go there; who ignores the `cd`
    /// believes it where it was.
    pub(crate) fn go_to(&mut self, text: &str) -> Command {
        let option = match self.choices.chance(self.knobs.cd_option) {
            true => Some(*self.choices.pick(&["-P", "-L", "--"])),
            false => None,
        };
        self.arrive(text, if option == Some("-P") { Reader::Verb } else { Reader::Cd });
        let command = self.cd(option, text);
        self.quiet(command)
    }

    /// `cd` with at most one option, and nothing else.
    pub(crate) fn cd(&mut self, option: Option<&str>, text: &str) -> Command {
        let mut words = vec![self.first_word("cd")];
        words.extend(option.map(Word::plain));
        words.push(self.word(text));
        Command::simple(words)
    }

    /// What `cd text` does to where the shell may be.
    pub(crate) fn arrive(&mut self, text: &str, reader: Reader) {
        let world = &self.world;
        let there = |from: &String| match reader {
            Reader::Cd => world.enter(from, text),
            Reader::Verb => match world.resolve(&world.physical(from), text) {
                Landing::Dir(at) => Some(at),
                _ => None,
            },
        };
        let mut arrived: Vec<String> =
            self.real.iter().map(|from| there(from).unwrap_or_else(|| from.clone())).collect();
        arrived.sort();
        arrived.dedup();
        self.wrong = std::mem::replace(&mut self.real, arrived);
    }

    /// A `cd` that works, and a step that runs under its effect, or, after `||`, without it.
    pub(crate) fn go_and_step(&mut self) -> List {
        let before = self.real.clone();
        let go = self.go();
        let join = self.join();
        let list = List::of(go);
        if join != Join::Or {
            let step = self.step();
            return list.then(join, step);
        }
        let after = std::mem::replace(&mut self.real, before);
        let step = self.step();
        self.real = after;
        list.then(join, step)
    }
}
