//! Token patterns, and whether the words of a command begin as one says.

use super::synonyms::{Letters, holds_letters, may_be_given, same_sub_command};
use crate::plan::{Bytes, PlanWord};
use std::fmt;

/// How the words of a command must begin: token by token, and perhaps end there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    tokens: Vec<Token>,
    end: bool,
}

/// What a pattern asks of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Exactly this word.
    Is(Vec<u8>),
    /// One word that begins so.
    Begins(Vec<u8>),
    /// Exactly one word, any.
    One,
    /// Any number of words, any. Only imported rules have it.
    Many,
}

/// How many words may stand between those of a pattern.
const SKIPPED_MAX: usize = 64;

/// Why a text is no pattern, as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(pub(crate) String);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

/// Do words begin as a pattern says?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// They do not, whatever is not known of them.
    No,
    /// They may, as far as they are known.
    May,
    /// They do, whatever is not known of them.
    Sure,
}

/// How words are compared. A rule that opens takes what is written, no more; one that closes takes
/// whatever comes to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Word by word.
    Narrow,
    /// The program also behind a directory (`/bin/rm` is `rm`), options may stand between
    /// (`git --no-pager push` is `git push`), and names and clusters of options come to the same
    /// (`npm i` is `npm install`, `rm -fr` is `rm -rf`).
    Wide,
}

impl Pattern {
    /// Reads `npm run *`, or `git status $`: words between blanks. `*` is any one word, `$` as the
    /// last one says that the command ends there; behind a backslash they are themselves.
    ///
    /// # Errors
    /// There is no word, `$` stands before another, a `*` is a part of a word, or there is a
    /// quote: a word with blanks is given in a list of words.
    pub fn from_text(text: &str) -> Result<Pattern, PatternError> {
        if let Some(quote) = text.chars().find(|c| "'\"`".contains(*c)) {
            let what = format!("holds a {quote}; give words with blanks or quotes as a list");
            return Err(PatternError(what));
        }
        Pattern::from_words(text.split_ascii_whitespace())
    }

    /// The same, from words that may hold anything.
    ///
    /// # Errors
    /// As for a text.
    pub fn from_words<'a>(
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Pattern, PatternError> {
        let (mut tokens, mut end) = (Vec::new(), false);
        for word in words {
            if end {
                return Err(PatternError("goes on behind '$', which ends a command".to_owned()));
            }
            match word {
                "$" => end = true,
                "*" => tokens.push(Token::One),
                "\\*" | "\\$" => tokens.push(Token::Is(word.as_bytes()[1..].to_vec())),
                _ if word.contains('*') => {
                    let what = format!("has '{word}': '*' stands for one whole word");
                    return Err(PatternError(what));
                }
                _ => tokens.push(Token::Is(word.as_bytes().to_vec())),
            }
        }
        Pattern::from_tokens(tokens, end)
    }

    /// From tokens, of which there must be one.
    pub(crate) fn from_tokens(tokens: Vec<Token>, end: bool) -> Result<Pattern, PatternError> {
        match tokens.first() {
            None => Err(PatternError("names no command".to_owned())),
            Some(Token::Is(name)) if name.is_empty() => {
                Err(PatternError("names no command: its first word is empty".to_owned()))
            }
            Some(_) => Ok(Pattern { tokens, end }),
        }
    }

    /// The words that must come first, as far as the pattern says what they are.
    pub(crate) fn known(&self) -> Vec<&[u8]> {
        let known = self.tokens.iter().map_while(|token| match token {
            Token::Is(word) => Some(&word[..]),
            _ => None,
        });
        known.collect()
    }

