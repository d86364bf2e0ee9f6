//! What is ours in an agent's settings: finding it, adding it, taking it out.

use super::super::hook::setup::Entry;
use super::command::{Command, json_string, program_of, words_of};
use super::edit::{append, cut, document_of, replace};
use super::jsonc::{Item, Node, Value, read};

/// What the entries of an agent need to be written.
pub struct Wanted<'a> {
    /// Which agent's they are.
    pub agent: &'a str,
    /// The entries.
    pub entries: &'a [Entry],
    /// The value of `version` in a new document.
    pub version: Option<&'a str>,
    /// The command line.
    pub command: &'a Command,
    /// The first file that is written for the agent.
    pub file: &'a str,
}

/// A command line in a document that runs our hook.
pub struct Found {
    /// Which of the entries it belongs to.
    pub entry: usize,
    /// The command line.
    pub line: String,
    /// How many items of the list are not ours: other hooks.
    pub others: usize,
    /// Which item of the list it is in, counted from 0.
    pub number: usize,
    /// What the list's item says beside its command, as JSON.
    pub item: serde_json::Value,
    /// Where the command line stands, and the steps that lead to what is ours around it.
    node: std::ops::Range<usize>,
    way: Vec<usize>,
}

impl Wanted<'_> {
    /// The document with all entries, and the right command line in each: the text as it is, if
    /// that is so already. Without a document, a new one. The error is a sentence without a full
    /// stop that begins with "it".
    pub fn installed(&self, document: Option<&str>) -> Result<String, String> {
        let Some(text) = document else { return self.new_document() };
        let mut text = text.to_owned();
        for entry in self.entries {
            text = self.with_entry(&text, entry)?;
        }
        Ok(text)
    }

    /// The document without any of our entries; `None`, if installing made it.
    pub fn uninstalled(&self, document: &str) -> Result<Option<String>, String> {
        let mut text = document.to_owned();
        loop {
            let root = parsed(&text)?;
            // The last one first: so is undone what was done.
            let Some(found) = self.found_in(&text, &root).pop() else { return Ok(Some(text)) };
            if text == document && self.made_with(&found.line)? == text {
                return Ok(None);
            }
            text = cut(&text, &root, &found.way);
        }
    }

    /// The new document that another command line would have made.
    fn made_with(&self, line: &str) -> Result<String, String> {
        let ours = self.entries.first().map(|entry| self.line(entry)).unwrap_or_default();
        Ok(self.new_document()?.replace(&json_string(&ours), &json_string(line)))
    }

    /// The command lines of a document that run our hook.
    pub fn found(&self, document: &str) -> Result<Vec<Found>, String> {
        Ok(self.found_in(document, &parsed(document)?))
    }

    fn new_document(&self) -> Result<String, String> {
        let Some((first, more)) = self.entries.split_first() else { return Ok(String::new()) };
        let mut text = document_of(&self.item_below(first, 0));
        for entry in more {
            text = self.with_entry(&text, entry)?;
        }
        match self.version {
            Some(version) => Ok(append(&text, &parsed(&text)?, &format!("\"version\": {version}"))),
            None => Ok(text),
        }
    }

    fn with_entry(&self, text: &str, entry: &Entry) -> Result<String, String> {
        let root = parsed(text)?;
        let ours: Vec<Found> = self.found_in(text, &root);
        let mut ours = ours.into_iter().filter(|found| self.entries[found.entry].at == entry.at);
        if let Some(found) = ours.next() {
            return Ok(match found.line == self.line(entry) {
                true => text.to_owned(),
                false => {
                    let node = Node { span: found.node, value: Value::Other };
                    replace(text, &node, &json_string(&self.line(entry)))
                }
            });
        }
        let mut node = &root;
        for (depth, key) in entry.at.iter().enumerate() {
            if !matches!(node.value, Value::Object(_)) {
                return Err(wrong_kind(&entry.at[..depth], "object"));
            }
            match node.get(key) {
                Some(next) => node = next,
                None => return Ok(append(text, node, &self.item_below(entry, depth))),
            }
        }
        match node.value {
            Value::List(_) => Ok(append(text, node, &self.item(entry))),
            _ => Err(wrong_kind(entry.at, "list")),
        }
    }

    /// The command line of an entry, as it stands in it.
    fn line(&self, entry: &Entry) -> String {
        if entry.item.contains("@FILE@") { self.file.to_owned() } else { self.command.line() }
    }

    fn item(&self, entry: &Entry) -> String {
        let line = json_string(&self.line(entry));
        entry.item.replace("\"@COMMAND@\"", &line).replace("\"@FILE@\"", &line)
    }

    /// The item within the keys that lead to it, from one of them on.
    fn item_below(&self, entry: &Entry, depth: usize) -> String {
        let mut keys = entry.at[depth..].iter();
        let first = keys.next().map(|key| format!("{}: ", json_string(key))).unwrap_or_default();
        let more: String = keys.clone().map(|key| format!("{{{}: ", json_string(key))).collect();
        format!("{first}{more}[{}]{}", self.item(entry), "}".repeat(keys.count()))
    }

    fn found_in(&self, text: &str, root: &Node) -> Vec<Found> {
        let mut all = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let mut way = Vec::new();
            let mut node = root;
            for key in entry.at {
                let of_key = |item: &Item| item.key.as_deref() == Some(*key);
                let Some(step) = node.items().iter().rposition(of_key) else { break };
                way.push(step);
                node = &node.items()[step].node;
            }
            if way.len() == entry.at.len() {
                self.collect(text, (index, node), &way, &mut all);
            }
        }
        all
    }

    /// Collects what is ours of one list.
    fn collect(&self, text: &str, list: (usize, &Node), way: &[usize], all: &mut Vec<Found>) {
        let (entry, list) = list;
        let is_ours = |line: &str| program_of(&words_of(line, self.agent), self.agent).is_some();
        let holds_ours = |item: &Item| {
            let mut lines = Vec::new();
            strings(&item.node, &mut Vec::new(), &mut lines);
            lines.iter().any(|(node, _)| matches!(&node.value, Value::Text(it) if is_ours(it)))
        };
        let others = list.items().iter().filter(|item| !holds_ours(item)).count();
        for (number, item) in list.items().iter().enumerate() {
            let mut lines = Vec::new();
            strings(&item.node, &mut [way, &[number]].concat(), &mut lines);
            for (node, steps) in lines {
                let Value::Text(line) = &node.value else { continue };
                if !is_ours(line) {
                    continue;
                }
                all.push(Found {
                    entry,
                    line: line.clone(),
                    others,
                    number,
                    item: plain(text, &item.node),
                    node: node.span.clone(),
                    way: ours_around(list, way.len(), &steps),
                });
            }
        }
    }
}

