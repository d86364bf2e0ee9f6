//! `shfence-oracle rejudge`.

use super::Failure;
use super::show::visible;
use clap::Args;
use shfence_corpus::Decision;
use shfence_oracle::guards::{GuardName, as_word};
use shfence_oracle::recording::Recording;
use shfence_oracle::rejudge::{Change, Changed, Rejudged, Shown, Until, rejudge};
use shfence_reports::ExitCode;
use std::path::PathBuf;
use std::time::Instant;

/// Which recordings, and who is asked.
#[derive(Args)]
pub(super) struct Options {
    /// The guard that is asked: linked, linked-edit or strawman:NAME
    #[arg(long, value_name = "GUARD", default_value = "linked")]
    guard: GuardName,
    /// Stop at the first contradiction
    #[arg(long)]
    first: bool,
    /// Recordings: what `campaign --record` was given
    #[arg(value_name = "DIR", required = true)]
    recordings: Vec<PathBuf>,
}

impl Options {
    /// Exit 1 if something contradicts the guard. Another verdict is none.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if matches!(self.guard, GuardName::Outside(_)) {
            return Err(Failure::usage("only guards of this program are asked without shells"));
        }
        let mut recordings = Vec::new();
        for dir in &self.recordings {
            recordings.extend(Recording::open_all(dir)?);
        }
        let guard = self.guard.guard();
        let started = Instant::now();
        let until = if self.first { Until::Contradicted } else { Until::End };
        let rejudged = rejudge(recordings, &*guard, until)?;
        let seconds = started.elapsed().as_secs_f64();
        for (signature, shown) in &rejudged.contradictions {
            print_shown(signature.as_str(), shown, &as_word(&guard.name()));
        }
        print_changes(&rejudged);
        for (why, count) in &rejudged.incomparable {
            println!("{count} cases cannot be compared: {why}");
        }
        for (why, count) in &rejudged.inconclusive {
            println!("{count} runs are inconclusive: {why}");
        }
        if rejudged.unconfirmed > 0 {
            let count = rejudged.unconfirmed;
            println!("{count} runs contradict as they did when they were recorded, unconfirmed");
        }
        let Rejudged { cases, asked, allowed, runs, contradictions, .. } = &rejudged;
        println!(
            "{asked} of {cases} cases judged again in {seconds:.1} s, {:.0} a second: \
             {allowed} allowed, {runs} runs, {} signatures",
            *asked as f64 / seconds.max(f64::EPSILON),
            contradictions.len(),
        );
        Ok(match (contradictions.is_empty(), *asked) {
            (false, _) => ExitCode::NewFindings,
            // What compares nothing has shown nothing.
            (true, 0) => ExitCode::HarnessFault,
            (true, _) => ExitCode::Clean,
        })
    }
}

fn print_shown(signature: &str, shown: &Shown, guard: &str) {
    let list = |names: &mut dyn Iterator<Item = &String>| {
        names.map(String::as_str).collect::<Vec<_>>().join(",")
    };
    let (shells, lanes) = (list(&mut shown.shells.iter()), list(&mut shown.lanes.iter()));
    println!("{signature} ({shells}; {lanes}): {} cases", shown.cases);
    println!("  {}", visible(&shown.first.line));
    println!("  shfence-oracle repro {} --guard {guard}", shown.first.origin);
}

fn print_changes(rejudged: &Rejudged) {
    let word = |said: &Option<Decision>| said.map_or("crash".to_owned(), |it| it.to_string());
    for (change, Changed { cases, first }) in &rejudged.changes {
        let what = match change {
            Change::Verdict(before, now) => format!("{} before, {} now", word(before), word(now)),
            Change::Plan => "the same verdict, another plan".to_owned(),
        };
        println!("{what}: {cases} cases, such as {}", first.origin);
        println!("  {}", visible(&first.line));
    }
}
