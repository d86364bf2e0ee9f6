//! A case, what a guard said of it, and what each shell did, side by side on a terminal.

use shfence_corpus::{Case, Decision, FindingKind, Node, TOP, Text};
use shfence_oracle::engine::RunError;
use shfence_oracle::guards::Guard;
use shfence_oracle::judge::{Contradiction, Judgement, judge};
use shfence_oracle::lab::Lab;
use shfence_oracle::prediction::{Plan, Prediction, Word};
use shfence_oracle::trace::{Status, TouchKind, Trace};
use shfence_reports::ExitCode;
use std::fmt::Write as _;

/// What a guard and the shells make of one case.
pub(super) struct Comparison {
    pub(super) case: Case,
    pub(super) guard: String,
    pub(super) prediction: Result<Prediction, String>,
    pub(super) traces: Vec<Trace>,
}

impl Comparison {
    /// Asks the guard and runs the shells.
    pub(super) fn of(case: Case, guard: &dyn Guard, lab: &mut Lab) -> Result<Comparison, RunError> {
        let prediction = guard.predict(&case).map_err(|crash| crash.to_string());
        let traces = lab.run(&case)?;
        Ok(Comparison { case, guard: guard.name(), prediction, traces })
    }

    /// What this trace says of the guard; of one that crashed, nothing.
    fn judgement(&self, trace: &Trace) -> Judgement {
        match &self.prediction {
            Ok(prediction) => judge(prediction, trace),
            Err(_) => Judgement::Agree,
        }
    }

    /// The contradictions that this trace shows.
    pub(super) fn contradictions(&self, trace: &Trace) -> Vec<Contradiction> {
        match self.judgement(trace) {
            Judgement::Contradicted(found) => found,
            Judgement::Agree | Judgement::Inconclusive(_) => Vec::new(),
        }
    }

    /// Why the run that this trace is of cannot be judged, if it cannot.
    fn inconclusive(&self, trace: &Trace) -> Option<&'static str> {
        match self.judgement(trace) {
            Judgement::Inconclusive(why) => Some(why),
            Judgement::Agree | Judgement::Contradicted(_) => None,
        }
    }

    /// Can the run of any shell not be judged?
    pub(super) fn is_inconclusive(&self) -> bool {
        self.traces.iter().any(|trace| self.inconclusive(trace).is_some())
    }

    /// How a command ends that shows it: what cannot be judged is not clean.
    pub(super) fn exit_code(&self) -> ExitCode {
        match (self.is_wrong(), self.is_inconclusive()) {
            (true, _) => ExitCode::NewFindings,
            (false, true) => ExitCode::HarnessFault,
            (false, false) => ExitCode::Clean,
        }
    }

    /// Is the guard wrong about it, in any shell?
    pub(super) fn is_wrong(&self) -> bool {
        self.prediction.is_err()
            || self.traces.iter().any(|trace| !self.contradictions(trace).is_empty())
    }

    /// For a person.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "line   {}", visible(&self.case.line));
        let _ = writeln!(text, "cwd    {}", self.case.cwd.absolute());
        if let Some(pwd) = &self.case.pwd {
            let _ = writeln!(text, "$PWD   {}", visible(pwd));
        }
        for (name, value) in &self.case.env {
            let value = value.as_ref().map_or("(unset)".to_owned(), visible);
            let _ = writeln!(text, "{:6} {value}", format!("${name}"));
        }
        for (path, node) in self.case.tree.entries() {
            let path = visible(&Text::from(path.clone()));
            let _ = match node {
                Node::Dir => writeln!(text, "tree   {path}/"),
                Node::File { .. } => writeln!(text, "tree   {path}"),
                Node::Link { to } => writeln!(text, "tree   {path} -> {}", visible(to)),
            };
        }
        self.guard_text(&mut text);
        for trace in &self.traces {
            self.trace_text(trace, &mut text);
        }
        text
    }

    fn guard_text(&self, text: &mut String) {
        let prediction = match &self.prediction {
            Ok(prediction) => prediction,
            Err(crash) => {
                let _ = writeln!(text, "\n{}: {crash}", self.guard);
                return;
            }
        };
        let _ = writeln!(text, "\n{} says {}", self.guard, prediction.decision);
        for reason in &prediction.reasons {
            let _ = writeln!(text, "  {reason}");
        }
        if let Some(plan) = &prediction.plan {
            plan_text(plan, text);
        }
    }

    fn trace_text(&self, trace: &Trace, text: &mut String) {
        let ended = match trace.status {
            Status::Exited(code) => format!("exit {code}"),
            Status::Signalled(signal) => format!("killed by signal {signal}"),
            Status::TimedOut => "time limit".to_owned(),
        };
        let shell = &trace.shell;
        let _ = writeln!(text, "\n{} {} ({ended})", shell.name, shell.version);
        for exec in &trace.execs {
            let argv: Vec<String> = exec.argv.iter().map(visible).collect();
            let _ = writeln!(text, "  runs   {}   in {}", argv.join(" "), visible(&exec.cwd));
        }
        let below = |path: &Text| path.starts_with(TOP.as_bytes());
        let mut shown = Vec::new();
        for touch in trace.touches.iter().filter(|touch| below(&touch.resolved)) {
            if touch.kind == TouchKind::Test && touch.existed {
                continue;
            }
            let missing = if touch.existed { "" } else { "   (not there)" };
            let line = format!("  {:6} {}{missing}", touch.kind.name(), visible(&touch.resolved));
            if !shown.contains(&line) {
                let _ = writeln!(text, "{line}");
                shown.push(line);
            }
        }
        if !trace.output.is_empty() {
            let _ = writeln!(text, "  prints {}", visible(&trace.output));
        }
        if let Some(why) = self.inconclusive(trace) {
            let _ = writeln!(text, "  ** inconclusive: {why}");
        }
        let mut told_already = Vec::new();
        for one in self.contradictions(trace) {
            let line = format!("  ** {}: {}", one.kind, told(&one));
            if !told_already.contains(&line) {
                let _ = writeln!(text, "{line}");
                told_already.push(line);
            }
        }
    }

    /// For programs.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let (decision, plan, reasons) = match &self.prediction {
            Ok(it) => {
                let reasons = it.reasons.iter().map(ToString::to_string).collect();
                (Some(it.decision), it.plan.as_ref(), reasons)
            }
            Err(crash) => (None::<Decision>, None, vec![crash.clone()]),
        };
        let shells = self.traces.iter().map(|trace| {
            let findings: Vec<_> = self
                .contradictions(trace)
                .iter()
                .map(|it| {
                    serde_json::json!({
                        "kind": it.kind,
                        "effect": it.effect,
                        "what": it.what,
                        "existed": it.existed,
                    })
                })
                .collect();
            let inconclusive = self.inconclusive(trace);
            serde_json::json!({
                "trace": trace, "findings": findings, "inconclusive": inconclusive,
            })
        });
        serde_json::json!({
            "line": self.case.line,
            "guard": self.guard,
            "decision": decision,
            "reasons": reasons,
            "plan": plan,
            "wrong": self.is_wrong(),
            "shells": shells.collect::<Vec<_>>(),
        })
    }
}

