//! Rules in a text that is not understood.
//!
//! Such a line asks. If what a deny rule names stands in it where a command may stand, it is
//! denied: nothing is allowed by this reading, so that it may be a rough one.

use super::pattern::{Match, Pattern, Reading, base_name};
use crate::plan::{Bytes, PlanWord};
use crate::syntax::may_run_its_words;
use std::collections::BTreeSet;

/// The commands that may stand in a line, as far as its text tells.
pub(crate) struct Text {
    commands: Vec<Command>,
    /// The last names of all words, in lower case: most rules name none of them.
    names: BTreeSet<Vec<u8>>,
}

impl Text {
    pub(crate) fn of(line: &[u8]) -> Text {
        let commands = commands(&without_documents(line));
        let words = commands.iter().flat_map(|command| &command.words);
        let name = |word: &PlanWord| match word {
            PlanWord::Is(text) => Some(base_name(text).to_ascii_lowercase()),
            _ => None,
        };
        let names = words.filter_map(name).collect();
        Text { commands, names }
    }

    /// Does what the pattern names stand in the line as a command, or among the words of one that
    /// runs its words?
    pub(crate) fn names(&self, pattern: &Pattern) -> bool {
        let program = pattern.known().first().map(|name| base_name(name).to_ascii_lowercase());
        program.is_none_or(|program| self.names.contains(&program))
            && self.commands.iter().any(|it| stands_in(pattern, &it.words, it.quoted))
    }
}

/// Does it stand at a place of these words where a command may begin?
fn stands_in(pattern: &Pattern, words: &[PlanWord], quoted: bool) -> bool {
    let start = words.iter().take_while(|word| is_before_command(word)).count();
    let words = &words[start..];
    let Some(PlanWord::Is(program)) = words.first() else { return false };
    // `sudo -u x rm`, `eval "cd /; rm"`, `exec 3>&1 rm`: any of them may be the one that runs.
    let sure = |words: &[PlanWord]| pattern.matches(words, Reading::Wide) == Match::Sure;
    match quoted {
        true => (0..words.len()).any(|at| sure(&words[at..])),
        false if may_run_its_words(base_name(program)) => {
            sure(words) || are_run(pattern, words) == Match::Sure
        }
        false => sure(words),
    }
}

/// Do these words, of a command of which it is not known what it runs, hold what the pattern names?
pub(crate) fn are_run(pattern: &Pattern, words: &[PlanWord]) -> Match {
    // What `find` runs stands behind an action; other words of it are names.
    let is_find = words.first().is_some_and(|it| is_word(it, |text| base_name(text) == b"find"));
    let is_action = |text: &[u8]| text.starts_with(b"-exec") || text.starts_with(b"-ok");
    let may_begin = |at: &usize| !is_find || is_word(&words[at - 1], is_action);
    let places = (1..words.len()).filter(may_begin);
    let best = places.map(|at| pattern.matches(&words[at..], Reading::Wide)).max();
    best.unwrap_or(Match::No)
}

/// How many here-documents of a line are left out.
const DOCUMENTS_MAX: usize = 32;

/// The line without the bodies of its here-documents, which are data, unless a command of the same
/// line runs its words, or they hold a substitution. Behind a quote, a comment or an arithmetic
/// expression `<<` may be none, and what follows no body: then nothing is left out any more.
fn without_documents(line: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = line.split(|byte| *byte == b'\n').collect();
    let mut kept: Vec<&[u8]> = Vec::new();
    let (mut at, mut documents, mut certain) = (0, 0, true);
    let is_certain = |byte: &u8| !b"'\"`\\#$({[".contains(byte);
    while let Some(text) = lines.get(at) {
        kept.push(text);
        at += 1;
        let Some((around, delimiter)) = document(text) else {
            certain &= text.iter().all(is_certain);
            continue;
        };
        certain &= around.concat().iter().all(is_certain);
        documents += 1;
        if documents > DOCUMENTS_MAX || !certain {
            continue;
        }
        let ends = |line: &&[u8]| {
            let start = line.iter().take_while(|byte| **byte == b'\t').count();
            line[start..] == delimiter[..]
        };
        let body = lines[at..].iter().position(ends);
        let Some(length) = body.filter(|_| !names_a_runner(text)) else { continue };
        let substitutes =
            |line: &&[u8]| line.contains(&b'`') || line.windows(2).any(|it| it == b"$(");
        if !lines[at..at + length].iter().any(substitutes) {
            at += length + 1;
        }
    }
    kept.join(&b'\n')
}

