//! The guard's program that a hook runs.

use super::super::hook::Agent;
use super::super::install::command::program_of;
use super::super::install::here::Here;
use super::process::run;
use super::report::Check;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long a program may take to say its version.
const LIMIT: Duration = Duration::from_secs(4);

/// Is the guard's program there, of this version, and nobody else's to change?
///
/// `line` is what the agent runs, `words` are the words of the program that it leads to.
pub fn check(agent: &Agent, line: &str, words: &[String], here: &Here) -> Check {
    let help = format!("shfence install {} writes where it is now.", agent.name);
    let Some(path) = program_of(words, agent.name).map(|at| Path::new(&words[at])) else {
        return Check::bad(format!("'{line}' does not run this agent's hook"), help);
    };
    let shown = path.display();
    if !path.is_absolute() {
        let what = "is not absolute: an agent with another PATH does not find it";
        return Check::bad(format!("'{shown}' {what}"), help);
    }
    let found = path.canonicalize().and_then(|there| Ok((there.metadata()?, there)));
    let (meta, there) = match found {
        Ok(found) => found,
        Err(error) => {
            return Check::bad(format!("the program {shown} is not there: {error}"), help);
        }
    };
    let folder = there.parent().unwrap_or(&there);
    let of_folder = folder.metadata().map_or(0, |meta| meta.mode());
    // In a sticky directory only the owner of a file replaces it.
    let is_open = of_folder & 0o002 != 0 && of_folder & 0o1000 == 0;
    if is_open || meta.mode() & 0o002 != 0 {
        let which = if is_open { folder } else { &there };
        let help = format!("chmod o-w {}", which.display());
        return Check::bad(format!("anybody may write the program {shown}"), help);
    }
    if there.starts_with(&here.root) {
        let what = format!("the program {shown} lies in the project, where an agent may change it");
        return Check::bad(what, "Install it elsewhere, and its hook again.");
    }
    if std::env::current_exe().and_then(|own| own.canonicalize()).is_ok_and(|own| own == there) {
        return Check::good(format!("it runs this program, {shown}"));
    }
    of_version(path).unwrap_or_else(|what| Check::bad(what, help))
}

/// What a program says of its version.
fn of_version(path: &Path) -> Result<Check, String> {
    let shown = path.display();
    let mut command = Command::new(path);
    command.arg("--version");
    let ended = run(command, "", LIMIT).map_err(|what| format!("the program {shown} {what}"))?;
    match ended.stdout.trim() {
        concat!("shfence ", env!("CARGO_PKG_VERSION")) => {
            Ok(Check::good(format!("it runs {shown}, of this version")))
        }
        other => Err(format!("it runs {shown}, which is another version: {other}")),
    }
}
