//! The unit the oracle runs.

use crate::{Invocation, PROJ, RelPath, Shells, TOP, Text, TreeSpec};
use std::collections::BTreeMap;

/// What a case changes in the environment of its shells: a value, or `None` for a variable that is
/// not set. What is not named has the oracle's fixed value.
pub type Env = BTreeMap<String, Option<Text>>;

/// A line and everything that decides what a shell does with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The command text.
    pub line: Text,
    /// The tree it runs in.
    pub tree: TreeSpec,
    /// The directory the shell starts in, below the top, not through a link.
    pub cwd: RelPath,
    /// The inherited `$PWD`, if it is not the cwd itself. A shell takes it as its logical
    /// directory if it names the cwd.
    pub pwd: Option<Text>,
    /// The environment, where it differs from the fixed one.
    pub env: Env,
    /// The shells the line is for.
    pub shells: Shells,
    /// How the text reaches them.
    pub invocation: Invocation,
}

impl Case {
    /// A case in the project's root, in the fixed environment, for all shells, by `-c`.
    pub fn new(line: impl Into<Text>, tree: TreeSpec) -> Case {
        Case {
            line: line.into(),
            tree,
            cwd: RelPath::new(PROJ).expect("a plain name is a path"),
            pwd: None,
            env: Env::new(),
            shells: Shells::ALL,
            invocation: Invocation::C,
        }
    }

    /// The scope: the one root that the guard is told of.
    pub fn root() -> Text {
        Text::from(format!("{TOP}/{PROJ}"))
    }

    /// The logical directory that the shell inherits.
    pub fn logical_cwd(&self) -> Text {
        self.pwd.clone().unwrap_or_else(|| self.cwd.absolute())
    }

    /// `$HOME` as the shell sees it: the tree's home unless the case says otherwise.
    pub fn home(&self) -> Option<Text> {
        match self.env.get("HOME") {
            Some(value) => value.clone(),
            None => Some(Text::from(format!("{TOP}/home"))),
        }
    }
}
