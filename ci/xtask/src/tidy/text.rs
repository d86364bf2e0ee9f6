//! What holds for every text file: its width, its line ends, and no path of somebody's machine.

use super::Complaint;
use std::path::Path;

/// Columns of a line of code.
const COLUMNS: usize = 100;

/// Places that exist on one machine only, split so that this file does not name them itself.
const MACHINE_PATHS: [&str; 3] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/home/run", "ner/")];

/// Complaints about the text of one file. `top` is where the repository happens to stand.
pub fn check(file: &str, content: &str, top: &Path) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let top = top.to_str().filter(|top| top.len() > 1);
    for (number, line) in content.split_terminator('\n').enumerate() {
        if has_a_width(file) {
            complaints.extend(too_wide(file, number, line));
        }
        let mut complain = |what: String| complaints.push(Complaint::at(file, number + 1, what));
        if line.ends_with([' ', '\t', '\r']) && !holds_foreign_text(file) {
            complain("ends in white space".to_owned());
        }
        let paths = MACHINE_PATHS.into_iter().chain(top);
        if let Some(path) = paths.into_iter().find(|path| names(line, path)) {
            complain(format!("names {path}, a path of one machine"));
        }
    }
    if !content.is_empty() && !content.ends_with('\n') {
        complaints.push(Complaint::of(file, "does not end with a line break"));
    }
    complaints
}

/// A complaint about a line, numbered from 0, that is wider than code should be.
pub fn too_wide(file: &str, number: usize, line: &str) -> Option<Complaint> {
    let columns = line.chars().count();
    // A package's description is one line, because registries show it as one.
    let too_wide = columns > COLUMNS && !line.starts_with("description = ");
    let what = || format!("{columns} columns, more than {COLUMNS}");
    too_wide.then(|| Complaint::at(file, number + 1, what()))
}

/// Is it scripts or data of ours? Prose breaks where it reads well, and tables of Markdown cannot
/// break at all. Rust is not among them: there a table may be as wide as it is.
fn has_a_width(file: &str) -> bool {
    let script = file.starts_with("ci/") || file.starts_with(".ci/");
    match file.rsplit_once('.') {
        _ if holds_foreign_text(file) => false,
        Some((_, "toml" | "yml" | "yaml" | "sh")) => true,
        Some((_, "rs" | "md")) => false,
        _ => script,
    }
}

/// Files that repeat the lines of cases, or what was rendered from them, byte by byte.
fn holds_foreign_text(file: &str) -> bool {
    file.starts_with(super::fixtures::FOLDER)
        || [".snap", ".jsonl", "Cargo.lock"].iter().any(|end| file.ends_with(end))
}

/// Does the line name `path` from the root, and not as the end of a longer one?
fn names(line: &str, path: &str) -> bool {
    let part_of_a_name = |c: char| c.is_alphanumeric() || "_.-*}/~".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(part_of_a_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints_of(file: &str, content: &str) -> Vec<String> {
        check(file, content, Path::new("/src")).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_of_code_have_a_width_in_characters() {
        let (fits, long) = ("é".repeat(100) + "\n", "é".repeat(101) + "\n");
        assert_eq!(complaints_of("a.toml", &fits), Vec::<String>::new());
        assert_eq!(complaints_of("a.toml", &long), ["a.toml:1: 101 columns, more than 100"]);
        assert_eq!(complaints_of("ci/test", &long), ["ci/test:1: 101 columns, more than 100"]);
        assert_eq!(complaints_of("README.md", &long), Vec::<String>::new());
        assert_eq!(complaints_of("corpus/regressions/a/a.b.c.toml", &long), Vec::<String>::new());
    }

    #[test]
    fn lines_end_plainly() {
        assert_eq!(complaints_of("a.md", "a\nb \n"), ["a.md:2: ends in white space"]);
        assert_eq!(complaints_of("a.md", "a\r\n"), ["a.md:1: ends in white space"]);
        assert_eq!(complaints_of("a.md", "a"), ["a.md: does not end with a line break"]);
        assert_eq!(complaints_of("a.jsonl", "a \n"), Vec::<String>::new());
    }

    #[test]
    fn paths_of_one_machine_are_named() {
        for path in MACHINE_PATHS {
            let what = format!("a.md:1: names {path}, a path of one machine");
            assert_eq!(complaints_of("a.md", &format!("see `{path}x`\n")), [what]);
        }
        assert_eq!(
            complaints_of("a.md", "in /src/x\n"),
            ["a.md:1: names /src, a path of one machine"]
        );
        assert_eq!(complaints_of("a.md", "in oracle/src/x\n"), Vec::<String>::new());
    }
}
