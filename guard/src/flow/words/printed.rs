//! What a command substitution prints, as far as it is known before the line runs.

use super::values::{found_from, sequence, working_directory};
use super::variables::Value;
use super::{Words, is_plain};
use crate::flow::states::{Place, States};
use crate::flow::step::Word as Read;
use crate::path::Physical;
use crate::reach::are_files;
use crate::repository;
use crate::syntax::tree::{Command, List, Redirection, Simple, Target, Text};
use crate::verbs::{FoundNames, Output, Selected, Word, output};

/// How many digits the name of an object has, with SHA-1.
const HASH: usize = 40;

/// What a command substitution stands for.
pub(super) enum Printed<'a> {
    /// One of these.
    Values(Vec<Text<'a>>),
    /// A number.
    Number,
    /// A number, or nothing.
    Digits,
    /// The numbers from one to another, or nothing.
    Sequence(i64, i64),
    /// Any number of words, none of which is a pattern.
    Plain,
    /// One word like one of these, none of which is a pattern, or none.
    Like(Vec<Vec<u8>>),
    /// Any number of names that are found, none of which is a pattern.
    Names(FoundNames<'a>),
    /// Anything.
    Anything,
}

impl Printed<'_> {
    /// Some of its lines.
    fn filtered(self, which: Selected) -> Self {
        match self {
            Printed::Values(known) if !known.iter().all(|text| is_plain(text)) => Printed::Anything,
            Printed::Names(FoundNames { paths, which: before }) => {
                Printed::Names(FoundNames { paths, which: before.and(which) })
            }
            Printed::Anything => Printed::Anything,
            _ => Printed::Plain,
        }
    }

    fn is_plain(&self) -> bool {
        !matches!(self, Printed::Values(_) | Printed::Anything)
    }
}

