//! One line of the log.

use super::LogSettings;
use super::names::verb_of;
use serde::{Deserialize, Serialize};
use shfence::{Decision, Invocation, Reason, Segment, Verdict};
use std::borrow::Cow;
use std::time::SystemTime;

/// A name that the program knows, where it writes one.
type Name = Cow<'static, str>;

/// What a hook was asked and what it answered. Readers ignore fields that they do not know, and
/// take those that are missing as empty: the log outlives versions.
#[derive(Debug, Deserialize, Serialize)]
pub struct Event {
    /// When, in RFC 3339, UTC. The first field of every line: see [`Event::BEGINS`].
    pub time: String,
    /// The verdict.
    pub decision: Decision,
    /// The agent that asked.
    #[serde(default)]
    pub agent: Name,
    /// Was the agent told nothing?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shadow: bool,
    /// A hash of the line without its secrets: the same for the same line, on every machine.
    #[serde(default)]
    pub line: String,
    /// The line without its secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The verb of each segment, with its sub-command.
    #[serde(default)]
    pub segments: Vec<String>,
    /// The root that authorised an allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The rules of the person that opened a command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// What stood against an allow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Ground>,
    /// The shells that might have run the line.
    #[serde(default)]
    pub shells: Vec<Name>,
    /// What the guard saw of the file system.
    #[serde(default)]
    pub view: Name,
    /// How much was declared.
    #[serde(default)]
    pub profile: Name,
    /// The directory that the line was to start in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// From the start of the process to this line, in microseconds.
    #[serde(default)]
    pub us: u64,
}

/// One thing that stood against an allow.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Ground {
    /// The code of the reason.
    pub code: String,
    /// The segment it stands in, as in [`Event::segments`], if it stands in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
}

/// How many segments and reasons are listed, how many reasons are looked at, and how many bytes of
/// a line are kept: one event is small and quickly made, whatever the line.
const LISTED_MAX: usize = 32;
const REASONS_MAX: usize = 256;
const TEXT_MAX: usize = 4096;

impl Event {
    /// How each line begins. It can stand nowhere else in one, since quotes within texts have a
    /// backslash before them: so that an event is found behind one whose end was never written.
    #[cfg(feature = "cli")]
    pub const BEGINS: &'static [u8] = b"{\"time\":\"";

    /// A question of which nothing is known yet but when it was asked.
    pub fn new(at: SystemTime) -> Event {
        Event {
            time: humantime::format_rfc3339_micros(at).to_string(),
            decision: Decision::Ask,
            agent: Name::default(),
            shadow: false,
            line: String::new(),
            text: None,
            segments: Vec::new(),
            root: None,
            rules: Vec::new(),
            reasons: Vec::new(),
            shells: Vec::new(),
            view: "real".into(),
            profile: shfence::Profile::default().name().into(),
            cwd: None,
            us: 0,
        }
    }

    /// Adds the line. Its hash is that of what is left without the secrets, so that nobody can try
    /// secrets against it.
    pub fn line(&mut self, line: &[u8], invocation: Invocation, settings: &LogSettings) {
        // What is longer than a line can be is known by its beginning.
        let line = &line[..line.len().min(shfence::Limits::default().length)];
        let mut text = shfence::redact(line, invocation);
        self.line = format!("{:016x}", fnv1a(text.as_bytes()));
        if settings.text {
            let fits = (0..=TEXT_MAX.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
            text.truncate(fits.unwrap_or(0));
            self.text = Some(text);
        }
    }

    /// Adds that the guard could not judge the line.
    pub fn not_judged(&mut self, fail_closed: bool) {
        self.decision = if fail_closed { Decision::Deny } else { Decision::Ask };
        self.reasons = vec![Ground { code: "not-judged".to_owned(), verb: None }];
    }

    /// Adds what was decided.
    pub fn verdict(&mut self, verdict: &Verdict) {
        let segments = verdict.plan.as_ref().map(|plan| &plan.segments[..]).unwrap_or_default();
        self.decision = verdict.decision;
        self.root = verdict.root.as_ref().map(ToString::to_string);
        self.view = if verdict.lexical { "none" } else { "real" }.into();
        self.rules = listed(verdict.rules.iter().map(ToString::to_string));
        self.segments = listed(segments.iter().map(verb_of));
        let reasons = verdict.reasons.iter().take(REASONS_MAX);
        self.reasons = listed(reasons.map(|reason| ground(reason, segments)));
    }
}

/// Each once, in order.
fn listed<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for item in items {
        if list.len() < LISTED_MAX && !list.contains(&item) {
            list.push(item);
        }
    }
    list
}

fn ground(reason: &Reason, segments: &[Segment]) -> Ground {
    let within = |segment: &&Segment| {
        segment.span.start <= reason.span.start && reason.span.end <= segment.span.end
    };
    // The innermost: a substitution stands within the segment whose word it is.
    let segment = segments.iter().filter(within).min_by_key(|it| it.span.end - it.span.start);
    Ground { code: reason.code.name(), verb: segment.map(verb_of) }
}

/// FNV-1a, 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>): it is no secret, only a name.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_hash_tells_nothing_of_a_secret() {
        let hash = |line: &str| {
            let mut event = Event::new(SystemTime::UNIX_EPOCH);
            event.line(line.as_bytes(), Invocation::C, &LogSettings::default());
            assert_eq!(event.text, None);
            event.line
        };
        assert_eq!(hash("API_TOKEN=a x"), hash("API_TOKEN=b x"));
        assert_ne!(hash("API_TOKEN=a x"), hash("API_TOKEN=a y"));
    }

    #[cfg(feature = "cli")]
    #[test]
    fn every_event_begins_as_it_should_and_can_be_read() {
        let mut event = Event::new(SystemTime::UNIX_EPOCH);
        event.text = Some("{\"time\":\"".to_owned());
        let json = serde_json::to_vec(&event).expect("an event is JSON");
        assert!(json.starts_with(Event::BEGINS));
        let inner = json.windows(Event::BEGINS.len()).filter(|it| *it == Event::BEGINS);
        assert_eq!(inner.count(), 1);
        let read: Event = serde_json::from_slice(&json).expect("it can be read");
        assert_eq!(read.time, "1970-01-01T00:00:00.000000Z");
    }
}
