//! What git does not add, since a `.gitignore` says so (gitignore(5), and how git 2.47 reads such
//! files).
//!
//! Only what is surely left out counts. A pattern that is not understood leaves nothing out, and
//! takes back whatever it may match.

use crate::globs::{fit, fits};
use crate::path::Physical;
use crate::view::{FsView, Kind};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The longest file that is read, in bytes.
const SIZE_MAX: usize = 64 << 10;

/// What takes everything back.
const UNKNOWN: &[u8] = b"!*";

/// Is the file at this path below the top of a worktree, which begins with a slash, surely ignored?
pub(crate) fn is_ignored(view: &dyn FsView, top: &Physical, path: &[u8]) -> bool {
    let names: Vec<&[u8]> =
        path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).collect();
    // Later ones come before earlier ones, and those of a directory before those above it.
    let mut files = Vec::from_iter(own_rules(view, top.as_path()).map(|text| (0, text)));
    let mut directory = top.as_path().to_owned();
    for depth in 0..names.len() {
        files.extend(rules(view, &directory.join(".gitignore")).map(|text| (depth, text)));
        // Below a directory that is left out nothing is taken back.
        let is_directory = depth + 1 < names.len();
        let left_out = files.iter().fold(false, |left_out, (above, text)| {
            decided(text, left_out, &names[*above..=depth], is_directory)
        });
        if left_out {
            return true;
        }
        directory.push(OsStr::from_bytes(names[depth]));
    }
    false
}

/// What the repository itself leaves out, if it stands in this worktree.
fn own_rules(view: &dyn FsView, top: &Path) -> Option<Vec<u8>> {
    let git = top.join(".git");
    let stands_here = matches!(view.kind(&git), Ok(Kind::Dir));
    stands_here.then(|| rules(view, &git.join("info/exclude")))?
}

/// The text of such a file. One that cannot be read leaves nothing out, and may take everything
/// back; so may a link, which git reads or does not, by its version.
fn rules(view: &dyn FsView, file: &Path) -> Option<Vec<u8>> {
    match view.kind(file) {
        Ok(Kind::File) => {}
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return None;
        }
        _ => return Some(UNKNOWN.to_vec()),
    }
    match view.read(file, SIZE_MAX + 1) {
        Ok(text) if text.len() <= SIZE_MAX => Some(text),
        _ => Some(UNKNOWN.to_vec()),
    }
}

/// Is what has these names from where the file stands left out, once the file has been read?
fn decided(text: &[u8], left_out: bool, names: &[&[u8]], is_directory: bool) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split(|byte| *byte == b'\n').fold(left_out, |left_out, line| match Pattern::of(line) {
        None => left_out,
        Some(it) if it.takes_back => left_out && !it.may_match(names),
        Some(it) => left_out || it.matches(names, is_directory),
    })
}

/// One line of such a file.
struct Pattern<'a> {
    takes_back: bool,
    only_directories: bool,
    /// Without a slash it is one for a name, wherever that stands.
    anywhere: bool,
    /// Its names. `None`: it is not understood.
    names: Option<Vec<&'a [u8]>>,
}

impl<'a> Pattern<'a> {
    /// `None`: an empty line, or a comment.
    fn of(line: &'a [u8]) -> Option<Pattern<'a>> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"#") {
            return None;
        }
        let blanks = line.iter().rev().take_while(|byte| **byte == b' ').count();
        let line = &line[..line.len() - blanks];
        let (line, takes_back) = match line.strip_prefix(b"!") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        let (line, only_directories) = match line.strip_suffix(b"/") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        let anywhere = !line.contains(&b'/');
        let names: Vec<&[u8]> =
            line.strip_prefix(b"/").unwrap_or(line).split(|byte| *byte == b'/').collect();
        // A backslash before the blanks at its end may keep them.
        let understood = !line.iter().any(|byte| b"\\[\0".contains(byte))
            && names.iter().all(|name| !name.is_empty());
        Some(Pattern { takes_back, only_directories, anywhere, names: understood.then_some(names) })
    }

    /// Does it surely match what has these names?
    fn matches(&self, names: &[&[u8]], is_directory: bool) -> bool {
        let Some(pattern) = &self.names else { return false };
        (is_directory || !self.only_directories) && self.fits(pattern, names, &|a, b| a == b)
    }

    /// Might it match, where case does not count either?
    fn may_match(&self, names: &[&[u8]]) -> bool {
        let Some(pattern) = &self.names else { return true };
        // What is not ASCII may be folded in ways of its own.
        let same = |a: u8, b: u8| !a.is_ascii() || !b.is_ascii() || a.eq_ignore_ascii_case(&b);
        self.fits(pattern, names, &same)
    }

    fn fits(&self, pattern: &[&[u8]], names: &[&[u8]], same: &dyn Fn(u8, u8) -> bool) -> bool {
        match (self.anywhere, names.last()) {
            (true, Some(last)) => fits(pattern[0], last, same),
            _ => all_fit(pattern, names, same),
        }
    }
}

