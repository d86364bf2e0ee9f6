//! What the files of a project name as parts of it: a workspace's members, packages by their path.

use super::building::used;
use super::command::Run;
use super::{Planned, Planner, lossy};
use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve};
use crate::plan::Role;
use crate::trees::named_below;
use crate::verbs::Search;
use crate::verdict::Code;

/// How long such a file may be, and how many are read.
const FILE_MAX: usize = 64 << 10;
const FILES_MAX: usize = 500;

impl Planner<'_> {
    /// A tool rewrites what these files name, wherever that is.
    pub(super) fn mentioned(&self, search: &Search, run: &Run<'_>, planned: &mut Planned) {
        let roots = run.states().places().iter().filter_map(|it| self.scope.root_of(&it.physical));
        for root in roots {
            let files = match named_below(self.view, root, search.files) {
                Ok(files) if files.len() <= FILES_MAX => files,
                _ => {
                    let note = "what this goes on to is too much to be looked at".to_owned();
                    return planned.object(Code::PathUnresolved, run.span(0), note);
                }
            };
            for (directory, file) in files {
                let text = self.view.read(file.as_path(), FILE_MAX + 1).ok();
                let whole = text.filter(|text| text.len() <= FILE_MAX);
                let Some(paths) = whole.as_deref().and_then(paths_away) else {
                    let note = format!("what {file} names is not known");
                    return planned.object(Code::PathUnresolved, run.span(0), note);
                };
                paths.iter().for_each(|path| self.names_place(&directory, path, run, planned));
            }
        }
    }

    fn names_place(&self, directory: &Physical, path: &[u8], run: &Run<'_>, planned: &mut Planned) {
        match resolve(self.view, directory, path, Last::Follow) {
            // A pattern of the project's own begins with a slash as well.
            Ok(there) if path.starts_with(b"/") && there.end == End::Missing => {}
            Ok(there) => planned.paths().push(used(there.path, Role::Build, run.span(0))),
            Err(error) => {
                let note = format!("'{}' {}", lossy(path), error.why());
                planned.object(Code::PathUnresolved, run.span(0), note);
            }
        }
    }
}

/// The texts of a TOML file that may be paths which lead up or begin at the top, each up to where
/// it begins to be a pattern. Nothing if an escape may hide one.
fn paths_away(file: &[u8]) -> Option<Vec<Vec<u8>>> {
    let hides = |two: &[u8]| two[0] == b'\\' && b"uUxe \t\r\n".contains(&two[1]);
    if file.windows(2).any(hides) {
        return None;
    }
    let is_pattern = |name: &&[u8]| name.iter().any(|byte| b"*?[".contains(byte));
    let mut paths = Vec::new();
    for text in file.split(|byte| b"\"'\r\n".contains(byte)) {
        let names = || text.split(|byte| *byte == b'/').take_while(|name| !is_pattern(name));
        if text.starts_with(b"/") || names().any(|name| name == b"..") {
            paths.push(names().collect::<Vec<_>>().join(&b'/'));
        }
    }
    Some(paths)
}

#[cfg(test)]
mod tests {
    use super::paths_away;

    #[test]
    fn what_may_lead_away_is_found_in_any_text() {
        for (file, paths) in [
            ("a = { path = \"../b\" }\nc = 'x/../../d'\n", Some(vec!["../b", "x/../../d"])),
            ("members = [\"crates/*\", \"../*\"]", Some(vec![".."])),
            ("a = \"\"\"\n../x\"\"\"", Some(vec!["../x"])),
            ("include = [\"/src\"]\nurl = \"https://x/y\"", Some(vec!["/src"])),
            ("a = \"\\u002e./b\"", None),
            ("a = \"\"\"..\\\n/b\"\"\"", None),
            ("a = \"a..b\"\nb = \"\\\"x\\\"\"", Some(vec![])),
        ] {
            let found = paths_away(file.as_bytes());
            let found = found.map(|all| {
                all.into_iter().map(|it| String::from_utf8(it).expect("text")).collect::<Vec<_>>()
            });
            assert_eq!(
                found,
                paths.map(|all| all.into_iter().map(String::from).collect()),
                "{file}"
            );
        }
    }
}
