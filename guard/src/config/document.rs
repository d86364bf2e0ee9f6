//! The text of a configuration file → what it says. Its schema for editors is `config.schema.json`.

use super::fault::{Fault, line_of};
use super::import::Agent;
use super::{Layer, proof};
use crate::request::{Dialects, Profile};
use crate::rules::{Date, Kind, Level, Pattern, Rule, Source};
use crate::verbs::{self, schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use toml::Spanned;

/// The most rules of a file, and the most tests: they are read before every command of an agent.
pub(super) const RULES_MAX: usize = 500;

/// The whole file. A key that is not known is a fault: it may have been meant to tighten.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// For editors.
    #[serde(rename = "$schema")]
    _for_editors: Option<String>,
    schema: Option<Spanned<i64>>,
    profile: Option<Spanned<String>>,
    shells: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    roots: Vec<Spanned<String>>,
    #[serde(default)]
    scratch_roots: Vec<Spanned<String>>,
    worktrees: Option<bool>,
    #[serde(default)]
    protected_names: Vec<Spanned<String>>,
    #[serde(default)]
    protected_branches: Vec<Spanned<String>>,
    #[serde(default)]
    import: Vec<Spanned<String>>,
    #[serde(default)]
    deny: Vec<RuleText>,
    #[serde(default)]
    ask: Vec<RuleText>,
    #[serde(default)]
    allow: Vec<RuleText>,
    /// Options that several of its verbs have.
    #[serde(default)]
    sets: BTreeMap<String, schema::Set>,
    #[serde(default)]
    verb: Vec<Spanned<schema::Verb>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    command: Spanned<Words>,
    reason: Option<Spanned<String>>,
    expires: Option<Spanned<Day>>,
    #[serde(default, rename = "match")]
    matches: Vec<Spanned<String>>,
    #[serde(default)]
    not_match: Vec<Spanned<String>>,
}

/// `"npm run *"` or `["npm", "run", "*"]`.
enum Words {
    Text(String),
    List(Vec<String>),
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        struct TextOrList;
        impl<'de> Visitor<'de> for TextOrList {
            type Value = Words;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the words of a command, as a string or as a list of strings")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Words, E> {
                Ok(Words::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push(word);
                }
                Ok(Words::List(words))
            }
        }
        deserializer.deserialize_any(TextOrList)
    }
}

/// `2026-12-31`, with or without quotes.
struct Day(String);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a day such as 2026-12-31")]
        enum Either {
            Date(toml::value::Datetime),
            Text(String),
        }
        Ok(Day(match Either::deserialize(deserializer)? {
            Either::Date(date) => date.to_string(),
            Either::Text(text) => text,
        }))
    }
}

/// Reads a configuration file. What cannot be read is among the layer's faults; the rest holds.
pub(super) fn read(level: Level, file: &Path, text: &str) -> Layer {
    let mut reader = Reader {
        level,
        file,
        text,
        layer: Layer { level, file: file.to_owned(), ..Layer::empty() },
    };
    match toml::from_str::<Document>(text) {
        Ok(document) => reader.document(document),
        Err(error) => {
            // The library's first line says what is wrong; where, is said by the span.
            let what = error.message().lines().collect::<Vec<_>>().join(", ");
            reader.fault(error.span().unwrap_or(0..0), what);
        }
    }
    reader.layer
}

struct Reader<'a> {
    level: Level,
    file: &'a Path,
    text: &'a str,
    layer: Layer,
}

