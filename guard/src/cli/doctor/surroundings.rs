//! What lies around the hooks: the configuration, the environment, and the person's shell.

use super::super::configuration::{Places, load};
use super::super::install::command::words;
use super::process::run;
use super::report::Check;
use shfence::{
    Cwd, Decision, Dialects, Env, Invocation, Limits, PlanWord, Policy, RULED_OUT, RealView,
    Request, Scope, Verdict,
};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a person's shell may take to start: what it reads then is theirs.
const SHELL_LIMIT: Duration = Duration::from_secs(10);

/// Is what is configured readable, and does it hold?
pub fn configuration(root: &Path) -> Vec<Check> {
    let all = load(&Places::of_environment(), &[root.to_owned()]);
    let faults = all.faults.iter().map(|fault| {
        Check::bad(
            format!("every line asks: {fault}"),
            "Mend it; 'shfence rules' shows what holds.",
        )
    });
    let notes = all.notes.iter().map(Check::note);
    let mut checks: Vec<Check> = faults.chain(notes).collect();
    if checks.is_empty() {
        let rules = all.policy.rules.iter().count();
        checks.push(Check::good(format!("it can be read; rules that hold here: {rules}")));
    }
    checks
}

/// Does a variable of this environment make lines ask?
pub fn environment(root: &Path) -> Vec<Check> {
    let mut checks = Vec::new();
    let all = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
    for (name, value) in all.filter(|(name, _)| shfence::is_governing(name)) {
        let shown = String::from_utf8_lossy(&name).into_owned();
        if shown == "CDPATH" {
            let what =
                "CDPATH is set: 'cd x' may lead to one of its directories, so that more lines ask";
            checks.push(Check::note(what));
            continue;
        }
        let verdict = judged(b"pwd", root, &Env::from([(name, value)]));
        let objection = verdict.filter(|it| it.decision != Decision::Allow);
        if let Some(reason) = objection.and_then(|it| it.reasons.into_iter().next()) {
            let help = format!("Unset {shown} where the agent is started.");
            checks.push(Check::bad(format!("every line asks: {}", reason.note), help));
        }
    }
    if checks.is_empty() {
        checks.push(Check::good("no variable changes what lines do"));
    }
    checks
}

/// What the guard says of a line in a project, whatever is configured.
fn judged(line: &[u8], root: &Path, env: &Env) -> Option<Verdict> {
    let scope = Scope::new(&[root.to_owned()], &RealView).ok()?;
    let request = Request {
        line,
        cwd: Cwd { dir: root, pwd: Some(root) },
        scope: &scope,
        home: None,
        env,
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    Some(shfence::decide(&request, &RealView))
}

/// What bash is asked, with the beginnings of its answers.
const ASK_BASH: &str = "builtin printf '\\nshfence:aliases\\n'; builtin alias; \
    builtin printf '\\nshfence:functions\\n'; builtin compgen -A function; \
    builtin printf '\\nshfence:options\\n'; builtin shopt; builtin set -o; \
    builtin printf '\\nshfence:end\\n'";

/// What zsh is asked.
const ASK_ZSH: &str = "builtin print -r -- '\nshfence:aliases'; builtin alias -L; \
    builtin print -r -- '\nshfence:functions'; builtin print -rl -- ${(k)functions}; \
    builtin print -r -- '\nshfence:options'; builtin setopt; \
    builtin print -r -- '\nshfence:end'";

/// Does the person's own shell, as they use it, do what the guard takes it to do?
pub fn shell(root: &Path) -> Vec<Check> {
    let Some(shell) = std::env::var_os("SHELL").map(PathBuf::from) else {
        return vec![Check::note("SHELL is not set: the person's shell was not asked")];
    };
    let name = shell.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let asks = match &*name {
        "bash" => ASK_BASH,
        "zsh" => ASK_ZSH,
        "sh" | "dash" | "ash" => {
            return vec![Check::good(format!("{name} has no options that matter"))];
        }
        _ => {
            let what = "lines are read as bash, sh and zsh do: see that agents run one of these";
            return vec![Check::note(format!("the person's shell is {name}; {what}"))];
        }
    };
    let mut command = Command::new(&shell);
    command.arg("-ic").arg(asks).current_dir(root);
    let answer = match run(command, "", SHELL_LIMIT) {
        Ok(ended) => ended.stdout,
        Err(what) => return vec![Check::note(format!("{name} was not asked: it {what}"))],
    };
    let part = |from: &str, to: &str| {
        let rest = answer.split_once(&format!("\nshfence:{from}\n"))?.1;
        Some(rest.split_once(&format!("\nshfence:{to}\n"))?.0)
    };
    let (Some(aliases), Some(functions), Some(options)) =
        (part("aliases", "functions"), part("functions", "options"), part("options", "end"))
    else {
        return vec![Check::note(format!("{name} did not answer what it has set"))];
    };
    let mut checks = aliases_over_verbs(aliases, root);
    checks.extend(functions_over_verbs(functions));
    checks.extend(ruled_out(&name, options));
    if checks.is_empty() {
        let what = "no alias, function or option changes what lines do";
        checks.push(Check::good(format!("{name}: {what}")));
    } else {
        let what = "agents that run lines in a shell with your settings run them so";
        checks.push(Check::note(format!("{what}; others do not read these")));
    }
    checks
}

/// An alias that only adds options that the verb is declared with stands for nothing else.
fn aliases_over_verbs(aliases: &str, root: &Path) -> Vec<Check> {
    let mut checks = Vec::new();
    for line in aliases.lines() {
        let words = words(line);
        let is_global = words.get(1).is_some_and(|word| word == "-g");
        let Some((name, value)) = words.last().and_then(|word| word.split_once('=')) else {
            continue;
        };
        if is_global {
            let what = format!("the global alias '{name}' stands for '{value}' anywhere in a line");
            checks.push(Check::note(what));
        } else if shfence::declares(name.as_bytes()) && !is_same_verb(name, value, root) {
            checks.push(Check::note(format!("the alias '{name}' stands for '{value}'")));
        }
    }
    checks
}

fn is_same_verb(name: &str, value: &str, root: &Path) -> bool {
    let verdict = judged(value.as_bytes(), root, &Env::new());
    let Some(verdict) = verdict.filter(|it| it.decision == Decision::Allow) else { return false };
    let Ok(plan) = &verdict.plan else { return false };
    let [segment] = &plan.segments[..] else { return false };
    matches!(segment.argv.first(), Some(PlanWord::Is(verb)) if verb[..] == *name.as_bytes())
}

fn functions_over_verbs(functions: &str) -> Vec<Check> {
    let declared = |name: &&str| shfence::declares(name.as_bytes());
    let functions = functions.lines().map(str::trim).filter(declared);
    functions
        .map(|name| Check::note(format!("the function '{name}' runs instead of '{name}'")))
        .collect()
}

/// The options that are set and must not be. zsh lists those that are not as by default, in its own
/// spelling; bash lists all.
fn ruled_out(shell: &str, options: &str) -> Vec<Check> {
    let plain = |name: &str| name.to_lowercase().replace('_', "");
    let is_set = |option: &str| {
        options.lines().any(|line| {
            let mut words = line.split_whitespace();
            let named = words.next().is_some_and(|name| plain(name) == plain(option));
            named && words.next().is_none_or(|state| state == "on")
        })
    };
    let all = RULED_OUT.iter().filter(|it| it.shell == shell && is_set(it.option));
    all.map(|it| Check::note(format!("the option {} is set: {}", it.option, it.why))).collect()
}
