//! What the catalogue says of a verb. The files in `verbs/` say it, `build/` checks it against the
//! tools and turns it into constants of these types; what a configuration declares becomes values
//! of the same types.

use super::lists::{List, Texts};
use crate::plan::Role;
use std::borrow::Cow;

/// A declared verb, under one of its names.
#[derive(Clone, Copy, Debug)]
pub struct Verb<'c> {
    /// This name. Several words for a sub-command.
    pub name: &'c str,
    /// What is declared.
    pub entry: &'c Entry,
}

/// What is declared of a tool.
#[derive(Clone, Debug)]
pub struct Entry {
    /// All its names.
    pub names: Texts,
    /// What it is for.
    pub class: Class,
    /// How it reads its words.
    pub grammar: Grammar,
    /// The tools and versions that the entry was written from.
    pub written_from: Texts,
    /// Is it harmless only with both outputs redirected?
    pub silent: bool,
    /// Does it search, so that secrets may be among the names that another command finds?
    pub searches: bool,
    /// Files that it reads in every directory from where it starts, and from its operands, up to
    /// the root of the file system.
    pub upward: Texts,
    /// Files in the home directory that change what the verb does.
    pub own_files: Texts,
    /// Endings of the files that it rewrites below its operands, or in the project.
    pub rewrites: Option<Texts>,
    /// Variables that change what the verb does.
    pub governed_by: Texts,
    /// Commands that the entry takes; `$x` is a word that is not known.
    pub allow: Texts,
    /// Commands that it does not take.
    pub ask: Texts,
    /// Where a configuration declares it: the scope is held against all of its words then, since
    /// nobody has held the entry against the tool.
    pub declared_in: Option<String>,
}

/// What a verb is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It only looks.
    Read,
    /// It runs the project's own tool-chain.
    Build,
    /// It changes files of the project.
    Edit,
}

/// The ways to read words.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // the tables hold one for each entry, and nearly all are large
pub enum Grammar {
    /// Any words at all, none of which is a path.
    Words,
    /// `cd`: flow knows where it leads.
    Cd,
    /// Words that are a language of their own.
    Language(Language),
    /// Options and operands.
    Options(Options),
}

/// Verbs whose words are a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `awk`: a program, then files.
    Awk,
    /// `jq`: a filter, then files.
    Jq,
    /// `find`: starting points and an expression.
    Find,
    /// `command`: a command, or the names of some.
    Command,
    /// `env`: variables, then a command.
    Env,
    /// `time`: a command.
    Time,
    /// `xargs`: a command, with words from standard input.
    Xargs,
    /// `git`: options, then a sub-command, which is a verb of its own.
    Git,
    /// `printf`: a format says what its operands are.
    Printf,
    /// `test` and `[`: expressions.
    Test,
}

/// Options and operands.
#[derive(Clone, Debug)]
pub struct Options {
    /// How they are told apart.
    pub parser: Parser,
    /// The declared options, one per name, sorted by name.
    pub options: List<Opt>,
    /// What the verb does without being told.
    pub always: Effects,
    /// Of each of these, one option must be there.
    pub required: List<Texts>,
    /// Is `-5` an option?
    pub digits: bool,
    /// Is there a tool of the name that has no options, so that all words are operands?
    pub bare: bool,
    /// Does a word that begins with `@` name a file of more words?
    pub response_files: bool,
    /// Words that are harmless alone.
    pub alone: Texts,
    /// What the tool looks for upward even then.
    pub alone_seeks: List<&'static [Search]>,
    /// What operands are.
    pub operands: Operands,
    /// The sub-commands: words that stand before all operands.
    pub subs: List<Sub>,
    /// What the tool looks for upward.
    pub seeks: List<&'static [Search]>,
}

/// A sub-command.
#[derive(Clone, Debug)]
pub struct Sub {
    /// All its names.
    pub names: Texts,
    /// Is it the name of a script, without which it is that of a program?
    pub script: bool,
    /// What may follow it.
    pub options: Options,
}

/// What a tool looks for in the directory that it starts in, and in those above it.
#[derive(Debug, PartialEq, Eq)]
pub struct Search {
    /// Names, perhaps behind those of directories.
    pub files: &'static [&'static str],
    /// It goes no further than a directory that has one of these.
    pub ends: &'static [&'static str],
    /// Where it looks.
    pub reach: SearchIn,
}

/// Where a tool looks for files that no word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchIn {
    /// In the directory that it starts in, and in those above.
    Above,
    /// Only where it starts.
    Here,
    /// From there up to the root of the project: what it takes from there, and what it writes. They
    /// count where they are links.
    Links,
    /// Below where it starts: it takes files whose names end so, and goes into directories, through
    /// links as well.
    Below,
    /// Below where it starts, and through no links: it reads files of these names where they lead.
    /// A star stands for any beginning.
    Within,
    /// Below the root of the project, not very deep: directories with a file of one of these names
    /// are parts of the project.
    Parts,
    /// In all of the project: what the files of these names name is a part of it.
    Mentioned,
}

/// How options are told from operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parser {
    /// Anywhere among each other, clustered, values attached or separate, up to `--`: as
    /// `getopt_long(3)` does it. Tools that stop at the first operand read the rest as operands;
    /// what either reading uses is used.
    Permuting,
    /// The same, in every tool of the name: none stops at the first operand.
    Anywhere,
    /// Options up to the first operand.
    Stopping,
    /// The same, and a word that begins with `-` is one option, never a cluster.
    Single,
    /// Options anywhere, in every tool of the name. No value is a word that looks like an option.
    Mixed,
    /// The same, and a word that begins with `-` is one option, never a cluster.
    Words,
    /// As Go's package flag: like `Words`, and an option with a value takes whatever follows.
    Flags,
    /// No options: all words are operands.
    Passed,
}

