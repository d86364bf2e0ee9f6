//! Writing a run directory, so that it can be read after a kill at any moment.

use crate::layout::{self, part_of, replace};
use crate::{Evidence, Manifest, Recorded, Run, RunError, ShardOf, Summary, markdown};
use shfence_corpus::Finding;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The one writer of a run directory.
#[derive(Debug)]
pub struct RunWriter {
    dir: PathBuf,
    manifest: Manifest,
    findings: File,
    folders: BTreeSet<PathBuf>,
}

impl RunWriter {
    /// Makes `dir` a run directory: the manifest first, then an empty list of findings. A directory
    /// that holds a run already is refused, never mixed with it or replaced.
    pub fn create(dir: &Path, manifest: &Manifest) -> Result<RunWriter, RunError> {
        check_guards(dir, manifest)?;
        fs::create_dir_all(dir).map_err(RunError::io(dir, "made"))?;
        claim(dir, manifest)?;
        let evidence = dir.join(layout::EVIDENCE);
        fs::create_dir_all(&evidence).map_err(RunError::io(&evidence, "made"))?;
        let path = dir.join(layout::FINDINGS);
        let findings = File::create_new(&path).map_err(RunError::io(&path, "made"))?;
        let folders = BTreeSet::new();
        Ok(RunWriter { dir: dir.to_owned(), manifest: manifest.clone(), findings, folders })
    }

    /// Opens the directory of a run that was stopped or killed, to go on with it. What the kill cut
    /// is dropped, and what was left unminimised of cases that will be run again; the run is
    /// unfinished again.
    pub fn reopen(dir: &Path) -> Result<(RunWriter, Run), RunError> {
        drop_open(&Run::read(dir)?)?;
        let run = Run::read(dir)?;
        let path = dir.join(layout::FINDINGS);
        let mut findings = File::options()
            .create(true)
            .append(true)
            .read(true)
            .open(&path)
            .map_err(RunError::io(&path, "opened"))?;
        drop_cut_line(&mut findings).map_err(RunError::io(&path, "repaired"))?;
        let (summary, progress) = (dir.join(layout::SUMMARY), dir.join(layout::PROGRESS));
        match fs::rename(&summary, &progress) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(RunError::io(&summary, "renamed")(error));
            }
            _ => {}
        }
        let folders = run.findings.iter().map(|it| it.folder.clone()).collect();
        let manifest = run.manifest.clone();
        Ok((RunWriter { dir: dir.to_owned(), manifest, findings, folders }, run))
    }

    /// The file that whoever writes a run should hold locked, so that nobody else writes it.
    pub fn lock_file(dir: &Path) -> PathBuf {
        dir.join(layout::MANIFEST)
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Records a finding with its evidence. Returns the finding's folder.
    ///
    /// The folder is complete before the line is appended, so a line always has its evidence. A
    /// signature that the guard has already appends its line only: the evidence stays the first.
    pub fn record(&mut self, finding: &Finding, evidence: &Evidence) -> Result<PathBuf, RunError> {
        let folder =
            self.dir.join(layout::EVIDENCE).join(layout::folder_name(&self.manifest, finding));
        if !self.folders.contains(&folder) {
            write_evidence(&folder, finding, evidence)?;
            self.folders.insert(folder.clone());
        }
        self.append(finding)?;
        Ok(folder)
    }

    /// Records a finding of another run, with the evidence that stands there.
    pub(crate) fn adopt(&mut self, finding: &Finding, seen: &Recorded) -> Result<(), RunError> {
        let name = layout::folder_name(&self.manifest, finding);
        let folder = self.dir.join(layout::EVIDENCE).join(name);
        fs::create_dir_all(&folder).map_err(RunError::io(&folder, "made"))?;
        let entries = match fs::read_dir(&seen.folder) {
            Ok(entries) => entries,
            // What was lost there is lost here: the reader notes it.
            Err(error) if error.kind() == ErrorKind::NotFound => return self.append(finding),
            Err(error) => return Err(RunError::io(&seen.folder, "listed")(error)),
        };
        for entry in entries {
            let from = entry.map_err(RunError::io(&seen.folder, "listed"))?.path();
            if let Some(name) = from.file_name().filter(|_| from.is_file()) {
                fs::copy(&from, folder.join(name)).map_err(RunError::io(&from, "copied"))?;
            }
        }
        self.folders.insert(folder);
        self.append(finding)
    }

    /// Appends the finding's line: in one write, so that at most the last line can be cut.
    fn append(&mut self, finding: &Finding) -> Result<(), RunError> {
        let path = self.dir.join(layout::FINDINGS);
        self.findings
            .write_all(line_of(finding).as_bytes())
            .and_then(|()| self.findings.flush())
            .map_err(RunError::io(&path, "appended to"))
    }

    /// Replaces the figures so far and the page. How often is the caller's choice.
    pub fn progress(&self, summary: &Summary) -> Result<(), RunError> {
        replace(&self.dir.join(layout::PROGRESS), &to_json(summary))?;
        self.render().map(drop)
    }

    /// Writes the final figures and the page, and returns the run as every reader will see it.
    pub fn finish(self, summary: &Summary) -> Result<Run, RunError> {
        replace(&self.dir.join(layout::SUMMARY), &to_json(summary))?;
        let progress = self.dir.join(layout::PROGRESS);
        match fs::remove_file(&progress) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(RunError::io(&progress, "removed")(error));
            }
            _ => {}
        }
        self.render()
    }

    /// Renders the page from the directory itself, so that it shows what a reader can know.
    fn render(&self) -> Result<Run, RunError> {
        let run = Run::read(&self.dir)?;
        replace(&self.dir.join(layout::PAGE), &markdown(&run))?;
        Ok(run)
    }
}

