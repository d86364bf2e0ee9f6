//! The JSON of `shfence batch` and `shfence check --json`.

use super::configuration::load_only;
use super::object::Object;
use super::session::{Session, Sight};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shfence::config::Configuration;
use shfence::{Cwd, Decision, Dialects, Env, Invocation, Limits, Plan, Policy, Profile};
use shfence::{Reason, Request, Verdict};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::str::FromStr;

/// One line of input, which holds its texts. A field that is not known is an error: it may have
/// been meant to tighten.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question<'a> {
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
    #[serde(borrow)]
    command: Option<Text<'a>>,
    #[serde(borrow)]
    command_hex: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    pwd: Option<Text<'a>>,
    #[serde(borrow)]
    root: Option<Text<'a>>,
    #[serde(borrow)]
    roots: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    home: Option<Text<'a>>,
    #[serde(borrow, default)]
    env: BTreeMap<String, Text<'a>>,
    shells: Option<ShellList>,
    invocation: Option<Named<Invocation>>,
    profile: Option<Named<Profile>>,
    view: Option<View>,
    /// A file that is read as the person's configuration; without it there is none.
    #[serde(borrow)]
    config: Option<Text<'a>>,
    #[serde(default)]
    pub plan: bool,
}

/// Only the id, for answering a line that is wrong otherwise.
#[derive(Deserialize)]
pub struct OnlyId<'a> {
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum View {
    Real,
    None,
}

/// Bytes: a string, or `{"hex": "…"}`.
struct Text<'a>(Cow<'a, [u8]>);

impl<'a> Text<'a> {
    fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<'a>, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(Text)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or an object with pairs of digits as hex")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text.as_bytes()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.as_bytes().to_vec()))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let (Some(("hex", digits)), None) =
            (map.next_entry::<&str, Cow<'_, str>>()?, map.next_key::<&str>()?)
        else {
            return Err(de::Error::custom("expected hex, and nothing else, in the object"));
        };
        let bytes = shfence::from_hex(&digits);
        bytes.map(Cow::Owned).ok_or_else(|| de::Error::custom("no pairs of hex digits"))
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

impl ShellList {
    fn dialects(&self) -> Result<Dialects, String> {
        match self {
            ShellList::Text(list) => list.parse(),
            ShellList::List(list) if list.is_empty() => Err("shells names no shell".to_owned()),
            ShellList::List(list) => list.join(",").parse(),
        }
    }
}

impl Question<'_> {
    /// Judges it. The error is a sentence.
    pub fn decide(&self, session: &mut Session) -> Result<Verdict, String> {
        let line: Cow<'_, [u8]> = match (&self.command, &self.command_hex) {
            (Some(Text(text)), None) => Cow::Borrowed(text),
            (None, Some(hex)) => {
                shfence::from_hex(hex).ok_or("command_hex is no pairs of hex digits")?.into()
            }
            _ => return Err("exactly one of command and command_hex is needed".to_owned()),
        };
        let roots = match (&self.root, &self.roots) {
            (Some(root), None) => std::slice::from_ref(root),
            (None, Some(roots)) => &roots[..],
            _ => return Err("exactly one of root and roots is needed".to_owned()),
        };
        let sight = match self.view.unwrap_or(View::Real) {
            View::Real => Sight::Real,
            View::None => Sight::None,
        };
        let roots = roots.iter().map(Text::path);
        let (scope, glance) = session.scope(roots, sight).map_err(|error| error.to_string())?;
        // Its roots do not count: the question says which there are.
        let configuration = match &self.config {
            Some(file) => load_only(file.path()),
            None => Configuration::default(),
        };
        let dialects = match &self.shells {
            Some(shells) => shells.dialects()?,
            None => configuration.shells.unwrap_or(Dialects::ALL),
        };
        let policy = Policy {
            profile: self.profile.as_ref().map_or(configuration.policy.profile, |named| named.0),
            ..configuration.policy
        };
        let variables = self.env.iter();
        let env: Env = variables.map(|(k, v)| (k.clone().into_bytes(), v.0.to_vec())).collect();
        let request = Request {
            line: &line,
            cwd: Cwd { dir: self.cwd.path(), pwd: self.pwd.as_ref().map(Text::path) },
            scope,
            home: self.home.as_ref().map(Text::path),
            env: &env,
            dialects,
            invocation: self.invocation.as_ref().map_or(Invocation::C, |named| named.0),
            policy: &policy,
            limits: Limits::default(),
        };
        Ok(shfence::decide_on(&request, glance))
    }
}

/// One line of output.
pub struct Answer<'a> {
    id: Option<&'a RawValue>,
    verdict: &'a Verdict,
    notes: &'a [String],
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
        Answer { id, verdict, notes: &[], plan: with_plan.then_some(plan) }
    }

    /// The same, with notes on the configuration.
    pub fn noting(self, notes: &'a [String]) -> Answer<'a> {
        Answer { notes, ..self }
    }

    /// Adds it as one line, without the newline.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Verdict { decision, root, lexical, reasons, rules, .. } = self.verdict;
        let mut answer = Object::begin(to);
        if let Some(id) = self.id {
            answer.field("id").extend_from_slice(id.get().as_bytes());
        }
        answer.text("decision", decision.name());
        root.iter().for_each(|root| answer.value("root", root));
        if *lexical {
            answer.value("lexical", &true);
        }
        write_reasons(reasons, answer.field("reasons"));
        if !rules.is_empty() {
            answer.value("rules", rules);
        }
        if !self.notes.is_empty() {
            answer.value("notes", &self.notes);
        }
        self.plan.iter().for_each(|plan| answer.value("plan", plan));
        answer.end();
    }
}

fn write_reasons(reasons: &[Reason], to: &mut Vec<u8>) {
    to.push(b'[');
    for (index, Reason { code, span, note }) in reasons.iter().enumerate() {
        if index > 0 {
            to.push(b',');
        }
        let mut reason = Object::begin(to);
        reason.value("code", code);
        reason.value("span", span);
        reason.text("note", note);
        reason.end();
    }
    to.push(b']');
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

impl Refusal<'_> {
    /// Adds it as one line, without the newline.
    pub fn write(&self, to: &mut Vec<u8>) {
        serde_json::to_writer(to, self).expect("a refusal holds only strings and numbers");
    }
}
