//! `shfence-oracle report`.

use super::Failure;
use clap::Args;
use shfence_reports::{ExitCode, History, Run, html, issues, json, junit, markdown, sarif};
use std::path::PathBuf;

/// What to make of which run.
#[derive(Args)]
pub(super) struct Report {
    /// The run directory
    dir: PathBuf,
    /// The file that remembers past nights, a line of JSON each: it is read for the trend, and the
    /// run is added, once
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    #[command(flatten)]
    forms: Forms,
}

/// In which forms. One is printed; of several, each becomes a file in the run directory.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Forms {
    /// One HTML file that needs nothing else
    #[arg(long)]
    html: bool,
    /// Markdown, as in summary.md [default]
    #[arg(long)]
    md: bool,
    /// JUnit XML
    #[arg(long)]
    junit: bool,
    /// SARIF 2.1.0
    #[arg(long)]
    sarif: bool,
    /// JSON; reports/docs/report.schema.json describes it
    #[arg(long)]
    json: bool,
    /// An issue for each finding, as lines of JSON, with a key by which it is found again;
    /// ci/issues files them
    #[arg(long)]
    issue: bool,
}

/// A form: the name of its file, and what makes it.
type Form = (&'static str, fn(&Run, &History) -> String);

impl Forms {
    fn chosen(&self) -> Vec<Form> {
        let all: [(bool, Form); 6] = [
            (self.html, ("report.html", html)),
            (self.md, MARKDOWN),
            (self.junit, ("report.junit.xml", |run, _| junit(run))),
            (self.sarif, ("report.sarif", |run, _| sarif(run))),
            (self.json, ("report.json", |run, _| json(run))),
            (self.issue, ("issues.jsonl", |run, _| issues(run))),
        ];
        let chosen: Vec<Form> = all.into_iter().filter(|it| it.0).map(|it| it.1).collect();
        if chosen.is_empty() { vec![MARKDOWN] } else { chosen }
    }
}

const MARKDOWN: Form = ("report.md", |run, _| markdown(run));

impl Report {
    /// That a run had findings is no failure of telling of it.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let run = Run::read(&self.dir).map_err(Failure::io)?;
        let mut history = History::default();
        if let Some(file) = &self.history {
            history = History::read(file).map_err(Failure::io)?;
            history.remember(&run);
            history.write(file).map_err(Failure::io)?;
        }
        let forms = self.forms.chosen();
        if let [(_, form)] = &forms[..] {
            print!("{}", form(&run, &history));
            return Ok(ExitCode::Clean);
        }
        for (name, form) in forms {
            let path = self.dir.join(name);
            std::fs::write(&path, form(&run, &history))
                .map_err(|error| Failure::io(format!("{}: {error}", path.display())))?;
            println!("{}", path.display());
        }
        Ok(ExitCode::Clean)
    }
}
