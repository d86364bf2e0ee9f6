//! Patterns that tools expand themselves: where they may lead that no name in them says.

use crate::globs::alternatives;

/// May a tool that takes this for a pattern go up with it, or to the root of the file system, where
/// the text alone does not? `{src,..}/*.js`, `[.][.]/*.js`, `**/../*.js`.
pub(super) fn may_lead_up(text: &[u8]) -> bool {
    let is_pattern = text.iter().any(|byte| b"*?[{(".contains(byte));
    is_pattern
        && match alternatives(text) {
            None => true,
            Some(words) => words.iter().any(|word| leads_up(word, text)),
        }
}

/// The same of one word without braces, which stands for `text`.
fn leads_up(word: &[u8], text: &[u8]) -> bool {
    let mut in_pattern = word != text;
    let mut names = word.split(|byte| *byte == b'/');
    let is_absolute = word.starts_with(b"/") && !text.starts_with(b"/");
    is_absolute
        || names.any(|name| {
            in_pattern |= name.iter().any(|byte| b"*?[(".contains(byte));
            in_pattern && may_be_parent(name)
        })
}

/// May this be `..`? To no tool is that what `*` or `?` matches.
fn may_be_parent(name: &[u8]) -> bool {
    let (mut dots, mut groups, mut any) = (0, 0, false);
    let mut rest = name;
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'.' => dots += 1,
            b'[' => {
                let Some(end) = after.iter().skip(1).position(|byte| *byte == b']') else {
                    return false;
                };
                groups += 1;
                rest = &after[end + 2..];
            }
            // `@(..)` and its kin.
            b'(' => {
                let end = after.iter().rposition(|byte| *byte == b')').unwrap_or(after.len());
                any |= after[..end].contains(&b'.');
                rest = after.get(end + 1..).unwrap_or_default();
            }
            b'@' | b'+' | b'!' | b'?' | b'*' if rest.starts_with(b"(") => {}
            _ => return false,
        }
    }
    any || dots + groups == 2
}

#[cfg(test)]
mod tests {
    use super::may_lead_up;

    #[test]
    fn patterns_that_may_lead_up_are_known() {
        for pattern in [
            "{src,..}/*.js",
            "{src,../outside}/*.js",
            ".{.,}/outside/*.js",
            "{src,/abs}/*.js",
            "./{,../}outside/*.js",
            "{a,{b,..}}/x",
            "[.][.]/outside/*.js",
            ".[.]/*.js",
            "**/../outside/*.js",
            "*/../../x",
            "@(..)/x",
            "+(.)/x",
            &"{a,b}".repeat(9),
        ] {
            assert!(may_lead_up(pattern.as_bytes()), "{pattern}");
        }
        for pattern in [
            "src/**/*.{ts,tsx}",
            "{src,test}/**/*.js",
            "src/app/[id]/page.tsx",
            "src/app/[...slug]/page.tsx",
            "src/[[...slug]]/x",
            "../a/*.js",
            "a..b/*",
            "!(*.test).js",
            "file{1..3}.js",
            "**/*.[jt]s?(x)",
            "..",
            "/abs/*.js",
            "[",
            "{",
        ] {
            assert!(!may_lead_up(pattern.as_bytes()), "{pattern}");
        }
    }
}
