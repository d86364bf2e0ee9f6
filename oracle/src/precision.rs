//! How exactly a guard says what a line will do: plan and trace in, figures out.
//!
//! A plan that names everything covers everything, so that a guard which is never contradicted may
//! still say nothing. These figures tell: how many plans leave no word and no directory open, how
//! many paths they name for each that is touched, and how many of those touched are named.

use crate::judge::touched_within;
use crate::prediction::{Plan, Word};
use crate::trace::{TouchKind, Trace};
use shfence_corpus::Text;
use shfence_reports::PlanFigures;
use std::collections::BTreeSet;

/// How exactly one plan said what one run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Counted.
    pub figures: PlanFigures,
    /// The places that the run touched and the plan does not name.
    pub unnamed: Vec<Text>,
}

/// The precision of one run of an allowed line whose verbs were the real tools.
pub fn precision(plan: &Plan, trace: &Trace) -> Precision {
    let uses = || plan.segments.iter().flat_map(|segment| &segment.paths);
    let predicted: BTreeSet<&Text> = uses().map(|it| &it.path).collect();
    let starts = || plan.segments.iter().filter_map(|segment| segment.cwd.as_ref()).flatten();
    let is_named = |touched: &Text| {
        // A directory on the way to what is named is passed through, and looked at by some shells;
        // what stands in a directory that is listed is looked at too.
        let said = uses().any(|it| {
            it.path == *touched
                || is_below(&it.path, touched)
                || (it.under && is_below(touched, &it.path))
                || (it.role == TouchKind::List && stands_in(touched, &it.path))
        });
        said || starts().any(|cwd| cwd == touched || is_below(cwd, touched))
    };
    let touched = touched_within(trace);
    let unnamed: Vec<Text> =
        touched.iter().filter(|it| !is_named(it)).map(|it| (*it).clone()).collect();
    let figures = PlanFigures {
        plans: 1,
        without_unknowns: u64::from(is_exact(plan)),
        predicted: predicted.len() as u64,
        touched: touched.len() as u64,
        named: (touched.len() - unnamed.len()) as u64,
    };
    Precision { figures, unnamed }
}

/// Is every word known, or one of a few, and every directory?
fn is_exact(plan: &Plan) -> bool {
    plan.segments.iter().all(|segment| {
        let known = |word: &Word| matches!(word, Word::Is(_) | Word::OneOf(_));
        segment.cwd.is_some() && segment.argv.iter().all(known)
    })
}

fn is_below(path: &[u8], directory: &[u8]) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
}

fn stands_in(path: &[u8], directory: &[u8]) -> bool {
    let name = path.strip_prefix(directory).and_then(|rest| rest.strip_prefix(b"/"));
    name.is_some_and(|name| !name.contains(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prediction::{PathUse, Segment};

    fn plan(argv: Vec<Word>, paths: &[(&str, bool)]) -> Plan {
        let uses = |(path, under): &(&str, bool)| PathUse {
            path: (*path).into(),
            role: TouchKind::Read,
            under: *under,
            ..PathUse::default()
        };
        let cwd = Some(vec!["/case/proj".into()]);
        let paths = paths.iter().map(uses).collect();
        Plan { segments: vec![Segment { span: [0, 1], cwd, argv, paths }] }
    }

    #[test]
    fn a_plan_is_exact_only_if_nothing_is_left_open() {
        assert!(is_exact(&plan(vec![Word::Is("ls".into()), Word::OneOf(Vec::new())], &[])));
        for open in [Word::One(true), Word::Many(true)] {
            assert!(!is_exact(&plan(vec![Word::Is("echo".into()), open], &[])));
        }
        let mut somewhere = plan(Vec::new(), &[]);
        somewhere.segments[0].cwd = None;
        assert!(!is_exact(&somewhere));
    }

    #[test]
    fn a_directory_is_below_another_by_whole_names() {
        assert!(is_below(b"/case/proj/a", b"/case/proj"));
        assert!(!is_below(b"/case/proj-evil", b"/case/proj") && !is_below(b"/case", b"/case"));
        assert!(stands_in(b"/case/proj/a", b"/case/proj") && !stands_in(b"/case/a/b", b"/case"));
    }
}
