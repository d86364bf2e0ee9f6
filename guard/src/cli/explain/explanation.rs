//! Verdict and plan → what there is to show.

use super::advice::advice;
use serde::Serialize;
use shfence::{Cwds, Decision, PathUse, Physical, Plan, PlanWord, Role, Scope, Segment, Span};
use shfence::{FsView, Link, Verdict, links_on_the_way};

/// A verdict with everything that led to it.
#[derive(Serialize)]
pub struct Explanation {
    pub decision: Decision,
    /// The root that authorised an allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Physical>,
    /// The directories that the project owns.
    pub roots: Vec<Physical>,
    /// Was it decided without seeing links?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lexical: bool,
    /// Is there a plan? If not, there are no groups.
    pub understood: bool,
    pub reasons: Vec<Because>,
    /// The segments, in the order of the line. Those of one group start in the same directories.
    pub groups: Vec<Group>,
}

/// What stands against an allow.
#[derive(Serialize)]
pub struct Because {
    pub code: String,
    pub span: Span,
    pub note: String,
    /// What a person can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// Segments under the effect of one `cd`.
#[derive(Serialize)]
pub struct Group {
    /// The directories that they may start in; `null` for any at all.
    pub cwd: Option<Vec<Place>>,
    pub segments: Vec<Command>,
}

/// A directory, and whether it is in scope.
#[derive(PartialEq, Serialize)]
pub struct Place {
    pub path: Physical,
    pub inside: bool,
}

/// One simple command.
#[derive(Serialize)]
pub struct Command {
    pub span: Span,
    /// As it stands in the line, if it stands there: other commands run some, and some shells read
    /// one in a way of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its words, as far as they are known, where they are not those of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The shells that read it so, if not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shells: Option<Vec<&'static str>>,
    pub paths: Vec<Used>,
}

/// A path that a command uses.
#[derive(PartialEq, Serialize)]
pub struct Used {
    /// As the line has it, or as the tool looks for it.
    pub text: String,
    /// The directory it is taken from, if it is relative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Physical>,
    pub role: Role,
    pub path: Physical,
    pub inside: bool,
    /// Everything below it as well?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub under: bool,
    /// Only possibly?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may: bool,
    /// The links that it leads through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Through>,
}

/// A link on the way.
#[derive(PartialEq, Serialize)]
pub struct Through {
    pub at: Physical,
    pub target: String,
}

impl Explanation {
    /// All of it comes from the verdict and its plan; the view only shows the links on the way.
    pub fn of(line: &[u8], verdict: &Verdict, scope: &Scope, view: &dyn FsView) -> Explanation {
        let because = verdict.reasons.iter().map(|reason| Because {
            code: reason.code.name(),
            span: reason.span,
            note: reason.note.clone(),
            advice: advice(reason.code, scope),
        });
        Explanation {
            decision: verdict.decision,
            root: verdict.root.clone(),
            roots: scope.roots().to_vec(),
            lexical: verdict.lexical,
            understood: verdict.plan.is_ok(),
            reasons: because.collect(),
            groups: verdict
                .plan
                .as_ref()
                .map_or(Vec::new(), |plan| groups(line, plan, scope, view)),
        }
    }

    /// As one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("it holds only texts, numbers and booleans")
    }
}

fn groups(line: &[u8], plan: &Plan, scope: &Scope, view: &dyn FsView) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut before: Option<&Segment> = None;
    for segment in &plan.segments {
        let written = before.is_none_or(|before| before.span != segment.span);
        let text = line.get(segment.span.range()).unwrap_or_default();
        let shows = written && is_shown_by(text, segment);
        let command = Command {
            span: segment.span,
            text: written.then(|| String::from_utf8_lossy(text).into_owned()),
            words: (!shows).then(|| words(segment)),
            shells: segment.reading.map(shfence::Dialects::names),
            paths: paths(segment, scope, view),
        };
        let cwd = match &segment.cwd {
            Cwds::Unknown => None,
            Cwds::Known(list) => Some(list.iter().map(|path| place(path, scope)).collect()),
        };
        match groups.last_mut() {
            Some(group) if group.cwd == cwd => group.segments.push(command),
            _ => groups.push(Group { cwd, segments: vec![command] }),
        }
        before = Some(segment);
    }
    groups
}

fn place(path: &Physical, scope: &Scope) -> Place {
    Place { path: path.clone(), inside: scope.root_of(path).is_some() }
}

/// Does the text show the words of the segment, or at least all that is known of them?
fn is_shown_by(text: &[u8], segment: &Segment) -> bool {
    segment.argv.iter().all(|word| match word {
        PlanWord::Is(word) => word.is_empty() || text.windows(word.len()).any(|it| it == &word[..]),
        PlanWord::OneOf(_) => false,
        PlanWord::One | PlanWord::Many => true,
    })
}

fn words(segment: &Segment) -> String {
    segment.argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn word(word: &PlanWord) -> String {
    match word {
        PlanWord::Is(text) => String::from_utf8_lossy(text).into_owned(),
        PlanWord::OneOf(texts) => {
            let texts: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text)).collect();
            format!("({})", texts.join("|"))
        }
        PlanWord::One => "<a word>".to_owned(),
        PlanWord::Many => "<words>".to_owned(),
    }
}

/// What a person wants to see of the paths: each once, and of those that are merely looked at on
/// the way only what leaves.
fn paths(segment: &Segment, scope: &Scope, view: &dyn FsView) -> Vec<Used> {
    let mut shown: Vec<Used> = Vec::new();
    for used in &segment.paths {
        let used = as_shown(used, scope, view);
        let looked_at = used.role == Role::Test && used.may && used.inside;
        if !looked_at && !shown.contains(&used) {
            shown.push(used);
        }
    }
    shown
}

fn as_shown(used: &PathUse, scope: &Scope, view: &dyn FsView) -> Used {
    let above = scope.roots().iter().any(|root| root.is_within(&used.path));
    let inside = scope.root_of(&used.path).is_some() || (used.role == Role::Test && above);
    let links = links_on_the_way(view, &used.from, &used.text).into_iter();
    // The last one is not followed by a command that looks at the link itself.
    let followed = links.filter(|link| link.at != used.path);
    Used {
        text: String::from_utf8_lossy(&used.text).into_owned(),
        from: (!used.text.starts_with(b"/")).then(|| used.from.clone()),
        role: used.role,
        path: used.path.clone(),
        inside,
        under: used.under,
        may: used.may,
        links: followed.map(through).collect(),
    }
}

fn through(link: Link) -> Through {
    Through { at: link.at, target: link.target.to_string_lossy().into_owned() }
}
