//! What outside guards are asked, and what they answer.

use crate::prediction::{Plan, Prediction, Reason};
use serde::{Deserialize, Serialize};
use serde_json::json;
use shfence_corpus::{Case, Decision, Text};
use std::process::Output;

/// A question about one case.
pub(super) struct Question<'a>(&'a Case);

impl<'a> Question<'a> {
    pub(super) fn of(case: &'a Case) -> Question<'a> {
        Question(case)
    }

    /// As Claude Code asks its `PreToolUse` hooks. Nothing, if line or directory are no UTF-8: such
    /// a line cannot come from an agent that speaks JSON.
    pub(super) fn to_hook(&self) -> Option<String> {
        let cwd = self.0.cwd.absolute();
        let (line, cwd) = (str::from_utf8(&self.0.line).ok()?, str::from_utf8(&cwd).ok()?);
        let question = json!({
            "session_id": "shfence-oracle",
            "transcript_path": "/dev/null",
            "cwd": cwd,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": { "command": line },
        });
        Some(question.to_string())
    }

    /// As `shfence batch` takes it.
    pub(super) fn to_batch(&self) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            id: u8,
            command: &'a Text,
            cwd: Text,
            pwd: Option<Text>,
            root: Text,
            home: Option<Text>,
            env: std::collections::BTreeMap<&'a str, &'a Text>,
            shells: String,
            invocation: &'a str,
            plan: bool,
        }
        let case = self.0;
        let set = case.env.iter().filter_map(|(name, value)| Some((&**name, value.as_ref()?)));
        let line = Line {
            id: 0,
            command: &case.line,
            cwd: case.cwd.absolute(),
            pwd: match case.env.get("PWD") {
                Some(value) => value.clone(),
                None => Some(case.logical_cwd()),
            },
            root: Case::root(),
            home: case.home(),
            env: set.collect(),
            shells: case.shells.to_string(),
            invocation: case.invocation.name(),
            plan: true,
        };
        serde_json::to_string(&line).expect("every case can be JSON")
    }
}

/// What a guard that speaks of text alone says of bytes.
pub(super) fn not_text() -> Prediction {
    said(Decision::Ask, "the line is no text".to_owned())
}

fn said(decision: Decision, reason: String) -> Prediction {
    let reason = Reason { code: String::new(), note: reason };
    let reasons = if reason.note.is_empty() { Vec::new() } else { vec![reason] };
    Prediction { decision, plan: None, reasons }
}

/// The answer of a hook, as Claude Code takes it: `hookSpecificOutput.permissionDecision`, or the
/// older `decision`; the exit code 2 denies; no answer leaves it to the person.
pub(super) fn of_hook(output: &Output) -> Result<Prediction, String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        decision: Option<String>,
        reason: Option<String>,
        hook_specific_output: Option<Specific>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Specific {
        permission_decision: Option<String>,
        permission_decision_reason: Option<String>,
    }
    let errors = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match output.status.code() {
        Some(0) => {}
        Some(2) => return Ok(said(Decision::Deny, errors)),
        // Claude Code takes any other failure for no objection of the hook, and asks the person.
        Some(code) => return Err(format!("it ended with exit code {code}: {errors}")),
        None => return Err(format!("it was ended by a signal: {errors}")),
    }
    if output.stdout.trim_ascii().is_empty() {
        return Ok(said(Decision::Ask, "it has no opinion".to_owned()));
    }
    let answer: Answer = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("its answer is no JSON of a hook: {error}"))?;
    let (word, reason) = match answer.hook_specific_output {
        Some(it) => (it.permission_decision, it.permission_decision_reason),
        None => (answer.decision, answer.reason),
    };
    let decision = match word.as_deref() {
        Some("allow" | "approve") => Decision::Allow,
        Some("deny" | "block") => Decision::Deny,
        Some("ask" | "defer") | None => Decision::Ask,
        Some(other) => return Err(format!("its decision '{other}' is none of a hook")),
    };
    Ok(said(decision, reason.unwrap_or_default()))
}

