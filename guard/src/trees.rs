//! What stands in a tree that is copied, moved, or taken into a repository: what may hold a secret
//! must not come along, nor what steers agents, git or shells.

use crate::globs::fits_in_any_case;
use crate::ignored::is_ignored;
use crate::path::Physical;
use crate::path::resolve::{End, Last, Unresolved, resolve};
use crate::protected::{is_guarded_path, is_secret_path};
use crate::verbs::Texts;
use crate::view::{FsView, Kind};
use std::cell::RefCell;
use std::os::unix::ffi::OsStrExt;

/// How many names are looked at below one directory.
const NAMES_MAX: usize = 10_000;

/// Directories of what others have written, in which names say little: `credentials.js`.
const INSTALLED: [&[u8]; 3] = [b".git", b"node_modules", b"site-packages"];

/// The same, and what builds make.
const NOT_SOURCES: [&[u8]; 5] = [b".git", b"node_modules", b"site-packages", b".venv", b"target"];

/// Is the path one of these that the person protects? By any of its names.
pub(crate) fn is_named(names: &[String], path: &[u8]) -> bool {
    let named = |name: &[u8]| names.iter().any(|it| fits_in_any_case(it.as_bytes(), name));
    !names.is_empty() && path.split(|byte| *byte == b'/').any(named)
}

/// Does what may hold a secret stand below `top`, and not in what is installed? `names` are those
/// that the person protects. A view that sees nothing shows no such place.
pub(crate) fn secret_below(
    view: &dyn FsView,
    top: &Physical,
    names: &[String],
) -> Result<bool, Unresolved> {
    let wanted = |path: &[u8], _: Kind| is_secret_path(path) || is_named(names, path);
    Ok(any_below(view, top, &INSTALLED, &wanted)?.is_some())
}

/// Does what may hold a secret stand at or below `below`, that git would take into the repository
/// of the worktree at `top`? Not what this ignores.
pub(crate) fn secret_added_below(
    view: &dyn FsView,
    top: &Physical,
    below: &Physical,
    names: &[String],
) -> Result<bool, Unresolved> {
    let prefix = below.as_bytes().strip_prefix(top.as_bytes()).ok_or(Unresolved::TooFar)?;
    let wanted = |path: &[u8], kind: Kind| {
        let path = [prefix, path].concat();
        let secret = is_secret_path(&path) || is_named(names, &path);
        secret && kind != Kind::Dir && !is_ignored(view, top, &path)
    };
    let itself = view.kind(below.as_path()).is_ok_and(|kind| wanted(b"", kind));
    Ok(itself || any_below(view, below, &INSTALLED, &wanted)?.is_some())
}

/// Does what steers agents, git or shells stand in the worktree at `top`, and is not ignored? Its
/// own `.git` is not meant.
pub(crate) fn guarded_unignored_below(
    view: &dyn FsView,
    top: &Physical,
) -> Result<bool, Unresolved> {
    let wanted = |path: &[u8], kind: Kind| {
        let guarded = path != b"/.git" && kind != Kind::Dir && is_guarded_path(path);
        guarded && !is_ignored(view, top, path)
    };
    Ok(any_below(view, top, &[b".git", b"node_modules"], &wanted)?.is_some())
}

/// Does another repository stand at or below `below`, in the worktree at `top`?
pub(crate) fn repository_below(
    view: &dyn FsView,
    top: &Physical,
    below: &Physical,
) -> Result<bool, Unresolved> {
    let own = if top == below { &b"/.git"[..] } else { b"" };
    let is_git = |path: &[u8]| {
        path.rsplit(|byte| *byte == b'/').next().is_some_and(|it| it.eq_ignore_ascii_case(b".git"))
    };
    Ok(any_below(view, below, &[b".git"], &|path, _| is_git(path) && path != own)?.is_some())
}

/// A place below `top` that steers agents, git or shells, if there is one. What packages bring
/// along, in a `node_modules` below it, steers nothing here.
pub(crate) fn guarded_below(
    view: &dyn FsView,
    top: &Physical,
) -> Result<Option<Physical>, Unresolved> {
    any_below(view, top, &[b"node_modules"], &|path, _| is_guarded_path(path))
}

/// A place below `top` that a tool would rewrite, since its name ends so, and that steers agents,
/// git or shells, or is a link. Not what is installed, or what builds make; and not a link to
/// another place below `top`, which is looked at by its own name.
pub(crate) fn steered_or_linked_below(
    view: &dyn FsView,
    top: &Physical,
    endings: &Texts,
) -> Result<Option<Physical>, Unresolved> {
    let leads_to_plain = |path: &[u8]| {
        resolve(view, top, &[b".", path].concat(), Last::Follow).is_ok_and(|there| {
            let below = there.path.as_bytes().strip_prefix(top.as_bytes());
            let is_there = matches!(there.end, End::Found(Kind::Dir | Kind::File));
            is_there && below.is_some_and(|it| it.starts_with(b"/") && !is_guarded_path(it))
        })
    };
    let wanted = |path: &[u8], kind: Kind| {
        let rewritten = endings.iter().any(|it| path.ends_with(it.as_bytes()));
        let plain = kind == Kind::File || (kind == Kind::Link && leads_to_plain(path));
        rewritten && kind != Kind::Dir && (!plain || is_guarded_path(path))
    };
    any_below(view, top, &NOT_SOURCES, &wanted)
}