    /// Does it ask for any program at all?
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.tokens.first(), Some(Token::Is(_)))
    }

    /// The words as configuration has them, of which a text of words between blanks can be made, or
    /// a list must be.
    pub fn words(&self) -> Vec<String> {
        let end = self.end.then(|| "$".to_owned());
        let tokens = self.tokens.iter().map(|token| match token {
            Token::Is(word) if word == b"*" || word == b"$" => {
                format!("\\{}", String::from_utf8_lossy(word))
            }
            Token::Is(word) => String::from_utf8_lossy(word).into_owned(),
            Token::Begins(start) => format!("{}*", String::from_utf8_lossy(start)),
            Token::One => "*".to_owned(),
            Token::Many => "…".to_owned(),
        });
        tokens.chain(end).collect()
    }

    /// Do these words, the program first, begin so?
    pub(crate) fn matches(&self, words: &[PlanWord], reading: Reading) -> Match {
        // Most rules are about other programs: that is found without computing anything.
        if let (Some(Token::Is(name)), Some(PlanWord::Is(called))) =
            (self.tokens.first(), words.first())
            && !(**name == **called || reading == Reading::Wide && is_program_named(name, called))
        {
            return Match::No;
        }
        let mut states = States::at_start(self, reading);
        for (index, word) in words.iter().enumerate() {
            if !self.end && states.reached(self.tokens.len()) == Match::Sure {
                return Match::Sure;
            }
            // So many options nobody writes: a person looks.
            if index > self.tokens.len() + SKIPPED_MAX {
                return Match::May;
            }
            states.step(self, word, index == 0);
            if states.is_dead() {
                return self.apart(words, reading);
            }
        }
        states.result(self).max(self.apart(words, reading))
    }

    /// May the words hold what the pattern's options come to, wherever these stand and however they
    /// are written? `rm a -r --force` comes to `rm -rf`.
    fn apart(&self, words: &[PlanWord], reading: Reading) -> Match {
        let is_of_options = |token: &&Token| matches!(token, Token::Is(word) if is_option(word));
        let (options, others): (Vec<&Token>, Vec<&Token>) =
            self.tokens.iter().partition(is_of_options);
        let may_be_given = |token: &&Token| match token {
            Token::Is(option) => may_be_given(option, &words[1..]),
            _ => true,
        };
        let all = reading == Reading::Wide
            && !(self.end || options.is_empty())
            && options.iter().all(may_be_given);
        let others = || Pattern { tokens: others.into_iter().cloned().collect(), end: false };
        if all { others().matches(words, reading).min(Match::May) } else { Match::No }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

/// How far into a pattern the words so far may have led, and how surely.
struct States {
    /// By the number of tokens that are taken.
    taken: Vec<Match>,
    /// The same, where the last word was an option that may take the next one as its value.
    optional: Vec<Match>,
    /// The best that has been reached of a pattern that need not end.
    best: Match,
    reading: Reading,
    is_git: bool,
    /// Does the option that was the last word certainly take the next one?
    value_is_sure: bool,
}

/// Options of git before its sub-command that take the next word (git(1)).
const GIT_VALUES: [&[u8]; 6] =
    [b"--attr-source", b"--git-dir", b"--namespace", b"--work-tree", b"-C", b"-c"];

impl States {
    fn at_start(pattern: &Pattern, reading: Reading) -> States {
        let places = pattern.tokens.len() + 1;
        let mut taken = vec![Match::No; places];
        taken[0] = Match::Sure;
        let optional = vec![Match::No; places];
        let (best, is_git, value_is_sure) = (Match::No, false, false);
        let mut states = States { taken, optional, best, reading, is_git, value_is_sure };
        states.pass_many(pattern);
        states
    }

    fn reached(&self, place: usize) -> Match {
        self.taken[place].max(self.optional[place]).max(self.best)
    }

    fn is_dead(&self) -> bool {
        let nowhere = |list: &[Match]| list.iter().all(|it| *it == Match::No);
        self.best == Match::No && nowhere(&self.taken) && nowhere(&self.optional)
    }

    fn result(&self, pattern: &Pattern) -> Match {
        self.reached(pattern.tokens.len())
    }

    /// Takes one word of a plan.
    fn step(&mut self, pattern: &Pattern, word: &PlanWord, is_program: bool) {
        if let PlanWord::Many = word {
            return self.anything(pattern);
        }
        let places = self.taken.len();
        let mut taken = vec![Match::No; places];
        let mut optional = vec![Match::No; places];
        let raise = |list: &mut Vec<Match>, place: usize, to: Match| {
            list[place] = list[place].max(to);
        };
        for place in 0..places {
            let value = self.optional[place];
            let here = match self.value_is_sure {
                true => self.taken[place],
                false => self.taken[place].max(value),
            };
            if here.max(value) == Match::No {
                continue;
            }
            if let Some(token) = pattern.tokens.get(place) {
                let fits = self.fits(pattern, place, word, is_program);
                let next = if *token == Token::Many { place } else { place + 1 };
                raise(&mut taken, next, here.min(fits));
            } else if !pattern.end {
                raise(&mut taken, place, here);
            }
            if self.reading == Reading::Wide && place > 0 && place < pattern.tokens.len() {
                let skipped = here.min(known_or_may(word, is_between));
                raise(if takes_value(word) { &mut optional } else { &mut taken }, place, skipped);
                let most = if self.value_is_sure { Match::Sure } else { Match::May };
                raise(&mut taken, place, value.min(most));
            }
        }
        let takes_next = |text: &[u8]| GIT_VALUES.contains(&text);
        self.value_is_sure = self.is_git && known_or_may(word, takes_next) == Match::Sure;
        if is_program {
            self.is_git = known_or_may(word, |text| base_name(text) == b"git") == Match::Sure;
        }
        (self.taken, self.optional) = (taken, optional);
        self.pass_many(pattern);
    }

    /// Any number of words: whatever can still come may have come.
    fn anything(&mut self, pattern: &Pattern) {
        if !pattern.end {
            self.best = self.best.max(self.reached(pattern.tokens.len()));
        }
        let first = (0..self.taken.len()).find(|place| self.reached(*place) != Match::No);
        for place in first.unwrap_or(self.taken.len())..self.taken.len() {
            self.taken[place] = Match::May;
        }
        self.optional.fill(Match::No);
    }

    /// No word at all is any number of words as well.
    fn pass_many(&mut self, pattern: &Pattern) {
        for (place, token) in pattern.tokens.iter().enumerate() {
            if *token == Token::Many {
                self.taken[place + 1] = self.taken[place + 1].max(self.taken[place]);
            }
        }
    }

    /// Is the word what the token in this place asks for?
    fn fits(&self, pattern: &Pattern, place: usize, word: &PlanWord, is_program: bool) -> Match {
        match &pattern.tokens[place] {
            Token::One | Token::Many => Match::Sure,
            Token::Begins(start) => known_or_may(word, |text| text.starts_with(start)),
            Token::Is(name) if self.reading == Reading::Narrow => {
                known_or_may(word, |text| text == name)
            }
            Token::Is(name) if is_program => {
                known_or_may(word, |text| is_program_named(name, text))
            }
            Token::Is(name) => {
                let program = pattern.known().first().copied().unwrap_or_default();
                let sub = |text: &[u8]| place == 1 && same_sub_command(program, name, text);
                let sure = known_or_may(word, |text| {
                    text == name || sub(text) || holds_letters(name, text) == Some(Letters::Same)
                });
                let may = known_or_may(word, |text| holds_letters(name, text).is_some());
                sure.max(may.min(Match::May))
            }
        }
    }
}

/// What may stand between the words of a pattern: an option, the end of them, and what docker's
/// newer names of its commands have in front: `docker container run`.
fn is_between(text: &[u8]) -> bool {
    is_option(text) || matches!(text, b"--" | b"container" | b"image")
}

/// Does it hold for all that the word may be, for some, or for none?
fn known_or_may(word: &PlanWord, holds: impl Fn(&[u8]) -> bool) -> Match {
    let of = |texts: &[Bytes]| match texts.iter().filter(|text| holds(text)).count() {
        0 => Match::No,
        some if some == texts.len() => Match::Sure,
        _ => Match::May,
    };
    match word {
        PlanWord::Is(text) => of(std::slice::from_ref(text)),
        PlanWord::OneOf(texts) => of(texts),
        PlanWord::One | PlanWord::Many => Match::May,
    }
}

fn is_option(text: &[u8]) -> bool {
    text.starts_with(b"-") && text != b"-" && text != b"--"
}

/// May the word behind this option be its value? Not behind `--name=value`.
fn takes_value(word: &PlanWord) -> bool {
    known_or_may(word, |text| is_option(text) && !text.contains(&b'=')) != Match::No
}

/// Is a program that is called so the one that a rule names? File systems may not tell case apart.
pub(crate) fn is_program_named(name: &[u8], called: &[u8]) -> bool {
    match name.contains(&b'/') {
        true => without_dots(name).eq(without_dots(called)),
        false => base_name(called).eq_ignore_ascii_case(name),
    }
}

/// The last name of a path.
pub(crate) fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// The names of a path, with what says nothing left out: `./a//b` is `a/b`.
fn without_dots(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let root = path.starts_with(b"/").then_some(&b"/"[..]);
    let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".");
    root.into_iter().chain(names)
}
