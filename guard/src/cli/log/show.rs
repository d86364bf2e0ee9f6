//! `shfence log`: the events, for people.

use super::super::{Exit, caret};
use super::Event;
use super::reading::{self, Log, Which};
use clap::Args;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Shows what hooks were asked and what they answered.
#[derive(Args)]
pub struct Show {
    #[command(flatten)]
    which: Which,
    /// Only the last of them
    #[arg(short, long, value_name = "N", default_value_t = 50)]
    number: usize,
    /// Print the events as they are logged, one JSON object per line
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn run(&self) -> ExitCode {
        let log = match Log::read(&self.which) {
            Ok(log) => log,
            Err(message) => {
                eprintln!("shfence: {message}");
                return Exit::Io.into();
            }
        };
        let last = &log.events[log.events.len().saturating_sub(self.number)..];
        match self.json {
            true => {
                for event in last {
                    let json = serde_json::to_string(event);
                    println!("{}", json.expect("an event holds only strings and numbers"));
                }
            }
            false => print!("{}", rendered(last)),
        }
        if let Some(note) = reading::note(log.unreadable) {
            eprintln!("shfence: {note}");
        }
        ExitCode::SUCCESS
    }
}

/// One line per event: when, what was decided, for whom, and what of.
fn rendered(events: &[Event]) -> String {
    let width = |of: fn(&Event) -> &str| events.iter().map(|it| of(it).chars().count()).max();
    let agents = width(|event| &event.agent).unwrap_or(0);
    let mut text = String::new();
    for event in events {
        // To the second: that is what a person remembers.
        let time = event.time.get(..19).unwrap_or(&event.time).replace('T', " ");
        let decision = event.decision.to_string();
        let shadow = if event.shadow { " (shadow)" } else { "" };
        let (agent, what, why) = (&event.agent, what(event), why(event));
        let shown = format!("{time}  {decision:<5}  {agent:<agents$}  {what}{shadow}{why}");
        let _ = writeln!(text, "{}", caret::show(shown.as_bytes()));
    }
    text
}

/// The line, or what it is made of.
fn what(event: &Event) -> String {
    let of_segments = || match event.segments.is_empty() {
        true => format!("a line without a plan ({})", event.line),
        false => event.segments.join(", "),
    };
    // A line of several lines is one here.
    event.text.as_ref().map_or_else(of_segments, |text| text.replace('\n', " "))
}

/// The root that authorised it, or what stood against it.
fn why(event: &Event) -> String {
    if let Some(root) = &event.root {
        return format!("  in {root}");
    }
    let grounds = event.reasons.iter().map(|ground| match &ground.verb {
        Some(verb) if event.segments.len() > 1 => format!("{}: {verb}", ground.code),
        _ => ground.code.clone(),
    });
    let grounds: Vec<String> = grounds.collect();
    if grounds.is_empty() { String::new() } else { format!("  [{}]", grounds.join(", ")) }
}
