//! Several guards, asked about the same cases; what the shells do decides who was right.
//!
//! Every case runs once in each shell, with real tools, and its traces are judged against all
//! guards. Nothing is minimised: this is about how often a guard is wrong, not why.

use crate::campaign::Source;
use crate::engine::{EngineConfig, RunError, Start};
use crate::guards::{Guard, GuardName, declares};
use crate::installations::Installation;
use crate::judge::{Judgement, judge, was_harmless};
use crate::lab::{self, Lab, LabError};
use crate::processors;
use serde::Serialize;
use shfence_corpus::{Case, Decision, FindingKind, Fixture, Shell};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What to compare.
#[derive(Clone, Debug)]
pub struct Comparing {
    /// The guards, in the order of the table.
    pub guards: Vec<GuardName>,
    /// The seed of the generated cases.
    pub seed: u64,
    /// How many of them.
    pub cases: u64,
    /// Fixtures, which are run as well.
    pub fixtures: Vec<Fixture>,
    /// How many workers run at once.
    pub jobs: usize,
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Compared {
    /// The seed.
    pub seed: u64,
    /// Generated cases that were asked for.
    pub cases_asked: u64,
    /// Those of them that were run.
    pub cases: u64,
    /// Fixtures that were asked for.
    pub fixtures_asked: u64,
    /// Those of them that were run.
    pub fixtures: u64,
    /// The guards, in the order asked for.
    pub guards: Vec<Line>,
}

impl Compared {
    /// Was all run that was asked for? A signal may have come first.
    pub fn is_whole(&self) -> bool {
        (self.cases, self.fixtures) == (self.cases_asked, self.fixtures_asked)
    }
}

/// What one guard did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Line {
    /// Its name.
    pub guard: String,
    /// Why it was not asked: it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Cases it was asked about, fixtures included.
    pub asked: u64,
    /// Cases it allowed.
    pub allowed: u64,
    /// Cases on which it gave no answer, or a wrong one.
    pub crashed: u64,
    /// Cases it allowed, and a shell escaped the tree.
    pub escaped: u64,
    /// The same by shell.
    pub escaped_in: BTreeMap<Shell, u64>,
    /// By class, which is the family of a case, or the folder of a fixture.
    pub classes: BTreeMap<String, Class>,
    /// Cases it allowed, and a shell did something else than its plan says. Only guards that give
    /// plans have any.
    pub other_than_planned: u64,
    /// Cases it refused, though every shell stayed inside with declared verbs only.
    pub over_refused: u64,
    /// Seconds it took for all answers, its tree planted where it looks at one.
    pub seconds: f64,
}

/// What one guard did with the cases of one class.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Class {
    /// Asked about.
    pub asked: u64,
    /// Allowed.
    pub allowed: u64,
    /// Allowed, and escaped.
    pub escaped: u64,
}

impl Line {
    /// Answers per second of one worker.
    pub fn decisions_per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.asked as f64 / self.seconds)
    }
}

/// The cases, in one order.
struct Cases<'a>(&'a Comparing);

impl Cases<'_> {
    fn get(&self, number: u64) -> Option<(Case, String)> {
        let Comparing { seed, cases, fixtures, .. } = self.0;
        if number < *cases {
            let (case, family) = Source::Drawn { seed: *seed }.case(number);
            return Some((case, family.to_owned()));
        }
        let fixture = fixtures.get(usize::try_from(number - cases).ok()?)?;
        let folder = fixture.name.split('.').next().unwrap_or_default();
        Some((fixture.case.clone(), format!("fixture {folder}")))
    }
}

