//! What the words of a command use, and what stands against saying so.

use super::grammar::{Class, Grammar, Language, Search, Verb};
use super::selected::FoundNames;
use super::writing::Written;
use super::{awk, find, git, jq, printf, reading, test, wrappers, xargs};
use crate::plan::Role;
use crate::syntax::tree::Text;

/// A word, as far as it is known before the line runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// Exactly this.
    Is(&'a [u8]),
    /// One word that begins so, perhaps with nothing that is known.
    Begins(&'a [u8]),
    /// One word that begins so and goes on with decimal digits, at least one.
    Counts(&'a [u8]),
    /// One word, a decimal number, perhaps negative.
    Integer,
}

impl Default for Word<'_> {
    fn default() -> Self {
        Word::UNKNOWN
    }
}

impl<'a> Word<'a> {
    /// A word of which nothing is known.
    pub const UNKNOWN: Word<'static> = Word::Begins(b"");

    /// All that is known of it.
    pub fn known(self) -> &'a [u8] {
        match self {
            Word::Is(text) | Word::Begins(text) | Word::Counts(text) => text,
            Word::Integer => b"",
        }
    }

    /// The word, if all of it is known.
    pub fn whole(self) -> Option<&'a [u8]> {
        match self {
            Word::Is(text) => Some(text),
            Word::Begins(_) | Word::Counts(_) | Word::Integer => None,
        }
    }

    /// Are options looked for in it?
    pub(super) fn may_be_option(self) -> bool {
        match self {
            Word::Is(text) => text.len() > 1 && text[0] == b'-',
            Word::Begins(text) => text.first().is_none_or(|first| *first == b'-'),
            Word::Counts(text) => text.starts_with(b"-"),
            Word::Integer => true,
        }
    }

    /// What follows after `count` known bytes.
    pub(super) fn after(self, count: usize) -> Word<'a> {
        match self {
            Word::Is(text) => Word::Is(&text[count..]),
            Word::Begins(text) => Word::Begins(&text[count..]),
            Word::Counts(text) => Word::Counts(&text[count..]),
            Word::Integer => Word::Begins(b""),
        }
    }
}

/// What a command uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses<'w> {
    /// The paths, in the order of the words that name them.
    pub paths: Vec<Use<'w>>,
    /// Does it read standard input?
    pub stdin: bool,
    /// Are the names that it prints, or may they be, those of secrets?
    pub prints_secrets: bool,
    /// Globs: the name of whatever is found matches one of them. Empty if nothing was selected so.
    pub globs: Vec<Vec<u8>>,
    /// The commands that it runs.
    pub runs: Vec<Inner<'w>>,
    /// The git repository that it uses.
    pub repository: Option<InRepository<'w>>,
    /// Those of the paths that say where it starts.
    pub moves: Vec<Use<'w>>,
    /// The words that name programs of `node_modules/.bin`.
    pub bins: Vec<usize>,
    /// The words that name scripts of `package.json`, or else such programs.
    pub scripts: Vec<usize>,
    /// What it looks for upward.
    pub seeks: Vec<&'static Search>,
    /// The places that it writes.
    pub written: Vec<Written<'w>>,
    /// Is it a form that edits, and so declared in the profile `edit` only?
    pub edits: bool,
    /// Does it go from one operand to the next, or run a command for each name, so that later ones
    /// may find what those before have changed?
    pub repeats: bool,
    /// The operands that other files take the place of.
    pub rewritten: Vec<usize>,
    /// How the names end under which those files are kept.
    pub suffixes: Vec<&'w [u8]>,
}

/// Where a command looks for a git repository, and what it does there beside reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InRepository<'w> {
    /// The directory it starts in, as text; not for the words themselves, in which it is already.
    pub directory: Text<'w>,
    /// What it does.
    pub form: Form,
    /// Below which of its paths it takes files into the repository; anywhere, if there is none.
    pub takes: Vec<Text<'w>>,
}

/// What a command does in a git repository beside reading it. What git uses there depends on all of
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Does it look at the linked worktrees, wherever they are?
    pub worktrees: bool,
    /// Does it write down in the index what it found out about files, and run the hook for that?
    pub refreshes: bool,
    /// Does it write in the repository, and run hooks?
    pub writes: bool,
    /// Which files of the worktree does it take into it?
    pub adds: Adds,
    /// Does its index hold afterwards what it held before, and what it takes in, but no more?
    pub extends: bool,
    /// Does it put other files, and links, where tracked ones stand?
    pub restores: bool,
    /// Does it open files by the names that are tracked, through whatever is there now?
    pub opens: bool,
    /// Does it look for attributes in the directories of the files that it shows?
    pub attributes: bool,
    /// Does it show differences of what was tracked once, perhaps in what is a link by now?
    pub history: bool,
}

