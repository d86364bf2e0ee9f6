//! The catalogue's language: what a file of it may say, and a configuration that declares verbs.
//! The build reads the first with it, the guard the second.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What several verbs have in common: options, and variables.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Set {
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    texts: Vec<String>,
    #[serde(default)]
    values: BTreeMap<String, Meaning>,
    #[serde(default)]
    optional: BTreeMap<String, Meaning>,
    #[serde(default)]
    attached: BTreeMap<String, Meaning>,
    #[serde(default)]
    governed_by: Vec<String>,
}

impl Verb {
    /// Gives it the options of its sets. The error is a set that there is not.
    pub fn expand(&mut self, sets: &BTreeMap<String, Set>) -> Result<(), String> {
        for name in &self.sets {
            let set = sets.get(name).ok_or(format!("there is no set {name:?}"))?.clone();
            self.flags.extend(set.flags);
            self.texts.extend(set.texts);
            self.values.extend(set.values);
            self.optional.extend(set.optional);
            self.attached.extend(set.attached);
            self.governed_by.extend(set.governed_by);
        }
        Ok(())
    }
}

/// One verb, or a sub-command of one. What it does not declare is a question.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Verb {
    /// All its names. That of a sub-command has several words: `"git log"`.
    pub names: Vec<String>,
    /// Of a verb, never of a sub-command.
    pub class: Option<Class>,
    /// Is it the form of a verb, declared elsewhere, in which it edits?
    #[serde(default)]
    pub edits_as_well: bool,
    /// Words that are all plain text, or a language of its own; otherwise options and operands.
    pub language: Option<Language>,
    /// How options are told from operands.
    #[serde(default)]
    pub parser: Parser,
    /// The tool among the shapes that has these options; its first name, if nothing is said.
    pub shape: Option<String>,
    /// Why there is no shape.
    pub by_hand: Option<String>,
    /// Sets of its file whose options it has as well, and whose variables change it.
    #[serde(default)]
    pub sets: Vec<String>,
    /// Harmless options without a value, each with all its names: `"-n --number"`.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Options with a value, attached or the next word, that is plain text.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Other options with a value, and what it is.
    #[serde(default)]
    pub values: BTreeMap<String, Meaning>,
    /// Options with a value only if it is attached.
    #[serde(default)]
    pub optional: BTreeMap<String, Meaning>,
    /// Those of them that are harmless only with a value.
    #[serde(default)]
    pub attached: BTreeMap<String, Meaning>,
    /// Options with a value that another tool of the name takes only if it is attached: so they are
    /// declared only with one.
    #[serde(default)]
    pub attached_only: Vec<String>,
    /// What options do beside what every option does.
    #[serde(default)]
    pub effects: BTreeMap<Effect, Vec<String>>,
    /// What the verb does without being told.
    #[serde(default)]
    pub always: Vec<Effect>,
    /// Options of which each must be there.
    #[serde(default)]
    pub required: Vec<String>,
    /// Is `-5` an option?
    #[serde(default)]
    pub digits: bool,
    /// Is there a tool of the name that has no options, so that all words are operands?
    #[serde(default)]
    pub bare: bool,
    /// Does a word that begins with `@` name a file of more words?
    #[serde(default)]
    pub response_files: bool,
    /// Words that are harmless alone: `--version`.
    #[serde(default)]
    pub alone: Vec<String>,
    /// What the tool looks for upward even then: what says which version it is.
    #[serde(default)]
    pub alone_seeks: Vec<String>,
    #[serde(default)]
    pub operands: Operands,
    /// Files that it reads in every directory from where it starts up to the root of the file
    /// system.
    #[serde(default)]
    pub upward: Vec<String>,
    /// Options with a value that is free.
    #[serde(default)]
    pub free: Vec<String>,
    /// Sub-commands: words that stand before all operands, after which other options hold.
    #[serde(default)]
    pub sub: Vec<Verb>,
    /// Is the sub-command the name of a script, without which it is that of a program?
    #[serde(default)]
    pub script: bool,
    /// Do the options that are declared here hold in its sub-commands as well?
    #[serde(default)]
    pub shared: bool,
    /// The verb that has the same options and operands; then nothing else is said.
    pub like: Option<String>,
    /// What the tool looks for upward: names of `discovery/`.
    #[serde(default)]
    pub seeks: Vec<String>,
    /// Is it a program of `node_modules/.bin`? Then it has that name, too.
    #[serde(default)]
    pub bin: bool,
    /// Is it harmless only with both outputs redirected?
    #[serde(default)]
    pub silent: bool,
    /// Does it search, and say of what it is handed no more than that a pattern is in it? Names
    /// that another command finds may then be those of secrets.
    #[serde(default)]
    pub searches: bool,
    /// Files in the home directory that change what the verb does: where there is one, it asks.
    #[serde(default)]
    pub own_files: Vec<String>,
    /// Variables that change what the verb does; a star stands for any end. A name in small letters
    /// is one in whatever case.
    #[serde(default)]
    pub governed_by: Vec<String>,
    /// Endings of the files that it rewrites below its operands, or anywhere in the project if it
    /// has none. An empty one is that of all.
    pub rewrites: Option<Vec<String>>,
    /// Commands that the catalogue takes; `$x` stands for a word that is not known.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Commands that it does not take.
    #[serde(default)]
    pub ask: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    Read,
    Build,
    /// It changes files of the project. Names of other verbs may have such a form as well.
    Edit,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Words that are text, whatever they say.
    Words,
    Awk,
    Cd,
    Command,
    Env,
    Find,
    Git,
    Jq,
    Printf,
    Test,
    Time,
    Xargs,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Parser {
    /// Options anywhere, as `getopt_long(3)` finds them.
    #[default]
    Permuting,
    /// The same, in every tool of the name.
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

/// What a value or an operand is.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected what a word is: a name, or a table with one key")]
pub enum Meaning {
    Kind(Kind),
    Of(Of),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whatever it says.
    Text,
    /// Decimal digits, perhaps behind a sign.
    Number,
    /// Letters, digits and `_`.
    Name,
    /// The name of a variable that does not look like a secret's.
    Variable,
    /// A command: a path if it holds a slash.
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
    /// A revision, or a path of a git repository that is read.
    Pathspec,
    /// A revision, or a path of a git repository that is listed.
    ListedPathspec,
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
    /// A path at which a build writes.
    Build,
    /// A file that is written, behind links where they lead.
    Write,
    /// A file that another one takes the place of.
    Rewrite,
    /// The end of the name under which what such a file was is kept; nothing to keep nothing.
    Suffix,
    /// A directory that is made.
    Make,
    /// The directory that the operands go into, where these have an `into`.
    Into,
    /// A name that is removed.
    Remove,
    /// What a symbolic link will lead to: taken from where that stands.
    Referent,
    /// A path that is read; `-` is standard input.
    Read,
    /// A path that is read, even if it is `-`.
    ReadAlways,
    List,
    Test,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(clippy::enum_variant_names)] // they are the keys of the files
pub enum Of {
    /// One of these words.
    OneOf(Vec<String>),
    /// These words, separated by commas, each perhaps with `=` behind it.
    ListOf(Vec<String>),
    /// Text that begins so.
    Begins(String),
    /// Text without this in it.
    Without(String),
    /// Any name but these: no path, and no option.
    Except(Vec<String>),
    /// The same, that `package.json` has a script for: it would be another program.
    Script(Vec<String>),
    /// One of these words, perhaps behind names that end with `:`.
    LastOf(Vec<String>),
    /// These characters, and no `-` first.
    Chars(String),
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Everything below an operand is used as well.
    Recursive,
    /// And links below it are followed.
    Follow,
    /// Links below it are not followed, whatever the verb does otherwise.
    Physical,
    /// Every directory that `$PWD` names is looked at.
    Along,
    /// Scripts of other packages are meant, and no program.
    Selects,
    /// Every place on the way to a path is looked at.
    Way,
    /// The operands that come first otherwise are not there.
    ReplacesFirst,
    /// The verb starts in the directory that is the value, and takes paths from there.
    Moves,
    /// Links that stand in a directory that is listed are followed, to say what they lead to.
    Entries,
    /// What a link will lead to is looked at from where the verb starts as well.
    Compares,
    /// What a link will lead to is taken from where the verb starts, not from where that stands.
    Relative,
    /// It reads no more than it is told, so that devices without an end are harmless.
    Bounded,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Operands {
    /// The first ones, by position.
    #[serde(default)]
    pub first: Vec<Meaning>,
    /// All others. Without it there are no others.
    pub rest: Option<Meaning>,
    /// As many there must be.
    #[serde(default)]
    pub min: usize,
    /// What is used if none names a path.
    #[serde(default)]
    pub otherwise: Otherwise,
    /// Is the last one where the others go: a directory, or a name for the only one?
    #[serde(default)]
    pub into: bool,
    /// Of two, is the one that is a directory searched for the name of the other?
    #[serde(default)]
    pub pair: bool,
    /// Does the verb start in the directory that is one, and take paths from there?
    #[serde(default)]
    pub moves: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    #[default]
    Nothing,
    Stdin,
    /// The working directory.
    Here,
    /// The working directory if the verb is recursive, otherwise standard input.
    HereOrStdin,
}
