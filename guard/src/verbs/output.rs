//! What commands print, as far as it is known from their words.

use super::uses::{Uses, Word};
use super::{find, uses};
use crate::protected::selects_secrets;
use crate::syntax::tree::Text;

/// What a command prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output<'w> {
    /// A decimal number. That of `wc` is not among them: BSD writes blanks before it.
    Number,
    /// Text that is no pattern.
    Plain,
    /// Names of what stands at or below these paths.
    Names {
        /// The paths.
        below: Vec<Text<'w>>,
        /// Do they not begin with these paths, so that one may look like an option?
        bare: bool,
        /// Is each ended by NUL, and not by a newline?
        exact: bool,
    },
    /// Names of what is in these directories, without the directories', or of these files.
    Entries(Vec<Text<'w>>),
    /// Some of the lines that come in, whole, in some order.
    Lines,
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
            Output::Plain => Output::Plain,
            Output::Names { below, bare, exact } => {
                Output::Names { below: owned(below), bare, exact }
            }
            Output::Entries(of) => Output::Entries(owned(of)),
            Output::Lines => Output::Lines,
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
            b"nproc" => Output::Number,
            b"arch" | b"hostname" | b"id" | b"tty" | b"uname" | b"whoami" => Output::Plain,
            b"wc" | b"date" | b"seq" | b"basename" | b"dirname" | b"echo" => {
                plain(self.words[1..].iter().all(|word| !is_pattern(word)))
            }
            b"git" => self.of_git(),
            b"find" => self.found(),
            b"ls" => self.listed(),
            b"grep" | b"egrep" | b"fgrep" if self.lists_files() => self.matched(),
            b"head" | b"tail" | b"sort" | b"uniq" | b"grep" | b"egrep" | b"fgrep"
                if self.passes_lines() =>
            {
                Output::Lines
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
        let words: Vec<_> = self.words.iter().map(|word| Word::Is(word)).collect();
        uses(find(self.words[0])?, &words).ok()
    }

    /// Names of branches and hashes hold no pattern (`git-check-ref-format(1)`).
    fn of_git(&self) -> Output<'w> {
        match &self.words[1..] {
            [b"rev-parse", rest @ ..] => {
                const HARMLESS: [&[u8]; 4] = [b"HEAD", b"--short", b"--abbrev-ref", b"--verify"];
                let harmless = |word: &&[u8]| HARMLESS.contains(word);
                if rest.iter().all(harmless) { Output::Plain } else { Output::Anything }
            }
            [b"branch", b"--show-current"] | [b"merge-base", _, _] => Output::Plain,
            [b"ls-files"] => {
                Output::Names { below: vec![Text::Borrowed(b".")], bare: true, exact: false }
            }
            [b"ls-files", b"-z"] => {
                Output::Names { below: vec![Text::Borrowed(b".")], bare: true, exact: true }
            }
            _ => Output::Anything,
        }
    }

    /// What `find` prints: names that begin with where it starts.
    fn found(&self) -> Output<'w> {
        const OTHER: &[&[u8]] = &[b"-printf", b"-ls", b"-exec"];
        let uses = self.uses().filter(|uses| !self.has(OTHER) && !uses.prints_secrets);
        let Some(uses) = uses else { return Output::Anything };
        let starts = uses.paths.into_iter().filter(|it| it.under);
        let below = starts.map(|it| it.text).collect();
        Output::Names { below, bare: false, exact: self.has(&[b"-print0"]) }
    }

    fn listed(&self) -> Output<'w> {
        if !self.only(b"1rtSdA") {
            return Output::Anything;
        }
        let operands = self.words[1..].iter().filter(|word| !word.starts_with(b"-"));
        let named: Vec<Text<'w>> = operands.map(|word| Text::Borrowed(word)).collect();
        let as_named = self.options().any(|word| word.contains(&b'd'));
        match named.is_empty() {
            true => Output::Names { below: vec![Text::Borrowed(b".")], bare: true, exact: false },
            false if as_named => Output::Names { below: named, bare: false, exact: false },
            false => Output::Entries(named),
        }
    }

    /// Is this a `grep -l`, and nothing that prints lines?
    fn lists_files(&self) -> bool {
        let letters =
            |word: &[u8]| word[1..].iter().all(|letter| b"rRlinEFwxvGIs".contains(letter));
        let filter =
            |word: &[u8]| word.starts_with(b"--include=") || word.starts_with(b"--exclude");
        self.options().any(|word| letters(word) && word.contains(&b'l'))
            && self.options().all(|word| filter(word) || letters(word))
    }

    /// What `grep -l` prints: names of files that it reads. Without an operand they do not begin
    /// with where it looks.
    fn matched(&self) -> Output<'w> {
        let Some(uses) = self.uses() else { return Output::Anything };
        let below = uses.paths.into_iter().map(|it| it.text).collect();
        Output::Names { below, bare: true, exact: false }
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
            b"uniq" => self.words.len() == 1,
            _ => {
                let drops = self.options().any(|word| word.contains(&b'v'));
                let secrets = self.words[1..].iter().any(|pattern| selects_secrets(pattern));
                self.operands() == 1 && self.only(b"viEFwxG") && (drops || !secrets)
            }
        }
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
            Output::Plain => "plain".to_owned(),
            Output::Names { below, bare, exact } => {
                let bare = if bare { "bare " } else { "" };
                let exact = if exact { "exact " } else { "" };
                format!("{bare}{exact}below {}", list(below))
            }
            Output::Entries(of) => format!("of {}", list(of)),
            Output::Lines => "lines".to_owned(),
            Output::Anything => "?".to_owned(),
        }
    }

    // tidy: table
    #[rustfmt::skip]
    const COMMANDS: &[(&str, &str)] = &[
        ("nproc", "number"), ("wc -l", "plain"), ("wc -l a", "plain"), ("wc", "plain"),
        ("wc -l *", "?"), ("echo a b", "plain"), ("echo a\\052", "?"), ("date +%F", "plain"),
        ("date +*", "?"), ("whoami", "plain"), ("cat a", "?"), ("pwd", "?"),
        ("git rev-parse --short HEAD", "plain"), ("git rev-parse a", "?"),
        ("git branch --show-current", "plain"), ("git ls-files", "bare below ."),
        ("git ls-files -z", "bare exact below ."), ("git log", "?"),
        ("find", "below ."), ("find a b -name c", "below a b"), ("find a -print0", "exact below a"),
        ("find a -printf x", "?"), ("find a -exec ls {} ;", "?"), ("find a -nosuch", "?"),
        ("ls", "bare below ."), ("ls -1t", "bare below ."), ("ls a b", "of a b"),
        ("ls -d a b", "below a b"), ("ls -a", "?"), ("ls -l", "?"), ("ls -F", "?"),
        ("grep -rl a b", "bare below b"), ("grep -rl a", "bare below ."), ("grep -l a b c", "bare below b c"),
        ("grep -lc a b", "?"), ("grep a b", "?"), ("grep -v a", "lines"), ("grep -o a", "?"),
        ("grep -c a", "?"), ("head -5", "lines"), ("head -n 5", "lines"), ("head -c 5", "?"),
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
