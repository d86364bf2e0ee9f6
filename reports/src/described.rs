//! What of a run and of a case is said in words, in whatever form.

use crate::visible::number;
use crate::{Limit, Run, Summary};
use shfence_corpus::{Case, Invocation, PROJ, Text};
use std::collections::BTreeMap;

/// How much was run, in one line of plain text.
pub(crate) fn headline(run: &Run) -> String {
    let manifest = &run.manifest;
    let mut parts = vec![format!("seed {}", manifest.seed)];
    if let Some(summary) = &run.summary {
        let asked = match (summary.cases_asked, manifest.limit) {
            (Some(asked), _) => format!(" of {} asked", number(asked)),
            (None, Limit::Cases(_)) => String::new(),
            (None, Limit::Seconds(seconds)) => format!(" in the {seconds} s asked"),
        };
        parts.push(format!("{} cases{asked}", number(summary.cases_run)));
        parts.push(format!("{:.1} s", summary.seconds));
        parts.extend(summary.cases_per_second().map(|rate| format!("{rate:.1} cases/s")));
    }
    parts.push(format!("{} workers", manifest.jobs));
    if manifest.shard.count > 1 {
        parts.push(format!("shard {}/{}", manifest.shard.index, manifest.shard.count));
    }
    parts.join(" · ")
}

/// Everything that a run has counted, apart from what guards said, each with what it is.
pub(crate) fn counts(summary: &Summary) -> Vec<(String, u64)> {
    let elsewhere = BTreeMap::from([("elsewhere".to_owned(), summary.touches.elsewhere)]);
    let groups = [
        ("runs", &summary.shell_runs),
        ("lines that did not parse", &summary.unparsed),
        ("cases in lane", &summary.lanes),
        ("cases of family", &summary.families),
        ("inconclusive", &summary.inconclusive),
        ("ambient touches", &summary.touches.ambient),
        ("touches", &elsewhere),
    ];
    let of_group = |(what, counts): (&str, &BTreeMap<String, u64>)| {
        let count = |(name, count): (&String, &u64)| (format!("{what}: {name}"), *count);
        counts.iter().map(count).collect::<Vec<_>>()
    };
    groups.into_iter().flat_map(of_group).collect()
}

/// What of a case is neither line nor tree, where it is not the ordinary: a name and its bytes.
pub(crate) fn circumstances(case: &Case) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = Vec::new();
    if case.invocation != Invocation::C {
        all.push(("invocation", case.invocation.to_string().into_bytes()));
    }
    if case.cwd.as_bytes() != PROJ.as_bytes() {
        all.push(("cwd", case.cwd.absolute().to_vec()));
    }
    if let Some(pwd) = &case.pwd {
        all.push(("inherited PWD", pwd.to_vec()));
    }
    for (name, value) in &case.env {
        all.push(match value {
            Some(value) => ("environment", [name.as_bytes(), b"=", value].concat()),
            None => ("not set", name.as_bytes().to_vec()),
        });
    }
    all
}

/// The words as a shell would take them back.
pub(crate) fn command_line(words: &[Text]) -> Vec<u8> {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./:,=@%+".contains(b);
    let mut line = Vec::new();
    for word in words {
        if !line.is_empty() {
            line.push(b' ');
        }
        if !word.is_empty() && word.iter().all(plain) {
            line.extend_from_slice(word);
        } else {
            line.push(b'\'');
            for byte in word.iter() {
                match byte {
                    b'\'' => line.extend_from_slice(b"'\\''"),
                    byte => line.push(*byte),
                }
            }
            line.push(b'\'');
        }
    }
    line
}
