//! What each shell did with the line of a finding, from the traces beside it.
//!
//! The traces are the oracle's. Of their format this reads what a person wants to see, and a trace
//! that it cannot read is left out: the file is there.

use crate::layout;
use crate::visible::visible;
use serde::Deserialize;
use serde_json::Value;
use shfence_corpus::{PROJ, TOP, Text};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// As many touches as are shown of a shell.
const SHOWN: usize = 24;

/// What one shell did, or several alike, for people.
pub(super) struct Happened {
    pub(super) shells: String,
    pub(super) ended: String,
    pub(super) text: String,
}

#[derive(Deserialize)]
struct Trace {
    shell: ShellName,
    execs: Vec<Exec>,
    touches: Vec<Touch>,
    status: Value,
    output: Text,
}

#[derive(Deserialize)]
struct ShellName {
    name: String,
}

#[derive(Deserialize)]
struct Exec {
    argv: Vec<Text>,
    cwd: Text,
}

#[derive(Deserialize)]
struct Touch {
    kind: String,
    resolved: Text,
}

/// From the folder of a finding: shells that did the same stand together, whatever each said of it,
/// and what most of them did comes first.
pub(super) fn happened(folder: &Path) -> Vec<Happened> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| layout::is_trace(path));
    files.sort();
    let read = |path: &_| serde_json::from_slice::<Trace>(&fs::read(path).ok()?).ok();
    let mut alike: Vec<(String, Vec<String>, Vec<Trace>)> = Vec::new();
    for trace in files.iter().filter_map(read) {
        let (ended, lines) = (ended(&trace.status), doings(&trace));
        match alike.iter_mut().find(|(how, what, _)| *how == ended && *what == lines) {
            Some((.., traces)) => traces.push(trace),
            None => alike.push((ended, lines, vec![trace])),
        }
    }
    alike.sort_by_key(|(.., traces)| Reverse(traces.len()));
    alike.into_iter().map(|(ended, lines, traces)| together(ended, lines, &traces)).collect()
}

fn together(ended: String, mut lines: Vec<String>, traces: &[Trace]) -> Happened {
    let name = |trace: &Trace| visible(trace.shell.name.as_bytes());
    let said = traces.iter().filter(|trace| !trace.output.is_empty());
    lines.extend(said.map(|it| format!("{} printed {}", name(it), visible(&it.output))));
    let shells: Vec<String> = traces.iter().map(name).collect();
    Happened { shells: shells.join(", "), ended, text: lines.join("\n") }
}

fn doings(trace: &Trace) -> Vec<String> {
    let mut lines = Vec::new();
    for exec in &trace.execs {
        let words: Vec<String> = exec.argv.iter().map(|word| visible(word)).collect();
        lines.push(format!("ran {}   in {}", words.join(" "), visible(&exec.cwd)));
    }
    let outside: BTreeSet<String> = trace
        .touches
        .iter()
        .filter(|touch| is_below_top_and_outside(&touch.resolved))
        .map(|touch| format!("{} {}", touch.kind, visible(&touch.resolved)))
        .collect();
    lines.extend(outside.iter().take(SHOWN).map(|touch| format!("outside: {touch}")));
    if outside.len() > SHOWN {
        lines.push(format!("and {} more", outside.len() - SHOWN));
    }
    lines
}

/// `exited 0`, `signalled 9`, `timed-out`: a name, and a number if there is one.
fn ended(status: &Value) -> String {
    let one = status.as_object().and_then(|it| it.iter().next());
    let text = match (one, status.as_str()) {
        (Some((how, number)), _) => format!("{how} {number}"),
        (None, Some(how)) => how.to_owned(),
        (None, None) => String::new(),
    };
    visible(text.as_bytes())
}

/// What the system has is not what the finding is about.
fn is_below_top_and_outside(path: &[u8]) -> bool {
    let below = path.strip_prefix(TOP.as_bytes()).and_then(|rest| rest.strip_prefix(b"/"));
    below.is_some_and(|rest| {
        let in_root = rest.strip_prefix(PROJ.as_bytes());
        !in_root.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    })
}
