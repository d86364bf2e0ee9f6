//! Reading a run directory.

use crate::{Manifest, RunError, Steps, Summary, Verdict, layout};
use shfence_corpus::{Finding, Fixture};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A run as its directory tells it: of a campaign that has ended, still runs, or was killed.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The directory.
    pub dir: PathBuf,
    /// What was asked.
    pub manifest: Manifest,
    /// The findings, in the order of their first line. Lines with one guard and one signature are
    /// one finding, seen in the shells of all of them.
    pub findings: Vec<Recorded>,
    /// The figures; of an unfinished run, those of its last progress.
    pub summary: Option<Summary>,
    /// What is missing or cut, each in one sentence for people. Empty for a whole run.
    pub notes: Vec<String>,
}

/// A finding with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The finding.
    pub finding: Finding,
    /// Its folder.
    pub folder: PathBuf,
    /// Its case, if the folder still holds it.
    pub fixture: Option<Fixture>,
    /// What was planned of what each shell did; none of an older run.
    pub steps: BTreeMap<String, Steps>,
}

impl Run {
    /// Does a run stand in this directory?
    pub fn is_at(dir: &Path) -> bool {
        dir.join(layout::MANIFEST).exists()
    }

    /// Reads a directory that a [`crate::RunWriter`] has begun. What a kill can leave behind is
    /// read and noted; what only damage can explain is an error.
    pub fn read(dir: &Path) -> Result<Run, RunError> {
        let mut notes = Vec::new();
        let path = dir.join(layout::MANIFEST);
        let json = fs::read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                RunError::new(dir, format!("is no run directory: it has no {}", layout::MANIFEST))
            }
            _ => RunError::io(&path, "read")(error),
        })?;
        let manifest = Manifest::from_json(&json).map_err(|what| RunError::new(&path, what))?;
        notes.extend(manifest.gaps());
        let findings = read_findings(dir, &manifest, &mut notes)?;
        let summary = read_summary(dir, &mut notes)?;
        Ok(Run { dir: dir.to_owned(), manifest, findings, summary, notes })
    }

    /// What the run says as a whole.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self)
    }

    /// The findings of the guards under test: those that make the verdict.
    pub fn tested(&self) -> impl Iterator<Item = &Recorded> {
        self.findings.iter().filter(|seen| self.manifest.guards.contains(&seen.finding.guard))
    }

    /// The findings of one guard.
    pub fn of_guard(&self, guard: &str) -> impl Iterator<Item = &Recorded> {
        self.findings.iter().filter(move |seen| seen.finding.guard == guard)
    }
}

/// A file that a kill may have kept from being written.
fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunError::io(path, "read")(error)),
    }
}

fn read_findings(
    dir: &Path,
    manifest: &Manifest,
    notes: &mut Vec<String>,
) -> Result<Vec<Recorded>, RunError> {
    let path = dir.join(layout::FINDINGS);
    let Some(bytes) = read_if_there(&path)? else {
        notes.push(format!("There is no {}: the run was killed as it began.", layout::FINDINGS));
        return Ok(Vec::new());
    };
    let mut findings: Vec<Recorded> = Vec::new();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    for (number, line) in lines.enumerate() {
        let finding: Finding = match serde_json::from_slice(line) {
            Ok(finding) => finding,
            Err(_) if !line.ends_with(b"\n") => {
                notes.push(format!("The last line of {} is cut.", layout::FINDINGS));
                break;
            }
            Err(error) => {
                let what = format!("line {} is no finding: {error}", number + 1);
                return Err(RunError::new(&path, what));
            }
        };
        let same = |seen: &&mut Recorded| {
            seen.finding.guard == finding.guard && seen.finding.signature == finding.signature
        };
        match findings.iter_mut().find(same) {
            Some(seen) => {
                let shells = seen.finding.shells;
                seen.finding.shells = shells.iter().chain(finding.shells.iter()).collect();
            }
            None => findings.push(with_evidence(dir, manifest, finding, notes)),
        }
    }
    Ok(findings)
}

fn with_evidence(
    dir: &Path,
    manifest: &Manifest,
    finding: Finding,
    notes: &mut Vec<String>,
) -> Recorded {
    let name = layout::folder_name(manifest, &finding);
    let folder = dir.join(layout::EVIDENCE).join(name);
    let fixture = Fixture::load(&folder.join(layout::FIXTURE));
    if fixture.is_err() {
        notes.push(format!("{} of {} cannot be read.", layout::FIXTURE, finding.signature));
    }
    let steps = read_steps(&folder);
    if steps.is_err() {
        notes.push(format!("{} of {} cannot be read.", layout::STEPS, finding.signature));
    }
    let steps = steps.unwrap_or_default();
    Recorded { finding, folder, fixture: fixture.ok(), steps }
}

/// Runs of old have none.
fn read_steps(folder: &Path) -> Result<BTreeMap<String, Steps>, RunError> {
    let path = folder.join(layout::STEPS);
    let json = read_if_there(&path)?.unwrap_or_else(|| b"{}".to_vec());
    serde_json::from_slice(&json).map_err(|error| RunError::new(&path, error.to_string()))
}

/// The final figures, or those of the last progress.
fn read_summary(dir: &Path, notes: &mut Vec<String>) -> Result<Option<Summary>, RunError> {
    for name in [layout::SUMMARY, layout::PROGRESS] {
        let Some(json) = read_if_there(&dir.join(name))? else { continue };
        match serde_json::from_slice::<Summary>(&json) {
            Ok(summary) => {
                if name == layout::PROGRESS {
                    notes.push("The run has not ended: the figures are those so far.".to_owned());
                    return Ok(Some(Summary { ended: None, ..summary }));
                }
                return Ok(Some(summary));
            }
            Err(error) => notes.push(format!("{name} cannot be read: {error}.")),
        }
    }
    notes.push("The run has not ended and left no figures.".to_owned());
    Ok(None)
}