impl Reader<'_> {
    fn fault(&mut self, bytes: std::ops::Range<usize>, what: impl Into<String>) {
        self.layer.faults.push(Fault::at(self.file, self.text, bytes, what));
    }

    fn document(&mut self, document: Document) {
        if let Some(schema) = document.schema.filter(|it| *it.get_ref() != 1) {
            let what = format!("this shfence reads schema 1, not {}", schema.get_ref());
            self.fault(schema.span(), what);
        }
        self.layer.profile = document.profile.and_then(|it| self.parsed::<Profile>(&it));
        if let Some(shells) = document.shells {
            let list = shells.get_ref().join(",");
            match list.parse::<Dialects>() {
                Ok(dialects) => self.layer.shells = Some(dialects),
                Err(what) => self.fault(shells.span(), what),
            }
        }
        for (list, scratch) in [(document.roots, false), (document.scratch_roots, true)] {
            for root in list {
                self.root(&root, scratch);
            }
        }
        self.layer.worktrees = document.worktrees;
        self.layer.protected_names = self.names(document.protected_names, true);
        self.layer.protected_branches = self.names(document.protected_branches, false);
        let imports = document.import.iter().filter_map(|it| self.parsed::<Agent>(it)).collect();
        self.layer.imports = imports;
        self.verbs(document.verb, &document.sets);
        let lists = [&document.deny, &document.ask, &document.allow];
        let all = || lists.into_iter().flatten();
        let tests: usize = all().map(|rule| rule.matches.len() + rule.not_match.len()).sum();
        if all().count() > RULES_MAX || tests > RULES_MAX {
            let what = format!("this file holds more than {RULES_MAX} rules, or tests of rules");
            return self.fault(0..0, what);
        }
        let of_kinds =
            [(Kind::Deny, document.deny), (Kind::Ask, document.ask), (Kind::Allow, document.allow)];
        for (kind, rules) in of_kinds {
            for rule in rules {
                self.rule(kind, rule);
            }
        }
    }

    fn verbs(&mut self, all: Vec<Spanned<schema::Verb>>, sets: &BTreeMap<String, schema::Set>) {
        if all.len() > RULES_MAX {
            return self.fault(0..0, format!("this file declares more than {RULES_MAX} verbs"));
        }
        for verb in all {
            let span = verb.span();
            let place = format!("{}:{}", self.file.display(), line_of(self.text, span.start));
            let declared = verbs::declared(verb.into_inner(), sets, place);
            let twice = |entry: &Arc<verbs::Entry>| {
                let mut others = self.layer.verbs.iter().flat_map(|other| other.names.iter());
                others.find(|name| entry.names.contains(name)).map(str::to_owned)
            };
            match declared.map(|entry| (twice(&entry), entry)) {
                Ok((None, entry)) => self.layer.verbs.push(entry),
                Ok((Some(name), _)) => {
                    self.fault(span, format!("this file declares the verb '{name}' twice"));
                }
                Err(what) => self.fault(span, what),
            }
        }
    }

    fn parsed<T: FromStr<Err = String>>(&mut self, text: &Spanned<String>) -> Option<T> {
        text.get_ref().parse().map_err(|what: String| self.fault(text.span(), what)).ok()
    }

    fn root(&mut self, root: &Spanned<String>, scratch: bool) {
        let text = root.get_ref();
        let relative = !text.starts_with('/') && !text.starts_with("~/");
        let what = if text.trim_matches('/').is_empty() {
            "a root must not be the whole file system"
        } else if relative && (scratch || self.level == Level::User) {
            "a root here is absolute, or begins with '~/'"
        } else {
            let list = if scratch { &mut self.layer.scratch_roots } else { &mut self.layer.roots };
            return list.push(text.into());
        };
        self.fault(root.span(), what);
    }

    /// Names with `*`, without a `/` if they are those of files.
    fn names(&mut self, names: Vec<Spanned<String>>, of_files: bool) -> Vec<String> {
        let mut good = Vec::new();
        for name in names {
            let text = name.get_ref();
            if text.is_empty() || (of_files && text.contains('/')) {
                self.fault(name.span(), "expected a name, without '/'; '*' stands for anything");
            } else {
                good.push(name.into_inner());
            }
        }
        good
    }

    fn rule(&mut self, kind: Kind, rule: RuleText) {
        let span = rule.command.span();
        let pattern = match rule.command.get_ref() {
            Words::Text(text) => Pattern::from_text(text),
            Words::List(words) => Pattern::from_words(words.iter().map(String::as_str)),
        };
        let pattern = match pattern {
            Ok(pattern) => pattern,
            Err(error) => return self.fault(span, format!("this {} rule {error}", kind.name())),
        };
        if kind == Kind::Allow && pattern.is_open() {
            return self.fault(span, "an allow rule names the program: '*' would be any");
        }
        let expires = match rule.expires.map(|it| (it.span(), it.into_inner().0.parse::<Date>())) {
            None => None,
            Some((_, Ok(date))) => Some(date),
            Some((span, Err(what))) => return self.fault(span, what),
        };
        if let Some(reason) = &rule.reason
            && reason.get_ref().chars().any(char::is_control)
        {
            return self.fault(reason.span(), "a reason is one line");
        }
        let reason = rule.reason.map(Spanned::into_inner);
        let file = self.file.display().to_string();
        let source = Source { level: self.level, file, line: line_of(self.text, span.start) };
        let rule_read = Rule { kind, pattern, reason, expires, source };
        for (tests, wanted) in [(&rule.matches, true), (&rule.not_match, false)] {
            for test in tests {
                if let Err(what) = proof::holds(&rule_read, test.get_ref(), wanted) {
                    self.fault(test.span(), what);
                }
            }
        }
        self.layer.rules.push(rule_read);
    }
}
