//! The names in a run directory, and the one way in which its files are replaced.

use crate::{Manifest, RunError};
use shfence_corpus::Finding;
use std::fs;
use std::path::{Path, PathBuf};

/// Written first, never changed.
pub(crate) const MANIFEST: &str = "manifest.json";
/// One finding a line, appended.
pub(crate) const FINDINGS: &str = "findings.jsonl";
/// A folder for each finding.
pub(crate) const EVIDENCE: &str = "findings";
/// The figures so far, replaced while the campaign runs, gone once it has ended.
pub(crate) const PROGRESS: &str = "progress.json";
/// The figures of the whole run. That it is there says that the run has ended.
pub(crate) const SUMMARY: &str = "summary.json";
/// The run for people.
pub(crate) const PAGE: &str = "summary.md";
/// The finding's case and tree, in its folder.
pub(crate) const FIXTURE: &str = "fixture.toml";
/// What the guard said the line would do, in its folder.
pub(crate) const PLAN: &str = "plan.json";
/// Per shell, what of its doings was planned, in the finding's folder.
pub(crate) const STEPS: &str = "steps.json";
/// The command line that reproduces it, in its folder.
pub(crate) const REPRO: &str = "repro.txt";

/// What one shell did, in the finding's folder.
pub(crate) fn trace_name(shell: &str) -> String {
    format!("trace.{shell}.json")
}

/// Is this what one shell did?
pub(crate) fn is_trace(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("trace.") && name.ends_with(".json")
}

/// The folder of a finding below [`EVIDENCE`]: its signature. Two guards may share a signature, so
/// every guard but the first under test adds its name.
pub(crate) fn folder_name(manifest: &Manifest, finding: &Finding) -> String {
    let signature = finding.signature.file_name();
    if manifest.guards.first() == Some(&finding.guard) {
        signature
    } else {
        format!("{signature}@{}", guard_slug(&finding.guard))
    }
}

/// A guard's name as part of a file name, cut to keep the whole below 255 bytes.
pub(crate) fn guard_slug(guard: &str) -> String {
    guard.chars().take(80).map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Replaces a file so that a reader, and a kill at any moment, finds the old text or the new one.
/// That holds against the death of this process, not of the machine: nothing is synced.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), RunError> {
    let part = part_of(path);
    fs::write(&part, text).map_err(RunError::io(&part, "written"))?;
    fs::rename(&part, path).map_err(RunError::io(path, "replaced"))
}

/// `NAME.part` beside `NAME`: where a file grows before it gets its name.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
