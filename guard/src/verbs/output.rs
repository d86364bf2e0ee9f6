//! What commands print, as far as it is known from their words.

mod rg;

use super::selected::{FoundNames, Selected, ending_of_glob, endings_of_regex};
use super::uses::{Uses, Word};
use super::{find, uses};
use crate::protected::{passes_secrets, selects_secrets};
use crate::syntax::tree::Text;

/// What a command prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output<'w> {
    /// A decimal number. BSD's `wc` writes blanks before it, which a number may have.
    Number,
    /// The same, or nothing.
    Digits,
    /// The numbers from one to another, up or down, or nothing.
    Sequence(i64, i64),
    /// Text that is no pattern.
    Plain,
    /// The name of an object of git's, or one like these, or nothing.
    Revision(Vec<Vec<u8>>),
    /// The top of the worktree that git finds.
    Toplevel,
    /// Names of what it finds.
    Names {
        /// Which ones.
        found: FoundNames<'w>,
        /// Do they not begin with these paths, so that one may look like an option?
        bare: bool,
        /// Is each ended by NUL, and not by a newline?
        exact: bool,
        /// Does git's index hold them, so that some may not be there to be seen?
        tracked: bool,
        /// Globs: each name matches one of them. Empty if the names were not selected so.
        globs: Vec<Vec<u8>>,
    },
    /// Names of what is in these directories, without the directories', or of these files.
    Entries(Vec<Text<'w>>),
    /// Some of the lines that come in, whole, in some order: if they are names, these.
    Lines(Selected),
    /// Anything.
    Anything,
}

impl Output<'_> {
    /// The same, for when the words are gone.
    pub fn into_owned(self) -> Output<'static> {
        let owned = |paths: Vec<Text<'_>>| {
            paths.into_iter().map(|path| Text::Owned(path.into_owned())).collect()
        };
        match self {
            Output::Number => Output::Number,
            Output::Digits => Output::Digits,
            Output::Sequence(first, last) => Output::Sequence(first, last),
            Output::Plain => Output::Plain,
            Output::Revision(others) => Output::Revision(others),
            Output::Toplevel => Output::Toplevel,
            Output::Names { found, bare, exact, tracked, globs } => {
                Output::Names { found: found.into_owned(), bare, exact, tracked, globs }
            }
            Output::Entries(of) => Output::Entries(owned(of)),
            Output::Lines(which) => Output::Lines(which),
            Output::Anything => Output::Anything,
        }
    }
}

/// What a command of these words prints, if all of them are known.
pub fn output<'w>(words: &[Word<'w>]) -> Output<'w> {
    let known: Option<Vec<&'w [u8]>> = words.iter().map(|word| word.whole()).collect();
    match known {
        Some(words) if !words.is_empty() => Command { words: &words }.output(),
        _ => Output::Anything,
    }
}

struct Command<'r, 'w> {
    words: &'r [&'w [u8]],
}

