//! Shrinks a case to the smallest one that still shows the same thing.
//!
//! What "the same thing" is, only the caller's predicate knows: it runs the case and looks whether
//! the finding still has its signature. Nothing here starts a shell, asks a guard or reads a clock,
//! so the same start and the same answers always give the same result.
//!
//! Each **pass** proposes simpler cases. A candidate becomes the new best if it is smaller in the
//! total order of [`compare`] and the predicate still finds it interesting. When no pass has
//! anything left to propose, the best is a minimum: no single step of any pass makes it smaller.

mod line;
mod names;
mod nested;
mod order;
mod setting;
mod tokens;
mod tree;

pub use order::compare;
use shfence_corpus::Case;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;

/// How long to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How often the predicate may be asked about a candidate. The question about the start and
    /// those that re-run the result do not count.
    pub steps: usize,
    /// How often the result is asked about again before it is believed.
    pub reruns: usize,
}

impl Limits {
    /// The case stays as it is, and is asked about as often as any result.
    pub fn none() -> Limits {
        Limits { steps: 0, ..Limits::default() }
    }
}

impl Default for Limits {
    /// 2,000 steps, which lines of 60 tokens do not reach, and 3 re-runs.
    fn default() -> Limits {
        Limits { steps: 2_000, reruns: 3 }
    }
}

/// The smallest case that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// The case; the start itself if nothing smaller is interesting.
    pub case: Case,
    /// How many candidates the predicate was asked about.
    pub steps: usize,
    /// Was every pass exhausted? If not, the step limit ended the search and the case is only the
    /// best so far.
    pub exhausted: bool,
}

/// Why there is no result.
#[derive(Debug, PartialEq, Eq)]
pub enum MinimiseError<E> {
    /// The start is not interesting: whoever asked runs it in another way than it was found.
    NotInteresting,
    /// A line without any command is still interesting, so the predicate looks at something else
    /// than what the line does.
    BecameTrivial,
    /// This result was interesting once and was not when it was asked about again.
    Flaky {
        /// The case whose answer changed.
        case: Box<Case>,
        /// Which of the re-runs contradicted, counted from 1.
        rerun: usize,
    },
    /// The predicate could not answer.
    Predicate(E),
}

impl<E: fmt::Display> fmt::Display for MinimiseError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MinimiseError::NotInteresting => f.write_str(
                "the case to minimise does not show the finding; \
                 replay it first to see what it does now",
            ),
            MinimiseError::BecameTrivial => {
                f.write_str("an empty line still shows the finding; it does not depend on the line")
            }
            MinimiseError::Flaky { case, rerun } => write!(
                f,
                "the result '{}' no longer shows the finding in re-run {rerun}; \
                 what it does is not the same every time",
                case.line
            ),
            MinimiseError::Predicate(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for MinimiseError<E> {}

/// Proposes simpler cases, the boldest first. Some may be larger or equal: the search drops them.
type Pass = fn(&Case) -> Vec<Case>;

/// In the order in which they pay: each makes the questions of the later ones cheaper or fewer.
const PASSES: [Pass; 20] = [
    line::delete_runs,
    line::delete_commands,
    line::unwrap_groups,
    nested::unwrap_compounds,
    nested::unwrap_substitutions,
    nested::delete_documents,
    setting::usual_setting,
    tree::delete_entries,
    line::replace_operators,
    line::replace_words,
    line::shorten_paths,
    line::drop_quotes,
    nested::within_substitutions,
    tree::simplify_nodes,
    names::collapse_directories,
    names::rename,
    setting::shorten_values,
    nested::unquote_substitutions,
    line::set_blanks,
    setting::drop_shells,
];

/// Minimises `start`. `interesting` says whether a case still shows what the start shows, and must
/// give the same answer to the same case; it is never asked about one twice, but for the re-runs of
/// the result. `progress` is told of each smaller case.
///
/// The set of shells is part of the case. A caller who wants it kept answers `false` to a case with
/// fewer.
pub fn minimise<E>(
    start: &Case,
    limits: Limits,
    interesting: &mut dyn FnMut(&Case) -> Result<bool, E>,
    progress: &mut dyn FnMut(&Case),
) -> Result<Minimised, MinimiseError<E>> {
    if !interesting(start).map_err(MinimiseError::Predicate)? {
        return Err(MinimiseError::NotInteresting);
    }
    let mut search = Search {
        best: start.clone(),
        tried: HashSet::from([start.clone()]),
        steps: 0,
        limit: limits.steps,
        interesting,
        progress,
    };
    let exhausted = match search.run() {
        Ok(()) => true,
        Err(Stop::StepLimit) => false,
        Err(Stop::Failed(error)) => return Err(error),
    };
    let Search { best, steps, interesting, .. } = search;
    if is_trivial(&best) {
        return Err(MinimiseError::BecameTrivial);
    }
    for rerun in 1..=limits.reruns {
        if !interesting(&best).map_err(MinimiseError::Predicate)? {
            return Err(MinimiseError::Flaky { case: Box::new(best), rerun });
        }
    }
    Ok(Minimised { case: best, steps, exhausted })
}

/// Does the line hold no command at all?
fn is_trivial(case: &Case) -> bool {
    tokens::tokens(&case.line).iter().all(|token| token.word().is_none())
}

struct Search<'a, E> {
    best: Case,
    tried: HashSet<Case>,
    steps: usize,
    limit: usize,
    interesting: &'a mut dyn FnMut(&Case) -> Result<bool, E>,
    progress: &'a mut dyn FnMut(&Case),
}

/// What ends a search early.
enum Stop<E> {
    StepLimit,
    Failed(MinimiseError<E>),
}

impl<E> Search<'_, E> {
    /// All passes again and again, until a round finds nothing smaller.
    fn run(&mut self) -> Result<(), Stop<E>> {
        loop {
            let before = self.best.clone();
            for pass in PASSES {
                self.sweep(pass)?;
            }
            if self.best == before {
                return Ok(());
            }
        }
    }

    /// One pass over the best. After a success it goes on at the same place of what the pass
    /// proposes for the new best: what failed before that place would mostly fail again, and the
    /// next round looks at it anyway.
    fn sweep(&mut self, pass: Pass) -> Result<(), Stop<E>> {
        let mut candidates = pass(&self.best);
        let mut place = 0;
        while place < candidates.len() {
            if self.improves(&candidates[place])? {
                candidates = pass(&self.best);
            } else {
                place += 1;
            }
        }
        Ok(())
    }

    /// Makes the candidate the best if it is smaller and still interesting.
    fn improves(&mut self, candidate: &Case) -> Result<bool, Stop<E>> {
        let smaller = compare(candidate, &self.best) == Ordering::Less;
        if !smaller || !self.tried.insert(candidate.clone()) {
            return Ok(false);
        }
        if self.steps == self.limit {
            return Err(Stop::StepLimit);
        }
        self.steps += 1;
        let interesting = (self.interesting)(candidate)
            .map_err(|error| Stop::Failed(MinimiseError::Predicate(error)))?;
        if !interesting {
            return Ok(false);
        }
        if is_trivial(candidate) {
            return Err(Stop::Failed(MinimiseError::BecameTrivial));
        }
        self.best = candidate.clone();
        (self.progress)(candidate);
        Ok(true)
    }
}
