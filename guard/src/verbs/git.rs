//! `git`: options of its own, then a sub-command.
//!
//! Sub-commands are verbs whose names have several words, the longest of which counts. Of the
//! options before them only those are declared that neither set configuration nor name another
//! repository; `-C` moves what follows.

use super::find_any;
use super::grammar::{Class, Grammar, Meaning, Options, Verb};
use super::reading;
use super::uses::{Adds, Form, InRepository, Objection, Use, Uses, Why, Word};
use crate::plan::Role;
use crate::short::Short;
use crate::syntax::tree::Text;

pub(super) mod words;

/// What the words of a `git` use.
pub(super) fn read<'w>(words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let (directories, at) = before_sub_command(words)?;
    if let ([], [Word::Is(b"--version" | b"-v")]) = (&directories[..], &words[at..]) {
        return Ok(Uses::default());
    }
    let Some((verb, options, last)) = sub_command(words, at) else {
        return Err(match words.get(at) {
            None => Objection { word: 0, why: Why::Missing },
            Some(word) if word.whole().is_none() => Objection { word: at, why: Why::Unknown },
            Some(_) => Objection { word: at, why: Why::Undeclared },
        });
    };
    let mut uses = match words[last + 1..] {
        // The same as with --get. Without a dot it would be a sub-command, or none.
        [Word::Is(name)] if verb.name == "git config" && is_key(name) => Uses::default(),
        _ => reading::read(options, &words[last..])
            .map_err(|Objection { word, why }| Objection { word: last + word, why })?,
    };
    let mut directory = Text::Borrowed(b".");
    let mut entered = Vec::new();
    for (word, text) in directories {
        directory = below(&directory, &text.into());
        entered.push(Use::of(word, directory.clone(), Role::Enter));
    }
    for it in &mut uses.paths {
        it.word += last;
        it.text = below(&directory, &it.text);
    }
    // Text, as that of `-S`, is neither a path nor a revision.
    let revisions = matches!(options.operands.rest, Some(Meaning::Revision));
    let mut named = vec![false; words.len()];
    uses.paths.iter().for_each(|it| named[it.word] = true);
    for (word, text) in words.iter().enumerate().skip(last + 1) {
        let is_named = revisions || named[word];
        for path in words::behind_colons(text.known()).filter(|_| is_named) {
            let tested = Use::of(word, below(&directory, &path.into()), Role::Test);
            uses.paths.push(Use { may: true, ..tested });
        }
    }
    uses.paths.splice(0..0, entered);
    uses.edits = verb.entry.class == Class::Edit;
    let history = shows_history(verb.name, &words[last..]);
    let form = Form {
        worktrees: verb.name == "git worktree list",
        refreshes: matches!(verb.name, "git describe" | "git diff" | "git status"),
        writes: uses.edits,
        adds: adds(verb.name, &words[last..], &uses),
        opens: matches!(verb.name, "git grep" | "git ls-files"),
        attributes: history || matches!(verb.name, "git blame" | "git diff-files" | "git status"),
        history,
        extends: matches!(verb.name, "git add" | "git checkout" | "git commit" | "git switch"),
        restores: verb.name.starts_with("git stash") && uses.edits,
    };
    let takes = if form.adds == Adds::Anything { taken(&uses) } else { Vec::new() };
    uses.repository = Some(InRepository { directory, form, takes });
    Ok(uses)
}