/// What stands around the here-document of this line, if it has one, and the word that ends it.
fn document(line: &[u8]) -> Option<([&[u8]; 2], Vec<u8>)> {
    let at = line.windows(2).position(|it| it == b"<<")?;
    let rest = line[at + 2..].strip_prefix(b"-").unwrap_or(&line[at + 2..]).trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b";&|<>()".contains(byte);
    let word = rest.split(ends).next().unwrap_or_default();
    let plain: Vec<u8> = word.iter().copied().filter(|byte| !b"'\"\\".contains(byte)).collect();
    let around = [&line[..at], &rest[word.len()..]];
    (!plain.is_empty()).then_some((around, plain))
}

fn names_a_runner(line: &[u8]) -> bool {
    let parts = |byte: &u8| byte.is_ascii_whitespace() || b";&|<>()'\"`$".contains(byte);
    line.split(parts).any(|word| may_run_its_words(base_name(word)))
}

/// The words between two operators.
#[derive(Default)]
struct Command {
    words: Vec<PlanWord>,
    /// Does it stand within quotes that a command before it may run?
    quoted: bool,
    /// Is one of its words a command that runs the others?
    runs: bool,
}

/// Takes a line apart at whatever ends a command in some shell. Quotes are left out, and what
/// stands in them is taken apart only behind a command that runs its words.
fn commands(line: &[u8]) -> Vec<Command> {
    let mut all = vec![Command::default()];
    let mut word: Vec<u8> = Vec::new();
    let mut quote = None;
    let mut in_comment = false;
    for (index, byte) in line.iter().copied().enumerate() {
        let begins_word =
            word.is_empty() && (index == 0 || b" \t\n;&|(".contains(&line[index - 1]));
        in_comment =
            byte != b'\n' && (in_comment || (byte == b'#' && quote.is_none() && begins_word));
        if in_comment {
            continue;
        }
        let runs = all.last().is_some_and(|it| it.quoted || it.runs);
        let ends_command = b";&|()\n`{}".contains(&byte) && (quote.is_none() || runs);
        let ends_word = byte.is_ascii_whitespace() && (quote.is_none() || runs);
        let begins_substitution = byte == b'$' && line.get(index + 1) == Some(&b'(');
        // What is substituted is a command also within double quotes.
        if (begins_substitution || byte == b'`') && quote == Some(b'"') {
            quote = None;
        }
        match byte {
            _ if ends_command || begins_substitution => {
                end_word(&mut all, &mut word);
                all.push(Command { quoted: quote.is_some() && runs, ..Command::default() });
            }
            _ if ends_word => end_word(&mut all, &mut word),
            b'\'' | b'"' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            b'\\' => {}
            _ => word.push(byte),
        }
    }
    end_word(&mut all, &mut word);
    all
}

fn end_word(all: &mut [Command], word: &mut Vec<u8>) {
    if let Some(command) = all.last_mut()
        && !word.is_empty()
    {
        command.runs |= may_run_its_words(base_name(word));
        command.words.push(PlanWord::Is(Bytes::from(&word[..])));
        word.clear();
    }
}

/// Words that stand before a command without being one: reserved ones, and assignments.
fn is_before_command(word: &PlanWord) -> bool {
    #[rustfmt::skip]
    const RESERVED: &[&[u8]] = &[
        b"!", b"do", b"elif", b"else", b"if", b"then", b"time", b"until", b"while", b"coproc",
        b"nocorrect", b"noglob",
    ];
    is_word(word, |text| {
        let name = text.split(|byte| *byte == b'=').next().unwrap_or_default();
        let assigns = name.len() < text.len()
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        assigns || RESERVED.contains(&text)
    })
}

fn is_word(word: &PlanWord, is: impl Fn(&[u8]) -> bool) -> bool {
    matches!(word, PlanWord::Is(text) if is(text))
}
