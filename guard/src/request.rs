//! What a decision is asked about.

use crate::rules::Rules;
use crate::scope::Scope;
use crate::verbs::Declared;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Everything that a verdict depends on, besides the view of the file system. The guard has no
/// clock, reads no environment and keeps no state: what is not in here does not count.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The command text.
    pub line: &'a [u8],
    /// The directory the line starts in.
    pub cwd: Cwd<'a>,
    /// The directories the project owns.
    pub scope: &'a Scope,
    /// `$HOME`, if it is known.
    pub home: Option<&'a Path>,
    /// The environment variables that were seen set. What is not in here is taken as not set.
    pub env: &'a Env,
    /// The shells that may run the line.
    pub dialects: Dialects,
    /// How the text reaches the shell.
    pub invocation: Invocation,
    /// What is declared.
    pub policy: &'a Policy,
    /// How much of a line is looked at.
    pub limits: Limits,
}

/// The directory a line starts in: where it is, and what the shell calls it.
#[derive(Clone, Copy, Debug)]
pub struct Cwd<'a> {
    /// An absolute path of the directory. It may lead through links: the view resolves it. Empty if
    /// it is not known: then the line must say itself where it goes (`cd /p && ls`).
    pub dir: &'a Path,
    /// The `$PWD` that the shell inherits, if it is known. `cd ..` from the start goes where this
    /// text says; without it, everything above the start is unknown.
    pub pwd: Option<&'a Path>,
}

/// Environment variables by name.
pub type Env = BTreeMap<Vec<u8>, Vec<u8>>;

/// A set of shells, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialects {
    /// GNU bash.
    pub bash: bool,
    /// What answers to `sh`: dash, busybox ash, `bash --posix`.
    pub sh: bool,
    /// zsh.
    pub zsh: bool,
}

impl Dialects {
    /// bash, sh and zsh: the default, since a hook rarely knows.
    pub const ALL: Dialects = Dialects { bash: true, sh: true, zsh: true };

    /// Their names, in the order of the alphabet.
    pub fn names(self) -> Vec<&'static str> {
        let all = [(self.bash, "bash"), (self.sh, "sh"), (self.zsh, "zsh")];
        all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
    }
}

impl FromStr for Dialects {
    type Err = String;
    /// Reads `bash,sh,zsh` or a part of it.
    fn from_str(list: &str) -> Result<Dialects, String> {
        let mut dialects = Dialects { bash: false, sh: false, zsh: false };
        for name in list.split(',') {
            match name {
                "bash" => dialects.bash = true,
                "sh" => dialects.sh = true,
                "zsh" => dialects.zsh = true,
                _ => return Err(format!("unknown shell '{name}': expected bash, sh or zsh")),
            }
        }
        Ok(dialects)
    }
}

/// How an agent hands the text to a shell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invocation {
    /// `shell -c TEXT`, read once.
    #[default]
    C,
    /// `eval 'TEXT'` inside another `-c`.
    Eval,
    /// Pasted between `(` and `)`.
    Parens,
    /// `eval "TEXT"` through JSON quoting.
    JsonEval,
    /// Typed into an interactive shell.
    Typed,
}

impl FromStr for Invocation {
    type Err = String;
    fn from_str(name: &str) -> Result<Invocation, String> {
        Ok(match name {
            "c" => Invocation::C,
            "eval" => Invocation::Eval,
            "parens" => Invocation::Parens,
            "json-eval" => Invocation::JsonEval,
            "typed" => Invocation::Typed,
            _ => {
                return Err(format!(
                    "unknown invocation '{name}': expected c, eval, parens, json-eval or typed"
                ));
            }
        })
    }
}

/// What is declared, by default and by the person who installed the guard.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// How much the built-in policy allows.
    pub profile: Profile,
    /// What the person's rules deny, ask about and allow.
    pub rules: Rules,
    /// Verbs that are declared beside the shipped ones.
    pub verbs: Declared,
    /// Names of files that are protected as well; `*` stands for anything.
    pub protected_names: Vec<String>,
    /// Absolute places whose change asks whatever they are called, with all below them: where the
    /// guard itself is configured, and keeps its log.
    pub guarded: Vec<PathBuf>,
    /// Branches to which no rule opens a push, beside the usual ones; `*` stands for anything.
    pub protected_branches: Vec<String>,
    /// What could not be read of the configuration, each as a sentence. Then every line asks: what
    /// cannot be read may be a denial.
    pub faults: Vec<String>,
}

/// The built-in policies, each a part of the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// Verbs that read.
    Read,
    /// Verbs that read or build. The default.
    #[default]
    ReadBuild,
    /// Also verbs that write inside the project.
    Edit,
}

impl FromStr for Profile {
    type Err = String;
    fn from_str(name: &str) -> Result<Profile, String> {
        Ok(match name {
            "read" => Profile::Read,
            "read-build" => Profile::ReadBuild,
            "edit" => Profile::Edit,
            _ => {
                return Err(format!("unknown profile '{name}': expected read, read-build or edit"));
            }
        })
    }
}

impl Profile {
    /// As configuration has it.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Read => "read",
            Profile::ReadBuild => "read-build",
            Profile::Edit => "edit",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How much of a line is looked at. They hold before any recursion: a stack overflow would end the
/// process, and most agents read that as "no objection".
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the line.
    pub length: usize,
    /// Groups within groups.
    pub depth: usize,
    /// Simple commands.
    pub commands: usize,
    /// Words, and expansions in them.
    pub words: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { length: 64 * 1024, depth: 64, commands: 1_000, words: 2_048 }
    }
}
