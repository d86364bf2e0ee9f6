//! `shfence-oracle compare`.

use super::replay::CORPUS;
use super::{Failure, campaign};
use clap::Args;
use shfence_corpus::{Fixture, Shell};
use shfence_oracle::compare::{Class, Compared, Comparing, Line};
use shfence_oracle::guards::GuardName;
use shfence_oracle::interrupt;
use shfence_reports::{ExitCode, count_of};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Which guards, and about what.
#[derive(Args)]
pub(super) struct Compare {
    /// A guard: linked, linked-edit, strawman:NAME, cmd:PROGRAM (Claude Code's PreToolUse hook) or
    /// batch:PROGRAM (the JSON lines of `shfence batch`); given several times, in the order of the
    /// table
    #[arg(long, value_name = "GUARD", required = true)]
    guard: Vec<GuardName>,
    /// The generated cases
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    cases: u64,
    /// Their seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Fixtures, or folders of them [default: corpus/regressions, where it is]
    #[arg(long, value_name = "PATH")]
    fixtures: Vec<PathBuf>,
    /// How many workers run at once [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print JSON
    #[arg(long, conflicts_with = "md")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    md: bool,
}

impl Compare {
    /// Whoever escapes, it is no failure: that is what was to be found out. A guard that is not
    /// there is one, and the others are compared nevertheless.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let fixtures = self.fixtures()?;
        if self.cases == 0 && fixtures.is_empty() {
            return Err(Failure::usage("there is nothing to compare: no case and no fixture"));
        }
        interrupt::install().map_err(Failure::io)?;
        let comparing = Comparing {
            guards: self.guard,
            seed: self.seed,
            cases: self.cases,
            fixtures,
            jobs: self.jobs.map_or_else(campaign::processors, NonZeroUsize::get),
        };
        let Comparing { seed, cases, fixtures, jobs, .. } = &comparing;
        let [cases, fixtures, jobs] =
            [(*cases, "case"), (fixtures.len() as u64, "fixture"), (*jobs as u64, "worker")]
                .map(|(count, what)| count_of(count, what));
        eprintln!("{cases} of seed {seed} and {fixtures}, {jobs}");
        let compared = comparing.run().map_err(|error| match super::stopped() {
            // A signal to all processes at once ends workers too.
            Some(exit) => Failure { exit, what: error.to_string() },
            None => error.into(),
        })?;
        if compared.guards.iter().all(|line| line.missing.is_some()) {
            let what = Table::of(&compared).missing.join("; ");
            return Err(Failure { exit: ExitCode::Unavailable, what });
        }
        match (self.json, self.md) {
            (true, _) => {
                let json = serde_json::to_string_pretty(&compared);
                println!("{}", json.expect("figures can be JSON"));
            }
            (_, true) => print!("{}", Table::of(&compared).markdown()),
            _ => print!("{}", Table::of(&compared).plain()),
        }
        let missing = compared.guards.iter().any(|line| line.missing.is_some());
        let ended = if missing { ExitCode::Unavailable } else { ExitCode::Clean };
        Ok(super::stopped().unwrap_or(ended))
    }

    fn fixtures(&self) -> Result<Vec<Fixture>, Failure> {
        if !self.fixtures.is_empty() {
            return super::fixtures(&self.fixtures);
        }
        let corpus = Path::new(CORPUS);
        if !corpus.is_dir() {
            eprintln!("there is no {CORPUS} here: no fixtures are compared");
            return Ok(Vec::new());
        }
        super::fixtures(&[corpus.to_owned()])
    }
}

/// The comparison as rows.
struct Table {
    title: String,
    guards: Vec<Vec<String>>,
    classes: Vec<Vec<String>>,
    missing: Vec<String>,
}

impl Table {
    fn of(compared: &Compared) -> Table {
        let Compared { seed, cases, fixtures, guards, .. } = compared;
        let all = [(compared.cases_asked, "case"), (compared.fixtures_asked, "fixture")];
        let [all_cases, all_fixtures] = all.map(|(count, what)| count_of(count, what));
        let title = match compared.is_whole() {
            true => format!("{all_cases} of seed {seed} and {all_fixtures}"),
            false => format!(
                "Cut short: {cases} of {all_cases} of seed {seed} and {fixtures} of {all_fixtures}"
            ),
        };
        let (here, missing): (Vec<&Line>, Vec<&Line>) =
            guards.iter().partition(|line| line.missing.is_none());
        let heads = ["guard", "allowed", "escaped", "bash", "sh", "zsh"];
        let heads = heads.into_iter().chain(["not as planned", "over-refusals", "no answer", "/s"]);
        let heads: Vec<String> = heads.map(str::to_owned).collect();
        let mut names = vec!["class (allowed, escaped)".to_owned()];
        names.extend(here.iter().map(|line| line.guard.clone()));
        let all: BTreeSet<&String> = here.iter().flat_map(|line| line.classes.keys()).collect();
        let class = |name: &String| {
            let of = |line: &&Line| {
                let Class { allowed, escaped, .. } = line.classes.get(name).copied()?;
                Some(format!("{allowed}, {escaped}"))
            };
            let cells = here.iter().map(|line| of(line).unwrap_or_default());
            std::iter::once(name.clone()).chain(cells).collect()
        };
        let why = |line: &Line| line.missing.clone().unwrap_or_default();
        Table {
            title,
            guards: std::iter::once(heads).chain(here.iter().map(|line| row(line))).collect(),
            classes: std::iter::once(names).chain(all.into_iter().map(class)).collect(),
            missing: missing.iter().map(|it| format!("{}: {}", it.guard, why(it))).collect(),
        }
    }

    fn plain(&self) -> String {
        let mut text = format!("{}\n\n", self.title);
        for rows in [&self.guards, &self.classes] {
            let width = |column: usize| {
                rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
            };
            for row in rows {
                for (column, cell) in row.iter().enumerate() {
                    let width = width(column);
                    match column {
                        0 => text.push_str(&format!("{cell:width$}")),
                        _ => text.push_str(&format!("  {cell:>width$}")),
                    }
                }
                text.push('\n');
            }
            text.push('\n');
        }
        self.missing.iter().for_each(|it| text.push_str(&format!("not here: {it}\n")));
        text
    }

    fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", self.title);
        for rows in [&self.guards, &self.classes] {
            for (at, row) in rows.iter().enumerate() {
                let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
                text.push_str(&format!("| {} |\n", cells.join(" | ")));
                if at == 0 {
                    text.push_str(&format!("|---|{}\n", "---:|".repeat(row.len() - 1)));
                }
            }
            text.push('\n');
        }
        self.missing.iter().for_each(|it| text.push_str(&format!("- not here: {it}\n")));
        text
    }
}

fn row(line: &Line) -> Vec<String> {
    let share = |count: u64| {
        let percent = 100.0 * count as f64 / line.asked.max(1) as f64;
        format!("{count} ({percent:.1} %)")
    };
    let escaped = |shell: Shell| line.escaped_in.get(&shell).copied().unwrap_or(0).to_string();
    let mut row = vec![line.guard.clone(), share(line.allowed), line.escaped.to_string()];
    row.extend(Shell::ALL.map(escaped));
    row.push(line.other_than_planned.to_string());
    row.push(share(line.over_refused));
    row.push(line.crashed.to_string());
    row.push(line.decisions_per_second().map_or_else(String::new, |it| format!("{it:.0}")));
    row
}
