//! What tools reach beside the paths that they are given: through links below them, and above them.

use crate::flow::Place;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Unresolved, resolve};
use crate::scope::Scope;
use crate::syntax::tree::Text;
use crate::verbs::{Selected, Texts};
use crate::view::{FsView, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How many names are looked at below one directory.
const NAMES_MAX: usize = 10_000;

/// Which links are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Those that stand in a directory.
    In,
    /// Those below it, through links into other directories as well.
    Below,
    /// Those below it that are selected, by whoever follows none on the way.
    Found(Selected),
}

impl Links {
    /// Those of whose names something is found.
    pub(crate) fn found(which: &Selected) -> Links {
        if which.follow { Links::Below } else { Links::Found(which.clone()) }
    }
}

/// Every place that such links lead to, with the link that does, as it is called from `top`; or the
/// first of them, of several. A view that sees nothing shows no links.
pub(crate) type LedTo = BTreeMap<Physical, Vec<u8>>;

/// Where such links lead.
pub(crate) fn links_below(
    view: &dyn FsView,
    scope: &Scope,
    top: &Physical,
    which: &Links,
) -> Result<LedTo, Unresolved> {
    let mut led_to = LedTo::new();
    if !view.sees() {
        return Ok(led_to);
    }
    let mut entered = BTreeSet::from([top.clone()]);
    let mut waiting = vec![(top.clone(), Vec::new())];
    let mut names = 0;
    while let Some((directory, called)) = waiting.pop() {
        let budget = NAMES_MAX - names;
        let list = view.list(directory.as_path(), budget).map_err(|_| Unresolved::TooFar)?;
        names += list.len();
        for name in list {
            let name = name.as_bytes();
            let mut found = resolve(view, &directory, name, Last::Keep)?;
            if found.end == End::Found(Kind::Link) {
                match which {
                    Links::Found(selected) if !selected.may_be_link(name) => continue,
                    _ => found = resolve(view, &directory, name, Last::Follow)?,
                }
                led_to.entry(found.path.clone()).or_insert_with(|| [&called, name].concat());
                if matches!(which, Links::Found(_)) {
                    continue;
                }
            }
            // What lies outside is said already, and nobody's to look into.
            let is_directory = matches!(found.end, End::Found(Kind::Dir | Kind::Perhaps))
                && scope.root_of(&found.path).is_some();
            if *which != Links::In && is_directory && entered.insert(found.path.clone()) {
                waiting.push((found.path, [&called, name, b"/"].concat()));
            }
        }
    }
    Ok(led_to)
}

/// What is asked of names below a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// May they stand at the start of a word, so that none must look like an option, a list of
    /// words (`@f`), or magic of git's (`:(top)`)?
    pub(crate) bare: bool,
    /// Are those behind links asked as well?
    pub(crate) follow: bool,
}

/// From every one of these places: are all of these files, and not named like options?
pub(crate) fn are_files(view: &dyn FsView, places: &[Place], paths: &[Text<'_>]) -> bool {
    let is_file = |place: &Place, path: &Text<'_>| {
        resolve(view, &place.physical, path, Last::Follow)
            .is_ok_and(|it| matches!(it.end, End::Found(Kind::File | Kind::Unseen)))
    };
    places
        .iter()
        .all(|place| paths.iter().all(|path| !path.starts_with(b"-") && is_file(place, path)))
}

/// Printable ASCII without blanks, quotes and what patterns are made of.
pub(crate) fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_graphic() && !b"'\"\\*?[".contains(byte))
}

