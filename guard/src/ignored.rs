//! What git does not add, since a `.gitignore` says so.
//!
//! Only what is surely left out counts: by names, perhaps with `*`, that no later line takes back.

use crate::path::Physical;
use crate::view::FsView;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The longest file that is read, in bytes.
const SIZE_MAX: usize = 64 << 10;

/// Is the file at this path below the top of a worktree, which begins with a slash, surely ignored?
pub(crate) fn is_ignored(view: &dyn FsView, top: &Physical, path: &[u8]) -> bool {
    let names: Vec<&[u8]> =
        path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).collect();
    let mut directory = top.as_path().to_owned();
    let mut ignored = false;
    for depth in 0..names.len() {
        if let Some(text) = rules(view, &directory) {
            // What takes something back may take this back.
            if text.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"!")) {
                return false;
            }
            ignored |=
                text.split(|byte| *byte == b'\n').any(|line| leaves_out(line, &names[depth..]));
        }
        directory.push(std::ffi::OsStr::from_bytes(names[depth]));
    }
    ignored
}

/// The text of the `.gitignore` of a directory. One that cannot be read leaves nothing out, and may
/// take everything back.
fn rules(view: &dyn FsView, directory: &Path) -> Option<Vec<u8>> {
    let file = directory.join(".gitignore");
    match view.read(&file, SIZE_MAX + 1) {
        Ok(text) if text.len() <= SIZE_MAX => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        _ => Some(b"!*".to_vec()),
    }
}

/// Does this line leave out what has these names from there?
fn leaves_out(line: &[u8], names: &[&[u8]]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.trim_ascii_end();
    let (name, only_directories) = match line.strip_suffix(b"/") {
        Some(name) => (name, true),
        None => (line, false),
    };
    let (name, only_here) = match name.strip_prefix(b"/") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let plain = !name.is_empty() && !name.iter().any(|byte| b"/\\?[#!".contains(byte));
    let may_be = |at: usize| (at == 0 || !only_here) && (at + 1 < names.len() || !only_directories);
    plain && names.iter().enumerate().any(|(at, it)| may_be(at) && fits(name, it))
}

/// Does a name fit a pattern in which `*` stands for anything? A letter is not another one.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).any(|at| fits(rest, &name[at..])),
        Some((first, rest)) => {
            name.split_first().is_some_and(|(letter, tail)| letter == first && fits(rest, tail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::resolve::{Last, resolve};
    use crate::view::MemoryView;

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
            (".env\n!x", "/.env", false),
            ("#.env", "/.env", false),
            (".ENV", "/.env", false),
            ("a/.env", "/a/.env", false),
            (".en?", "/.env", false),
            ("", "/.env", false),
        ] {
            let mut view = MemoryView::default();
            view.file("/p/.gitignore", rules).file("/p/a/b/x", "").file("/p/b/.gitignore", "!*");
            let top = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there");
            assert_eq!(is_ignored(&view, &top.path, path.as_bytes()), ignored, "{rules} {path}");
            assert!(!is_ignored(&view, &top.path, format!("/b{path}").as_bytes()), "{rules}");
        }
    }
}
