//! Programs that run code which stands in their words, or comes in: nothing can be told of where
//! that reaches, so that no rule opens it. A script of the project is another matter, as `make` is.

use super::pattern::base_name;
use crate::plan::PlanWord;

/// How a program is told to run code that is no file.
struct Interpreter {
    /// Its name is one of these, or one of these and a version: `python3.11`.
    names: &'static [&'static str],
    /// Letters of options of one letter, alone or in a cluster.
    letters: &'static [u8],
    /// Whole words, perhaps with a value behind `=`.
    words: &'static [&'static str],
    /// Letters of options that take the next word.
    values: &'static [u8],
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter { names: &["python", "pypy"], letters: b"c", words: &[], values: b"WX" },
    Interpreter {
        names: &["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
        letters: b"ep",
        words: &["--eval", "--print", "eval", "repl"],
        values: b"rC",
    },
    Interpreter { names: &["perl", "ruby"], letters: b"eE", words: &[], values: b"" },
    Interpreter { names: &["php"], letters: b"rRBE", words: &["--run"], values: b"dcz" },
    Interpreter {
        names: &["lua", "luajit", "Rscript", "R", "osascript", "julia", "elixir", "groovy"],
        letters: b"eE",
        words: &["--eval", "--print"],
        values: b"l",
    },
];

/// Does a command run code that is no file of the project? What is not known of its words may make
/// it do so. `python -m NAME` runs a module, which is none.
pub(crate) fn runs_code(words: &[PlanWord]) -> bool {
    let Some(PlanWord::Is(program)) = words.first() else { return false };
    let Some(interpreter) = INTERPRETERS.iter().find(|it| it.is_called(base_name(program))) else {
        return false;
    };
    let mut at = 1;
    while let Some(PlanWord::Is(word)) = words.get(at) {
        match &word[..] {
            b"-m" => return false,
            b"-" => return true,
            [b'-', b'-', ..] if interpreter.is_code_word(word) => return true,
            [b'-', letter, rest @ ..] if *letter != b'-' => {
                if [&[*letter], rest].concat().iter().any(|it| interpreter.letters.contains(it)) {
                    return true;
                }
                at += usize::from(rest.is_empty() && interpreter.values.contains(letter));
            }
            [b'-', ..] => {}
            word => return interpreter.is_code_word(word),
        }
        at += 1;
    }
    // No file at all, or it is not known which: code may come in.
    true
}

/// Parts of names of options, and of variables, that say what is run.
#[rustfmt::skip]
const RUNS: &[&[u8]] = &[
    b"askpass", b"command", b"editor", b"eval", b"exec", b"init-file", b"pager", b"plugin",
    b"program", b"rcfile", b"rsh", b"shell", b"wrapper",
];

/// Options that say what is run, or which files are read. Tools also take the beginning of such a
/// name for it.
#[rustfmt::skip]
const RUN_IN_FULL: &[&[u8]] = &[
    b"--checkpoint-action", b"--compress-program", b"--files-from", b"--files0-from",
    b"--hostname-bin", b"--pre", b"--receive-pack", b"--to-command", b"--upload-pack",
    b"--use-compress-program",
];

/// Options of one letter, by program, whose value is run.
const LETTERS: &[(&str, u8)] = &[("gtar", b'I'), ("rsync", b'e'), ("tar", b'F'), ("tar", b'I')];

/// Does a word of a command say what is run, or that names of files stand in a file? Then no rule
/// opens the command, unless it names the word.
pub(crate) fn says_what_runs(program: &[u8], word: &[u8]) -> bool {
    let name = word.split(|byte| *byte == b'=').next().unwrap_or_default().to_ascii_lowercase();
    let has = |part: &&[u8]| name.windows(part.len()).any(|it| it == *part);
    let long = name.starts_with(b"--");
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let variable = name.len() < word.len() && name.iter().all(is_name);
    let letters = LETTERS.iter().filter(|(of, _)| of.as_bytes() == base_name(program));
    let mut cluster = letters.map(|(_, letter)| letter);
    let short_for = |full: &&[u8]| name.len() >= 5 && full.starts_with(&name);
    (long && RUN_IN_FULL.iter().any(short_for))
        || (((long && !name.starts_with(b"--no-")) || variable) && RUNS.iter().any(has))
        || (word.starts_with(b"-") && !long && cluster.any(|it| word.contains(it)))
        || word.starts_with(b"+!")
}

impl Interpreter {
    fn is_called(&self, name: &[u8]) -> bool {
        let version = |rest: &[u8]| rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
        self.names.iter().any(|it| name.strip_prefix(it.as_bytes()).is_some_and(version))
    }

    fn is_code_word(&self, word: &[u8]) -> bool {
        let name = word.split(|byte| *byte == b'=').next().unwrap_or_default();
        self.words.iter().any(|it| it.as_bytes() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(line: &str) -> bool {
        let word = |word: &str| PlanWord::Is(word.as_bytes().into());
        runs_code(&line.split(' ').map(word).collect::<Vec<_>>())
    }

    #[test]
    fn words_that_say_what_runs_are_known_by_their_names() {
        for (program, word) in [
            ("sort", "--compress-program=./x"),
            ("sort", "--comp=./x"),
            ("sort", "--files0=l"),
            ("sort", "--files0-from=l"),
            ("rsync", "--files-from=l"),
            ("tar", "--to-command=x"),
            ("/bin/tar", "-xIf"),
            ("git", "--uploa=x"),
            ("make", "SHELL=./x"),
            ("make", "--eval=x"),
            ("rg", "--pre"),
            ("npm", "--script-shell=x"),
            ("cargo", "build.rustc-wrapper=./x"),
            ("less", "+!x"),
        ] {
            assert!(says_what_runs(program.as_bytes(), word.as_bytes()), "{program} {word}");
        }
        for (program, word) in [
            ("npm", "install"),
            ("npm", "shell"),
            ("git", "--no-verify"),
            ("npm", "--prefix"),
            ("cp", "--recursive"),
            ("git", "--no-pager"),
            ("tar", "-xzf"),
            ("frob", "--config=x"),
            ("git", "fix: a=b"),
            ("frob", "-I../x"),
            ("docker", "exec"),
        ] {
            assert!(!says_what_runs(program.as_bytes(), word.as_bytes()), "{program} {word}");
        }
    }

    #[test]
    fn code_in_words_is_told_from_files() {
        for code in [
            "python -c x",
            "python3.11 -Ic x",
            "python",
            "python -",
            "node -e x",
            "node --eval=x",
            "node -pe x",
            "deno eval x",
            "perl -ne x",
            "perl -pi -e x",
            "ruby -rjson -e x",
            "php -r x",
            "node",
            "/usr/bin/python3 -c x",
            "lua -e x",
            "python -W ignore -c x",
            "bun -e x",
        ] {
            assert!(runs(code), "{code}");
        }
        for file in [
            "python a.py",
            "python -m http.server",
            "node a.js -e x",
            "perl a.pl",
            "npm install",
            "python3 -u a.py -c x",
            "bun run x",
            "nodemon",
            "python-config",
            "node -r x a.js",
        ] {
            assert!(!runs(file), "{file}");
        }
    }
}
