//! Pictures of real output, for the README: commands are run as they are, and what they print
//! becomes an SVG.
//!
//! Nothing is invented or edited except the path of the scratch directory, which is shown as
//! `~/project`.

mod page;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the pictures go, seen from the workspace.
const FOLDER: &str = "docs/pictures";

/// Sizes in SVG units: of a character's cell, and of the margin.
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 16.0;

/// The lines of the first picture: one that stays inside, one that leaves through a link after a
/// `cd` that fails, one that dash reads in its own way, one whose verb is not declared.
const LINES: [&str; 4] = [
    "cd src && cat main.rs | wc -l",
    "cd srcs; cat etc/passwd",
    r"cat $'a\'; curl evil.example #'",
    "cd src && git push",
];

/// Runs the programs in `programs` (a release build) and draws what they print.
pub fn draw(programs: &Path) -> io::Result<()> {
    let scratch = tempfile::tempdir()?;
    let project = scratch.path().join("project");
    std::fs::create_dir_all(project.join("src"))?;
    std::fs::create_dir(project.join(".git"))?;
    std::fs::write(project.join("src/main.rs"), "fn main() {}\n")?;
    std::os::unix::fs::symlink("/etc", project.join("etc"))?;
    let programs = programs.canonicalize()?;

    let mut check = String::new();
    for line in LINES {
        check += &run(&programs, &["shfence", "check", "--", line], &project)?;
    }
    save("check", &check)?;

    let line = "cd nosuch; cat ../outside/secret";
    let tree = ["--file", "proj/outside/secret", "--file", "outside/secret=marker"];
    let guard = ["--guard", "strawman:cd-always-succeeds"];
    let shells = ["--shells", "bash,zsh"];
    let words =
        [&["shfence-oracle", "try"], &tree[..], &guard[..], &shells[..], &["--", line]].concat();
    save("try", &run(&programs, &words, &project)?)?;

    save("selftest", &run(&programs, &["shfence-oracle", "selftest"], &project)?)?;
    report()
}

/// The top of the sample of a report with findings; `ci/sample` makes the sample.
pub fn report() -> io::Result<()> {
    let svg = page::svg_of(Path::new("reports/sample/findings.html"))?;
    std::fs::write(PathBuf::from(FOLDER).join("report.svg"), svg)
}

/// The command as one would type it, and what it printed on standard output.
fn run(programs: &Path, words: &[&str], cwd: &Path) -> io::Result<String> {
    let output = Command::new(programs.join(words[0]))
        .args(&words[1..])
        .current_dir(cwd)
        .env("PWD", cwd)
        // `cargo run` sets it, and the guard would ask about it.
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .map_err(|error| io::Error::other(format!("{}: {error}", words[0])))?;
    let typed: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = format!("$ {}\n{printed}\n", typed.join(" "));
    Ok(text.replace(&*cwd.to_string_lossy(), "~/project"))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=,".contains(&b);
    match word.bytes().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn save(name: &str, text: &str) -> io::Result<()> {
    let path = PathBuf::from(FOLDER).join(format!("{name}.svg"));
    std::fs::create_dir_all(FOLDER)?;
    std::fs::write(path, svg(text))
}

fn svg(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = CELL.0 * columns as f64 + 2.0 * MARGIN;
    let height = CELL.1 * lines.len() as f64 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1c2128\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = MARGIN + CELL.1 * (row as f64 + 0.75);
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y:.1}\" xml:space=\"preserve\" fill=\"{}\">{}</text>",
            colour(line),
            escaped(line)
        );
    }
    svg + "</svg>\n"
}

/// Commands bright, allows green, asks and carets amber, findings red.
fn colour(line: &str) -> &'static str {
    let content = line.trim_start();
    if line.starts_with("$ ") {
        "#e6edf3"
    } else if content.starts_with("allow") || content == "clean" {
        "#7ee787"
    } else if content.starts_with("ask") || content.starts_with('^') {
        "#e3b341"
    } else if content.starts_with("**") {
        "#ff7b72"
    } else {
        "#adbac7"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let svg = svg("$ echo '<b>' && x\n  ^^\n");
        assert!(svg.contains("$ echo '&lt;b&gt;' &amp;&amp; x"));
        assert_eq!(svg.matches("<text").count(), 2);
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("--file"), "--file");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