impl<'a> Words<'a> {
    /// What this list prints if it starts in one of these states.
    pub(super) fn printed(&self, list: &List<'a>, states: &States) -> Printed<'a> {
        if states.is_anywhere() {
            return Printed::Anything;
        }
        let pipelines = list.items.iter().flat_map(|item| {
            std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
        });
        let mut all = pipelines.map(|pipeline| self.of_stages(&pipeline.stages, states));
        match (all.next(), all.next()) {
            (Some(printed), None) => printed,
            (Some(first), Some(second)) => {
                let mut others = [first, second].into_iter().chain(all);
                match others.all(|it| it.is_plain()) {
                    true if !moves(list) => Printed::Plain,
                    _ => Printed::Anything,
                }
            }
            _ => Printed::Anything,
        }
    }

    /// What each of the lines is that these stages print.
    pub(in crate::flow) fn lines(&self, stages: &[Command<'a>], states: &States) -> Option<Value> {
        if states.is_anywhere() {
            return None;
        }
        match self.of_stages(stages, states) {
            Printed::Names(found) => Some(found_from(found, states)),
            Printed::Sequence(first, last) => Some(sequence(first, last)),
            _ => None,
        }
    }

    fn of_stages(&self, stages: &[Command<'a>], states: &States) -> Printed<'a> {
        let [before @ .., last] = stages else { return Printed::Anything };
        let Command::Simple(last) = last else { return Printed::Anything };
        // It may be no command at all, and print nothing.
        if last.prefix.is_some() {
            return Printed::Anything;
        }
        // What is redirected elsewhere is not printed, messages may be, and what is read may be
        // something else, or nothing.
        if !last.redirections.iter().all(is_silence) {
            return match self.output(last, states) {
                Output::Number | Output::Digits if last.redirections.iter().all(reads) => {
                    Printed::Digits
                }
                _ => Printed::Anything,
            };
        }
        if *last.name.text == *b"pwd" && last.arguments.is_empty() && before.is_empty() {
            return here(states);
        }
        if let Some(parts) = self.part_of_path(last, states).filter(|_| before.is_empty()) {
            return Printed::Values(parts);
        }
        match self.output(last, states) {
            Output::Number => Printed::Number,
            Output::Digits => Printed::Digits,
            Output::Sequence(first, last) => Printed::Sequence(first, last),
            Output::Plain => Printed::Plain,
            Output::Revision(others) => {
                Printed::Like([vec![b"0".repeat(HASH), Vec::new()], others].concat())
            }
            Output::Toplevel => self.toplevel(states),
            // What the line has made may be named like a pattern.
            Output::Names { .. } | Output::Entries(_) if self.new_names => Printed::Anything,
            Output::Names { found, bare, exact: false, tracked, globs } => {
                let places = states.places();
                let found = match tracked {
                    true => self.glance.tracked_names(places, found),
                    false => Some(found),
                };
                let harmless = |found: &FoundNames<'_>| {
                    self.glance.are_plain(places, found, bare)
                        && !self.glance.selects_secrets_below(places, &found.paths, &globs)
                };
                found.filter(harmless).map_or(Printed::Anything, Printed::Names)
            }
            Output::Entries(of) => {
                let found = FoundNames { paths: of.into(), which: Selected::SEEN };
                match self.glance.are_plain(states.places(), &found, true) {
                    true if are_files(self.view, states.places(), &found.paths) => {
                        Printed::Names(found)
                    }
                    true => Printed::Plain,
                    false => Printed::Anything,
                }
            }
            Output::Lines(which) => match before {
                [] => Printed::Anything,
                // A filter may drop all of it.
                _ => self.of_stages(before, states).filtered(which),
            },
            Output::Names { .. } | Output::Anything => Printed::Anything,
        }
    }

    /// The top of the worktree that git finds, if the view shows it.
    fn toplevel(&self, states: &States) -> Printed<'a> {
        let found = |place: &Place| repository::toplevel(self.view, &place.physical);
        let tops: Option<Vec<Physical>> = states.places().iter().map(found).collect();
        let Some(mut tops) = tops else { return Printed::Anything };
        tops.dedup();
        Printed::Values(tops.iter().map(|top| Text::Owned(top.as_bytes().to_vec())).collect())
    }

    /// What `basename` and `dirname` print of paths that are known.
    fn part_of_path(&self, simple: &Simple<'a>, states: &States) -> Option<Vec<Text<'a>>> {
        let of_directory = match &simple.name.text[..] {
            b"basename" => false,
            b"dirname" => true,
            _ => return None,
        };
        let (path, suffix) = match &simple.arguments[..] {
            [path] => (path, Read::Is(Text::default())),
            [path, suffix] if !of_directory => (path, self.word(suffix, states)),
            _ => return None,
        };
        let path = self.word(path, states);
        let (Some(paths), Read::Is(suffix)) = (path.texts(), suffix) else { return None };
        let known = |path: &Text<'_>| {
            let printable = path.iter().all(|byte| (b' '..=b'~').contains(byte));
            printable && !path.is_empty() && !path.starts_with(b"-")
        };
        if !paths.iter().all(known) {
            return None;
        }
        let part = |path: &Text<'_>| match of_directory {
            true => directory_of(path).to_vec(),
            false => {
                let name = last_name(path);
                let short = name.strip_suffix(&suffix[..]).filter(|short| !short.is_empty());
                short.unwrap_or(name).to_vec()
            }
        };
        Some(paths.iter().map(|path| Text::Owned(part(path))).collect())
    }

    /// What a simple command prints. Patterns in its words are not expanded for it.
    fn output(&self, simple: &Simple<'a>, states: &States) -> Output<'static> {
        let words: Vec<Read<'a>> =
            simple.arguments.iter().map(|it| self.word(it, states)).collect();
        let known: Option<Vec<Word<'_>>> = words
            .iter()
            .map(|word| match word {
                Read::Is(text) => Some(Word::Is(text)),
                _ => None,
            })
            .collect();
        match known {
            Some(known) => {
                output(&[&[Word::Is(&simple.name.text)][..], &known].concat()).into_owned()
            }
            None => Output::Anything,
        }
    }
}

/// The working directory, as the shell prints it.
fn here<'a>(states: &States) -> Printed<'a> {
    let known = working_directory(states);
    // Newlines at the end of an output are taken off.
    match known.filter(|all| all.iter().all(|text| !text.ends_with(b"\n"))) {
        Some(known) => Printed::Values(known.iter().map(|it| Text::Owned(it.to_vec())).collect()),
        // The name that was inherited is not known. Nobody keeps a project behind a name with a
        // pattern in it who has none in the directory's own.
        None if states.places().iter().all(|it| is_plain(it.physical.as_bytes())) => Printed::Plain,
        None => Printed::Anything,
    }
}

fn without_slashes(path: &[u8]) -> &[u8] {
    let count = path.iter().rev().take_while(|byte| **byte == b'/').count();
    &path[..path.len() - count]
}

/// The last name of a path, as `basename` has it (POSIX).
fn last_name(path: &[u8]) -> &[u8] {
    let path = without_slashes(path);
    match path.rsplit(|byte| *byte == b'/').next() {
        Some(name) if !name.is_empty() => name,
        _ => b"/",
    }
}

/// What stands before it, as `dirname` has it (POSIX).
fn directory_of(path: &[u8]) -> &[u8] {
    let path = without_slashes(path);
    match path.iter().rposition(|byte| *byte == b'/') {
        _ if path.is_empty() => b"/",
        None => b".",
        Some(at) => match without_slashes(&path[..at]) {
            b"" => b"/",
            directory => directory,
        },
    }
}

/// Does a list hold a command that may move the shell? What is printed after it is of elsewhere.
fn moves(list: &List<'_>) -> bool {
    let stages = list.items.iter().flat_map(|item| {
        let rest = item.rest.iter().map(|(_, pipeline)| pipeline);
        std::iter::once(&item.first).chain(rest).flat_map(|pipeline| &pipeline.stages)
    });
    stages.into_iter().any(|stage| match stage {
        Command::Simple(simple) => *simple.name.text == *b"cd",
        Command::Compound(_) | Command::Assignments(_) => true,
    })
}

/// Does it keep nothing but messages from what is printed, and cannot fail?
fn is_silence(redirection: &Redirection<'_>) -> bool {
    let nowhere = |target: &Target<'_>| match target {
        Target::Write(file) => file.literal().is_some_and(|text| **text == *b"/dev/null"),
        _ => false,
    };
    redirection.descriptor == 2 && nowhere(&redirection.target)
}

/// Does it only say what is read?
fn reads(redirection: &Redirection<'_>) -> bool {
    redirection.descriptor == 0 && matches!(redirection.target, Target::Read(_))
        || is_silence(redirection)
}
