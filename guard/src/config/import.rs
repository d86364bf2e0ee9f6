//! Rules that were written for other tools: `Bash(npm run test:*)`, `Terminal(pnpm test)`.

use super::Layer;
use super::document::RULES_MAX;
use super::fault::{Fault, line_of};
use crate::rules::{Kind, Level, Pattern, PatternError, Rule, Source, Token};
use serde_json::Value;
use std::path::Path;
use std::str::FromStr;

/// A tool whose rules can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code: `permissions` in its settings (<https://code.claude.com/docs/en/permissions>).
    Claude,
    /// `permissions.json` at the root of the project, with rules for a terminal.
    PermissionsJson,
}

impl FromStr for Agent {
    type Err = String;
    fn from_str(name: &str) -> Result<Agent, String> {
        match name {
            "claude" => Ok(Agent::Claude),
            "permissions-json" => Ok(Agent::PermissionsJson),
            _ => Err(format!(
                "nothing is imported from '{name}': expected claude or permissions-json"
            )),
        }
    }
}

impl Agent {
    /// All of them.
    pub const ALL: [Agent; 2] = [Agent::Claude, Agent::PermissionsJson];

    /// Its files in a project, which the project's author writes.
    pub fn project_files(self) -> &'static [&'static str] {
        match self {
            Agent::Claude => &[".claude/settings.json", ".claude/settings.local.json"],
            Agent::PermissionsJson => &["permissions.json"],
        }
    }

    /// Its files in the home directory.
    pub fn user_files(self) -> &'static [&'static str] {
        match self {
            Agent::Claude => &[".claude/settings.json"],
            Agent::PermissionsJson => &[],
        }
    }

    fn label(self) -> &'static str {
        match self {
            Agent::Claude => "Bash",
            Agent::PermissionsJson => "Terminal",
        }
    }
}

/// Reads the rules of such a file.
pub fn import(agent: Agent, level: Level, file: &Path, text: &str) -> Layer {
    let mut layer = Layer { level, file: file.to_owned(), ..Layer::empty() };
    let whole: Value = match serde_json::from_str(text) {
        Ok(whole) => whole,
        Err(error) => {
            let start: usize =
                text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let at = start + error.column().saturating_sub(1);
            layer.faults.push(Fault::at(file, text, at..at + 1, format!("no JSON: {error}")));
            return layer;
        }
    };
    let lists = match agent {
        Agent::Claude => whole.get("permissions"),
        Agent::PermissionsJson => Some(&whole),
    };
    let mut importer = Importer { agent, file, text, searched: 0, layer };
    for kind in [Kind::Deny, Kind::Ask, Kind::Allow] {
        if let Some(list) = lists.and_then(|lists| lists.get(kind.name())) {
            importer.list(kind, list);
        }
    }
    if importer.layer.rules.len() > RULES_MAX {
        let what = format!("this file holds more than {RULES_MAX} rules");
        importer.layer.rules.clear();
        importer.layer.faults.push(Fault::of(file, what));
    }
    importer.layer
}

struct Importer<'a> {
    agent: Agent,
    file: &'a Path,
    text: &'a str,
    /// How far the file was searched for rules.
    searched: usize,
    layer: Layer,
}

/// Why a rule is not taken.
enum Refusal {
    /// It is about something else than commands, or opens more than one.
    Ignored(String),
    /// It cannot be read.
    Malformed(String),
}

impl From<PatternError> for Refusal {
    fn from(error: PatternError) -> Refusal {
        Refusal::Malformed(error.0)
    }
}