impl Comparing {
    /// Compares. An error means that nothing can be run here.
    pub fn run(&self) -> Result<Compared, LabError> {
        let missing: Vec<Option<String>> =
            self.guards.iter().map(|guard| guard.answers().err().map(|crash| crash.0)).collect();
        if missing.iter().all(Option::is_some) {
            return Ok(self.compared(&missing));
        }
        let shells = lab::shells()?;
        let mut processors = processors::usable().into_iter().map(Some).cycle();
        let config = EngineConfig::of_this_program().map_err(LabError::Program)?;
        let open = |cpu| {
            let config = EngineConfig { start: Start::Warm, cpu, ..config.clone() };
            Lab::configured(shells.clone(), &config)
        };
        let labs: Vec<Lab> = (0..self.jobs.max(1))
            .map(|_| open(processors.next().flatten()))
            .collect::<Result<_, _>>()?;
        let compared = self.compared(&missing);
        let (next, compared) = (AtomicU64::new(0), Mutex::new(compared));
        let fault = Mutex::new(None);
        std::thread::scope(|scope| {
            for lab in labs {
                scope.spawn(|| {
                    if let Err(error) = self.work(lab, &next, &compared) {
                        *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    }
                });
            }
        });
        if let Some(RunError::Engine(error)) = fault.into_inner().unwrap_or_default() {
            return Err(error.into());
        }
        Ok(compared.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Nothing compared yet; of each guard, why it is not asked.
    fn compared(&self, missing: &[Option<String>]) -> Compared {
        let lines = self.guards.iter().zip(missing).map(|(guard, missing)| Line {
            guard: guard.guard().name(),
            missing: missing.clone(),
            ..Line::default()
        });
        Compared {
            seed: self.seed,
            cases_asked: self.cases,
            fixtures_asked: self.fixtures.len() as u64,
            guards: lines.collect(),
            ..Compared::default()
        }
    }

    fn work(
        &self,
        mut lab: Lab,
        next: &AtomicU64,
        compared: &Mutex<Compared>,
    ) -> Result<(), RunError> {
        let guards: Vec<Arc<dyn Guard>> = self.guards.iter().map(GuardName::guard).collect();
        let missing: Vec<bool> = {
            let compared = compared.lock().unwrap_or_else(PoisonError::into_inner);
            compared.guards.iter().map(|line| line.missing.is_some()).collect()
        };
        while crate::interrupt::pending().is_none() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((case, class)) = Cases(self).get(number) else { break };
            let answers: Vec<Option<Answered>> = guards
                .iter()
                .zip(&missing)
                .map(|(guard, missing)| (!missing).then(|| Answered::of(&**guard, &case)))
                .collect();
            let seen = Seen::of(&case, number, &answers, &mut lab)?;
            let mut compared = compared.lock().unwrap_or_else(PoisonError::into_inner);
            match number < self.cases {
                true => compared.cases += 1,
                false => compared.fixtures += 1,
            }
            for (line, (answer, wrong)) in
                compared.guards.iter_mut().zip(answers.iter().zip(&seen.wrong))
            {
                if let Some(answer) = answer {
                    line.add(answer, wrong, seen.harmless, &class);
                }
            }
        }
        Ok(())
    }
}

/// What a guard said of a case, and how long it took.
struct Answered {
    prediction: Option<crate::prediction::Prediction>,
    took: Duration,
}

impl Answered {
    fn of(guard: &dyn Guard, case: &Case) -> Answered {
        let started = Instant::now();
        let prediction = guard.predict(case).ok();
        Answered { prediction, took: started.elapsed() }
    }

    fn allows(&self) -> bool {
        self.prediction.as_ref().is_some_and(|it| it.decision == Decision::Allow)
    }
}

/// How one guard was wrong about a case.
#[derive(Clone, Debug, Default)]
struct Wrong {
    escaped_in: Vec<Shell>,
    other_than_planned: bool,
}

/// What the shells did with a case, seen from each guard.
struct Seen {
    wrong: Vec<Wrong>,
    harmless: bool,
}

impl Seen {
    fn of(
        case: &Case,
        number: u64,
        answers: &[Option<Answered>],
        lab: &mut Lab,
    ) -> Result<Seen, RunError> {
        let mut seen = Seen { wrong: vec![Wrong::default(); answers.len()], harmless: true };
        let shells: Vec<Installation> = lab.shells_in_turn(case, number);
        for shell in &shells {
            let trace = match lab.run_in(case, shell) {
                Ok(trace) => trace,
                Err(error @ RunError::Engine(_)) => return Err(error),
                Err(_) => {
                    seen.harmless = false;
                    continue;
                }
            };
            seen.harmless &= was_harmless(&trace, &declares);
            for (answer, wrong) in answers.iter().zip(&mut seen.wrong) {
                let prediction = answer.as_ref().and_then(|it| it.prediction.as_ref());
                let Some(prediction) = prediction else { continue };
                let Judgement::Contradicted(found) = judge(prediction, &trace) else { continue };
                let language = shell.id.shell;
                if found.iter().any(|it| it.kind == FindingKind::TreeEscape) {
                    if !wrong.escaped_in.contains(&language) {
                        wrong.escaped_in.push(language);
                    }
                } else {
                    wrong.other_than_planned = true;
                }
            }
        }
        Ok(seen)
    }
}

impl Line {
    fn add(&mut self, answer: &Answered, wrong: &Wrong, harmless: bool, class: &str) {
        let (allows, escaped) = (answer.allows(), !wrong.escaped_in.is_empty());
        self.asked += 1;
        self.seconds += answer.took.as_secs_f64();
        self.allowed += u64::from(allows);
        self.crashed += u64::from(answer.prediction.is_none());
        self.escaped += u64::from(escaped);
        self.other_than_planned += u64::from(wrong.other_than_planned && !escaped);
        self.over_refused += u64::from(!allows && harmless);
        for shell in &wrong.escaped_in {
            *self.escaped_in.entry(*shell).or_default() += 1;
        }
        let class = self.classes.entry(class.to_owned()).or_default();
        class.asked += 1;
        class.allowed += u64::from(allows);
        class.escaped += u64::from(escaped);
    }
}
