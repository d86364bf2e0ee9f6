//! The verbs themselves.
//!
//! Written from GNU coreutils 9.1, busybox 1.35 and the built-ins of bash 5.2, dash 0.5.12 and zsh
//! 5.9. Left out on purpose: `ls -L -H -F --color` and whatever else makes `ls` look through links,
//! `wc --files0-from`, which reads a list of files, and the `--help` and `--version` of GNU.

use super::grammar::{Getopt, Grammar, Operands, Verb};

const CAT: Getopt = Getopt {
    flags: "AbeEnstTuv",
    values: "",
    long_flags: &[
        "show-all",
        "number-nonblank",
        "show-ends",
        "number",
        "squeeze-blank",
        "show-tabs",
        "show-nonprinting",
    ],
    long_values: &[],
    numeric: false,
    recursive: &[],
    looks_along: "",
    operands: Operands::Read,
};

const HEAD: Getopt = Getopt {
    flags: "qvz",
    values: "nc",
    long_flags: &["quiet", "silent", "verbose", "zero-terminated"],
    long_values: &["lines", "bytes"],
    numeric: true,
    recursive: &[],
    looks_along: "",
    operands: Operands::Read,
};

const WC: Getopt = Getopt {
    flags: "cmlLw",
    values: "",
    long_flags: &["bytes", "chars", "lines", "max-line-length", "words"],
    long_values: &[],
    numeric: false,
    recursive: &[],
    looks_along: "",
    operands: Operands::Read,
};

const LS: Getopt = Getopt {
    flags: "aAlhtrSRdinsgoGkmxC1cuUXvNbqQp",
    values: "",
    long_flags: &[
        "all",
        "almost-all",
        "human-readable",
        "reverse",
        "recursive",
        "directory",
        "inode",
        "size",
        "numeric-uid-gid",
        "full-time",
        "color=never",
    ],
    long_values: &[],
    numeric: false,
    recursive: &["R", "recursive"],
    looks_along: "",
    operands: Operands::List,
};

const PWD: Getopt = Getopt {
    flags: "LP",
    values: "",
    long_flags: &[],
    long_values: &[],
    numeric: false,
    recursive: &[],
    looks_along: "P",
    operands: Operands::None,
};

/// All of them.
pub(super) const VERBS: &[Verb] = &[
    Verb { name: "cat", grammar: Grammar::Getopt(CAT) },
    Verb { name: "cd", grammar: Grammar::Cd },
    Verb { name: "echo", grammar: Grammar::Words },
    Verb { name: "head", grammar: Grammar::Getopt(HEAD) },
    Verb { name: "ls", grammar: Grammar::Getopt(LS) },
    Verb { name: "pwd", grammar: Grammar::Getopt(PWD) },
    Verb { name: "true", grammar: Grammar::Words },
    Verb { name: "wc", grammar: Grammar::Getopt(WC) },
];
