//! How an agent hands the text of a line to a shell.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the text of a line reaches the shell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invocation {
    /// `shell -c TEXT`, read once.
    #[default]
    C,
    /// `shell -c "… eval 'TEXT' …"`: read once, inside another text.
    Eval,
    /// Pasted between `(` and `)` of an outer script.
    Parens,
    /// `eval "TEXT"` through JSON quoting: double quotes of an outer script are around it.
    JsonEval,
    /// Typed into an interactive shell.
    Typed,
}

impl Invocation {
    /// All of them.
    pub const ALL: [Invocation; 5] = [
        Invocation::C,
        Invocation::Eval,
        Invocation::Parens,
        Invocation::JsonEval,
        Invocation::Typed,
    ];

    /// `c`, `eval`, `parens`, `json-eval`, `typed`.
    pub fn name(self) -> &'static str {
        match self {
            Invocation::C => "c",
            Invocation::Eval => "eval",
            Invocation::Parens => "parens",
            Invocation::JsonEval => "json-eval",
            Invocation::Typed => "typed",
        }
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Invocation {
    type Err = String;
    fn from_str(name: &str) -> Result<Invocation, String> {
        Invocation::ALL.into_iter().find(|invocation| invocation.name() == name).ok_or_else(|| {
            format!("unknown invocation '{name}': expected c, eval, parens, json-eval or typed")
        })
    }
}
