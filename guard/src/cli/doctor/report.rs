//! What doctor found, for people and for programs.

use serde::Serialize;
use std::process::ExitCode;

/// How a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Good,
    /// Worth knowing; nothing has to be done.
    Note,
    /// To be mended.
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub struct Check {
    status: Status,
    /// What was found, as a sentence without a full stop.
    what: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

impl Check {
    /// As it should be.
    pub fn good(what: impl Into<String>) -> Check {
        Check { status: Status::Good, what: what.into(), help: None }
    }

    /// Worth knowing.
    pub fn note(what: impl Into<String>) -> Check {
        Check { status: Status::Note, what: what.into(), help: None }
    }

    /// Is it as it should be?
    pub fn is_good(&self) -> bool {
        self.status == Status::Good
    }

    /// To be mended, and how.
    pub fn bad(what: impl Into<String>, help: impl Into<String>) -> Check {
        Check { status: Status::Bad, what: what.into(), help: Some(help.into()) }
    }
}

/// The things of one kind.
#[derive(Debug, Serialize)]
pub struct Section {
    /// An agent, or what else was looked at.
    pub title: String,
    /// What was found.
    pub checks: Vec<Check>,
}

#[derive(Serialize)]
struct Report<'a> {
    verdict: &'static str,
    version: &'static str,
    sections: &'a [Section],
}

/// Prints what was found; exit 1 if something is to be mended.
pub fn print(sections: &[Section], json: bool) -> ExitCode {
    let checks = || sections.iter().flat_map(|section| &section.checks);
    let bad = checks().filter(|check| check.status == Status::Bad).count();
    if json {
        let verdict = if bad == 0 { "good" } else { "bad" };
        let report = Report { verdict, version: env!("CARGO_PKG_VERSION"), sections };
        println!("{}", serde_json::to_string(&report).expect("a report holds only strings"));
    } else {
        print!("{}", text(sections));
        let notes = checks().filter(|check| check.status == Status::Note).count();
        match (bad, notes) {
            (0, 0) => println!("all is well"),
            (0, notes) => println!("all is well; worth knowing: {notes}"),
            (bad, _) => println!("to be mended: {bad}"),
        }
    }
    if bad == 0 { ExitCode::SUCCESS } else { super::super::Exit::Ask.into() }
}

fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, checks } in sections {
        text += &format!("{title}\n");
        for Check { status, what, help } in checks {
            let mark = match status {
                Status::Good => "ok  ",
                Status::Note => "note",
                Status::Bad => "BAD ",
            };
            text += &format!("  {mark}  {what}\n");
            help.iter().for_each(|help| text += &format!("        {help}\n"));
        }
        text.push('\n');
    }
    text
}