/// Files of the worktree that git takes into the repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adds {
    /// None.
    #[default]
    Nothing,
    /// Those that it tracks.
    Tracked,
    /// Any.
    Anything,
}

/// A command that another one runs, in the same directory: its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner<'w>(pub Vec<Part<'w>>);

/// A word, or some, of a command that another one runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'w> {
    /// The word of the outer command with this index.
    Word(usize),
    /// One word that begins so and holds a name that comes in on standard input.
    Holding(Text<'w>),
    /// Names that the outer command finds.
    Found {
        /// Which ones.
        found: FoundNames<'w>,
        /// How many names?
        number: Number,
    },
    /// Names that come in on standard input, one per line or ended by NUL.
    Input {
        /// How many names?
        number: Number,
        /// Ended by NUL, so that any name is one?
        exact: bool,
    },
}

/// How many names stand in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Exactly one.
    One,
    /// At least one.
    Some,
    /// Perhaps none.
    Any,
}

/// A path that the words of a command name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use<'w> {
    /// The index of the word that names it; 0, the command itself, for the working directory.
    pub word: usize,
    /// The path as text.
    pub text: Text<'w>,
    /// What is done with it.
    pub role: Role,
    /// And with everything below it?
    pub under: bool,
    /// Are links below it followed?
    pub follow: bool,
    /// Are links followed that stand in it, if it is a directory?
    pub entries: bool,
    /// Is every place on the way to it looked at?
    pub way: bool,
    /// Is it not the path, but every place on the way to it under the shell's name for it?
    pub along: bool,
    /// Only possibly?
    pub may: bool,
}

impl<'w> Use<'w> {
    /// A path that a word names.
    pub(super) fn of(word: usize, text: impl Into<Text<'w>>, role: Role) -> Use<'w> {
        Use {
            word,
            text: text.into(),
            role,
            under: false,
            follow: false,
            entries: false,
            way: false,
            along: false,
            may: false,
        }
    }
}

/// A word of which the catalogue cannot say that it is harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objection {
    /// Its index; 0, the command itself, for a word that is missing.
    pub word: usize,
    /// What stands against it.
    pub why: Why,
}

/// What stands against a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// An option, or an operand, that is not declared.
    Undeclared,
    /// A value that the option or operand may not have.
    Value,
    /// It is not known, and could be an option.
    UnknownOption,
    /// It is not known, and names a path.
    UnknownPath,
    /// It is not known, and must be.
    Unknown,
    /// A word is missing without which the verb does something else.
    Missing,
    /// It names a file of more words.
    ResponseFile,
    /// The variable's name looks like that of a secret.
    Secret,
}

impl Why {
    /// Is it that the word is not known, rather than what it says?
    pub fn is_unknown(self) -> bool {
        matches!(self, Why::UnknownOption | Why::UnknownPath | Why::Unknown)
    }

    /// As a sentence without a full stop.
    pub fn note(self, word: &str, verb: &str) -> String {
        match self {
            Why::Undeclared => format!("'{word}' is not declared for '{verb}'"),
            Why::Value => format!("'{word}' is not among the values declared for '{verb}'"),
            Why::UnknownOption => format!("a word that is not known may be an option of '{verb}'"),
            Why::UnknownPath => format!("a path that '{verb}' uses here is not known"),
            Why::Unknown => format!("what '{verb}' is told here is not known"),
            Why::Missing => format!("'{verb}' is declared only with more words than these"),
            Why::ResponseFile => {
                format!("'{verb}' reads more words from the file that '{word}' names")
            }
            Why::Secret => format!("'{word}' looks like the name of a secret"),
        }
    }
}

/// What the words of a command (the verb first) use. `cd` is not asked here.
pub fn uses<'w>(verb: &Verb<'_>, words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let mut uses = used(verb, words)?;
    uses.edits |= verb.entry.class == Class::Edit;
    Ok(uses)
}

fn used<'w>(verb: &Verb<'_>, words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    match &verb.entry.grammar {
        Grammar::Words | Grammar::Cd => Ok(Uses::default()),
        Grammar::Options(options) => reading::read(options, words),
        Grammar::Language(Language::Awk) => awk::read(words),
        Grammar::Language(Language::Jq) => jq::read(words),
        Grammar::Language(Language::Printf) => printf::read(words),
        Grammar::Language(Language::Find) => find::read(words),
        Grammar::Language(Language::Git) => git::read(words),
        Grammar::Language(Language::Test) => test::read(words),
        Grammar::Language(Language::Command) => wrappers::command(words),
        Grammar::Language(Language::Env) => wrappers::env(words),
        Grammar::Language(Language::Time) => wrappers::time(words),
        Grammar::Language(Language::Xargs) => xargs::read(words),
    }
}
