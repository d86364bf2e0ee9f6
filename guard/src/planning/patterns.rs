//! Patterns that tools expand themselves: where they may lead that no name in them says.

/// How many words the braces of one pattern may stand for.
const WORDS_MAX: usize = 256;

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

/// The words that the braces of a pattern stand for. `None`: too many to look at.
fn alternatives(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut words = vec![text.to_vec()];
    let mut done = Vec::new();
    while let Some(word) = words.pop() {
        let Some((before, inside, after)) = first_braces(&word) else {
            done.push(word);
            if done.len() > WORDS_MAX {
                return None;
            }
            continue;
        };
        let parts = at_commas(inside);
        // `{1..3}` is a number, and `{a}` itself.
        if parts.len() == 1 {
            words.push([before, b"x", after].concat());
        } else {
            words.extend(parts.into_iter().map(|part| [before, part, after].concat()));
        }
        if words.len() > WORDS_MAX {
            return None;
        }
    }
    Some(done)
}

/// What stands before, in and behind the first pair of braces.
fn first_braces(word: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let open = word.iter().position(|byte| *byte == b'{')?;
    let mut depth = 0_usize;
    for (at, byte) in word.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&word[..open], &word[open + 1..at], &word[at + 1..]));
        }
    }
    None
}

/// The parts between the commas that stand in no further braces.
fn at_commas(inside: &[u8]) -> Vec<&[u8]> {
    let mut depth = 0_usize;
    inside
        .split(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            *byte == b',' && depth == 0
        })
        .collect()
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