impl<'w> Command<'_, 'w> {
    fn output(&self) -> Output<'w> {
        let plain = |is: bool| if is { Output::Plain } else { Output::Anything };
        match self.words[0] {
            b"nproc" if self.words.len() == 1 => Output::Number,
            b"wc" if matches!(self.words, [_, b"-l" | b"-c" | b"-w" | b"-m"]) => Output::Number,
            b"arch" | b"hostname" | b"id" | b"tty" | b"uname" | b"whoami" => Output::Plain,
            b"seq" if self.sequence().is_some() => {
                let (first, last) = self.sequence().unwrap_or_default();
                Output::Sequence(first, last)
            }
            b"wc" | b"date" | b"seq" | b"basename" | b"dirname" | b"echo" => {
                plain(self.words[1..].iter().all(|word| !is_pattern(word)))
            }
            b"git" => self.of_git(),
            b"find" => self.found(),
            b"ls" => self.listed(),
            b"grep" | b"egrep" | b"fgrep" if self.counts() => match self.operands() {
                1 => Output::Number,
                _ => Output::Digits,
            },
            b"grep" | b"egrep" | b"fgrep" if self.lists_files() => {
                self.matched(self.options().any(|word| word.contains(&b'Z')))
            }
            b"rg" if self.names_only() => {
                let letter = |word: &&[u8]| !word.starts_with(b"--") && word.contains(&b'0');
                self.matched(self.has(&[b"--null"]) || self.options().any(letter))
            }
            b"head" | b"tail" | b"sort" | b"uniq" | b"grep" | b"egrep" | b"fgrep"
                if self.passes_lines() =>
            {
                Output::Lines(self.passed())
            }
            _ => Output::Anything,
        }
    }

    fn options(&self) -> impl Iterator<Item = &&[u8]> {
        self.words[1..].iter().filter(|word| word.starts_with(b"-"))
    }

    fn operands(&self) -> usize {
        self.words.len() - 1 - self.options().count()
    }

    fn has(&self, list: &[&[u8]]) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    /// Are all options made of these letters?
    fn only(&self, letters: &[u8]) -> bool {
        self.options().all(|word| word[1..].iter().all(|letter| letters.contains(letter)))
    }

    fn uses(&self) -> Option<Uses<'w>> {
        uses(&find(self.words[0])?, &self.known()).ok()
    }

    fn known(&self) -> Vec<Word<'w>> {
        self.words.iter().map(|word| Word::Is(word)).collect()
    }

    /// Names of branches and hashes hold no pattern (`git-check-ref-format(1)`).
    fn of_git(&self) -> Output<'w> {
        match &self.words[1..] {
            [b"rev-parse", b"--show-toplevel"] => Output::Toplevel,
            [b"rev-parse", rest @ ..] => of_rev_parse(rest),
            [b"describe", rest @ ..] if rest.iter().all(|word| names_a_tag(word)) => Output::Plain,
            [b"log", b"-1", b"--format=%H" | b"--format=%h" | b"--pretty=%H" | b"--pretty=%h"] => {
                Output::Revision(Vec::new())
            }
            // What fails prints nothing, so that these may be no word at all.
            [b"log", b"-1", b"--format=%ct" | b"--format=%at"] => Output::Plain,
            [b"branch", b"--show-current"] => Output::Plain,
            [b"merge-base", a, b] if is_revision(a) && is_revision(b) => {
                Output::Revision(Vec::new())
            }
            [b"rev-list", b"--count", range] | [b"rev-list", range, b"--count"]
                if !range.starts_with(b"-") =>
            {
                Output::Plain
            }
            [b"ls-files", rest @ ..] => tracked(rest),
            _ => Output::Anything,
        }
    }

    /// What `find` prints: names that begin with where it starts.
    fn found(&self) -> Output<'w> {
        const OTHER: &[&[u8]] = &[b"-printf", b"-ls", b"-exec"];
        let uses = self.uses().filter(|uses| !self.has(OTHER) && !uses.prints_secrets);
        let Some(uses) = uses else { return Output::Anything };
        let Ok(which) = find::printed(&self.known()) else { return Output::Anything };
        let Uses { paths, globs, .. } = uses;
        let paths = paths.into_iter().filter(|it| it.under).map(|it| it.text).collect();
        let found = FoundNames { paths, which };
        Output::Names { found, bare: false, exact: self.has(&[b"-print0"]), tracked: false, globs }
    }

    fn listed(&self) -> Output<'w> {
        if !self.only(b"1rtSdA") {
            return Output::Anything;
        }
        let operands = self.words[1..].iter().filter(|word| !word.starts_with(b"-"));
        let named: Vec<Text<'w>> = operands.map(|word| Text::Borrowed(word)).collect();
        let as_named = self.options().any(|word| word.contains(&b'd'));
        let hidden = self.options().any(|word| word.contains(&b'A'));
        match named.is_empty() {
            true if hidden => here(Selected::HERE.flat()),
            true => here(Selected::HERE.and(Selected::SEEN).flat()),
            false if hidden && !as_named => Output::Anything,
            false if as_named => {
                let (bare, exact, tracked, globs) = (false, false, false, Vec::new());
                let found = FoundNames { paths: named.into(), which: Selected::HERE };
                Output::Names { found, bare, exact, tracked, globs }
            }
            false => Output::Entries(named),
        }
    }

    /// From where to where does this `seq` count? Larger numbers BSD's writes with an exponent.
    fn sequence(&self) -> Option<(i64, i64)> {
        let number = |word: &[u8]| {
            let text = std::str::from_utf8(word).ok()?;
            let number: i64 = text.parse().ok()?;
            (number.to_string() == text && number.abs() < 100_000).then_some(number)
        };
        match self.words {
            [_, last] => Some((1, number(last)?)),
            [_, first, last] => Some((number(first)?, number(last)?)),
            [_, first, step, last] => {
                number(step)?;
                Some((number(first)?, number(last)?))
            }
            _ => None,
        }
    }

    /// Is this a `grep -c` of what comes in, or of one file? Of one that is not there it prints
    /// nothing, and of several their names.
    fn counts(&self) -> bool {
        let letters = |word: &&[u8]| word[1..].iter().all(|letter| b"ciEFwxvG".contains(letter));
        self.options().all(letters)
            && self.options().any(|word| word.contains(&b'c'))
            && matches!(self.operands(), 1 | 2)
    }

    /// Is this a `grep -l`, and nothing that prints lines?
    fn lists_files(&self) -> bool {
        let letters =
            |word: &[u8]| word[1..].iter().all(|letter| b"rRlinEFwxvGIsLZ".contains(letter));
        let filter =
            |word: &[u8]| word.starts_with(b"--include=") || word.starts_with(b"--exclude");
        let lists = |word: &[u8]| letters(word) && (word.contains(&b'l') || word.contains(&b'L'));
        self.options().any(|word| lists(word))
            && self.options().all(|word| filter(word) || letters(word))
    }

    /// Names of files that are searched. Without an operand they do not begin with where that is.
    fn matched(&self, exact: bool) -> Output<'w> {
        let Some(uses) = self.uses() else { return Output::Anything };
        // What comes in has no name of a file.
        if uses.stdin || self.has(&[b"-"]) {
            return Output::Anything;
        }
        // What is an option to those that find them anywhere is no name of a file.
        let named = uses.paths.into_iter().filter(|it| !(it.may && it.text.starts_with(b"-")));
        let paths = named.map(|it| it.text).collect();
        let found = FoundNames { paths, which: self.searched() };
        Output::Names { found, bare: true, exact, tracked: false, globs: Vec::new() }
    }

    /// Which names are searched below a directory. `rg` passes over links, and so does GNU's
    /// `grep -r`; that of busybox reads the files that they lead to.
    fn searched(&self) -> Selected {
        const INCLUDE: &[u8] = b"--include=";
        if self.words[0] == b"rg" {
            // A glob that is asked for shows what it matches.
            let shows = |word: &[u8]| match word {
                [b'-', b'-', name @ ..] => [&b"hidden"[..], b"unrestricted", b"glob", b"iglob"]
                    .iter()
                    .any(|shown| name.starts_with(shown)),
                letters => letters.iter().any(|letter| b".ug".contains(letter)),
            };
            let hidden = self.options().any(|word| shows(word));
            let asked_for = self.globs_of_rg();
            return match (hidden, asked_for.is_empty()) {
                (false, _) => Selected::NO_LINKS.and(Selected::SEEN),
                (true, true) => Selected::NO_LINKS,
                (true, false) => {
                    let endings = asked_for.into_iter().map(ending_of_glob).collect();
                    Selected::NO_LINKS.and(Selected::ending(endings))
                }
            };
        }
        let letters = |word: &&[u8]| !word.starts_with(b"--") && word.contains(&b'R');
        if self.options().any(letters) {
            return Selected::ANY;
        }
        let globs = self.options().filter_map(|word| word.strip_prefix(INCLUDE));
        let endings: Vec<Vec<u8>> = globs.map(ending_of_glob).collect();
        match endings.is_empty() {
            true => Selected::HERE,
            false => Selected::HERE.and(Selected::ending(endings)),
        }
    }

    /// Which names a filter lets through, if names come in.
    fn passed(&self) -> Selected {
        let extended = match self.words[0] {
            b"egrep" => true,
            b"grep" => self.options().any(|word| word.contains(&b'E')),
            _ => return Selected::ANY,
        };
        let pattern = self.words[1..].iter().find(|word| !word.starts_with(b"-"));
        match pattern.filter(|_| self.only(b"iEG")) {
            Some(regex) => Selected::ending(endings_of_regex(regex, extended)),
            None => Selected::ANY,
        }
    }

    fn passes_lines(&self) -> bool {
        match self.words[0] {
            b"head" | b"tail" => {
                let number = |word: &&&[u8]| word.iter().all(u8::is_ascii_digit);
                let numbers = self.words[1..].iter().filter(number).count();
                self.operands() == numbers
                    && numbers == usize::from(self.has(&[b"-n"]))
                    && self.only(b"n0123456789")
            }
            b"sort" => self.operands() == 0 && self.only(b"ruVnfbd"),
            b"uniq" => self.operands() == 0 && self.only(b"du"),
            _ => {
                let drops = self.options().any(|word| word.contains(&b'v'));
                let secrets = self.words[1..].iter().any(|pattern| passes_secrets(pattern));
                self.operands() == 1 && self.only(b"viEFwxG") && (drops || !secrets)
            }
        }
    }
}

