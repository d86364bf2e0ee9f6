//! The shells that are installed on this machine.
//!
//! Five of them stand for the three languages that cases name. Others are **extra**: agents hardly
//! run them, but somebody's `sh` is one, and what is true of five readings of POSIX and not of
//! seven is worth knowing. They run what is for `sh`, and an escape there is a finding like any
//! other; nothing depends on their being installed.

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
    /// The same where the line is typed: an interactive shell, without the line.
    pub typed: Vec<Text>,
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
    /// Its options where the line is typed: interactive, no start-up files, and no line editing,
    /// which would look at more than the line does.
    typed: &'static [&'static str],
    version: Version,
    /// Programs of the system that it does itself, without starting any: `realpath` of mksh looks
    /// at paths in the shell's own process. Among [`VERBS`].
    itself: &'static [&'static str],
    /// Is it one more than a case asks for?
    extra: bool,
}

/// Verbs that some shell has been known to do itself, as a built-in or an applet, though others
/// start a program. What every shell has as a built-in (`cd`, `test`, `echo`) is not among them.
pub const VERBS: [&str; 12] = [
    "basename", "cat", "dirname", "env", "head", "id", "ls", "mkdir", "realpath", "rm", "sleep",
    "touch",
];

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

/// In the order of [`Shell::ALL`], for `sh` the one that counts most first; then the extra ones.
const KNOWN: [Known; 7] = [
    Known {
        name: "bash",
        shell: Shell::Bash,
        file: "bash",
        called: None,
        options: &["--norc", "--noprofile", "-c"],
        typed: &["--norc", "--noprofile", "--noediting", "-i"],
        version: Version::Says("printf %s \"$BASH_VERSION\""),
        itself: &[],
        extra: false,
    },
    Known {
        name: "dash",
        shell: Shell::Sh,
        file: "dash",
        called: Some("/bin/sh"),
        options: &["-c"],
        typed: &["-i"],
        version: Version::Package("dash"),
        itself: &[],
        extra: false,
    },
    Known {
        name: "busybox",
        shell: Shell::Sh,
        file: "busybox",
        called: Some("sh"),
        options: &["-c"],
        typed: &["-i"],
        version: Version::Banner,
        itself: &[],
        extra: false,
    },
    Known {
        name: "bash-posix",
        shell: Shell::Sh,
        file: "bash",
        called: None,
        options: &["--posix", "--norc", "--noprofile", "-c"],
        typed: &["--posix", "--norc", "--noprofile", "--noediting", "-i"],
        version: Version::Says("printf %s \"$BASH_VERSION\""),
        itself: &[],
        extra: false,
    },
    Known {
        name: "zsh",
        shell: Shell::Zsh,
        file: "zsh",
        called: None,
        options: &["-f", "-c"],
        typed: &["-f", "-i", "+Z", "+o", "hashdirs"],
        version: Version::Says("printf %s \"$ZSH_VERSION\""),
        itself: &[],
        extra: false,
    },
    Known {
        name: "mksh",
        shell: Shell::Sh,
        file: "mksh",
        called: None,
        options: &["-c"],
        typed: &["-i", "+o", "emacs"],
        version: Version::Says("echo \"${KSH_VERSION#* KSH }\""),
        itself: &["realpath"],
        extra: true,
    },
    Known {
        name: "yash",
        shell: Shell::Sh,
        file: "yash",
        called: None,
        options: &["--norcfile", "--noprofile", "-c"],
        typed: &["--norcfile", "--noprofile", "-i"],
        version: Version::Says("echo \"$YASH_VERSION\""),
        itself: &[],
        extra: true,
    },
];

/// Where shells are looked for: the directories whose programs exist in the box as well.
const PLACES: [&str; 2] = ["/bin", "/usr/bin"];

/// The shells that are installed, in a fixed order: bash, dash, busybox, bash-posix, zsh, mksh,
/// yash.
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
    /// Is it one more than a case asks for?
    pub extra: bool,
}

impl ShellId {
    /// Is it one more than a case asks for? It runs what is for its language, and its language is
    /// there without it.
    pub fn is_extra(&self) -> bool {
        is_extra(&self.name)
    }

    /// Those of [`VERBS`] that it does itself, without starting a program.
    pub fn does_itself(&self) -> &'static [&'static str] {
        let known = KNOWN.iter().find(|known| known.name == self.name);
        known.map_or(&[], |known| known.itself)
    }
}

/// Is the installation of this name one more than a case asks for?
pub fn is_extra(name: &str) -> bool {
    KNOWN.iter().any(|known| known.name == name && known.extra)
}

/// Those of our shells that are not among the installed ones.
pub fn absent(present: &[Installation]) -> Vec<Absent> {
    let is_here = |known: &&Known| present.iter().any(|it| it.id.name == known.name);
    let absent =
        |it: &Known| Absent { shell: it.shell, name: it.name, package: it.file, extra: it.extra };
    KNOWN.iter().filter(|known| !is_here(known)).map(absent).collect()
}

impl Known {
    fn find(&self) -> Option<Installation> {
        let program = PLACES
            .iter()
            .map(|place| Path::new(place).join(self.file))
            .find(|path| path.is_file())?;
        let path = program.to_str()?;
        let called = [self.called.unwrap_or(path)];
        let with = |options: &[&str]| -> Vec<Text> {
            called.iter().chain(options).map(|word| Text::from(*word)).collect()
        };
        let (args, typed) = (with(self.options), with(self.typed));
        let version = self.version(&program).unwrap_or_else(|| "unknown".to_owned());
        let id = ShellId { shell: self.shell, name: self.name.to_owned(), version };
        Some(Installation { id, program, args, typed })
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
