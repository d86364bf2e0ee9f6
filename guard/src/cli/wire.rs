//! The JSON of `shfence batch` and `shfence check --json`.

use super::configuration::load_only;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shfence::config::Configuration;
use shfence::rules::Rule;
use shfence::{Cwd, Decision, Dialects, Env, FsView, Invocation, Limits, NoView, Plan, Policy};
use shfence::{Profile, RealView, Reason, Request, Scope, Verdict};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::str::FromStr;

/// One line of input. A field that is not known is an error: it may have been meant to tighten.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    #[serde(default)]
    pub id: Option<Box<RawValue>>,
    command: Option<Text>,
    command_hex: Option<String>,
    cwd: Text,
    pwd: Option<Text>,
    root: Option<Text>,
    roots: Option<Vec<Text>>,
    home: Option<Text>,
    #[serde(default)]
    env: BTreeMap<String, Text>,
    shells: Option<ShellList>,
    invocation: Option<Named<Invocation>>,
    profile: Option<Named<Profile>>,
    view: Option<View>,
    /// A file that is read as the person's configuration; without it there is none.
    config: Option<Text>,
    #[serde(default)]
    pub plan: bool,
}

/// Only the id, for answering a line that is wrong otherwise.
#[derive(Deserialize)]
pub struct OnlyId {
    pub id: Option<Box<RawValue>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum View {
    Real,
    None,
}

/// Bytes: a string, or `{"hex": "…"}`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string, or an object with pairs of digits as hex")]
enum Text {
    Utf8(String),
    Hex { hex: Hex },
}

struct Hex(Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let bytes = shfence::from_hex(&digits);
        bytes.map(Hex).ok_or_else(|| de::Error::custom("no pairs of hex digits"))
    }
}

impl Text {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Text::Utf8(text) => text.into_bytes(),
            Text::Hex { hex: Hex(bytes) } => bytes,
        }
    }

    fn into_path(self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.into_bytes()))
    }
}

/// A value that has a name.
struct Named<T>(T);

impl<'de, T: FromStr<Err = String>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Named).map_err(de::Error::custom)
    }
}

/// `"bash,zsh"` or `["bash", "zsh"]`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected shells as a list, or as a text with commas")]
enum ShellList {
    Text(String),
    List(Vec<String>),
}

impl Question {
    /// Judges it. The error is a sentence.
    pub fn decide(self) -> Result<Verdict, String> {
        let line = match (self.command, self.command_hex) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(hex)) => {
                shfence::from_hex(&hex).ok_or("command_hex is no pairs of hex digits")?
            }
            _ => return Err("exactly one of command and command_hex is needed".to_owned()),
        };
        let roots = match (self.root, self.roots) {
            (Some(root), None) => vec![root.into_path()],
            (None, Some(roots)) => roots.into_iter().map(Text::into_path).collect(),
            _ => return Err("exactly one of root and roots is needed".to_owned()),
        };
        let view: &dyn FsView = match self.view.unwrap_or(View::Real) {
            View::Real => &RealView,
            View::None => &NoView,
        };
        let scope = Scope::new(&roots, view).map_err(|error| error.to_string())?;
        // Its roots do not count: the question says which there are.
        let configuration = match self.config {
            Some(file) => load_only(&file.into_path()),
            None => Configuration::default(),
        };
        let dialects = match self.shells {
            None => configuration.shells.unwrap_or(Dialects::ALL),
            Some(ShellList::Text(list)) => list.parse()?,
            Some(ShellList::List(list)) if list.is_empty() => {
                return Err("shells names no shell".to_owned());
            }
            Some(ShellList::List(list)) => list.join(",").parse()?,
        };
        let variables = self.env.into_iter();
        let env: Env = variables.map(|(k, v)| (k.into_bytes(), v.into_bytes())).collect();
        let (cwd, pwd) = (self.cwd.into_path(), self.pwd.map(Text::into_path));
        let home = self.home.map(Text::into_path);
        let policy = Policy {
            profile: self.profile.map_or(configuration.policy.profile, |named| named.0),
            ..configuration.policy
        };
        let request = Request {
            line: &line,
            cwd: Cwd { dir: &cwd, pwd: pwd.as_deref() },
            scope: &scope,
            home: home.as_deref(),
            env: &env,
            dialects,
            invocation: self.invocation.map_or(Invocation::C, |named| named.0),
            policy: &policy,
            limits: Limits::default(),
        };
        Ok(shfence::decide(&request, view))
    }
}

/// One line of output.
#[derive(Serialize)]
pub struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    decision: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a shfence::Physical>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lexical: bool,
    reasons: &'a [Reason],
    #[serde(skip_serializing_if = "<[Rule]>::is_empty")]
    rules: &'a [Rule],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<PlanOut<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PlanOut<'a> {
    Understood(&'a Plan),
    Not { understood: bool, span: shfence::Span, construct: &'static str },
}

impl<'a> Answer<'a> {
    /// The answer that gives this verdict.
    pub fn of(id: Option<&'a RawValue>, verdict: &'a Verdict, with_plan: bool) -> Answer<'a> {
        let plan = match &verdict.plan {
            Ok(plan) => PlanOut::Understood(plan),
            Err(stop) => PlanOut::Not {
                understood: false,
                span: stop.span,
                construct: stop.construct.name(),
            },
        };
        Answer {
            id,
            decision: verdict.decision,
            root: verdict.root.as_ref(),
            lexical: verdict.lexical,
            reasons: &verdict.reasons,
            rules: &verdict.rules,
            notes: &[],
            plan: with_plan.then_some(plan),
        }
    }

    /// The same, with notes on the configuration.
    pub fn noting(self, notes: &'a [String]) -> Answer<'a> {
        Answer { notes, ..self }
    }

    /// As one line, without the newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an answer holds only strings, numbers and booleans")
    }
}

/// The answer to a line that is no question.
#[derive(Serialize)]
pub struct Refusal<'a> {
    /// Its id, if at least that can be read.
    pub id: Option<&'a RawValue>,
    /// The number of the line in the input, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: String,
    /// Always ask.
    pub decision: Decision,
}
