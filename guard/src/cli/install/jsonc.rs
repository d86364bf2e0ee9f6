//! JSON as agents keep it, with comments and commas before a closing bracket, read into a tree that
//! knows where everything stands: whoever edits by it leaves every other byte as it is.

use std::fmt;
use std::ops::Range;

/// How deep a document may be. The reader goes down with it.
const DEPTH_MAX: usize = 100;

/// A value, and where it stands.
#[derive(Debug)]
pub struct Node {
    /// Its bytes.
    pub span: Range<usize>,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Debug)]
pub enum Value {
    /// `{…}`; every item has a key.
    Object(Vec<Item>),
    /// `[…]`; no item has a key.
    List(Vec<Item>),
    /// A string, as it is meant.
    Text(String),
    /// A number, `true`, `false` or `null`.
    Other,
}

/// An item of an object or a list.
#[derive(Debug)]
pub struct Item {
    /// Its key.
    pub key: Option<String>,
    /// Where it begins: at its key, if it has one. It ends with its node.
    pub start: usize,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// The items of an object or a list.
    pub fn items(&self) -> &[Item] {
        match &self.value {
            Value::Object(items) | Value::List(items) => items,
            Value::Text(_) | Value::Other => &[],
        }
    }

    /// The value of a key; the last one, if there are several, as most readers have it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let mut items = self.items().iter().rev();
        items.find(|item| item.key.as_deref() == Some(key)).map(|item| &item.node)
    }
}

/// Why a text is no document: where, and what stands there.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    line: usize,
    column: usize,
    what: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (line {}, column {})", self.what, self.line, self.column)
    }
}

/// Reads a document.
pub fn read(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    let read = reader.trivia().and_then(|()| reader.node(0)).and_then(|node| {
        reader.trivia()?;
        if reader.at < text.len() { Err("something stands behind the end") } else { Ok(node) }
    });
    read.map_err(|what| {
        let before = &text[..reader.at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Fault { line, column, what }
    })
}

/// The bytes from `at` on that are no value: blanks and comments. The error is where one begins
/// that has no end, or that is none.
pub fn skip_trivia(text: &str, mut at: usize) -> Result<usize, usize> {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        at += rest.len() - trimmed.len();
        at += match comment(trimmed) {
            Some(0) => return Err(at),
            Some(length) => length,
            None => return Ok(at),
        };
    }
}

/// The length of the comment that a text begins with; 0, if it has no end. The line break behind
/// one is not part of it.
pub fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        let length = text.find('\n').unwrap_or(text.len());
        return Some(text[..length].trim_end_matches('\r').len());
    }
    let body = text.strip_prefix("/*")?;
    Some(body.find("*/").map_or(0, |end| end + 4))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn trivia(&mut self) -> Result<(), &'static str> {
        match skip_trivia(self.text, self.at) {
            Ok(at) => self.at = at,
            Err(at) => {
                self.at = at;
                return Err("a comment has no end");
            }
        }
        Ok(())
    }

    fn node(&mut self, depth: usize) -> Result<Node, &'static str> {
        let start = self.at;
        let value = match self.next() {
            Some(b'{') => Value::Object(self.items(b'}', depth)?),
            Some(b'[') => Value::List(self.items(b']', depth)?),
            Some(b'"') => Value::Text(self.string()?),
            Some(_) => self.word()?,
            None => return Err("the document ends too early"),
        };
        Ok(Node { span: start..self.at, value })
    }

    fn items(&mut self, close: u8, depth: usize) -> Result<Vec<Item>, &'static str> {
        if depth == DEPTH_MAX {
            return Err("the document is too deep");
        }
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.trivia()?;
            if self.next() == Some(close) {
                self.at += 1;
                return Ok(items);
            }
            let start = self.at;
            let key = if close == b'}' { Some(self.key()?) } else { None };
            items.push(Item { key, start, node: self.node(depth + 1)? });
            self.trivia()?;
            match self.next() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {}
                Some(_) => return Err("a comma or a closing bracket is missing"),
                None => return Err("the document ends too early"),
            }
        }
    }

    fn key(&mut self) -> Result<String, &'static str> {
        match self.next() {
            Some(b'"') => {}
            Some(_) => return Err("a key in double quotes is missing"),
            None => return Err("the document ends too early"),
        }
        let key = self.string()?;
        self.trivia()?;
        if self.next() != Some(b':') {
            return Err("a colon is missing");
        }
        self.at += 1;
        self.trivia()?;
        Ok(key)
    }

    fn string(&mut self) -> Result<String, &'static str> {
        let mut escaped = false;
        let end = self.rest().bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let end = end.ok_or("a string has no end")? + 2;
        let text = serde_json::from_str(&self.rest()[..end]).map_err(|_| "this is no string")?;
        self.at += end;
        Ok(text)
    }

    fn word(&mut self) -> Result<Value, &'static str> {
        let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let end = self.rest().bytes().take_while(|byte| of_word(byte)).count();
        serde_json::from_str::<serde::de::IgnoredAny>(&self.rest()[..end])
            .map_err(|_| "this is no value")?;
        self.at += end;
        Ok(Value::Other)
    }
}
