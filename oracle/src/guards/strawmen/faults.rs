//! The faults: what each strawman believes, and how it comes to.

use super::misreadings as misread;
use super::views;
use shfence::{
    Cd, Containment, FsView, Inner, LastStage, MemoryView, Operands, Or, Prefixes, Redirections,
    Repository, Semantics, Subshells, Substitutions, Targets, VerdictRule, Walks,
};
use shfence_corpus::{Case, PROJ, Shell, Shells, TOP, Text};

/// One fault.
pub(super) struct Fault {
    pub(super) name: &'static str,
    pub(super) believes: &'static str,
    /// The shells in which that is wrong.
    pub(super) wrong_in: Shells,
    pub(super) wrong: Wrong,
}

/// How a guard comes to be wrong.
#[derive(Clone, Copy)]
pub(super) enum Wrong {
    /// It allows everything.
    Allows,
    /// It believes something else of shells and trees.
    Believes(Semantics),
    /// It does not see all of the tree.
    Sees(fn(MemoryView) -> Box<dyn FsView>),
    /// It takes the question for another one.
    Asks(fn(&mut Case)),
}

const REAL: Semantics = Semantics::MEASURED;

/// `believes` is what it takes for true, which is not.
const fn fault(name: &'static str, believes: &'static str, wrong: Wrong) -> Fault {
    Fault { name, believes, wrong_in: Shells::ALL, wrong }
}

const fn of_beliefs(name: &'static str, believes: &'static str, semantics: Semantics) -> Fault {
    fault(name, believes, Wrong::Believes(semantics))
}

impl Fault {
    const fn only_in(self, wrong_in: Shells) -> Fault {
        Fault { wrong_in, ..self }
    }
}

const ZSH: Shells = Shells::NONE.with(Shell::Zsh);
const BASH_AND_ZSH: Shells = ZSH.with(Shell::Bash);
const BASH_AND_SH: Shells = Shells::only(Shell::Bash).with(Shell::Sh);

