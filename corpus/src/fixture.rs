//! Fixtures: a line with its tree and what must be true of it, as a text file.

use crate::{Case, Decision, Entry, Env, FindingKind, Invocation, Node, RelPath, Shells, Text};
use crate::{PROJ, TreeError, TreeSpec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The version of the format that this package reads and writes.
const SCHEMA: u32 = 1;

/// A line that must never be allowed, or one that must stay allowed, with the tree that shows why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// `area.feature.detail`: its file name without `.toml`; it stands in the folder `area`.
    pub name: String,
    /// What it is about, in one sentence.
    pub title: String,
    /// What runs.
    pub case: Case,
    /// The verdicts of which the guard must give one.
    pub expect: Vec<Decision>,
    /// The shells in which the line really escapes. A replay looks whether it still does, there and
    /// nowhere else; empty where nobody has looked.
    pub escapes: Shells,
    /// Contradictions of the shipped guard that were looked at and accepted. A replay fails when
    /// one no longer happens.
    pub accepted: Vec<Accepted>,
    /// Where it came from, if a campaign found it.
    pub found: Option<Found>,
}

/// A contradiction that is known and stays, for the reason given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// Its kind.
    pub kind: FindingKind,
    /// The shells in which it happens.
    pub shells: Shells,
    /// Why it is accepted.
    pub reason: String,
}

/// The campaign case a fixture was minimised from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The campaign's seed.
    pub seed: u64,
    /// The case's index under that seed.
    pub index: u64,
    /// The command line that reproduces it.
    pub repro: String,
}

/// Why a fixture could not be loaded or saved. Its text names the file and, where there is one, the
/// line.
#[derive(Debug)]
pub struct FixtureError {
    path: PathBuf,
    line: Option<usize>,
    what: String,
    /// Could the file not be read or written, rather than understood?
    pub is_io: bool,
}

impl fmt::Display for FixtureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for FixtureError {}

impl Fixture {
    /// Loads one file. Everything that is not understood is an error: a fixture that says less than
    /// its author meant would be worse than none.
    pub fn load(path: &Path) -> Result<Fixture, FixtureError> {
        let source = std::fs::read_to_string(path).map_err(|error| FixtureError {
            path: path.to_owned(),
            line: None,
            what: format!("cannot be read: {error}"),
            is_io: true,
        })?;
        let name = name_of(path).ok_or_else(|| FixtureError {
            path: path.to_owned(),
            line: None,
            what: "its name is not 'area.feature.detail.toml'".to_owned(),
            is_io: false,
        })?;
        Fixture::parse(name, &source).map_err(|Flaw { at, what }| FixtureError {
            path: path.to_owned(),
            line: at.map(|at| source.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1),
            what,
            is_io: false,
        })
    }

    /// Loads every `.toml` file below `paths`, in the order of their names.
    pub fn load_all(paths: &[PathBuf]) -> Result<Vec<Fixture>, FixtureError> {
        let mut files = Vec::new();
        for path in paths {
            collect(path, &mut files).map_err(|(path, error)| FixtureError {
                path,
                line: None,
                what: format!("cannot be read: {error}"),
                is_io: true,
            })?;
        }
        files.sort();
        files.dedup();
        files.iter().map(|path| Fixture::load(path)).collect()
    }

    /// Writes the fixture into `folder` (which becomes `folder/area/name.toml`), reads the file
    /// back and checks that it says the same. Returns the file's path.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, FixtureError> {
        let area = self.name.split('.').next().unwrap_or_default();
        let path = folder.join(area).join(format!("{}.toml", self.name));
        self.save_as(&path)?;
        Ok(path)
    }

    /// Writes the fixture to exactly this path, whatever its name, and checks what it wrote.
    pub fn save_as(&self, path: &Path) -> Result<(), FixtureError> {
        let error =
            |what: String| FixtureError { path: path.to_owned(), line: None, what, is_io: true };
        let source = self.to_toml();
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|e| error(format!("cannot be made: {e}")))?;
        }
        std::fs::write(path, &source).map_err(|e| error(format!("cannot be written: {e}")))?;
        let back = std::fs::read_to_string(path)
            .map_err(|e| error(format!("cannot be read back: {e}")))?;
        match Fixture::parse(self.name.clone(), &back) {
            Ok(read) if read == *self => Ok(()),
            Ok(_) => Err(error("reads back as another fixture".to_owned())),
            Err(flaw) => Err(error(format!("does not read back: {}", flaw.what))),
        }
    }

    /// The fixture's text.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(&FileOut::from(self)).expect("every fixture can be written as TOML")
    }

    /// Reads a fixture's text.
    fn parse(name: String, source: &str) -> Result<Fixture, Flaw> {
        let file: FileIn = toml::from_str(source).map_err(|error| Flaw {
            at: error.span().map(|span| span.start),
            what: error.message().to_owned(),
        })?;
        file.into_fixture(name)
    }
}