/// `--glob=VALUE`.
fn attached(word: &[u8], option: &[u8]) -> bool {
    word.strip_prefix(option).is_some_and(|rest| rest.starts_with(b"="))
}

/// Names at or below the working directory, which do not begin with it.
fn here(which: Selected) -> Output<'static> {
    let found = FoundNames { paths: [Text::Borrowed(&b"."[..])].into(), which };
    Output::Names { found, bare: true, exact: false, tracked: false, globs: Vec::new() }
}

/// What `git rev-parse` prints. What it knows no object for it prints as it is.
fn of_rev_parse(words: &[&[u8]]) -> Output<'static> {
    // The name of a branch may look like an option, to whoever has made it so.
    const HARMLESS: [&[u8]; 2] = [b"--short", b"--verify"];
    if words.contains(&&b"--abbrev-ref"[..]) {
        return match words.iter().all(|word| word.starts_with(b"--") || is_revision(word)) {
            true => Output::Plain,
            false => Output::Anything,
        };
    }
    match words.iter().filter(|word| !HARMLESS.contains(word)).collect::<Vec<_>>()[..] {
        [revision] if is_revision(revision) => Output::Revision(vec![revision.to_vec()]),
        _ => Output::Anything,
    }
}

/// An option of `git describe` under which it prints a name, perhaps with a count and a hash.
fn names_a_tag(word: &[u8]) -> bool {
    const HARMLESS: [&[u8]; 5] = [b"--tags", b"--always", b"--long", b"--all", b"--abbrev=0"];
    HARMLESS.contains(&word) || is_revision(word)
}

