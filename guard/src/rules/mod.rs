//! Rules of the person: what is denied, asked about and allowed, by how a command begins.
//!
//! A rule that closes (`deny`, `ask`) holds for every segment at any depth, and where it cannot be
//! told whether it does, the line asks. A rule that opens (`allow`) takes one undeclared command as
//! declared: it lifts nothing of the scope, of what is protected, and of the ceilings.

mod ceiling;
mod code;
mod date;
mod messages;
mod opened;
mod pattern;
mod proposal;
mod synonyms;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use ceiling::{ceiling, moves_names};
pub(crate) use code::{runs_code, says_what_runs};
pub use date::Date;
pub(crate) use messages::texts;
pub(crate) use opened::Opened;
pub use pattern::{Match, Pattern, PatternError};
pub(crate) use pattern::{Reading, Token, base_name};
pub(crate) use proposal::changed_by;
pub use proposal::propose;

use crate::flow::{Step, argv};
use crate::plan::{Plan, PlanWord, Segment};
use crate::span::Span;
use crate::syntax::may_run_its_words;
use crate::verdict::{Code, Reason, object};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;
use text::Text;

/// What a rule does with the commands that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The line may not run.
    Deny,
    /// A person decides.
    Ask,
    /// The command counts as declared.
    Allow,
}

/// Who wrote a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The person, for all projects.
    User,
    /// The project: it may tighten, and loosen where the person trusts it.
    Project,
}

/// Where a rule stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Who wrote it.
    pub level: Level,
    /// The file, as a person may open it.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it does.
    pub kind: Kind,
    /// How the commands begin that it names.
    pub pattern: Pattern,
    /// Why, in the words of who wrote it.
    pub reason: Option<String>,
    /// The last day on which it holds.
    pub expires: Option<Date>,
    /// Where it stands.
    pub source: Source,
}

/// The rules in force, those that close before those that open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    closing: Vec<Rule>,
    opening: Vec<Rule>,
}

impl Kind {
    /// As configuration has it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Deny => "deny",
            Kind::Ask => "ask",
            Kind::Allow => "allow",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::User => "user",
            Level::Project => "project",
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}:{}", self.level, self.file, self.line)
    }
}

/// `deny 'rm -rf' (user, /home/x/.config/shfence/config.toml:3)`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}' ({})", self.kind.name(), self.pattern, self.source)
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_struct("Rule", 6)?;
        map.serialize_field("rule", &self.kind)?;
        map.serialize_field("command", &self.pattern.to_string())?;
        map.serialize_field("level", &self.source.level)?;
        map.serialize_field("file", &self.source.file)?;
        map.serialize_field("line", &self.source.line)?;
        map.serialize_field("reason", &self.reason)?;
        map.end()
    }
}

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Rules {
        let (opening, mut closing): (Vec<Rule>, Vec<Rule>) =
            rules.into_iter().partition(|rule| rule.kind == Kind::Allow);
        closing.sort_by_key(|rule| rule.kind);
        Rules { closing, opening }
    }
}

impl Rules {
    /// All of them: deny, ask, allow.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.closing.iter().chain(&self.opening)
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.closing.is_empty() && self.opening.is_empty()
    }

    /// The rule by which these words, the program first, count as declared.
    pub(crate) fn opening(&self, words: impl FnOnce() -> Vec<PlanWord>) -> Option<&Rule> {
        if self.opening.is_empty() {
            return None;
        }
        let words = words();
        let opens = |rule: &&Rule| {
            let matched = rule.pattern.matches(&words, Reading::Narrow);
            matched == Match::Sure && !rule.pattern.is_open()
        };
        self.opening.iter().find(opens)
    }
}

/// What the rules that close say of one line.
pub(crate) struct Ruling<'a> {
    rules: &'a Rules,
    /// Why it is denied, or asked about.
    reasons: Vec<Reason>,
    /// The rules that hold for certain.
    decided: Vec<&'a Rule>,
}

impl<'a> Ruling<'a> {
    pub(crate) fn by(rules: &'a Rules) -> Ruling<'a> {
        Ruling { rules, reasons: Vec::new(), decided: Vec::new() }
    }

    /// Holds the rules against segments of a plan.
    pub(crate) fn segments(&mut self, segments: &[Segment]) {
        for rule in &self.rules.closing {
            for segment in segments {
                let mut matched = rule.pattern.matches(&segment.argv, Reading::Wide);
                if let Some(PlanWord::Is(program)) = segment.argv.first()
                    && may_run_its_words(base_name(program))
                {
                    matched = matched.max(text::are_run(&rule.pattern, &segment.argv));
                }
                self.found(rule, matched, segment.span);
            }
        }
    }

    /// Holds the rules against a line of which it is not known what all of its commands run.
    pub(crate) fn opaque(&mut self, steps: &[Step<'_>], line: &[u8]) {
        for rule in &self.rules.closing {
            for step in steps {
                for reading in &step.readings {
                    let words = argv(&reading.words);
                    let mut matched = rule.pattern.matches(&words, Reading::Wide);
                    if may_run_its_words(base_name(&step.simple.name.text)) {
                        matched = matched.max(text::are_run(&rule.pattern, &words));
                    }
                    self.found(rule, matched, step.simple.span);
                }
            }
        }
        self.text(line);
    }

    /// Looks for what the rules name in a line that is not understood.
    pub(crate) fn text(&mut self, line: &[u8]) {
        if self.rules.closing.is_empty() {
            return;
        }
        let text = Text::of(line);
        for rule in &self.rules.closing {
            if text.names(&rule.pattern) {
                self.found(rule, Match::Sure, Span::new(0, line.len()));
            }
        }
    }

    fn found(&mut self, rule: &'a Rule, matched: Match, span: Span) {
        let code = match (matched, rule.kind) {
            (Match::No, _) | (_, Kind::Allow) => return,
            (Match::May, _) => Code::RuleUnsure,
            (Match::Sure, Kind::Deny) => Code::DenyRule,
            (Match::Sure, Kind::Ask) => Code::AskRule,
        };
        let note = match (matched, &rule.reason) {
            (Match::May, _) => format!("it cannot be told whether the rule {rule} is about this"),
            (_, Some(reason)) => format!("{reason}: the rule {rule}"),
            (_, None) => format!("the rule {rule}"),
        };
        object(&mut self.reasons, Reason { code, span, note });
        if matched == Match::Sure && !self.decided.contains(&rule) {
            self.decided.push(rule);
        }
    }

    /// Is the line denied?
    pub(crate) fn denies(&self) -> bool {
        self.decided.iter().any(|rule| rule.kind == Kind::Deny)
    }

    /// The reasons, those of a denial first, and the rules that hold.
    pub(crate) fn into_parts(self) -> (Vec<Reason>, Vec<Rule>) {
        let mut reasons = self.reasons;
        reasons.sort_by_key(|reason| reason.code != Code::DenyRule);
        (reasons, self.decided.into_iter().cloned().collect())
    }
}

/// Is the rule about a command of this plan?
pub(crate) fn is_about(rule: &Rule, plan: &Plan) -> bool {
    let reading = if rule.kind == Kind::Allow { Reading::Narrow } else { Reading::Wide };
    let matched = |segment: &Segment| rule.pattern.matches(&segment.argv, reading);
    plan.segments.iter().any(|segment| matched(segment) == Match::Sure)
}
