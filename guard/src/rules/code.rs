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

/// What takes a program in a language of its own as its first word, by names that the catalogue
/// does not have.
const LANGUAGES: &[&[u8]] = &[b"gawk", b"gsed", b"mawk", b"nawk", b"original-awk"];

/// Clients of databases whose languages run commands, or read and write files: what words of theirs
/// holds that does so (psql(1), sqlite3(1), mysql(1)).
const CLIENTS: &[(&[u8], &[&[u8]])] = &[
    (b"psql", &[b"\\", b"program", b"pg_read", b"lo_import", b"lo_export"]),
    (b"sqlite3", &[b".", b"load_extension", b"readfile", b"writefile", b"edit(", b"fsdir"]),
    (b"mysql", &[b"\\", b"system", b"source", b"load_file", b"outfile", b"infile", b"dumpfile"]),
];

/// Does a client of a database get such a word? In that of sqlite3 a dot begins a command of its
/// own wherever a line does.
fn commands_client(program: &[u8], words: &[PlanWord]) -> bool {
    let Some((_, parts)) = CLIENTS.iter().find(|(name, _)| *name == program) else { return false };
    words.iter().skip(1).any(|word| {
        let PlanWord::Is(text) = word else { return true };
        let text = text.to_ascii_lowercase();
        let begins = |part: &[u8]| {
            text.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(part))
        };
        parts.iter().any(|part| match *part {
            b"." => begins(part) && !text.starts_with(b"./") && !text.starts_with(b"../"),
            part => text.windows(part.len()).any(|it| it == part),
        })
    })
}

/// Does a command run code that is no file of the project? What is not known of its words may make
/// it do so. `python -m NAME` runs a module, which is none.
pub(crate) fn runs_code(words: &[PlanWord]) -> bool {
    let Some(PlanWord::Is(program)) = words.first() else { return false };
    if LANGUAGES.contains(&base_name(program)) || commands_client(base_name(program), words) {
        return true;
    }
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
    b"--hostname-bin", b"--info-script", b"--new-volume-script", b"--pre", b"--receive-pack",
    b"--rmt-command", b"--rsync-path", b"--to-command", b"--upload-pack", b"--use-compress-program",
];

/// Options of one letter, alone or in a cluster, whose value is run, or names a file of names: the
/// programs, and the letters.
const LETTERS: &[(&[&str], &[u8])] = &[
    (&["tar", "gtar", "bsdtar"], b"FIT"),
    (&["rsync"], b"eM"),
    (&["man"], b"P"),
    (&["zip"], b"T"),
    (&["nodemon"], b"x"),
];

/// Whole words, by program, perhaps with its sub-command: what takes the next word, and runs it or
/// what it names.
const WORDS: &[(&[&str], &[&str])] = &[
    (&["gcc", "g++", "cc", "c++", "clang", "clang++"], &["-wrapper", "-specs", "-load", "-Xclang"]),
    (&["git clone"], &["-c", "-u", "--config", "--template"]),
    (&["git init"], &["--template"]),
    (&["git grep"], &["-O", "--open-files-in-pager"]),
    (&["npm", "pnpm"], &["--git", "--node-options", "--script-shell"]),
    (&["go"], &["-toolexec", "-vettool"]),
];

/// Does a word of a command say what is run, or that names of files stand in a file? Then no rule
/// opens the command, unless it names the word. `sub`: the first word behind the program.
pub(crate) fn says_what_runs(program: &[u8], sub: &[u8], word: &[u8]) -> bool {
    let name = word.split(|byte| *byte == b'=').next().unwrap_or_default().to_ascii_lowercase();
    let has = |part: &&[u8]| name.windows(part.len()).any(|it| it == *part);
    let long = name.starts_with(b"--");
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let variable = name.len() < word.len() && name.iter().all(is_name);
    let program = base_name(program);
    let with_sub = [program, b" ", sub].concat();
    let is_of = |of: &[&str]| of.iter().any(|it| [program, &with_sub].contains(&it.as_bytes()));
    let mut cluster = LETTERS.iter().filter(|(of, _)| is_of(of)).flat_map(|(_, them)| *them);
    let mut whole = WORDS.iter().filter(|(of, _)| is_of(of)).flat_map(|(_, them)| *them);
    let as_written = &word[..name.len()];
    // `tar xIf`: the first word of tar is a cluster without a minus, too.
    let is_cluster = if word == sub { program.ends_with(b"tar") } else { word.starts_with(b"-") };
    let short_for = |full: &&[u8]| name.len() >= 5 && full.starts_with(&name);
    (long && RUN_IN_FULL.iter().any(short_for))
        || (((long && !name.starts_with(b"--no-")) || variable) && RUNS.iter().any(has))
        || (is_cluster && !long && cluster.any(|it| word.contains(it)))
        || whole.any(|it| it.as_bytes() == as_written)
        || word.starts_with(b"+!")
        // What comes over a transport of git's own is made by a program of that name: `ext::sh`.
        || (program == b"git" && names_transport(word))
}

/// `NAME::ADDRESS` (gitremote-helpers(7)).
fn names_transport(word: &[u8]) -> bool {
    let name = word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    name > 0 && word[name..].starts_with(b"::")
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
            ("tar", "-cTf"),
            ("rsync", "-M--x"),
            ("gcc", "-wrapper"),
            ("go", "-toolexec=./x"),
            ("npm", "--node-options=-rx"),
            ("git", "ext::sh"),
            ("git", "-c"),
            ("git", "--template=x"),
            ("tar", "--info-script=x"),
            ("rsync", "--rsync-path=x"),
            ("rsync", "-esh"),
        ] {
            assert!(
                says_what_runs(program.as_bytes(), b"clone", word.as_bytes()),
                "{program} {word}"
            );
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
            assert!(
                !says_what_runs(program.as_bytes(), b"clone", word.as_bytes()),
                "{program} {word}"
            );
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
            "sqlite3 a.db .shell",
            "sqlite3 ./a.db -cmd .read",
            "psql -c \\!",
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
            "sqlite3 ./a.db select",
            "psql -c select",
        ] {
            assert!(!runs(file), "{file}");
        }
    }
}