/// Is it the name of one revision, without a path?
fn is_revision(word: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./~^-".contains(byte);
    let from_root = word.first().is_none_or(|first| b"-/".contains(first));
    word.iter().all(plain) && !from_root && !word.windows(2).any(|two| two == b"..")
}

/// What `git ls-files` prints: names from where it is, unless a pathspec leads elsewhere.
fn tracked<'w>(words: &[&'w [u8]]) -> Output<'w> {
    const HARMLESS: [&[u8]; 10] = [
        b"-z",
        b"-m",
        b"-o",
        b"-c",
        b"-d",
        b"--modified",
        b"--others",
        b"--cached",
        b"--deleted",
        b"--exclude-standard",
    ];
    let below = |word: &[u8]| {
        let leads_up = word.split(|byte| *byte == b'/').any(|name| name == b"..");
        !b":/".contains(&word[0]) && !leads_up && !selects_secrets(word)
    };
    let harmless = |word: &&[u8]| match word {
        [] => false,
        [b'-', ..] => HARMLESS.contains(word) || *word == b"--",
        _ => below(word),
    };
    let others = words.contains(&&b"--"[..]) && words.last().is_some_and(|it| it.starts_with(b"-"));
    let specs = || words.iter().copied().filter(|word| !word.starts_with(b"-"));
    // Without a wildcard it may name a directory.
    let is_wild = |spec: &[u8]| spec.iter().any(|byte| b"*?[\\".contains(byte));
    let which = match specs().next().is_some() && specs().all(is_wild) {
        true => Selected::HERE.and(Selected::ending(specs().map(ending_of_glob).collect())),
        false => Selected::HERE,
    };
    let top = |spec: &'w [u8]| match spec.iter().position(|byte| b"*?[\\".contains(byte)) {
        Some(wild) => spec[..wild].iter().rposition(|byte| *byte == b'/').map(|at| &spec[..at]),
        None => Some(spec),
    };
    let here = Text::Borrowed(&b"."[..]);
    let mut paths: Vec<Text<'w>> =
        specs().map(|spec| top(spec).map_or(here.clone(), Text::Borrowed)).collect();
    if paths.is_empty() {
        paths.push(here);
    }
    match words.iter().all(harmless) && !others {
        true => {
            let found = FoundNames { paths: paths.into(), which };
            let exact = words.contains(&&b"-z"[..]);
            Output::Names { found, bare: true, exact, tracked: true, globs: Vec::new() }
        }
        false => Output::Anything,
    }
}