/// An option.
#[derive(Clone, Debug)]
pub struct Opt {
    /// As it is written: `-n`, `--lines`.
    pub name: Cow<'static, str>,
    /// Does it take a value, and what is that?
    pub value: Value,
    /// What it does beside what every option does.
    pub effects: Effects,
}

/// The value of an option.
#[derive(Clone, Debug)]
pub enum Value {
    /// It has none.
    None,
    /// Attached, or the next word.
    One(Meaning),
    /// Attached, or none.
    Optional(Meaning),
    /// Attached; without one the option is not declared.
    Attached(Meaning),
}

/// What a value or an operand is.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Text, whatever it says.
    Text,
    /// Decimal digits, perhaps behind a sign.
    Number,
    /// Letters, digits and `_`.
    Name,
    /// The name of a variable that does not look like a secret's.
    Variable,
    /// The name of a command: a path that is looked at if it holds a slash.
    Command,
    /// A pattern that selects the files to read, and not secrets by their names.
    Selection,
    /// A script of `sed` that only prints.
    SedScript,
    /// The first word of a command that is run, with all the words after it.
    Run,
    /// Lines of a path of a git repository: `1,5:PATH`, `:FUNCTION:PATH`.
    LineRange,
    /// A format of git's that runs no program.
    GitFormat,
    /// A format of `stat` that looks at nothing else.
    StatFormat,
    /// Objects of a git repository, none of which is a secret.
    Revision,
    /// A revision, or a path of a git repository, with which this is done.
    Pathspec(Role),
    /// A program that stands in `node_modules/.bin`, with all the words after it, which it runs.
    RunBin,
    /// Text; but no part of it may be a path that leaves.
    Free,
    /// The same, that sets no variable and does not install.
    Goal,
    /// A kind of report, perhaps with `:` and where it is written.
    Report,
    /// A path of a file that is read, and not, in braces or behind `=`, what could stand in it, nor
    /// `-` for what comes in.
    Config,
    /// One of these words.
    OneOf(Texts),
    /// A file that is written, behind links where they lead.
    Write,
    /// A file that another one takes the place of.
    Rewrite,
    /// The end of the name under which what such a file was is kept; nothing to keep nothing.
    Suffix,
    /// A directory that is made.
    Make,
    /// The directory that the operands go into.
    Into,
    /// A name that is removed.
    Remove,
    /// What a symbolic link will lead to: taken from where that stands.
    Referent,
    /// Some of these words, separated by commas, each perhaps with `=` behind it.
    ListOf(Texts),
    /// Text that begins so.
    Begins(Cow<'static, str>),
    /// Text without this in it.
    Without(Cow<'static, str>),
    /// One of these words, perhaps behind names that end with `:`.
    LastOf(Texts),
    /// Any name but these: no path, and no option.
    Except(Texts),
    /// The same, that is a script of the project, or else a program of `node_modules/.bin`.
    Script(Texts),
    /// Text of these characters, with no `-` first.
    Chars(Cow<'static, str>),
    /// A path.
    Path {
        /// What is done with it.
        role: Role,
        /// Is `-` standard input?
        dash: bool,
    },
}

/// What is done beside reading the operands: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects(u16);

impl Effects {
    /// Nothing.
    pub const NONE: Effects = Effects(0);
    /// Everything below an operand is used as well.
    pub const RECURSIVE: Effects = Effects(1);
    /// And links below it are followed.
    pub const FOLLOW: Effects = Effects(2);
    /// Links below it are not followed, whatever the verb does otherwise.
    pub const PHYSICAL: Effects = Effects(4);
    /// Every directory that `$PWD` names is looked at.
    pub const ALONG: Effects = Effects(8);
    /// The operands that come first otherwise are not there.
    pub const REPLACES_FIRST: Effects = Effects(16);

    /// Every place on the way to a path is looked at.
    pub const WAY: Effects = Effects(32);

    /// The verb starts in the directory that is the value, and takes paths from there.
    pub const MOVES: Effects = Effects(64);

    /// No more is read than the verb is told, so that devices without an end are harmless.
    pub const BOUNDED: Effects = Effects(128);

    /// Links that stand in a directory that is listed are followed, to say what they lead to.
    pub const ENTRIES: Effects = Effects(256);

    /// What a link will lead to is looked at from where the verb starts as well.
    pub const COMPARES: Effects = Effects(512);

    /// What a link will lead to is taken from where the verb starts, not from where that stands.
    pub const RELATIVE: Effects = Effects(1024);
    /// Scripts of other packages are meant, and no program.
    pub const SELECTS: Effects = Effects(2048);

    /// Both sets.
    pub const fn with(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Is all of `other` in it?
    pub const fn has(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What operands are.
#[derive(Clone, Debug)]
pub struct Operands {
    /// The first ones, by position.
    pub first: List<Meaning>,
    /// All others; without it there are no others.
    pub rest: Option<Meaning>,
    /// As many there must be.
    pub min: usize,
    /// What is used if none names a path.
    pub otherwise: Otherwise,
    /// Of two, is the one that is a directory searched for the name of the other?
    pub pair: bool,
    /// Does the verb start in the directory that is one, and take paths from there?
    pub moves: bool,
    /// Is the last one where the others go: a directory, or a name for the only one?
    pub into: bool,
}

/// What a verb uses that was given no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing.
    Nothing,
    /// Standard input.
    Stdin,
    /// The working directory.
    Here,
    /// The working directory if it is recursive, otherwise standard input.
    HereOrStdin,
}
