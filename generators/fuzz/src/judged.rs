//! What the guard allows, shells run and the oracle judges.

use shfence_corpus::{Case, Decision};
use shfence_generators::{Choices, Settings, from_choices};
use shfence_oracle::engine::{EngineConfig, RunError, Start};
use shfence_oracle::guards::{Guard, Linked};
use shfence_oracle::judge::{Judgement, judge};
use shfence_oracle::lab::{self, Lab};
use std::cell::RefCell;
use std::path::Path;

thread_local! {
    /// An engine is started once: thousands of cases a minute go through it.
    static LAB: RefCell<Option<Lab>> = const { RefCell::new(None) };
}

/// A case made of these bytes, as a generator makes it of its choices: where the guard allows the
/// line, no shell does anything that contradicts it. `worker` becomes the contained worker; without
/// containment nothing is run, and that is a failure. Says whether it came to that.
///
/// What the guard does with a case is what coverage shows, so that a fuzzer changes the bytes
/// until the guard does something new; whether that is right, the shells say.
pub fn judged(bytes: &[u8], worker: &Path) -> bool {
    let case = from_choices(&mut Choices::from_bytes(bytes), &Settings::default()).case;
    let said = Linked.predict(&case).expect("the guard answers");
    if said.decision != Decision::Allow {
        return false;
    }
    LAB.with_borrow_mut(|lab| {
        let lab = lab.get_or_insert_with(|| open(worker));
        // Cases take turns by their length: there is no index.
        for shell in lab.shells_in_turn(&case, bytes.len() as u64) {
            let trace = match lab.run_in(&case, &shell) {
                Ok(trace) => trace,
                Err(error @ RunError::Engine(_)) => panic!("{error}"),
                // What cannot be handed to a shell is not run.
                Err(_) => continue,
            };
            if let Judgement::Contradicted(seen) = judge(&said, &trace) {
                panic!("{} contradicts: {:?}\n{}", shell.id.name, seen[0], shown(&case));
            }
        }
    });
    true
}

fn open(worker: &Path) -> Lab {
    let config = EngineConfig { start: Start::Warm, ..EngineConfig::new(worker) };
    let shells = lab::shells().expect("the shells are installed");
    Lab::configured(shells, &config).expect("cases can be contained")
}

/// All of it, for a fixture: the fuzzer's bytes say nothing to a person.
fn shown(case: &Case) -> String {
    format!("{:?}\n{case:#?}", case.line)
}
