//! Options of shells under which a plan does not say what happens.
//!
//! A line does not show which options its shell has set. With one of these set, some line that the
//! guard understands is read in another way than the plan says, so whoever sets the guard up must
//! see to it that they are not. Other options were tried and change nothing that is understood. The
//! oracle has a line for each of these that shows it.

/// An option that must not be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledOut {
    /// The shell that has it.
    pub shell: &'static str,
    /// Its name, as `set -o`, `shopt` or `setopt` has it.
    pub option: &'static str,
    /// What the shell does then, as a sentence without a full stop.
    pub why: &'static str,
}

/// All of them, by shell and name.
pub const RULED_OUT: &[RuledOut] = &[
    RuledOut {
        shell: "bash",
        option: "cdable_vars",
        why: "'cd x' enters the directory that the variable x names",
    },
    RuledOut { shell: "bash", option: "dotglob", why: "'*' matches hidden names" },
    RuledOut { shell: "bash", option: "globstar", why: "'**' matches names at any depth" },
    RuledOut { shell: "bash", option: "nocaseglob", why: "patterns match names in the other case" },
    RuledOut {
        shell: "bash",
        option: "nullglob",
        why: "a pattern that matches nothing is no word at all",
    },
    RuledOut {
        shell: "bash",
        option: "physical",
        why: "'cd ..' behind a link goes to where the link leads, and up from there",
    },
    RuledOut { shell: "zsh", option: "BRACE_CCL", why: "'{ab}' is one word for each character" },
    RuledOut {
        shell: "zsh",
        option: "CDABLE_VARS",
        why: "'cd x' enters the directory that the variable x names",
    },
    RuledOut {
        shell: "zsh",
        option: "CHASE_DOTS",
        why: "'cd ..' behind a link goes to where the link leads, and up from there",
    },
    RuledOut {
        shell: "zsh",
        option: "CHASE_LINKS",
        why: "'cd ..' behind a link goes to where the link leads, and up from there",
    },
    RuledOut {
        shell: "zsh",
        option: "EXTENDED_GLOB",
        why: "'#', '~' and '^' in a word make it a pattern",
    },
    RuledOut { shell: "zsh", option: "GLOB_ASSIGN", why: "'*' in a value is a pattern" },
    RuledOut { shell: "zsh", option: "GLOB_DOTS", why: "'*' matches hidden names" },
    RuledOut {
        shell: "zsh",
        option: "NULL_GLOB",
        why: "a pattern that matches nothing is no word at all",
    },
];
