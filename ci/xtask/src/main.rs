//! The checks of this workspace that no other tool does.
//!
//! `cargo xtask tidy` prints what it complains of as `file:line: what`, and exits with 1
//! if there is anything, with 2 if it could not look.
//! `cargo xtask pictures` draws the README's pictures anew from a release build.
//! `cargo xtask bless SIGNATURE` makes a fixture of a campaign's finding.
//! `cargo xtask sbom TARGET` lists what is in the program that is shipped.
//! `cargo xtask layout MAP TRACES` puts what hooks touch first in it.
//! `cargo xtask shapes` asks the installed tools for their options and writes them down.
#![forbid(unsafe_code)]

mod bless;
mod layout;
mod pictures;
mod sbom;
mod shapes;
mod tidy;

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "The checks of this workspace that no other tool does")]
enum Task {
    /// Style, direction of dependencies and names, as tests
    Tidy,
    /// Draws the README's pictures from what the programs of a release build print
    Pictures {
        /// The folder that holds the programs
        #[arg(default_value = "target/release")]
        programs: PathBuf,
        /// Only that of the sample of a report
        #[arg(long)]
        report: bool,
    },
    /// Makes a fixture of a finding, for a person to look at; nothing is committed
    Bless {
        /// As reports name it: tree-escape/read/cd-failed/semicolon
        signature: String,
        /// The run that found it [default: the newest in target/campaigns]
        #[arg(long, value_name = "DIR")]
        run: Option<PathBuf>,
        /// The fixture's name, AREA.FEATURE.DETAIL [default: made from the signature]
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
    },
    /// Lists the crates in the guard as CycloneDX JSON
    Sbom {
        /// The target that it is built for
        target: String,
    },
    /// Writes the linker script that puts first what hooks touch
    Layout {
        /// What `ld.lld -Map` has written of the program
        map: PathBuf,
        /// The folder of what `valgrind --tool=lackey --trace-mem=yes` has seen of it
        traces: PathBuf,
    },
    /// Asks the installed tools which options they have: guard/verbs/shapes
    Shapes {
        /// Only says where the files and the tools differ
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    match Task::parse() {
        Task::Tidy => tidy(),
        Task::Shapes { check } => shapes(check),
        Task::Sbom { target } => printed("sbom", sbom::of_guard(&target)),
        Task::Layout { map, traces } => printed("layout", layout::script(&map, &traces)),
        Task::Bless { signature, run, name } => {
            match bless::bless(&signature, run.as_deref(), name.as_deref()) {
                Ok(file) => {
                    println!("{}: read it, give it a title, see it fail:", file.display());
                    println!("  shfence-oracle replay {}", file.display());
                    ExitCode::SUCCESS
                }
                Err(error) => {
                    eprintln!("bless: {error}");
                    ExitCode::from(2)
                }
            }
        }
        Task::Pictures { programs, report } => {
            match if report { pictures::report() } else { pictures::draw(&programs) } {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("pictures: {error}");
                    ExitCode::from(2)
                }
            }
        }
    }
}

/// Prints what a task has made, or why it could not.
fn printed(task: &str, made: Result<String, String>) -> ExitCode {
    match made {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{task}: {error}");
            ExitCode::from(2)
        }
    }
}

fn tidy() -> ExitCode {
    match tidy::complaints() {
        Ok(complaints) if complaints.is_empty() => ExitCode::SUCCESS,
        Ok(complaints) => {
            complaints.iter().for_each(|complaint| println!("{complaint}"));
            println!("tidy: {} to mend", complaints.len());
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("tidy: {error}");
            ExitCode::from(2)
        }
    }
}

fn shapes(check: bool) -> ExitCode {
    let failed = |error: String| {
        eprintln!("shapes: {error}");
        ExitCode::from(2)
    };
    if !check {
        return match shapes::write() {
            Ok(written) => {
                println!("written: {}", written.join(", "));
                ExitCode::SUCCESS
            }
            Err(error) => failed(error),
        };
    }
    match shapes::compare() {
        Ok(standings) => {
            let mut code = ExitCode::SUCCESS;
            for (package, standing) in standings {
                match standing {
                    shapes::Standing::Same => println!("{package}: as installed"),
                    shapes::Standing::NotComparable(why) => println!("{package}: {why}"),
                    shapes::Standing::Different(what) => {
                        println!("{package}: {what}");
                        code = ExitCode::from(1);
                    }
                }
            }
            code
        }
        Err(error) => failed(error),
    }
}
