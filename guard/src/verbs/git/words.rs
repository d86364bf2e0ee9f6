//! Words of git's own languages: revisions, pathspecs and formats.

use crate::protected::is_secret_path;

/// Does this name, in any of the ways in which a revision or a pathspec can, a file that may hold a
/// secret? `HEAD:.env`, `:0:.env`, `:(top).env`, `:!.env` and `-L1,5:.env` do; a pattern does if it
/// can match nothing else.
pub(in crate::verbs) fn names_secret(text: &[u8]) -> bool {
    // Which of the colons ends the revision depends on what is between them: any of them may.
    let colons = text.iter().enumerate().filter(|(_, byte)| **byte == b':');
    let mut starts = colons.map(|(at, _)| at + 1);
    starts.any(|start| {
        let end = text[start..].windows(2).position(|two| two == b"..");
        let whole =
            is_secret_pattern(path(&text[start - 1..])) || is_secret_pattern(&text[start..]);
        whole || end.is_some_and(|end| is_secret_pattern(&text[start..start + end]))
    })
}

/// What may be the path of `REV:path`. Where the tree of the revision has none, git looks for it in
/// the directory, to say so.
pub(in crate::verbs) fn behind_colons(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    // An option; magic, and `:/text`, a commit by what it says.
    let revision = !matches!(text, [b'-', ..] | [b':', b'/' | b'(' | b'!' | b'^', ..]);
    let colons = text.iter().enumerate().filter(move |(_, byte)| revision && **byte == b':');
    colons.map(|(at, _)| &text[at + 1..]).filter(|path| !path.is_empty())
}

fn is_secret_pattern(path: &[u8]) -> bool {
    let plain: Vec<u8> = path.iter().copied().filter(|byte| !b"*?[]\\".contains(byte)).collect();
    is_secret_path(&plain)
}

/// Does the path of a pathspec with magic lead upwards? With some it begins at the top of the
/// worktree, which is not known here.
pub(in crate::verbs) fn leads_up_from_top(text: &[u8]) -> bool {
    text.starts_with(b":") && path(text).split(|byte| *byte == b'/').any(|name| name == b"..")
}

/// The path in a pathspec, without its magic (`:(top)`, `:/`, `:!`, `:^`; gitglossary(7)). git
/// itself refuses what leads out of the worktree, but looks at it first.
pub(in crate::verbs) fn path(text: &[u8]) -> &[u8] {
    let Some(magic) = text.strip_prefix(b":") else { return text };
    if let Some(long) = magic.strip_prefix(b"(") {
        let end = long.iter().position(|byte| *byte == b')');
        return end.map_or(text, |end| &long[end + 1..]);
    }
    let short = magic.iter().take_while(|byte| b"/!^".contains(byte)).count();
    magic[short..].strip_prefix(b":").unwrap_or(&magic[short..])
}

/// Does a format of `--format`, `--pretty` or `--sort` run nothing? `%G?` and its like, and
/// `%(signature)`, verify signatures with the program that is configured for it.
pub(in crate::verbs) fn runs_nothing(format: &[u8]) -> bool {
    let verifies = format.iter().enumerate().filter(|(_, byte)| **byte == b'%').any(|(at, _)| {
        let rest = &format[at + 1..];
        rest.iter().find(|byte| !b"+- ".contains(byte)) == Some(&b'G')
    });
    !verifies && !format.windows(9).any(|part| part.eq_ignore_ascii_case(b"signature"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_found_behind_colons() {
        for secret in [
            "HEAD:.env",
            "HEAD:a/.env",
            ":.env",
            ":0:.env",
            ":(top).env",
            ":!.env",
            ":/.env",
            "@{u}:.npmrc",
            "1,5:a.pem",
            "a:.env..b",
            "HEAD:.ssh/x",
            ":(top,glob)**/.env*",
            "HEAD:./.env",
        ] {
            assert!(names_secret(secret.as_bytes()), "{secret}");
        }
        for plain in ["HEAD", "HEAD:a", ":/fix", ":(exclude)a", "a..b", "HEAD:.env.example", ""] {
            assert!(!names_secret(plain.as_bytes()), "{plain}");
        }
    }

    #[test]
    fn magic_is_no_part_of_a_path() {
        for (text, expected) in [
            ("a", "a"),
            (":!../a", "../a"),
            (":^a", "a"),
            (":/a", "a"),
            (":(top,icase)a/b", "a/b"),
            (":(top", ":(top"),
            (":", ""),
            (":!:a", "a"),
            ("HEAD:a", "HEAD:a"),
            (":!/x", "x"),
        ] {
            assert_eq!(path(text.as_bytes()), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn formats_that_verify_are_known() {
        for verifies in ["%G?", "%h %GK", "%+GG", "% G?", "%-GS", "%(signature:key)", "-signature"]
        {
            assert!(!runs_nothing(verifies.as_bytes()), "{verifies}");
        }
        for plain in ["oneline", "format:%h%x09%an", "%Cgreen%h", "%(refname:short)", "%", ""] {
            assert!(runs_nothing(plain.as_bytes()), "{plain}");
        }
    }
}