/// The answer of `shfence batch`, or of who speaks like it.
pub(super) fn of_batch(line: &str) -> Result<Prediction, String> {
    #[derive(Deserialize)]
    struct Answer {
        decision: Decision,
        #[serde(default)]
        reasons: Vec<Said>,
        error: Option<String>,
        plan: Option<Understood>,
    }
    #[derive(Deserialize)]
    struct Said {
        code: String,
        #[serde(default)]
        note: String,
    }
    #[derive(Deserialize)]
    struct Understood {
        understood: bool,
        #[serde(default)]
        segments: Option<serde_json::Value>,
    }
    let answer: Answer = serde_json::from_str(line)
        .map_err(|error| format!("its answer is none of a batch: {error}: {line}"))?;
    if let Some(error) = answer.error {
        return Err(format!("it could not read the question: {error}"));
    }
    let segments = answer.plan.filter(|plan| plan.understood).and_then(|plan| plan.segments);
    let plan = segments
        .map(|segments| serde_json::from_value::<Plan>(json!({ "segments": segments })))
        .transpose()
        .map_err(|error| format!("its plan is none: {error}"))?;
    let reasons = answer.reasons.into_iter();
    let reasons = reasons.map(|Said { code, note }| Reason { code, note }).collect();
    Ok(Prediction { decision: answer.decision, plan, reasons })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn hook(code: i32, stdout: &str) -> Result<Decision, String> {
        let status = ExitStatus::from_raw(code << 8);
        let output = Output { status, stdout: stdout.into(), stderr: b"why\n".to_vec() };
        of_hook(&output).map(|it| it.decision)
    }

    #[test]
    fn a_hook_is_taken_as_its_agent_takes_it() {
        let specific = |word: &str| {
            let answer = json!({ "hookSpecificOutput": { "permissionDecision": word } });
            hook(0, &answer.to_string())
        };
        assert_eq!(specific("allow"), Ok(Decision::Allow));
        assert_eq!(specific("ask"), Ok(Decision::Ask));
        assert_eq!(specific("deny"), Ok(Decision::Deny));
        assert!(specific("maybe").is_err());
        assert_eq!(hook(0, r#"{"decision": "approve"}"#), Ok(Decision::Allow));
        assert_eq!(hook(0, r#"{"decision": "block"}"#), Ok(Decision::Deny));
        assert_eq!(hook(0, "{}"), Ok(Decision::Ask));
        assert_eq!(hook(0, " \n"), Ok(Decision::Ask));
        assert_eq!(hook(2, ""), Ok(Decision::Deny));
        assert!(hook(1, r#"{"decision": "approve"}"#).is_err(), "who fails has not allowed");
        assert!(hook(0, "allow").is_err());
    }

    #[test]
    fn a_batch_answers_with_its_plan() {
        let said = of_batch(
            r#"{"id":0,"decision":"allow","reasons":[],"plan":{"understood":true,"segments":
            [{"span":[0,5],"cwd":["/case/proj"],"argv":[{"is":"cat"},{"many":true}],"paths":
            [{"path":"/case/proj/x","role":"read","span":[4,5]}]}]}}"#,
        )
        .expect("an answer");
        assert_eq!(said.decision, Decision::Allow);
        assert_eq!(said.plan.expect("a plan").segments.len(), 1);
        let used = |role: &str| {
            let plan = format!(
                r#"{{"understood":true,"segments":[{{"span":[0,5],"cwd":[],"argv":[],"paths":
                [{{"path":"/case/proj/x","role":"{role}"}}]}}]}}"#
            );
            of_batch(&format!(r#"{{"decision":"allow","plan":{plan}}}"#))
        };
        assert!(used("enter").is_ok());
        let told = used("visit").expect_err("a role that there is not");
        assert!(told.contains("its plan is none") && told.contains("visit"), "{told}");
        let wrong = r#"{"id":null,"line":1,"error":"no","decision":"ask"}"#;
        assert!(of_batch(wrong).is_err());
        assert!(of_batch("").is_err());
    }
}
