//! A line of an agent → a verdict, and the sentence that the agent is told.

use super::super::configuration::{Places, load, more_roots};
use super::super::telling::{instead_of, visible};
use super::agent::{Agent, Line};
use super::place;
use shfence::config::Configuration;
use shfence::{Code, Cwd, Decision, FsView, Glance, Limits, Reason, Request, Verdict, decide_on};
use std::path::PathBuf;

/// What came of a line.
pub enum Judged {
    /// This verdict, under what is configured.
    Verdict(Box<Verdict>, Box<Configuration>),
    /// It could not be judged: why, as a sentence without a full stop.
    Failed(String),
}

/// Judges a line in the place that the agent will run it in. `roots` are those that the person who
/// set up the hook names: they go before all others.
pub fn judge(agent: &Agent, line: &Line, roots: &[PathBuf], view: &dyn FsView) -> Judged {
    match verdict(agent, line, roots, view) {
        Ok((verdict, configuration)) => Judged::Verdict(Box::new(verdict), Box::new(configuration)),
        Err(what) => Judged::Failed(what),
    }
}

/// What is said of a line that is relative to a directory that nobody knows.
const NOWHERE: &str = "it is not known in which directory the line runs; one that begins with \
                       'cd /DIRECTORY &&' says so itself";

fn verdict(
    agent: &Agent,
    line: &Line,
    roots: &[PathBuf],
    view: &dyn FsView,
) -> Result<(Verdict, Configuration), String> {
    let absolute = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_absolute());
    let cwd = absolute(&line.cwd);
    let near = cwd.clone().or(absolute(&line.session));
    let known = match (roots, project(agent), &line.roots[..]) {
        ([_, ..], ..) => Some(roots.to_vec()),
        (_, Some(project), _) => Some(vec![project]),
        (.., [_, ..]) => Some(line.roots.clone()),
        _ => near.as_deref().and_then(place::repository_above).map(|repository| vec![repository]),
    };
    let is_known = known.is_some();
    // Without any, the project would be whatever directory the agent happens to be in: that is
    // enough to see what is denied.
    let mut roots = known.or(near.map(|near| vec![near])).ok_or(NOWHERE)?;
    let places = Places::of_environment();
    let mut configuration = load(&places, &roots);
    roots.extend(more_roots(&mut configuration, &roots, &places));
    let glance = Glance::at(view);
    let scope = glance.scope(&roots).map_err(|error| error.to_string())?;
    let cwd = cwd.unwrap_or_default();
    let pwd = place::pwd_of(&cwd, |path| glance.directory(path));
    let env = place::seen_env(&configuration.policy);
    let decide_as = |invocation| {
        let request = Request {
            line: line.command.as_bytes(),
            cwd: Cwd { dir: &cwd, pwd: pwd.as_deref() },
            scope: &scope,
            home: None,
            env: &env,
            dialects: configuration.shells.unwrap_or(agent.shells),
            invocation,
            policy: &configuration.policy,
            limits: Limits::default(),
        };
        decide_on(&request, &glance)
    };
    let mut verdicts = agent.invocations.iter().map(|invocation| decide_as(*invocation));
    let first = verdicts.next().ok_or("no way to the shell is known")?;
    // What an agent's way to the shell may change is allowed only if no way changes it.
    let mut worst = verdicts.fold(first, |worst, next| match worst.decision >= next.decision {
        true => worst,
        false => next,
    });
    if cwd.as_os_str().is_empty() {
        let of_place = |reason: &&mut Reason| reason.code == Code::CwdUnknown;
        worst.reasons.iter_mut().filter(of_place).for_each(|it| it.note = NOWHERE.to_owned());
    }
    match is_known || worst.decision == Decision::Deny {
        true => Ok((worst, configuration)),
        false => Err(format!(
            "no project is known: there is no .git at or above {}, and the agent names none",
            roots[0].display()
        )),
    }
}

/// The project's directory, as the agent's own variable has it.
fn project(agent: &Agent) -> Option<PathBuf> {
    let named = std::env::var_os(agent.project?).map(PathBuf::from);
    named.filter(|project| !project.as_os_str().is_empty())
}

