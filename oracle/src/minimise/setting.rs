//! Passes over the setting of a case: environment, directories, invocation, shells.

use super::line::shorter_paths;
use shfence_corpus::{Case, Env, Invocation, PROJ, RelPath, Text};

/// The usual setting: everywhere, in one of its parts, and without one variable.
pub(super) fn usual_setting(case: &Case) -> Vec<Case> {
    let usual = Case { shells: case.shells, ..Case::new(case.line.clone(), case.tree.clone()) };
    let mut candidates = vec![
        usual.clone(),
        Case { env: usual.env, ..case.clone() },
        Case { pwd: None, ..case.clone() },
        Case { invocation: Invocation::C, ..case.clone() },
        Case { cwd: usual.cwd.clone(), ..case.clone() },
        // A `$PWD` that names the old cwd means nothing for another one.
        Case { cwd: usual.cwd, pwd: None, ..case.clone() },
    ];
    candidates.extend(case.cwd.parent().map(|cwd| Case { cwd, ..case.clone() }));
    candidates.extend(case.env.keys().map(|name| {
        let mut env = case.env.clone();
        env.remove(name);
        Case { env, ..case.clone() }
    }));
    candidates.retain(|candidate| is_below_proj(&candidate.cwd) || candidate.cwd == case.cwd);
    candidates
}

/// Values of variables and `$PWD` with one component less, and empty.
pub(super) fn shorten_values(case: &Case) -> Vec<Case> {
    let mut candidates: Vec<Case> = shorter_values(case.pwd.as_ref())
        .map(|pwd| Case { pwd: Some(pwd), ..case.clone() })
        .collect();
    for (name, value) in &case.env {
        candidates.extend(shorter_values(value.as_ref()).map(|shorter| {
            let mut env: Env = case.env.clone();
            env.insert(name.clone(), Some(shorter));
            Case { env, ..case.clone() }
        }));
    }
    candidates
}

fn shorter_values(value: Option<&Text>) -> impl Iterator<Item = Text> {
    let empty = value.map(|_| Text::default());
    let shorter = value.map(|value| shorter_paths(value)).unwrap_or_default();
    empty.into_iter().chain(shorter.into_iter().map(Text::from))
}

/// With one shell less, never with none.
pub(super) fn drop_shells(case: &Case) -> Vec<Case> {
    let others = |dropped| case.shells.iter().filter(move |shell| *shell != dropped).collect();
    case.shells
        .iter()
        .map(|dropped| Case { shells: others(dropped), ..case.clone() })
        .filter(|candidate| !candidate.shells.is_empty())
        .collect()
}

/// Is it the project's root or below?
fn is_below_proj(cwd: &RelPath) -> bool {
    cwd.as_bytes() == PROJ.as_bytes()
        || cwd.ancestors().iter().any(|above| above.as_bytes() == PROJ.as_bytes())
}
