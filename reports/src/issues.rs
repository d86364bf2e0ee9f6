//! An issue for each finding, for a tracker.
//!
//! A defect is one issue, however many nights see it: its key depends on guard and signature alone,
//! and stands in the text, where a tracker's search finds it. Nothing is filed here.

use crate::carets::with_carets;
use crate::described::touched;
use crate::difference::{Step, differences};
use crate::drawing;
use crate::visible::visible;
use crate::{Recorded, Run};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct Issue {
    key: String,
    title: String,
    body: String,
}

/// One JSON object a line: `key`, `title` and `body`, in Markdown, of each new finding of the
/// guards under test.
pub fn issues(run: &Run) -> String {
    let new = run.tested().filter(|it| it.finding.known.is_none());
    let line = |it| serde_json::to_string(&issue(run, it)).expect("every issue can be JSON") + "\n";
    new.map(line).collect()
}

fn issue(run: &Run, recorded: &Recorded) -> Issue {
    let finding = &recorded.finding;
    let key = key(&finding.guard, finding.signature.as_str());
    let mut body = String::new();
    let mut block = |title: &str, text: &str| {
        let _ = writeln!(body, "{title}\n");
        // Indented, no text is markup, whatever fences and comments stand in it.
        for line in text.lines() {
            let _ = writeln!(body, "    {line}");
        }
        let _ = writeln!(body);
    };
    block("The guard allowed this line:", &with_carets(&finding.line, &finding.spans));
    if let Some((verb, what)) = touched(finding) {
        let kind = finding.kind.name();
        let title = format!("In {} it is a {kind}. It {verb}:", finding.shells);
        block(&title, &visible(&what));
    }
    for it in differences(recorded) {
        let steps: Vec<String> = it.steps.iter().map(Step::text).collect();
        let title = format!("What was planned and what {} did:", it.shells.join(", "));
        block(&title, &steps.join("\n"));
    }
    if let Some(fixture) = &recorded.fixture {
        block("In this tree:", &drawing::draw(&fixture.case));
    }
    block("Again:", &visible(finding.repro.as_bytes()));
    block("As a fixture:", &format!("cargo xtask bless {} --run RUN", finding.signature));
    let manifest = &run.manifest;
    block(
        "Seen by:",
        &visible(
            format!(
                "{} {}, seed {}, index {}, {}",
                finding.guard,
                manifest.guard_version,
                finding.seed,
                finding.index,
                manifest.started
            )
            .as_bytes(),
        ),
    );
    let _ = writeln!(body, "{key}");
    Issue { title: format!("{} ({})", finding.signature, finding.shells), key, body }
}

/// `shfence-finding-` and sixteen digits: one word, since searches take texts apart.
fn key(guard: &str, signature: &str) -> String {
    // Fowler, Noll and Vo, 1a: the same for ever, on every machine.
    let bytes = guard.bytes().chain([0]).chain(signature.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("shfence-finding-{hash:016x}")
}