/// Is every name at and below `top` one that `xargs` takes as it is, `grep` for text, and a shell
/// for no pattern? A view that sees nothing shows no other.
pub(crate) fn all_plain_below(view: &dyn FsView, top: &Physical, names: Names) -> bool {
    let Names { bare, follow } = names;
    let last = if follow { Last::Follow } else { Last::Keep };
    let mut entered = BTreeSet::from([top.clone()]);
    let mut waiting = vec![top.clone()];
    let mut count = 0;
    while let Some(directory) = waiting.pop() {
        if !view.sees() {
            continue;
        }
        match view.kind(directory.as_path()) {
            Ok(Kind::Dir) => {}
            // What the line makes, or changes, has names that are not seen.
            Ok(Kind::Perhaps) => return false,
            Err(error) if error.kind() == ErrorKind::ResourceBusy => return false,
            Ok(_) | Err(_) => continue,
        }
        let Ok(list) = view.list(directory.as_path(), NAMES_MAX - count) else { return false };
        count += list.len();
        for name in list {
            let name = name.as_bytes();
            // Further down a name stands behind a slash.
            let begins_word = bare && directory == *top;
            let means_more =
                begins_word && name.first().is_some_and(|first| b"-@:".contains(first));
            if !is_plain(name) || means_more {
                return false;
            }
            // What follows links prints names behind them.
            match resolve(view, &directory, name, last) {
                Ok(found) if found.end == End::Found(Kind::Dir) => {
                    if entered.insert(found.path.clone()) {
                        waiting.push(found.path);
                    }
                }
                Ok(found) if found.end == End::Found(Kind::Perhaps) => return false,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }
    true
}

/// The files of these names in the directories from `starts` up to the root of the file system, and
/// what is read where a `.git` among them is a file.
pub(crate) fn files_above<'a>(
    view: &dyn FsView,
    starts: impl Iterator<Item = &'a Physical>,
    names: &Texts,
) -> BTreeSet<Physical> {
    let mut found = BTreeSet::new();
    if names.is_empty() || !view.sees() {
        return found;
    }
    let starts: BTreeSet<&Physical> = starts.collect();
    let directories: BTreeSet<&Path> =
        starts.iter().flat_map(|it| it.as_path().ancestors()).collect();
    for directory in directories {
        for name in names.iter() {
            let text = [directory.as_os_str().as_bytes(), b"/", name.as_bytes()].concat();
            match resolve(view, &Physical::root(), &text, Last::Follow) {
                Ok(it) if it.end == End::Found(Kind::File) => {
                    if name == ".git" {
                        found.extend(behind_git_file(view, &it.path, starts.iter().copied()));
                    }
                    found.insert(it.path);
                }
                // A directory is only looked at, and what cannot be resolved cannot be read.
                _ => {}
            }
        }
    }
    found
}

/// How much of a file is read that names a place.
const POINTER_MAX: usize = 8 << 10;

/// What ripgrep and its kin read where `.git` is a file, as in a linked worktree: which patterns
/// the repository leaves out. Where that is, they take from where they run, not from where the file
/// stands; both count.
pub(crate) fn behind_git_file<'a>(
    view: &dyn FsView,
    git: &Physical,
    starts: impl Iterator<Item = &'a Physical>,
) -> BTreeSet<Physical> {
    let mut read = BTreeSet::new();
    let first_line = |file: &Physical| {
        let text = view.read(file.as_path(), POINTER_MAX).ok()?;
        text.split(|byte| *byte == b'\n').next().map(|line| line.trim_ascii_end().to_vec())
    };
    let Some(line) = first_line(git) else { return read };
    let Some(text) = line.strip_prefix(b"gitdir: ") else { return read };
    let beside = resolve(view, git, b"..", Last::Follow).ok().map(|it| it.path);
    for from in starts.cloned().chain(beside) {
        let Ok(common) = resolve(view, &from, &[text, b"/commondir"].concat(), Last::Follow) else {
            continue; // who cannot get there reads nothing
        };
        // Of a relative one it is not said from where it is meant.
        if common.end == End::Missing && !text.starts_with(b"/") {
            continue;
        }
        if let Some(shared) = first_line(&common.path) {
            let text = match shared.first() {
                Some(b'.') => [text, b"/", &shared, b"/info/exclude"].concat(),
                _ => [&shared[..], b"/info/exclude"].concat(),
            };
            let there = resolve(view, &from, &text, Last::Follow);
            read.extend(there.ok().filter(|it| it.end != End::Missing).map(|it| it.path));
        }
        read.insert(common.path);
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MemoryView;
    use std::path::PathBuf;

    fn below(view: &MemoryView, top: &[u8]) -> Result<Vec<String>, Unresolved> {
        let top = resolve(view, &Physical::root(), top, Last::Follow)?.path;
        let roots = ["/p", "/r"].map(PathBuf::from);
        let roots: Vec<_> = roots.into_iter().filter(|it| view.kind(it).is_ok()).collect();
        let scope = Scope::new(&roots, view).expect("roots");
        let led_to = links_below(view, &scope, &top, &Links::Below)?;
        let shown = |(path, link): (&Physical, &Vec<u8>)| {
            format!("{} {path}", String::from_utf8_lossy(link))
        };
        Ok(led_to.iter().map(shown).collect())
    }

    #[test]
    fn links_are_followed_through_links() {
        let mut view = MemoryView::default();
        view.file("/p/a/f", "").link("/p/a/out", "/q").link("/q/on", "/s").link("/p/in", "/r");
        view.link("/r/on", "/s");
        view.link("/p/a/up", "..").link("/p/dangling", "nosuch");
        let all = below(&view, b"/p").expect("it can be followed");
        assert_eq!(all, ["a/up /p", "dangling /p/nosuch", "a/out /q", "in /r", "in/on /s"]);
        assert_eq!(below(&view, b"/q").expect("it can be followed"), ["on /s"]);
    }

    #[test]
    fn what_cannot_be_followed_to_the_end_is_an_error() {
        let mut view = MemoryView::default();
        view.link("/p/loop", "loop");
        assert_eq!(below(&view, b"/p"), Err(Unresolved::Loop));
        for number in 0..=NAMES_MAX {
            view.file(format!("/many/{number}"), "");
        }
        assert_eq!(below(&view, b"/many"), Err(Unresolved::TooFar));
    }

    #[test]
    fn files_above_are_found_where_links_lead() {
        let mut view = MemoryView::default();
        view.file("/p/a/f", "").file("/.ignore", "").file("/q/rules", "").dir("/p/.git");
        view.link("/p/.ignore", "/q/rules");
        let start =
            resolve(&view, &Physical::root(), b"/p/a/f", Last::Follow).expect("it is there");
        let above = |view: &MemoryView| {
            let names = Texts::Shipped(&[".git", ".ignore"]);
            let all = files_above(view, [&start.path].into_iter(), &names);
            all.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(above(&view), ["/.ignore", "/q/rules"]);
        view.file("/p/a/.git", "gitdir: ../../g/w\n");
        assert_eq!(above(&view), ["/.ignore", "/p/a/.git", "/q/rules"]);
        view.file("/g/w/commondir", "../x\n").file("/g/x/info/exclude", "");
        let read = ["/.ignore", "/g/w/commondir", "/g/x/info/exclude", "/p/a/.git", "/q/rules"];
        assert_eq!(above(&view), read);
        view.file("/g/w/commondir", "/x").file("/x/info/exclude", "");
        assert!(above(&view).contains(&"/x/info/exclude".to_owned()));
    }
}