fn write_evidence(folder: &Path, finding: &Finding, evidence: &Evidence) -> Result<(), RunError> {
    let Evidence { fixture, plan, traces, steps } = evidence;
    fs::create_dir_all(folder).map_err(RunError::io(folder, "made"))?;
    fixture
        .save_as(&folder.join(layout::FIXTURE))
        .map_err(|error| RunError::new(folder, error.to_string()))?;
    if let Some(json) = plan {
        let path = folder.join(layout::PLAN);
        fs::write(&path, json).map_err(RunError::io(&path, "written"))?;
    }
    for (shell, json) in traces {
        let path = folder.join(trace_file(folder, shell)?);
        fs::write(&path, json).map_err(RunError::io(&path, "written"))?;
    }
    if !steps.is_empty() {
        let path = folder.join(layout::STEPS);
        let json = serde_json::to_string(steps).expect("all steps can be JSON");
        fs::write(&path, json + "\n").map_err(RunError::io(&path, "written"))?;
    }
    let path = folder.join(layout::REPRO);
    fs::write(&path, format!("{}\n", finding.repro)).map_err(RunError::io(&path, "written"))
}

/// Drops the findings that are not minimised and whose cases are not in the figures: they are found
/// again.
fn drop_open(run: &Run) -> Result<(), RunError> {
    let reached = run.summary.as_ref().map(|it| it.reached.clone()).unwrap_or_default();
    let ShardOf { index, count } = run.manifest.shard;
    let is_open = |seen: &&Recorded| {
        let number = seen.finding.index.saturating_sub(index) / count.max(1);
        !seen.finding.minimised && (number >= reached.next || reached.open.contains(&number))
    };
    let (open, kept): (Vec<&Recorded>, Vec<&Recorded>) = run.findings.iter().partition(is_open);
    if open.is_empty() {
        return Ok(());
    }
    let lines: String = kept.iter().map(|it| line_of(&it.finding)).collect();
    replace(&run.dir.join(layout::FINDINGS), &lines)?;
    for seen in open {
        match fs::remove_dir_all(&seen.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(RunError::io(&seen.folder, "removed")(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn line_of(finding: &Finding) -> String {
    serde_json::to_string(finding).expect("every finding can be JSON") + "\n"
}

/// A line that a kill has cut is no finding, and must not become one with what is appended.
fn drop_cut_line(findings: &mut File) -> io::Result<()> {
    let mut text = Vec::new();
    findings.read_to_end(&mut text)?;
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    findings.set_len(whole as u64)
}

/// Writes the manifest, unless there is one. Of two campaigns that start at once in one directory,
/// one wins: only one can create the part file, and who creates it later sees the manifest.
fn claim(dir: &Path, manifest: &Manifest) -> Result<(), RunError> {
    let taken = || {
        RunError::new(dir, "holds a run already: name another directory, or remove this one first")
    };
    let path = dir.join(layout::MANIFEST);
    let part = part_of(&path);
    let mut file = File::create_new(&part).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => taken(),
        _ => RunError::io(&part, "made")(error),
    })?;
    if path.exists() {
        // Ours alone. If it stays, the next campaign is refused for it, as it would be anyway.
        let _ = fs::remove_file(&part);
        return Err(taken());
    }
    file.write_all(manifest.to_json().as_bytes()).map_err(RunError::io(&part, "written"))?;
    fs::rename(&part, &path).map_err(RunError::io(&path, "written"))
}

/// Two guards whose names make the same folder would overwrite each other's evidence.
fn check_guards(dir: &Path, manifest: &Manifest) -> Result<(), RunError> {
    let mut slugs = BTreeSet::new();
    for guard in manifest.guards.iter().chain(&manifest.strawmen) {
        if !slugs.insert(layout::guard_slug(guard)) {
            let what = format!("cannot hold two guards with names as alike as '{guard}'");
            return Err(RunError::new(dir, what));
        }
    }
    Ok(())
}

/// The name of a shell's trace. Names come from the oracle's list of installations; one that is no
/// plain word would leave the folder.
fn trace_file(folder: &Path, shell: &str) -> Result<String, RunError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    if shell.is_empty() || !shell.bytes().all(plain) {
        return Err(RunError::new(folder, format!("cannot hold a trace of shell '{shell}'")));
    }
    Ok(layout::trace_name(shell))
}

fn to_json(summary: &Summary) -> String {
    serde_json::to_string_pretty(summary).expect("every summary can be JSON") + "\n"
}
