//! Matching of patterns as git and other tools match them, for names that are bytes. What shells
//! expand is read in `flow::words`.

use crate::few::Few;
use std::borrow::Cow;

/// How many words the braces of one pattern may stand for, and how long it may be, in bytes, if it
/// has braces.
const WORDS_MAX: usize = 256;
const LENGTH_MAX: usize = 4096;

/// Does a name fit a pattern in which `*` stands for anything, and `?` for one byte?
pub(crate) fn fits(pattern: &[u8], name: &[u8], same: &dyn Fn(u8, u8) -> bool) -> bool {
    fit(pattern, name, |part| *part == b'*', |part, byte| *part == b'?' || same(*part, *byte))
}

/// Does a text fit a pattern in which some parts stand for any number of the text's? What one of
/// them has taken is never given back to one before it, so that this takes no more than the
/// product of both lengths.
pub(crate) fn fit<P, T>(
    pattern: &[P],
    text: &[T],
    is_any: impl Fn(&P) -> bool,
    is_one: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut part, mut at) = (0, 0);
    let mut retry = None;
    loop {
        match (pattern.get(part), text.get(at)) {
            (Some(it), _) if is_any(it) => {
                part += 1;
                retry = Some((part, at));
                continue;
            }
            (Some(it), Some(one)) if is_one(it, one) => {
                (part, at) = (part + 1, at + 1);
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        match &mut retry {
            Some((after, taken)) if *taken < text.len() => {
                *taken += 1;
                (part, at) = (*after, *taken);
            }
            _ => return false,
        }
    }
}

/// Does a name fit a pattern in which `*` stands for anything? Without regard to case.
pub(crate) fn fits_in_any_case(pattern: &[u8], name: &[u8]) -> bool {
    let same = |part: &u8, byte: &u8| part.eq_ignore_ascii_case(byte);
    fit(pattern, name, |part| *part == b'*', same)
}

/// The words that the braces of a pattern stand for; `{a}` is `a`, as most tools have it. `None`:
/// too many to look at.
pub(crate) fn alternatives(pattern: &[u8]) -> Option<Few<Cow<'_, [u8]>>> {
    if braces(pattern).is_none() {
        return Some(Few::one(pattern.into()));
    }
    if pattern.len() > LENGTH_MAX {
        return None;
    }
    let mut words = vec![pattern.to_vec()];
    let mut done = Few::new();
    while let Some(word) = words.pop() {
        match braces(&word) {
            None => done.push(word.into()),
            Some((before, inside, after)) => {
                let parts = at_commas(inside);
                words.extend(parts.map(|part| [before, part, after].concat()));
            }
        }
        if done.len() + words.len() > WORDS_MAX {
            return None;
        }
    }
    Some(done)
}

/// What stands before, in and behind the first pair of braces.
fn braces(word: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    // From behind, so that one that is never closed costs nothing.
    let mut closed_at = Vec::new();
    let mut first = None;
    for (at, byte) in word.iter().enumerate().rev() {
        match byte {
            b'}' => closed_at.push(at),
            b'{' => first = closed_at.pop().map(|end| (at, end)).or(first),
            _ => {}
        }
    }
    let (open, end) = first?;
    Some((&word[..open], &word[open + 1..end], &word[end + 1..]))
}

/// The parts between the commas that stand in no further braces.
fn at_commas(inside: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut depth = 0_usize;
    inside.split(move |byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *byte == b',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::{alternatives, fits_in_any_case};

    #[test]
    fn braces_stand_for_words() {
        for (pattern, words) in [
            ("a", &["a"][..]),
            ("{a,b}", &["b", "a"]),
            ("{x,.{env,y}}", &[".y", ".env", "x"]),
            (".{e,x}{n,m}", &[".xm", ".xn", ".em", ".en"]),
            ("{a}", &["a"]),
            ("{a,{b,c}", &["{a,c", "{a,b"]),
            ("}{", &["}{"]),
            ("{", &["{"]),
        ] {
            let found = alternatives(pattern.as_bytes()).expect("few words");
            let found: Vec<&[u8]> = found.iter().map(|it| &**it).collect();
            let words: Vec<&[u8]> = words.iter().map(|it| it.as_bytes()).collect();
            assert_eq!(found, words, "{pattern}");
        }
        assert!(alternatives("{a,b}".repeat(9).as_bytes()).is_none());
        assert!(alternatives("{a}".repeat(10_000).as_bytes()).is_none());
        assert!(alternatives("{".repeat(60_000).as_bytes()).is_some());
    }

    #[test]
    fn many_stars_are_no_work() {
        let pattern = "*a".repeat(1_000);
        assert!(!fits_in_any_case(pattern.as_bytes(), "a".repeat(999).as_bytes()));
        assert!(fits_in_any_case(pattern.as_bytes(), "A".repeat(2_000).as_bytes()));
    }
}