/// All of them; the first one is [`super::Strawman::ALLOW_EVERYTHING`].
pub(super) const FAULTS: &[Fault] = &[
    fault("allow-everything", "every line is harmless", Wrong::Allows),
    of_beliefs(
        "any-segment",
        "a line is what one of its commands is",
        Semantics { verdict: VerdictRule::AnySegment, ..REAL },
    ),
    of_beliefs(
        "first-segment",
        "a line is what its first command is",
        Semantics { verdict: VerdictRule::FirstSegment, ..REAL },
    ),
    fault("first-line", "a line ends where its first line does", Wrong::Asks(misread::first_line)),
    of_beliefs(
        "string-prefix",
        "a path is inside if its text begins with the root's",
        Semantics { containment: Containment::TextPrefix, ..REAL },
    ),
    of_beliefs(
        "relative-inside",
        "a path that is not absolute is inside",
        Semantics { containment: Containment::Relative, ..REAL },
    ),
    of_beliefs(
        "looks-harmless",
        "what is only looked at or listed may be anywhere",
        Semantics { containment: Containment::Looks, ..REAL },
    ),
    fault("lexical-only", "there are no links", Wrong::Sees(views::without_links)),
    fault(
        "dangling-inside",
        "a link to what is not there leads nowhere",
        Wrong::Sees(views::without_dangling_links),
    ),
    of_beliefs(
        "cd-allowed",
        "cd is a command like any other",
        Semantics { cd: Cd::NoEffect, ..REAL },
    ),
    of_beliefs(
        "cd-always-succeeds",
        "cd cannot fail",
        Semantics { cd: Cd::AlwaysSucceeds, ..REAL },
    ),
    of_beliefs(
        "cd-physical",
        "cd takes .. from where a link leads",
        Semantics { cd: Cd::Physical, ..REAL },
    ),
    // zsh takes no OLDPWD from outside.
    of_beliefs("cd-minus-stays", "cd - goes nowhere", Semantics { cd: Cd::NeverBack, ..REAL })
        .only_in(BASH_AND_SH),
    of_beliefs(
        "subshell-stays",
        "a cd reaches out of its subshell",
        Semantics { subshells: Subshells::TheShell, ..REAL },
    ),
    of_beliefs(
        "last-stage-ends",
        "a cd never reaches out of the last stage of a pipeline",
        Semantics { last_stage: LastStage::Copy, ..REAL },
    )
    .only_in(ZSH),
    of_beliefs(
        "or-never-runs",
        "what stands behind || does not run",
        Semantics { or: Or::NeverRuns, ..REAL },
    ),
    fault("cdpath-ignored", "CDPATH is not set", Wrong::Asks(|case| unset(case, "CDPATH"))),
    fault("home-inside", "HOME is the project", Wrong::Asks(home_is_the_project)),
    fault("pwd-ignored", "PWD says what the kernel says", Wrong::Asks(pwd_is_the_cwd)),
    of_beliefs(
        "operands-by-text",
        ".. in an operand takes a name away",
        Semantics { operands: Operands::Logical, ..REAL },
    ),
    of_beliefs(
        "redirections-never-fail",
        "a redirection keeps nothing from running",
        Semantics { redirections: Redirections::NeverFail, ..REAL },
    ),
    of_beliefs(
        "redirections-harmless",
        "a redirection touches nothing",
        Semantics { targets: Targets::Harmless, ..REAL },
    ),
    of_beliefs(
        "prefixes-harmless",
        "an assignment before a command changes nothing",
        Semantics { prefixes: Prefixes::AreHarmless, ..REAL },
    ),
    of_beliefs(
        "substitutions-unread",
        "a command substitution is text",
        Semantics { substitutions: Substitutions::AreText, ..REAL },
    ),
    of_beliefs(
        "env-unread",
        "what env runs is harmless",
        Semantics { inner: Inner::HarmlessOf("env"), ..REAL },
    ),
    of_beliefs(
        "find-unread",
        "what find runs is harmless",
        Semantics { inner: Inner::HarmlessOf("find"), ..REAL },
    ),
    of_beliefs(
        "xargs-unread",
        "what xargs runs is harmless",
        Semantics { inner: Inner::HarmlessOf("xargs"), ..REAL },
    ),
    of_beliefs(
        "git-trusted",
        "every repository is harmless",
        Semantics { repository: Repository::Trusted, ..REAL },
    ),
    of_beliefs(
        "walks-stay",
        "no command follows a link that no word names",
        Semantics { walks: Walks::NeverFollow, ..REAL },
    ),
    fault("comments-to-the-end", "a comment has no end", Wrong::Asks(misread::comments)),
    fault("documents-to-the-end", "a here-document has no end", Wrong::Asks(misread::documents)),
    fault("dollar-quotes-plain", "$'…' is '…'", Wrong::Asks(misread::dollar_quotes))
        .only_in(BASH_AND_ZSH),
    fault("patterns-are-text", "a pattern is a name", Wrong::Asks(misread::patterns)),
    fault(
        "matches-are-operands",
        "what a pattern matches is no option",
        Wrong::Asks(misread::matches),
    ),
    fault("braces-are-text", "{a,b} is a name", Wrong::Asks(misread::braces)).only_in(BASH_AND_ZSH),
    fault("tildes-are-text", "~ is a name", Wrong::Asks(misread::tildes)),
    fault("parameters-are-text", "$V is a name", Wrong::Asks(misread::parameters)),
    fault("long-options-unread", "a long option names no file", Wrong::Asks(misread::options)),
];

fn unset(case: &mut Case, name: &str) {
    case.env.remove(name);
}

fn home_is_the_project(case: &mut Case) {
    case.env.insert("HOME".to_owned(), Some(Text::from(format!("{TOP}/{PROJ}"))));
}

fn pwd_is_the_cwd(case: &mut Case) {
    case.pwd = None;
    unset(case, "PWD");
}
