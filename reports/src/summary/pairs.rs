//! How pairs of constructs stand in `summary.json`: there are hundreds, each in several shells, so
//! that writing out what every number is would be most of the file. The shells are named once, and
//! what two constructs were counted is a list of numbers, two for each shell.

use super::Together;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// `cd+pipe`, then the shell.
type Pairs = BTreeMap<String, BTreeMap<String, Together>>;

/// One construct, the other, and the numbers.
type Rows<'p> = BTreeMap<&'p str, BTreeMap<&'p str, Vec<u64>>>;

/// What is between the two constructs of a pair.
const BETWEEN: char = '+';

#[derive(Serialize)]
struct Written<'p> {
    shells: Box<RawValue>,
    /// A construct with all others: a line each, however the rest is laid out.
    counts: BTreeMap<&'p str, Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Read {
    Compact {
        shells: Vec<String>,
        counts: BTreeMap<String, BTreeMap<String, Vec<u64>>>,
    },
    /// As in schema 1.
    WrittenOut(Pairs),
}

pub(super) fn serialize<S: Serializer>(pairs: &Pairs, serializer: S) -> Result<S::Ok, S::Error> {
    let shells: BTreeSet<&String> = pairs.values().flat_map(BTreeMap::keys).collect();
    let mut rows = Rows::new();
    for (pair, counts) in pairs {
        let (one, other) = pair.split_once(BETWEEN).unwrap_or((pair, ""));
        let of = |shell: &&String| counts.get(*shell).copied().unwrap_or_default();
        let numbers = shells.iter().map(of).flat_map(|it| [it.allowed, it.refused]).collect();
        rows.entry(one).or_default().insert(other, numbers);
    }
    let mut counts = BTreeMap::new();
    for (one, row) in &rows {
        counts.insert(*one, line(row).map_err(S::Error::custom)?);
    }
    let shells = line(&shells).map_err(S::Error::custom)?;
    Written { shells, counts }.serialize(serializer)
}

fn line(value: &impl Serialize) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(serde_json::to_string(value)?)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
    let (shells, counts) = match Read::deserialize(deserializer)? {
        Read::Compact { shells, counts } => (shells, counts),
        Read::WrittenOut(pairs) => return Ok(pairs),
    };
    let mut pairs = Pairs::new();
    for (one, row) in &counts {
        for (other, numbers) in row {
            if numbers.len() != 2 * shells.len() {
                let (has, wanted) = (numbers.len(), 2 * shells.len());
                let what = format!("{one} with {other} has {has} numbers and not {wanted}");
                return Err(D::Error::custom(what));
            }
            let counted = shells
                .iter()
                .zip(numbers.chunks_exact(2))
                .map(|(shell, two)| (shell.clone(), Together { allowed: two[0], refused: two[1] }));
            // A shell that ran neither was not counted.
            let counted = counted.filter(|(_, it)| *it != Together::default());
            pairs.insert(format!("{one}{BETWEEN}{other}"), counted.collect());
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use crate::{Summary, Together};

    fn summary() -> Summary {
        let shells = |allowed, refused| {
            let both = Together { allowed, refused };
            let one = Together { allowed, refused: 0 };
            [("bash".to_owned(), both), ("zsh".to_owned(), one)].into()
        };
        let mut pairs = [("cd+pipe", shells(3, 4)), ("and+cd", shells(1, 0))].to_vec();
        pairs.push(("cd+git", [("dash".to_owned(), Together { allowed: 9, refused: 9 })].into()));
        let pairs = pairs.into_iter().map(|(pair, shells)| (pair.to_owned(), shells)).collect();
        Summary { pairs, ..Summary::default() }
    }

    #[test]
    fn a_construct_is_a_line_and_reads_back() {
        let json = serde_json::to_string_pretty(&summary()).expect("JSON");
        for line in [
            r#""shells": ["bash","dash","zsh"]"#,
            r#""cd": {"git":[0,0,9,9,0,0],"pipe":[3,4,0,0,3,0]}"#,
        ] {
            assert!(json.contains(line), "{line}: {json}");
        }
        assert_eq!(serde_json::from_str::<Summary>(&json).expect("readable"), summary());
        let none = serde_json::to_string(&Summary::default()).expect("JSON");
        assert_eq!(serde_json::from_str::<Summary>(&none).expect("readable"), Summary::default());
    }

    /// With these in the place of what it holds.
    fn read(pairs: serde_json::Value) -> serde_json::Result<Summary> {
        let mut json = serde_json::to_value(summary()).expect("JSON");
        json["pairs"] = pairs;
        serde_json::from_value(json)
    }

    #[test]
    fn what_an_older_version_wrote_is_read() {
        let old = serde_json::to_value(&summary().pairs).expect("JSON");
        assert_eq!(read(old).expect("readable"), summary());
    }

    #[test]
    fn numbers_that_fit_no_shells_are_no_figures() {
        let cut = serde_json::json!({ "shells": ["bash"], "counts": { "cd": { "git": [1] } } });
        let error = read(cut).expect_err("refused").to_string();
        assert!(error.contains("cd with git has 1 numbers and not 2"), "{error}");
    }
}
