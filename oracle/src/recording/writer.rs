//! Writing a recording: one file for each worker.

use super::{
    Header, Line, RecordingError, RunLine, SCHEMA, SaidLine, fingerprint, fingerprint_of_plan,
};
use crate::confirm::Sort;
use crate::prediction::Prediction;
use crate::trace::{ShellId, Touch, TouchKind, Trace};
use serde::Serialize;
use shfence_corpus::{Case, Decision, Text};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a guard said of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// The verdict; none if the guard crashed.
    pub decision: Option<Decision>,
    /// Stands for the plan, if there was one.
    pub plan: Option<u64>,
}

impl Said {
    /// What a prediction comes to; of a guard that crashed there is none.
    pub fn of(prediction: Option<&Prediction>) -> Said {
        Said {
            decision: prediction.map(|it| it.decision),
            plan: prediction.and_then(fingerprint_of_plan),
        }
    }
}

/// Keeps what one worker sees.
#[derive(Debug)]
pub(crate) struct Recorder {
    path: PathBuf,
    file: BufWriter<File>,
    shells: Vec<ShellId>,
    texts: HashMap<Text, u32>,
    touches: HashMap<(TouchKind, u32, u32, bool), u32>,
    line: Line,
    /// Is the line of a case?
    begun: bool,
}

impl Recorder {
    /// One for each of so many workers, in a directory that holds no recording yet.
    pub(crate) fn create(
        dir: &Path,
        workers: usize,
        source: &str,
        generator: &str,
        shells: &[ShellId],
    ) -> Result<Vec<Recorder>, RecordingError> {
        std::fs::create_dir_all(dir).map_err(RecordingError::io(dir))?;
        if !super::reader::files_of(dir)?.is_empty() {
            let what = "holds a recording already: name another directory";
            return Err(RecordingError { is_io: true, ..RecordingError::new(dir, what) });
        }
        let header = Header {
            schema: SCHEMA,
            source: source.to_owned(),
            generator: generator.to_owned(),
            guard: env!("GUARD_VERSION").to_owned(),
            shells: shells.to_owned(),
        };
        (0..workers)
            .map(|worker| Recorder::begin(dir.join(format!("worker-{worker}.jsonl")), &header))
            .collect()
    }

    fn begin(path: PathBuf, header: &Header) -> Result<Recorder, RecordingError> {
        let file = File::create_new(&path).map_err(RecordingError::io(&path))?;
        let mut recorder = Recorder {
            path,
            file: BufWriter::new(file),
            shells: header.shells.clone(),
            texts: HashMap::new(),
            touches: HashMap::new(),
            line: empty(),
            begun: false,
        };
        recorder.put(header)?;
        Ok(recorder)
    }

    /// Begins a case. What was kept of one that was not ended is forgotten.
    pub(crate) fn case(&mut self, index: u64, case: &Case, lane: &str) {
        // Texts and touches have their numbers already, and stand in the next line that is written.
        let Line { texts, touches, .. } = std::mem::replace(&mut self.line, empty());
        let (lane, case) = (lane.to_owned(), fingerprint(case));
        self.line = Line { texts, touches, index, case, lane, ..empty() };
        self.begun = true;
    }

    /// What a guard said of it.
    pub(crate) fn said(&mut self, guard: &str, prediction: Option<&Prediction>) {
        let Said { decision, plan } = Said::of(prediction);
        self.line.said.insert(guard.to_owned(), SaidLine(decision, plan));
    }

    /// What a shell did, and what of it seemed to contradict a guard and did not show again.
    pub(crate) fn ran(&mut self, trace: &Trace, unconfirmed: Vec<Sort>) {
        let shell = self.shells.iter().position(|it| *it == trace.shell);
        let shell = shell.expect("cases run in the shells that the campaign was begun with");
        let mut touches: Vec<(u32, Vec<u32>)> = Vec::new();
        for touch in &trace.touches {
            let number = self.touch(touch);
            match touches.last_mut() {
                Some((pid, numbers)) if *pid == touch.pid => numbers.push(number),
                _ => touches.push((touch.pid, vec![number])),
            }
        }
        let mut execs = Vec::with_capacity(trace.execs.len());
        for exec in &trace.execs {
            let argv = exec.argv.iter().map(|word| self.text(word)).collect();
            execs.push((exec.pid, argv, self.text(&exec.cwd), self.text(&exec.path)));
        }
        self.line.runs.push(RunLine {
            shell: u32::try_from(shell).expect("there are few shells"),
            status: trace.status,
            cut: trace.cut,
            parents: trace.processes.iter().map(|it| it.parent).collect(),
            execs,
            touches,
            unconfirmed,
        });
    }

    /// Writes the case, if one was begun: not every case is run.
    pub(crate) fn end(&mut self) -> Result<(), RecordingError> {
        if !std::mem::take(&mut self.begun) {
            return Ok(());
        }
        let line = std::mem::replace(&mut self.line, empty());
        self.put(&line)
    }

    /// Writes what is not yet on the disk.
    pub(crate) fn finish(mut self) -> Result<(), RecordingError> {
        self.file.flush().map_err(RecordingError::io(&self.path))
    }

    fn touch(&mut self, touch: &Touch) -> u32 {
        let (text, resolved) = (self.text(&touch.text), self.text(&touch.resolved));
        let what = (touch.kind, text, resolved, touch.existed);
        let next = number(self.touches.len());
        *self.touches.entry(what).or_insert_with(|| {
            self.line.touches.push(what);
            next
        })
    }

    fn text(&mut self, text: &Text) -> u32 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let next = number(self.texts.len());
        self.texts.insert(text.clone(), next);
        self.line.texts.push(text.clone());
        next
    }

    fn put(&mut self, line: &impl Serialize) -> Result<(), RecordingError> {
        let written = serde_json::to_writer(&mut self.file, line).map_err(Into::into);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(RecordingError::io(&self.path))
    }
}

fn empty() -> Line {
    Line {
        texts: Vec::new(),
        touches: Vec::new(),
        index: 0,
        case: 0,
        lane: String::new(),
        said: BTreeMap::new(),
        runs: Vec::new(),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a file of four thousand million texts is none that is written")
}
