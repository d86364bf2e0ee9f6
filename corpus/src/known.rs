//! Findings that are known and not yet mended: a list of promises with an end.
//!
//! `known.toml` stands beside the fixtures. Campaigns go on past what it names, and do not fail for
//! it. What no longer happens, or should be mended by now, is reported as loudly as what is new.

use crate::{Finding, Signature};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// One finding that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// What it is called.
    pub id: String,
    /// The guard that is wrong; the shipped one, if nothing is said.
    #[serde(default = "linked")]
    pub guard: String,
    /// The finding's normal form.
    pub signature: Signature,
    /// Why it is not mended yet.
    pub reason: String,
    /// The day on which it was found.
    pub since: Date,
    /// The last day on which it is accepted.
    pub expires: Date,
    /// A case that shows it, as `repro` takes it: `SEED:INDEX`.
    pub repro: String,
}

fn linked() -> String {
    "linked".to_owned()
}

/// A day: `2026-11-30`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Date(String);

impl TryFrom<String> for Date {
    type Error = String;
    fn try_from(text: String) -> Result<Date, String> {
        let parts: Vec<&str> = text.split('-').collect();
        let number = |part: &str, digits: usize| {
            let plain = part.len() == digits && part.bytes().all(|it| it.is_ascii_digit());
            plain.then(|| part.parse::<u32>().ok()).flatten()
        };
        let sound = match parts[..] {
            [year, month, day] => {
                number(year, 4).is_some()
                    && number(month, 2).is_some_and(|it| (1..=12).contains(&it))
                    && number(day, 2).is_some_and(|it| (1..=31).contains(&it))
            }
            _ => false,
        };
        if sound { Ok(Date(text)) } else { Err(format!("'{text}' is no day like 2026-11-30")) }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFindings {
    /// Each of them.
    #[serde(default)]
    pub known: Vec<Known>,
}

impl Known {
    /// Is it this finding?
    pub fn is(&self, finding: &Finding) -> bool {
        self.guard == finding.guard && self.signature == finding.signature
    }
}

impl KnownFindings {
    /// Reads the text of `known.toml`. The error says where.
    pub fn parse(text: &str) -> Result<KnownFindings, String> {
        let all: KnownFindings = toml::from_str(text).map_err(|error| error.to_string())?;
        for (at, one) in all.known.iter().enumerate() {
            let same = |other: &&Known| {
                other.id == one.id || (other.guard == one.guard && other.signature == one.signature)
            };
            if let Some(other) = all.known[..at].iter().find(same) {
                return Err(format!("'{}' and '{}' are one and the same", other.id, one.id));
            }
            if one.expires < one.since {
                return Err(format!("'{}' expires before it was found", one.id));
            }
        }
        Ok(all)
    }

    /// Reads the file, or nothing where there is none.
    pub fn load(path: &Path) -> Result<KnownFindings, String> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                KnownFindings::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(KnownFindings::default())
            }
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// Those that are accepted on this day. What has expired is as good as new.
    pub fn on(&self, today: &Date) -> Vec<Known> {
        self.known.iter().filter(|known| *today <= known.expires).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"
        [[known]]
        id = "cd-in-zsh"
        signature = "tree-escape/read/cd/plain"
        reason = "waits for a measurement"
        since = "2026-11-30"
        expires = "2027-01-31"
        repro = "1:224"
    "#;

    fn day(text: &str) -> Date {
        Date::try_from(text.to_owned()).expect("a day")
    }

    #[test]
    fn what_is_known_has_an_end() {
        let all = KnownFindings::parse(ONE).expect("a list");
        assert_eq!(all.known[0].guard, "linked");
        assert_eq!(all.on(&day("2027-01-31")), all.known);
        assert_eq!(all.on(&day("2027-02-01")), []);
    }

    #[test]
    fn a_list_that_contradicts_itself_is_refused() {
        for (wrong, why) in [
            (ONE.replace("2027-01-31", "2026-01-31"), "expires before"),
            (ONE.replace("2027-01-31", "2027-13-31"), "no day"),
            (ONE.replace("reason", "because"), "unknown field"),
            (ONE.replace("tree-escape/", "Tree Escape"), "no signature"),
            (format!("{ONE}{ONE}"), "one and the same"),
        ] {
            let error = KnownFindings::parse(&wrong).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(KnownFindings::parse(""), Ok(KnownFindings::default()));
    }
}
