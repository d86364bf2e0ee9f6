//! Style as a test: what a reviewer would otherwise have to say again and again.

mod dependencies;
mod fixtures;
mod rust;
mod source;
mod text;

pub use fixtures::{FOLDER as FIXTURES, check_name as check_fixture_name};

use std::fmt;
use std::path::Path;
use std::process::Command;

/// One thing to mend, where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    file: String,
    /// Counted from 1; nothing where the whole file is meant.
    line: Option<usize>,
    what: String,
}

impl Complaint {
    fn at(file: &str, line: usize, what: impl Into<String>) -> Complaint {
        Complaint { file: file.to_owned(), line: Some(line), what: what.into() }
    }

    fn of(file: &str, what: impl Into<String>) -> Complaint {
        Complaint { file: file.to_owned(), line: None, what: what.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// All complaints about the repository this was built in, sorted by file. The error says why it
/// could not be looked at.
pub fn complaints() -> Result<Vec<Complaint>, String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let top = top.canonicalize().map_err(|error| format!("{}: {error}", top.display()))?;
    let mut complaints = Vec::new();
    for file in files(&top)? {
        let path = top.join(&file);
        let Ok(meta) = path.symlink_metadata() else { continue }; // removed, not yet committed
        complaints.extend(fixtures::check_name(&file));
        // Inputs of the fuzz targets are bytes, whatever they say.
        if !meta.is_file() || file.starts_with("generators/fuzz/seeds/") {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| format!("{file}: {error}"))?;
        match String::from_utf8(bytes) {
            Ok(content) if !content.contains('\0') => {
                complaints.extend(text::check(&file, &content, &top));
                if file.ends_with(".rs") {
                    complaints.extend(rust::check(&file, &content));
                }
            }
            _ => complaints.push(Complaint::of(&file, "is not UTF-8 text; only text is kept here")),
        }
    }
    complaints.extend(dependencies::check(&top)?);
    complaints.sort();
    Ok(complaints)
}

/// Every file that is in the repository or would be added to it.
fn files(top: &Path) -> Result<Vec<String>, String> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let names = output(Command::new("git").args(list).current_dir(top))?;
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

/// What a command prints. The error names the command and repeats its own.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let result = command.output().map_err(|error| format!("{name} cannot be run: {error}"))?;
    if !result.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&result.stderr).trim()));
    }
    String::from_utf8(result.stdout).map_err(|_| format!("{name} printed what is not UTF-8"))
}
