//! Secrets that show in the words of a command: values of options, variables with values that hold
//! blanks.

use super::names;
use crate::syntax::tree::{Argument, Assignment, Command, Compound, Form, List, Piece, Simple};
use std::borrow::Cow;
use std::ops::Range;

/// The words of a command, name first, by their places in the line.
pub(super) type Words = Vec<Range<usize>>;

/// Options of certain commands whose value is secret though their names do not say so.
#[derive(PartialEq)]
struct Options {
    commands: Names,
    options: Names,
    /// May the value stand in a word of its own?
    separate: bool,
}

/// Those of the command of this name, whatever directory stands before it.
fn options_of(word: &[u8]) -> Option<&'static Options> {
    let name = word.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    OPTIONS.iter().find(|it| it.commands.iter().any(|command| command.as_bytes() == name))
}

const OPTIONS: &[Options] = &[
    separate(&["curl"], &["-u", "--user", "-U", "--proxy-user"]),
    separate(&["http", "https", "redis-cli", "xh"], &["-a"]),
    separate(&["ldapmodify", "ldapsearch"], &["-w"]),
    separate(&["mosquitto_pub", "mosquitto_sub", "unzip", "zip"], &["-P"]),
    separate(&["openssl"], &["-pass", "-passin", "-passout", "-k", "-K"]),
    separate(&["sshpass"], &["-p"]),
    attached(&["7z", "7za"], &["-p"]),
    attached(&["mariadb", "mysql", "mysqladmin", "mysqldump"], &["-p"]),
];

type Names = &'static [&'static str];

const fn separate(commands: Names, options: Names) -> Options {
    Options { commands, options, separate: true }
}

const fn attached(commands: Names, options: Names) -> Options {
    Options { commands, options, separate: false }
}

/// Adds the words, or parts of words, that are secret.
pub(super) fn secrets(line: &[u8], words: &Words, secrets: &mut Vec<Range<usize>>) {
    let texts: Vec<Cow<'_, [u8]>> =
        words.iter().map(|word| unquoted(&line[word.clone()])).collect();
    // Those of the commands so far: one may be run by another, as by `sudo`.
    let mut options: Vec<&Options> = Vec::new();
    for (at, (word, text)) in words.iter().zip(&texts).enumerate() {
        let raw = &line[word.clone()];
        if let Some(equals) = raw.iter().position(|byte| *byte == b'=') {
            let name = unquoted(&raw[..equals]);
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
            if name.iter().all(plain) && names::is_secret(&name) {
                secrets.push(word.start + equals + 1..word.end);
            }
            continue;
        }
        if !text.starts_with(b"-") {
            options.extend(options_of(text).filter(|it| !options.contains(it)));
            continue;
        }
        let next = words.get(at + 1).filter(|_| !texts[at + 1].starts_with(b"--"));
        if names::is_secret(text) {
            secrets.extend(next.cloned());
        }
        for option in
            options.iter().flat_map(|it| it.options.iter().map(|name| (name, it.separate)))
        {
            match text.strip_prefix(option.0.as_bytes()) {
                Some(b"") if option.1 => secrets.extend(next.cloned()),
                Some(value) if !value.is_empty() && option.0.len() == 2 => {
                    // The value is at the end, whatever quotes stand around it.
                    secrets.push(word.end - value.len().min(raw.len() - 2)..word.end);
                }
                _ => {}
            }
        }
    }
}

fn unquoted(raw: &[u8]) -> Cow<'_, [u8]> {
    let quotes = |byte: &u8| b"'\"\\".contains(byte);
    match raw.iter().any(quotes) {
        true => raw.iter().copied().filter(|byte| !quotes(byte)).collect(),
        false => raw.into(),
    }
}

