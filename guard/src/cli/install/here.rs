//! Where the agents of this person keep their settings, and which of them are there.

use super::super::hook::setup::{File, Folder, Setup};
use std::path::{Path, PathBuf};

/// For all projects, or for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The person's settings.
    User,
    /// The project's.
    Project,
}

impl Level {
    /// Both, in the order in which they are looked at.
    pub const BOTH: [Level; 2] = [Level::User, Level::Project];
}

/// The person's home directory and the project.
pub struct Here {
    home: Option<PathBuf>,
    /// The nearest directory that holds `.git`, or else the current one.
    pub root: PathBuf,
}

impl Here {
    /// As the environment and the current directory say it.
    pub fn of_environment() -> Result<Here, String> {
        let cwd = std::env::current_dir()
            .map_err(|error| format!("the current directory is not known: {error}"))?;
        let root = super::super::place::repository_above(&cwd).unwrap_or(cwd);
        Ok(Here { home: absolute("HOME"), root })
    }

    /// Where a file of an agent lies; `None` where the agent has none, or no home is known.
    pub fn file(&self, setup: &Setup, file: &File, level: Level) -> Option<PathBuf> {
        match level {
            Level::User => Some(self.folder(&setup.home)?.join(file.user)),
            Level::Project => Some(self.root.join(file.project?)),
        }
    }

    /// A folder of the person's.
    pub fn folder(&self, folder: &Folder) -> Option<PathBuf> {
        let named = folder.variable.and_then(absolute);
        let top = named.or_else(|| Some(self.home.as_ref()?.join(folder.otherwise)))?;
        Some(if folder.below.is_empty() { top } else { top.join(folder.below) })
    }

    /// What shows that the person has an agent: its program, or its folder.
    pub fn trace_of(&self, setup: &Setup) -> Option<PathBuf> {
        let folder = match (setup.mark, &self.home) {
            (Some(mark), Some(home)) => Some(home.join(mark)),
            (Some(_), None) => None,
            (None, _) => self.folder(&setup.home),
        };
        let program = || setup.programs.iter().find_map(|name| in_path(name));
        folder.filter(|folder| folder.is_dir()).or_else(program)
    }

    /// A path as a person writes it.
    pub fn shown(&self, path: &Path) -> String {
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        }
    }
}

/// The file that `PATH` has for a name.
pub fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).map(|directory| directory.join(name));
    candidates.filter(|candidate| candidate.is_absolute()).find(|candidate| candidate.is_file())
}

fn absolute(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    path.filter(|path| path.is_absolute())
}
