//! Formatters, and what mends sources: they rewrite all that they find below what they are told.

use super::command::Run;
use super::{Planned, Planner, lossy};
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::plan::Role;
use crate::trees::steered_or_linked_below;
use crate::verbs::{Uses, Verb};
use crate::verdict::Code;

impl Planner<'_> {
    /// Nothing that it may rewrite may steer agents, git or shells, or be a link, behind which it
    /// would be rewritten wherever that leads.
    pub(super) fn rewrites(
        &self,
        verb: &Verb<'_>,
        uses: &Uses<'_>,
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        let Some(endings) = &verb.entry.rewrites else {
            return self.outputs(verb, uses, run, planned);
        };
        let named = || uses.paths.iter().filter(|it| it.role == Role::Build);
        for place in run.states().places() {
            let tops = named().filter_map(|it| {
                let top = directory_of(&it.text);
                // Where a path leads is said where it is resolved.
                resolve(self.view, &place.physical, top, Last::Follow).ok().map(|it| it.path)
            });
            let mut tops: Vec<Physical> = tops.collect();
            if named().next().is_none() {
                tops.extend(self.scope.root_of(&place.physical).cloned());
            }
            for top in tops.iter().filter(|top| self.scope.root_of(top).is_some()) {
                match steered_or_linked_below(self.view, top, endings) {
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        let what = "is a link, or says what may run, and would be rewritten";
                        planned.object(Code::Protected, run.span(0), format!("{found} {what}"));
                    }
                    Err(error) => {
                        let shown = lossy(top.as_bytes()).into_owned();
                        let note = format!("what stands below '{shown}' {}", error.why());
                        planned.object(Code::PathUnresolved, run.span(0), note);
                    }
                }
            }
        }
    }
}

/// A path up to where it begins to be a pattern, which tools have of their own.
fn directory_of(text: &[u8]) -> &[u8] {
    let is_pattern =
        |name: &[u8]| name == b"..." || name.iter().any(|it| b"*?[]{}()!".contains(it));
    let mut end = 0;
    for name in text.split_inclusive(|byte| *byte == b'/') {
        if is_pattern(name.strip_suffix(b"/").unwrap_or(name)) {
            return if end == 0 { b"." } else { &text[..end] };
        }
        end += name.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::directory_of;

    #[test]
    fn a_pattern_stands_for_the_directory_above_it() {
        for (text, directory) in [
            ("src", "src"),
            ("src/**/*.js", "src/"),
            ("*.js", "."),
            ("./...", "./"),
            ("/a/{b,c}", "/a/"),
            ("!a", "."),
            ("a/b.js", "a/b.js"),
        ] {
            assert_eq!(directory_of(text.as_bytes()), directory.as_bytes(), "{text}");
        }
    }
}
