//! The hooks that are installed: what stands in the agents' settings, and whether it can work.

use super::super::configuration::{Whose, read};
use super::super::hook::setup::{Entry, File, Holds, MARKER, Switch};
use super::super::hook::{AGENTS, Agent};
use super::super::install::command::{Command, quoted, words, words_of};
use super::super::install::entries::{Wanted, json_of};
use super::super::install::here::{Here, Level};
use super::canary::{Scratch, fire};
use super::report::Check;
use super::{entry, program, trust};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A command line that runs our hook.
struct Installed {
    /// What the agent runs.
    line: String,
    /// Its words, of the program that it leads to.
    words: Vec<String>,
}

/// What is found of an agent.
#[derive(Default)]
struct Found {
    hooks: Vec<Installed>,
    checks: Vec<Check>,
}

/// All that can be said of an agent; nothing, if there is no hook.
pub fn of(agent: &Agent, here: &Here, scratch: &Scratch) -> Vec<Check> {
    let [user, project] = Level::BOTH.map(|level| at(agent, here, level));
    let twice = !user.hooks.is_empty() && !project.hooks.is_empty();
    let mut checks: Vec<Check> = user.checks.into_iter().chain(project.checks).collect();
    if checks.is_empty() {
        return checks;
    }
    if twice {
        let what = "the hook is in the person's settings and in the project's: it is asked twice";
        checks.push(Check::note(what));
    }
    let mut lines = BTreeSet::new();
    for hook in user.hooks.iter().chain(&project.hooks).filter(|hook| lines.insert(&hook.line)) {
        let program = program::check(agent, &hook.line, &hook.words, here);
        let works = program.is_good();
        checks.push(program);
        if works {
            checks.push(fire(agent, &hook.line, &words_of(&hook.line, agent.name), scratch));
        }
    }
    let switches = agent.setup.switches.iter();
    checks.extend(switches.filter_map(|switch| switched_off(agent, switch, here)));
    let failing = agent.setup.failing;
    checks.push(Check::note(format!("if the hook dies, hangs or is missing: {failing}")));
    checks.extend(agent.setup.limits.map(Check::note));
    checks
}

/// What the files of one level hold.
fn at(agent: &Agent, here: &Here, level: Level) -> Found {
    let mut all = Found::default();
    let files = agent.setup.files;
    let has_settings = files.iter().any(|it| matches!(it.holds, Holds::Entries { .. }));
    for file in files {
        let Some(path) = here.file(agent.setup, file, level) else { continue };
        let found = match read(&path, Whose::Anybodys) {
            Ok(Some(text)) => match file.holds {
                Holds::Entries { entries, .. } => {
                    in_settings(agent, here, (&path, entries), &text, level)
                }
                // Beside settings it is what they name.
                Holds::Text { .. } if has_settings || !text.contains(MARKER) => continue,
                Holds::Text { .. } => {
                    let hooks = of_own_file(&path, &text).into_iter().collect();
                    Ok(Found { hooks, checks: Vec::new() })
                }
            },
            Ok(None) => continue,
            Err(why) => Err(format!("it {why}")),
        };
        let shown = here.shown(&path);
        match found {
            Ok(found) if found.hooks.is_empty() => {
                all.checks.extend(others_hook(agent, file, &path, &shown));
            }
            Ok(found) => {
                all.checks.push(Check::good(format!("the hook is in {shown}")));
                all.checks.extend(open_to_all(&path, &shown));
                all.checks.extend(found.checks);
                all.hooks.extend(found.hooks);
            }
            Err(what) => {
                let help = "Mend that place: the agent may not read the file either.";
                all.checks.push(Check::bad(format!("{shown}: {what}"), help));
            }
        }
    }
    all
}

/// The hook of another agent, which does not understand this one's requests.
fn others_hook(agent: &Agent, file: &File, path: &Path, shown: &str) -> Option<Check> {
    let Holds::Entries { entries, .. } = file.holds else { return None };
    let text = read(path, Whose::Anybodys).ok().flatten()?;
    let holds = |name: &str| {
        let command = Command::new("shfence", name, &[]);
        let wanted = Wanted { agent: name, entries, version: None, command: &command, file: "" };
        wanted.found(&text).is_ok_and(|found| !found.is_empty())
    };
    let other = AGENTS.iter().find(|other| other.name != agent.name && holds(other.name))?;
    let what = format!("{shown} runs 'shfence hook {}', which is another agent's", other.name);
    Some(Check::bad(what, format!("Take it out, and 'shfence install {}'.", agent.name)))
}

