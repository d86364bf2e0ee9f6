//! What a command writes: what its words name, and files that another one finds and it rewrites.

use super::command::Run;
use super::words::Listed;
use super::{Planned, Planner, lossy};
use crate::flow::States;
use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve};
use crate::plan::Cwds;
use crate::span::Span;
use crate::verbs::{Selected, Uses, rewritten};
use crate::verdict::Code;
use crate::view::Kind;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;

/// How many files are rewritten by one command that does not name them, how many by all commands of
/// a line, and among how many names they are looked for.
const FILES_MAX: usize = 2_000;
const FILES_OF_LINE_MAX: usize = 10_000;
const NAMES_MAX: usize = 10_000;

/// Where names are found, which ones, and how the names end under which files are kept.
pub(super) type FoundFrom = (Cwds, Vec<u8>, Selected, Vec<Vec<u8>>);

/// A word for names that are found.
struct Found<'f> {
    /// Its index.
    word: usize,
    /// At or below this path, as text.
    text: &'f [u8],
    /// Which ones.
    which: &'f Selected,
    /// How the names end under which the files are kept.
    suffixes: &'f [&'f [u8]],
}

impl Planner<'_> {
    /// What the command itself writes.
    pub(super) fn all_written(
        &self,
        uses: &Uses<'_>,
        listed: &Listed<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        let origin = |word: usize| listed.origin(word);
        let states = run.states();
        planned.repeats |= uses.repeats;
        let is_found = |word: usize| run.words()[origin(word)].found().is_some();
        let rewritten = |word: usize| uses.rewritten.contains(&word) && is_found(word);
        for it in uses.written.iter().filter(|it| !rewritten(it.word)) {
            let span = run.span(origin(it.word));
            // It goes there under its own name, and is not what stands where that was found.
            if it.leaves.is_put_there() && run.words().iter().any(|word| word.found().is_some()) {
                let note = "under which name this goes there is not known".to_owned();
                planned.object(Code::WordUnknown, span, note);
            }
            self.writes(it, states, span, planned);
        }
        self.found_rewritten(uses, listed, run, planned);
    }

    /// Names that another command finds, as operands that are rewritten.
    fn found_rewritten(
        &self,
        uses: &Uses<'_>,
        listed: &Listed<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        for word in uses.rewritten.iter().copied() {
            let origin = listed.origin(word);
            let same = (0..listed.words.len()).filter(|it| listed.origin(*it) == origin).count();
            // Of several that one word stands for, one stands for all.
            if let (Some(which), Some(text), 1) =
                (run.words()[origin].found(), listed.words[word].whole(), same)
            {
                let found = Found { word, text, which, suffixes: &uses.suffixes };
                self.rewrites_found(&found, run.states(), run.span(origin), planned);
            }
        }
    }

    /// Rewrites whatever may be found, each file as if it were named.
    fn rewrites_found(
        &self,
        found: &Found<'_>,
        states: &States,
        span: Span,
        planned: &mut Planned,
    ) {
        let suffixes = found.suffixes.iter().map(|it| it.to_vec()).collect();
        let from = (states.cwds(), found.text.to_vec(), found.which.clone(), suffixes);
        // The lists of words that a command may have name the same again and again.
        if planned.found.iter().any(|(known, _)| *known == from) {
            return;
        }
        let before: usize = planned.found.iter().map(|(_, count)| count).sum();
        let most = FILES_MAX.min(FILES_OF_LINE_MAX / self.steps.len().max(1));
        let mut files = BTreeSet::new();
        for place in states.places() {
            // Where it cannot be resolved, that is said where it is written itself.
            let top = resolve(self.view, &place.physical, found.text, Last::Follow);
            let below = match top {
                Ok(top) if top.end == End::Found(Kind::Dir) => self.files_below(&top.path, found),
                _ => Some(vec![found.text.to_vec()]),
            };
            match below.filter(|below| before + files.len() + below.len() <= most) {
                Some(below) => files.extend(below),
                None => {
                    let shown = lossy(found.text);
                    let note = format!("which files below '{shown}' this rewrites is not known");
                    return planned.object(Code::PathUnresolved, span, note);
                }
            }
        }
        planned.found.push((from, files.len()));
        planned.repeats |= files.len() > 1;
        let mut beside = BTreeSet::new();
        for file in &files {
            for mut written in rewritten(found.word, file, found.suffixes) {
                written.may = true;
                if !written.is_beside() || beside.insert(written.text.to_vec()) {
                    self.writes(&written, states, span, planned);
                }
            }
        }
    }

    /// The files below a directory that may be found, as text. Nothing if it cannot be told.
    fn files_below(&self, top: &Physical, found: &Found<'_>) -> Option<Vec<Vec<u8>>> {
        let mut files = Vec::new();
        let mut waiting = vec![(top.clone(), found.text.to_vec())];
        let mut count = 0;
        while let Some((directory, text)) = waiting.pop() {
            let list = self.view.list(directory.as_path(), NAMES_MAX - count).ok()?;
            count += list.len();
            for name in list.iter().map(|name| name.as_bytes()) {
                if found.which.passes_over(name) {
                    continue;
                }
                let it = resolve(self.view, &directory, name, Last::Keep).ok()?;
                let text = [&text[..], b"/", name].concat();
                match it.end {
                    End::Found(Kind::Dir) if found.which.flat => {}
                    End::Found(Kind::Dir) => waiting.push((it.path, text)),
                    // What stands behind it may be found as well.
                    End::Found(Kind::Link) if found.which.follow => return None,
                    End::Found(Kind::Link) if found.which.may_be_link(name) => files.push(text),
                    End::Found(Kind::Perhaps) => return None,
                    End::Found(Kind::File) if found.which.may_be_file(name) => files.push(text),
                    _ => {}
                }
            }
        }
        Some(files)
    }
}
