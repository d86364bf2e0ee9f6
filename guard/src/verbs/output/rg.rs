//! What `rg` prints names of.

use super::{Command, attached};

/// The options of `rg` with a value that do not keep it from printing names alone.
const VALUED: &[&[u8]] = &[b"-g", b"-t", b"-T", b"-e", b"--glob", b"--type", b"--type-not"];

impl<'w> Command<'_, 'w> {
    /// Is this an `rg` that prints names of files that stand where it looks, and nothing else?
    pub(super) fn names_only(&self) -> bool {
        const LISTS: &[&[u8]] = &[b"--files", b"--files-with-matches", b"--files-without-match"];
        const LONG: &[&[u8]] = &[b"--hidden", b"--no-ignore", b"--null", b"--ignore-case"];
        let mut lists = false;
        let mut words = self.words[1..].iter();
        while let Some(word) = words.next() {
            if LISTS.contains(word) {
                lists = true;
            } else if VALUED.contains(word) {
                words.next();
            } else if let [b'-', letters @ ..] = word
                && !LONG.contains(word)
                && !VALUED.iter().any(|it| it.len() > 2 && attached(word, it))
            {
                if !letters.iter().all(|letter| b"l0FPSUinsuwxv".contains(letter)) {
                    return false;
                }
                lists |= letters.contains(&b'l');
            }
        }
        lists
    }

    /// The globs of which one must match the name of each file that `rg` looks at.
    pub(super) fn globs_of_rg(&self) -> Vec<&'w [u8]> {
        let mut globs = Vec::new();
        let mut words = self.words[1..].iter();
        while let Some(word) = words.next() {
            let value = VALUED.contains(word).then(|| words.next()).flatten();
            globs.extend(value.filter(|_| matches!(*word, b"-g" | b"--glob")));
            globs.extend(word.strip_prefix(b"--glob="));
        }
        globs.retain(|glob| !glob.starts_with(b"!"));
        globs
    }
}
