//! What a tool comes to that goes down from where it starts: names that are links, behind which it
//! reads, or runs, what stands elsewhere.

use crate::path::Physical;
use crate::path::resolve::{End, Last, Resolved, Unresolved, listed, resolve};
use crate::reach::behind_git_file;
use crate::scope::Scope;
use crate::verbs::{Search, SearchIn};
use crate::view::{FsView, Kind};
use std::collections::{BTreeSet, VecDeque};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;

/// How many names are looked at below where a tool starts, and in how many directories, the nearest
/// first: the kernel of Linux has 92,000 in 6,000.
const NAMES_MAX: usize = 100_000;
const DIRECTORIES_MAX: usize = 8_000;

/// How many names are looked at behind a link that leaves.
const OUTSIDE_MAX: usize = 1_000;

/// How deep the parts of a project stand that a tool finds by itself: `packages/*`.
const PARTS_DEEP: usize = 4;

/// Directories through which nobody goes who looks for the project's own files; `__pycache__` is
/// one where it is no link.
const PASSED: [&[u8]; 3] = [b".git", b"node_modules", b"site-packages"];

/// Files that say of the directory in which they stand that it is another one of these: Python's
/// environments, and what can be made anew (cargo's `target`).
const MARKS: [&[u8]; 2] = [b"CACHEDIR.TAG", b"pyvenv.cfg"];

/// What was met.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Met {
    /// Names that are links, or lead through some, and where.
    pub(crate) links: Vec<(Vec<u8>, Result<Physical, Unresolved>)>,
    /// Were there more names than are looked at?
    pub(crate) too_many: bool,
}

/// What stands below these directories that a search takes. What cannot be listed cannot be entered
/// either.
pub(crate) fn met(
    view: &dyn FsView,
    scope: &Scope,
    search: &Search,
    tops: &BTreeSet<Physical>,
) -> Met {
    let mut walk = Walk {
        view,
        scope,
        search,
        tops,
        entered: tops.clone(),
        waiting: tops.iter().map(|top| (top.clone(), 0)).collect(),
        met: Met::default(),
    };
    let (mut names, mut directories) = (0, 0);
    while let Some((directory, deep)) = walk.waiting.pop_front() {
        directories += 1;
        let list = match directories > DIRECTORIES_MAX {
            true => Err(ErrorKind::FileTooLarge.into()),
            false => view.entries(directory.as_path(), NAMES_MAX - names),
        };
        let list = match list {
            Ok(list) => list,
            Err(error) => match error.kind() {
                ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
                    walk.met.too_many = true;
                    break;
                }
                ErrorKind::ResourceBusy => {
                    let changed = Err(Unresolved::Changed);
                    walk.met.links.push((directory.as_bytes().to_vec(), changed));
                    continue;
                }
                _ => continue,
            },
        };
        names += list.len();
        let is_mark = |name: &[u8]| MARKS.contains(&name);
        if !tops.contains(&directory) && list.iter().any(|(name, _)| is_mark(name.as_bytes())) {
            continue;
        }
        for (name, kind) in list {
            walk.name(&directory, name.as_bytes(), kind, deep + 1);
        }
    }
    walk.met
}

struct Walk<'a> {
    view: &'a dyn FsView,
    scope: &'a Scope,
    search: &'a Search,
    tops: &'a BTreeSet<Physical>,
    entered: BTreeSet<Physical>,
    waiting: VecDeque<(Physical, usize)>,
    met: Met,
}