/// Does it show differences between what was tracked at other times? For that git looks for
/// attributes. Of `git log` an option asks for them, of `git diff` a revision.
fn shows_history(name: &str, words: &[Word<'_>]) -> bool {
    const LETTERS: &[u8] = b"cGLmpSuUWX";
    const OPTIONS: [&str; 19] = [
        "--cc",
        "--check",
        "--color-words",
        "--compact-summary",
        "--diff-filter",
        "--dirstat",
        "--follow",
        "--function-context",
        "--name-only",
        "--name-status",
        "--numstat",
        "--patch",
        "--raw",
        "--remerge-diff",
        "--shortstat",
        "--stat",
        "--summary",
        "--unified",
        "--word-diff",
    ];
    let shows = |word: &Word<'_>| match word.known() {
        text @ [b'-', b'-', ..] => OPTIONS.iter().any(|it| text.starts_with(it.as_bytes())),
        [b'-', letters @ ..] => letters.iter().any(|letter| LETTERS.contains(letter)),
        _ => false,
    };
    match name {
        "git log" | "git reflog" | "git reflog show" | "git stash list" => words.iter().any(shows),
        "git diff" => {
            let staged = |word: &Word<'_>| matches!(word.known(), b"--cached" | b"--staged");
            let mut before = words.iter().skip(1).take_while(|word| **word != Word::Is(b"--"));
            before.any(|word| staged(word) || !word.known().starts_with(b"-"))
        }
        "git diff-index" | "git diff-tree" | "git show" | "git stash show" => true,
        // What stands beside the pattern may be a revision.
        "git grep" => {
            let before = words.iter().skip(1).take_while(|word| **word != Word::Is(b"--"));
            let (options, named): (Vec<&Word<'_>>, Vec<_>) =
                before.partition(|word| word.known().starts_with(b"-"));
            // The pattern is the value of an option, the rest of its word or the next one, or else
            // the first operand.
            let value = |letters: &[u8]| letters.iter().any(|it| b"ef".contains(it));
            let letters =
                options.iter().map(|it: &&Word<'_>| it.known()).filter(|it| !it.starts_with(b"--"));
            let with_value: Vec<&[u8]> = letters.filter(|it| value(it)).collect();
            let is_next = |it: &&&[u8]| it.last().is_some_and(|last| value(&[*last]));
            let patterns = match with_value.is_empty() {
                true => 1,
                false => with_value.iter().filter(is_next).count(),
            };
            named.len() > patterns
        }
        _ => false,
    }
}

/// Is it the name of a setting, and nothing else?
fn is_key(name: &[u8]) -> bool {
    name.contains(&b'.') && !name.starts_with(b"-")
}

/// What a form takes into the repository.
fn adds(name: &str, words: &[Word<'_>], uses: &Uses<'_>) -> Adds {
    let all = |word: &Word<'_>| match word.known() {
        b"--all" => true,
        [b'-', b'-', ..] => false,
        // The letters before that of a value.
        [b'-', letters @ ..] => letters.iter().take_while(|it| **it != b'm').any(|it| *it == b'a'),
        _ => false,
    };
    let untracked = |word: &Word<'_>| match word.known() {
        b"--include-untracked" => true,
        [b'-', b'-', ..] => false,
        [b'-', letters @ ..] => letters.iter().take_while(|it| **it != b'm').any(|it| *it == b'u'),
        _ => false,
    };
    match name {
        "git add" => Adds::Anything,
        "git stash" | "git stash push" if words.iter().any(untracked) => Adds::Anything,
        "git stash" | "git stash push" => Adds::Tracked,
        "git commit" if words.iter().any(all) || !uses.paths.is_empty() => Adds::Tracked,
        _ => Adds::Nothing,
    }
}

/// The paths below which files are taken in. A pathspec that is a pattern, or has magic, is any.
fn taken<'w>(uses: &Uses<'w>) -> Vec<Text<'w>> {
    let plain = |it: &Use<'_>| !it.text.iter().any(|byte| b"*?[\\:".contains(byte));
    let named = || uses.paths.iter().filter(|it| it.role == Role::Read && !it.may);
    match named().all(plain) {
        true => named().map(|it| it.text.clone()).collect(),
        false => Vec::new(),
    }
}

/// A directory that `-C` names, and the word that names it.
type Directory<'w> = (usize, &'w [u8]);

/// The directories that `-C` enters one after the other, and where the sub-command stands.
fn before_sub_command<'w>(words: &[Word<'w>]) -> Result<(Vec<Directory<'w>>, usize), Objection> {
    let mut directories = Vec::new();
    let mut at = 1;
    while let Some(Word::Is(text)) = words.get(at) {
        match *text {
            b"-P" | b"--no-pager" | b"--no-optional-locks" => at += 1,
            b"-C" => {
                let missing = Objection { word: at, why: Why::Missing };
                let word = words.get(at + 1).ok_or(missing)?;
                // A repository is looked for there: it is more than a path.
                let unknown = Objection { word: at + 1, why: Why::Unknown };
                directories.push((at + 1, word.whole().ok_or(unknown)?));
                at += 2;
            }
            _ => break,
        }
    }
    Ok((directories, at))
}

/// The declared sub-command with the longest name that begins at `at`, and its last word.
fn sub_command(words: &[Word<'_>], at: usize) -> Option<(Verb<'static>, &'static Options, usize)> {
    const MOST_WORDS: usize = 2;
    let mut name: Short<u8, 32> = b"git"[..].into();
    let mut found = None;
    for (index, word) in words.iter().enumerate().skip(at).take(MOST_WORDS) {
        let Some(text) = word.whole().filter(|text| !text.contains(&b' ')) else { break };
        name.push(b' ');
        name.extend_from_slice(text);
        if let Some(verb) = find_any(&name)
            && let Grammar::Options(options) = &verb.entry.grammar
        {
            found = Some((verb, options, index));
        }
    }
    found
}

/// A path as it is named after a directory has been entered.
fn below<'w>(directory: &Text<'w>, text: &Text<'w>) -> Text<'w> {
    match (&directory[..], &text[..]) {
        (b".", _) | (_, [b'/', ..]) => text.clone(),
        (_, b"") => directory.clone(),
        (directory, text) => Text::Owned([directory, b"/", text].concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_in_a_revision_looks_for_attributes() {
        for (line, shows) in [
            ("grep a", false),
            ("grep -n -i a", false),
            ("grep -e a", false),
            ("grep a -- src", false),
            ("grep a HEAD~1", true),
            ("grep -e a HEAD~1", true),
            ("grep -ea HEAD~1", true),
            ("grep -n a HEAD~1 -- src", true),
        ] {
            let words: Vec<Word<'_>> = line.split(' ').map(|it| Word::Is(it.as_bytes())).collect();
            assert_eq!(shows_history("git grep", &words), shows, "{line}");
        }
    }
}