/// The files of these names at or below `top`, not in what is installed, or what builds make: each
/// with the directory that it stands in.
pub(crate) fn named_below(
    view: &dyn FsView,
    top: &Physical,
    names: &[&str],
) -> Result<Vec<(Physical, Physical)>, Unresolved> {
    let found = RefCell::new(Vec::new());
    let wanted = |path: &[u8], kind: Kind| {
        let slash = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        let is = |name: &&str| name.as_bytes() == &path[(slash + 1).min(path.len())..];
        if kind != Kind::Dir && names.iter().any(is) {
            found.borrow_mut().push(path.to_vec());
        }
        false
    };
    any_below(view, top, &NOT_SOURCES, &wanted)?;
    let place = |path: &[u8]| {
        let at = |text: &[u8]| resolve(view, top, text, Last::Follow).map(|it| it.path);
        let text = [b".", path].concat();
        let slash = text.iter().rposition(|byte| *byte == b'/').unwrap_or(1);
        Ok((at(&text[..slash])?, at(&text)?))
    };
    found.into_inner().iter().map(|path| place(path)).collect()
}

/// A place below `top`, links not followed, of which this is true: of its path from there, which
/// begins with a slash. What stands in directories of these names is passed over.
fn any_below(
    view: &dyn FsView,
    top: &Physical,
    passed: &[&[u8]],
    wanted: &dyn Fn(&[u8], Kind) -> bool,
) -> Result<Option<Physical>, Unresolved> {
    let is_directory = |kind| matches!(kind, Kind::Dir | Kind::Perhaps);
    if !view.kind(top.as_path()).is_ok_and(is_directory) {
        return Ok(None);
    }
    let mut waiting = vec![(top.clone(), Vec::new())];
    let mut names = 0;
    while let Some((directory, path)) = waiting.pop().filter(|_| view.sees()) {
        let list = view.list(directory.as_path(), NAMES_MAX - names);
        let list = list.map_err(|_| Unresolved::TooFar)?;
        names += list.len();
        for name in list {
            let name = name.as_bytes();
            let found = resolve(view, &directory, name, Last::Keep)?;
            let path = [&path[..], b"/", name].concat();
            let kind = view.kind(found.path.as_path()).unwrap_or(Kind::Perhaps);
            if wanted(&path, kind) {
                return Ok(Some(found.path));
            }
            match found.end {
                End::Found(kind) if is_directory(kind) && !passed.contains(&name) => {
                    waiting.push((found.path, path));
                }
                _ => {}
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MemoryView;

    fn tree(paths: &[&str]) -> (MemoryView, Physical) {
        let mut view = MemoryView::default();
        view.dir("/p");
        for path in paths {
            view.file(format!("/p/{path}"), "");
        }
        let top = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
        (view, top.path)
    }

    #[test]
    fn what_holds_secrets_is_found_by_every_name_on_the_way() {
        let protected = ["*.sqlite".to_owned()];
        for (path, is_secret) in [
            ("a/.env", true),
            ("a/.ssh/deploy", true),
            ("vendor/.env", true),
            ("a/x.sqlite", true),
            ("node_modules/a/credentials.js", false),
            ("a/b", false),
        ] {
            let (view, top) = tree(&[path]);
            assert_eq!(secret_below(&view, &top, &protected), Ok(is_secret), "{path}");
        }
    }

    #[test]
    fn what_steers_is_found_by_more_than_one_name() {
        for (path, steers) in [
            (".github/hooks/x", true),
            ("a/CLAUDE.md", true),
            (".github/workflows/x", false),
            ("node_modules/a/CLAUDE.md", false),
        ] {
            let (view, top) = tree(&[path]);
            let found = guarded_below(&view, &top).expect("it can be looked at");
            assert_eq!(found.is_some(), steers, "{path}");
        }
        let (view, _) = tree(&["node_modules/CLAUDE.md"]);
        let top = resolve(&view, &Physical::root(), b"/p/node_modules", Last::Follow);
        let top = top.expect("it is there").path;
        assert!(guarded_below(&view, &top).expect("it can be looked at").is_some());
    }

    #[test]
    fn a_link_is_rewritten_where_it_leads() {
        for (target, is_rewritten) in [
            ("a/b.js", false),
            ("a", false),
            ("../q/b.js", true),
            ("missing.js", true),
            ("..", true),
            (".", true),
            (".git/hooks/x", true),
            ("a/../.git", true),
            ("CLAUDE.md", true),
        ] {
            let (mut view, top) = tree(&["a/b.js", ".git/hooks/x"]);
            view.file("/q/b.js", "");
            view.link("/p/l.js", target);
            let found = steered_or_linked_below(&view, &top, &Texts::Shipped(&[".js"]));
            assert_eq!(found.expect("it can be looked at").is_some(), is_rewritten, "{target}");
        }
    }

    #[test]
    fn what_is_too_much_to_look_at_is_not_taken_for_harmless() {
        let names: Vec<String> = (0..=NAMES_MAX).map(|number| number.to_string()).collect();
        let (view, top) = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(secret_below(&view, &top, &[]), Err(Unresolved::TooFar));
    }
}