impl Importer<'_> {
    fn list(&mut self, kind: Kind, list: &Value) {
        let Some(rules) = list.as_array() else {
            let what = format!("'{}' is no list of rules", kind.name());
            return self.layer.faults.push(Fault::of(self.file, what));
        };
        self.searched = self.text.find(&format!("\"{}\"", kind.name())).unwrap_or(0);
        for rule in rules {
            let Some(rule) = rule.as_str() else {
                let what = format!("'{}' holds {rule}, which is no rule", kind.name());
                self.layer.faults.push(Fault::of(self.file, what));
                continue;
            };
            let bytes = self.place_of(rule);
            match self.pattern(kind, rule) {
                Ok(pattern) => {
                    let (file, line) =
                        (self.file.display().to_string(), line_of(self.text, bytes.start));
                    let source = Source { level: self.layer.level, file, line };
                    let (reason, expires) = (None, None);
                    self.layer.rules.push(Rule { kind, pattern, reason, expires, source });
                }
                Err(Refusal::Ignored(why)) => {
                    let at = line_of(self.text, bytes.start);
                    let note =
                        format!("{}:{at}: '{rule}' is not imported: {why}", self.file.display());
                    self.layer.notes.push(note);
                }
                Err(Refusal::Malformed(what)) => {
                    let what = format!("the {} rule '{rule}' {what}", kind.name());
                    self.layer.faults.push(Fault::at(self.file, self.text, bytes, what));
                }
            }
        }
    }

    /// Where a rule stands: the next place that has its text.
    fn place_of(&mut self, rule: &str) -> std::ops::Range<usize> {
        let written = Value::from(rule).to_string();
        match self.text[self.searched..].find(&written) {
            Some(at) => {
                let start = self.searched + at;
                self.searched = start + written.len();
                start..self.searched
            }
            None => self.searched..self.searched + 1,
        }
    }

    fn pattern(&self, kind: Kind, rule: &str) -> Result<Pattern, Refusal> {
        let label = self.agent.label();
        let (name, rest) = match rule.find('(') {
            Some(at) => (&rule[..at], Some(&rule[at + 1..])),
            None => (rule, None),
        };
        if name.trim() != label {
            return match name.trim().starts_with(label) && rest.is_none() && name.contains(')') {
                true => Err(Refusal::Malformed("has no '(' for its ')'".to_owned())),
                false => Err(Refusal::Ignored(format!("it is not about {label}"))),
            };
        }
        let content = match rest.map(|rest| rest.strip_suffix(')')) {
            None | Some(Some("*" | ":*")) => return everything(kind),
            Some(None) => return Err(Refusal::Malformed("does not end with ')'".to_owned())),
            Some(Some(content)) => content,
        };
        let (mut words, open) = match self.agent {
            Agent::Claude => claude_words(content, kind),
            Agent::PermissionsJson => (terminal_words(content), true),
        };
        for token in &mut words {
            if let Token::Is(word) = token {
                match without_quotes(word) {
                    Some(plain) => *word = plain,
                    None => return refuse(kind, "a rule names one command, without operators"),
                }
            }
        }
        let pattern = Pattern::from_tokens(words, !open)?;
        match kind == Kind::Allow && pattern.is_open() {
            true => Err(Refusal::Ignored("it would open any program".to_owned())),
            false => Ok(pattern),
        }
    }
}

/// All commands at once: that may be denied or asked about, and not opened.
fn everything(kind: Kind) -> Result<Pattern, Refusal> {
    match kind {
        Kind::Allow => Err(Refusal::Ignored("it would open everything".to_owned())),
        Kind::Deny | Kind::Ask => Ok(Pattern::from_tokens(vec![Token::Many], false)?),
    }
}

/// A rule that opens is no loss; one that closes must not be lost.
fn refuse(kind: Kind, why: &str) -> Result<Pattern, Refusal> {
    Err(match kind {
        Kind::Allow => Refusal::Ignored(why.to_owned()),
        Kind::Deny | Kind::Ask => Refusal::Malformed(format!("is no rule: {why}")),
    })
}

/// `npm run test:*` and `npm run test *` begin so; `npm run te*` has a word that does; without a
/// star the command ends. A star further to the front stands for one word, or for any if the rule
/// closes.
fn claude_words(content: &str, kind: Kind) -> (Vec<Token>, bool) {
    let (content, prefix) = match content.strip_suffix(":*") {
        Some(start) => (start, true),
        None => (content, false),
    };
    let mut words = Vec::new();
    let mut open = prefix;
    let mut texts = content.split_ascii_whitespace().peekable();
    while let Some(text) = texts.next() {
        let last = texts.peek().is_none();
        words.push(match text.split_once('*') {
            None => Token::Is(text.as_bytes().to_vec()),
            Some(("", "")) if last => {
                open = true;
                continue;
            }
            Some((_, _)) if kind != Kind::Allow => {
                // What comes behind the star may be a part of a later word.
                open = true;
                let start = text.split('*').next().unwrap_or_default();
                words.push(Token::Begins(start.as_bytes().to_vec()));
                if !last {
                    words.push(Token::Many);
                }
                continue;
            }
            Some(("", "")) => Token::One,
            Some((start, "")) => {
                open |= last;
                Token::Begins(start.as_bytes().to_vec())
            }
            // A star in the middle of a word: no rule of ours says so, and less is opened by this.
            Some(_) => Token::Is(text.as_bytes().to_vec()),
        });
    }
    (words, open)
}

/// Words, of which one that ends in `*` stands for all that begin so. More words may follow.
fn terminal_words(content: &str) -> Vec<Token> {
    let token = |text: &str| match text.strip_suffix('*') {
        Some("") => Token::One,
        Some(start) => Token::Begins(start.as_bytes().to_vec()),
        None => Token::Is(text.as_bytes().to_vec()),
    };
    content.split_ascii_whitespace().map(token).collect()
}

/// A word without the quotes around it; nothing if it holds what a shell would not take as itself.
fn without_quotes(word: &[u8]) -> Option<Vec<u8>> {
    let inner = match word {
        [quote @ (b'\'' | b'"'), inner @ .., last] if quote == last => inner,
        _ => word,
    };
    let special = |byte: &u8| b"'\"`;&|<>()$\\\n".contains(byte);
    (!inner.iter().any(special)).then(|| inner.to_vec())
}
