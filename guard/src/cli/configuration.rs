//! The files of the configuration: where they lie, whether they may be believed, and what they say
//! together. The library knows no files; all of them are read here.

use super::{trusted, worktrees};
use shfence::config::{Agent, Configuration, Layer, import};
use shfence::rules::{Date, Level};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The largest file that is read, in bytes.
const SIZE_MAX: u64 = 1 << 20;

/// The project's file, at its root.
pub const PROJECT_FILE: &str = ".shfence.toml";

/// Where this person keeps files.
#[derive(Clone, Debug, Default)]
pub struct Places {
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl Places {
    /// As the environment says it (XDG Base Directory Specification: what is not absolute is as
    /// good as not set).
    pub fn of_environment() -> Places {
        let absolute = |name| {
            let path = std::env::var_os(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let home = absolute("HOME");
        let below_home = |name: &str| home.as_ref().map(|home| home.join(name));
        let config = absolute("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
        let state = absolute("XDG_STATE_HOME").or_else(|| below_home(".local/state"));
        Places { home, config, state }
    }

    /// The person's configuration file.
    pub fn user_file(&self) -> Option<PathBuf> {
        self.config.as_ref().map(|config| config.join("shfence/config.toml"))
    }

    /// The directory in which agents' settings are kept as they were before a change.
    #[cfg(feature = "cli")]
    pub fn backups(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|state| state.join("shfence/backups"))
    }

    /// The directory in which copies of the trusted files lie.
    pub fn trusted(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|state| state.join("shfence/trusted"))
    }

    /// What is the guard's own: nothing that an agent runs changes it without a question.
    fn own(&self) -> Vec<PathBuf> {
        let directories = [&self.config, &self.state].into_iter().flatten();
        // The file may be a link to where a person keeps such files.
        directories.map(|it| it.join("shfence")).chain(self.user_file()).collect()
    }
}

/// The configuration that holds in projects with these roots.
pub fn load(places: &Places, roots: &[PathBuf]) -> Configuration {
    let mut layers = Vec::new();
    let mut imports: Vec<Agent> = Vec::new();
    if let Some(file) = places.user_file() {
        layers.extend(user_layer(&file));
        imports = layers.iter().flat_map(|layer| layer.imports().to_vec()).collect();
        for agent in &imports {
            for name in agent.user_files() {
                let file = places.home.as_ref().map(|home| home.join(name));
                layers.extend(file.and_then(|file| imported(*agent, Level::User, &file, places)));
            }
        }
    }
    for root in roots {
        let own = project_layer(&root.join(PROJECT_FILE), places);
        let mut agents = imports.clone();
        agents.extend(own.iter().flat_map(|layer| layer.imports().to_vec()));
        layers.extend(own);
        for (index, agent) in agents.iter().enumerate() {
            if agents[..index].contains(agent) {
                continue;
            }
            for name in agent.project_files() {
                layers.extend(imported(*agent, Level::Project, &root.join(name), places));
            }
        }
    }
    let mut configuration = Configuration::of(layers, Some(today()));
    configuration.policy.guarded = places.own();
    configuration
}

/// May configuration of a project stand in a file at this path?
#[cfg(feature = "cli")]
pub fn is_read_from(file: &Path) -> bool {
    let imports = Agent::ALL.iter().flat_map(|agent| agent.project_files());
    std::iter::once(&PROJECT_FILE).chain(imports).any(|name| file.ends_with(name))
}

/// One file as the person's configuration, and nothing else.
#[cfg(feature = "cli")]
pub fn load_only(file: &Path) -> Configuration {
    let missing = || Layer::unreadable(Level::User, file, "is not there");
    Configuration::of(vec![user_layer(file).unwrap_or_else(missing)], Some(today()))
}

/// The roots that a configuration adds to those of the project: all of them are directories.
pub fn more_roots(
    configuration: &mut Configuration,
    roots: &[PathBuf],
    places: &Places,
) -> Vec<PathBuf> {
    let mut more = Vec::new();
    let named = configuration.roots.iter().map(|root| (root, true));
    let scratch = configuration.scratch_roots.iter().map(|root| (root, false));
    for (named, wanted) in named.chain(scratch) {
        let root = match (named.strip_prefix("~"), &places.home, roots.first()) {
            (Ok(rest), Some(home), _) => home.join(rest),
            (Err(_), _, Some(project)) => project.join(named),
            _ => named.clone(),
        };
        // A directory that is not there may be a link when it is.
        if root.is_dir() && root.is_absolute() {
            more.push(root);
        } else if wanted {
            configuration.notes.push(format!("the root '{}' is no directory", root.display()));
        }
    }
    if configuration.worktrees {
        more.extend(roots.iter().flat_map(|root| worktrees::linked(root)));
    }
    more
}

fn user_layer(file: &Path) -> Option<Layer> {
    match read(file, Whose::Mine) {
        Ok(text) => text.map(|text| Layer::read(Level::User, file, &text)),
        Err(why) => Some(Layer::unreadable(Level::User, file, why)),
    }
}

fn project_layer(file: &Path, places: &Places) -> Option<Layer> {
    match read(file, Whose::Anybodys) {
        Ok(text) => text.map(|text| {
            let layer = Layer::read(Level::Project, file, &text);
            if trusted::is_trusted(places, file, &text) { layer.trusted() } else { layer }
        }),
        Err(why) => Some(Layer::unreadable(Level::Project, file, why)),
    }
}

fn imported(agent: Agent, level: Level, file: &Path, places: &Places) -> Option<Layer> {
    let whose = if level == Level::User { Whose::Mine } else { Whose::Anybodys };
    match read(file, whose) {
        Ok(text) => text.map(|text| {
            let layer = import(agent, level, file, &text);
            let trusted = level == Level::Project && trusted::is_trusted(places, file, &text);
            if trusted { layer.trusted() } else { layer }
        }),
        Err(why) => Some(Layer::unreadable(level, file, why)),
    }
}

/// Who may have written a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Nobody but this person, or the system's administrator.
    Mine,
    /// Anybody: it only tightens, unless its content is trusted.
    Anybodys,
}

/// The text of a file; nothing if there is none. The error says why it cannot be believed, as a
/// sentence without a full stop.
pub fn read(file: &Path, whose: Whose) -> Result<Option<String>, String> {
    let meta = match std::fs::symlink_metadata(file) {
        Err(error) if is_missing(&error) => return Ok(None),
        Ok(meta) if meta.is_symlink() => std::fs::metadata(file),
        meta => meta,
    };
    let meta = match meta {
        Ok(meta) => meta,
        Err(error) if is_missing(&error) => return Err("is a link that leads nowhere".to_owned()),
        Err(error) => return Err(format!("cannot be looked at: {error}")),
    };
    // What is no file may block whoever reads it.
    if !meta.is_file() {
        return Err("is no file".to_owned());
    }
    if whose == Whose::Mine {
        is_mine(&meta)?;
        if let Some(Ok(parent)) = file.parent().map(std::fs::metadata)
            && parent.mode() & 0o1002 == 0o002
        {
            return Err("stands in a directory that anybody may write: 'chmod o-w' it".to_owned());
        }
    }
    if meta.len() > SIZE_MAX {
        return Err(format!("is larger than {SIZE_MAX} bytes"));
    }
    // One byte more than there is: the end is found by the same read.
    let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
    let opened = std::fs::File::open(file);
    opened
        .and_then(|opened| opened.take(SIZE_MAX + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot be read: {error}"))?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("is no UTF-8 in line {line}")
    })
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Does this person, or the administrator, own it, and may nobody else write it?
fn is_mine(meta: &std::fs::Metadata) -> Result<(), String> {
    let owner = meta.uid();
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        return Err(format!("belongs to somebody else (user {owner}): 'chown' it, or remove it"));
    }
    match meta.mode() & 0o002 {
        0 => Ok(()),
        _ => Err("may be written by anybody: 'chmod o-w' it, and look at what it says".to_owned()),
    }
}

fn today() -> Date {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Date::of_unix_time(since.map_or(0, |since| since.as_secs()))
}
