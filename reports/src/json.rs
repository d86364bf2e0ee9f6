//! A run as one JSON document, for scripts: what the directory holds, and what it comes to.

use crate::{Manifest, Recorded, Run, Steps, Summary};
use serde::Serialize;
use shfence_corpus::Finding;
use std::collections::BTreeMap;

/// The version of the document, which `docs/report.schema.json` describes. Fields may be added
/// without a new number.
const SCHEMA: u32 = 2;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    /// For people, as on the page.
    verdict: String,
    /// What a command that reports this verdict exits with.
    exit_code: u8,
    /// Cases that were run.
    cases: u64,
    cases_asked: Option<u64>,
    seconds: f64,
    cases_per_second: Option<f64>,
    /// Of the guards under test. What was found of strawmen stands apart.
    findings: Vec<Entry<'a>>,
    caught: Vec<Entry<'a>>,
    /// What is missing or cut.
    notes: &'a [String],
    manifest: &'a Manifest,
    summary: Option<&'a Summary>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    /// Its evidence, below the run directory.
    folder: String,
    /// By shell, what of its doings was planned; nothing of a run of old.
    steps: &'a BTreeMap<String, Steps>,
}

/// The document, for any state of the run.
pub fn json<'a>(run: &'a Run) -> String {
    let summary = run.summary.as_ref();
    let (findings, caught): (Vec<&'a Recorded>, Vec<&'a Recorded>) =
        run.findings.iter().partition(|it| run.manifest.guards.contains(&it.finding.guard));
    let entries = |those: Vec<&'a Recorded>| -> Vec<Entry<'a>> {
        those
            .into_iter()
            .map(|it| Entry { finding: &it.finding, folder: folder(run, it), steps: &it.steps })
            .collect()
    };
    let document = Document {
        schema: SCHEMA,
        verdict: run.verdict().to_string(),
        exit_code: run.verdict().exit_code().code(),
        cases: summary.map_or(0, |it| it.cases_run),
        cases_asked: summary.and_then(|it| it.cases_asked),
        seconds: summary.map_or(0.0, |it| it.seconds),
        cases_per_second: summary.and_then(Summary::cases_per_second),
        findings: entries(findings),
        caught: entries(caught),
        notes: &run.notes,
        manifest: &run.manifest,
        summary,
    };
    serde_json::to_string_pretty(&document).expect("every run can be JSON") + "\n"
}

/// Where the evidence of a finding stands, relative to the run directory.
pub(crate) fn folder(run: &Run, recorded: &Recorded) -> String {
    let below = recorded.folder.strip_prefix(&run.dir).unwrap_or(&recorded.folder);
    below.display().to_string()
}