/// What contradicted the guard, as the end of a sentence that begins with its kind.
pub(super) fn told(one: &Contradiction) -> String {
    let what = visible(&one.what);
    match (one.kind, one.effect) {
        (FindingKind::GroupEscape, TouchKind::Exec) => {
            format!("starts in {what}: {}", visible(&one.text))
        }
        (FindingKind::GroupEscape, _) => format!("enters {what}, which the plan does not"),
        (FindingKind::PlanMismatch, TouchKind::Exec) => {
            format!("runs {what}, which the plan does not")
        }
        (FindingKind::PlanMismatch, _) => format!("writes {what}, which the plan does not"),
        (FindingKind::TreeEscape | FindingKind::Crash, effect) => {
            format!("{} {what}", effect.name())
        }
    }
}

fn plan_text(plan: &Plan, text: &mut String) {
    for segment in &plan.segments {
        let words: Vec<String> = segment.argv.iter().map(word).collect();
        let cwd = match &segment.cwd {
            None => "anywhere".to_owned(),
            Some(list) if list.is_empty() => "never reached".to_owned(),
            Some(list) => {
                format!("in {}", list.iter().map(visible).collect::<Vec<_>>().join(" or "))
            }
        };
        let _ = writeln!(text, "  plan   {}   {cwd}", words.join(" "));
    }
}

fn word(word: &Word) -> String {
    match word {
        Word::Is(text) => visible(text),
        Word::OneOf(texts) => {
            format!("({})", texts.iter().map(visible).collect::<Vec<_>>().join("|"))
        }
        Word::One(_) => "?".to_owned(),
        Word::Many(_) => "…".to_owned(),
    }
}

/// Text that shows what it is: quoted where it holds anything but plain characters.
pub(super) fn visible(text: &Text) -> String {
    let shown = text.lossy();
    match shown.chars().any(char::is_control) || std::str::from_utf8(text).is_err() {
        true => format!("$'{}'", text.escape_ascii()),
        false => shown.into_owned(),
    }
}
