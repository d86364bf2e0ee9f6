//! `shfence-oracle report`.

use super::Failure;
use clap::Args;
use shfence_reports::{ExitCode, Run, html, json, junit, markdown, sarif};
use std::path::PathBuf;

/// What to make of which run.
#[derive(Args)]
pub(super) struct Report {
    /// The run directory
    dir: PathBuf,
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
}

/// A form: the name of its file, and what makes it.
type Form = (&'static str, fn(&Run) -> String);

impl Forms {
    fn chosen(&self) -> Vec<Form> {
        let all: [(bool, Form); 5] = [
            (self.html, ("report.html", html)),
            (self.md, ("report.md", markdown)),
            (self.junit, ("report.junit.xml", junit)),
            (self.sarif, ("report.sarif", sarif)),
            (self.json, ("report.json", json)),
        ];
        let chosen: Vec<Form> = all.into_iter().filter(|it| it.0).map(|it| it.1).collect();
        if chosen.is_empty() { vec![("report.md", markdown)] } else { chosen }
    }
}

impl Report {
    /// That a run had findings is no failure of telling of it.
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let run = Run::read(&self.dir).map_err(Failure::io)?;
        let forms = self.forms.chosen();
        if let [(_, form)] = &forms[..] {
            print!("{}", form(&run));
            return Ok(ExitCode::Clean);
        }
        for (name, form) in forms {
            let path = self.dir.join(name);
            std::fs::write(&path, form(&run))
                .map_err(|error| Failure::io(format!("{}: {error}", path.display())))?;
            println!("{}", path.display());
        }
        Ok(ExitCode::Clean)
    }
}