/// Do these names, each between slashes, fit the pattern's? `**` is any number of them, and at the
/// end at least one.
fn all_fit(pattern: &[&[u8]], names: &[&[u8]], same: &dyn Fn(u8, u8) -> bool) -> bool {
    let (pattern, names) = match (pattern.split_last(), names.split_last()) {
        (Some((last, _)), None) if *last == b"**" => return false,
        (Some((last, _)), Some((_, above))) if *last == b"**" => (pattern, above),
        _ => (pattern, names),
    };
    fit(pattern, names, |part| *part == b"**", |part, name| fits(part, name, same))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::resolve::{Last, resolve};
    use crate::view::MemoryView;
    use proptest::prelude::*;

    #[test]
    fn only_what_is_surely_left_out_is_ignored() {
        for (rules, path, ignored) in [
            (".env\n", "/.env", true),
            (".env\n", "/a/.env", true),
            ("/.env\n", "/a/.env", false),
            ("/.env", "/.env", true),
            ("# x\n\n.env*\r\n", "/.env.local", true),
            ("*.pem", "/a/b/x.pem", true),
            ("a/", "/a/.env", true),
            (".env/", "/.env", false),
            (".env\n!.env", "/.env", false),
            (".env\n!x", "/.env", true),
            ("!.env\n.env", "/.env", true),
            (".env*\n!.env.example", "/.env", true),
            (".env\n!.ENV", "/.env", false),
            (".env\n![.]env", "/.env", false),
            ("a\n!.env", "/a/.env", true),
            ("a/*\n!a/.env", "/a/.env", false),
            ("#.env", "/.env", false),
            (".ENV", "/.env", false),
            ("a/.env", "/a/.env", true),
            ("a/.env", "/a/a/.env", false),
            ("**/a/.env", "/a/a/.env", true),
            ("**/.env", "/.env", true),
            ("a/**", "/a/c/.env", true),
            ("a/**", "/a", false),
            ("a/**/.env", "/a/.env", true),
            ("c/*.pem", "/c/x.pem", true),
            ("c/*.pem", "/c/d/x.pem", false),
            ("/c*/x.pem", "/cd/x.pem", true),
            (".en?", "/.env", true),
            (".en[v]", "/.env", false),
            ("\\.env", "/.env", false),
            ("a//", "/a/.env", false),
            // Blanks at the end, and one carriage return, are no part of it; nothing else is none.
            (".env  ", "/.env", true),
            (".env \r\n", "/.env", true),
            (".env\t", "/.env", false),
            (".env\u{c}", "/.env", false),
            (".env\r \n", "/.env", false),
            (".env\r\r\n", "/.env", false),
            ("\u{feff}!.env", "/.env", false),
            (".env\n\u{feff}!x", "/.env", true),
            ("#x\n\u{feff}.env", "/.env", false),
            ("\u{feff}.env", "/.env", true),
            ("", "/.env", false),
        ] {
            let mut view = MemoryView::default();
            view.file("/p/.gitignore", rules).file("/p/a/b/x", "").file("/p/b/.gitignore", "!*");
            let top = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
            assert_eq!(is_ignored(&view, &top.path, path.as_bytes()), ignored, "{rules} {path}");
            assert!(!is_ignored(&view, &top.path, format!("/b{path}").as_bytes()), "{rules}");
        }
    }

    proptest! {
        #[test]
        fn patterns_fit_as_their_definition_has_it(
            pattern in "[ab*?]{0,7}",
            name in "[ab]{0,7}",
        ) {
            fn simply(pattern: &[u8], name: &[u8]) -> bool {
                match (pattern.split_first(), name.split_first()) {
                    (None, _) => name.is_empty(),
                    (Some((b'*', rest)), _) => {
                        (0..=name.len()).any(|at| simply(rest, &name[at..]))
                    }
                    (Some((first, rest)), Some((byte, tail))) => {
                        (first == byte || *first == b'?') && simply(rest, tail)
                    }
                    (Some(_), None) => false,
                }
            }
            let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
            prop_assert_eq!(fits(pattern, name, &|a, b| a == b), simply(pattern, name));
        }
    }

    /// In what the repository leaves out for itself, files of the worktree come after.
    #[test]
    fn the_repositorys_own_rules_count_and_links_do_not() {
        let ignored = |view: &MemoryView, path: &str| {
            let top = resolve(view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
            is_ignored(view, &top.path, path.as_bytes())
        };
        let mut view = MemoryView::default();
        view.file("/p/.git/info/exclude", ".env\n").file("/p/a/.gitignore", "!.env\n");
        assert!(ignored(&view, "/.env") && ignored(&view, "/b/.env") && !ignored(&view, "/a/.env"));
        view.file("/p/rules", ".env\n").link("/p/.gitignore", "rules");
        assert!(!ignored(&view, "/.env"));
    }
}
