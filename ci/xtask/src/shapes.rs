//! Shapes of options: which a tool has, which stand for one another, and which take a value. Asked
//! from the installed tools, never typed.
//!
//! A program that parses its options with `getopt(3)` hands it a description of them. A library
//! that is loaded before libc prints that description and ends the program there, before it has
//! acted. Only tools that read are asked, without arguments, in an empty directory.

mod shape;

use shape::Shape;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Tools that come, and change, together.
struct Package {
    name: &'static str,
    /// What prints the version, on its first line.
    version: &'static [&'static str],
    /// What stands before a tool's name.
    launcher: &'static [&'static str],
    tools: &'static [&'static str],
}

#[rustfmt::skip]
const PACKAGES: &[Package] = &[
    Package { name: "binutils", version: &["strings", "--version"], launcher: &[],
        tools: &["strings"] },
    Package { name: "busybox", version: &["busybox"], launcher: &["busybox"], tools: &[
        "cat", "cmp", "cp", "cut", "date", "df", "diff", "du", "expand", "fold", "grep", "head",
        "hexdump", "ln", "ls", "md5sum", "mkdir", "mv", "nl", "od", "paste", "ps", "readlink", "rm",
        "rmdir", "sed", "sha1sum", "sha256sum", "sha512sum", "sort", "stat", "strings", "tac",
        "tail", "tee", "touch", "unexpand", "uniq", "wc", "which", "xxd",
    ] },
    Package { name: "coreutils", version: &["cat", "--version"], launcher: &[], tools: &[
        "cat", "cksum", "comm", "cp", "cut", "date", "df", "du", "expand", "fmt", "fold", "head",
        "join", "ln", "ls", "md5sum", "mkdir", "mv", "nl", "od", "paste", "printenv", "readlink",
        "realpath", "rm", "rmdir", "sha1sum", "sha256sum", "sha512sum", "sort", "stat", "tac",
        "tail", "tee", "touch", "unexpand", "uniq", "wc",
    ] },
    Package { name: "diffutils", version: &["diff", "--version"], launcher: &[],
        tools: &["cmp", "diff"] },
    Package { name: "file", version: &["file", "--version"], launcher: &[], tools: &["file"] },
    Package { name: "grep", version: &["grep", "--version"], launcher: &[], tools: &["grep"] },
    Package { name: "procps", version: &["free", "--version"], launcher: &[],
        tools: &["free", "uptime"] },
    Package { name: "sed", version: &["sed", "--version"], launcher: &[], tools: &["sed"] },
    Package { name: "util-linux", version: &["rev", "--version"], launcher: &[],
        tools: &["column", "hexdump", "rev"] },
];

/// What the library exits with (`getopt.c`).
const ANSWERED: i32 = 99;

/// How the installed version of a package stands to its file.
#[derive(Debug, PartialEq, Eq)]
pub enum Standing {
    /// The file says what its tools say.
    Same,
    /// They are of the version that the file names, and say something else: the first line of it.
    Different(String),
    /// Another version is installed, or none at all.
    NotComparable(String),
}

/// Writes the files of the packages that are installed, and names them.
pub fn write() -> Result<Vec<&'static str>, String> {
    let asking = Asking::new()?;
    let mut written = Vec::new();
    for package in PACKAGES {
        if let Some(version) = package.installed() {
            let path = file_of(package);
            fs::write(&path, asking.package(package, &version)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            written.push(package.name);
        }
    }
    Ok(written)
}

/// Compares every file with the installed tools.
pub fn compare() -> Result<Vec<(&'static str, Standing)>, String> {
    let asking = Asking::new()?;
    let standing = |package: &Package| -> Result<Standing, String> {
        let path = file_of(package);
        let recorded =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let Some(version) = package.installed() else {
            return Ok(Standing::NotComparable("not installed".to_owned()));
        };
        if !recorded.contains(&version_line(&version)) {
            return Ok(Standing::NotComparable(format!("installed is {version}")));
        }
        let asked = asking.package(package, &version)?;
        let different = recorded.lines().zip(asked.lines()).find(|(old, new)| old != new);
        Ok(match different {
            None if recorded == asked => Standing::Same,
            None => Standing::Different("one of them ends before the other".to_owned()),
            Some((old, new)) => Standing::Different(format!("{old:?} is now {new:?}")),
        })
    };
    PACKAGES.iter().map(|package| Ok((package.name, standing(package)?))).collect()
}

fn file_of(package: &Package) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guard/verbs/shapes");
    folder.join(format!("{}.toml", package.name))
}

fn version_line(version: &str) -> String {
    format!("version = {version:?}\n")
}

impl Package {
    /// The first line that the installed package prints about its version.
    fn installed(&self) -> Option<String> {
        let output = Command::new(self.version[0])
            .args(&self.version[1..])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.lines().next().map(str::to_owned)
    }
}

/// The library, and an empty directory to ask in.
struct Asking {
    library: PathBuf,
    empty: PathBuf,
    _scratch: tempfile::TempDir,
}

impl Asking {
    fn new() -> Result<Asking, String> {
        let scratch = tempfile::tempdir().map_err(|error| format!("no scratch: {error}"))?;
        let (source, library) = (scratch.path().join("getopt.c"), scratch.path().join("getopt.so"));
        let empty = scratch.path().join("empty");
        fs::create_dir(&empty)
            .and_then(|()| fs::write(&source, include_str!("shapes/getopt.c")))
            .map_err(|error| format!("{}: {error}", scratch.path().display()))?;
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-fno-builtin", "-o"])
            .args([&library, &source])
            .status()
            .map_err(|error| format!("cc cannot be run: {error}"))?;
        match built.success() {
            true => Ok(Asking { library, empty, _scratch: scratch }),
            false => Err("cc does not compile getopt.c".to_owned()),
        }
    }

    /// The text of a package's file.
    fn package(&self, package: &Package, version: &str) -> Result<String, String> {
        let mut text = format!(
            "# What the tools tell getopt(3) about their options. Written by\n\
             # `cargo xtask shapes`, never by hand.\n\n{}",
            version_line(version)
        );
        for tool in package.tools {
            let words = [package.launcher, &[*tool]].concat();
            let shape = Shape::read(&self.ask(&words)?)
                .map_err(|what| format!("{}: {what}", words.join(" ")))?;
            let _ = write!(text, "\n[tool.{tool}]\n{shape}");
        }
        Ok(text)
    }

    /// What a tool tells getopt.
    fn ask(&self, words: &[&str]) -> Result<String, String> {
        let name = words.join(" ");
        let output = Command::new(words[0])
            .args(&words[1..])
            .current_dir(&self.empty)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C")
            .env("LD_PRELOAD", &self.library)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{name} cannot be run: {error}"))?;
        match output.status.code() {
            Some(ANSWERED) => String::from_utf8(output.stdout).map_err(|error| error.to_string()),
            _ => Err(format!("{name} does not ask getopt for its options")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever changes a file by hand, or changes what is asked, is told where.
    #[test]
    fn the_files_say_what_the_installed_tools_say() {
        let standings = compare().expect("the tools can be asked");
        for (package, standing) in &standings {
            match standing {
                Standing::Same => {}
                Standing::Different(what) => panic!("{package}.toml: {what}"),
                Standing::NotComparable(why) => println!("{package}: not compared, {why}"),
            }
        }
    }
}
