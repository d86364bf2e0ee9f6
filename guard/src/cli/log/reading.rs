//! Reading the log back.

use super::{Event, file};
use clap::Args;
use shfence::Decision;
use std::time::{Duration, SystemTime};

/// Which events.
#[derive(Args)]
pub struct Which {
    /// Only those since then: '2h', '7d', '2026-11-30', '2026-11-30T16:00:00Z'
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<SystemTime>,
    /// Only those with this decision: allow, ask or deny
    #[arg(long, value_name = "DECISION", value_parser = decision)]
    decision: Option<Decision>,
}

/// The events of the log, in the order in which they were written.
pub struct Log {
    pub events: Vec<Event>,
    /// Lines that are no event, or only a part of one.
    pub unreadable: usize,
}

impl Log {
    /// Reads all of it. What cannot be read does not hide the rest. The error is a sentence.
    pub fn read(which: &Which) -> Result<Log, String> {
        let directory = super::directory()
            .ok_or("there is no log: neither XDG_STATE_HOME nor HOME names a directory")?;
        let shown = directory.display();
        let files = file::files(&directory).map_err(|error| format!("{shown}: {error}"))?;
        if files.is_empty() {
            return Err(format!("nothing is logged yet: {shown} holds no events"));
        }
        let mut log = Log { events: Vec::new(), unreadable: 0 };
        for path in files {
            match std::fs::read(&path) {
                Ok(bytes) => log.add(&bytes, which),
                // Another process may have removed it, as the oldest one.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
        }
        Ok(log)
    }

    fn add(&mut self, bytes: &[u8], which: &Which) {
        let since = which.since.map(|since| humantime::format_rfc3339_micros(since).to_string());
        let wanted = |event: &Event| {
            which.decision.is_none_or(|decision| decision == event.decision)
                && since.as_ref().is_none_or(|since| event.time >= *since)
        };
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let (event, whole) = event_of(line);
            self.unreadable += usize::from(!whole);
            self.events.extend(event.filter(wanted));
        }
    }
}

/// What is said of lines that could not be read, if there are any.
pub fn note(unreadable: usize) -> Option<String> {
    match unreadable {
        0 => None,
        1 => Some("1 line of the log could not be read".to_owned()),
        many => Some(format!("{many} lines of the log could not be read")),
    }
}

/// The event in a line, and whether it is all of the line. Behind an event that was cut, by a full
/// disk for instance, another one may stand.
fn event_of(line: &[u8]) -> (Option<Event>, bool) {
    if let Ok(event) = serde_json::from_slice(line) {
        return (Some(event), true);
    }
    let mut starts = line.windows(Event::BEGINS.len()).enumerate().rev();
    let last = starts.find(|(_, it)| *it == Event::BEGINS);
    (last.and_then(|(at, _)| serde_json::from_slice(&line[at..]).ok()), false)
}

fn since(text: &str) -> Result<SystemTime, String> {
    if let Ok(ago) = humantime::parse_duration(text) {
        let ago: Duration = ago;
        return SystemTime::now().checked_sub(ago).ok_or("that is too long ago".to_owned());
    }
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    humantime::parse_rfc3339_weak(&whole)
        .map_err(|_| "expected '2h', '7d', '2026-11-30' or '2026-11-30T16:00:00Z'".to_owned())
}

fn decision(text: &str) -> Result<Decision, String> {
    match text {
        "allow" => Ok(Decision::Allow),
        "ask" => Ok(Decision::Ask),
        "deny" => Ok(Decision::Deny),
        _ => Err("expected allow, ask or deny".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_hides_only_itself() {
        let whole = serde_json::to_vec(&Event::new(SystemTime::UNIX_EPOCH)).expect("JSON");
        for cut in 1..whole.len() {
            let mut log = Log { events: Vec::new(), unreadable: 0 };
            let all =
                [&whole[..], b"\n", &whole[..cut], &whole, b"\n\xff{}\n", &whole[..cut]].concat();
            log.add(&all, &Which { since: None, decision: None });
            assert_eq!((log.events.len(), log.unreadable), (2, 3), "cut at {cut}");
        }
    }

    #[test]
    fn times_are_told_from_durations() {
        let age = |text| since(text).expect("a time").elapsed().expect("in the past").as_secs();
        assert_eq!(age("2h") / 60, 120);
        assert!(since("2026-01-01").is_ok() && since("2026-01-01T10:00:00Z").is_ok());
        assert!(since("yesterday").is_err() && since("").is_err());
    }
}
