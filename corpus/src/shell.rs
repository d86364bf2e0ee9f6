//! The shells a line is for.

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A shell language. Which program stands for it is the oracle's business: `sh` may be dash,
/// busybox ash or `bash --posix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shell {
    /// GNU bash, not in POSIX mode.
    Bash,
    /// Whatever answers to `sh`.
    Sh,
    /// zsh in its native mode.
    Zsh,
}

impl Shell {
    /// All three, in the order in which everything prints them.
    pub const ALL: [Shell; 3] = [Shell::Bash, Shell::Sh, Shell::Zsh];

    /// `bash`, `sh`, `zsh`.
    pub fn name(self) -> &'static str {
        match self {
            Shell::Bash => "bash",
            Shell::Sh => "sh",
            Shell::Zsh => "zsh",
        }
    }
}

impl fmt::Display for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Shell {
    type Err = String;
    fn from_str(name: &str) -> Result<Shell, String> {
        Shell::ALL
            .into_iter()
            .find(|shell| shell.name() == name)
            .ok_or_else(|| format!("unknown shell '{name}': expected bash, sh or zsh"))
    }
}

/// A set of shells, never empty when it comes from a file or a command line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shells(u8);

impl Shells {
    /// bash, sh and zsh.
    pub const ALL: Shells = Shells(0b111);
    /// No shell: the start of a set that is being built.
    pub const NONE: Shells = Shells(0);

    /// The set of one.
    pub const fn only(shell: Shell) -> Shells {
        Shells(1 << shell as u8)
    }

    /// Is `shell` in the set?
    pub fn contains(self, shell: Shell) -> bool {
        self.0 & Shells::only(shell).0 != 0
    }

    /// The set with `shell` added.
    #[must_use]
    pub const fn with(self, shell: Shell) -> Shells {
        Shells(self.0 | Shells::only(shell).0)
    }

    /// Is there no shell in it?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of [`Shell::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Shell> {
        Shell::ALL.into_iter().filter(move |shell| self.contains(*shell))
    }
}

impl FromIterator<Shell> for Shells {
    fn from_iter<I: IntoIterator<Item = Shell>>(shells: I) -> Shells {
        shells.into_iter().fold(Shells::NONE, Shells::with)
    }
}

impl fmt::Debug for Shells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Shells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, shell) in self.iter().enumerate() {
            write!(f, "{}{shell}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Shells {
    type Err = String;
    /// Reads `bash,sh,zsh`.
    fn from_str(list: &str) -> Result<Shells, String> {
        list.split(',').map(str::parse).collect()
    }
}

impl Serialize for Shells {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Shells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<Shell>::deserialize(deserializer)?;
        let set: Shells = list.iter().copied().collect();
        if set.is_empty() || set.iter().count() != list.len() {
            return Err(de::Error::custom("a list of different shells, at least one"));
        }
        Ok(set)
    }
}
