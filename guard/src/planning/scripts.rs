//! Scripts of a project: `yarn run NAME` and `bun run NAME` run a program where `package.json` has
//! no script of that name.

use super::command::Run;
use super::words::Listed;
use super::{Planned, Planner, lossy};
use crate::discovery::above;
use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve};
use crate::verbs::{self, Class, Uses};
use crate::verdict::Code;
use serde_json::Value;

/// How much of a `package.json` is read. Larger ones are none to us.
const PACKAGE_MAX: usize = 1 << 20;

impl Planner<'_> {
    /// Names that must be those of scripts. A program that stands in their place is judged as one.
    pub(super) fn scripts(
        &self,
        uses: &Uses<'_>,
        listed: &Listed<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        for &word in &uses.scripts {
            let Some(name) = listed.words[word].whole() else { continue }; // it was refused
            if !self.view.sees() || self.starts_in(uses, run).iter().all(|it| self.has(it, name)) {
                continue;
            }
            let at = listed.origin(word);
            let is_tool = |verb: verbs::Verb<'static>| verb.entry.class == Class::Build;
            if verbs::find(name).is_some_and(is_tool) && uses.moves.is_empty() {
                self.bins(&[word], &listed.words, run, planned);
                self.inner(run, &run.words()[at..], planned);
            } else {
                let note = format!("'{}' is no script: it would be a program", lossy(name));
                planned.object(Code::UndeclaredOption, run.span(at), note);
            }
        }
    }

    /// Where the command starts: where the shell is, or the directory that it is told.
    fn starts_in(&self, uses: &Uses<'_>, run: &Run<'_>) -> Vec<Option<Physical>> {
        let places = run.states().places().iter();
        let start = |from: &Physical| match &uses.moves[..] {
            [] => Some(from.clone()),
            [to] => resolve(self.view, from, &to.text, Last::Follow).ok().map(|it| it.path),
            _ => None,
        };
        places.map(|place| start(&place.physical)).collect()
    }

    /// Has the nearest `package.json` at or above this directory a script of this name?
    fn has(&self, start: &Option<Physical>, name: &[u8]) -> bool {
        let Some(start) = start else { return false };
        let mut directory = Some(start.as_bytes());
        while let Some(at) = directory {
            let package = [at, b"/package.json"].concat();
            let there = resolve(self.view, &Physical::root(), &package, Last::Follow);
            if let Ok(there) = there
                && matches!(there.end, End::Found(_))
            {
                let text = self.view.read(there.path.as_path(), PACKAGE_MAX);
                return text.is_ok_and(|text| has_script(&text, name));
            }
            directory = above(at);
        }
        false
    }
}

fn has_script(package: &[u8], name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    serde_json::from_slice::<Value>(package)
        .is_ok_and(|package| package.get("scripts").is_some_and(|it| it.get(name).is_some()))
}