/// What is wrong with a fixture's text, and the byte where.
struct Flaw {
    at: Option<usize>,
    what: String,
}

/// The name a fixture has by its path: `area.feature.detail`, standing in a folder `area` or
/// anywhere else if it is not part of the corpus.
fn name_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.strip_suffix(".toml")?;
    let plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
    };
    name.split('.').all(plain).then(|| name.to_owned())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), (PathBuf, std::io::Error)> {
    let with_path = |error| (path.to_owned(), error);
    if !std::fs::metadata(path).map_err(with_path)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(with_path)? {
        let entry = entry.map_err(with_path)?.path();
        if entry.is_dir() || entry.extension().is_some_and(|ext| ext == "toml") {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// The file as it is read: with the place of each entry, for messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileIn {
    schema: Spanned<u32>,
    title: String,
    shells: Shells,
    line: Spanned<Text>,
    expect: Spanned<Vec<Decision>>,
    escapes: Option<Spanned<Shells>>,
    #[serde(default)]
    invocation: Invocation,
    cwd: Option<Spanned<RelPath>>,
    pwd: Option<Spanned<Text>>,
    #[serde(default)]
    env: BTreeMap<String, Spanned<Text>>,
    #[serde(default)]
    unset: Vec<Spanned<String>>,
    #[serde(default)]
    tree: Vec<Spanned<EntryFile>>,
    #[serde(default)]
    accepted: Vec<Spanned<Accepted>>,
    found: Option<Found>,
}

/// The file as it is written.
#[derive(Serialize)]
struct FileOut<'a> {
    schema: u32,
    title: &'a str,
    shells: Shells,
    line: &'a Text,
    expect: &'a [Decision],
    #[serde(skip_serializing_if = "Option::is_none")]
    escapes: Option<Shells>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocation: Option<Invocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<&'a RelPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pwd: Option<&'a Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unset: Vec<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<&'a str, &'a Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tree: Vec<EntryFile>,
    #[serde(skip_serializing_if = "<[Accepted]>::is_empty")]
    accepted: &'a [Accepted],
    #[serde(skip_serializing_if = "Option::is_none")]
    found: &'a Option<Found>,
}

/// One `[[tree]]` table.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<RelPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<RelPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<RelPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    executable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Text>,
}

impl FileIn {
    fn into_fixture(self, name: String) -> Result<Fixture, Flaw> {
        let (schema, at) = apart(self.schema);
        if schema != SCHEMA {
            let what = format!("schema {schema} is not known; this version reads {SCHEMA}");
            return Err(flaw(at, what));
        }
        let (expect, at) = apart(self.expect);
        if expect.is_empty() {
            return Err(flaw(at, "expect names no verdict".to_owned()));
        }
        let mut escapes = Shells::NONE;
        if let Some(list) = self.escapes {
            escapes = named_shells("escapes", list, |shells| *shells, self.shells)?;
        }
        let mut accepted = Vec::new();
        for contradiction in self.accepted {
            let of = |accepted: &Accepted| accepted.shells;
            accepted.push(named_shells("is accepted", contradiction, of, self.shells)?);
        }
        let mut case = Case::new(without_nul("line", self.line)?, tree_of(self.tree)?);
        if let Some(cwd) = self.cwd {
            let (cwd, at) = apart(cwd);
            if case.tree.planted().get(&cwd) != Some(&Node::Dir) {
                return Err(flaw(at, format!("cwd '{cwd}' is no directory of the tree")));
            }
            case.cwd = cwd;
        }
        case.pwd = self.pwd.map(|pwd| without_nul("pwd", pwd)).transpose()?;
        case.env = env_of(self.env, self.unset)?;
        case.shells = self.shells;
        case.invocation = self.invocation;
        let (title, found) = (self.title, self.found);
        Ok(Fixture { name, title, case, expect, escapes, accepted, found })
    }
}

fn flaw(at: usize, what: String) -> Flaw {
    Flaw { at: Some(at), what }
}

/// A value and where it starts.
fn apart<T>(spanned: Spanned<T>) -> (T, usize) {
    let at = spanned.span().start;
    (spanned.into_inner(), at)
}

/// What speaks of shells, if it speaks only of those that the fixture is for.
fn named_shells<T>(
    verb: &str,
    spanned: Spanned<T>,
    shells_of: impl Fn(&T) -> Shells,
    named: Shells,
) -> Result<T, Flaw> {
    let (value, at) = apart(spanned);
    match shells_of(&value).iter().find(|shell| !named.contains(*shell)) {
        Some(shell) => Err(flaw(at, format!("{verb} in {shell}, which is not in shells"))),
        None => Ok(value),
    }
}

