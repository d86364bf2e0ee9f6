//! `shfence stats`: the events, counted.

use super::super::{Exit, caret};
use super::Event;
use super::reading::{self, Log, Which};
use clap::Args;
use serde::Serialize;
use shfence::Decision;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Counts what was waved through and what was asked.
#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    which: Which,
    /// Print the figures as one JSON object
    #[arg(long)]
    json: bool,
}

impl Stats {
    pub fn run(&self) -> ExitCode {
        let figures = match Log::read(&self.which) {
            Ok(log) => Figures::of(&log),
            Err(message) => {
                eprintln!("shfence: {message}");
                return Exit::Io.into();
            }
        };
        match (self.json, serde_json::to_string(&figures)) {
            (true, Ok(json)) => println!("{json}"),
            _ => print!("{}", figures.rendered()),
        }
        ExitCode::SUCCESS
    }
}

/// A name and how often it came, the most frequent first.
type Counted = Vec<(String, usize)>;

#[derive(Serialize)]
struct Figures {
    lines: usize,
    since: Option<String>,
    until: Option<String>,
    allowed: usize,
    asked: usize,
    denied: usize,
    unreadable: usize,
    /// Half of the answers took no longer, in microseconds.
    median_us: u64,
    /// 99 of 100 answers took no longer, in microseconds.
    p99_us: u64,
    agents: Counted,
    roots: Counted,
    reasons: Counted,
    verbs: Counted,
    /// Prefixes, and how many questions a rule that allows this one alone would have answered.
    rules: Counted,
}

impl Figures {
    fn of(log: &Log) -> Figures {
        let events = &log.events;
        let with = |decision| events.iter().filter(move |event| event.decision == decision);
        let mut took: Vec<u64> = events.iter().map(|event| event.us).collect();
        took.sort_unstable();
        let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or(0);
        let asked = || with(Decision::Ask);
        Figures {
            lines: events.len(),
            since: events.iter().map(|event| &event.time).min().cloned(),
            until: events.iter().map(|event| &event.time).max().cloned(),
            allowed: with(Decision::Allow).count(),
            asked: asked().count(),
            denied: with(Decision::Deny).count(),
            unreadable: log.unreadable,
            median_us: at(50),
            p99_us: at(99),
            agents: counted(events.iter().map(|event| event.agent.to_string())),
            roots: counted(with(Decision::Allow).filter_map(|event| event.root.clone())),
            reasons: counted(asked().flat_map(|event| each(event, |it| Some(it.code.clone())))),
            verbs: counted(asked().flat_map(|event| each(event, |it| it.verb.clone()))),
            rules: counted(asked().filter_map(rule)),
        }
    }

    fn rendered(&self) -> String {
        let day = |time: &Option<String>| {
            time.as_deref().and_then(|time| time.get(..10)).unwrap_or("?").to_owned()
        };
        let mut text = match self.lines {
            0 => "no lines\n".to_owned(),
            lines => format!("{lines} lines, {} to {}\n", day(&self.since), day(&self.until)),
        };
        for (name, count) in
            [("allowed", self.allowed), ("asked", self.asked), ("denied", self.denied)]
        {
            let share = 100.0 * count as f64 / self.lines.max(1) as f64;
            let _ = writeln!(text, "  {count:>6}  {share:>5.1} %  {name}");
        }
        let _ = writeln!(
            text,
            "  half of the answers within {} us, 99 of 100 within {} us",
            self.median_us, self.p99_us
        );
        for (title, list) in [
            ("by agent", &self.agents),
            ("allowed, by the root that authorised it", &self.roots),
            ("asked, by reason", &self.reasons),
            ("asked, by verb", &self.verbs),
            ("questions that one rule would have answered, at most", &self.rules),
        ] {
            if !list.is_empty() {
                let _ = writeln!(text, "\n{title}");
            }
            for (name, count) in list.iter().take(SHOWN_MAX) {
                let _ = writeln!(text, "  {count:>6}  {}", caret::show(name.as_bytes()));
            }
            if list.len() > SHOWN_MAX {
                let _ = writeln!(text, "          and {} more", list.len() - SHOWN_MAX);
            }
        }
        if let Some(note) = reading::note(self.unreadable) {
            let _ = writeln!(text, "\n{note}");
        }
        text
    }
}

/// How many rows a list of people has.
const SHOWN_MAX: usize = 10;

/// Something of each reason of an event, each once.
fn each(event: &Event, of: fn(&super::event::Ground) -> Option<String>) -> Vec<String> {
    let mut all: Vec<String> = event.reasons.iter().filter_map(of).collect();
    all.sort();
    all.dedup();
    all
}

/// The prefix that alone would have answered the question: everything that stood against the line
/// is that it is not declared. What a rule allows must still stay within the project, so that it
/// may not have been enough.
fn rule(event: &Event) -> Option<String> {
    let lifted = ["undeclared-verb", "undeclared-option"];
    let first = event.reasons.first()?.verb.as_ref().filter(|verb| *verb != "?")?;
    let by_one = event
        .reasons
        .iter()
        .all(|ground| lifted.contains(&&*ground.code) && ground.verb.as_ref() == Some(first));
    by_one.then(|| first.clone())
}

fn counted(names: impl Iterator<Item = String>) -> Counted {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    let mut list: Counted = counts.into_iter().collect();
    list.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    list
}
