//! What becomes of one file: worked out first, shown or written then.

use super::super::configuration::{Places, Whose, read};
use super::super::hook::setup::{File, Holds, MARKER, Setup};
use super::super::keeping;
use super::command::Command;
use super::entries::Wanted;
use super::here::{Here, Level};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Installing or uninstalling.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The hook is to be there.
    Install,
    /// It is not to be there.
    Uninstall,
}

/// A file, as it is and as it is to be.
pub struct Change {
    /// Where it lies.
    pub path: PathBuf,
    /// What it says; `None` if it is not there.
    pub old: Option<String>,
    /// What it is to say; `None` if it is not to be there.
    pub new: Option<String>,
    /// Its mode, if it is new.
    mode: u32,
    /// How many directories above it may be removed when they are empty.
    own_directories: usize,
    /// Is it, as it is, what installing would write? Then nothing is lost with it.
    is_as_made: bool,
}

/// The changes of all files of an agent. The error says which file does not allow it, and why, as
/// a sentence without a full stop.
pub fn changes(
    task: Task,
    (agent, setup): (&str, &Setup),
    here: &Here,
    level: Level,
    command: &Command,
) -> Result<Vec<Change>, String> {
    let files = setup.files.iter().filter_map(|file| Some((file, here.file(setup, file, level)?)));
    let files: Vec<(&File, PathBuf)> = files.collect();
    let Some((_, first)) = files.first() else { return Ok(Vec::new()) };
    let first =
        first.to_str().ok_or_else(|| format!("{} is no UTF-8", first.display()))?.to_owned();
    let mut changes = Vec::new();
    for (file, path) in files {
        let says = |what: String| format!("{}: {what}", here.shown(&path));
        let old = read(&path, Whose::Anybodys).map_err(|what| says(format!("it {what}")))?;
        let (new, is_as_made) = match &file.holds {
            Holds::Entries { version, entries } => {
                let version = *version;
                let wanted = Wanted { agent, entries, version, command, file: &first };
                let new = match (task, &old) {
                    (Task::Install, old) => wanted.installed(old.as_deref()).map(Some),
                    (Task::Uninstall, Some(old)) => wanted.uninstalled(old),
                    (Task::Uninstall, None) => Ok(None),
                };
                let new = new.map_err(says)?;
                let is_gone = new.is_none();
                (new, is_gone)
            }
            Holds::Text { text, .. } => {
                let text = written(text, command);
                let is_as_made = old.as_ref() == Some(&text);
                (own_file(task, old.as_deref(), text).map_err(says)?, is_as_made)
            }
        };
        let mode = mode(level, &file.holds);
        let name = if level == Level::User { file.user } else { file.project.unwrap_or_default() };
        let is_own_folder = level == Level::User && setup.home.otherwise.ends_with("shfence");
        let own_directories = name.matches('/').count() + usize::from(is_own_folder);
        changes.push(Change { path, old, new, mode, own_directories, is_as_made });
    }
    Ok(changes)
}

/// The mode of a new file.
fn mode(level: Level, holds: &Holds) -> u32 {
    match (level, matches!(holds, Holds::Text { executable: true, .. })) {
        (Level::User, true) => 0o700,
        (Level::User, false) => 0o600,
        (Level::Project, true) => 0o755,
        (Level::Project, false) => 0o644,
    }
}

/// The text of a file that is ours alone.
fn written(text: &str, command: &Command) -> String {
    text.replace("@COMMAND@", &command.line()).replace("@ARGV@", &command.argv())
}

fn own_file(task: Task, old: Option<&str>, text: String) -> Result<Option<String>, String> {
    let is_ours = old.is_none_or(|old| old.contains(MARKER));
    match task {
        Task::Install if is_ours => Ok(Some(text)),
        Task::Install => {
            let what = "it is there already and is not ours: move it away, or have it run the hook";
            Err(what.to_owned())
        }
        Task::Uninstall if is_ours => Ok(None),
        Task::Uninstall => Ok(old.map(str::to_owned)),
    }
}

impl Change {
    /// Is there anything to do?
    pub fn is_none(&self) -> bool {
        self.old == self.new
    }

    /// Does it. What was there is kept first; says where. A file that has changed since it was read
    /// is left alone.
    pub fn apply(&self, places: &Places) -> Result<Option<PathBuf>, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.path.display());
        let now = read(&self.path, Whose::Anybodys)?;
        if now != self.old {
            let path = self.path.display();
            return Err(format!("{path}: somebody else has just changed it; nothing is written"));
        }
        let kept = match &self.old {
            Some(old) if !self.is_as_made => keep(places, &self.path, old).map_err(failed)?,
            _ => None,
        };
        match &self.new {
            Some(new) => self.write(new).map_err(failed)?,
            None => self.remove().map_err(failed)?,
        }
        Ok(kept)
    }

    fn write(&self, text: &str) -> std::io::Result<()> {
        let old = std::fs::metadata(&self.path).map(|meta| meta.permissions().mode() & 0o7777);
        let mode = old.unwrap_or(self.mode);
        if let Some(directory) = self.path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        keeping::replace(&self.path, text, mode)?;
        // The mask of this process must not take away what was there.
        std::fs::set_permissions(&self.path, std::fs::Permissions::from_mode(mode))
    }

    fn remove(&self) -> std::io::Result<()> {
        std::fs::remove_file(&self.path)?;
        let above = self.path.ancestors().skip(1).take(self.own_directories);
        // A directory that holds something else stays.
        above.take_while(|directory| std::fs::remove_dir(directory).is_ok()).for_each(drop);
        Ok(())
    }
}

/// Keeps what a file says in the person's state directory, under the path of the file.
fn keep(places: &Places, file: &Path, text: &str) -> std::io::Result<Option<PathBuf>> {
    let Some(directory) = places.backups() else { return Ok(None) };
    let file = file.canonicalize()?;
    let copy = directory.join(file.strip_prefix("/").unwrap_or(&file));
    keeping::write_for_owner(&copy, text)?;
    Ok(Some(copy))
}
