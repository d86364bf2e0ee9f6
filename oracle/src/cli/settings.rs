//! What a campaign runs, as the command line and profiles say it.

use super::Failure;
use clap::Args;
use serde::{Deserialize, Deserializer};
use shfence_oracle::campaign::{CaseLane, Source};
use shfence_oracle::guards::{GuardName, Strawman};
use shfence_reports::Limit;
use std::fmt;
use std::num::NonZeroU64;
use std::path::Path;
use std::str::FromStr;

/// The profiles that the program was built with, by name.
const PROFILES: [(&str, &str); 4] = [
    ("smoke", include_str!("../../../ci/campaigns/smoke.toml")),
    ("pr", include_str!("../../../ci/campaigns/pr.toml")),
    ("nightly", include_str!("../../../ci/campaigns/nightly.toml")),
    ("weekly", include_str!("../../../ci/campaigns/weekly.toml")),
];

/// Which cases a campaign runs, and against whom: what stands on the command line, and what a
/// profile may hold, in the same words. Where it runs, and which part of it, no profile says.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    /// End after this many cases, over all shards
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    cases: Option<NonZeroU64>,
    /// End after this many seconds [default: 60]
    #[arg(long, value_name = "S")]
    seconds: Option<NonZeroU64>,
    /// The seed; with the index it decides each case [default: today's date, as in 20261130]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run all lines of up to N tokens of a small alphabet in all small trees, instead of cases
    /// drawn under a seed; what no guard allows is not run
    #[arg(long, value_name = "N", conflicts_with = "seed")]
    small: Option<Tokens>,
    /// The guard under test: linked, linked-edit (the same in its profile edit), strawman:NAME,
    /// cmd:PROGRAM (Claude Code's PreToolUse hook) or batch:PROGRAM (the JSON lines of `shfence
    /// batch`); may be given several times [default: linked]
    #[arg(long, value_name = "GUARD")]
    #[serde(deserialize_with = "all_named")]
    guard: Vec<GuardName>,
    /// Judge every strawman beside the guards under test: that they are caught shows that the
    /// campaign sees
    #[arg(long)]
    strawmen: bool,
    /// Run every case in this lane: probe, tools or executed [default: as their indices say]
    #[arg(long)]
    #[serde(deserialize_with = "named")]
    pub(super) lane: Option<CaseLane>,
    /// Leave findings as they were found, for shards that are merged: `merge` minimises them
    #[arg(long)]
    pub(super) no_minimise: bool,
}

/// The size of a small scope.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u8")]
struct Tokens(u8);

impl TryFrom<u8> for Tokens {
    type Error = String;
    fn try_from(tokens: u8) -> Result<Tokens, String> {
        match tokens {
            1..=6 => Ok(Tokens(tokens)),
            _ => Err(format!("{tokens} tokens are none of 1 to 6")),
        }
    }
}

impl FromStr for Tokens {
    type Err = String;
    fn from_str(text: &str) -> Result<Tokens, String> {
        Tokens::try_from(text.parse::<u8>().map_err(|error| error.to_string())?)
    }
}

