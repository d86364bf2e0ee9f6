//! The verbs a case uses, with the options people give them.

/// A verb.
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    /// What people write, each as the words it takes.
    pub(crate) options: &'static [&'static [&'static str]],
    /// What few write, and what carries a path (the word ends in `=`) or follows links.
    pub(crate) odd_options: &'static [&'static [&'static str]],
    pub(crate) operands: Operands,
}

/// What a verb's operands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    None,
    /// Text that names nothing.
    Words,
    Files,
    /// Files and directories.
    Anything,
}

/// The verbs, in the order of their weights.
pub(crate) const VERBS: [Verb; 7] = [
    Verb {
        name: "cat",
        options: &[&["-n"], &["-b"], &["-s"]],
        odd_options: &[&["-A"], &["--number"], &["-nb"], &["-"], &["--nosuch"]],
        operands: Operands::Files,
    },
    Verb {
        name: "ls",
        options: &[&["-l"], &["-a"], &["-la"], &["-1"], &["-lh"], &["-d"]],
        odd_options: &[&["-R"], &["-L"], &["-H"], &["-F"], &["--color=always"], &["-lR"]],
        operands: Operands::Anything,
    },
    Verb {
        name: "head",
        options: &[&["-n", "5"], &["-n5"], &["-5"], &["-c", "20"], &["-q"]],
        odd_options: &[&["--lines=5"], &["-n-1"], &["-n", "+2"], &["--li", "5"], &["-n"]],
        operands: Operands::Files,
    },
    Verb {
        name: "wc",
        options: &[&["-l"], &["-w"], &["-c"], &["-lw"]],
        odd_options: &[&["--files0-from="], &["--fi="], &["-L"], &["--lines"], &["--total=never"]],
        operands: Operands::Files,
    },
    Verb {
        name: "pwd",
        options: &[&["-P"], &["-L"]],
        odd_options: &[&["-LP"], &["--help"]],
        operands: Operands::None,
    },
    Verb {
        name: "echo",
        options: &[&["-n"]],
        odd_options: &[&["-e"], &["-E"], &["--"]],
        operands: Operands::Words,
    },
    Verb { name: "true", options: &[], odd_options: &[&["--version"]], operands: Operands::None },
];