/// What looks like words in a line that is not understood: between blanks and operators that do not
/// stand between quotes.
pub(super) fn of_bytes(line: &[u8]) -> Vec<Words> {
    let mut commands = vec![Words::new()];
    let mut start = None;
    let mut quote = None;
    let mut at = 0;
    while at <= line.len() {
        let byte = line.get(at).copied();
        let ends = match (byte, quote) {
            (None, _) => true,
            (Some(byte), None) => b" \t\n;&|()<>`".contains(&byte),
            (Some(_), Some(_)) => false,
        };
        match byte {
            Some(b'\\') if quote != Some(b'\'') => {
                start = start.or(Some(at));
                at += 1;
            }
            Some(mark @ (b'\'' | b'"')) => {
                start = start.or(Some(at));
                quote = match quote {
                    None => Some(mark),
                    Some(open) if open == mark => None,
                    open => open,
                };
            }
            _ if ends => {
                if let (Some(from), Some(words)) = (start.take(), commands.last_mut()) {
                    words.push(from..at.min(line.len()));
                }
                if byte.is_some_and(|byte| b"\n;&|(`".contains(&byte)) {
                    commands.push(Words::new());
                }
            }
            _ => start = start.or(Some(at)),
        }
        at += 1;
    }
    if let (Some(from), Some(words)) = (start, commands.last_mut()) {
        words.push(from..line.len());
    }
    commands
}

/// What looks like words if quotes are blanks: those of a script in quotes, as of `ssh host '…'`.
pub(super) fn in_quotes(line: &[u8]) -> Vec<Words> {
    let mut at = 0;
    let mut commands = Vec::new();
    for command in line.split(|byte| b"\n;&|()`".contains(byte)) {
        let mut words = Words::new();
        for word in command.split(|byte| b" \t'\"<>".contains(byte)) {
            if !word.is_empty() {
                words.push(at..at + word.len());
            }
            at += word.len() + 1;
        }
        commands.push(words);
    }
    commands
}

/// The words of every simple command of a line, those in substitutions included.
pub(super) fn of_tree(tree: &List<'_>) -> Vec<Words> {
    let mut commands = Vec::new();
    list(tree, &mut commands);
    commands
}

fn list(of: &List<'_>, commands: &mut Vec<Words>) {
    for item in &of.items {
        for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, it)| it)) {
            for stage in &pipeline.stages {
                match stage {
                    Command::Simple(simple) => command(simple, commands),
                    Command::Compound(compound) => within(compound, commands),
                    Command::Assignments(all) => assignments(all, &mut Words::new(), commands),
                }
            }
        }
    }
}

fn command(simple: &Simple<'_>, commands: &mut Vec<Words>) {
    assignments(&simple.assignments, &mut Words::new(), commands);
    let mut words = vec![simple.name.span.range()];
    for argument in &simple.arguments {
        words.push(argument.span.range());
        substitutions(argument, commands);
    }
    commands.push(words);
}

fn assignments(all: &[Assignment<'_>], words: &mut Words, commands: &mut Vec<Words>) {
    for assignment in all {
        words.push(assignment.span.range());
        substitutions(&assignment.value, commands);
    }
    commands.push(std::mem::take(words));
}

fn substitutions(argument: &Argument<'_>, commands: &mut Vec<Words>) {
    for piece in &argument.pieces {
        if let Piece::Substitution { list: inner, .. } | Piece::Output(inner) = piece {
            list(inner, commands);
        }
    }
}

fn within(compound: &Compound<'_>, commands: &mut Vec<Words>) {
    match &compound.form {
        Form::Subshell(inner) | Form::Braces(inner) => list(inner, commands),
        Form::If { arms, otherwise } => {
            for (condition, body) in arms {
                list(condition, commands);
                list(body, commands);
            }
            otherwise.iter().for_each(|inner| list(inner, commands));
        }
        Form::Loop { condition, body, .. } => {
            list(condition, commands);
            list(body, commands);
        }
        Form::For { words, body, .. } => {
            words.iter().for_each(|word| substitutions(word, commands));
            list(body, commands);
        }
        Form::Case { word, arms } => {
            substitutions(word, commands);
            arms.iter().for_each(|inner| list(inner, commands));
        }
    }
}