/// A text that becomes an argument or a variable of a process, where a NUL would end it.
fn without_nul(what: &str, text: Spanned<Text>) -> Result<Text, Flaw> {
    let (text, at) = apart(text);
    if text.contains(&0) {
        return Err(flaw(at, format!("{what} holds a NUL byte")));
    }
    Ok(text)
}

fn env_of(set: BTreeMap<String, Spanned<Text>>, unset: Vec<Spanned<String>>) -> Result<Env, Flaw> {
    let name_is_good = |name: &str| !name.is_empty() && !name.contains(['=', '\0']);
    let bad_name = |at, name: &str| flaw(at, format!("'{name}' is no name of a variable"));
    let mut env = Env::new();
    for (name, value) in set {
        if !name_is_good(&name) {
            return Err(bad_name(value.span().start, &name));
        }
        let value = without_nul(&name, value)?;
        env.insert(name, Some(value));
    }
    for name in unset {
        let (name, at) = apart(name);
        if !name_is_good(&name) {
            return Err(bad_name(at, &name));
        }
        match env.insert(name.clone(), None) {
            Some(Some(_)) => return Err(flaw(at, format!("{name} is both set and unset"))),
            Some(None) => return Err(flaw(at, format!("{name} is unset twice"))),
            None => {}
        }
    }
    Ok(env)
}

fn tree_of(tables: Vec<Spanned<EntryFile>>) -> Result<TreeSpec, Flaw> {
    let mut entries = Vec::new();
    // Where each path was last given: of two equal ones, the second is the one too many.
    let mut places = BTreeMap::new();
    for table in tables {
        let (table, at) = apart(table);
        let entry = table.into_entry().map_err(|what| flaw(at, what))?;
        places.insert(entry.path.clone(), at);
        entries.push(entry);
    }
    TreeSpec::new(entries).map_err(|error| {
        let (TreeError::Twice(path)
        | TreeError::BelowNoDirectory(path)
        | TreeError::ReplacesBase(path)) = &error;
        Flaw { at: places.get(path).copied(), what: error.to_string() }
    })
}

impl EntryFile {
    fn into_entry(self) -> Result<Entry, String> {
        let EntryFile { dir, file, link, text, executable, to } = self;
        let (path, node) = match (dir, file, link) {
            (Some(path), None, None) if text.is_none() && to.is_none() && !executable => {
                (path, Node::Dir)
            }
            (None, Some(path), None) if to.is_none() => {
                (path, Node::File { text: text.unwrap_or_default(), executable })
            }
            (None, None, Some(path)) if text.is_none() && !executable => match to {
                Some(to) if !to.is_empty() && !to.contains(&0) => (path, Node::Link { to }),
                Some(_) => return Err("a link's target is neither empty nor holds a NUL".into()),
                None => return Err("a link needs its target, 'to'".into()),
            },
            (None, None, None) => {
                return Err("an entry of the tree needs one of dir, file, link".into());
            }
            _ => {
                return Err("an entry is 'dir', or 'file' with 'text' and 'executable', \
                            or 'link' with 'to'"
                    .into());
            }
        };
        Ok(Entry { path, node })
    }
}

impl<'a> From<&'a Fixture> for FileOut<'a> {
    fn from(fixture: &'a Fixture) -> FileOut<'a> {
        let case = &fixture.case;
        FileOut {
            schema: SCHEMA,
            title: &fixture.title,
            shells: case.shells,
            line: &case.line,
            expect: &fixture.expect,
            escapes: (!fixture.escapes.is_empty()).then_some(fixture.escapes),
            invocation: (case.invocation != Invocation::C).then_some(case.invocation),
            cwd: (case.cwd.as_bytes() != PROJ.as_bytes()).then_some(&case.cwd),
            pwd: case.pwd.as_ref(),
            unset: case.env.iter().filter(|(_, v)| v.is_none()).map(|(k, _)| &**k).collect(),
            env: case.env.iter().filter_map(|(k, v)| Some((&**k, v.as_ref()?))).collect(),
            tree: case.tree.entries().map(|(path, node)| EntryFile::of(path, node)).collect(),
            accepted: &fixture.accepted,
            found: &fixture.found,
        }
    }
}

impl EntryFile {
    fn of(path: &RelPath, node: &Node) -> EntryFile {
        let path = Some(path.clone());
        match node {
            Node::Dir => EntryFile { dir: path, ..EntryFile::default() },
            Node::File { text, executable } => EntryFile {
                file: path,
                text: Some(text.clone()),
                executable: *executable,
                ..EntryFile::default()
            },
            Node::Link { to } => {
                EntryFile { link: path, to: Some(to.clone()), ..EntryFile::default() }
            }
        }
    }
}
