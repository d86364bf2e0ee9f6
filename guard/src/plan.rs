//! What the guard says a line will do.

use crate::few::Few;
use crate::path::Physical;
use crate::request::Dialects;
use crate::span::Span;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The segments of a line, in the order of the line. The oracle compares it with what happened:
/// every program that a shell starts must be covered by a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One per simple command, and more for one whose words shells read differently, or that depend
    /// on where it starts.
    pub segments: Vec<Segment>,
}

/// One simple command: where it may start, with which words, and what it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it stands in the line.
    pub span: Span,
    /// The directories it may start in, physically.
    pub cwd: Cwds,
    /// Its words, the command name first.
    pub argv: Vec<PlanWord>,
    /// What it uses.
    pub paths: Vec<PathUse>,
    /// The shells for which it stands, if not for all that may run the line.
    pub reading: Option<Dialects>,
}

impl Serialize for Segment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 4 + usize::from(self.reading.is_some());
        let mut map = serializer.serialize_struct("Segment", fields)?;
        map.serialize_field("span", &self.span)?;
        map.serialize_field("cwd", &self.cwd)?;
        map.serialize_field("argv", &self.argv)?;
        map.serialize_field("paths", &self.paths)?;
        if let Some(reading) = self.reading {
            map.serialize_field("reading", &reading.names())?;
        }
        map.end()
    }
}

/// A set of working directories. Not knowing is not the same as the empty set, which means that the
/// segment cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cwds {
    /// One of these, and no other.
    Known(Few<Physical>),
    /// Any directory at all.
    Unknown,
}

impl Serialize for Cwds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cwds::Known(list) => list[..].serialize(serializer),
            Cwds::Unknown => serializer.serialize_none(),
        }
    }
}

/// What is known of one place in an argument list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanWord {
    /// Exactly this word.
    Is(Bytes),
    /// One of these words.
    OneOf(Arc<[Bytes]>),
    /// Exactly one word, any.
    One,
    /// Any number of words, any.
    Many,
}

impl Serialize for PlanWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            PlanWord::Is(text) => map.serialize_entry("is", text)?,
            PlanWord::OneOf(texts) => map.serialize_entry("oneof", &texts[..])?,
            PlanWord::One => map.serialize_entry("one", &true)?,
            PlanWord::Many => map.serialize_entry("many", &true)?,
        }
        map.end()
    }
}

/// A text of bytes. Nearly all words and paths of lines are short: those stand in it, and not on
/// the heap.
#[derive(Clone)]
pub struct Bytes(Stored);

#[derive(Clone)]
enum Stored {
    /// How many of these bytes are the text.
    Short(u8, [u8; ROOM]),
    Long(Box<[u8]>),
}

/// The length up to which a text is short, in bytes.
const ROOM: usize = 30;

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Stored::Short(length, bytes) => &bytes[..usize::from(*length)],
            Stored::Long(bytes) => bytes,
        }
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        if bytes.len() > ROOM {
            return Bytes(Stored::Long(bytes.into()));
        }
        let mut room = [0; ROOM];
        room[..bytes.len()].copy_from_slice(bytes);
        Bytes(Stored::Short(bytes.len() as u8, room))
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes(Stored::Short(0, [0; ROOM]))
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::json::bytes(self, serializer)
    }
}

/// One path that a segment uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathUse {
    /// Where it leads.
    pub path: Physical,
    /// What is done there.
    pub role: Role,
    /// Everything below it as well, without following links?
    pub under: bool,
    /// Only possibly?
    pub may: bool,
    /// The word or redirection that names it.
    pub span: Span,
    /// The path as the line gives it.
    pub text: Bytes,
    /// The directory it is taken from, if it is relative.
    pub from: Physical,
    /// Every place on the way to it, if links are among them: what a link is called counts as much
    /// as what it leads to.
    pub way: Vec<Physical>,
}

impl Serialize for PathUse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 3 + usize::from(self.under) + usize::from(self.may);
        let mut map = serializer.serialize_struct("PathUse", fields)?;
        map.serialize_field("path", &self.path)?;
        map.serialize_field("role", &self.role)?;
        map.serialize_field("span", &self.span)?;
        if self.under {
            map.serialize_field("under", &true)?;
        }
        if self.may {
            map.serialize_field("may", &true)?;
        }
        map.end()
    }
}

/// What is done with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Opened for reading.
    Read,
    /// Opened for writing, made, changed or removed.
    Write,
    /// The same, as a tool does it to what it remembers for itself.
    #[serde(rename = "write")]
    Keep,
    /// The same, as a tool-chain does it to what it builds.
    #[serde(rename = "write")]
    Build,
    /// Listed if it is a directory: its entries are looked at, but not followed.
    List,
    /// Looked at.
    Test,
    /// Executed.
    Exec,
    /// Made the working directory.
    Enter,
}

impl Role {
    /// As a verb in the third person, for sentences.
    pub fn verb(self) -> &'static str {
        match self {
            Role::Read => "reads",
            Role::Write | Role::Keep | Role::Build => "writes",
            Role::List => "lists",
            Role::Test => "tests",
            Role::Exec => "executes",
            Role::Enter => "enters",
        }
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut plan = serializer.serialize_struct("Plan", 2)?;
        plan.serialize_field("understood", &true)?;
        plan.serialize_field("segments", &self.segments)?;
        plan.end()
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn they_are_what_they_were_made_of(text in prop::collection::vec(any::<u8>(), 0..70)) {
            let bytes = Bytes::from(&text[..]);
            prop_assert_eq!(&*bytes, &text[..]);
            prop_assert_eq!(&bytes.clone(), &bytes);
        }
    }
}
