//! Reading a recording. It may be of another version, or damaged: what does not fit is an error
//! with its file and line, and never a panic.

use super::{Header, Line, RecordingError, RunLine, SCHEMA, Said};
use crate::campaign::Source;
use crate::confirm::Sort;
use crate::trace::{Exec, Process, Touch, TouchKind, Trace};
use shfence_corpus::Text;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// One file of a recording, case after case.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    source: Source,
    texts: Vec<Text>,
    touches: Vec<(TouchKind, u32, u32, bool)>,
    /// Lines read.
    lines: usize,
}

/// A case as it was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCase {
    /// Its index under the recording's source.
    pub index: u64,
    /// Stands for what the case was.
    pub fingerprint: u64,
    /// The lane it ran in.
    pub lane: String,
    /// What the guards under test said of it.
    pub said: BTreeMap<String, Said>,
    /// What the shells did.
    pub runs: Vec<RecordedRun>,
}

/// What one shell did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRun {
    /// What the judge looks at, without output, and without the directories in which processes
    /// began.
    pub trace: Trace,
    /// What seemed to contradict a guard and did not show again, with tools or a second time.
    pub unconfirmed: Vec<Sort>,
}

/// The files of a recording, in order of their names.
pub(super) fn files_of(dir: &Path) -> Result<Vec<PathBuf>, RecordingError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(RecordingError::io(dir))? {
        let entry = entry.map_err(RecordingError::io(dir))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("worker-") && name.ends_with(".jsonl") {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

impl Recording {
    /// The files of a directory.
    pub fn open_all(dir: &Path) -> Result<Vec<Recording>, RecordingError> {
        let files = files_of(dir)?;
        if files.is_empty() {
            return Err(RecordingError::new(dir, "no recording stands there"));
        }
        files.into_iter().map(Recording::open).collect()
    }

    fn open(path: PathBuf) -> Result<Recording, RecordingError> {
        let mut file = BufReader::new(File::open(&path).map_err(RecordingError::io(&path))?);
        let mut first = Vec::new();
        file.read_until(b'\n', &mut first).map_err(RecordingError::io(&path))?;
        let wrong = |what: String| RecordingError::new(&path, what);
        let header: Header = serde_json::from_slice(&first)
            .map_err(|error| wrong(format!("line 1 is no beginning of a recording: {error}")))?;
        if header.schema != SCHEMA {
            let (theirs, ours) = (header.schema, SCHEMA);
            return Err(wrong(format!("its form is number {theirs}, and {ours} is read here")));
        }
        let source: Source = header.source.parse().map_err(wrong)?;
        let (texts, touches) = (Vec::new(), Vec::new());
        Ok(Recording { path, file, header, source, texts, touches, lines: 1 })
    }

    /// Where its cases come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The generators' revision that made them.
    pub fn generator(&self) -> &str {
        &self.header.generator
    }

    /// The next case. A last line that was not written to its end is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is no case. Nothing after it can be read.
    pub fn next_case(&mut self) -> Result<Option<RecordedCase>, RecordingError> {
        let mut text = Vec::new();
        let read = self.file.read_until(b'\n', &mut text);
        read.map_err(RecordingError::io(&self.path))?;
        if text.pop() != Some(b'\n') {
            return Ok(None);
        }
        self.lines += 1;
        let line: Line = serde_json::from_slice(&text).map_err(|error| self.wrong(error))?;
        self.case(line).ok_or_else(|| self.wrong("it names what was not there before")).map(Some)
    }

    fn wrong(&self, what: impl std::fmt::Display) -> RecordingError {
        RecordingError::new(&self.path, format!("line {}: {what}", self.lines))
    }

    fn case(&mut self, line: Line) -> Option<RecordedCase> {
        self.texts.extend(line.texts);
        self.touches.extend(line.touches);
        let said = |(guard, said): (String, super::SaidLine)| {
            (guard, Said { decision: said.0, plan: said.1 })
        };
        Some(RecordedCase {
            index: line.index,
            fingerprint: line.case,
            lane: line.lane,
            said: line.said.into_iter().map(said).collect(),
            runs: line.runs.into_iter().map(|run| self.run(run)).collect::<Option<_>>()?,
        })
    }

    fn run(&self, run: RunLine) -> Option<RecordedRun> {
        let process = |parent| Process { parent, cwd: Text::default(), ended: None };
        let processes: Vec<Process> = run.parents.into_iter().map(process).collect();
        // Processes are counted from 1.
        let known = |pid: u32| (pid > 0).then_some(pid);
        let mut execs = Vec::with_capacity(run.execs.len());
        for (pid, argv, cwd, path) in run.execs {
            execs.push(Exec {
                pid: known(pid)?,
                argv: argv.into_iter().map(|word| self.text(word)).collect::<Option<_>>()?,
                cwd: self.text(cwd)?,
                path: self.text(path)?,
            });
        }
        let mut touches = Vec::new();
        for (pid, numbers) in run.touches {
            let pid = known(pid)?;
            for number in numbers {
                let (kind, text, resolved, existed) = *self.touches.get(number as usize)?;
                let (text, resolved) = (self.text(text)?, self.text(resolved)?);
                touches.push(Touch { pid, kind, text, resolved, existed });
            }
        }
        let trace = Trace {
            shell: self.header.shells.get(run.shell as usize)?.clone(),
            processes,
            execs,
            touches,
            status: run.status,
            cut: run.cut,
            output: Text::default(),
            doubts: Vec::new(),
        };
        Some(RecordedRun { trace, unconfirmed: run.unconfirmed })
    }

    fn text(&self, number: u32) -> Option<Text> {
        self.texts.get(number as usize).cloned()
    }
}