/// May anybody write what says that there is a hook?
fn open_to_all(path: &Path, shown: &str) -> Option<Check> {
    let may_write = |path: &Path| {
        let mode = path.metadata().map_or(0, |meta| meta.mode());
        mode & 0o002 != 0 && mode & 0o1000 == 0
    };
    let folder = path.parent()?;
    let which = [path, folder].into_iter().find(|path| may_write(path))?;
    let what = format!("anybody may write {shown}, and take the hook out");
    Some(Check::bad(what, format!("chmod o-w {}", which.display())))
}

/// What settings hold. The error is a sentence that begins with "it".
fn in_settings(
    agent: &Agent,
    here: &Here,
    (file, entries): (&Path, &[Entry]),
    text: &str,
    level: Level,
) -> Result<Found, String> {
    let command = Command::new("shfence", agent.name, &[]);
    let wanted = Wanted { agent: agent.name, entries, version: None, command: &command, file: "" };
    let found = wanted.found(text)?;
    let mut checks = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        match found.iter().find(|it| it.entry == index) {
            Some(hook) => {
                checks.extend(entry::check(agent, entry, hook));
                let trust = agent.setup.trust.as_ref();
                checks.extend(trust.and_then(|trust| {
                    let settings = here.folder(&agent.setup.home)?.join(trust.file);
                    Some(trust::check(trust, &settings, file, entry, hook))
                }));
            }
            None => {
                let event = entry.at.last().copied().unwrap_or_default();
                let project = if level == Level::Project { "--project " } else { "" };
                let help = format!("shfence install {project}{} adds it.", agent.name);
                checks.push(Check::bad(format!("there is none for {event}"), help));
            }
        }
    }
    let hooks = found.into_iter().map(|it| installed(agent, it.line)).collect();
    Ok(Found { hooks, checks })
}

/// What stands in settings may lead to a program of ours that runs the guard.
fn installed(agent: &Agent, line: String) -> Installed {
    let own = words_of(&line, agent.name);
    let behind = match &own[..] {
        [only] => read(Path::new(only), Whose::Anybodys).ok().flatten(),
        _ => None,
    };
    let words = behind.and_then(|text| exec_of(&text)).unwrap_or(own);
    Installed { line, words }
}

/// The hook in a file that is ours alone: a program, or a plugin that runs one.
fn of_own_file(path: &Path, text: &str) -> Option<Installed> {
    if let Some(words) = exec_of(text) {
        return Some(Installed { line: quoted(path.to_str()?), words });
    }
    let argv = text.lines().find_map(|line| line.split_once("] = ["))?.1;
    let words: Vec<String> = serde_json::from_str(&format!("[{argv}")).ok()?;
    let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Some(Installed { line: line.join(" "), words })
}

/// The words that a script of ours becomes.
fn exec_of(text: &str) -> Option<Vec<String>> {
    let line = text.contains(MARKER).then(|| text.lines().find_map(|it| it.strip_prefix("exec ")));
    line.flatten().map(words)
}

/// A setting of the person or of the project that keeps the agent's hooks from running.
fn switched_off(agent: &Agent, switch: &Switch, here: &Here) -> Option<Check> {
    let user = here.folder(&agent.setup.home).map(|folder| folder.join(switch.file));
    let in_project =
        agent.setup.files.iter().filter_map(|file| here.file(agent.setup, file, Level::Project));
    let in_project: Vec<PathBuf> =
        in_project.flat_map(|path| [path.with_file_name(switch.file), path]).collect();
    // A file with an absolute name is the administrator's.
    let path = user.into_iter().chain(in_project).find(|path| {
        let text = read(path, Whose::Anybodys).ok().flatten().unwrap_or_default();
        let value = match switch.file.ends_with(".toml") {
            true => toml::from_str::<Value>(&text).unwrap_or_default(),
            false => json_of(&text),
        };
        let pointer: String = switch.at.iter().map(|key| format!("/{key}")).collect();
        value.pointer(&pointer) == Some(&Value::Bool(switch.off))
    })?;
    let setting = format!("{} = {}", switch.at.join("."), switch.off);
    let what = format!("{} says {setting}: no hook runs", here.shown(&path));
    Some(Check::bad(what, "Remove that setting."))
}
