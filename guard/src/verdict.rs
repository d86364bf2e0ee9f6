//! What the guard answers.

use crate::path::Physical;
use crate::plan::Plan;
use crate::rules::Rule;
use crate::span::Span;
use crate::syntax::NotUnderstood;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// The answer to a [`Request`](crate::Request).
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The one word.
    pub decision: Decision,
    /// The root that authorised an allow: the first one that contains what the line uses.
    pub root: Option<Physical>,
    /// Was it decided without a view? Then links were not seen.
    pub lexical: bool,
    /// What stands against an allow, in the order of the line, a denial first. Empty for an allow.
    pub reasons: Vec<Reason>,
    /// The rules of the configuration that decided, or without which it would have been asked.
    pub rules: Vec<Rule>,
    /// What the line will do, if it is understood.
    pub plan: Result<Plan, NotUnderstood>,
}

/// The one word of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The line may run without a question.
    Allow,
    /// A person decides.
    Ask,
    /// The line may not run.
    Deny,
}

impl Decision {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that stands against an allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// What kind of thing.
    pub code: Code,
    /// Where in the line.
    pub span: Span,
    /// What it is, for a person, as one sentence without a full stop.
    pub note: String,
}

/// Adds an objection, unless it is there already. Those about one place follow one another, so that
/// only they are compared: a command may have thousands.
pub(crate) fn object(objections: &mut Vec<Reason>, reason: Reason) {
    let mut here = objections.iter().rev().take_while(|it| it.span == reason.span);
    if !here.any(|it| *it == reason) {
        objections.push(reason);
    }
}

/// The kinds of reason. "Not understood" says nothing about the policy; the others say nothing
/// against the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The guard makes no claim about what the line does.
    NotUnderstood(crate::syntax::Construct),
    /// The command is not among the declared verbs.
    UndeclaredVerb,
    /// The verb is declared, this option of it is not.
    UndeclaredOption,
    /// The command may start in a directory outside the scope.
    CwdOutside,
    /// It cannot be told in which directory the command starts.
    CwdUnknown,
    /// A path leads outside the scope.
    PathOutside,
    /// It cannot be told where a path leads.
    PathUnresolved,
    /// What a word stands for is not known before the line runs.
    WordUnknown,
    /// A variable is printed whose name looks like that of a secret.
    Secret,
    /// A file is read whose name says that it holds a secret.
    Protected,
    /// The git repository may make git run or read something else.
    Repository,
    /// A rule denies the command.
    DenyRule,
    /// A rule asks about the command.
    AskRule,
    /// It cannot be told whether a rule denies the command or asks about it.
    RuleUnsure,
    /// No rule opens this command.
    Ceiling,
    /// The configuration cannot be read, so that what it denies is not known.
    Configuration,
    /// A file is written.
    Writes,
    /// A descriptor is used that the line did not open.
    ForeignDescriptor,
    /// A variable is set that is not declared, or not with this value.
    Assignment,
    /// It runs while the rest of the line goes on.
    Background,
    /// A name that a pattern matches would be taken for an option.
    PatternOption,
    /// An inherited variable changes what the declared verbs do.
    Environment,
    /// A program is not there, and would be fetched.
    Fetches,
    /// The directory that the line is said to start in cannot be used.
    BadStart,
}

impl Code {
    /// Its stable name: `path-outside`; `not-understood/glob`.
    pub fn name(self) -> String {
        self.to_string()
    }

    /// Its name, or the first part of it.
    fn kind(self) -> &'static str {
        match self {
            Code::NotUnderstood(_) => "not-understood",
            Code::UndeclaredVerb => "undeclared-verb",
            Code::UndeclaredOption => "undeclared-option",
            Code::CwdOutside => "cwd-outside",
            Code::CwdUnknown => "cwd-unknown",
            Code::PathOutside => "path-outside",
            Code::PathUnresolved => "path-unresolved",
            Code::WordUnknown => "word-unknown",
            Code::Secret => "secret",
            Code::Protected => "protected",
            Code::Repository => "repository",
            Code::DenyRule => "deny-rule",
            Code::AskRule => "ask-rule",
            Code::RuleUnsure => "rule-unsure",
            Code::Ceiling => "ceiling",
            Code::Configuration => "configuration",
            Code::Writes => "writes",
            Code::ForeignDescriptor => "foreign-descriptor",
            Code::Assignment => "assignment",
            Code::Background => "background",
            Code::PatternOption => "pattern-option",
            Code::Environment => "environment",
            Code::Fetches => "fetches",
            Code::BadStart => "bad-start",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self {
            Code::NotUnderstood(construct) => write!(f, "/{}", construct.name()),
            _ => Ok(()),
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Code::NotUnderstood(_) => serializer.collect_str(self),
            _ => serializer.serialize_str(self.kind()),
        }
    }
}