impl Walk<'_> {
    fn name(&mut self, directory: &Physical, name: &[u8], kind: Option<Kind>, deep: usize) {
        let follows = self.search.reach != SearchIn::Within;
        if !follows {
            self.within(directory, name, kind);
        }
        // Who reads hidden files may go through what is hidden.
        let is_hidden = |file: &&&str| **file == ".*" || (!follows && file.starts_with('.'));
        let sees_hidden = self.search.files.iter().any(|file| is_hidden(&file));
        let hidden = name.starts_with(b".") && !sees_hidden && !is_named(self.search, name);
        let passed = PASSED.contains(&name) || (kind == Some(Kind::Dir) && name == b"__pycache__");
        if kind == Some(Kind::File) || passed || hidden {
            return;
        }
        let found = match kind {
            // There is nothing more to find out.
            Some(Kind::Dir) => Ok((listed(directory, name), End::Found(Kind::Dir))),
            _ => resolve(self.view, directory, name, Last::Keep).map(|it| (it.path, it.end)),
        };
        match found {
            Ok((_, End::Found(Kind::Link))) if follows => self.link(directory, name, deep),
            Ok((path, End::Found(Kind::Dir | Kind::Perhaps))) => self.enter(path, deep),
            Err(error) if follows => self.lead(name, Err(&error)),
            Ok(_) | Err(_) => {}
        }
    }

    /// A link, to a tool that follows it.
    fn link(&mut self, directory: &Physical, name: &[u8], deep: usize) {
        let there = resolve(self.view, directory, name, Last::Follow);
        let taken = match &there {
            Ok(there) if there.end.may_be_directory() => {
                self.scope.root_of(&there.path).is_some()
                    || match self.search.reach {
                        SearchIn::Parts => self.is_part(&there.path),
                        _ => self.takes_from(&there.path),
                    }
            }
            Ok(_) => takes(self.search, name),
            Err(_) => true,
        };
        if taken {
            self.lead(name, there.as_ref());
        }
        if let Ok(there) = there
            && there.end.may_be_directory()
        {
            self.enter(there.path, deep);
        }
    }

    /// Is this directory outside one that a tool would take for a part of the project? What cannot
    /// be listed cannot be entered.
    fn is_part(&self, directory: &Physical) -> bool {
        match self.view.list(directory.as_path(), OUTSIDE_MAX) {
            Ok(list) => list.iter().any(|name| takes(self.search, name.as_bytes())),
            Err(error) => error.kind() == ErrorKind::FileTooLarge,
        }
    }

    /// Files of these very names, to a tool that reads them where they lead, but goes through no
    /// links itself.
    fn within(&mut self, directory: &Physical, name: &[u8], kind: Option<Kind>) {
        let is_plain = matches!(kind, Some(Kind::File | Kind::Dir | Kind::Other));
        for file in self.search.files.iter().map(|file| file.as_bytes()) {
            if let Some(end) = file.strip_prefix(b"*") {
                if !is_plain && name.ends_with(end) {
                    let there = resolve(self.view, directory, name, Last::Follow);
                    self.lead(name, there.as_ref());
                }
                continue;
            }
            let rest = file.strip_prefix(name);
            // Of a name that stands in a directory, that may be the link.
            let deeper = rest.is_some_and(|rest| rest.starts_with(b"/"));
            if !deeper && (rest != Some(b"") || is_plain) {
                continue;
            }
            let there = resolve(self.view, directory, file, Last::Follow);
            self.lead(file, there.as_ref());
            if deeper && name == b".git" {
                self.git_file(directory);
            }
        }
    }

    fn git_file(&mut self, directory: &Physical) {
        let Ok(git) = resolve(self.view, directory, b".git", Last::Follow) else { return };
        if git.end == End::Found(Kind::File) {
            let read = behind_git_file(self.view, &git.path, self.tops.iter());
            self.met.links.extend(read.into_iter().map(|path| (b".git".to_vec(), Ok(path))));
        }
    }

    fn lead(&mut self, name: &[u8], there: Result<&Resolved, &Unresolved>) {
        let there = match there {
            Ok(there) if !there.linked => return,
            Ok(there) => Ok(there.path.clone()),
            Err(error) => Err(*error),
        };
        self.met.links.push((name.to_vec(), there));
    }

    fn enter(&mut self, path: Physical, deep: usize) {
        let too_deep = self.search.reach == SearchIn::Parts && deep > PARTS_DEEP;
        if !too_deep && self.scope.root_of(&path).is_some() && self.entered.insert(path.clone()) {
            self.waiting.push_back((path, deep));
        }
    }

    /// Is there anything for the tool in or below a directory outside? What cannot be seen to the
    /// end may hold something. Where there is nothing, it sees names, and no more.
    fn takes_from(&self, top: &Physical) -> bool {
        let mut entered = BTreeSet::from([top.clone()]);
        let mut waiting = vec![top.clone()];
        let mut names = 0;
        while let Some(directory) = waiting.pop() {
            let list = self.view.list(directory.as_path(), OUTSIDE_MAX - names);
            let Ok(list) = list else { return true };
            names += list.len();
            if list.iter().any(|name| MARKS.contains(&name.as_bytes())) {
                continue;
            }
            for name in list.iter().map(|name| name.as_bytes()) {
                if takes(self.search, name) {
                    return true;
                }
                if let Ok(there) = resolve(self.view, &directory, name, Last::Follow)
                    && matches!(there.end, End::Found(Kind::Dir | Kind::Perhaps))
                    && entered.insert(there.path.clone())
                {
                    waiting.push(there.path);
                }
            }
        }
        false
    }
}

/// Is it the name of a file that the tool takes?
fn takes(search: &Search, name: &[u8]) -> bool {
    match search.reach {
        SearchIn::Below => search.files.iter().any(|end| name.ends_with(end.as_bytes())),
        _ => is_named(search, name),
    }
}

