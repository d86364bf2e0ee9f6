//! Which part of a campaign a process is, as whatever started it says.
//!
//! Nothing coordinates shards: an engine that starts N processes tells each its number, and that
//! says which cases are its own. Every engine has variables of its own for it.

use shfence_reports::ShardOf;

/// The variables by which an engine tells a process its number.
struct Numbering {
    engine: &'static str,
    index: &'static str,
    /// Of an engine that does not say it, the person has to: [`TOTAL`].
    total: Option<&'static str>,
    /// The number of the first process, or the variable that holds it.
    first: First,
    /// Whose names are taken by others with another meaning is believed only beside this variable.
    beside: Option<&'static str>,
}

enum First {
    Is(u64),
    StandsIn(&'static str),
}

/// How many shards there are, whatever the engine says: it may have been asked for a part of them,
/// as when a single one is run again.
const TOTAL: &str = "ORACLE_SHARD_TOTAL";

/// The variable of Bazel that names a file by which a test says that it knows of shards.
pub const BAZEL_STATUS_FILE: &str = "TEST_SHARD_STATUS_FILE";

const fn numbering(engine: &'static str, index: &'static str, total: &'static str) -> Numbering {
    Numbering { engine, index, total: Some(total), first: First::Is(0), beside: None }
}

/// In this order; the first one whose index is set counts. Each from the engine's documentation.
const NUMBERINGS: [Numbering; 9] = [
    Numbering { total: None, ..numbering("ORACLE_SHARD_INDEX", "ORACLE_SHARD_INDEX", "") },
    numbering("Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS"),
    Numbering { total: None, ..numbering("Kubernetes", "JOB_COMPLETION_INDEX", "") },
    Numbering {
        first: First::StandsIn("SLURM_ARRAY_TASK_MIN"),
        ..numbering("Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT")
    },
    numbering("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
    numbering("Cloud Run", "CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT"),
    Numbering {
        first: First::Is(1),
        beside: Some("GITLAB_CI"),
        ..numbering("GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL")
    },
    numbering("CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL"),
    numbering("Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT"),
];

/// The part that the environment names, and the engine that named it; nothing if none does. What is
/// half said is an error, and never the whole campaign: N processes would run it N times.
pub fn shard_of_environment(
    look_up: impl Fn(&str) -> Option<String>,
) -> Result<Option<(ShardOf, &'static str)>, String> {
    let is_set = |name: &str| look_up(name).is_some();
    let named = |it: &&Numbering| is_set(it.index) && it.beside.is_none_or(is_set);
    let Some(numbering) = NUMBERINGS.iter().find(named) else {
        return match look_up(TOTAL) {
            None => Ok(None),
            Some(_) => Err(format!("{TOTAL} is set, but nothing says which shard this one is")),
        };
    };
    let number = |name: &str| match look_up(name).map(|text| text.parse::<u64>()) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => Err(format!("{name} is no number")),
    };
    let index = number(numbering.index)?.unwrap_or_default();
    let given = number(TOTAL)?;
    let count = match (given, numbering.total) {
        (Some(given), _) => given,
        (None, Some(total)) => {
            number(total)?.ok_or_else(|| format!("{} is set without {total}", numbering.index))?
        }
        (None, None) => return Err(format!("{} is set without {TOTAL}", numbering.index)),
    };
    let first = match numbering.first {
        First::Is(first) => first,
        // Of a part of all shards, the least number is not that of the first shard.
        First::StandsIn(_) if given.is_some() => 0,
        First::StandsIn(name) => number(name)?.unwrap_or_default(),
    };
    if numbering.engine == "Slurm" && given.is_none() {
        has_no_gaps(first, count, &number)?;
    }
    match index.checked_sub(first) {
        Some(index) if index < count => Ok(Some((ShardOf { index, count }, numbering.engine))),
        _ => Err(format!("{}={index} is none of {count}, counted from {first}", numbering.index)),
    }
}

/// An array such as `0-7:2` or `1,5` names a part of some whole, and does not say of which.
fn has_no_gaps(
    first: u64,
    count: u64,
    number: &impl Fn(&str) -> Result<Option<u64>, String>,
) -> Result<(), String> {
    match number("SLURM_ARRAY_TASK_MAX")? {
        Some(last) if last.checked_sub(first).is_none_or(|it| it.checked_add(1) != Some(count)) => {
            Err(format!(
                "the tasks {first} to {last} of this Slurm array are {count}: it is a part of one. \
                 Say of how many with {TOTAL}"
            ))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<Option<(ShardOf, &'static str)>, String> {
        let find = |name: &str| variables.iter().find(|(it, _)| *it == name);
        shard_of_environment(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    /// That these say to be this part.
    #[track_caller]
    fn is(variables: &[(&str, &str)], index: u64, count: u64, engine: &str) {
        assert_eq!(of(variables), Ok(Some((ShardOf { index, count }, engine))), "{variables:?}");
    }

    #[test]
    fn every_engine_says_it_in_its_own_way() {
        let own = "ORACLE_SHARD_INDEX";
        is(&[(own, "2"), (TOTAL, "4")], 2, 4, own);
        is(&[("TEST_SHARD_INDEX", "0"), ("TEST_TOTAL_SHARDS", "1")], 0, 1, "Bazel");
        is(&[("JOB_COMPLETION_INDEX", "7"), (TOTAL, "8")], 7, 8, "Kubernetes");
        let aws = [("AWS_BATCH_JOB_ARRAY_INDEX", "3"), ("AWS_BATCH_JOB_ARRAY_SIZE", "4")];
        is(&aws, 3, 4, "AWS Batch");
        is(&[("CLOUD_RUN_TASK_INDEX", "3"), ("CLOUD_RUN_TASK_COUNT", "4")], 3, 4, "Cloud Run");
        let gitlab = [("GITLAB_CI", "true"), ("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "4")];
        is(&gitlab, 3, 4, "GitLab");
        is(&[("CIRCLE_NODE_INDEX", "3"), ("CIRCLE_NODE_TOTAL", "4")], 3, 4, "CircleCI");
        let buildkite = [("BUILDKITE_PARALLEL_JOB", "0"), ("BUILDKITE_PARALLEL_JOB_COUNT", "9")];
        is(&buildkite, 0, 9, "Buildkite");
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(of(&gitlab[1..]), Ok(None), "these names are others' as well");
    }

    fn slurm<'a>(
        id: &'a str,
        count: &'a str,
        min: &'a str,
        max: &'a str,
    ) -> [(&'a str, &'a str); 4] {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_COUNT", count),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", max),
        ]
    }

    #[test]
    fn an_array_may_begin_anywhere_and_have_no_gaps() {
        is(&slurm("5", "4", "5", "8"), 0, 4, "Slurm");
        is(&slurm("8", "4", "5", "8"), 3, 4, "Slurm");
        assert!(of(&slurm("2", "4", "0", "6")).is_err(), "every second one");
        // One that is run again says that it is one of many.
        let again = [&slurm("5", "1", "5", "5")[..], &[(TOTAL, "8")]].concat();
        is(&again, 5, 8, "Slurm");
    }

    #[test]
    fn what_is_half_said_is_an_error() {
        for numbering in &NUMBERINGS {
            let beside = numbering.beside.map(|name| (name, "true"));
            let mut variables = vec![(numbering.index, "1")];
            variables.extend(beside);
            let told = of(&variables).expect_err(numbering.engine);
            assert!(told.contains(numbering.index) && told.contains("without"), "{told}");
        }
        assert!(of(&[(TOTAL, "4")]).expect_err("no index").contains(TOTAL));
    }

    #[test]
    fn what_is_no_part_is_an_error() {
        let own = "ORACLE_SHARD_INDEX";
        for (index, total) in [("4", "4"), ("0", "0"), ("-1", "4"), ("1", "x"), ("", "4")] {
            assert!(of(&[(own, index), (TOTAL, total)]).is_err(), "{index} of {total}");
        }
        let gitlab = [("GITLAB_CI", "true"), ("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")];
        assert!(of(&gitlab).is_err(), "counted from 1");
    }
}
