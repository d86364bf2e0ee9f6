//! Judging a guard by what was recorded: the guard is asked anew, no shell is started.
//!
//! The judge is the same as in a campaign. What it finds cannot be confirmed here, nor minimised:
//! each signature comes with a case that `repro` runs again.

use crate::confirm::{Origin, Sort};
use crate::guards::Guard;
use crate::judge::{Contradiction, Judgement, judge};
use crate::prediction::Prediction;
use crate::recording::{RecordedCase, RecordedRun, Recording, RecordingError, Said, fingerprint};
use crate::signature::signature;
use shfence_corpus::{Case, Decision, FindingKind, Signature, Text};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// What judging again came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejudged {
    /// Recorded cases that were read.
    pub cases: u64,
    /// Those about which the guard was asked.
    pub asked: u64,
    /// Those of them that it allowed.
    pub allowed: u64,
    /// Traces that were judged.
    pub runs: u64,
    /// What contradicts the guard.
    pub contradictions: BTreeMap<Signature, Shown>,
    /// Contradictions that the recording campaign saw as well, and could not confirm.
    pub unconfirmed: u64,
    /// Traces that cannot be compared with an allowed line: why.
    pub inconclusive: BTreeMap<&'static str, u64>,
    /// Cases that cannot be compared: why.
    pub incomparable: BTreeMap<&'static str, u64>,
    /// Where the guard says something else than the guard of this name said then.
    pub changes: BTreeMap<Change, Changed>,
}

/// A contradiction, wherever it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// In how many cases.
    pub cases: u64,
    /// In which shells.
    pub shells: BTreeSet<String>,
    /// In which lanes: what only probes show, tools need not.
    pub lanes: BTreeSet<String>,
    /// The first of the cases.
    pub first: Example,
}

/// How an answer differs from the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Another verdict; none is a crash.
    Verdict(Option<Decision>, Option<Decision>),
    /// The same verdict, another plan.
    Plan,
}

/// How often an answer differs in this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// In how many cases.
    pub cases: u64,
    /// The first of them.
    pub first: Example,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// As `shfence-oracle repro` takes it.
    pub origin: Origin,
    /// Its line.
    pub line: Text,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// All that was recorded.
    End,
    /// Until something contradicts the guard: enough to know that it is wrong.
    Contradicted,
}

