//! What is asked of the names that an index holds.

use super::{HASHES, Search};
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::protected::is_secret_path;
use crate::verbs::Form;
use crate::view::FsView;
use std::collections::BTreeSet;

/// Names that an index holds, all of which `xargs` and a shell take as they are, and none for an
/// option. Files of these names need not be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tracked {
    /// Does one of them stand in what is a link now, and no directory?
    pub(crate) behind_links: bool,
    /// May one of them be a secret?
    pub(crate) secrets: bool,
}

/// What git tracks that starts in `from`. Nothing comes back if that cannot be told, or if a name
/// means more.
pub(crate) fn tracked(view: &dyn FsView, from: &Physical) -> Option<Tracked> {
    if !view.sees() {
        return Some(Tracked::default());
    }
    let mut search = Search { form: Form { opens: true, ..Form::default() }, ..Search::new(view) };
    let Some(found) = search.upwards(from).ok()? else { return Some(Tracked::default()) };
    let top = found.worktree.as_ref()?;
    HASHES.iter().find_map(|hash| {
        let (mut plain, mut secrets, mut directories) = (true, false, BTreeSet::new());
        let mut show = |_, path: &[u8]| {
            plain &= is_plain_path(path);
            secrets |= is_secret_path(path);
            let slash = path.iter().rposition(|byte| *byte == b'/');
            directories.extend(slash.map(|at| path[..at].to_vec()));
        };
        search.index(&found.own, *hash, &mut show).ok()?;
        let here = |directory: &Vec<u8>| {
            resolve(view, top, directory, Last::Follow).is_ok_and(|there| {
                let below = there.path.as_bytes().strip_prefix(top.as_bytes());
                below.is_some_and(|it| it.strip_prefix(b"/").unwrap_or(it) == &directory[..])
            })
        };
        plain.then(|| Tracked { behind_links: !directories.iter().all(here), secrets })
    })
}

/// Does git track a file of which this is true, from this directory, apart from what the line
/// itself adds? Nothing comes back if that cannot be told.
pub(crate) fn tracks(
    view: &dyn FsView,
    from: &Physical,
    is: &dyn Fn(&[u8]) -> bool,
) -> Option<bool> {
    let mut search = Search::new(view);
    if !view.sees() {
        return Some(false);
    }
    let Some(found) = search.upwards(from).ok()? else { return Some(false) };
    HASHES.iter().find_map(|hash| {
        let mut any = false;
        let mut show = |_, path: &[u8]| any |= is(path);
        search.index(&found.own, *hash, &mut show).ok()?;
        Some(any)
    })
}

/// Does git track this file, or something below this directory? Nothing comes back if that cannot
/// be told.
pub(crate) fn tracks_below(view: &dyn FsView, place: &Physical) -> Option<bool> {
    let mut search = Search::new(view);
    if !view.sees() {
        return Some(false);
    }
    let Some(found) = search.upwards(place).ok()? else { return Some(false) };
    let Some(top) = &found.worktree else { return Some(false) };
    let below = place.as_bytes().strip_prefix(top.as_bytes())?;
    let below = below.strip_prefix(b"/").unwrap_or(below);
    let is = |path: &[u8]| {
        let rest = path.strip_prefix(below);
        below.is_empty() || rest.is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
    };
    HASHES.iter().find_map(|hash| {
        let mut any = false;
        search.index(&found.own, *hash, &mut |_, path| any |= is(path)).ok()?;
        Some(any)
    })
}

/// Printable ASCII without blanks, quotes and what patterns are made of, that begins like nothing
/// but a name wherever git starts to print it.
fn is_plain_path(path: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_graphic() && !b"'\"\\*?[".contains(byte);
    let mut names = path.split(|byte| *byte == b'/');
    path.iter().all(plain) && !names.any(|it| it.first().is_some_and(|it| b"-@:".contains(it)))
}
