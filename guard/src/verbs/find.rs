//! `find`: starting points, then an expression.
//!
//! From GNU findutils 4.9 and busybox 1.35. What removes or writes (`-delete`, `-fprint`), asks
//! (`-ok`) or runs a command elsewhere (`-execdir`), and what reads starting points from a file, is
//! not declared. The options of BSD (`-E -X -f -s`) are not either.

mod selecting;

use super::selected::{FoundNames, Selected};
use super::uses::{Inner, Number, Objection, Part, Use, Uses, Why, Word};
use crate::plan::Role;
use crate::protected::{
    is_secret_path, selects_secret_names, selects_secret_paths, selects_secrets,
};
use crate::syntax::tree::Text;
use selecting::{Selecting, selecting};
use std::sync::Arc;

/// Operators, actions and tests without an argument.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "!", "(", ")", ",", "-a", "-and", "-daystart", "-depth", "-empty", "-false",
    "-ignore_readdir_race", "-ls", "-mount", "-nogroup", "-noignore_readdir_race", "-noleaf",
    "-not", "-nouser", "-nowarn", "-o", "-or", "-print", "-print0", "-prune", "-quit", "-true",
    "-warn", "-xdev",
];

/// Those that look at where links lead, whatever else is said.
const FOLLOWING: &[&str] = &["-executable", "-follow", "-readable", "-writable"];

/// Tests and actions with an argument that is text.
#[rustfmt::skip]
const TEXT: &[&str] = &[
    "-amin", "-atime", "-cmin", "-ctime", "-fstype", "-gid", "-group", "-ilname", "-iname", "-inum",
    "-ipath", "-iregex", "-iwholename", "-links", "-lname", "-maxdepth", "-mindepth", "-mmin",
    "-mtime", "-name", "-path", "-perm", "-regex", "-regextype", "-size", "-type", "-uid", "-used",
    "-user", "-wholename",
];

/// Tests whose argument is a path that is looked at.
const REFERENCE: &[&str] = &["-anewer", "-cnewer", "-newer", "-samefile"];

/// What the words of a `find` use.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    Ok(Reading::of(words)?.uses())
}

/// Which names it prints of those that stand below its starting points.
pub(super) fn printed(words: &[Word<'_>]) -> Result<Selected, Objection> {
    Ok(Reading::of(words)?.selecting().printed)
}

struct Reading<'r, 'w> {
    words: &'r [Word<'w>],
    at: usize,
    /// Are links followed?
    follow: bool,
    /// A test that selects secrets by their names, or of which that is not known.
    secret: Option<Objection>,
    /// The globs of `-name` that are not negated.
    globs: Vec<Vec<u8>>,
    starts: Vec<Use<'w>>,
    /// Where the expression begins.
    expression: usize,
    /// What it uses beside them.
    uses: Vec<Use<'w>>,
    commands: Vec<Command>,
}

/// A command that is run for what is found.
struct Command {
    /// The indices of its words; nothing for `{}`.
    words: Vec<Option<usize>>,
    /// How many names is `{}`?
    number: Number,
}

impl Command {
    /// What it is if these names are found.
    fn of<'w>(self, found: &FoundNames<'w>) -> Inner<'w> {
        let Command { words, number } = self;
        let part = |word: Option<usize>| match word {
            Some(word) => Part::Word(word),
            None => Part::Found { found: found.clone(), number },
        };
        Inner(words.into_iter().map(part).collect())
    }
}

