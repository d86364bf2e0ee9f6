//! Upward discovery: the files that a tool finds in the directory it starts in, and in those above.

use crate::path::Physical;
use crate::path::resolve::{End, Last, Unresolved, resolve};
use crate::verbs::{Search, SearchIn};
use crate::view::{FsView, Kind};
use std::collections::BTreeSet;

/// What a tool finds that starts in these directories, given as absolute paths. Some tools go up by
/// the name that the shell has for its directory, others by where it is: one path for each.
///
/// Tools read what stands in the home directory wherever they start, so that finding it on the way
/// says nothing new: what is found there counts only if the search ends with it.
pub(crate) fn found(
    view: &dyn FsView,
    search: &Search,
    starts: &BTreeSet<Vec<u8>>,
    home: Option<&Physical>,
) -> Result<BTreeSet<Physical>, (Vec<u8>, Unresolved)> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    // A view that sees nothing finds nothing.
    for start in starts.iter().filter(|_| view.sees()) {
        let mut directory = Some(&start[..]);
        while let Some(at) = directory.filter(|at| seen.insert(at.to_vec())) {
            if one_directory(view, search, at, home, &mut found)? || search.reach == SearchIn::Here
            {
                break;
            }
            directory = above(at);
        }
    }
    Ok(found)
}

/// Adds what stands in this directory. Does the search end here?
fn one_directory(
    view: &dyn FsView,
    search: &Search,
    directory: &[u8],
    home: Option<&Physical>,
    found: &mut BTreeSet<Physical>,
) -> Result<bool, (Vec<u8>, Unresolved)> {
    let at = |from: &Physical, text: &[u8]| {
        let place = resolve(view, from, text, Last::Follow);
        match place {
            Ok(place) => Ok(Some(place)),
            // Who may not look there finds nothing there either.
            Err(Unresolved::Unreadable) => Ok(None),
            Err(error) => Err((text.to_vec(), error)),
        }
    };
    let Some(here) = at(&Physical::root(), directory)?.filter(|it| it.end.may_be_directory())
    else {
        return Ok(false); // a file that a word names, or nothing
    };
    let is_home = Some(&here.path) == home;
    let mut ends = false;
    for file in search.files {
        if let Some(there) = at(&here.path, file.as_bytes())?
            && matches!(there.end, End::Found(_))
        {
            let last = search.ends.contains(file);
            // What the line makes or removes may not be there: then the search goes on.
            ends |= last && there.end != End::Found(Kind::Perhaps);
            if last || !is_home {
                found.insert(there.path);
            }
        }
    }
    Ok(ends)
}

/// The directory above, by its text.
pub(crate) fn above(directory: &[u8]) -> Option<&[u8]> {
    let at = directory.iter().rposition(|byte| *byte == b'/')?;
    match at {
        0 if directory.len() > 1 => Some(b"/"),
        0 => None,
        at => Some(&directory[..at]),
    }
}

#[cfg(test)]
mod tests;