fn named<'de, D: Deserializer<'de>, T>(from: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: fmt::Display>,
{
    let name = String::deserialize(from)?;
    name.parse().map(Some).map_err(serde::de::Error::custom)
}

fn all_named<'de, D: Deserializer<'de>, T>(from: D) -> Result<Vec<T>, D::Error>
where
    T: FromStr<Err: fmt::Display>,
{
    let names: Vec<String> = Vec::deserialize(from)?;
    names.iter().map(|name| name.parse().map_err(serde::de::Error::custom)).collect()
}

impl Settings {
    /// The profile of this name; or that of a file, which has a slash or a dot in its name.
    pub(super) fn of_profile(name: &str) -> Result<Settings, Failure> {
        if !name.contains(['/', '.']) {
            let found = PROFILES.iter().find(|(it, _)| *it == name);
            let (_, text) = found.ok_or_else(|| {
                let names = PROFILES.map(|(name, _)| name).join(", ");
                Failure::usage(format!("there is no profile '{name}': expected {names}, or a file"))
            })?;
            return Settings::read(&format!("profile {name}"), text);
        }
        let text = std::fs::read_to_string(Path::new(name))
            .map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        Settings::read(name, &text)
    }

    fn read(name: &str, text: &str) -> Result<Settings, Failure> {
        let settings: Settings = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or("", |span| &text[..span.start]);
            let line = before.matches('\n').count() + 1;
            Failure::usage(format!("{name}:{line}: {}", error.message()))
        })?;
        let together = [
            ("cases", settings.cases.is_some(), "seconds", settings.seconds.is_some()),
            ("seed", settings.seed.is_some(), "small", settings.small.is_some()),
        ];
        match together.into_iter().find(|(_, one, _, other)| *one && *other) {
            Some((one, _, other, _)) => {
                Err(Failure::usage(format!("{name}: {one} and {other} exclude each other")))
            }
            None => Ok(settings),
        }
    }

    /// These, and where they say nothing, those of a profile.
    pub(super) fn over(self, profile: Settings) -> Settings {
        let limited = self.cases.is_some() || self.seconds.is_some();
        let sourced = self.seed.is_some() || self.small.is_some();
        let (limit, source) =
            (if limited { &self } else { &profile }, if sourced { &self } else { &profile });
        Settings {
            cases: limit.cases,
            seconds: limit.seconds,
            seed: source.seed,
            small: source.small,
            strawmen: self.strawmen || profile.strawmen,
            lane: self.lane.or(profile.lane),
            no_minimise: self.no_minimise || profile.no_minimise,
            guard: if self.guard.is_empty() { profile.guard } else { self.guard },
        }
    }

    /// The guards under test.
    pub(super) fn guards(&self) -> Vec<GuardName> {
        if self.guard.is_empty() { vec![GuardName::Linked] } else { self.guard.clone() }
    }

    /// The guards that must be caught, without those that are under test already.
    pub(super) fn strawmen(&self) -> Vec<GuardName> {
        let all = Strawman::all().map(GuardName::Strawman);
        all.filter(|it| self.strawmen && !self.guard.contains(it)).collect()
    }

    /// Where the cases come from.
    pub(super) fn source(&self) -> Source {
        match self.small {
            Some(Tokens(tokens)) => Source::small(tokens.into()),
            None => {
                Source::Drawn { seed: self.seed.unwrap_or_else(super::campaign::seed_of_today) }
            }
        }
    }

    /// When it ends, with cases from this source.
    pub(super) fn limit(&self, source: &Source) -> Limit {
        match (self.cases, self.seconds, source.cases()) {
            (Some(cases), _, all) => Limit::Cases(cases.get().min(all.unwrap_or(u64::MAX))),
            (None, None, Some(all)) => Limit::Cases(all),
            (None, seconds, _) => Limit::Seconds(seconds.map_or(60, NonZeroU64::get)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str) -> String {
        Settings::read("night.toml", text).expect_err(text).what
    }

    #[test]
    fn every_profile_is_understood() {
        for (name, _) in PROFILES {
            let settings = Settings::of_profile(name).unwrap_or_else(|it| panic!("{}", it.what));
            assert!(settings.cases.is_some() != settings.seconds.is_some(), "{name} has no end");
        }
    }

    #[test]
    fn a_profile_that_is_wrong_says_where() {
        for (text, place, what) in [
            ("cases = 1\nsedo = 3\n", "night.toml:2: ", "unknown field `sedo`"),
            ("\n\ncases = 0\n", "night.toml:3: ", "nonzero"),
            ("guard = [\"linked\",\n\"nobody\"]", "night.toml:", "unknown guard 'nobody'"),
            ("seed = 1\nlane = \"fast\"\n", "night.toml:2: ", "unknown lane 'fast'"),
            ("small = 9\n", "night.toml:1: ", "none of 1 to 6"),
            ("cases = 1\nseconds", "night.toml:2: ", ""),
            ("cases = 1\nseconds = 1", "night.toml: ", "cases and seconds"),
            ("small = 1\nseed = 1", "night.toml: ", "seed and small"),
        ] {
            let told = refused(text);
            assert!(told.starts_with(place) && told.contains(what), "{text:?}: {told}");
        }
    }

    #[test]
    fn what_is_said_on_the_command_line_holds() {
        let read = |text| Settings::read("", text).unwrap_or_else(|it| panic!("{}", it.what));
        let profile = read("cases = 9\nseed = 7\nlane = \"tools\"\nstrawmen = true\n");
        let said = read("seconds = 5\nlane = \"probe\"\n").over(profile.clone());
        assert_eq!(said.limit(&said.source()), Limit::Seconds(5));
        assert_eq!((said.source().label(), said.strawmen), ("7".to_owned(), true));
        assert_eq!(said.lane, Some(CaseLane::Probe));
        let small = read("small = 2\n").over(profile);
        assert_eq!(small.source().label(), "small-2", "a seed of the profile is no seed of it");
        assert_eq!(small.limit(&small.source()), Limit::Cases(9));
    }
}