impl<'r, 'w> Reading<'r, 'w> {
    fn of(words: &'r [Word<'w>]) -> Result<Reading<'r, 'w>, Objection> {
        let mut reading = Reading {
            words,
            at: 1,
            follow: false,
            secret: None,
            globs: Vec::new(),
            starts: Vec::new(),
            expression: 0,
            uses: Vec::new(),
            commands: Vec::new(),
        };
        reading.options()?;
        reading.starting_points()?;
        reading.expression = reading.at;
        reading.expression()?;
        Ok(reading)
    }

    fn uses(mut self) -> Uses<'w> {
        let runs = match self.commands.is_empty() {
            true => Vec::new(),
            false => self.runs(),
        };
        for start in &mut self.starts {
            start.follow = self.follow;
        }
        // It opens the directory it starts in, to come back.
        self.uses.push(Use::of(0, b".", Role::Test));
        self.uses.append(&mut self.starts);
        self.uses.sort_by_key(|it| it.word);
        Uses {
            paths: self.uses,
            repeats: !runs.is_empty(),
            runs,
            globs: self.globs,
            prints_secrets: self.secret.is_some(),
            ..Uses::default()
        }
    }

    /// The commands that it runs, each with the names that come to it.
    fn runs(&mut self) -> Vec<Inner<'w>> {
        let below: Arc<[Text<'w>]> = self.starts.iter().map(|start| start.text.clone()).collect();
        let all = self.selecting().commands.into_iter().chain(std::iter::repeat(Selected::ANY));
        let of = |(command, which): (Command, Selected)| {
            command.of(&FoundNames { paths: Arc::clone(&below), which })
        };
        std::mem::take(&mut self.commands).into_iter().zip(all).map(of).collect()
    }

    fn selecting(&self) -> Selecting {
        let within = if self.follow { Selected::ANY } else { Selected::HERE };
        selecting(&self.words[self.expression..], &within)
    }

    fn object<T>(&self, why: Why) -> Result<T, Objection> {
        Err(Objection { word: self.at, why })
    }

    /// The next word; all of it must be known.
    fn known(&self, why: Why) -> Result<Option<&'w [u8]>, Objection> {
        match self.words.get(self.at) {
            None => Ok(None),
            Some(Word::Is(text)) => Ok(Some(text)),
            Some(Word::Begins(_) | Word::Counts(_) | Word::Integer) => self.object(why),
        }
    }

    /// `-H`, `-L` and `-P`, before everything else. GNU takes the last of them; in busybox `-L`
    /// holds whatever follows.
    fn options(&mut self) -> Result<(), Objection> {
        while let Some(text) = self.known(Why::UnknownOption)? {
            match text {
                b"-H" | b"-P" => {}
                b"-L" => self.follow = true,
                b"--" => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
        Ok(())
    }

    /// The words before the first that begins an expression.
    fn starting_points(&mut self) -> Result<(), Objection> {
        while let Some(text) = self.known(Why::UnknownPath)? {
            if begins_expression(text) {
                break;
            }
            self.starts.push(Use { under: true, ..Use::of(self.at, text, Role::List) });
            self.at += 1;
        }
        if self.starts.is_empty() {
            self.starts.push(Use { under: true, ..Use::of(0, b".", Role::List) });
        }
        Ok(())
    }

    fn expression(&mut self) -> Result<(), Objection> {
        while let Some(text) = self.known(Why::UnknownOption)? {
            let is = |list: &[&str]| list.iter().any(|it| it.as_bytes() == text);
            if is(FOLLOWING) {
                self.follow = true;
            } else if is(TEXT) {
                self.at += 1;
                if text.ends_with(b"name") {
                    self.glob();
                    self.selection(selects_secret_names);
                } else if text.ends_with(b"path") {
                    self.selection(|glob| selects_secrets(glob) || selects_secret_paths(glob));
                } else if text.ends_with(b"regex") {
                    self.selection(selects_secrets);
                }
            } else if text == b"-exec" {
                self.command()?;
            } else if is(REFERENCE) || is_newer_than_file(text) {
                self.at += 1;
                if let Some(path) = self.known(Why::UnknownPath)? {
                    self.uses.push(Use::of(self.at, path, Role::Test));
                    if text == b"-samefile" && is_secret_path(path) {
                        self.secret = Some(Objection { word: self.at, why: Why::Secret });
                    }
                }
            } else if text.starts_with(b"-newer") && text.len() == 8 && text[7] == b't' {
                // A zone in a time is a path.
                self.at += 1;
                let time = self.known(Why::Unknown)?.unwrap_or_default();
                if time.windows(3).any(|part| part == b"TZ=") {
                    return self.object(Why::Value);
                }
            } else if text == b"-xtype" {
                // Where a link leads is looked at.
                self.at += 1;
                self.follow = true;
            } else if text == b"-printf" {
                self.at += 1;
                let format = self.known(Why::Unknown)?.unwrap_or_default();
                self.follow |= format.contains(&b'Y');
            } else if !is(PLAIN) {
                return self.object(Why::Undeclared);
            }
            self.at += 1;
        }
        match self.secret {
            Some(objection) if !self.commands.is_empty() => Err(objection),
            _ => Ok(()),
        }
    }

    /// The glob that follows says what is found, if it does not say what is not.
    fn glob(&mut self) {
        let glob = self.words.get(self.at).and_then(|word| word.whole());
        self.globs.extend(glob.filter(|_| !self.is_negated()).map(<[u8]>::to_vec));
    }

    /// Is the test, whose argument comes next, one that must fail?
    fn is_negated(&self) -> bool {
        let before = self.words[..self.at - 1].iter().rev();
        before.take_while(|word| matches!(word, Word::Is(b"!" | b"-not"))).count() % 2 == 1
    }

    /// The pattern that follows selects what is found, if it does not say what is not.
    fn selection(&mut self, selects: fn(&[u8]) -> bool) {
        let why = match self.words.get(self.at).map(|word| word.whole()) {
            Some(Some(pattern)) if self.is_negated() || !selects(pattern) => return,
            Some(Some(_)) => Why::Secret,
            Some(None) => Why::Unknown,
            _ => return,
        };
        self.secret = Some(Objection { word: self.at, why });
    }

    /// `-exec COMMAND … ;` or `-exec COMMAND … {} +`. A name that is a part of a word may become
    /// any other path. A `+` elsewhere is a word to GNU; in busybox it ends the command as well.
    fn command(&mut self) -> Result<(), Objection> {
        let mut words = Vec::new();
        loop {
            self.at += 1;
            let Some(text) = self.known(Why::Unknown)? else {
                return Err(Objection { word: 0, why: Why::Missing });
            };
            match text {
                b";" => break,
                b"+" if words.last() == Some(&None) => break,
                b"+" => return self.object(Why::Value),
                b"{}" => words.push(None),
                _ if text.windows(2).any(|two| two == b"{}") => return self.object(Why::Value),
                _ => words.push(Some(self.at)),
            }
        }
        let number = if self.words[self.at] == Word::Is(b"+") { Number::Some } else { Number::One };
        match words.first() {
            Some(Some(_)) => self.commands.push(Command { words, number }),
            _ => return self.object(Why::Undeclared),
        }
        Ok(())
    }
}

/// Has this test an argument?
fn takes_argument(test: &[u8]) -> bool {
    let is = |list: &[&str]| list.iter().any(|it| it.as_bytes() == test);
    is(TEXT) || is(REFERENCE) || test.starts_with(b"-newer") || is(&["-printf", "-xtype"])
}

/// `-neweraB FILE`: any time of one file against any of another.
fn is_newer_than_file(text: &[u8]) -> bool {
    match text.strip_prefix(b"-newer") {
        Some([of, than]) => b"aBcm".contains(of) && b"aBcm".contains(than),
        _ => false,
    }
}

fn begins_expression(text: &[u8]) -> bool {
    text.starts_with(b"-") || matches!(text, b"(" | b"!")
}