/// Could what is made of this text be a pattern? dash's `echo` takes `\052` for a star.
fn is_pattern(word: &[u8]) -> bool {
    word.iter().any(|byte| b"*?[\\".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(command: &str) -> String {
        let words: Vec<Word<'_>> =
            command.split(' ').map(|word| Word::Is(word.as_bytes())).collect();
        let list = |paths: Vec<Text<'_>>| {
            let texts = paths.iter().map(|path| String::from_utf8_lossy(path).into_owned());
            texts.collect::<Vec<_>>().join(" ")
        };
        match output(&words) {
            Output::Number => "number".to_owned(),
            Output::Digits => "digits".to_owned(),
            Output::Sequence(first, last) => format!("{first} to {last}"),
            Output::Plain => "plain".to_owned(),
            Output::Revision(others) => {
                format!("revision {}", list(others.into_iter().map(Text::Owned).collect()))
            }
            Output::Toplevel => "toplevel".to_owned(),
            Output::Names { found, bare, exact, tracked, .. } => {
                let bare = if bare { "bare " } else { "" };
                let exact = if exact { "exact " } else { "" };
                let tracked = if tracked { "tracked " } else { "" };
                format!("{bare}{exact}{tracked}below {}", list(found.paths.to_vec()))
            }
            Output::Entries(of) => format!("of {}", list(of)),
            Output::Lines(_) => "lines".to_owned(),
            Output::Anything => "?".to_owned(),
        }
    }

    // tidy: table
    #[rustfmt::skip]
    const COMMANDS: &[(&str, &str)] = &[
        ("nproc", "number"), ("wc -l", "number"), ("wc -l a", "plain"), ("wc", "plain"),
        ("wc -l *", "?"), ("echo a b", "plain"), ("echo a\\052", "?"), ("date +%F", "plain"),
        ("date +*", "?"), ("whoami", "plain"), ("cat a", "?"), ("pwd", "?"),
        ("git rev-parse --short HEAD", "revision HEAD"),
        ("git rev-parse a", "revision a"), ("git rev-parse a:b", "?"),
        ("git rev-parse ../a", "?"), ("git rev-parse a b", "?"), ("git rev-parse --all", "?"),
        ("git rev-parse --show-toplevel", "toplevel"), ("git rev-list --count a..b", "plain"), ("git rev-parse --abbrev-ref HEAD", "plain"),
        ("git describe --tags --abbrev=0", "plain"), ("nproc --all", "?"), ("git describe --contains a", "?"),
        ("git log -1 --format=%H", "revision "), ("git log -1 --format=%ct", "plain"),
        ("git rev-list --count --left-right a...b", "?"), ("git rev-list --all --count", "?"),
        ("git merge-base main HEAD", "revision "), ("git merge-base --all a", "?"),
        ("git branch --show-current", "plain"),
        ("git ls-files", "bare tracked below ."), ("git ls-files -t", "?"),
        ("git ls-files -z", "bare exact tracked below ."), ("git log", "?"),
        ("git ls-files -m *.rs src", "bare tracked below . src"), ("git ls-files a/b/*.c x", "bare tracked below a/b x"), ("git ls-files ../a", "?"),
        ("git ls-files :/", "?"), ("git ls-files .env*", "?"), ("git ls-files -- -s", "?"),
        ("rg -l a", "bare below ."), ("rg -l a b c", "bare below b c"), ("rg a", "?"),
        ("rg --files -g *.rs", "bare below ."), ("rg -il0 a", "bare exact below ."),
        ("rg -L -l a", "?"), ("rg -lc a", "?"), ("rg -l --glob=*.rs a b", "bare below b"),
        ("find", "below ."), ("find a b -name c", "below a b"), ("find a -print0", "exact below a"),
        ("find a -printf x", "?"), ("find a -exec ls {} ;", "?"), ("find a -nosuch", "?"),
        ("ls", "bare below ."), ("ls -1t", "bare below ."), ("ls a b", "of a b"),
        ("ls -d a b", "below a b"), ("ls -a", "?"), ("ls -l", "?"), ("ls -F", "?"),
        ("grep -rl a b", "bare below b"), ("grep -rl a", "bare below ."), ("grep -l a b c", "bare below b c"),
        ("grep -lc a b", "?"), ("grep a b", "?"), ("grep -v a", "lines"), ("grep -o a", "?"),
        ("grep -c a", "number"), ("grep -c a b", "digits"), ("grep -ci a b", "digits"),
        ("grep -rc a b", "?"), ("grep -c", "?"), ("seq 3", "1 to 3"), ("seq 5 -1 1", "5 to 1"),
        ("seq 01 3", "plain"), ("seq 1.5 3", "plain"), ("seq -w 3", "plain"), ("seq 999999", "plain"),
        ("seq", "plain"), ("seq 1 2 3 4", "plain"), ("grep -l a", "?"), ("grep -c a b c", "?"),
        ("grep -rlZ a b", "bare exact below b"), ("grep -rl a b --include=*.c", "bare below b"), ("grep env", "?"), ("grep .ts$", "lines"),
        ("grep -v env", "lines"), ("uniq -d", "lines"),
        ("head -5", "lines"), ("head -n 5", "lines"), ("head -c 5", "?"),
        ("head a", "?"), ("tail -n +5", "?"), ("sort -u", "lines"), ("sort a", "?"),
        ("uniq", "lines"), ("uniq -c", "?"), ("sort -o a", "?"),
    ];

    #[test]
    fn what_is_printed_is_known_as_the_table_says() {
        for (command, expected) in COMMANDS {
            assert_eq!(shown(command), *expected, "{command:?}");
        }
    }
}
