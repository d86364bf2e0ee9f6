//! The shells that are installed on this machine.

use crate::trace::ShellId;
use shfence_corpus::{Shell, Text};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An installed shell and how it is given a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// What it is.
    pub id: ShellId,
    /// The file to execute.
    pub program: PathBuf,
    /// Its arguments, its own name first; the line follows as the last.
    pub args: Vec<Text>,
}

/// A shell we know how to use.
struct Known {
    name: &'static str,
    shell: Shell,
    /// The file's name, in one of [`PLACES`].
    file: &'static str,
    /// Its own name; `None` for the file's path. bash, called by a bare name, would look for itself
    /// in the working directory and in PATH.
    called: Option<&'static str>,
    /// Its options: no start-up files, then the line.
    options: &'static [&'static str],
    version: Version,
}

/// Where a shell's version comes from.
#[derive(Clone, Copy)]
enum Version {
    /// It prints it, when given this line.
    Says(&'static str),
    /// It prints it as the second word of its first line, when called without arguments.
    Banner,
    /// Its package has it.
    Package(&'static str),
}

/// In the order of [`Shell::ALL`]; for `sh` the one that counts most first.
const KNOWN: [Known; 5] = [
    Known {
        name: "bash",
        shell: Shell::Bash,
        file: "bash",
        called: None,
        options: &["--norc", "--noprofile", "-c"],
        version: Version::Says("printf %s \"$BASH_VERSION\""),
    },
    Known {
        name: "dash",
        shell: Shell::Sh,
        file: "dash",
        called: Some("/bin/sh"),
        options: &["-c"],
        version: Version::Package("dash"),
    },
    Known {
        name: "busybox",
        shell: Shell::Sh,
        file: "busybox",
        called: Some("sh"),
        options: &["-c"],
        version: Version::Banner,
    },
    Known {
        name: "bash-posix",
        shell: Shell::Sh,
        file: "bash",
        called: None,
        options: &["--posix", "--norc", "--noprofile", "-c"],
        version: Version::Says("printf %s \"$BASH_VERSION\""),
    },
    Known {
        name: "zsh",
        shell: Shell::Zsh,
        file: "zsh",
        called: None,
        options: &["-f", "-c"],
        version: Version::Says("printf %s \"$ZSH_VERSION\""),
    },
];

/// Where shells are looked for: the directories whose programs exist in the box as well.
const PLACES: [&str; 2] = ["/bin", "/usr/bin"];

/// The shells that are installed, in a fixed order: bash, dash, busybox, bash-posix, zsh.
pub fn installations() -> Vec<Installation> {
    KNOWN.iter().filter_map(Known::find).collect()
}

/// A shell we know how to use that is not installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The language it speaks.
    pub shell: Shell,
    /// What we call it.
    pub name: &'static str,
    /// The package that has it; most systems call it the same.
    pub package: &'static str,
}

/// Those of our shells that are not among the installed ones.
pub fn absent(present: &[Installation]) -> Vec<Absent> {
    let is_here = |known: &&Known| present.iter().any(|it| it.id.name == known.name);
    let absent = |it: &Known| Absent { shell: it.shell, name: it.name, package: it.file };
    KNOWN.iter().filter(|known| !is_here(known)).map(absent).collect()
}

impl Known {
    fn find(&self) -> Option<Installation> {
        let program = PLACES
            .iter()
            .map(|place| Path::new(place).join(self.file))
            .find(|path| path.is_file())?;
        let path = program.to_str()?;
        let args: Vec<Text> = [self.called.unwrap_or(path)]
            .iter()
            .chain(self.options)
            .map(|a| Text::from(*a))
            .collect();
        let version = self.version(&program).unwrap_or_else(|| "unknown".to_owned());
        let id = ShellId { shell: self.shell, name: self.name.to_owned(), version };
        Some(Installation { id, program, args })
    }

    fn version(&self, program: &Path) -> Option<String> {
        match self.version {
            Version::Says(line) => output(Command::new(program).args(self.options).arg(line)),
            // "BusyBox v1.35.0 (Debian 1:1.35.0-4+deb12u1) multi-call binary."
            Version::Banner => {
                let banner = output(&mut Command::new(program))?;
                let version = banner.lines().next()?.split(' ').nth(1)?;
                Some(version.trim_start_matches('v').to_owned())
            }
            Version::Package(name) => {
                output(Command::new("dpkg-query").args(["-W", "-f", "${Version}", name]))
            }
        }
    }
}

/// What a command prints, if it succeeds and prints anything.
fn output(command: &mut Command) -> Option<String> {
    let done = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&done.stdout).trim().to_owned();
    (done.status.success() && !text.is_empty()).then_some(text)
}