/// The steps that lead to what is ours around a command line: its item of the innermost list, or,
/// where that holds nothing else, the item that the list is in.
fn ours_around(list: &Node, list_depth: usize, steps: &[usize]) -> Vec<usize> {
    let mut lists = vec![(list_depth, list.items().len())];
    let mut node = list;
    for (depth, step) in steps.iter().enumerate().skip(list_depth) {
        if depth > list_depth && matches!(node.value, Value::List(_)) {
            lists.push((depth, node.items().len()));
        }
        node = &node.items()[*step].node;
    }
    while lists.len() > 1 && lists.last().is_some_and(|(_, items)| *items == 1) {
        lists.pop();
    }
    let depth = lists.last().map_or(list_depth, |(depth, _)| *depth);
    steps[..=depth].to_vec()
}

/// All strings below a node, with the steps that lead to each.
fn strings<'n>(node: &'n Node, way: &mut Vec<usize>, all: &mut Vec<(&'n Node, Vec<usize>)>) {
    if let Value::Text(_) = node.value {
        all.push((node, way.clone()));
    }
    for (number, item) in node.items().iter().enumerate() {
        way.push(number);
        strings(&item.node, way, all);
        way.pop();
    }
}

/// A node as JSON, without its comments.
pub fn plain(text: &str, node: &Node) -> serde_json::Value {
    let inside = |item: &Item| plain(text, &item.node);
    match &node.value {
        Value::Object(items) => items
            .iter()
            .map(|item| (item.key.clone().unwrap_or_default(), inside(item)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::List(items) => items.iter().map(inside).collect::<Vec<_>>().into(),
        Value::Text(line) => line.as_str().into(),
        Value::Other => serde_json::from_str(&text[node.span.clone()]).unwrap_or_default(),
    }
}

/// A document as JSON, without its comments; `null`, if it cannot be read.
pub fn json_of(text: &str) -> serde_json::Value {
    read(text).map(|root| plain(text, &root)).unwrap_or_default()
}

fn parsed(text: &str) -> Result<Node, String> {
    if text.trim().is_empty() {
        return Err("it is empty: remove it, or write {} into it".to_owned());
    }
    read(text).map_err(|fault| format!("it is no JSON: {fault}"))
}

fn wrong_kind(at: &[&str], kind: &str) -> String {
    match at {
        [] => format!("it is no {kind}"),
        keys => {
            let keys: Vec<&str> = keys.iter().rev().copied().collect();
            format!("its '{}' is no {kind}", keys.join("' of '"))
        }
    }
}