/// What an agent is told of a decision.
#[derive(Default)]
pub struct Told {
    /// Why it is so, as a sentence without a full stop.
    pub why: String,
    /// What can be written instead, likewise.
    pub instead: Option<&'static str>,
}

impl From<&str> for Told {
    fn from(why: &str) -> Told {
        Told { why: why.to_owned(), instead: None }
    }
}

/// Why the verdict is as it is: the first reason, the rules that opened something, and what is
/// wrong with the configuration.
pub fn reason(line: &[u8], verdict: &Verdict, configuration: &Configuration) -> Told {
    let mut instead = None;
    let mut why = match (verdict.decision, &verdict.root, verdict.reasons.first()) {
        (Decision::Allow, Some(root), _) => format!("stays within {root}"),
        (Decision::Allow, None, _) => "touches nothing".to_owned(),
        (_, _, Some(reason)) => {
            instead = instead_of(reason.code).filter(|_| reason.note != NOWHERE);
            named(line, reason)
        }
        (_, _, None) => "no reason was given".to_owned(),
    };
    for rule in verdict.rules.iter().filter(|_| verdict.decision == Decision::Allow) {
        why.push_str(&format!("; by the rule {rule}"));
    }
    for note in configuration.notes.iter().filter(|_| verdict.decision != Decision::Allow) {
        why.push_str(&format!("; {note}"));
    }
    Told { why, instead }
}

/// The reason with the part of the line that it is about, unless it names that itself.
fn named(line: &[u8], reason: &Reason) -> String {
    let note = &reason.note;
    let about_all = matches!(
        reason.code,
        Code::Environment | Code::Configuration | Code::BadStart | Code::DenyRule | Code::AskRule
    );
    let [start, end] = [reason.span.start, reason.span.end].map(|at| at as usize);
    let rest = line.get(start..).unwrap_or_default();
    // Of a mark at which reading stopped, the word that begins there.
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || b";|&()".contains(byte);
    let word = rest.iter().skip(1).position(is_blank).map_or(rest.len(), |at| at + 1);
    let part = &rest[..rest.len().min(end.saturating_sub(start).max(word))];
    let part = String::from_utf8_lossy(part);
    let part = part.trim();
    let quoted = note.strip_prefix('\'').and_then(|rest| rest.split('\'').next());
    let names_it = note.contains(part) || quoted.is_some_and(|it| part.contains(it));
    if about_all || note == NOWHERE || part.is_empty() || names_it {
        return note.clone();
    }
    let shown: String = part.chars().take(PART_MAX).collect();
    let more = if shown.len() < part.len() { "…" } else { "" };
    format!("'{shown}{more}': {note}")
}

/// How much of a line's part is told, in characters.
const PART_MAX: usize = 60;

/// How much of a reason is told, in bytes. Some agents cut longer answers, and break them by it.
const TOLD_MAX: usize = 700;

/// The reason as the agent gets it. What is denied goes to a model, which is told what to do and
/// what not; a terminal may show it, and must not obey it.
pub fn told(opinion: Option<Decision>, told: &Told) -> String {
    let why: String = told.why.chars().map(visible).collect();
    let fits = (0..=TOLD_MAX.min(why.len())).rev().find(|at| why.is_char_boundary(*at));
    let cut = fits.unwrap_or(0);
    let (why, more) = (&why[..cut], if cut < why.len() { "…" } else { "" });
    let advice = match (opinion, told.instead) {
        (Some(Decision::Deny), Some(instead)) => {
            format!(". {}, or ask the person you work for.", capitalised(instead))
        }
        (Some(Decision::Deny), None) => {
            ". Do not write it in another way; ask the person you work for.".to_owned()
        }
        (Some(Decision::Ask), Some(instead)) => format!("; {instead}"),
        _ => String::new(),
    };
    format!("shfence: {why}{more}{advice}")
}

fn capitalised(sentence: &str) -> String {
    let mut rest = sentence.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}
