//! The hooks that are installed: what stands in the agents' settings, and whether it can work.

use super::super::configuration::{Whose, read};
use super::super::hook::Agent;
use super::super::hook::setup::{Entry, Holds, MARKER, Switch};
use super::super::install::command::{Command, program_of, quoted, words};
use super::super::install::entries::{Wanted, json_of};
use super::super::install::here::{Here, Level};
use super::canary::{Scratch, fire};
use super::process::run;
use super::report::Check;
use serde_json::Value;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(4);

/// A command line that runs our hook.
struct Installed {
    /// What the agent runs.
    line: String,
    /// Its words, of the program that it leads to.
    words: Vec<String>,
}

/// All that can be said of an agent; nothing, if there is no hook.
pub fn of(agent: &Agent, here: &Here, scratch: &Scratch) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut hooks: Vec<Installed> = Vec::new();
    let mut levels = 0;
    for level in Level::BOTH {
        let (found, said) = at(agent, here, level);
        levels += usize::from(!found.is_empty());
        checks.extend(said);
        hooks.extend(found);
    }
    if checks.is_empty() {
        return checks;
    }
    if levels > 1 {
        checks.push(Check::note(
            "the hook is in the person's settings and in the project's: it is asked twice",
        ));
    }
    hooks.dedup_by(|one, other| one.line == other.line);
    for hook in &hooks {
        let program = program(agent, hook, here);
        let works = program.is_good();
        checks.push(program);
        if works {
            checks.push(fire(agent, &hook.line, &words(&hook.line), scratch));
        }
    }
    checks
        .extend(agent.setup.switches.iter().filter_map(|switch| switched_off(agent, switch, here)));
    checks.extend(agent.setup.limits.map(Check::note));
    checks
}

/// The hooks of one level, and what is to be said of their files.
fn at(agent: &Agent, here: &Here, level: Level) -> (Vec<Installed>, Vec<Check>) {
    let (mut hooks, mut checks) = (Vec::new(), Vec::new());
    let help = || match level {
        Level::User => format!("shfence install {}", agent.name),
        Level::Project => format!("shfence install --project {}", agent.name),
    };
    let is_only_text =
        !agent.setup.files.iter().any(|it| matches!(it.holds, Holds::Entries { .. }));
    for file in agent.setup.files {
        let Some(path) = here.file(agent.setup, file, level) else { continue };
        let shown = here.shown(&path);
        let text = match read(&path, Whose::Anybodys) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(why) => {
                checks.push(Check::bad(
                    format!("{shown} {why}"),
                    "The agent may not read it either.",
                ));
                continue;
            }
        };
        match file.holds {
            Holds::Text { .. } if !text.contains(MARKER) => {}
            Holds::Text { .. } if is_only_text => {
                checks.push(Check::good(format!("the hook is in {shown}")));
                hooks.extend(of_own_file(&path, &text));
            }
            Holds::Text { .. } => {}
            Holds::Entries { version, entries } => {
                let command = Command::new("shfence", agent.name, &[]);
                let wanted =
                    Wanted { agent: agent.name, entries, version, command: &command, file: "" };
                match wanted.found(&text) {
                    Ok(found) if found.is_empty() => {}
                    Ok(found) => {
                        checks.push(Check::good(format!("the hook is in {shown}")));
                        for (index, entry) in entries.iter().enumerate() {
                            let mut of_entry = found.iter().filter(|it| it.entry == index);
                            let Some(hook) = of_entry.next() else {
                                let event = entry.at.last().copied().unwrap_or_default();
                                checks
                                    .push(Check::bad(format!("there is none for {event}"), help()));
                                continue;
                            };
                            checks.extend(differences(entry, &hook.item, hook.others));
                        }
                        hooks.extend(found.into_iter().map(|it| installed(it.line)));
                    }
                    Err(what) => {
                        checks.push(Check::bad(
                            format!("{shown}: {what}"),
                            "The agent may not read it either.",
                        ));
                    }
                }
            }
        }
    }
    (hooks, checks)
}

/// What stands in settings may lead to a program of ours that runs the guard.
fn installed(line: String) -> Installed {
    let own = words(&line);
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

/// What the entry says otherwise than it would be written, and what stands beside it.
fn differences(entry: &Entry, item: &Value, others: usize) -> Vec<Check> {
    let wanted = json_of(entry.item);
    let mut checks = Vec::new();
    if item.get("matcher") != wanted.get("matcher") {
        let shown = |matcher: Option<&Value>| matcher.map_or("none".to_owned(), Value::to_string);
        let (is, written) = (shown(item.get("matcher")), shown(wanted.get("matcher")));
        checks.push(Check::note(format!("its matcher is {is}; install writes {written}")));
    }
    if others > 0 {
        let event = entry.at.last().copied().unwrap_or_default();
        let what = "what they refuse is refused, whatever shfence answers";
        checks.push(Check::note(format!("other hooks of {event}: {others}; {what}")));
    }
    checks
}

/// Is the guard's program there, of this version, and nobody else's to change?
fn program(agent: &Agent, hook: &Installed, here: &Here) -> Check {
    let help = format!("shfence install {} writes where it is now.", agent.name);
    let Some(path) = program_of(&hook.words, agent.name).map(|at| PathBuf::from(&hook.words[at]))
    else {
        return Check::bad(format!("'{}' does not run this agent's hook", hook.line), help);
    };
    let shown = path.display();
    if !path.is_absolute() {
        let what =
            format!("'{shown}' is not absolute: an agent with another PATH does not find it");
        return Check::bad(what, help);
    }
    let (there, meta) =
        match path.canonicalize().and_then(|there| Ok((there.clone(), there.metadata()?))) {
            Ok(there) => there,
            Err(error) => {
                return Check::bad(format!("the program {shown} is not there: {error}"), help);
            }
        };
    if meta.mode() & 0o002 != 0 {
        let help = format!("chmod o-w {}", there.display());
        return Check::bad(format!("anybody may write the program {shown}"), help);
    }
    if there.starts_with(&here.root) {
        let what = format!("the program {shown} lies in the project, where an agent may change it");
        return Check::bad(what, "Install it elsewhere, and its hook again.");
    }
    if std::env::current_exe().and_then(|own| own.canonicalize()).is_ok_and(|own| own == there) {
        return Check::good(format!("it runs this program, {shown}"));
    }
    let mut asked = std::process::Command::new(&path);
    asked.arg("--version");
    match run(asked, "", VERSION_LIMIT) {
        Ok(ended) if ended.stdout.trim() == concat!("shfence ", env!("CARGO_PKG_VERSION")) => {
            Check::good(format!("it runs {shown}, of this version"))
        }
        Ok(ended) => {
            let version = ended.stdout.trim();
            Check::bad(format!("it runs {shown}, which is another version: {version}"), help)
        }
        Err(what) => Check::bad(format!("the program {shown} {what}"), help),
    }
}

/// A setting of the person or of the project that keeps the agent's hooks from running.
fn switched_off(agent: &Agent, switch: &Switch, here: &Here) -> Option<Check> {
    let user = here.folder(&agent.setup.home).map(|folder| folder.join(switch.file));
    let in_project =
        agent.setup.files.iter().filter_map(|file| here.file(agent.setup, file, Level::Project));
    let in_project: Vec<PathBuf> =
        in_project.flat_map(|path| [path.with_file_name(switch.file), path]).collect();
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