fn is_named(search: &Search, name: &[u8]) -> bool {
    search.files.iter().any(|file| match file.strip_prefix('*') {
        Some(end) => name.ends_with(end.as_bytes()),
        None => name == file.as_bytes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MemoryView;

    const BELOW: Search = Search { files: &[".py"], ends: &[], reach: SearchIn::Below };
    const WITHIN: Search =
        Search { files: &[".ignore", ".git/info/exclude"], ends: &[], reach: SearchIn::Within };

    fn tree() -> MemoryView {
        let mut view = MemoryView::default();
        view.file("/p/a/f", "").file("/out/d/t.py", "").file("/out/i", "");
        view
    }

    fn below(view: &MemoryView, search: &Search, top: &[u8]) -> Met {
        let scope = Scope::new(&["/p".into()], view).expect("it is there");
        let top = resolve(view, &Physical::root(), top, Last::Follow).expect("it is there").path;
        met(view, &scope, search, &BTreeSet::from([top]))
    }

    fn led_to(met: &Met) -> Vec<String> {
        let shown = |place: &Result<Physical, Unresolved>| match place {
            Ok(place) => place.to_string(),
            Err(error) => format!("{error:?}"),
        };
        met.links.iter().map(|(_, place)| shown(place)).collect()
    }

    #[test]
    fn who_reads_files_of_a_name_goes_through_no_links() {
        let mut view = tree();
        view.link("/p/a/.ignore", "/out/i").link("/p/l", "/out/d").link("/p/a/x.py", "/out/i");
        view.link("/out/d/.ignore", "/out/i").link("/p/b/.git/info", "/out").dir("/p/c/.git/info");
        view.link("/p/node_modules/.ignore", "/out/i").link("/p/.h/.ignore", "/nosuch");
        let met = below(&view, &WITHIN, b"/p");
        assert_eq!(led_to(&met), ["/nosuch", "/out/i", "/out/exclude"]);
        assert_eq!(led_to(&below(&view, &WITHIN, b"/p/c")), [""; 0]);
        assert_eq!(led_to(&below(&view, &BELOW, b"/p")), ["/out/d", "/out/i"]);
        // In a linked worktree `.git` is a file.
        view.file("/p/c/w/.git", "gitdir: /out/w\n").file("/out/w/commondir", "..\n");
        view.file("/out/info/exclude", "");
        assert_eq!(
            led_to(&below(&view, &WITHIN, b"/p/c")),
            ["/out/info/exclude", "/out/w/commondir"]
        );
    }

    #[test]
    fn parts_of_a_project_are_known_by_a_file() {
        let parts = Search { files: &["p.json", "*.cabal"], ends: &[], reach: SearchIn::Parts };
        let mut view = tree();
        view.file("/out/a/p.json", "").file("/out/b/x.cabal", "").file("/out/c/d/p.json", "");
        for part in ["a", "b", "c"] {
            view.link(format!("/p/packages/{part}"), format!("/out/{part}"));
        }
        view.link("/p/1/2/3/4/x", "/out/a").link("/p/1/2/3/4/5/x", "/out/b");
        view.link("/p/q/p.json", "/out/i").link("/p/.h", "/out/a");
        assert_eq!(led_to(&below(&view, &parts, b"/p")), ["/out/a", "/out/b", "/out/i", "/out/a"]);
        let sources = Search { files: &["*.rs", "src"], ends: &[], reach: SearchIn::Within };
        view.link("/p/q/x.rs", "/out/i").link("/p/q/src", "/out/d").dir("/p/src/y.rs");
        assert_eq!(led_to(&below(&view, &sources, b"/p")), ["/out/d", "/out/i"]);
    }

    #[test]
    fn what_is_made_anew_is_passed_over_but_not_where_a_tool_starts() {
        let mut view = tree();
        view.file("/p/target/CACHEDIR.TAG", "").link("/p/target/x/l", "/out/d");
        view.file("/venvs/a/pyvenv.cfg", "").file("/venvs/a/bin/x.py", "").link("/p/v", "/venvs/a");
        assert_eq!(led_to(&below(&view, &BELOW, b"/p")), [""; 0]);
        assert_eq!(led_to(&below(&view, &BELOW, b"/p/target")), ["/out/d"]);
    }

    #[test]
    fn some_go_through_what_is_hidden() {
        let all = Search { files: &["", ".*"], ends: &[], reach: SearchIn::Below };
        let mut view = tree();
        view.link("/p/.h/x", "/out/i").link("/p/a/.x", "/out/i").link("/p/b/__pycache__", "/out");
        assert_eq!(led_to(&below(&view, &all, b"/p")), ["/out/i", "/out/i", "/out"]);
        assert_eq!(led_to(&below(&view, &BELOW, b"/p")), ["/out"]);
        let caches = Search { files: &["__pycache__"], ends: &[], reach: SearchIn::Within };
        assert_eq!(led_to(&below(&view, &caches, b"/p")), ["/out"]);
    }

    #[test]
    fn it_is_known_whether_all_was_seen() {
        let mut view = tree();
        assert!(!below(&view, &BELOW, b"/p").too_many);
        for number in 0..DIRECTORIES_MAX {
            view.dir(format!("/p/{number}"));
        }
        assert!(below(&view, &BELOW, b"/p").too_many);
    }
}
