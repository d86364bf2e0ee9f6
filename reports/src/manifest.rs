//! What a run was asked to do, and where it ran.

use crate::Ended;
use serde::{Deserialize, Serialize};
use shfence_corpus::{Known, Shell, Text};
use std::fmt;

/// The version of the run directory that this package writes. Fields may be added without a new
/// number; a reader ignores what it does not know.
const SCHEMA: u32 = 2;

/// The oldest version that it reads. In schema 1 `summary.json` wrote out each count of `pairs`.
const OLDEST: u32 = 1;

/// As many shards as a sentence names.
const GAPS_NAMED: u64 = 8;

/// The head of a run: written before the first case, never changed. With the generator's revision
/// and the seed it says which cases were run; with the versions, on what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The campaign's seed.
    pub seed: u64,
    /// The generators' revision: a case is a function of seed, index and this.
    pub generator: String,
    /// When the campaign was to stop.
    pub limit: Limit,
    /// Which part of the campaign this run is.
    pub shard: ShardOf,
    /// Workers at once.
    pub jobs: u32,
    /// The lane of every case; nothing if the cases' indices say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    /// Were findings minimised as they were made?
    #[serde(default = "yes")]
    pub minimises: bool,
    /// The guards under test: their findings make the verdict.
    pub guards: Vec<String>,
    /// The guards that must be caught: their findings show that the harness sees.
    pub strawmen: Vec<String>,
    /// Findings that were known, and do not count as new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Known>,
    /// The version of the linked guard.
    pub guard_version: String,
    /// Every shell that took part.
    pub shells: Vec<ShellVersion>,
    /// The kernel, as `uname -r` names it.
    pub kernel: String,
    /// The tier of containment that was used.
    pub containment: String,
    /// When it started, RFC 3339. The caller's clock: this package has none.
    pub started: String,
    /// The command line, word by word.
    pub command: Vec<Text>,
    /// The shards that this run was merged from; none of a run that is itself one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// Runs of old hold minimised findings only.
fn yes() -> bool {
    true
}

/// A shard that a merged run was put together from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which one.
    pub shard: ShardOf,
    /// How it ended; nothing if it was killed.
    pub ended: Option<Ended>,
    /// How far it came.
    pub cases_run: u64,
    /// When it started, RFC 3339.
    pub started: String,
}

/// When a campaign stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// After this many cases, over all shards.
    Cases(u64),
    /// After this many seconds.
    Seconds(u64),
}

/// For people.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Cases(cases) => write!(f, "{cases} cases"),
            Limit::Seconds(seconds) => write!(f, "{seconds} seconds"),
        }
    }
}

/// Shard `index` of `count`, counted from 0: the cases whose index leaves this remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardOf {
    /// Which one.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

/// An installed shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShellVersion {
    /// The language it stands for.
    pub shell: Shell,
    /// The program: `bash`, `dash`, `busybox`, `zsh`.
    pub name: String,
    /// The version it reports.
    pub version: String,
}

/// The file: the schema's number before everything else.
#[derive(Serialize, Deserialize)]
struct ManifestFile<M> {
    schema: u32,
    #[serde(flatten)]
    manifest: M,
}

/// The first of these, for a sentence.
fn first(shards: impl Iterator<Item = u64>) -> String {
    let named: Vec<String> = shards.take(GAPS_NAMED as usize).map(|it| it.to_string()).collect();
    named.join(", ")
}

impl Manifest {
    /// In what this run and another differ that are not of one campaign: the aspect, what it is of
    /// this one, and of the other. Which shard each is, and where and when it ran, does not matter.
    pub fn differs_from(&self, other: &Manifest) -> Option<(&'static str, String, String)> {
        let pairs = self.aspects().into_iter().zip(other.aspects());
        let differ = pairs.into_iter().find(|((_, one), (_, other))| one != other);
        differ.map(|((what, one), (_, other))| (what, one, other))
    }

    /// The numbers of the shards that this run should have been merged from as well.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u64> {
        let count = self.parts.first().map_or(0, |part| part.shard.count);
        (0..count).filter(|index| self.parts.iter().all(|part| part.shard.index != *index))
    }

    /// Why a run that was put together is not whole, each in one sentence for people.
    pub(crate) fn gaps(&self) -> Vec<String> {
        let count = self.parts.first().map_or(0, |part| part.shard.count);
        let missing = count.saturating_sub(self.parts.len() as u64);
        let early = || self.parts.iter().filter(|part| part.ended != Some(Ended::Complete));
        let sentences = [
            (missing, first(self.missing()), "is missing", "are missing"),
            (
                early().count() as u64,
                first(early().map(|part| part.shard.index)),
                "did not run to its end",
                "did not run to their end",
            ),
        ];
        let sentence = |(all, first, one, many): (u64, String, &str, &str)| match all {
            0 => None,
            1 => Some(format!("Shard {first} of {count} {one}.")),
            2..=GAPS_NAMED => Some(format!("Shards {first} of {count} {many}.")),
            _ => Some(format!("{all} shards of {count} {many}, the first of them {first}.")),
        };
        sentences.into_iter().filter_map(sentence).collect()
    }

    /// What all parts of a campaign have in common.
    fn aspects(&self) -> [(&'static str, String); 9] {
        let shell = |it: &ShellVersion| format!("{} {}", it.name, it.version);
        let shells: Vec<String> = self.shells.iter().map(shell).collect();
        [
            ("seed", self.seed.to_string()),
            ("generators' revision", self.generator.clone()),
            ("number of shards", self.shard.count.to_string()),
            ("limit", self.limit.to_string()),
            ("list of guards", self.guards.join(", ")),
            ("list of strawmen", self.strawmen.join(", ")),
            ("guard's version", self.guard_version.clone()),
            ("lane", self.lane.clone().unwrap_or_else(|| "each case's own".to_owned())),
            ("set of shells", shells.join(", ")),
        ]
    }

    /// The text of `manifest.json`.
    pub(crate) fn to_json(&self) -> String {
        let file = ManifestFile { schema: SCHEMA, manifest: self };
        let json = serde_json::to_string_pretty(&file).expect("every manifest can be JSON");
        json + "\n"
    }

    /// Reads the text of `manifest.json`. The error is for people.
    pub(crate) fn from_json(json: &[u8]) -> Result<Manifest, String> {
        // The number first: of another schema, nothing else can be expected to be understood.
        let ManifestFile { schema, manifest: serde_json::Value::Object(_) } =
            serde_json::from_slice(json).map_err(|error| format!("is no manifest: {error}"))?
        else {
            return Err("is no manifest: not an object".to_owned());
        };
        if !(OLDEST..=SCHEMA).contains(&schema) {
            return Err(format!("has schema {schema}; this version reads {OLDEST} to {SCHEMA}"));
        }
        serde_json::from_slice(json).map_err(|error| format!("is no manifest: {error}"))
    }
}
