//! A request, as JSON. Unknown fields are ignored: every version of every agent has more of them.

use super::agent::{Asked, Line, Moment};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The object on standard input, or one in it.
pub struct Payload<'a>(Cow<'a, Map<String, Value>>);

/// Fields of a tool's input that say that it runs elsewhere than in the session's directory.
const ELSEWHERE: [&str; 7] =
    ["working_dir", "workdir", "working_directory", "dir_path", "directory", "cwd", "Cwd"];

/// Fields of a tool's input that name a shell which lives on: it is where its last line left it.
const LIVING: [&str; 6] =
    ["sessionId", "session_id", "shellId", "shell_id", "terminalId", "terminal_id"];

/// The shells that the guard knows, as programs.
const SHELLS: [&str; 5] = ["ash", "bash", "dash", "sh", "zsh"];

impl Payload<'_> {
    /// Reads one object. The error is the end of a sentence that begins with "the request".
    pub fn read(bytes: &[u8]) -> Result<Payload<'static>, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let object = serde_json::from_slice(bytes);
        let object = object.map_err(|error| format!("is no object: {error}"))?;
        Ok(Payload(Cow::Owned(object)))
    }

    /// Is there such a field?
    pub fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// Are all of its fields among these?
    #[cfg(feature = "cli")]
    pub fn has_only(&self, fields: &[&str]) -> bool {
        self.0.keys().all(|field| fields.contains(&&**field))
    }

    /// A field that is text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// A field that is an object, or an object written as text.
    pub fn object(&self, field: &str) -> Option<Payload<'_>> {
        let object = match self.0.get(field)? {
            Value::Object(object) => Cow::Borrowed(object),
            Value::String(text) => Cow::Owned(serde_json::from_str(text).ok()?),
            _ => return None,
        };
        Some(Payload(object))
    }

    /// The absolute paths in a field that is a list.
    pub fn directories(&self, field: &str) -> Vec<PathBuf> {
        let list = self.0.get(field).and_then(Value::as_array);
        let paths = list.into_iter().flatten().filter_map(Value::as_str).map(PathBuf::from);
        paths.filter(|path| path.is_absolute()).collect()
    }

    /// An absolute path in a field.
    pub fn directory(&self, field: &str) -> Option<&Path> {
        self.text(field).map(Path::new).filter(|path| path.is_absolute())
    }

    /// Asks about the line in the field `command` of a tool's input, which runs in the session's
    /// directory unless the input says otherwise.
    pub fn asks(&self, input: &str, session: Option<&Path>, moment: Moment) -> Asked {
        let Some(input) = self.object(input) else {
            return Asked::Unclear(moment, "the request holds no input of the tool");
        };
        match input.asks_about("command", session, moment) {
            Asked::Line(line)
                if LIVING.iter().any(|field| input.0.get(*field).is_some_and(says)) =>
            {
                Asked::Line(Line { cwd: None, ..line })
            }
            asked => asked,
        }
    }

    /// Asks about the line in a field of this object.
    pub fn asks_about(&self, field: &str, session: Option<&Path>, moment: Moment) -> Asked {
        let Some(command) = self.text(field).map(str::to_owned) else {
            return Asked::Unclear(moment, "the request holds no command");
        };
        if let Some(what) = self.runs_otherwise() {
            return Asked::Unclear(moment, what);
        }
        let (cwd, session) = (self.runs_in(session), session.map(Path::to_owned));
        Asked::Line(Line { command, cwd, session, roots: Vec::new(), moment })
    }

    /// What a tool's input says of how the line runs, if that is not as the guard takes it to be.
    fn runs_otherwise(&self) -> Option<&'static str> {
        let variables = ["env", "environment"].iter().filter_map(|field| self.0.get(*field));
        let is_known = |shell: &str| SHELLS.contains(&shell.rsplit('/').next().unwrap_or(shell));
        let shell = self.0.get("shell").filter(|it| says(it));
        if self.0.get("dangerouslyDisableSandbox") == Some(&Value::Bool(true)) {
            Some("the line is to run without the agent's sandbox")
        } else if variables.into_iter().any(|it| says(it) && *it != json!({}) && *it != json!([])) {
            Some("the line is to run with variables of its own")
        } else if shell.is_some_and(|it| !it.as_str().is_some_and(is_known)) {
            Some("the line is to run in a shell that is none of bash, sh and zsh")
        } else {
            None
        }
    }

    /// The directory that a tool's input runs in: that of the session, or the one it names.
    fn runs_in(&self, session: Option<&Path>) -> Option<PathBuf> {
        let mut fields = ELSEWHERE.iter().filter(|field| self.0.get(**field).is_some_and(says));
        let Some(field) = fields.next() else { return session.map(Path::to_owned) };
        // Which of several counts is not known.
        if fields.any(|other| self.0.get(*other) != self.0.get(*field)) {
            return None;
        }
        let named = Path::new(self.text(field)?);
        match named.is_absolute() {
            true => Some(named.to_owned()),
            false => session.map(|session| session.join(named)),
        }
    }
}

fn says(value: &Value) -> bool {
    !value.is_null() && value != ""
}

impl Asked {
    /// The same, in a session with this directory, which need not be the line's.
    pub fn in_session(self, session: Option<&Path>) -> Asked {
        match self {
            Asked::Line(line) => Asked::Line(Line { session: session.map(Path::to_owned), ..line }),
            other => other,
        }
    }

    /// The same, within these directories as well.
    pub fn within(self, roots: impl IntoIterator<Item = PathBuf>) -> Asked {
        match self {
            Asked::Line(mut line) => {
                line.roots.extend(roots);
                Asked::Line(line)
            }
            other => other,
        }
    }
}