/// Judges a guard by recordings, each in a thread of its own.
///
/// # Errors
///
/// If a recording cannot be read to its end.
pub fn rejudge(
    recordings: Vec<Recording>,
    guard: &dyn Guard,
    until: Until,
) -> Result<Rejudged, RecordingError> {
    let over = &AtomicBool::new(false);
    let parts: Vec<Result<Rejudged, RecordingError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = recordings
            .into_iter()
            .map(|recording| scope.spawn(move || of_one(recording, guard, until, over)))
            .collect();
        let ended = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended.map(|it| it.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    parts.into_iter().try_fold(Rejudged::default(), |sum, part| Ok(sum.and(part?)))
}

fn of_one(
    mut recording: Recording,
    guard: &dyn Guard,
    until: Until,
    over: &AtomicBool,
) -> Result<Rejudged, RecordingError> {
    let mut rejudged = Rejudged::default();
    let same_generators = recording.generator() == recording.source().revision();
    while !over.load(Ordering::Relaxed) {
        let Some(recorded) = recording.next_case()? else { break };
        rejudged.cases += 1;
        let source = recording.source();
        if !same_generators || source.cases().is_some_and(|all| recorded.index >= all) {
            rejudged.incomparable("the generators are of another revision");
            continue;
        }
        let (case, _) = source.case(recorded.index);
        if fingerprint(&case) != recorded.fingerprint {
            rejudged.incomparable("the case of this index is another one now");
            continue;
        }
        rejudged.case(&case, source.origin(recorded.index), &recorded, guard);
        if until == Until::Contradicted && !rejudged.contradictions.is_empty() {
            over.store(true, Ordering::Relaxed);
        }
    }
    Ok(rejudged)
}

impl Rejudged {
    fn incomparable(&mut self, why: &'static str) {
        *self.incomparable.entry(why).or_default() += 1;
    }

    fn case(&mut self, case: &Case, origin: Origin, recorded: &RecordedCase, guard: &dyn Guard) {
        self.asked += 1;
        let example = Example { origin, line: case.line.clone() };
        let prediction = guard.predict(case).ok();
        let said = Said::of(prediction.as_ref());
        if let Some(before) = recorded.said.get(&guard.name()) {
            self.compare(*before, said, &example);
        }
        let mut seen: BTreeMap<Signature, BTreeSet<&str>> = BTreeMap::new();
        match &prediction {
            Some(prediction) => {
                self.allowed += u64::from(prediction.decision == Decision::Allow);
                for run in &recorded.runs {
                    for found in self.run(case, prediction, run) {
                        seen.entry(found).or_default().insert(&run.trace.shell.name);
                    }
                }
            }
            None => {
                let crash = Signature::new(&[FindingKind::Crash.name(), "guard"]);
                seen.insert(crash.expect("plain names"), BTreeSet::from(["guard"]));
            }
        }
        for (signature, shells) in seen {
            let shown = Shown {
                cases: 1,
                shells: shells.into_iter().map(str::to_owned).collect(),
                lanes: BTreeSet::from([recorded.lane.clone()]),
                first: example.clone(),
            };
            self.shown(signature, shown);
        }
    }

    fn compare(&mut self, before: Said, now: Said, example: &Example) {
        let change = match (before.decision, now.decision) {
            (before, now) if before != now => Change::Verdict(before, now),
            _ if before.plan != now.plan => Change::Plan,
            _ => return,
        };
        self.changed(change, Changed { cases: 1, first: example.clone() });
    }

    /// What a run shows the guard to be wrong about.
    fn run(&mut self, case: &Case, prediction: &Prediction, run: &RecordedRun) -> Vec<Signature> {
        self.runs += 1;
        let contradictions = match judge(prediction, &run.trace) {
            Judgement::Agree => return Vec::new(),
            Judgement::Inconclusive(why) => {
                *self.inconclusive.entry(why).or_default() += 1;
                return Vec::new();
            }
            Judgement::Contradicted(contradictions) => contradictions,
        };
        // One of each sort, as in a campaign: a walk through a whole tree has thousands.
        let mut sorts: BTreeMap<Sort, &Contradiction> = BTreeMap::new();
        for contradiction in &contradictions {
            sorts.entry(contradiction.sort()).or_insert(contradiction);
        }
        let all = sorts.len();
        sorts.retain(|sort, _| !run.unconfirmed.contains(sort));
        self.unconfirmed += u64::from(sorts.len() < all);
        sorts.into_values().map(|it| signature(case, it, &run.trace)).collect()
    }

    fn shown(&mut self, signature: Signature, shown: Shown) {
        let Some(all) = self.contradictions.get_mut(&signature) else {
            self.contradictions.insert(signature, shown);
            return;
        };
        all.cases += shown.cases;
        all.shells.extend(shown.shells);
        all.lanes.extend(shown.lanes);
        if shown.first < all.first {
            all.first = shown.first;
        }
    }

    fn changed(&mut self, change: Change, changed: Changed) {
        let Some(all) = self.changes.get_mut(&change) else {
            self.changes.insert(change, changed);
            return;
        };
        all.cases += changed.cases;
        if changed.first < all.first {
            all.first = changed.first;
        }
    }

    /// Both together.
    fn and(mut self, other: Rejudged) -> Rejudged {
        self.cases += other.cases;
        self.asked += other.asked;
        self.allowed += other.allowed;
        self.runs += other.runs;
        self.unconfirmed += other.unconfirmed;
        for (signature, shown) in other.contradictions {
            self.shown(signature, shown);
        }
        for (change, changed) in other.changes {
            self.changed(change, changed);
        }
        for (why, count) in other.inconclusive {
            *self.inconclusive.entry(why).or_default() += count;
        }
        for (why, count) in other.incomparable {
            *self.incomparable.entry(why).or_default() += count;
        }
        self
    }
}
