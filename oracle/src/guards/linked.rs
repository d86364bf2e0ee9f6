//! The guard that is linked into this program: the only place where the oracle's types become the
//! guard's and back.

use super::{Crash, Guard};
use crate::prediction::{PathUse, Plan, Prediction, Reason, Segment, Word};
use crate::trace::TouchKind;
use shfence::{Cwds, FsView, MemoryView, PlanWord, Policy, Profile, Semantics, Verdict};
use shfence_corpus::{Case, Decision, Invocation, Node, Shell, TOP, Text};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The shipped guard.
#[derive(Clone, Copy, Debug)]
pub struct Linked;

impl Guard for Linked {
    fn name(&self) -> String {
        "linked".to_owned()
    }

    fn predict(&self, case: &Case) -> Result<Prediction, Crash> {
        predict(case, &view_of(case), &Semantics::MEASURED)
    }
}

/// The shipped guard in the profile `edit`, in which lines may change files of the project.
#[derive(Clone, Copy, Debug)]
pub struct Editing;

impl Guard for Editing {
    fn name(&self) -> String {
        "linked-edit".to_owned()
    }

    fn predict(&self, case: &Case) -> Result<Prediction, Crash> {
        let policy = Policy { profile: Profile::Edit, ..Policy::default() };
        predict_under(&policy, case, &view_of(case), &Semantics::MEASURED)
    }
}

/// Is this the name of a verb that the linked guard declares?
pub fn declares(name: &[u8]) -> bool {
    shfence::declares(name)
}

/// The tree of a case as the guard sees it: what is planted before the line runs.
pub fn view_of(case: &Case) -> MemoryView {
    let mut view = MemoryView::default();
    view.dir(TOP);
    for (path, node) in case.tree.planted() {
        let at = path_of(&path.absolute());
        match node {
            Node::Dir => view.dir(at),
            Node::File { text, .. } => view.file(at, text.into_bytes()),
            Node::Link { to } => view.link(at, path_of(&to)),
        };
    }
    view
}

/// Asks the linked guard with these beliefs.
pub(super) fn predict(
    case: &Case,
    view: &dyn FsView,
    semantics: &Semantics,
) -> Result<Prediction, Crash> {
    predict_under(&Policy::default(), case, view, semantics)
}

fn predict_under(
    policy: &Policy,
    case: &Case,
    view: &dyn FsView,
    semantics: &Semantics,
) -> Result<Prediction, Crash> {
    let verdict = catch_unwind(AssertUnwindSafe(|| decide(policy, case, view, semantics)));
    let verdict = verdict.map_err(|panic| Crash(message(panic.as_ref())))?;
    Ok(Prediction {
        decision: match verdict.decision {
            shfence::Decision::Allow => Decision::Allow,
            shfence::Decision::Ask => Decision::Ask,
            shfence::Decision::Deny => Decision::Deny,
        },
        reasons: verdict
            .reasons
            .iter()
            .map(|it| Reason { code: it.code.name().to_owned(), note: it.note.to_string() })
            .collect(),
        plan: verdict.plan.as_ref().ok().map(plan),
    })
}

fn decide(policy: &Policy, case: &Case, view: &dyn FsView, semantics: &Semantics) -> Verdict {
    let scope = shfence::Scope::new(&[path_of(&Case::root())], view)
        .expect("the root of a case is a directory below the top");
    let set = |(name, value): (&String, &Option<Text>)| {
        Some((name.as_bytes().to_vec(), value.clone()?.into_bytes()))
    };
    let dir = path_of(&case.cwd.absolute());
    // A shell whose `$PWD` is taken away finds out where it is; the guard is not told.
    let pwd = match case.env.get("PWD") {
        Some(value) => value.clone(),
        None => Some(case.logical_cwd()),
    };
    let pwd = pwd.as_ref().map(path_of);
    let home = case.home().as_ref().map(path_of);
    let env = case.env.iter().filter_map(set).collect();
    let request = shfence::Request {
        line: &case.line,
        cwd: shfence::Cwd { dir: &dir, pwd: pwd.as_deref() },
        scope: &scope,
        home: home.as_deref(),
        env: &env,
        dialects: shfence::Dialects {
            bash: case.shells.contains(Shell::Bash),
            sh: case.shells.contains(Shell::Sh),
            zsh: case.shells.contains(Shell::Zsh),
        },
        invocation: match case.invocation {
            Invocation::C => shfence::Invocation::C,
            Invocation::Eval => shfence::Invocation::Eval,
            Invocation::Parens => shfence::Invocation::Parens,
            Invocation::JsonEval => shfence::Invocation::JsonEval,
            Invocation::Typed => shfence::Invocation::Typed,
        },
        policy,
        limits: shfence::Limits::default(),
    };
    shfence::decide_with(&request, view, semantics)
}

fn plan(plan: &shfence::Plan) -> Plan {
    Plan { segments: plan.segments.iter().map(segment).collect() }
}

fn segment(segment: &shfence::Segment) -> Segment {
    Segment {
        span: [segment.span.start, segment.span.end],
        cwd: match &segment.cwd {
            Cwds::Known(list) => Some(list.iter().map(physical).collect()),
            Cwds::Unknown => None,
        },
        argv: segment.argv.iter().map(word).collect(),
        paths: segment
            .paths
            .iter()
            .map(|it| PathUse {
                path: physical(&it.path),
                role: role(it.role),
                under: it.under,
                may: it.may,
                span: [it.span.start, it.span.end],
            })
            .collect(),
    }
}

fn word(word: &PlanWord) -> Word {
    match word {
        PlanWord::Is(text) => Word::Is(Text::from(&text[..])),
        PlanWord::OneOf(texts) => Word::OneOf(texts.iter().map(|it| Text::from(&it[..])).collect()),
        PlanWord::One => Word::One(true),
        PlanWord::Many => Word::Many(true),
    }
}

fn role(role: shfence::Role) -> TouchKind {
    match role {
        shfence::Role::Read => TouchKind::Read,
        shfence::Role::Write | shfence::Role::Build | shfence::Role::Keep => TouchKind::Write,
        shfence::Role::List => TouchKind::List,
        shfence::Role::Test => TouchKind::Test,
        shfence::Role::Exec => TouchKind::Exec,
        shfence::Role::Enter => TouchKind::Enter,
    }
}

fn physical(path: &shfence::Physical) -> Text {
    Text::from(path.as_bytes())
}

fn path_of(text: &Text) -> PathBuf {
    PathBuf::from(OsString::from_vec(text.as_bytes().to_vec()))
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panicked without a message".to_owned())
}
