//! How an agent is told of its hook: which files, and what is written there.
//!
//! These are facts of the agent, so that they stand beside its adapter; `install` and `doctor` act
//! on them.

use super::agent::Moment;

/// What has to be written for an agent, and what a person has to know of it.
pub struct Setup {
    /// The programs by which it is started.
    pub programs: &'static [&'static str],
    /// The folder of its settings, for all projects of a person.
    pub home: Folder,
    /// Another folder, below the home directory, that shows that the person has it; if there is
    /// none, its own does.
    pub mark: Option<&'static str>,
    /// What is written. At least one of them runs the hook.
    pub files: &'static [File],
    /// What switches its hooks off.
    pub switches: &'static [Switch],
    /// Where it keeps which hooks the person has trusted, if it skips all others.
    pub trust: Option<Trust>,
    /// How it runs what is written down.
    pub runs: Runs,
    /// Requests as it makes them, to try a hook with: `@LINE@` is the line, `@` the project.
    pub canaries: &'static [(Moment, &'static str)],
    /// What becomes of a line if the hook dies, hangs or is missing, as a sentence without a full
    /// stop.
    pub failing: &'static str,
    /// What its hooks cannot do, as a sentence.
    pub limits: Option<&'static str>,
    /// What the person must still do, as a sentence.
    pub then: &'static str,
}

impl Setup {
    /// Of a partner that is told by its command line: nothing is written.
    #[cfg(feature = "cli")]
    pub const NOWHERE: Setup = Setup {
        programs: &[],
        home: Folder { variable: None, otherwise: "", below: "" },
        mark: None,
        files: &[],
        switches: &[],
        trust: None,
        runs: Runs::Program,
        canaries: &[],
        failing: "",
        limits: None,
        then: "",
    };
}

/// A folder that a variable may move.
pub struct Folder {
    /// The variable, if it names an absolute path.
    pub variable: Option<&'static str>,
    /// What the variable stands for otherwise, below the home directory.
    pub otherwise: &'static str,
    /// Where the folder is below that.
    pub below: &'static str,
}

impl Folder {
    /// A folder of the home directory.
    pub const fn of_home(name: &'static str) -> Folder {
        Folder { variable: None, otherwise: name, below: "" }
    }

    /// A folder of the home directory that a variable can name.
    pub const fn named_by(variable: &'static str, otherwise: &'static str) -> Folder {
        Folder { variable: Some(variable), otherwise, below: "" }
    }

    /// A folder among a person's configurations (XDG Base Directory Specification).
    pub const fn of_config(below: &'static str) -> Folder {
        Folder { variable: Some("XDG_CONFIG_HOME"), otherwise: ".config", below }
    }
}

/// A file that is written.
pub struct File {
    /// Its name in the agent's folder.
    pub user: &'static str,
    /// Its name in a project, if the agent reads it there.
    pub project: Option<&'static str>,
    /// What is written.
    pub holds: Holds,
}

/// What is written into a file.
pub enum Holds {
    /// Entries of a JSON file that may hold much else.
    Entries {
        /// The value of `version` in a file that is new.
        version: Option<&'static str>,
        /// The entries.
        entries: &'static [Entry],
    },
    /// A file that is ours alone. It holds [`MARKER`]; `@COMMAND@` is the command line of the hook,
    /// `@ARGV@` its words as JSON.
    Text {
        /// Is it a program?
        executable: bool,
        /// What it says.
        text: &'static str,
    },
}

/// What shows that a file is ours.
pub const MARKER: &str = "Written by 'shfence install";

/// An item of a list in a JSON file.
pub struct Entry {
    /// The keys that lead to the list.
    pub at: &'static [&'static str],
    /// The item, as JSON. `@COMMAND@` is the command line of the hook, `@FILE@` the path of the
    /// first file that is written.
    pub item: &'static str,
}

/// A setting that keeps hooks from running.
pub struct Switch {
    /// The file, in the agent's folder unless it is absolute: JSON, or TOML if its name says so.
    pub file: &'static str,
    /// The keys that lead to the setting.
    pub at: &'static [&'static str],
    /// The value that switches hooks off.
    pub off: bool,
}

/// Where an agent keeps which hooks the person has trusted.
pub struct Trust {
    /// The file, in the agent's folder: TOML.
    pub file: &'static str,
    /// The keys that lead to the table.
    pub at: &'static [&'static str],
    /// What the person must do, as a sentence.
    pub help: &'static str,
}

/// How an agent runs what is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// `sh -c COMMAND`.
    Sh,
    /// `$SHELL -lc COMMAND`.
    LoginShell,
    /// The program itself, without a shell.
    Program,
}
