//! What words use in several ways, put together: elsewhere, with a sub-command, or as another tool
//! of the name reads them.

use super::uses::{Use, Uses};
use crate::syntax::tree::Text;

/// The paths that are taken from where the tool starts, perhaps, and each such place.
pub(super) fn moved<'w>(uses: &Uses<'w>) -> Vec<Use<'w>> {
    let relative = |it: &Use<'_>| it.word > 0 && !it.text.starts_with(b"/");
    let mut place = Text::Borrowed(b".");
    let mut moved = Vec::new();
    for start in &uses.moves {
        place = match relative(start) {
            true => [&place[..], b"/", &start.text].concat().into(),
            false => start.text.clone(),
        };
        moved.push(Use { text: place.clone(), ..start.clone() });
    }
    for it in uses.paths.iter().filter(|it| relative(it) && !uses.moves.contains(it)) {
        let text = [&place[..], b"/", &it.text].concat().into();
        moved.push(Use { text, may: true, ..it.clone() });
    }
    moved
}

/// What a verb uses, and then its sub-command.
pub(super) fn behind<'w>(mut verb: Uses<'w>, sub: Uses<'w>) -> Uses<'w> {
    verb.paths.extend(sub.paths);
    verb.written.extend(sub.written);
    verb.rewritten.extend(sub.rewritten);
    verb.suffixes.extend(sub.suffixes);
    verb.moves.extend(sub.moves);
    verb.seeks.extend(sub.seeks);
    let Uses { stdin, runs, bins, scripts, .. } = sub;
    Uses { stdin, runs, bins, scripts, ..verb }
}

/// Adds what only the second reading uses.
pub(super) fn join<'w>(uses: &mut Uses<'w>, other: Uses<'w>) {
    uses.stdin |= other.stdin;
    uses.written.extend(other.written);
    uses.rewritten.extend(other.rewritten);
    uses.suffixes.extend(other.suffixes);
    // Only those of one word are compared: a command may have thousands.
    uses.paths.sort_by_key(|it| it.word);
    let sorted = uses.paths.len();
    for it in other.paths {
        let covers = |its: &Use<'_>| {
            (&its.text, its.role) == (&it.text, it.role)
                && its.under >= it.under
                && its.follow >= it.follow
        };
        let of_word = |its: &&Use<'_>| its.word == it.word;
        let (first, added) = uses.paths.split_at(sorted);
        let start = first.partition_point(|its| its.word < it.word);
        let known = first[start..].iter().take_while(of_word);
        if !known.chain(added.iter().rev().take_while(of_word)).any(covers) {
            uses.paths.push(Use { may: true, ..it });
        }
    }
    uses.paths.sort_by_key(|it| it.word);
}

/// `diff FILE DIR` reads `DIR/FILE`: which of them is a directory is not asked here.
pub(super) fn beside_each_other<'w>(paths: &[Use<'w>]) -> Vec<Use<'w>> {
    let [a, b] = paths else { return Vec::new() };
    let name = |path: &[u8]| {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        path.rsplit(|byte| *byte == b'/').next().unwrap_or(path).to_vec()
    };
    let inside = |directory: &Use<'w>, file: &Use<'w>| Use {
        word: directory.word,
        text: [&directory.text[..], b"/", &name(&file.text)].concat().into(),
        may: true,
        ..file.clone()
    };
    let pairs = [(a, b), (b, a)].into_iter().filter(|(it, _)| *it.text != *b"/dev/null");
    pairs.map(|(directory, file)| inside(directory, file)).collect()
}
