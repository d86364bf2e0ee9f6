//! A run as SARIF 2.1.0, for code scanning.
//!
//! Alerts are told apart by rule and fingerprint and shown at a place in the code. Rules are the
//! kinds of findings, the fingerprint is the signature, and the place is the same for all: where
//! the guard decides. So one defect is one alert, however many nights it is found again.

use crate::json::folder;
use crate::visible::visible;
use crate::{Recorded, Run};
use serde_json::{Value, json};
use shfence_corpus::FindingKind;

/// Where every alert is shown.
const PLACE: &str = "guard/src/decide.rs";

/// The document with the findings of the guards under test.
pub fn sarif(run: &Run) -> String {
    let rules: Vec<Value> = FindingKind::ALL.into_iter().map(rule).collect();
    let results: Vec<Value> = run.tested().map(|it| result(run, it)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "shfence-oracle",
                "semanticVersion": run.manifest.guard_version,
                "rules": rules,
            }},
            "automationDetails": { "id": format!("campaign/{}", run.manifest.seed) },
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).expect("a value can be JSON") + "\n"
}

fn rule(kind: FindingKind) -> Value {
    let (what, help) = match kind {
        FindingKind::TreeEscape => (
            "An allowed line touched something outside the project",
            "A real shell, given a line that the guard allowed, opened, listed, tested, executed \
             or changed a path outside the scope.",
        ),
        FindingKind::GroupEscape => (
            "An allowed line ran a program in a directory that was not predicted",
            "The effect of a cd reached further, or not as far, as the guard believes.",
        ),
        FindingKind::PlanMismatch => (
            "An allowed line ran a program that was not predicted",
            "A real shell read the line otherwise than the guard did.",
        ),
        FindingKind::Crash => {
            ("The guard did not answer", "The guard panicked, aborted, or ran out of time.")
        }
    };
    json!({
        "id": kind.name(),
        "shortDescription": { "text": what },
        "fullDescription": { "text": help },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["security"], "security-severity": "8.0" },
    })
}

fn result(run: &Run, recorded: &Recorded) -> Value {
    let finding = &recorded.finding;
    let message = format!(
        "{} in {}: {}\nAgain: {}\nEvidence: {}",
        finding.signature,
        finding.shells,
        visible(&finding.line),
        finding.repro,
        folder(run, recorded),
    );
    let mut result = json!({
        "ruleId": finding.kind.name(),
        "level": "error",
        "message": { "text": message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": PLACE },
            "region": { "startLine": 1 },
        }}],
        "partialFingerprints": { "signature/v1": finding.signature.as_str() },
    });
    if let Some(id) = &finding.known {
        let known = json!([{ "kind": "external", "justification": format!("known as {id}") }]);
        result["suppressions"] = known;
    }
    result
}
